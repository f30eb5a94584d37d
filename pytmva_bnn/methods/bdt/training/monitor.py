"""Snapshots of the boosting while a forest grows (DoBoostMonitor)."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.histograms import Axis, Histogram1D, Interpolation, PDFRecord, build_pdf, density_roc_integral
from pytmva_bnn.methods.bdt import c_library, response
from pytmva_bnn.methods.bdt.forest import Forest, Tree
from pytmva_bnn.methods.bdt.training.result import BoostSnapshot
from pytmva_bnn.methods.bdt.training.sample import LEAST_BOOST, BoostSample
from pytmva_bnn.methods.bdt.training.settings import BDTSettings
from pytmva_bnn.methods.protocol import MethodEvents

#: below which number of trees which steps between snapshots are made
_STEPS = ((20, 5), (50, 10), (150, 25), (250, 50), (500, 100), (1000, 250))
_LAST_STEP = 500


class BoostMonitor:
    """Follows the response of the test events, and takes snapshots of the weights of the training events."""

    def __init__(self, settings: BDTSettings, test: MethodEvents, ranges: list[tuple[float, float]]) -> None:
        self._settings = settings
        self._test = test
        self._ranges = ranges
        self._sums = np.zeros(len(test))
        self._weights = 0.0
        self.snapshots: list[BoostSnapshot] = []

    def follow(self, number: int, tree: Tree, weight: float, sample: BoostSample) -> None:
        """Take note of a tree, and of the weights that events have behind it."""
        settings = self._settings
        gradient = settings.boost_type == "Grad"
        forest = Forest.of([tree], [weight])
        leaves = response.leaf_numbers(forest, self._test.inputs)[:, 0]
        if gradient:
            answers = tree.response
        else:
            answers = tree.node_type.astype(np.float32) if settings.yes_no_leaf else tree.purity
        self._sums += (1.0 if gradient else weight) * answers.astype(np.float64)[leaves]
        self._weights += weight
        if is_monitored(number, settings.n_trees):
            self.snapshots.append(self._snapshot(number, sample, gradient))

    def _snapshot(self, number: int, sample: BoostSample, gradient: bool) -> BoostSnapshot:
        if gradient:
            values = 2.0 / (1.0 + c_library.exp(-2.0 * self._sums)) - 1.0
        else:
            values = self._sums / self._weights if self._weights > 0.0 else self._sums
        signal, weights = sample.is_signal, sample.weights
        boosts = np.maximum(LEAST_BOOST, sample.boost_weights)
        top = _upper_end(boosts)
        return BoostSnapshot(
            number,
            self._roc_integral(values),
            (_filled((0.0, top), boosts[signal]), _filled((0.0, top), boosts[~signal])),
            tuple(
                (
                    _filled(ends, sample.inputs[signal, v], weights[signal]),
                    _filled(ends, sample.inputs[~signal, v], weights[~signal]),
                )
                for v, ends in enumerate(self._ranges)
            ),
        )

    def _roc_integral(self, values: FloatArray) -> float:
        densities = []
        for own in (self._test.is_signal, ~self._test.is_signal):
            histogram = _filled((-1.0, 1.00001), values[own], self._test.weights[own])
            record = PDFRecord("boost monitor", 0, 0, Interpolation.SPLINE3.value, 0, 0, 0, 1.0, histogram)
            densities.append(build_pdf(record, normalise=True))
        return density_roc_integral(*densities)


def is_monitored(number: int, n_trees: int) -> bool:
    """Tell whether a snapshot is taken behind tree ``number``, which counts from 0."""
    if number == n_trees - 1:
        return True
    step = next((step for below, step in _STEPS if number < below), _LAST_STEP)
    return number % step == 0


def _upper_end(boosts: FloatArray) -> float:
    # TMVA: a little above a boost weight that was the largest so far, in the order of the events
    top = 1.0
    for boost in boosts[boosts > 1.0].tolist():
        if boost > top:
            top = 1.01 * boost
    return top


def _filled(ends: tuple[float, float], values: FloatArray, weights: FloatArray | None = None) -> Histogram1D:
    return Histogram1D.empty(Axis(100, *ends), dtype=np.float32).fill(values, weights=weights)
