"""TMVA's method Cuts."""

from __future__ import annotations

import logging
from typing import ClassVar

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.cuts.boxes import Boxes
from pytmva_bnn.methods.cuts.estimator import CutEstimator
from pytmva_bnn.methods.cuts.fitted import INFINITE, FittedCuts
from pytmva_bnn.methods.cuts.option_table import (
    CUTS_OPTIONS,
    ONLY_LOWER,
    ONLY_UPPER,
    FitMethod,
)
from pytmva_bnn.methods.cuts.search import search
from pytmva_bnn.methods.cuts.search_space import SearchSpace
from pytmva_bnn.methods.cuts.settings import CutsSettings, parse_search
from pytmva_bnn.methods.cuts.xml import read_element, read_words
from pytmva_bnn.methods.protocol import Method, MethodEvents, Reading, TrainingJob
from pytmva_bnn.options import Option, OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile

log = logging.getLogger("pytmva_bnn.Cuts")

# TMVA: what is not MC or MINUIT is announced as a genetic algorithm
_NAMES = {FitMethod.MC: "Monte Carlo", FitMethod.MINUIT: "MINUIT", FitMethod.EventScan: "Full Event Scan"}


class Cuts(Method):
    """Rectangular cuts."""

    kind: ClassVar[str] = "Cuts"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION})
    options: ClassVar[tuple[Option, ...]] = CUTS_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedCuts,)
    parts_in_files: ClassVar[frozenset[str]] = frozenset({FitMethod.MCEvents.name})
    calls: ClassVar[frozenset[str]] = frozenset({"GetCuts", "PrintCuts"})

    def parse_parts(self, options: OptionSet, n_variables: int) -> None:
        """Let the search take its options."""
        del n_variables
        parse_search(options)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> CutsSettings:
        """Check the options."""
        del analysis
        if options.string("EffMethod") == "EffPDF":
            # TMVA: never takes effect, as the comparison has another spelling
            log.warning("%s: EffMethod=EffPDF has no effect, as in TMVA: events are counted", title)
        if options.string("FitMethod") == "MINUIT":
            log.warning("%s: MINUIT performs poorly for Cuts; use FitMethod=GA, MC or SA", title)
        return CutsSettings.of(options, title)

    def option_set(self, file: WeightFile, *, strict: bool = False) -> OptionSet:
        """Return the options of a weight file; TMVA does not mind unknown ones here."""
        del strict
        return super().option_set(file)

    def train(self, job: TrainingJob) -> FittedCuts:
        """Search the cuts."""
        settings: CutsSettings = job.settings
        labels = [variable.label for variable in job.dataset.variables]
        events = job.training
        space = SearchSpace.of(events, settings)
        space.check(labels)
        is_integer = [variable.type == "I" for variable in job.dataset.variables]
        boxes = Boxes.of(events)
        _check_weights(events, boxes)
        estimator = CutEstimator(boxes, space.low, space.high)
        log.info('Use optimization method: "%s"', _NAMES.get(settings.fit_method, "Genetic Algorithm"))
        interrupted = search(job, estimator, space.intervals(is_integer, labels))
        table = estimator.table
        for i, side in enumerate(space.properties):
            if side == ONLY_UPPER:
                table.lower[:, i] = -INFINITE
            elif side == ONLY_LOWER:
                table.upper[:, i] = INFINITE
        fitted = FittedCuts(
            table.background[1:-1].copy(),
            table.lower,
            table.upper,
            int(settings.fit_method),
            interrupted_after=interrupted,
        )
        for tenth in range(1, 10):
            for line in fitted.cut_lines(labels, job.options.string("VarTransform"), tenth / 10 + 1e-4):
                log.info("%s", line)
        return fitted

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedCuts:
        """Read the table."""
        del how
        n_variables = len(head.variables)
        if section.words is None:
            return FittedCuts(*read_element(section.element, n_variables))
        table = read_words(section.words, n_variables)
        return FittedCuts(*table)


def _check_weights(events: MethodEvents, boxes: Boxes) -> None:
    """Raise an InputError if there is nothing to count, and warn of efficiencies that will be set to 0."""
    empty = [name for name, total in zip(("signal", "background"), boxes.totals, strict=True) if not total]
    if len(empty) == 2:
        raise InputError(
            "the weights of the training events add up to 0 in both classes, so there is nothing to optimise"
        )
    for name in empty:
        log.warning("the %s training events have no weight: the %s efficiency is 0 for all cuts", name, name)
    if (events.weights < 0.0).any():
        log.warning("there are training events with negative weights: negative efficiencies are set to 0")
