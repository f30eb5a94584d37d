"""The calls that read a tree: counting, entry by entry into memory, and ``for event in tree``."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from typing import Any

import numpy as np

from pytmva_bnn.compat.cuts import text_of
from pytmva_bnn.compat.entries import BoundBuffer, ColumnCursor
from pytmva_bnn.compat.errors import MacroError, NotInCompatError, public_names
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import LOGGER, show
from pytmva_bnn.compat.named import Named
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.errors import suggestion
from pytmva_bnn.events.sources import EventSource
from pytmva_bnn.events.sources.chain import passing_entries
from pytmva_bnn.formula import Formula

REFUSED = {
    "AddFriend": "join the columns in one tree, or give the DataLoader a dictionary of arrays",
    "SetAlias": "write the expression itself; variables may be called 'label := expression'",
    "SetWeight": "give the weight to AddSignalTree, AddBackgroundTree or AddTree",
    "MakeClass": "read the branches with SetBranchAddress or 'for event in tree'",
    "Process": "loop over the entries with 'for event in tree'",
    "BuildIndex": "sort the entries with numpy",
    "SetEntryList": "use CopyTree(cut)",
    "SetEventList": "use CopyTree(cut)",
}
"""Calls that do not exist here, and what to do instead."""

NO_OPS = frozenset(
    {
        "AddBranchToCache", "AutoSave", "FlushBaskets", "OptimizeBaskets", "ResetBranchAddress", "ResetBranchAddresses",
        "SetAutoFlush", "SetAutoSave", "SetCacheSize", "SetEstimate", "SetFillColor", "SetFillStyle", "SetImplicitMT",
        "SetLineColor", "SetLineStyle", "SetLineWidth", "SetMakeClass", "SetMarkerColor", "SetMarkerSize",
        "SetMarkerStyle", "SetMaxTreeSize", "StopCacheLearningPhase",
    }
)  # fmt: skip
"""Calls that change nothing here."""


class ReadableTree(Named):
    """A tree that can be read; ``_source()`` gives its entries.

    All names that are not ROOT's begin with an underscore: any other may be a branch.

    >>> from pytmva_bnn.compat import ROOT
    >>> tree = ROOT.TFile.Open("xml_fixtures/data/class.root").Get("TreeS")
    >>> tree.GetEntries(), tree.GetEntries("var1 > 0"), tree.GetListOfBranches().At(0).GetName()
    (2500, 1581, 'var1')
    >>> _ = tree.GetEntry(7)
    >>> round(tree.var1, 3)
    -0.449
    """

    def __init__(self) -> None:
        self._entry = -1
        self._bound: dict[str, BoundBuffer] = {}
        self._cursors: tuple[EventSource | None, dict[str, ColumnCursor]] = (None, {})
        self._inactive: set[str] = set()

    def _source(self) -> EventSource:
        raise NotImplementedError

    def __event_source__(self) -> EventSource:
        """Return the entries: this makes a tree good wherever the library takes events."""
        return self._source()

    # -- what it is

    def IsZombie(self) -> bool:
        """Return False."""
        return False

    def GetEntries(self, cut: Any = "") -> int:
        """Return the number of entries, or of those for which ``cut`` is not zero."""
        text = text_of(cut)
        return _number_passing(self._source(), text) if text else self._source().n_entries

    def GetEntriesFast(self) -> int:
        """Return the number of entries."""
        return self.GetEntries()

    def __len__(self) -> int:
        return self.GetEntries()

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name}: {self.GetEntries()} entries>"

    # -- branches

    def GetListOfBranches(self) -> ObjectList[BranchName]:
        """Return the branches; each has GetName()."""
        return ObjectList(BranchName(self, name) for name in self._source().columns)

    GetListOfLeaves = GetListOfBranches

    def GetNbranches(self) -> int:
        """Return the number of branches."""
        return len(self._source().columns)

    def GetBranch(self, name: str) -> BranchName | NullPointer:
        """Return a branch; one that does not exist is a null pointer."""
        columns = self._source().columns
        if name in columns:
            return BranchName(self, name)
        hint = suggestion(name, columns)
        return NullPointer(f"the tree {self._name} has no branch {name!r}" + (f": {hint}" if hint else ""))

    FindBranch = GetBranch
    GetLeaf = GetBranch
    FindLeaf = GetBranch

    def SetBranchStatus(self, pattern: str, status: bool | int = True) -> None:
        """Switch branches on or off; it matters to CloneTree and CopyTree only, as others read what they need."""
        named = set(fnmatch.filter(self._source().columns, str(pattern)))
        self._inactive = self._inactive - named if status else self._inactive | named

    def GetBranchStatus(self, name: str) -> bool:
        """Return whether a branch is switched on."""
        return name not in self._inactive

    def _active(self) -> list[str]:
        """Return the branches that are switched on; a name with dots is another name of a branch."""
        columns = self._source().columns
        return [name for name in columns if name not in self._inactive and ("." not in name or len(columns) == 1)]

    def SetBranchAddress(self, name: str, buffer: Any, *_: Any) -> int:
        """Let GetEntry fill ``buffer`` with the values of a branch."""
        if not self.GetBranch(name):
            known = self._source().columns
            raise MacroError(
                f"SetBranchAddress: the tree {self._name} has no branch {name!r}"
                + (f": {hint}" if (hint := suggestion(name, known)) else f"; it has {', '.join(known)}")
            )
        self._bound[name] = BoundBuffer(name, buffer)
        return 0

    # -- entries

    def GetEntry(self, entry: int = 0, getall: int = 0) -> int:
        """Go to an entry and fill the memory of SetBranchAddress; 0 is returned if there is no such entry."""
        del getall
        return self._read_entry(int(entry), self._bound)

    def _read_entry(self, entry: int, names: Any) -> int:
        if not 0 <= entry < self.GetEntries():
            return 0
        self._entry = entry
        for name in names:
            if name in self._bound:
                self._bound[name].fill(self._value(name))
        return max(1, len(self._bound))

    def LoadTree(self, entry: int) -> int:
        """Go to an entry without reading anything; a negative number is returned if there is no such entry."""
        if not 0 <= entry < self.GetEntries():
            return -2
        self._entry = entry
        return entry

    def GetReadEntry(self) -> int:
        """Return the number of the current entry."""
        return self._entry

    def __iter__(self) -> Iterator[ReadableTree]:
        for entry in range(self.GetEntries()):
            self.GetEntry(entry)
            yield self

    def _value(self, name: str) -> Any:
        source = self._source()
        if self._cursors[0] is not source:
            self._cursors = (source, {})
        cursors = self._cursors[1]
        if name not in cursors:
            source.check_columns([name])
            cursors[name] = ColumnCursor(source, name)
        # ROOT: before the first GetEntry the values are those of the memory at the start
        return cursors[name].at(max(self._entry, 0))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._source().columns:
            return self._value(name)
        if name in NO_OPS:
            return lambda *_, **__: LOGGER.debug("TTree.%s has no effect", name)
        known = [*self._source().columns, *public_names(self)]
        raise NotInCompatError.of(f"the tree {self._name}", name, known, REFUSED.get(name, ""))

    # -- columns as a whole

    def GetMinimum(self, name: str) -> float:
        """Return the smallest value of a branch."""
        return min(float(np.min(block.columns[name])) for block in self._source().blocks([name]))

    def GetMaximum(self, name: str) -> float:
        """Return the largest value of a branch."""
        return max(float(np.max(block.columns[name])) for block in self._source().blocks([name]))

    def AsNumpy(self, *names: str) -> dict[str, Any]:
        """Return branches as arrays: all of them, or those named."""
        wanted = list(names) or self._active()
        blocks = list(self._source().blocks(wanted))
        return {name: np.concatenate([block.columns[name] for block in blocks]) for name in wanted}

    def Print(self, option: str = "") -> None:
        """Show the tree and its branches."""
        del option
        show(f"*Tree    :{self._name:10}: {self._title}\n*Entries :{self.GetEntries():9}")
        for name in self._source().columns:
            show(f"*Br      :{name}")

    def Show(self, entry: int = -1) -> None:
        """Show the values of an entry."""
        self.LoadTree(entry if entry >= 0 else max(self._entry, 0))
        show(f"======> EVENT:{self._entry}")
        for name in self._active():
            show(f" {name:15} = {self._value(name)}")


def _number_passing(source: EventSource, cut: str) -> int:
    formula = Formula(cut)
    blocks = source.blocks(formula.branches_of(source.columns, tree=source.name))
    return sum(int(np.count_nonzero(passing_entries(formula, block))) for block in blocks)


class BranchName:
    """A branch or leaf of a tree, with its value at the current entry."""

    def __init__(self, tree: ReadableTree, name: str) -> None:
        self._tree = tree
        self._name = name

    def GetName(self) -> str:
        """Return the name."""
        return self._name

    GetTitle = GetName

    def GetEntries(self) -> int:
        """Return the number of entries."""
        return self._tree.GetEntries()

    def GetEntry(self, entry: int) -> int:
        """Read this branch alone at an entry."""
        return self._tree._read_entry(entry, [self._name])

    def GetValue(self, index: int = 0) -> float:
        """Return the value, or an element of it, at the current entry."""
        return float(np.ravel(self._tree._value(self._name))[index])

    def GetLen(self) -> int:
        """Return the number of elements at the current entry."""
        return len(np.ravel(self._tree._value(self._name)))

    def __repr__(self) -> str:
        return f"<branch {self._name} of {self._tree.GetName()}>"
