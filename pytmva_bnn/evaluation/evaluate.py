"""Everything TMVA computes in ``EvaluateAllMethods``, from the responses of a method on both samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.efficiencies import cut_efficiencies, training_efficiencies
from pytmva_bnn.evaluation.multiclass import multiclass_histograms, multiclass_numbers
from pytmva_bnn.evaluation.overtraining import KolmogorovResult, kolmogorov
from pytmva_bnn.evaluation.regression import deviation_histograms, regression_numbers
from pytmva_bnn.evaluation.responses import (
    probability_histograms,
    response_density,
    response_histograms,
    response_statistics,
)
from pytmva_bnn.evaluation.results import BinaryResult, MulticlassResult, RegressionResult
from pytmva_bnn.evaluation.roc import roc_curve
from pytmva_bnn.evaluation.samples import BinarySample, MulticlassSample, RegressionSample
from pytmva_bnn.evaluation.working_points import evaluate_points
from pytmva_bnn.histograms import PDF, Histogram1D, density_roc_integral, pdf_separation
from pytmva_bnn.methods.answers import WorkingPoints


def evaluate_binary(
    train: BinarySample,
    test: BinarySample,
    *,
    title: str = "MLP",
    pdfs: tuple[PDF, PDF] | None = None,
    points: tuple[WorkingPoints, WorkingPoints] | None = None,
) -> BinaryResult:
    """Evaluate a classifier; ``pdfs`` are those of the weight file for signal and background (CreateMVAPdfs).

    ``points`` are the working points on training and test events of a method that has these instead of responses.

    >>> signal = np.arange(2000) < 1000
    >>> sample = BinarySample(np.random.default_rng(1).normal(signal, 1.0), None, signal)
    >>> result = evaluate_binary(sample, sample)
    >>> round(result.area, 2), round(result.separation, 2), round(result.significance, 2)
    (0.74, 0.19, 0.65)
    """
    if test.n_events == 0:
        raise InputError(f"{title} cannot be evaluated: there are no test events")
    if points is not None:
        return evaluate_points(train, test, title, *points)
    statistics = response_statistics(test)
    responses = response_histograms(test, statistics)
    signal, background = response_density(responses.signal), response_density(responses.background)
    efficiencies = cut_efficiencies(test, statistics)
    training = training_efficiencies(train, statistics, efficiencies)
    return BinaryResult(
        title,
        statistics,
        pdf_separation(signal, background),
        density_roc_integral(signal, background),
        roc_curve(test.response, test.is_signal, test.weight),
        roc_curve(train.response, train.is_signal, train.weight),
        responses,
        efficiencies,
        training,
        _overtraining(responses.signal, training.response_signal),
        _overtraining(responses.background, training.response_background),
        None if pdfs is None else probability_histograms(test, *pdfs),
    )


def _overtraining(test: Histogram1D, training: Histogram1D) -> KolmogorovResult | None:
    return kolmogorov(test, training) if test.values.sum() > 0 and training.values.sum() > 0 else None


def evaluate_regression(
    train: RegressionSample,
    test: RegressionSample,
    *,
    title: str = "MLP",
    train_stored: ArrayLike | None = None,
    limits: Sequence[ArrayLike] | None = None,
) -> RegressionResult:
    """Evaluate a regression.

    ``limits`` are the ranges (n, 2) of variables and of targets in the data set, by default those of ``train``, which
    sampling may have left fewer events.

    The responses of ``train`` are those of the network re-read from the weight file, which the numbers are made of;
    ``train_stored`` (n_events, n_targets) those stored at training, which the histograms are made of (the same if not
    given).

    """
    for name, sample in (("training", train), ("test", test)):
        if len(sample.weight) == 0:
            raise InputError(f"{title} cannot be evaluated: there are no {name} events")
    stored = train
    if train_stored is not None:
        stored = RegressionSample(train_stored, train.target, train.weight, train.variables)
    if limits is None:
        limits = [
            np.column_stack([np.fmin.reduce(columns), np.fmax.reduce(columns)])
            for columns in (train.variables, train.target)
        ]
    return RegressionResult(
        title,
        tuple(regression_numbers(test, target) for target in range(test.target.shape[1])),
        tuple(regression_numbers(train, target) for target in range(train.target.shape[1])),
        deviation_histograms(test, *limits),
        deviation_histograms(stored, *limits),
    )


def evaluate_multiclass(
    train: MulticlassSample, test: MulticlassSample, class_names: Sequence[str], *, title: str = "MLP"
) -> MulticlassResult:
    """Evaluate a multiclass method; the responses of ``train`` are those stored at training."""
    for sample in (train, test):
        if sample.n_classes != len(class_names):
            raise InputError(f"{title}: responses for {sample.n_classes} classes, but {len(class_names)} class names")
    return MulticlassResult(
        title,
        tuple(class_names),
        multiclass_numbers(test),
        multiclass_numbers(train),
        multiclass_histograms(test),
        multiclass_histograms(train),
    )
