"""The binned cumulative distribution of an input, to which G and U are fitted."""

from __future__ import annotations

import logging

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.histograms import Axis, Histogram1D, Interpolation, PDFRecord, from_contents
from pytmva_bnn.histograms.smoothing import smooth
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.transform.step import Sample

LOGGER = logging.getLogger("pytmva_bnn.transform")

MAX_BINS = np.float32(2000)
LEAST_EVENTS_IN_BIN = np.float32(10)
FIRST_WIDTH = np.float32(1e-4)
NO_WEIGHT = np.float32(1e11)
"""The smallest weight of no events."""
TO_FILL, TO_FIND_BIN = 100e-9, 10e-6
"""Seconds that numpy takes for an event, and to find the edge of a bin."""
MOST_VALUES = 2**32
"""The number of a value must fit into half of a key."""


def fit_cumulatives(sample: Sample) -> tuple[tuple[PDFRecord, ...], ...]:
    """Return the distributions of each input in each set of events.

    A class without events, which nothing can be transformed for, has the distribution of all events: a weight file
    needs one.
    """
    x, w = sample.x, sample.weights.astype(np.float32)
    if np.isnan(x).any():
        raise InputError("an input of the Gauss or Uniform transformation is NaN: these events cannot be sorted")
    if not len(x):
        raise InputError("Gauss transformation: there are no training events, so there is no distribution")
    everything = np.arange(len(x))
    sets = [own if len(own) else everything for own in (everything[events] for events in sample.sets)]
    aims = [weight_per_bin(w[events]) for events in sets]
    small_classes = sample.classes.astype(np.min_scalar_type(sample.n_classes))  # faster to fetch
    found: dict[int, tuple[PDFRecord, ...]] = {}

    def fit_inputs(start: int, stop: int) -> None:
        for position in range(start, stop):
            column = np.ascontiguousarray(x[:, position])
            order = stable_order(column)
            classes = small_classes[order]
            records = []
            for number, (events, aim) in enumerate(zip(sets, aims, strict=True)):
                of_set = order if len(events) == len(x) else order[np.flatnonzero(classes == number)]
                edges, contents = filled(column, w, of_set, events, aim)
                histogram = _cumulated(edges, contents, f"Cumulative_Var{position}_cls{number}_original")
                records.append(_record(f"GaussTransform var{position} cls{number}", histogram))
            found[position] = tuple(records)

    in_parts(fit_inputs, x.shape[1], 1, multiplications=100.0 * x.size)
    return tuple(found[position] for position in range(x.shape[1]))


def _record(name: str, histogram: Histogram1D) -> PDFRecord:
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


def _cumulated(edges: FloatArray, contents: Float32Array, name: str) -> Histogram1D:
    if np.any(edges[1:] <= edges[:-1]):
        LOGGER.warning("%s: bin edges must be in increasing order, but some are equal", name)
    if len(contents) < 3:
        LOGGER.warning("%s: smoothing needs at least 3 bins, but there are %d", name, len(contents))
    smoothed = smooth(contents).astype(np.float32).astype(np.float64)
    positive = np.where(smoothed > 0, smoothed, 0.0)
    with np.errstate(all="ignore"):  # TMVA: 0/0 for a constant input
        cumulated = (np.add.accumulate(positive) / sequential_sum(positive)).astype(np.float32)
    return from_contents(cumulated, float(edges[0]), float(edges[-1]), edges, name=name)


# -- bins of about equal weight


def weight_per_bin(weights: Float32Array) -> np.float32:
    """Return the sum of weights q to aim at in a bin: a 2000th, but ten times the smallest at least."""
    total = np.add.accumulate(weights)[-1] if len(weights) else np.float32(0)
    return np.float32(max(np.min(weights, initial=NO_WEIGHT) * LEAST_EVENTS_IN_BIN, total / MAX_BINS))


def filled(
    values: Float32Array, weights: Float32Array, order: IndexArray, events: IndexArray, q: np.float32
) -> tuple[FloatArray, Float32Array]:
    """Return edges (n_bins + 1,) and contents (n_bins,) of the histogram of a set of events.

    ``events`` are their numbers in ascending order, ``order`` by their values; ``q`` is the weight to aim at in a bin.
    The bins are filled in the order of events, as sums in float32 depend on it.
    """
    if compiled_pays(TO_FILL * len(order) + TO_FIND_BIN * min(len(order) / 10, 2000)):
        from pytmva_bnn.transform.cumulative_kernels import fill_bins  # lazy: numba

        buffer, contents = np.empty(len(order) + 3, np.float32), np.zeros(len(order) + 4, np.float32)
        n = fill_bins(values, weights, order, events, q, buffer, np.empty(len(values), np.int32), contents)
        return buffer[:n].astype(np.float64), contents[1:n].copy()
    v = values[order]
    edges = equal_weight_edges(v, weights[order], q).astype(np.float64)
    n_bins = len(edges) - 1
    bins = np.empty(len(values), dtype=np.intp)
    bins[order] = Axis(n_bins, 0.0, 0.0, edges).find_bin(v)  # sorted values are found faster
    contents = np.zeros(n_bins + 2, dtype=np.float32)
    np.add.at(contents, bins[events], weights[events])
    # TMVA: what is at the maximum is in the overflow and lost
    return edges, contents[1:-1]


def equal_weight_edges(v: Float32Array, w: Float32Array, q: np.float32) -> Float32Array:
    """Return the edges of bins with a sum of weights of at least q, for sorted values (n_events,).

    A narrow bin comes first; a bin ends only where the value changes; the rest makes the last bin.
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
    v: Float32Array, w: Float32Array, start: int, q: np.float32, last: np.float32, expected: int
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


def stable_order(values: Float32Array) -> IndexArray:
    """Return the numbers of the values (n,) in ascending order, equal values in theirs; there must be no NaN.

    numpy sorts integers of 64 bits several times faster than it finds a stable order of numbers.
    """
    if len(values) >= MOST_VALUES:
        return np.argsort(values, kind="stable")
    # the value in the upper half, its number in the lower one; the bits of positive numbers order as the numbers do,
    # those of negative ones the other way round; -0 becomes 0
    patterns = (values + np.float32(0)).view(np.uint32)
    patterns ^= (np.uint32(0) - (patterns >> np.uint32(31))) | np.uint32(2**31)
    keys = patterns.astype(np.uint64) << np.uint64(32)
    keys |= np.arange(len(values), dtype=np.uint64)
    keys.sort()
    keys &= np.uint64(2**32 - 1)
    return keys.astype(np.intp)
