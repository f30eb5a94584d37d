"""The training of FDA: the estimator of the analysis, and a fit of its parameters."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.fda.estimators import Model, SoftmaxLoss, SquaredDistance
from pytmva_bnn.methods.fda.fitted import FittedFDA
from pytmva_bnn.methods.fda.formula import prepared
from pytmva_bnn.methods.fda.option_table import FDASettings
from pytmva_bnn.methods.fitters import Estimator, Fitter, Interval, Minimum
from pytmva_bnn.methods.progress import show_progress
from pytmva_bnn.methods.protocol import MethodEvents, TrainingJob
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.FDA")


def train_formula(job: TrainingJob) -> FittedFDA:
    """Fit the parameters of the formula."""
    settings: FDASettings = job.settings
    events, n = job.training, len(settings.ranges)
    formula = prepared(settings.formula, n, events.inputs.shape[1])
    model = Model(formula, n, events.inputs.astype(np.float64))
    _warn_of_defects(job, settings)
    if job.analysis == AnalysisType.MULTICLASS:
        fits = [_fit(job, _multiclass(model, events, len(job.dataset.classes)), len(job.dataset.classes))]
    elif job.analysis == AnalysisType.REGRESSION:
        fits = [_fit(job, _regression(model, events, k)) for k in range(events.targets.shape[1])]
    else:
        fits = [_fit(job, _classification(model, events))]
    points = np.concatenate([fit.point for fit in fits])
    interrupted = next((fit.interrupted_after for fit in fits if fit.interrupted_after), "")
    fitted = FittedFDA(settings.formula, points.reshape(-1, n), events.inputs.shape[1], interrupted)
    _log(settings, points, sum(fit.value for fit in fits))
    return fitted


# -- estimators


def _classification(model: Model, events: MethodEvents) -> Estimator:
    """Return the mean squared distance from 1 of signal, and that from 0 of background."""
    w = events.weights
    is_signal = events.is_signal
    # TMVA: the weights are added up as float32, the squares weighted with all digits
    totals = [float(sequential_sum(w[own].astype(np.float32).astype(np.float64))) for own in (is_signal, ~is_signal)]
    if min(totals) <= 0.0:
        raise InputError(
            f"<Train> Troubles in sum of weights: signal {totals[0]:g}, background {totals[1]:g}: both must be positive"
        )
    return SquaredDistance(model, w / np.where(is_signal, *totals), is_signal.astype(np.float64))


def _regression(model: Model, events: MethodEvents, number: int) -> Estimator:
    """Return the mean squared distance from a target."""
    total = float(sequential_sum(events.weights))
    if total <= 0.0:
        raise InputError(f"<Train> Troubles in sum of weights: {total:g}: it must be positive")
    return SquaredDistance(model, events.weights / total, events.targets[:, number].astype(np.float64))


def _multiclass(model: Model, events: MethodEvents, n_classes: int) -> Estimator:
    total = float(sequential_sum(events.weights))
    if total <= 0.0:
        raise InputError(f"<Train> Troubles in sum of weights: {total:g}: it must be positive")
    return SoftmaxLoss(model, events.weights, events.class_index.astype(np.int64), n_classes)


# -- the fit


def _fit(job: TrainingJob, estimator: Estimator, n_blocks: int = 1) -> Minimum:
    """Return the best parameters, of one block or of several."""
    settings: FDASettings = job.settings
    ranges = settings.ranges * n_blocks
    found = _minimum(job, settings.fitter, estimator, ranges)
    if settings.converger is not None and not found.interrupted_after:
        better = _minimum(job, settings.converger, estimator, ranges, found.point)
        found = better if better.value < found.value else replace(found, interrupted_after=better.interrupted_after)
    if not np.isfinite(found.value):
        raise InputError(
            f"{job.title}: the formula is not finite for some training events, whatever the parameters: "
            f"{settings.formula}"
        )
    return found


def _minimum(
    job: TrainingJob,
    fitter: Fitter,
    estimator: Estimator,
    ranges: Sequence[Interval],
    start: FloatArray | None = None,
) -> Minimum:
    with show_progress(fitter.n_steps, log, quiet=job.quiet, unit=fitter.unit) as progress:
        found = fitter.minimise(estimator, ranges, start, lambda step, _value, _point: progress(step))
    if found.interrupted_after:
        log.warning("%s: interrupted after %s; the best parameters so far are kept", job.title, found.interrupted_after)
    return found


def _warn_of_defects(job: TrainingJob, settings: FDASettings) -> None:
    """Say where TMVA's training is not what its documentation promises."""
    if job.analysis == AnalysisType.MULTICLASS:
        log.warning(
            "%s: TMVA's multiclass training of FDA drives the value of the true class to 0; here the likelihood of the "
            "true class is maximised",
            job.title,
        )
    elif job.analysis == AnalysisType.REGRESSION and job.training.targets.shape[1] > 1:
        log.warning(
            "%s: TMVA cannot train FDA with several targets, and its Reader gives only the first; here each has a fit "
            "of its own",
            job.title,
        )
    if settings.converger is not None:
        log.info("%s: Converger=MINUIT: MINUIT starts once, from the best point of the other fitter", job.title)
    if settings.fitter.name == "Minuit" or settings.converger is not None:
        log.warning("%s: TMVA's own fit by MINUIT ignores the variables; here the parameters are fitted", job.title)


def _log(settings: FDASettings, points: FloatArray, value: float) -> None:
    """Log the result as TMVA does."""
    log.info('Results for parameter fit using "%s" fitter:', settings.fitter.name)
    log.info("Parameter  Fit result")
    for i, parameter in enumerate(points.tolist()):
        log.info("%9s: %g", f"Par({i})", parameter)
    log.info('Discriminator expression: "%s"', settings.formula)
    log.info("Value of estimator at minimum: %g", value)
