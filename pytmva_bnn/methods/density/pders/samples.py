"""The events in the volume around an event, weighted by a kernel of their distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray
from pytmva_bnn.methods.density import libm
from pytmva_bnn.methods.density.pders.boxes import NOT_FOUND, BoxSearch, scaled
from pytmva_bnn.methods.density.pders.option_table import PDERSSettings
from pytmva_bnn.reductions.summation import sequential_sum

_NOTHING = 1e-20


@dataclass(frozen=True, eq=False)
class Samples:
    """Pairs of an event and a training event in its volume, by event and in TMVA's order.

    ``distances`` are in units of half the box, ``reach`` is for each event the distance up to which kNN takes
    training events, in units of the whole box.
    """

    rows: IndexArray
    members: IndexArray
    distances: FloatArray
    reach: FloatArray

    def kernel(self, settings: PDERSSettings, n_variables: int) -> FloatArray:
        """Return the kernel of the pairs; 0 is that of events which are left out."""
        r = self.distances
        if settings.kernel == "Box":
            return np.ones(len(r))
        values = np.zeros(len(r))
        near = r <= 1.0
        with np.errstate(all="ignore"):
            values[near] = _kernel(settings, r[near], self.reach[self.rows[near]], n_variables)
        return values

    def totals(self, values: FloatArray) -> FloatArray:
        """Return the sum of the pairs' values for each event, one after the other."""
        return np.asarray(np.bincount(self.rows, values, len(self.reach)), dtype=np.float64)

    @np.errstate(invalid="ignore")  # TMVA: the kernel Trim is infinite in other modes than kNN
    def totals32(self, values: FloatArray) -> Float32Array:
        """Return the same rounded to float32 after each pair."""
        counts = np.bincount(self.rows, minlength=len(self.reach))
        starts = np.cumsum(counts) - counts
        result = np.zeros(len(counts), dtype=np.float32)
        for number in range(int(counts.max(initial=0))):
            rows = np.flatnonzero(counts > number)
            result[rows] = (result[rows] + values[starts[rows] + number]).astype(np.float32)
        return result


def _kernel(settings: PDERSSettings, r: FloatArray, reach: FloatArray, n_variables: int) -> FloatArray:
    """Return K(r) for r <= 1."""
    name = settings.kernel
    if name == "Teepee":
        return 1.0 - r
    if name == "Gauss":
        if settings.gauss_sigma == 0:
            return np.full(len(r), 1e30)
        ratio = r / settings.gauss_sigma
        return np.where(ratio > 39.0, 0.0, libm.exp(-0.5 * ratio * ratio))
    if name.startswith("Sinc"):
        return _to_the_power(_sinc(r * ((int(name[4:]) + 1) // 2)), n_variables)
    if name.startswith("Lanczos"):
        factor = int(name[7:])
        u = _sinc(r) * _sinc(r * factor)
        return np.where(r < 1e-9, 1.0, _to_the_power(u, n_variables))
    if name == "Trim":
        # TMVA: reach is in units twice as large as those of r, so that the kernel goes down to -343
        a = r / reach
        b = 1.0 - a * a * a
        return b * b * b
    return np.ones(len(r))


def _sinc(z: FloatArray) -> FloatArray:
    pi_z = np.where(np.abs(z) < 1e-9, 1.0, np.pi * z)
    return np.where(np.abs(z) < 1e-9, 1.0, libm.sin(pi_z) / pi_z)


def _to_the_power(u: FloatArray, n: int) -> FloatArray:
    """Return u^n with the sign of u."""
    return libm.power(u, n) if n % 2 else np.abs(u) * libm.power(u, n - 1)


def samples_in(search: BoxSearch, q: Float32Array, lower: FloatArray, upper: FloatArray) -> Samples:
    """Return all training events in the boxes of events ``q``."""
    rows, members = np.nonzero(search.inside(lower, upper))
    distances = _distances(search, q[rows], members, (upper - lower)[rows], 2.0)
    return Samples(rows, members, distances, np.zeros(len(q)))


def nearest_samples(search: BoxSearch, q: Float32Array) -> tuple[Samples, IndexArray]:
    """Return the samples of VolumeRangeMode=kNN, and what may be wrong with them."""
    settings = search.settings
    fewest, most = int(settings.n_min), int(settings.n_max)
    lower, upper = search.first_boxes(q)
    counts, status = np.zeros(len(q), dtype=np.intp), np.zeros(len(q), dtype=np.int64)
    rows, n_rounds = np.arange(len(q)), 0
    while rows.size:
        counts[rows] = np.count_nonzero(search.inside(lower[rows], upper[rows]), axis=1)
        rows = rows[(counts[rows] < fewest) | (counts[rows] > most)]
        if n_rounds >= settings.max_iterations:
            break
        # TMVA: 2 and 0.1 may miss the interval again and again
        scale = np.where(counts[rows] < fewest, 2.0, np.float64(np.float32(0.1)))
        lower[rows], upper[rows] = scaled(lower[rows], upper[rows], scale)
        n_rounds += 1
    status[rows] = NOT_FOUND
    order = search.tree.level_order
    is_member = search.inside(lower, upper)[:, order]
    # TMVA: stops searching one event beyond the largest number
    is_member &= np.cumsum(is_member, axis=1) <= most + 1
    is_member[counts < fewest] = False
    chosen, places = np.nonzero(is_member)
    members = order[places]
    distances = _distances(search, q[chosen], members, (upper - lower)[chosen], 1.0)
    reach = np.zeros(len(q))
    for row in np.unique(chosen):  # the smallest ones of each event, of which there are a few hundred
        own = distances[slice(*np.searchsorted(chosen, [row, row + 1]))]
        reach[row] = np.partition(own, fewest - 1)[fewest - 1]
    near = distances <= reach[chosen]
    chosen, members = chosen[near], members[near]
    return Samples(chosen, members, 2.0 * distances[near], reach), status


def _distances(
    search: BoxSearch, q: Float32Array, members: IndexArray, widths: FloatArray, factor: float
) -> FloatArray:
    """Return √(Σ_i (factor/width_i (x_i - q_i))²/n) of pairs, with the differences in float32."""
    with np.errstate(all="ignore"):
        terms = factor / widths * (search.tree.variables[members] - q)
        result: FloatArray = np.sqrt(sequential_sum(terms * terms, axis=1) / q.shape[1])
    return result


def likelihood_ratio(signal: FloatArray, background: FloatArray, scales: tuple[np.float32, np.float32]) -> FloatArray:
    """Return the responses for sums of signal and background, by the scales that normalise both."""
    signal, background = np.maximum(signal, 0.0), np.maximum(background, 0.0)
    with np.errstate(all="ignore"):
        rho = ((background * np.float64(scales[1])) / (signal * np.float64(scales[0]))).astype(np.float32)
        result: FloatArray = 1.0 / (rho.astype(np.float64) + 1.0)
    result[signal < _NOTHING] = 0.0
    result[background < _NOTHING] = 1.0
    result[(signal < _NOTHING) & (background < _NOTHING)] = 0.5
    return result


def in_order(inside: BoolArray, weights: FloatArray) -> FloatArray:
    """Return the sums of weights of events ``(n_boxes, n_events)``, one after the other."""
    return sequential_sum(np.where(inside, weights, 0.0), axis=1)
