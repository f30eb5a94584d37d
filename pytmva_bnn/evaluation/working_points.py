"""The evaluation of a method that offers a choice of working points, such as cuts, instead of a response."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.evaluation.efficiencies import (
    CURVE_BINS,
    DEFAULT_REFERENCE_CUT,
    BackgroundCurve,
    Efficiencies,
    MaximumSignificance,
    TrainingEfficiencies,
    grid,
    maximum_significance,
)
from pytmva_bnn.evaluation.responses import response_density, response_histograms, response_statistics
from pytmva_bnn.evaluation.results import BinaryResult
from pytmva_bnn.evaluation.roc import RocCurve, roc_curve
from pytmva_bnn.evaluation.samples import BinarySample
from pytmva_bnn.histograms import Histogram1D, density_roc_integral, from_contents
from pytmva_bnn.histograms.entries import NamedHistogram
from pytmva_bnn.methods.answers import WorkingPoints

LOGGER = logging.getLogger("pytmva_bnn.evaluation")

NO_NUMBER = -1.0
"""What TMVA has for separation and significance."""
NOT_FILLED = np.float32(-0.1)
AXIS_END = 1.000001


class PointLine:
    """Lines from point to point in the order in which they stand, which need not be that of x."""

    def __init__(self, x: FloatArray, y: FloatArray) -> None:
        self.x, self.y = x, y

    def at(self, x: FloatArray) -> FloatArray:
        """Return the values at many points."""
        X, Y, n = self.x, self.y, len(self.x)  # noqa: N806
        i = np.maximum(_bisected(X, x), 0)
        k = np.where(((x > X[i]) & (i != n - 1)) | (i == 0), i + 1, i - 1)
        with np.errstate(all="ignore"):
            return np.asarray(Y[i] + (x - X[i]) * (Y[i] - Y[k]) / (X[i] - X[k]))


def _bisected(points: FloatArray, x: FloatArray) -> IndexArray:
    """Return the places of numbers among the points, or of those below them, by halving the interval."""
    # TMVA: also if the points do not ascend; which of the possible places is found depends on where it is halved
    below, above = np.zeros(len(x), dtype=np.intp), np.full(len(x), len(points) + 1)
    while (open_ := above - below > 1).any():
        middle = (above + below) // 2
        value = points[np.minimum(middle, len(points)) - 1]
        is_above = open_ & (x < value)
        is_below = open_ & ~is_above
        above = np.where(is_above, middle, above)
        below = np.where(is_below, middle, below)
        above = np.where(open_ & (x == value), below, above)
    return below - 1


@dataclass(frozen=True, eq=False)
class PointCurve(BackgroundCurve):
    """The curve through working points; ``background_efficiency`` is what it has at 100 signal efficiencies."""

    # TMVA: a point that lies exactly on the background efficiency is not seen as a crossing
    touching_counts = False
    points: PointLine | None = None

    @classmethod
    def of(cls, points: PointLine) -> PointCurve:
        """Return the curve."""
        return cls(points.at(grid(CURVE_BINS)), points)

    @cached_property
    def line(self) -> PointLine:  # type: ignore[override]
        """The lines."""
        assert self.points is not None  # noqa: S101
        return self.points


@dataclass(frozen=True, eq=False, repr=False)
class WorkingPointResult(BinaryResult):
    """The evaluation of a classifier by its working points.

    Its responses without a working point are all the same: ROC curves of events say nothing of it, those of the points
    do (``point_roc``, ``training_point_roc``).
    """

    points: WorkingPoints | None = None
    training_points: WorkingPoints | None = None

    def __repr__(self) -> str:
        return f"<WorkingPointResult {self.title!r}: area {self.area:.3f} (training {self.training.curve.area:.3f})>"

    @property
    def significance(self) -> float:
        """None: -1."""
        return NO_NUMBER

    @property
    def point_roc(self) -> RocCurve:
        """Efficiencies of the working points on test events."""
        return _roc(self.points)

    @property
    def training_point_roc(self) -> RocCurve:
        """The same on training events."""
        return _roc(self.training_points)

    def maximum_significance(self, n_signal: float, n_background: float) -> MaximumSignificance:
        """Return the best working point, ``cut`` being the signal efficiency it is meant for."""
        e = self.test
        return maximum_significance(e.signal, e.background, e.signal.x_max, n_signal, n_background)

    def named_histograms(self) -> Iterator[NamedHistogram]:
        """Yield the histograms in the order of the output file."""
        t, e, s = f"MVA_{self.title}", self.test, self.training
        if self.points is not None:
            yield NamedHistogram(f"{t}_effBvsSLocal", f"{t} efficiency of B vs S", _table(self.points.trained))
        yield NamedHistogram(f"{t}_effBvsS", t, e.curve.histograms[0], "Signal eff", "Backgr eff")
        yield NamedHistogram(f"{t}_rejBvsS", t, e.curve.histograms[1], "Signal eff", "Backgr rejection (1-eff)")
        yield NamedHistogram(f"{t}_effS", f"{t} (signal)", e.signal)
        yield NamedHistogram(f"{t}_effB", f"{t} (background)", e.background)
        yield NamedHistogram(f"{t}_trainingEffBvsS", t, s.curve.histograms[0])
        yield NamedHistogram(f"{t}_trainingRejBvsS", t, s.curve.histograms[1])


def evaluate_points(
    train: BinarySample, test: BinarySample, title: str, training_points: WorkingPoints, points: WorkingPoints
) -> WorkingPointResult:
    """Return the evaluation by the working points on training and test events, whose responses are all alike."""
    statistics = response_statistics(test)
    responses, of_training = (response_histograms(sample, statistics) for sample in (test, train))
    filled = _training_contents(training_points)
    line = PointLine(grid(len(filled)), filled.astype(np.float64))
    return WorkingPointResult(
        title,
        statistics,
        NO_NUMBER,
        density_roc_integral(response_density(responses.signal), response_density(responses.background)),
        roc_curve(test.response, test.is_signal, test.weight),
        roc_curve(train.response, train.is_signal, train.weight),
        responses,
        Efficiencies(
            _histogram(points.signal),
            _histogram(points.background),
            PointCurve.of(_test_line(points)),
            grid(CURVE_BINS),
            DEFAULT_REFERENCE_CUT,
            float(np.count_nonzero(test.is_signal)),
        ),
        TrainingEfficiencies(
            of_training.signal,
            of_training.background,
            _histogram(training_points.signal),
            _histogram(training_points.background),
            PointCurve(line.y, line),
        ),
        None,
        None,
        None,
        points,
        training_points,
    )


def _test_line(points: WorkingPoints) -> PointLine:
    return PointLine(np.concatenate([[0.0], points.signal, [1.0]]), np.concatenate([[0.0], points.background, [1.0]]))


def _training_contents(points: WorkingPoints) -> Float32Array:
    """Return the background efficiencies of points whose signal efficiency is in the bin that they are meant for."""
    fits = points.bins == np.arange(1, len(points.bins) + 1)
    if not fits.all():
        LOGGER.warning(" unable to fill %d efficiency bins ", np.count_nonzero(~fits))
    return np.where(fits, points.background.astype(np.float32), NOT_FILLED)


def _table(background: Float32Array) -> Histogram1D:
    return from_contents(background, 0.0, 1.0)


def _histogram(values: FloatArray) -> Histogram1D:
    return from_contents(values, 0.0, AXIS_END)


def _roc(points: WorkingPoints | None) -> RocCurve:
    assert points is not None  # noqa: S101
    order = np.argsort(-points.signal, kind="stable")
    return RocCurve(
        np.concatenate([[0.0], 1.0 - points.background[order], [1.0]]),
        np.concatenate([[1.0], points.signal[order], [0.0]]),
    )
