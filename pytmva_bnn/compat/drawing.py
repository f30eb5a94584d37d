"""TTree.Draw without the drawing: values of expressions for the entries that pass a cut, and histograms of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.errors import MacroError, RefusedError
from pytmva_bnn.compat.histograms import TH1, TH1F
from pytmva_bnn.compat.histograms_2d import TH2F
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.events.sources import Block, EventSource
from pytmva_bnn.formula import Formula
from pytmva_bnn.formula.jagged import numbers_of, pairs_of

TARGET = re.compile(r"(?P<add>\+)?(?P<name>[^(]+)(\((?P<binning>[^)]*)\))?\Z")
DEFAULT_BINS = 100


@dataclass(frozen=True)
class Drawing:
    """What Draw found: the values of each expression, and the weights, of the selected instances."""

    values: tuple[NDArray[np.float64], ...]
    weights: NDArray[np.float64]

    @property
    def n_selected(self) -> int:
        """The number of selected instances."""
        return len(self.weights)


def draw(source: EventSource, text: str, cut: str, n_entries: int = -1, first: int = 0) -> Drawing:
    """Evaluate ``text`` (``"x"``, ``"y:x"``, ``"x>>h(10,0,1)"``) where ``cut``, the weight, is not zero."""
    expressions, _, target = text.partition(">>")
    if target and not expressions.strip():
        raise RefusedError(f"Draw({text!r}): there are no event or entry lists in pytmva_bnn.compat: use CopyTree(cut)")
    names = split_expressions(expressions)
    stop = source.n_entries if n_entries < 0 else first + n_entries
    drawing = _evaluated(source, names, cut or "1", first, stop)
    if target:
        _fill(target.strip(), names, drawing)
    return drawing


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


def _evaluated(source: EventSource, names: list[str], cut: str, first: int, stop: int) -> Drawing:
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


def _fill(target: str, names: list[str], drawing: Drawing) -> None:
    """Fill the histogram of ``>>``: one that exists, or a new one."""
    found = TARGET.match(target)
    if found is None or len(names) > 2:
        raise MacroError(f"Draw: {target!r} is not a histogram of one or two expressions, as in 'x>>h(100,0,1)'")
    histogram = SESSION.directory.FindObject(found["name"]) or SESSION.memory.FindObject(found["name"])
    # ROOT: "y:x" has x on the horizontal axis
    columns = drawing.values[::-1]
    if not isinstance(histogram, TH1) or found["binning"] is not None:
        histogram = _new_histogram(found["name"], found["binning"], columns, ":".join(names))
    elif not found["add"]:
        histogram.Reset()
    if (len(columns) == 2) != (histogram.GetDimension() == 2):
        raise MacroError(f"Draw: {found['name']} has {histogram.GetDimension()} axes for {len(names)} expressions")
    histogram.FillN(drawing.n_selected, *columns, drawing.weights)


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
