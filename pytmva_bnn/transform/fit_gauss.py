"""Fitting of G and U: the binned cumulative distribution of each input."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.histograms import Histogram, Interpolation, PDFRecord
from pytmva_bnn.histograms.smoothing import smooth
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.transform.class_sets import Events, as_classes, as_inputs, as_weights, class_sets
from pytmva_bnn.transform.gauss import Gaussianisation
from pytmva_bnn.transform.sorting import MOST_VALUES, stable_order

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from pytmva_bnn.transform.selection import Selection

    Floats32 = NDArray[np.float32]

LOGGER = logging.getLogger("pytmva_bnn.transform")

MAX_BINS = np.float32(2000)
LEAST_EVENTS_IN_BIN = np.float32(10)
FIRST_WIDTH = np.float32(1e-4)
MANY_INPUTS = 200
NO_WEIGHT = np.float32(1e11)
"""The smallest weight of no events."""
TO_FIT, TO_FIND_BIN = 200e-9, 10e-6
"""Seconds that numpy takes for a value, and to find a bin."""


@dataclass(frozen=True, eq=False)
class Filled:
    """A histogram with ``edges`` (n_bins + 1,) and ``contents`` (n_bins,), float32."""

    edges: NDArray[np.float64]
    contents: Floats32


def fit_gaussianisation(
    values: ArrayLike,
    classes: ArrayLike,
    weights: ArrayLike,
    n_classes: int,
    selection: Selection | None = None,
    *,
    flat: bool = False,
) -> Gaussianisation:
    """Return G, or with ``flat`` U, for inputs (n_events, n_inputs).

    >>> x = np.linspace(0.0, 1.0, 101)[:, None]
    >>> step = fit_gaussianisation(x, classes=np.zeros(101), weights=np.ones(101), n_classes=1, flat=True)
    >>> step.cumulatives[0][0].histogram.n_bins
    12
    >>> step.apply(np.float32([[0.25], [0.5]])).astype(float).round(2).tolist()
    [[0.32], [0.54]]
    """
    x = as_inputs(values, classes)
    w = as_weights(weights, len(x)).astype(np.float32)
    if x.shape[1] > MANY_INPUTS:
        LOGGER.warning("Using more than %d variables with the Gauss transformation (%d)", MANY_INPUTS, x.shape[1])
    if np.isnan(x).any():
        raise InputError("an input of the Gauss or Uniform transformation is NaN: these events cannot be sorted")
    sets = class_sets(classes, n_classes)
    _refuse_empty(sets, len(x))
    n_bins = len(sets) * min(len(x) / LEAST_EVENTS_IN_BIN, MAX_BINS)
    if compiled_pays(x.shape[1] * (TO_FIT * len(x) + TO_FIND_BIN * n_bins)) and len(x) < MOST_VALUES // 2:
        by_input = filled_by_kernel(x, w, as_classes(classes, n_classes), len(sets))
    else:
        by_input = [filled_by_numpy(np.ascontiguousarray(column), w, sets) for column in x.T]
    return Gaussianisation(selection, tuple(_records(*one) for one in enumerate(by_input)), flat)


def filled_by_numpy(column: Floats32, w: Floats32, sets: list[Events]) -> list[Filled]:
    """Return edges and contents of the histogram of an input (n_events,) in each set.

    >>> filled_by_numpy(np.float32([1, 2, 3]), np.ones(3, np.float32), [slice(None)])[0].contents.tolist()
    [0.0, 2.0]
    """
    order = stable_order(column)
    return [filled(column[events], w[events], _order_within(order, events)) for events in sets]


def filled_by_kernel(x: Floats32, w: Floats32, classes: NDArray[np.integer], n_sets: int) -> list[list[Filled]]:
    """Return the same as :func:`filled_by_numpy` for all inputs (n_events, n_inputs) by compiled code."""
    from pytmva_bnn.transform import cumulative_kernels as kernels  # lazy: numba

    n_events, n_inputs = x.shape
    of_class = classes.astype(np.int32)
    sums, minima = np.zeros(n_sets, np.float32), np.full(n_sets, NO_WEIGHT)
    kernels.sums_and_minima(w, of_class, sums, minima)
    aims = np.array([_aim(least, total) for least, total in zip(minima, sums, strict=True)], dtype=np.float32)
    found: list[list[Filled]] = [[] for _ in range(n_inputs)]

    def fit_inputs(start: int, stop: int) -> None:
        keys = np.empty(n_events, np.uint64)
        edges = np.empty((n_sets, n_events + 3), np.float32)
        n_edges = np.empty(n_sets, np.int64)
        bins = np.empty((n_events, 2), np.int32)
        for position in range(start, stop):
            column = np.ascontiguousarray(x[:, position])
            kernels.make_keys(column, keys)
            keys.sort()
            kernels.find_bins(keys, column, w, of_class, aims, edges, n_edges, bins)
            contents = np.zeros((n_sets, int(n_edges.max()) + 1), np.float32)
            kernels.fill(bins, w, of_class, contents)
            for k, n in enumerate(n_edges.tolist()):
                found[position].append(Filled(edges[k, :n].astype(np.float64), contents[k, 1:n].copy()))

    in_parts(fit_inputs, n_inputs, 1, multiplications=100.0 * x.size)
    return found


def _refuse_empty(sets: list[Events], n_events: int) -> None:
    for number, events in enumerate(sets):
        n = n_events if isinstance(events, slice) else len(events)
        if n == 0:
            where = f"class {number} has" if len(sets) > 1 and number < len(sets) - 1 else "there are"
            raise InputError(f"Gauss transformation: {where} no training events, so there is no distribution")


def _order_within(order: NDArray[np.intp], events: Events) -> NDArray[np.intp]:
    """Return the order of the events of a set among themselves, from the order of all events."""
    if isinstance(events, slice):
        return order
    place = np.full(len(order), -1, dtype=np.intp)
    place[events] = np.arange(len(events))
    within = place[order]
    return within[within >= 0]


def _records(position: int, sets: list[Filled]) -> tuple[PDFRecord, ...]:
    records = []
    for number, one in enumerate(sets):
        histogram = _cumulative(one, f"Cumulative_Var{position}_cls{number}_original")
        records.append(_record(f"GaussTransform var{position} cls{number}", histogram))
    return tuple(records)


def _record(name: str, histogram: Histogram) -> PDFRecord:
    return PDFRecord(
        name,
        min_n_smooth=0,
        max_n_smooth=0,
        interpolation=Interpolation.SPLINE1.value,
        kde_type=0,
        kde_iter=1,
        kde_border=1,
        kde_fine_factor=0.0,
        histogram=histogram,
    )


def cumulative_histogram(
    values: Floats32, weights: Floats32, name: str, order: NDArray[np.intp] | None = None
) -> Histogram:
    """Return the cumulative distribution of values (n_events,) in bins of about equal weight, as float32.

    ``order`` sorts the values; equal ones must stay in the order of events.

    >>> values = np.arange(40, dtype=np.float32)
    >>> cumulative_histogram(values, np.ones(40, np.float32), "c").contents.astype(float).round(2).tolist()
    [0.16, 0.35, 0.57, 0.78, 1.0]
    """
    return _cumulative(filled(values, weights, stable_order(values) if order is None else order), name)


def filled(values: Floats32, weights: Floats32, order: NDArray[np.intp]) -> Filled:
    """Return the histogram of values (n_events,) before it is smoothed.

    >>> values = np.arange(40, dtype=np.float32)
    >>> filled(values, np.ones(40, np.float32), np.arange(40)).contents.tolist()
    [0.0, 9.0, 10.0, 10.0, 10.0]
    """
    v, w = values[order], weights[order]
    edges = equal_weight_edges(v, w, weight_per_bin(weights)).astype(np.float64)
    n_bins = len(edges) - 1
    empty = Histogram("", np.zeros(n_bins, np.float32), float(edges[0]), float(edges[-1]), edges)
    bins = np.empty(len(v), dtype=np.intp)
    bins[order] = empty.find_bin(v)  # sorted values are found faster
    contents = np.zeros(n_bins + 2, dtype=np.float32)
    np.add.at(contents, bins, weights)  # one by one in float32, in the order of events
    # TMVA: what is at the maximum is in the overflow and lost
    return Filled(edges, contents[1:-1])


def _cumulative(one: Filled, name: str) -> Histogram:
    edges = one.edges
    if np.any(edges[1:] <= edges[:-1]):
        LOGGER.warning("%s: bin edges must be in increasing order, but some are equal", name)
    return Histogram(name, _cumulated(one.contents, name), float(edges[0]), float(edges[-1]), edges)


def _cumulated(contents: Floats32, name: str) -> Floats32:
    if len(contents) < 3:
        LOGGER.warning("%s: smoothing needs at least 3 bins, but there are %d", name, len(contents))
    smoothed = smooth(contents).astype(np.float32).astype(np.float64)
    positive = np.where(smoothed > 0, smoothed, 0.0)
    with np.errstate(all="ignore"):  # TMVA: 0/0 for a constant input
        cumulated: Floats32 = (np.add.accumulate(positive) / sequential_sum(positive)).astype(np.float32)
    return cumulated


def weight_per_bin(weights: Floats32) -> np.float32:
    """Return the sum of weights q to aim at in a bin: a 2000th, but ten times the smallest at least.

    >>> float(weight_per_bin(np.ones(40000, np.float32)))
    20.0
    """
    total = np.add.accumulate(weights)[-1] if len(weights) else np.float32(0)
    return _aim(np.min(weights, initial=NO_WEIGHT), total)


def _aim(smallest: np.float32, total: np.float32) -> np.float32:
    least, share = smallest * LEAST_EVENTS_IN_BIN, total / MAX_BINS
    return np.float32(max(least, share))


def equal_weight_edges(v: Floats32, w: Floats32, q: np.float32) -> Floats32:
    """Return the edges of bins with a sum of weights of at least q, for sorted values (n_events,).

    A narrow bin comes first; a bin ends only where the value changes; the rest makes the last bin.

    >>> v = np.float32([1, 2, 2, 2, 3, 4, 9])
    >>> equal_weight_edges(v, np.ones(7, np.float32), np.float32(2)).astype(float).round(4).tolist()
    [0.9999, 1.0, 2.0, 3.0, 9.0]
    """
    edges = [v[0] - FIRST_WIDTH, v[0]]
    start, n = 0, len(v)
    rest = np.float32(0)
    expected = 64  # events in a bin, as far as one can tell
    while start < n:
        stop, rest = _end_of_bin(v, w, start, q, edges[-1], expected)
        if stop < n:
            edges.append(v[stop])
            rest = np.float32(0)
        expected = stop + 1 - start + 16
        start = stop + 1
    if rest != 0:
        edges.append(v[-1])
    return np.array(edges, dtype=np.float32)


def _end_of_bin(
    v: Floats32, w: Floats32, start: int, q: np.float32, last: np.float32, expected: int
) -> tuple[int, np.float32]:
    """Return where, from ``start`` on, the sum of weights has reached q and v is above ``last``, and the sum.

    The place is n if there is none.  The sum is done by pieces, as the bin's size is unknown.
    """
    n, begin, size = len(v), start, expected
    total = np.float32(0)
    while begin < n:
        end = min(begin + size, n)
        running = w[begin:end].copy()
        running[0] += total
        np.add.accumulate(running, out=running)
        found = (running >= q) & (v[begin:end] > last)
        first = int(found.argmax())
        if found[first]:
            return begin + first, running[first]
        total = running[-1]
        begin, size = end, 2 * size
    return n, total
