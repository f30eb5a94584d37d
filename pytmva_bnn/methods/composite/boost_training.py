"""The training of a boosted method: one classifier after the other, with other weights of the events."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.composite.boost_fitted import BoostResult, Classifier, FittedBoost
from pytmva_bnn.methods.composite.boost_options import BoostSettings, all_marked
from pytmva_bnn.methods.composite.boost_steps import Boosted, adaboost, real_adaboost
from pytmva_bnn.methods.progress import show_progress
from pytmva_bnn.methods.protocol import Fitted, Method, TrainingJob
from pytmva_bnn.random import TRandom3
from pytmva_bnn.random.poisson import poisson_counts

log = logging.getLogger("pytmva_bnn.Boost")

LARGEST_ERROR = 0.49999
"""A classifier that is hardly better than a coin ends the boosting."""
NOTHING_TRAINED = "interrupted before the first classifier: nothing is written"


def train_boost(job: TrainingJob, method: Method) -> FittedBoost:
    """Train the classifiers."""
    settings: BoostSettings = job.settings
    training = _Training(job, method)
    log.info("Training %d %s classifiers", settings.number, method.kind)
    with show_progress(settings.number, log, quiet=job.quiet, unit="classifier") as progress:
        try:
            while training.ended_by == "":
                with _only_warnings(method.kind):
                    training.next_classifier()
                progress(len(training.classifiers))
        except KeyboardInterrupt:
            training.interrupt()
    return training.fitted()


@contextmanager
def _only_warnings(kind: str) -> Iterator[None]:
    """Keep the messages of the single trainings out of the log."""
    logger = logging.getLogger(f"pytmva_bnn.{kind}")
    level = logger.level
    logger.setLevel(max(level, logging.WARNING))
    try:
        yield
    finally:
        logger.setLevel(level)


class _Training:
    """A training in progress; ``ended_by`` says what has ended it."""

    def __init__(self, job: TrainingJob, method: Method) -> None:
        self.job = job
        self.method = method
        self.settings: BoostSettings = job.settings
        self.classifiers: list[Classifier] = []
        self.errors: list[float] = []
        self.boosts = np.ones(len(job.training))
        self.ended_by = ""
        own = [option.name for option in method.more_options]
        self._options = all_marked(job.options.marked, without=("VarTransform", *own))

    def next_classifier(self) -> None:
        """Train a classifier, and weight the events for the next one."""
        number, settings = len(self.classifiers), self.settings
        if settings.kind == "Bagging":
            random = TRandom3(settings.seed + number + 1)
            self.boosts = poisson_counts(random, settings.fraction, len(self.boosts)).astype(np.float64)
        name = f"{self.job.title}_B{number:04d}"
        fitted = self.method.train(self._job(name))
        step = self._step(fitted, name)
        self.boosts = step.boosts
        self.errors.append(step.error)
        self.classifiers.append(
            Classifier(
                fitted,
                self.method.kind,
                name,
                self.job.job_name,
                self._options,
                step.weight,
                step.cut,
                step.orientation,
            )
        )
        self._end(step, fitted)

    def _job(self, name: str) -> TrainingJob:
        """Return the training of a classifier: weights of events are those of the boosting, wherever they stand."""
        job, data = self.job, self.job.dataset
        events = replace(data.training, weights=data.training.weights * self.boosts)
        boosted = replace(
            job.training, weights=job.training.weights * self.boosts, original_weights=job.training.weights
        )
        return replace(
            job,
            title=name,
            dataset=replace(data, training=events),
            training=boosted,
            options=self.settings.options,
            settings=self.settings.classifier,
            quiet=True,
        )

    def _step(self, fitted: Fitted, name: str) -> Boosted:
        events, settings = self.job.training, self.settings
        if settings.kind == "Bagging":
            return Boosted(np.nan, 1.0, self.boosts)
        v = self._responses(fitted, name)
        step = adaboost if settings.kind == "AdaBoost" else real_adaboost
        found = step(v, events.weights, self.boosts, events.is_signal, settings.beta)
        if not np.isfinite(found.weight) or not np.isfinite(found.boosts).all():
            raise InputError(
                f"{name}: the error {found.error:g} of the classifier gives no weights for the next one; check for "
                "event weights that are negative or very different"
            )
        return found

    def _responses(self, fitted: Fitted, name: str) -> FloatArray:
        v = np.asarray(fitted.mva_values(self.job.training.inputs), dtype=np.float64)
        bad = len(v) - int(np.isfinite(v).sum())
        if bad:
            raise InputError(f"{name}: the response to {bad} training events is NaN or infinite: it cannot be boosted")
        return v

    def _end(self, step: Boosted, fitted: Fitted) -> None:
        n, title = len(self.classifiers), self.job.title
        if fitted.interrupted_after:
            self.ended_by = "interrupt"
            log.warning("%s: interrupted in classifier %d, which is kept as it is", title, n - 1)
        elif self.settings.kind == "AdaBoost" and step.error > LARGEST_ERROR:
            self.ended_by = "error"
            log.warning(
                "%s: boosting ends with classifier %d, which misclassifies %.4g %% of the weighted events%s",
                *(title, n - 1, 100.0 * step.error),
                "; NormMode=EqualNumEvents may help" if n == 1 else "",
            )
        elif n == self.settings.number:
            self.ended_by = "number"
        if self.settings.kind != "Bagging" and step.error == 0.0:
            # TMVA: such a classifier counts nothing, and the next one is the same again
            log.warning(
                "%s: classifier %d classifies every training event correctly: its weight is 0, and the event "
                "weights stay",
                *(title, n - 1),
            )

    def interrupt(self) -> None:
        """Keep what is trained."""
        if not self.classifiers:
            raise KeyboardInterrupt(NOTHING_TRAINED) from None
        self.ended_by = "interrupt"
        n = len(self.classifiers)
        log.warning("%s: interrupted after %d classifiers, which are kept", self.job.title, n)

    def fitted(self) -> FittedBoost:
        """Return what was trained."""
        n, settings = len(self.classifiers), self.settings
        total = sum(one.weight for one in self.classifiers)
        if n == 1 or total == 0.0:
            if n > 1:
                # TMVA: divides by this sum, and every response is NaN
                log.warning("%s: the weights of all classifiers are 0 and are set to 1", self.job.title)
            self.classifiers = [replace(one, weight=1.0) for one in self.classifiers]
        return FittedBoost(
            tuple(self.classifiers),
            settings.transform,
            settings.kind,
            settings.beta,
            BoostResult(np.array(self.errors), self.ended_by),
            f"classifier {n - 1}" if self.ended_by == "interrupt" else "",
        )
