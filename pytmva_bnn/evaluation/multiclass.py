"""Multiclass classification: each class against the rest and against each other class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.evaluation.roc import RocCurve, roc_curve
from pytmva_bnn.evaluation.samples import MulticlassSample
from pytmva_bnn.histograms import Histogram1D, fill_1d, normalised

BINS = 40
RANGE = (float(np.float32(-0.0002)), float(np.float32(1.0002)))
BACKGROUND_EFFICIENCIES = (0.01, 0.10, 0.30)


@dataclass(frozen=True, eq=False)
class MulticlassNumbers:
    """Curves and efficiencies of a sample.

    ``against_rest[c]`` has class c as signal and all others as background, ``against_one[r][c]`` only class c.
    ``efficiencies`` (n_classes, 3) are the signal efficiencies against the rest at background efficiencies of 0.01,
    0.10 and 0.30; ``confusion`` (3, n_classes, n_classes) those of class r (row) against class c (column).
    """

    against_rest: tuple[RocCurve, ...]
    against_one: tuple[tuple[RocCurve, ...], ...]
    efficiencies: FloatArray
    confusion: FloatArray

    @property
    def aucs(self) -> FloatArray:
        """Areas under the curves against the rest (n_classes,)."""
        return np.array([curve.auc for curve in self.against_rest])


def multiclass_numbers(sample: MulticlassSample) -> MulticlassNumbers:
    """Return all curves and efficiencies of a sample."""
    classes = range(sample.n_classes)
    rest = tuple(roc_curve(sample.response[:, c], sample.class_index == c, sample.weight) for c in classes)
    # TMVA: the diagonal, meant to be undefined, is the curve of signal without background
    one = tuple(tuple(_one_against_one(sample, r, c) for c in classes) for r in classes)
    return MulticlassNumbers(
        rest,
        one,
        np.array([[curve.signal_efficiency_at(b) for b in BACKGROUND_EFFICIENCIES] for curve in rest]),
        np.array([[[curve.signal_efficiency_at(b) for curve in row] for row in one] for b in BACKGROUND_EFFICIENCIES]),
    )


def _one_against_one(sample: MulticlassSample, signal: int, background: int) -> RocCurve:
    chosen = (sample.class_index == signal) | (sample.class_index == background)
    return roc_curve(sample.response[chosen, signal], sample.class_index[chosen] == signal, sample.weight[chosen])


def multiclass_histograms(sample: MulticlassSample) -> tuple[tuple[Histogram1D, ...], ...]:
    """Return histograms of area 1: element [i][j] is the response for class j of events of class i (TH1F)."""
    w = sample.weight.astype(np.float32)
    made = []
    for i in range(sample.n_classes):
        chosen = sample.class_index == i
        made.append(
            tuple(
                normalised(fill_1d(sample.response[chosen, j], w[chosen], BINS, *RANGE, dtype=np.float32))
                for j in range(sample.n_classes)
            )
        )
    return tuple(made)
