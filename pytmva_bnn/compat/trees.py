"""TTree and TNtuple: trees that are read from a file, or filled by the macro."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from array import array
from typing import Any

from pytmva_bnn.compat.cuts import text_of
from pytmva_bnn.compat.drawing import Drawing, draw
from pytmva_bnn.compat.errors import MacroError, RefusedError
from pytmva_bnn.compat.filling import CopiedBranch, FilledBranch, make_branch
from pytmva_bnn.compat.histograms import TH1
from pytmva_bnn.compat.reading import ReadableTree
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.events.sources import EventSource, FilteredSource, MemorySource


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

    def __init__(self, name: str = "", title: str = "") -> None:
        super().__init__()
        self._name = str(name)
        self._title = str(title)
        self._stored: EventSource | None = None
        self._made: dict[str, FilledBranch] = {}
        self._memory: dict[str, Any] = {}
        self._n_filled = 0
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

    def _source(self) -> EventSource:
        if self._stored is not None:
            return self._stored
        if self._filled_source is None or self._filled_source[0] != self._n_filled:
            columns = {name: branch.column() for name, branch in self._made.items()}
            self._filled_source = (self._n_filled, MemorySource.of_mapping(self._name, columns))
        return self._filled_source[1]

    # -- filling

    def Branch(self, name: str, buffer: Any, leaves: Any = "", *_: Any) -> None:
        """Make a branch whose values are in ``buffer`` whenever Fill is called: ``Branch("x", x, "x/F")``."""
        if isinstance(buffer, str):  # ROOT: the class of the object may stand before it
            buffer, leaves = leaves, ""
        if self._stored is not None:
            raise RefusedError(
                f"Branch({name!r}): the tree {self._name} is read from a file, which cannot be changed; make a new one "
                "with CloneTree(0), add the branch to it, and Fill it for each entry"
            )
        if self._n_filled:
            raise RefusedError(f"Branch({name!r}): the tree {self._name} has entries already; make all branches first")
        leaf_list = leaves if isinstance(leaves, str) else ""
        self._made[str(name)] = make_branch(str(name), buffer, leaf_list, self._memory, where=f"tree {self._name}")
        self._memory[str(name)] = buffer
        self._filled_source = None

    def Fill(self) -> int:
        """Add an entry with the values that the memory of all branches has now."""
        if not self._made:
            raise RefusedError(f"the tree {self._name} has no branch to fill; call Branch first")
        for branch in self._made.values():
            branch.keep()
        self._n_filled += 1
        return len(self._made)

    def Write(self, name: str = "", *_: Any) -> int:
        """Write the tree to the current file."""
        SESSION.directory.write_object(self, name or self._name)
        return self.GetEntries()

    # -- copies

    def CopyTree(self, cut: Any = "", *_: Any) -> TTree:
        """Return a tree with the entries for which ``cut`` is not zero."""
        text = text_of(cut)
        return tree_of(FilteredSource(self._source(), text) if text else self._source(), self._title, attach=True)

    def CloneTree(self, n_entries: int = -1, option: str = "") -> TTree:
        """Return a copy; ``CloneTree(0)`` has the same branches, and takes the current entry at each Fill."""
        del option
        if n_entries < 0:
            return self.CopyTree()
        if n_entries > 0:
            return self.CopyTree(f"Entry$ < {n_entries}")
        copy = TTree(self._name, self._title)
        for name in self._active():
            copy._made[name] = CopiedBranch(self, name)
        return copy

    # -- drawing

    def Draw(self, expression: str, cut: Any = "", option: str = "", n_entries: int = -1, first: int = 0) -> int:
        """Evaluate expressions, ``"x"`` or ``"y:x"``, or fill a histogram, ``"x>>h(100,0,1)"``; nothing is painted.

        The number of selected values is returned; GetV1, GetV2, GetV3 and GetW give the values and weights.
        """
        del option
        self._drawing = draw(self._source(), str(expression), text_of(cut), n_entries, first)
        return self._drawing.n_selected

    def Project(self, histogram: str, expression: str, cut: Any = "", *_: Any) -> int:
        """Fill a histogram that exists."""
        name = histogram.GetName() if isinstance(histogram, TH1) else histogram
        return self.Draw(f"{expression}>>{name}", cut)

    def _last(self) -> Drawing:
        if self._drawing is None:
            raise MacroError(f"the tree {self._name}: call Draw first")
        return self._drawing

    def GetSelectedRows(self) -> int:
        """Return the number of values of the last Draw."""
        return self._last().n_selected

    def GetV1(self) -> Any:
        """Return the first expression's values of the last Draw."""
        return self._last().values[0]

    def GetV2(self) -> Any:
        """Return the second expression's values of the last Draw."""
        return self._last().values[1]

    def GetV3(self) -> Any:
        """Return the third expression's values of the last Draw."""
        return self._last().values[2]

    def GetW(self) -> Any:
        """Return the weights of the last Draw."""
        return self._last().weights


class TNtuple(TTree):
    """A tree of float branches: ``TNtuple(name, title, "x:y")``, filled by ``Fill(x, y)``."""

    _letter = "f"

    def __init__(self, name: str, title: str, variables: str) -> None:
        super().__init__(name, title)
        self._row: list[array[Any]] = [array(self._letter, [0]) for _ in str(variables).split(":")]
        for variable, memory in zip(str(variables).split(":"), self._row, strict=True):
            self.Branch(variable, memory)

    def Fill(self, *values: float) -> int:
        """Add an entry."""
        if values and len(values) != len(self._row):
            raise MacroError(f"{self._name}.Fill: {len(values)} values for {len(self._row)} columns")
        for memory, value in zip(self._row, values, strict=False):
            memory[0] = value
        return super().Fill()


class TNtupleD(TNtuple):
    """A tree of double branches."""

    _letter = "d"


def tree_of(source: EventSource, title: str = "", *, attach: bool = False) -> TTree:
    """Return the tree of a source of events."""
    tree = TTree(source.name, title)
    tree._stored = source
    if not attach:
        tree.SetDirectory(None)
    return tree


def columns_to_write(tree: TTree) -> list[str]:
    """Return the branches that a file is to have."""
    return tree._active()


def empty_types(tree: TTree) -> dict[str, Any]:
    """Return the types of the branches of a tree without entries."""
    return {name: branch.empty_type() for name, branch in tree._made.items()}
