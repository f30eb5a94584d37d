"""RDataFrame: columns of a tree that are filtered, defined and summed up by expressions or Python functions."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.branch_values import values_by_entry
from pytmva_bnn.compat.branches import TYPE_NAMES
from pytmva_bnn.compat.directories import TDirectory, Templated
from pytmva_bnn.compat.entries import ELEMENTS
from pytmva_bnn.compat.errors import MacroError, NotInCompatError, public_names
from pytmva_bnn.compat.histograms import TH1, TH1D
from pytmva_bnn.compat.histograms_2d import TH2D
from pytmva_bnn.compat.joined import Derived, DerivedSource, SelectedSource, own_names, whole_column
from pytmva_bnn.compat.messages import show
from pytmva_bnn.compat.std import std
from pytmva_bnn.compat.trees import tree_of
from pytmva_bnn.compat.writing import write_root_file
from pytmva_bnn.errors import suggestion
from pytmva_bnn.events.sources import Block, EventSource, MemorySource, source_of
from pytmva_bnn.events.sources.opening import files_of
from pytmva_bnn.files import expanded
from pytmva_bnn.formula import Formula
from pytmva_bnn.formula.nodes import Name, Operation, Prefix

BARE_FUNCTION = re.compile(r"(?<![\w:.])(sqrt|log|log10|exp|asin|acos|tan|abs|pow|min|max)(?=\s*\()")
"""C's functions: TTreeFormula has others of these names, which never fail."""
LOGICAL = frozenset({"<", ">", "<=", ">=", "==", "!=", "&&", "||"})
DEFAULT_BINS = 128
NUMBERS: dict[str, Callable[[Any], Any]] = {
    "Sum": np.sum,
    "Mean": lambda x: np.mean(x, dtype=np.float64) if len(x) else 0.0,
    "Min": lambda x: np.min(x) if len(x) else np.finfo(np.float64).max,
    "Max": lambda x: np.max(x) if len(x) else np.finfo(np.float64).min,
    "StdDev": lambda x: np.std(x, ddof=1, dtype=np.float64) if len(x) > 1 else 0.0,
}
"""The actions that give a number of a column."""


class RResult:
    """The result of an action, computed when it is first asked for; calls and numbers are those of the result."""

    def __init__(self, compute: Callable[[], Any]) -> None:
        self._compute = compute

    @cached_property
    def _result(self) -> Any:
        return self._compute()

    def GetValue(self) -> Any:
        return self._result

    GetPtr = deref = __deref__ = GetValue

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._result, name)

    def __getitem__(self, key: Any) -> Any:
        return self._result[key]

    def __float__(self) -> float:
        return float(self._result)

    def __repr__(self) -> str:
        return repr(self._result)


class RDataFrame:
    """``RDataFrame(tree, files)``, ``RDataFrame(tree)`` or ``RDataFrame(number of entries)``.

    >>> frame = RDataFrame("TreeS", "xml_fixtures/data/class.root").Define("sum", "var1 + var2")
    >>> frame.Filter("sum > 0", "positive").Count().GetValue(), round(frame.Mean("sum").GetValue(), 4)
    (1618, 0.6545)
    """

    def __init__(self, *arguments: Any) -> None:
        first = arguments[0] if arguments else 0
        if isinstance(first, str) and len(arguments) == 1:
            raise MacroError(f"RDataFrame({first!r}): give the file too, RDataFrame(tree, file)")
        if isinstance(first, int):
            empty: dict[str, Any] = {}
            source: EventSource = MemorySource("frame", [], empty.__getitem__, first)
        else:
            source = _stored(first, arguments[1]) if isinstance(first, str) else source_of(first)
        self._names = own_names(source.columns)
        self._defined: list[str] = []
        self._cuts: list[tuple[str, EventSource, EventSource]] = []
        counted = {"rdfentry_": Derived(frozenset(), _entry_numbers)}
        self._source: EventSource = DerivedSource(source, counted)

    def _with(self, source: EventSource, *, defined: str = "", cut: str | None = None) -> RDataFrame:
        frame = RDataFrame.__new__(RDataFrame)
        frame._source = source
        frame._names = self._names
        frame._defined = [*self._defined, *([defined] if defined and defined not in self._defined else [])]
        frame._cuts = self._cuts if cut is None else [*self._cuts, (cut, self._source, source)]
        return frame

    def __event_source__(self) -> EventSource:
        """Return the entries that pass, with all columns: this makes a frame good wherever events are taken."""
        return SelectedSource(self._source, names=self._columns())

    def _columns(self) -> list[str]:
        return list(dict.fromkeys([*self._names, *self._defined]))

    def _checked(self, name: str) -> str:
        if name not in self._source.columns:
            hint = suggestion(name, self._columns()) or f"it has {', '.join(self._columns())}"
            raise MacroError(f"RDataFrame has no column {name!r}: {hint}")
        return name

    def _all(self, name: str) -> Any:
        return whole_column(self._source, self._checked(str(name)))

    # -- columns and entries

    def Define(self, name: str, expression: Any, columns: Iterable[str] = ()) -> RDataFrame:
        """Add a column: an expression, or a function of the values of ``columns`` at an entry."""
        if str(name) in self._source.columns:
            raise MacroError(f"Define({name!r}): the column exists already; use Redefine")
        return self.Redefine(name, expression, columns)

    def Redefine(self, name: str, expression: Any, columns: Iterable[str] = ()) -> RDataFrame:
        derived = {str(name): self._derived(expression, columns)}
        return self._with(DerivedSource(self._source, derived), defined=str(name))

    def Alias(self, alias: str, name: str) -> RDataFrame:
        same = Derived(frozenset([self._checked(name)]), lambda block: block.columns[name])
        return self._with(DerivedSource(self._source, {alias: same}))

    def Filter(self, expression: Any, *arguments: Any) -> RDataFrame:
        """Keep the entries that pass: ``Filter(expression, name)`` or ``Filter(function, columns, name)``."""
        columns = next((one for one in arguments if not isinstance(one, str)), ())
        name = next((one for one in arguments if isinstance(one, str)), "")
        derived = self._derived(expression, columns)
        passing = SelectedSource(self._source, lambda block: np.asarray(derived.compute(block)) != 0, derived.needs)
        return self._with(passing, cut=name)

    def Range(self, first: int, end: int | None = None, stride: int = 1) -> RDataFrame:
        """Keep some entries: ``Range(end)``, ``Range(first, end)``, an end of 0 meaning all."""
        first, end = (0, first) if end is None else (first, end)

        def chosen(block: Block) -> NDArray[np.bool_]:
            numbers = np.arange(block.first_entry, block.first_entry + block.n_entries)
            return np.isin(numbers, np.arange(first, end or self._source.n_entries, stride))

        return self._with(SelectedSource(self._source, chosen))

    def _derived(self, expression: Any, columns: Iterable[str]) -> Derived:
        if not callable(expression):
            return _of_text(str(expression), self._source)
        names = [self._checked(str(name)) for name in columns]

        def compute(block: Block) -> Any:
            found = list(_called(expression, names, block))
            if found and hasattr(found[0], "__len__") and not isinstance(found[0], str):
                import awkward as ak  # lists of different lengths need it

                return ak.Array([np.asarray(one).tolist() for one in found])
            return np.array(found) if found else np.empty(0)

        return Derived(frozenset(names), compute)

    # -- results

    def Count(self) -> RResult:
        return RResult(lambda: self._source.n_entries)

    def _number(self, function: Callable[[Any], Any], name: str) -> RResult:
        self._checked(str(name))
        return RResult(lambda: np.asarray(function(_flat(self._all(name)))).item())

    @Templated
    def Take(self, name: str) -> RResult:
        self._checked(str(name))

        def values() -> Any:
            found = self._all(name)
            is_plain = isinstance(found, np.ndarray) and found.ndim == 1
            return (
                std.vector(ELEMENTS.get(found.dtype.str[1:], "string"))(found.tolist()) if is_plain else found.tolist()
            )

        return RResult(values)

    def _histogram(self, kind: type[TH1], n_axes: int, arguments: tuple[Any, ...]) -> RResult:
        model = arguments[0] if not isinstance(arguments[0], str) else None
        names = [self._checked(str(name)) for name in arguments[0 if model is None else 1 :]]

        def filled() -> TH1:
            entries = [_flat(self._all(name)) for name in names]
            columns, weights = entries[:n_axes], entries[n_axes] if len(entries) > n_axes else None
            if isinstance(model, TH1):
                histogram = model.Clone()
                histogram.Reset()
            elif model is not None:
                histogram = kind(*model)
            else:
                low, high = map(float, (columns[0].min(), columns[0].max()) if len(columns[0]) else (0.0, 1.0))
                histogram = kind(names[0], names[0], DEFAULT_BINS, low, high + max((high - low) * 1e-9, 1e-12))
            histogram.SetDirectory(None)
            histogram.FillN(len(columns[0]), *columns, weights)
            return histogram

        return RResult(filled)

    def Histo1D(self, *arguments: Any) -> RResult:
        """Return a histogram: ``((name, title, bins, low, high), column[, weight])``, or ``(column[, weight])``."""
        return self._histogram(TH1D, 1, arguments)

    def Histo2D(self, *arguments: Any) -> RResult:
        """Return a histogram of pairs: ``((name, title, bins, low, high, bins, low, high), x, y[, weight])``."""
        return self._histogram(TH2D, 2, arguments)

    def AsNumpy(self, columns: Iterable[str] | None = None, exclude: Iterable[str] = (), **_: Any) -> dict[str, Any]:
        wanted = [name for name in (columns or self._columns()) if name not in set(exclude)]
        found = [(name, self._all(name)) for name in wanted]
        return {name: one if isinstance(one, np.ndarray) else np.array(one.tolist(), object) for name, one in found}

    def Foreach(self, function: Callable[..., Any], columns: Iterable[str] = ()) -> None:
        names = [self._checked(str(name)) for name in columns]
        for block in self._source.blocks(names):
            for _ in _called(function, names, block):
                pass

    def Snapshot(self, tree: str, file: str, columns: Any = None, options: Any = None) -> RDataFrame:
        """Write columns, all or those named or matching a pattern, to a tree of a file; return a frame of it."""
        names = self._columns()
        if isinstance(columns, str) and columns:
            pattern = columns
            names = [name for name in names if re.fullmatch(pattern, name) or fnmatch.fnmatch(name, pattern)]
        elif columns:
            names = [self._checked(str(name)) for name in columns]
        written = tree_of(SelectedSource(self._source, names=names), name=str(tree))
        keep = str(getattr(options, "fMode", "")).upper() == "UPDATE"
        write_root_file(expanded(str(file)), {str(tree): written}, keep=keep)
        return RDataFrame(str(tree), str(file))

    def Display(self, columns: Any = (), n_rows: int = 5, *_: Any) -> RResult:
        """Return a table of the first entries, which Print shows."""
        names = [self._checked(name) for name in ([columns] if isinstance(columns, str) and columns else columns)]
        heads = ["rdfentry_", *(names or self._columns())]
        return RResult(lambda: Shown(_table(self.Range(n_rows).AsNumpy(heads))))

    def Report(self) -> RResult:
        """Return how many entries pass each named filter, which Print shows."""

        def lines() -> Iterator[str]:
            for name, before, after in self._cuts:
                n_all, n_passing, n_first = (one.n_entries for one in (before, after, self._cuts[0][1]))
                share, total = (100 * n_passing / (number or 1) for number in (n_all, n_first))
                shares = f"eff={share:.2f} % cumulative eff={total:.2f} %"
                yield f"{name:10}: pass={n_passing:<10} all={n_all:<10} -- {shares}" if name else ""

        return RResult(lambda: Shown("\n".join(filter(None, lines()))))

    # -- what there is

    def GetColumnNames(self) -> list[str]:
        return [*(name for name in self._defined if name not in self._names), *self._names]

    def GetColumnType(self, name: str) -> str:
        values = next(iter(self._source.blocks([self._checked(str(name))]))).columns[str(name)]
        if isinstance(values, np.ndarray) and values.ndim == 1:
            return TYPE_NAMES.get(values.dtype.str[1:], "std::string")
        kind = _flat(values).dtype.str[1:] if "string" not in str(getattr(values, "type", "")) else ""
        return f"ROOT::VecOps::RVec<{ELEMENTS[kind]}>" if kind in ELEMENTS else "std::string"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in NUMBERS:
            return partial(self._number, NUMBERS[name])
        known = [*public_names(self), *NUMBERS]
        raise NotInCompatError.of("RDataFrame", name, known, "AsNumpy gives the columns as arrays")


class Shown(str):
    """Text that Print shows."""

    __slots__ = ()

    def AsString(self) -> str:
        return str(self)

    def Print(self) -> None:
        show(self)


def _table(columns: dict[str, Any]) -> str:
    rows = [["Row", *list(columns)[1:]], *([f"{one}" for one in row] for row in zip(*columns.values(), strict=True))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    line = "+".join(["", *("-" * (width + 2) for width in widths), ""])
    head, *others = ("".join(f"| {one:{width}} " for one, width in zip(row, widths, strict=True)) + "|" for row in rows)
    return "\n".join([line, head, line, *others, line])


class RDF:
    """The namespace ``ROOT.RDF``."""

    TH1DModel = TH2DModel = staticmethod(lambda *arguments: arguments)
    AsRNode = RNode = staticmethod(lambda frame: frame)

    class RSnapshotOptions:
        """The options of Snapshot; ``fMode = "UPDATE"`` keeps what the file has."""

        fMode = "RECREATE"  # noqa: N815

    @staticmethod
    def FromNumpy(columns: Mapping[str, Any]) -> RDataFrame:
        return RDataFrame({name: np.asarray(values) for name, values in columns.items()})

    MakeNumpyDataFrame = FromNumpy


def _stored(tree: str, files: Any) -> EventSource:
    if isinstance(files, TDirectory):
        return source_of(files.Get(tree))
    names = [files] if isinstance(files, str) else [str(one) for one in files]
    found = [one for name in names for one in files_of(name, tree)]
    return source_of(found[0] if len(found) == 1 else found)


def _of_text(text: str, source: EventSource) -> Derived:
    """Return the column of an expression in C++: ``return x > 0;`` too."""
    cleaned = BARE_FUNCTION.sub(r"std::\1", re.sub(r"^\s*return\b|;\s*$", "", text))
    cleaned = re.sub(r"(?<![\w@.])([A-Za-z_]\w*)\.size\(\)", r"@\1.size()", cleaned)
    derived = Derived.of_formula(cleaned, source)
    node = Formula(cleaned).tree
    if isinstance(node, Name) and not node.indices and node.name in source.columns:
        return Derived(derived.needs, lambda block: block.columns[node.name])
    if (isinstance(node, Operation) and node.symbol in LOGICAL) or (isinstance(node, Prefix) and node.symbol == "!"):
        return Derived(derived.needs, lambda block: derived.compute(block) != 0)
    return derived


def _called(function: Callable[..., Any], names: list[str], block: Block) -> Iterator[Any]:
    """Call a function with the values of columns, entry by entry."""
    columns = [values_by_entry(block.columns[name]) for name in names]
    return (function(*(at(entry) for at in columns)) for entry in range(block.n_entries))


def _entry_numbers(block: Block) -> NDArray[np.uint64]:
    return np.arange(block.first_entry, block.first_entry + block.n_entries, dtype=np.uint64)


def _flat(values: Any) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        return values.reshape(-1)
    import awkward as ak  # the column is one of its arrays already

    return np.asarray(ak.flatten(values, axis=None))
