"""TTree and TNtuple: trees that are read from a file, or filled by the macro."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from array import array
from functools import partial
from typing import Any

import numpy as np

from pytmva_bnn.compat.branches import TBranch
from pytmva_bnn.compat.cuts import text_of
from pytmva_bnn.compat.directories import TDirectory
from pytmva_bnn.compat.drawing import Drawing, draw, scan, split_expressions
from pytmva_bnn.compat.entries import Memory
from pytmva_bnn.compat.errors import MacroError, RefusedError
from pytmva_bnn.compat.event_lists import TEntryList, TEventList
from pytmva_bnn.compat.filling import CopiedBranch, FilledBranch, MemoryBranch, make_branch
from pytmva_bnn.compat.histograms import TH1
from pytmva_bnn.compat.joined import Derived, DerivedSource, SelectedSource, entries_of, own_names
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.reading import ReadableTree
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.events.sources import ChainSource, EventSource, MemorySource, RootSource
from pytmva_bnn.files import expanded


class TTree(ReadableTree):
    """A tree: ``file.Get("TreeS")`` gives one to read, ``TTree(name, title)`` makes one to fill.

    >>> import array
    >>> tree, x = TTree("t", "a tree"), array.array("f", [0])
    >>> _ = tree.Branch("x", x, "x/F")
    >>> for i in range(4):
    ...     x[0] = i / 2
    ...     _ = tree.Fill()
    >>> [entry.x for entry in tree], tree.GetEntries("x > 0.7")
    ([0.0, 0.5, 1.0, 1.5], 2)
    """

    kMaxEntries = 1234567890  # noqa: N815 - ROOT's name
    """ROOT's largest number of entries to read."""

    def __init__(self, name: str = "", title: str = "", *_: Any) -> None:
        super().__init__()
        self._name = str(name)
        self._title = str(title)
        self._stored: EventSource | None = None
        self._made: dict[str, FilledBranch] = {}
        self._n_filled = 0
        self._version = 0
        self._filled_source: tuple[int, EventSource] | None = None
        self._drawing: Drawing | None = None
        self._directory = SESSION.directory
        self._directory.attach(self._name, self)

    def SetDirectory(self, directory: Any) -> None:
        """Attach the tree to a directory; 0 or None detaches it."""
        self._directory.detach(self)
        if directory:
            self._directory = directory
            directory.attach(self._name, self)

    def GetDirectory(self) -> Any:
        return self._directory

    def GetCurrentFile(self) -> Any:
        return self._directory.GetFile()

    def GetTree(self) -> TTree:
        return self

    def GetTreeNumber(self) -> int:
        """Return 0: only a chain has several trees."""
        return 0

    def Delete(self, option: str = "") -> None:
        """Forget the tree in its directory; in a file it stays."""
        del option
        self._directory.detach(self)

    # -- where its values are: a source that it was read or copied from, branches made by the macro, or both

    def _own(self, name: str = "") -> EventSource:
        if self._stored is not None and (not self._made or (name and name not in self._made)):
            return self._stored
        if self._filled_source is None or self._filled_source[0] != self._version:
            self._filled_source = (self._version, self._filled())
        return self._filled_source[1]

    def _filled(self) -> EventSource:
        n_entries = self._n_filled or max((len(branch.values) for branch in self._made.values()), default=0)
        if self._stored is not None:
            n_entries = self._stored.n_entries
        columns: dict[str, Any] = {}
        for name, branch in self._made.items():
            if 0 < len(branch.values) < n_entries:
                LOGGER.warning(
                    "the branch %s of %s has %d of %d entries; the others are 0",
                    name,
                    self._name,
                    len(branch.values),
                    n_entries,
                )
            columns[name] = branch.padded(n_entries)
        for name, (branch_name, leaf) in self._leaves().items():
            columns.setdefault(name, columns[branch_name][leaf])
        if self._stored is None:
            return MemorySource(self._name, list(columns), columns.__getitem__, n_entries)
        where = f"the tree {self._name}"
        return DerivedSource(
            self._stored, {name: Derived.of_column(partial(columns.get, name), where) for name in columns}
        )

    def _own_columns(self) -> tuple[str, ...]:
        if not self._made:
            return self._own().columns
        stored = self._stored.columns if self._stored is not None else ()
        return tuple(dict.fromkeys((*stored, *self._made, *self._leaves())))

    def _leaves(self) -> dict[str, tuple[str, str]]:
        """Return the names of the leaves of branches with several, and for each its branch and its name there."""
        pairs = [(name, leaf) for name, branch in self._made.items() for leaf in getattr(branch, "leaves", ())]
        return {leaf: (name, leaf) for name, leaf in pairs} | {f"{name}.{leaf}": (name, leaf) for name, leaf in pairs}

    def GetEntries(self, cut: Any = "") -> int:
        """Return the number of entries, or of those for which ``cut`` is not zero."""
        if not text_of(cut) and self._stored is None and self._n_filled:
            return self._n_filled  # quick in a loop that fills
        if not text_of(cut) and self._stored is not None:
            return self._stored.n_entries
        return super().GetEntries(cut)

    def SetEntries(self, n_entries: int = -1) -> int:
        """Set the number of entries, where branches were filled one by one; -1 means as many as they have."""
        numbers = [len(branch.values) for branch in self._made.values()]
        self._n_filled = int(n_entries) if n_entries >= 0 else max(numbers, default=0)
        self._version += 1
        return self._n_filled

    def _n_values(self, name: str) -> int:
        return len(self._made[name].values) if name in self._made else self.GetEntries()

    # -- filling

    def Branch(self, name: str, buffer: Any, leaves: Any = "", *_: Any) -> TBranch:
        """Make a branch whose values are in ``buffer`` whenever Fill is called: ``Branch("x", x, "x/F")``.

        A tree that has entries already, also one that was read from a file, may get more branches: their values come
        from the Fill of the branch that is returned, called once for each entry.
        """
        if isinstance(buffer, str) and not isinstance(
            leaves, str | int
        ):  # ROOT: the class of the object may stand before it
            buffer, leaves = leaves, ""
        leaf_list = leaves if isinstance(leaves, str) else ""
        name = str(name)
        branch = make_branch(name, buffer, leaf_list, self._counters(leaf_list), where=f"tree {self._name}")
        self._made[name] = branch
        self._bound[name] = branch.memory
        self._version += 1
        return TBranch(self, name)

    def _counters(self, leaves: str) -> dict[str, FilledBranch]:
        """Return the branches that may hold the size of an array: those of the macro, and those that are stored."""
        if "[" not in leaves or self._stored is None:
            return self._made
        return {name: self._continued(name) for name in self._stored.columns} | self._made

    def _continued(self, name: str) -> CopiedBranch:
        """Return a stored branch to which entries can be added."""
        source = self._stored or MemorySource.of_mapping(self._name, {})
        return CopiedBranch(
            lambda: source, name, self.GetReadEntry, partial(self._bound.get, name), n_entries=source.n_entries
        )

    def SetBranchAddress(self, name: str, buffer: Any, branch: Any = None, *_: Any) -> int:
        """Let GetEntry fill ``buffer`` with the values of a branch, and Fill take them from there."""
        status = super().SetBranchAddress(name, buffer, branch)
        made = self._made.get(str(name))
        if isinstance(made, MemoryBranch):
            made.memory = self._bound[str(name)]
        return status

    def _fill_branch(self, name: str) -> int:
        if name not in self._made:
            return super()._fill_branch(name)
        self._made[name].keep()
        self._version += 1
        return 1

    def Fill(self) -> int:
        if self._stored is not None:  # a tree of a file that is updated: its entries stay, more are added
            self._n_filled = self._stored.n_entries
            self._made = {name: self._continued(name) for name in own_names(self._stored.columns)} | self._made
            self._stored = None
        if not self._made:
            raise RefusedError(f"the tree {self._name} has no branch to fill; call Branch first")
        for branch in self._made.values():
            if len(branch.values) < self._n_filled:  # it was made after the others
                branch.extend([branch.nothing] * (self._n_filled - len(branch.values)))
            branch.keep()
        self._n_filled += 1
        self._version += 1
        return len(self._made)

    def Reset(self, option: str = "") -> None:
        del option
        source = self._own()
        if self._stored is not None:
            self._stored = SelectedSource(source, lambda block: np.zeros(block.n_entries, bool))
        for branch in self._made.values():
            branch.values.clear()
        self._n_filled = 0
        self._version += 1

    def Write(self, name: str = "", *_: Any) -> int:
        SESSION.directory.write_object(self, str(name) or self._name)
        return max(self.GetEntries(), 1)

    def AutoSave(self, option: str = "") -> int:
        del option
        if self._directory.file is not None:
            self._directory.write_object(self, self._name)
        return self.GetEntries()

    @staticmethod
    def SetMaxTreeSize(size: int = 0) -> None:
        """Do nothing: a tree is always written to one file."""
        LOGGER.debug("TTree.SetMaxTreeSize(%d) has no effect", size)

    # -- friends and copies

    def AddFriend(self, friend: Any, other: Any = "", *_: Any) -> TTree:
        """Join another tree entry by entry: a tree, or the name of one in a file, in the form ``alias = name`` too."""
        if isinstance(friend, TTree):
            alias = str(other) or friend.GetName()
        else:
            alias, name = str(friend).partition("=")[0].strip(), str(friend).rpartition("=")[2].strip()
            if isinstance(other, TDirectory):
                friend = other.Get(name)
            elif str(other):
                friend = tree_of(RootSource.of_file(expanded(str(other)), name))
            else:
                friend = SESSION.directory.Get(name)
        if not isinstance(friend, TTree):
            reason = getattr(friend, "reason", "it is not a tree")
            raise MacroError(f"AddFriend({alias!r}): {reason}; give a tree, or its name and its file")
        self._friends[alias] = friend
        return friend

    def CopyTree(self, cut: Any = "", option: str = "", n_entries: int = -1, first: int = 0) -> TTree:
        del option
        source = self._selected(text_of(cut))
        if n_entries >= 0 or first:
            source = entries_of(
                source, range(first, min(source.n_entries, first + n_entries if n_entries >= 0 else 2**62))
            )
        return tree_of(SelectedSource(source, names=self._kept(source)), self._title, name=self._name, attach=True)

    def _kept(self, source: EventSource) -> list[str]:
        """Return the columns of the tree's own branches that are switched on."""
        own = set(self._own_columns()) - self._inactive
        return [name for name in source.columns if name in own]

    def CloneTree(self, n_entries: int = -1, option: str = "") -> TTree:
        """Return a copy; ``CloneTree(0)`` has the same branches, and takes the current entry at each Fill."""
        del option
        if n_entries:
            source = self._own() if n_entries < 0 else entries_of(self._own(), range(min(n_entries, self.GetEntries())))
            return tree_of(SelectedSource(source, names=self._kept(source)), self._title, name=self._name, attach=True)
        copy = TTree(self._name, self._title)
        for name in self._active():
            copy._made[name] = CopiedBranch(
                self._own, name, self.GetReadEntry, partial(_memory_of_copy, copy, self, name)
            )
        return copy

    def Clone(self, name: str = "") -> TTree:
        copy = self.CloneTree()
        copy.SetDirectory(None)
        copy._name = str(name) or self._name
        copy.SetDirectory(SESSION.directory)
        return copy

    def CopyEntries(self, tree: TTree, n_entries: int = -1, option: str = "", *_: Any) -> int:
        del option
        number = min(tree.GetEntries(), n_entries if n_entries >= 0 else 2**62)
        if self._stored is not None:
            self._stored = ChainSource([self._stored, entries_of(tree._source(), range(number))])
        else:
            for name, branch in self._made.items():
                if not tree._has(name):
                    raise MacroError(f"CopyEntries: the tree {tree.GetName()} has no branch {name!r}")
                branch.extend(tree._column(name)[:number])
            self._n_filled += number
        self._version += 1
        return number

    def Merge(self, trees: Any, *_: Any) -> int:
        for tree in trees:
            self.CopyEntries(tree)
        return self.GetEntries()

    @staticmethod
    def MergeTrees(trees: Any, *_: Any) -> TTree:
        return tree_of(ChainSource([tree._source() for tree in trees]), trees[0].GetTitle(), attach=True)

    # -- drawing

    def Draw(self, expression: str, cut: Any = "", option: str = "", n_entries: int = -1, first: int = 0) -> int:
        """Evaluate expressions, ``"x"`` or ``"y:x"``, or fill a histogram, ``"x>>h(100,0,1)"``; nothing is painted.

        ``">>list"`` makes a TEventList, with the option ``entrylist`` a TEntryList.  The number of selected values is
        returned; GetV1, GetV2, GetV3, GetV4 and GetW give the values and weights, GetHistogram the histogram.
        """
        text = str(expression)
        if text.strip().startswith(">>"):
            return self._list_entries(text.strip()[2:].strip(), text_of(cut), option, n_entries, first)
        source = self._selected() if self._chosen is not None else self._source()
        self._drawing = draw(source, text, text_of(cut), n_entries, first, self._weight)
        return self._drawing.n_selected

    def _list_entries(self, target: str, cut: str, option: str, n_entries: int, first: int) -> int:
        source = self._selected() if self._chosen is not None else self._source()
        passing = draw(source, "Entry$", cut, n_entries, first).values[0]
        numbers = sorted({self.GetEntryNumber(int(entry)) for entry in passing})
        name = target.lstrip("+")
        known = SESSION.directory.FindObject(name)
        if not isinstance(known, TEventList):
            known = TEntryList(name, cut) if "entrylist" in str(option).lower() else TEventList(name, cut)
        if not target.startswith("+"):
            known.Reset()
        known.take(numbers)
        return len(numbers)

    def Project(self, histogram: Any, expression: str, cut: Any = "", *arguments: Any) -> int:
        name = histogram.GetName() if isinstance(histogram, TH1) else histogram
        return self.Draw(f"{expression}>>{name}", cut, *arguments)

    def Scan(self, expressions: str = "", cut: Any = "", option: str = "", n_entries: int = -1, first: int = 0) -> int:
        """Show a table of expressions, by default of the first branches; return the number of its rows."""
        del option
        names = [name for name in split_expressions(str(expressions)) if name] or self._active()[:8]
        return scan(self._selected(), names, text_of(cut), n_entries, first)

    def GetHistogram(self) -> Any:
        return self._last().histogram or NullPointer("the last Draw filled no histogram")

    def GetVal(self, number: int) -> Any:
        """Return the values of an expression of the last Draw, by its number from 0."""
        return self._last().values[number]

    def GetV4(self) -> Any:
        return self._last().values[3]

    def _last(self) -> Drawing:
        if self._drawing is None:
            raise MacroError(f"the tree {self._name}: call Draw first")
        return self._drawing

    def GetSelectedRows(self) -> int:
        return self._last().n_selected

    def GetV1(self) -> Any:
        return self._last().values[0]

    def GetV2(self) -> Any:
        return self._last().values[1]

    def GetV3(self) -> Any:
        return self._last().values[2]

    def GetW(self) -> Any:
        return self._last().weights


class TNtuple(TTree):
    """A tree of float branches: ``TNtuple(name, title, "x:y")``, filled by ``Fill(x, y)``."""

    _letter = "f"

    def __init__(self, name: str, title: str, variables: str, *_: Any) -> None:
        super().__init__(name, title)
        self._row: list[array[Any]] = [array(self._letter, [0]) for _ in str(variables).split(":")]
        for variable, memory in zip(str(variables).split(":"), self._row, strict=True):
            self.Branch(variable, memory)

    def Fill(self, *values: Any) -> int:
        if len(values) == 1 and hasattr(values[0], "__getitem__"):
            values = tuple(values[0][: len(self._row)])
        if values and len(values) != len(self._row):
            raise MacroError(f"{self._name}.Fill: {len(values)} values for {len(self._row)} columns")
        for memory, value in zip(self._row, values, strict=False):
            memory[0] = value
        return super().Fill()


class TNtupleD(TNtuple):
    """A tree of double branches."""

    _letter = "d"


def tree_of(source: EventSource, title: str = "", *, name: str = "", attach: bool = False) -> TTree:
    """Return the tree of a source of events."""
    tree = TTree(name or source.name, title)
    tree._stored = source
    if not attach:
        tree.SetDirectory(None)
    return tree


def _memory_of_copy(copy: TTree, original: TTree, name: str) -> Memory | None:
    return copy._bound.get(name) or original._bound.get(name)


def columns_to_write(tree: TTree) -> list[str]:
    """Return the branches that a file is to have."""
    return tree._active()


def is_changed(tree: TTree) -> bool:
    """Return whether a tree that was read has got more branches or entries."""
    return bool(tree._made)
