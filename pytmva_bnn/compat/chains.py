"""TChain: the trees of several files as one."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import glob
from typing import Any, NoReturn

from pytmva_bnn.compat.errors import MacroError, RefusedError
from pytmva_bnn.compat.files import TFile
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.compat.trees import TTree
from pytmva_bnn.events.sources import ChainSource, EventSource, MemorySource, RootSource
from pytmva_bnn.files import expanded


class ChainFile:
    """A file of a chain as GetListOfFiles gives it.

    >>> ChainFile("class.root", "TreeS").GetTitle()
    'class.root'
    """

    def __init__(self, file: str, tree: str) -> None:
        self._file = file
        self._tree = tree

    def GetTitle(self) -> str:
        """Return the name of the file."""
        return self._file

    def GetName(self) -> str:
        """Return the name of the tree."""
        return self._tree


class TChain(TTree):
    """``TChain(tree)``, then ``Add(file)`` for each file; wildcards and ``file.root/tree`` are understood.

    >>> chain = TChain("TreeS")
    >>> chain.Add("xml_fixtures/data/cl*.root"), chain.Add("xml_fixtures/data/class.root/TreeB")
    (1, 1)
    >>> chain.GetEntries(), chain.GetNtrees()
    (5500, 2)
    """

    def __init__(self, name: str = "", title: str = "") -> None:
        super().__init__(name, title)
        self._files: list[tuple[str, str]] = []
        self._opened: list[EventSource] = []
        self._chain: ChainSource | None = None

    def Add(self, file: Any, *_: Any) -> int:
        """Add the files of a name or pattern, or those of another chain; return how many."""
        if isinstance(file, TChain):
            found = list(file._files)
        else:
            path, tree = _file_and_tree(expanded(str(file)), self._name)
            found = [(one, tree) for one in _matching(path)]
        self._files.extend(found)
        self._chain = None
        return len(found)

    def AddFile(self, file: str, n_entries: int = -1, tree: str = "") -> int:
        del n_entries
        self._files.append((expanded(str(file)), str(tree) or self._name))
        self._chain = None
        return 1

    def GetNtrees(self) -> int:
        return len(self._files)

    def GetListOfFiles(self) -> ObjectList[ChainFile]:
        """Return the files; each has GetTitle(), which is the file, and GetName(), which is the tree."""
        return ObjectList(ChainFile(file, tree) for file, tree in self._files)

    def _own(self, name: str = "") -> EventSource:
        del name
        if not self._files:
            return MemorySource.of_mapping(self._name, {})
        if self._chain is None:
            for file, tree in self._files[len(self._opened) :]:
                if not tree:
                    raise MacroError(
                        f"TChain: no tree is named for {file}; give its name to TChain, or write {file}/<tree>"
                    )
                self._opened.append(RootSource.of_file(file, tree))
            self._chain = ChainSource(self._opened)
        return self._chain

    def Branch(self, name: str, buffer: Any, leaves: Any = "", *_: Any) -> NoReturn:
        """Raise: a chain cannot be changed."""
        del buffer, leaves
        raise RefusedError(f"Branch({name!r}): a TChain cannot be changed; make a new tree with CloneTree(0)")

    # -- the files, one after the other

    def GetTreeNumber(self) -> int:
        return self._file_of(max(self._entry, 0))[0]

    def _file_of(self, entry: int) -> tuple[int, int]:
        """Return the number of the file that an entry is in, and the entry's number there."""
        self._own()
        for number, source in enumerate(self._opened):
            if entry < source.n_entries:
                return number, entry
            entry -= source.n_entries
        return -1, -2

    def LoadTree(self, entry: int) -> int:
        """Go to an entry; return its number in its file, which is negative if there is no such entry."""
        return self._file_of(int(entry))[1] if super().LoadTree(int(entry)) >= 0 else -2

    def GetFile(self) -> Any:
        """Return the file of the current entry; the current directory stays."""
        before, number = SESSION.directory, self.GetTreeNumber()
        if number < 0:
            return NullPointer(f"the chain {self._name} has no entry")
        try:
            return TFile(self._files[number][0])
        finally:
            SESSION.directory = before

    GetCurrentFile = GetFile

    def Merge(self, target: Any, *others: Any) -> int:
        """Write all entries to a file, given by its name; return the number of files."""
        if not isinstance(target, str):
            return super().Merge(target, *others)
        before = SESSION.directory
        with TFile(target, "RECREATE"):
            self.CloneTree().Write()
        SESSION.directory = before
        return 1


def _file_and_tree(text: str, default: str) -> tuple[str, str]:
    """Return file and tree of ``file.root/tree``, ``file.root?#tree`` or ``file.root``."""
    if "?#" in text:
        path, _, tree = text.partition("?#")
        return path, tree
    path, dot_root, tree = text.partition(".root/")
    if dot_root and "://" not in tree:
        return f"{path}.root", tree.strip("/")
    return text, default


def _matching(path: str) -> list[str]:
    if "://" in path or not glob.has_magic(path):
        return [path]
    # TChain::Add takes the files of a pattern in alphabetical order
    found = sorted(glob.glob(path))  # noqa: PTH207 - Path.glob wants the folder apart
    if not found:
        LOGGER.warning("TChain.Add: no file matches %s", path)
    return found
