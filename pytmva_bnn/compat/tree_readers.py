"""TTreeFormula and TTreeReader: other ways to read a tree entry by entry."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pytmva_bnn.compat.branch_values import VectorCalls
from pytmva_bnn.compat.cuts import text_of
from pytmva_bnn.compat.directories import TDirectory
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.named import Named
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.compat.trees import TTree
from pytmva_bnn.events.sources import Block, EventSource
from pytmva_bnn.formula import Formula, FormulaError
from pytmva_bnn.formula.jagged import numbers_of, pairs_of


class TTreeFormula(Named):
    """An expression of a tree's branches, evaluated at the tree's current entry.

    >>> from pytmva_bnn.compat import ROOT
    >>> tree = ROOT.TNtuple("t", "", "x:y")
    >>> _ = tree.Fill(1, 2), tree.Fill(3, 4)
    >>> formula, _ = TTreeFormula("f", "x*y", tree), tree.LoadTree(1)
    >>> formula.GetNdata(), formula.EvalInstance()
    (1, 12.0)
    """

    def __init__(self, name: str, expression: Any, tree: TTree) -> None:
        self._name = str(name)
        self._title = text_of(expression)
        self._tree = tree
        self._source: EventSource | None = None
        self._blocks: Iterator[Block] = iter(())
        self._first = self._end = 0
        try:
            self._formula: Formula | None = Formula(self._title)
            self._formula.branches_of(tree.__event_source__().columns, tree=tree.GetName())
        except FormulaError as error:  # ROOT: GetNdim tells that the expression cannot be used
            LOGGER.error("TTreeFormula %s: %s", name, error)
            self._formula = None

    def GetNdim(self) -> int:
        """Return 0 if the expression cannot be used, else 1."""
        return int(self._formula is not None)

    def UpdateFormulaLeaves(self, *_: Any) -> None:
        """Do nothing: branches are found by their names."""

    SetTree = SetQuickLoad = Notify = UpdateFormulaLeaves

    def GetNdata(self) -> int:
        return len(self._values())

    def EvalInstance(self, instance: int = 0, *_: Any) -> float:
        """Return a value at the current entry; 0 if there are not so many."""
        values = self._values()
        return float(values[instance]) if instance < len(values) else 0.0

    def _values(self) -> Any:
        formula, source = self._formula, self._tree.__event_source__()
        if formula is None:
            raise MacroError(
                f"TTreeFormula {self._name}: the expression {self._title!r} cannot be used; ask GetNdim first"
            )
        entry = max(self._tree.GetReadEntry(), 0)
        if source is not self._source or entry < self._first:
            self._source, self._first, self._end = source, 0, 0
            self._blocks = source.blocks(formula.branches_of(source.columns, tree=source.name))
        while entry >= self._end:  # a block is evaluated as a whole
            block = next(self._blocks)
            options: dict[str, Any] = {"tree": block.tree, "n_events": block.n_entries}
            counts = formula.counts(block.columns, **options)
            pairs = pairs_of(counts)
            self._numbers = formula.at(block.columns, numbers_of(pairs.entries), pairs.instances, **options)
            self._offsets = np.concatenate(([0], np.cumsum(counts)))
            self._first, self._end = block.first_entry, block.first_entry + block.n_entries
        at = entry - self._first
        return self._numbers[self._offsets[at] : self._offsets[at + 1]]


class TTreeReader:
    """``TTreeReader(tree)`` or ``TTreeReader("tree", file)``: Next() goes from entry to entry.

    >>> from pytmva_bnn.compat import ROOT
    >>> reader = TTreeReader("TreeS", ROOT.TFile("xml_fixtures/data/class.root"))
    >>> value = TTreeReaderValue["float"](reader, "var1")
    >>> reader.Next(), reader.GetCurrentEntry(), round(value.deref(), 3)
    (True, 0, 0.234)
    """

    def __init__(self, tree: Any = None, directory: Any = None, *_: Any) -> None:
        self._entry, self._end = -1, -1
        self.SetTree(tree, directory)

    def SetTree(self, tree: Any, directory: Any = None) -> None:
        """Choose the tree, or its name and the file that it is in."""
        if tree is not None and not isinstance(tree, TTree):
            home = directory if isinstance(directory, TDirectory) else SESSION.directory
            tree = home.Get(str(tree))
            if not tree:
                raise MacroError(f"TTreeReader: {tree.reason}")
        self._tree = tree
        self.Restart()

    def GetTree(self) -> Any:
        return self._tree

    def GetEntries(self, force: bool = True) -> int:
        del force
        return int(self._tree.GetEntries())

    def GetCurrentEntry(self) -> int:
        """Return the number of the current entry, -1 before the first Next."""
        return self._entry

    def SetEntriesRange(self, first: int, end: int) -> int:
        self._entry, self._end = int(first) - 1, int(end)
        return 0

    def Restart(self) -> None:
        self._entry, self._end = -1, -1

    def SetEntry(self, entry: int) -> int:
        """Go to an entry; 0 is returned if there is one."""
        self._entry = int(entry)
        return 0 if self._tree.LoadTree(self._entry) >= 0 else 1

    SetLocalEntry = SetEntry

    def Next(self) -> bool:
        return (self._end < 0 or self._entry + 1 < self._end) and self.SetEntry(self._entry + 1) == 0

    def __iter__(self) -> Iterator[int]:
        while self.Next():
            yield self._entry


class ReaderValue:
    """The value of a branch at the reader's entry; calls of a vector or of text go to the value."""

    def __init__(self, reader: TTreeReader, name: str) -> None:
        self._reader = reader
        self._name = str(name)
        if not (branch := reader.GetTree().GetBranch(self._name)) and not reader.GetTree().GetAlias(self._name):
            raise MacroError(f"TTreeReaderValue: {branch.reason}")

    def deref(self) -> Any:
        """Return the value: ``*value`` in C++."""
        return self._reader.GetTree()._value(self._name)

    __deref__ = deref

    def Get(self) -> Any:
        """Return a pointer to the value: an array or text itself, an array of one number for a number."""
        value = self.deref()
        return [value] if isinstance(value, int | float) else value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.deref(), name)


class ReaderArray(ReaderValue, VectorCalls):
    """The elements of an array or vector branch at the reader's entry."""

    def GetSize(self) -> int:
        return len(np.atleast_1d(self.deref()))

    __len__ = size = GetSize

    IsEmpty, At = VectorCalls.empty, VectorCalls.at

    def __getitem__(self, index: int) -> Any:
        return list(self)[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(np.atleast_1d(self.deref()).tolist())


class ReaderTemplate:
    """``TTreeReaderValue`` before its type is chosen; the branch has a type already, so that it does not matter."""

    def __init__(self, kind: type[ReaderValue]) -> None:
        self._kind = kind

    def __getitem__(self, element: Any) -> type[ReaderValue]:
        return self._kind

    def __call__(self, *arguments: Any) -> Any:
        """Return the class for a type, ``TTreeReaderValue("float")``, or the value itself."""
        return self._kind if len(arguments) == 1 else self._kind(*arguments)


TTreeReaderValue = ReaderTemplate(ReaderValue)
TTreeReaderArray = ReaderTemplate(ReaderArray)
