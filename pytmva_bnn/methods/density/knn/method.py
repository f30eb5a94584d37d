"""The k nearest neighbours as a method: options, training and reading."""

from __future__ import annotations

import logging
from typing import ClassVar

import numpy as np

from pytmva_bnn.errors import InputError, OptionError, WeightFileError
from pytmva_bnn.methods.density.knn.fitted import FittedKNN
from pytmva_bnn.methods.density.knn.metric import percentages
from pytmva_bnn.methods.density.knn.option_table import METHOD_OPTIONS, OLD_OPTIONS, KNNSettings, check
from pytmva_bnn.methods.density.knn.xml import EventStream, read_events, read_text_events
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.options import Option, OptionSet
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile, chain_of

log = logging.getLogger("pytmva_bnn.KNN")


class KNN(Method):
    """TMVA's KNN."""

    kind: ClassVar[str] = "KNN"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION, AnalysisType.REGRESSION})
    options: ClassVar[tuple[Option, ...]] = METHOD_OPTIONS
    old_options: ClassVar[tuple[Option, ...]] = OLD_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedKNN, KNNSettings)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> KNNSettings:
        """Check the options, and return what they mean."""
        del analysis
        return check(options, title)

    def train(self, job: TrainingJob) -> FittedKNN:
        """Keep the training events."""
        events, settings = job.training, job.settings
        log.info("<Train> start...")
        log.info("Reading %d events", len(events))
        kept = np.arange(len(events))
        if job.options.flag("IgnoreNegWeightsInTraining"):
            kept = np.flatnonzero(events.weights > 0)
        is_regression = job.analysis == AnalysisType.REGRESSION
        # TMVA: in regression the only class counts as signal
        is_signal = (events.class_index == (0 if is_regression else events.signal_class))[kept]
        weights = events.weights[kept]
        log.info("Number of signal events %g", sequential_sum(weights[is_signal]))
        log.info("Number of background events %g", sequential_sum(weights[~is_signal]))
        types = np.where(is_signal, 1, 2)
        fitted = FittedKNN(events.inputs[kept], events.targets[kept], types, weights, settings, is_regression)
        try:
            _log_tree(fitted)
        except InputError as error:
            raise InputError(f"{job.title}: {error}") from None
        return fitted

    def stream(self) -> EventStream:
        """Return what takes the events."""
        return EventStream()

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedKNN:
        """Read the training events."""
        del how
        try:
            settings = KNNSettings.of(self.option_set(head))
        except OptionError as error:
            raise WeightFileError(str(error), element="Options") from None
        n_variables = len(head.variables)
        if section.words is not None:
            events = read_text_events(section.words, n_variables)
        else:
            stream = section.stream if isinstance(section.stream, EventStream) else EventStream.of(section.element)
            events = read_events(section.element, stream, n_variables)
        is_regression = head.analysis_type == AnalysisType.REGRESSION
        if is_regression and events.targets.shape[1] != len(head.targets):
            problem = f"the events have {events.targets.shape[1]} targets, the file names {len(head.targets)}"
            raise WeightFileError(problem, element="Weights")
        fitted = FittedKNN(*events, settings, is_regression)
        try:
            _log_tree(fitted)
        except InputError as error:
            raise WeightFileError(str(error), element="Weights") from None
        _warn_of_defects(fitted, head.title, is_regression and chain_of(head).transforms_targets)
        return fitted


def _log_tree(fitted: FittedKNN) -> None:
    """Prepare the search, as TMVA does now, and say so."""
    n = len(fitted.variables)
    votes = fitted.neighbour_votes
    log.info("Creating kd-tree with %d events", n)
    if votes.widths is not None:
        text = "Computing scale factor for 1d distributions: (ifrac, bottom, top) = (%d%%, %d%%, %d%%)"
        log.info(text, *percentages(fitted.settings.scale_fraction))
    if fitted.settings.trims:
        log.info("<Fill> Will trim all event types to %d events", np.bincount(votes.types)[1:].max())
        log.info("<Fill> Erased %d events", n - len(votes.types))
    log.info("Optimizing tree for %d variables with %d values", fitted.variables.shape[1], len(votes.types))
    for number in np.unique(votes.types):
        log.info("<Fill> Class %d has %8d events", number, np.count_nonzero(votes.types == number))


def _warn_of_defects(fitted: FittedKNN, title: str, transforms_targets: bool) -> None:
    """Say once where TMVA's responses are not what the options promise."""
    votes = fitted.neighbour_votes
    if fitted.is_regression and transforms_targets:
        log.warning(
            "%s: TMVA does not transform the targets back, so the results are transformed targets; "
            "Model.corrected() gives them in the original units",
            title,
        )
    if not fitted.is_regression and votes.votes.kernel == "Gaus" and votes.widths is not None:
        log.warning(
            "%s: with ScaleFrac > 0 TMVA's Gaussian kernel takes the difference of scaled neighbours and the "
            "unscaled event, which is not their distance; set ScaleFrac=0, or use Model.corrected()",
            title,
        )
