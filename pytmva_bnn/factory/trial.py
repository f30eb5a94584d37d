"""One training of a search or a tuning: the options, the events, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset import training_events
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.errors import OptionError
from pytmva_bnn.evaluation import MulticlassResult, RegressionResult
from pytmva_bnn.evaluation.figures_of_merit import FigureOfMerit, figure_of_merit
from pytmva_bnn.factory.evaluation_run import evaluate, respond, responses_in
from pytmva_bnn.factory.sampled import chosen, fold_of
from pytmva_bnn.factory.training_run import Trained, train_method
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.tmva_types import AnalysisType

EVIDENCE, ROC, RMS = "log evidence", "ROC integral", "RMS deviation"
_ROC_INTEGRAL = figure_of_merit("ROCIntegral")


@dataclass(frozen=True, eq=False)
class Setting:
    """What all trainings have in common; ``order`` is that in which training events are taken if not all are used.

    ``figure`` is the score of signal and background.
    """

    dataset: DataSet
    analysis: AnalysisType
    kind: str
    score: str
    folds: Sequence[NDArray[np.intp]]
    order: NDArray[np.intp]
    figure: FigureOfMerit = _ROC_INTEGRAL

    def booking(self, options: str, title: str) -> Booking:
        """Parse the options; OptionError if they are wrong."""
        return Booking.parse(method_of(self.kind), options, self.analysis, title, len(self.dataset.variables))

    def events(self, fold: int | None, n_events: int) -> DataSet:
        """Return the events of a training: of those in the set, or outside the fold, the first ``n_events``."""
        dataset = self.dataset if fold is None else fold_of(self.dataset, self.folds, fold)
        if n_events >= len(self.dataset.training):
            return dataset
        used = np.zeros(len(self.dataset.training), dtype=bool)
        used[self.order[:n_events]] = True
        if fold is not None:
            used = used[training_events(self.folds, fold)]
        return replace(dataset, training=chosen(dataset.training, np.flatnonzero(used)))


@dataclass(frozen=True)
class Job:
    """A training: number and options of the trial, the fold it is tested on (None: the test events), its events."""

    trial: int
    options: str
    fold: int | None
    n_events: int


@dataclass(frozen=True)
class Scored:
    """The score of one training, and the seconds it took."""

    score: float
    seconds: float


def run(setting: Setting, job: Job) -> Scored:
    """Train and score."""
    dataset = setting.events(job.fold, job.n_events)
    title = f"{setting.kind} {job.options}"
    trained = train_method(dataset, title, setting.booking(job.options, title), setting.analysis, quiet=True)
    if trained.fitted.interrupted_after:  # such a training is kept elsewhere; here nobody waits for it
        raise KeyboardInterrupt
    if setting.score == EVIDENCE:
        evidence = getattr(getattr(trained.fitted, "result", None), "evidence", None)
        if evidence is None:
            raise OptionError(f"{title} has no evidence: only networks (MLP) with UseRegulator=True have one")
        return Scored(float(evidence.log_evidence), trained.seconds)
    return Scored(_merit(dataset, title, trained, setting.figure), trained.seconds)


def _merit(dataset: DataSet, title: str, trained: Trained, figure: FigureOfMerit) -> float:
    model, test = trained.model(), dataset.test
    if model.analysis_type == AnalysisType.CLASSIFICATION and not model.has_working_points:
        # of all that an evaluation finds, only this is needed
        responses = responses_in(dataset, test, model)[:, 0]
        return figure(responses, test.of_class(dataset.signal_class), test.weights)
    result = evaluate(title, model, respond(model, trained, dataset), dataset)
    if isinstance(result, RegressionResult):
        return float(result.test.rms)
    if isinstance(result, MulticlassResult):
        return float(np.mean(result.test.aucs))
    return float(result.roc_integral)
