"""TTree.Draw without the drawing: values of expressions for the entries that pass a cut, and histograms of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.histograms import TH1, TH1F
from pytmva_bnn.compat.histograms_2d import TH2F
from pytmva_bnn.compat.joined import Derived, DerivedSource
from pytmva_bnn.compat.messages import show
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.events.sources import Block, EventSource
from pytmva_bnn.formula import Formula
from pytmva_bnn.formula.jagged import numbers_of, pairs_of

TARGET = re.compile(r"(?P<add>\+)?(?P<name>[^(]+)(\((?P<binning>[^)]*)\))?\Z")
TEXT_COMPARISON = re.compile(r'(?P<branch>[A-Za-z_][\w.]*)\s*(?P<operator>==|!=)\s*"(?P<text>[^"]*)"')
DEFAULT_BINS = 100


@dataclass(frozen=True)
class Drawing:
    """What Draw found: the values of each expression, and the weights, of the selected instances."""

    values: tuple[NDArray[np.float64], ...]
    weights: NDArray[np.float64]
    histogram: TH1 | None = None

    @property
    def n_selected(self) -> int:
        """The number of selected instances."""
        return len(self.weights)


def draw(source: EventSource, text: str, cut: str, n_entries: int = -1, first: int = 0, weight: float = 1.0) -> Drawing:
    """Evaluate ``text`` (``"x"``, ``"y:x"``, ``"x>>h(10,0,1)"``) where ``cut``, the weight, is not zero."""
    expressions, _, target = text.partition(">>")
    names = split_expressions(expressions)
    drawing = evaluated(source, names, cut, n_entries, first)
    if weight != 1.0:
        drawing = replace(drawing, weights=drawing.weights * weight)
    if not target and len(names) > 2:
        return drawing
    return replace(drawing, histogram=_filled(target.strip(), names, drawing, labels_of(source, names[-1])))


def scan(source: EventSource, names: list[str], cut: str, n_entries: int, first: int) -> int:
    """Show the values of expressions for the entries that pass a cut, as TTree::Scan does."""
    shown = evaluated(source, [*names, "Entry$", "Iteration$"], cut, n_entries, first)
    labels = [labels_of(source, name) for name in names]
    instances = bool(shown.values[-1].any())
    heads = ["   Row  ", *(["Instance"] if instances else [])]
    head = "*" + "".join(f" {one:^8} *" for one in heads) + "".join(f" {name[:9]:>9} *" for name in names)
    line = "*" * len(head)
    show(f"{line}\n{head}\n{line}")
    for row in zip(*shown.values, strict=True):
        cells = [texts[int(value)] if texts else f"{value:.8g}" for value, texts in zip(row, labels, strict=False)]
        numbers = "".join(f" {one:>8.0f} *" for one in row[-2 : len(row) if instances else -1])
        show(f"*{numbers}" + "".join(f" {cell[:9]:>9} *" for cell in cells))
    show(line)
    show(f"==> {shown.n_selected} selected {'entry' if shown.n_selected == 1 else 'entries'}")
    return shown.n_selected


def split_expressions(text: str) -> list[str]:
    """Return the expressions between single colons, which separate neither ``a ? b : c`` nor ``TMath::Abs``.

    >>> split_expressions("TMath::Abs(y):x > 0 ? x : -x")
    ['TMath::Abs(y)', 'x > 0 ? x : -x']
    """
    parts, open_questions, start, i = [], 0, 0, 0
    while i < len(text):
        if text.startswith("::", i):
            i += 1
        elif text[i] == "?":
            open_questions += 1
        elif text[i] == ":" and open_questions:
            open_questions -= 1
        elif text[i] == ":":
            parts.append(text[start:i].strip())
            start = i + 1
        i += 1
    return [*parts, text[start:].strip()]


def evaluated(source: EventSource, names: list[str], cut: str, n_entries: int = -1, first: int = 0) -> Drawing:
    """Return the values of expressions, and of the cut, for the instances where the cut is not zero."""
    source, (*names, cut) = with_text(source, [*names, cut or "1"])
    stop = source.n_entries if n_entries < 0 else first + n_entries
    formulas = [Formula(text) for text in (*names, cut)]
    branches = {branch for one in formulas for branch in one.branches_of(source.columns, tree=source.name)}
    parts: list[list[NDArray[np.float64]]] = [[] for _ in formulas]
    for block in source.blocks(sorted(branches)):
        options: dict[str, Any] = {"tree": block.tree, "n_events": block.n_entries}
        counts = _numbers_of_instances(formulas, block)
        pairs = pairs_of(counts)
        entries, instances = numbers_of(pairs.entries), pairs.instances
        rows = np.arange(len(entries))[(entries + block.first_entry >= first) & (entries + block.first_entry < stop)]
        chosen, which = entries[rows], np.broadcast_to(instances, entries.shape)[rows]
        found = [one.at(block.columns, chosen, which, **options) for one in formulas]
        passing = found[-1] != 0
        for part, values in zip(parts, found, strict=True):
            part.append(values[passing])
    columns = [np.concatenate([np.empty(0), *part]) for part in parts]
    return Drawing(tuple(columns[:-1]), columns[-1])


def _numbers_of_instances(formulas: list[Formula], block: Block) -> NDArray[np.int64]:
    """Return how many values each entry gives: the shortest of its arrays, none if an element does not exist."""
    numbers: NDArray[np.int64] | None = None
    exists = np.ones(block.n_entries, dtype=np.bool_)
    for one in formulas:
        counts = one.counts(block.columns, tree=block.tree, n_events=block.n_entries)
        if one.branches and one.is_jagged(block.columns, tree=block.tree):
            numbers = counts if numbers is None else np.minimum(numbers, counts)
        else:
            exists &= counts > 0  # ROOT: x[0] of an empty array is no value, in the cut as in the expressions
    return np.where(exists, 1 if numbers is None else numbers, 0)


def with_text(source: EventSource, expressions: list[str]) -> tuple[EventSource, list[str]]:
    """Return a source and expressions in which text is numbers, as formulas know nothing else.

    ``name == "muon"`` becomes a column of its own, and a branch of text the numbers of its labels.
    """
    derived: dict[str, Derived] = {}

    def comparison(match: re.Match[str]) -> str:
        column, branch = f"text_comparison_{len(derived)}", match["branch"]
        is_equal = {match["text"]: float(match["operator"] == "==")}
        other = float(match["operator"] != "==")
        derived[column] = Derived(frozenset([branch]), partial(_numbers_of_text, branch, is_equal, other))
        return column

    changed = [TEXT_COMPARISON.sub(comparison, one) if '"' in one else one for one in expressions]
    for one in expressions:
        if labels := labels_of(source, one):
            numbers = {label: float(i) for i, label in enumerate(labels)}
            derived[one] = Derived(frozenset([one]), partial(_numbers_of_text, one, numbers, -1.0))
    return (DerivedSource(source, derived) if derived else source), changed


def _numbers_of_text(branch: str, numbers: dict[str, float], other: float, block: Block) -> NDArray[np.float64]:
    return np.array([numbers.get(str(text), other) for text in block.columns[branch]], dtype=np.float64)


def labels_of(source: EventSource, expression: str) -> list[str]:
    """Return the different texts of a branch in the order of their first occurrence; none if it holds numbers."""
    if expression not in source.columns or not _is_text(next(iter(source.blocks([expression]))).columns[expression]):
        return []
    return list(dict.fromkeys(str(one) for block in source.blocks([expression]) for one in block.columns[expression]))


def _is_text(column: Any) -> bool:
    if isinstance(column, np.ndarray):
        return column.dtype.kind in "SU"
    return str(getattr(column, "type", "")).endswith("* string")


def _filled(target: str, names: list[str], drawing: Drawing, labels: list[str]) -> TH1:
    """Fill the histogram of ``>>``: one that exists, or a new one; without ``>>`` it is called htemp."""
    found = TARGET.match(target or "htemp")
    if found is None or len(names) > 2:
        raise MacroError(f"Draw: {target!r} is not a histogram of one or two expressions, as in 'x>>h(100,0,1)'")
    # ROOT: "y:x" has x on the horizontal axis
    columns = drawing.values[::-1]
    name = found["name"].strip()
    histogram = (SESSION.directory.FindObject(name) or SESSION.memory.FindObject(name)) if target else None
    if not isinstance(histogram, TH1) or found["binning"] is not None:
        binning = found["binning"] or (f"{max(len(labels), 1)},0,{max(len(labels), 1)}" if labels else None)
        histogram = _new_histogram(name, binning, columns, ":".join(names))
        for number, label in enumerate(labels if len(columns) == 1 else [], start=1):
            histogram.GetXaxis().SetBinLabel(number, label)
    elif not found["add"]:
        histogram.Reset()
    if (len(columns) == 2) != (histogram.GetDimension() == 2):
        raise MacroError(f"Draw: {found['name']} has {histogram.GetDimension()} axes for {len(names)} expressions")
    histogram.FillN(drawing.n_selected, *columns, drawing.weights)
    if not target:  # it is nobody's: a file must not get it
        histogram.SetDirectory(SESSION.memory)
    return histogram


def _new_histogram(name: str, binning: str | None, columns: tuple[NDArray[np.float64], ...], title: str) -> TH1:
    numbers = [float(one) for one in (binning or "").split(",") if one.strip()]
    axes: list[Any] = []
    for i, values in enumerate(columns):
        given = numbers[3 * i : 3 * i + 3]
        n_bins = int(given[0]) if given else DEFAULT_BINS
        if len(given) == 3:
            axes += [n_bins, given[1], given[2]]
        else:
            low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
            axes += [n_bins, low, high + max((high - low) * 1e-6, 1e-12)]
    return TH1F(name, title, *axes) if len(columns) == 1 else TH2F(name, title, *axes)
