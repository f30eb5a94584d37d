"""OptimizeAllMethods: the search for the best values of the options that a method has for tuning."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.dataset import random_folds, stratified_folds
from pytmva_bnn.errors import InputError, OptionError, suggestion
from pytmva_bnn.evaluation.figures_of_merit import figure_of_merit
from pytmva_bnn.executor import Executor, Failure
from pytmva_bnn.factory.sampled import fold_of
from pytmva_bnn.factory.trial import RMS, Job, Setting, run
from pytmva_bnn.methods.fitters.annealing import SimulatedAnnealing
from pytmva_bnn.methods.fitters.fitter import Fitter
from pytmva_bnn.methods.fitters.genetic import GeneticAlgorithm
from pytmva_bnn.methods.fitters.intervals import Interval
from pytmva_bnn.methods.fitters.monte_carlo import MonteCarlo
from pytmva_bnn.methods.tuned_option import TunedOption
from pytmva_bnn.options import with_choice
from pytmva_bnn.tmva_types import AnalysisType

if TYPE_CHECKING:
    from pytmva_bnn.dataset.dataset import DataSet
    from pytmva_bnn.factory.method import MethodBase

log = logging.getLogger("pytmva_bnn.Factory")

SCAN = "Scan"
FITTERS: Mapping[str, Fitter] = {
    "FitGA": GeneticAlgorithm(population=20, steps=5, n_cycles=1),
    "FitMC": MonteCarlo(100),
    "FitSA": SimulatedAnnealing(max_calls=100),
}
"""The fitters by their fit types, with fewer steps than elsewhere: each new point is a training."""
HELD_OUT = 3
"""One of so many training events is not trained on, and gives the figure of merit."""

Place = tuple[int, ...]
"""A point: the number of the value of each option."""


@dataclass(frozen=True)
class Optimum:
    """The best values of the options; ``is_interrupted`` if Ctrl-C has ended the search before."""

    values: Mapping[str, float]
    is_interrupted: bool


def check_fit_type(fit_type: str) -> None:
    """Raise OptionError for a fit type that is not known."""
    known = (SCAN, *FITTERS)
    if fit_type not in known:
        hint = suggestion(fit_type, known)
        raise OptionError(
            f"the fit type '{fit_type}' is not known{': ' + hint if hint else ''} (known: {', '.join(known)})"
        )


def optimum(
    method: MethodBase, dataset: DataSet, merit: str, fit_type: str, executor: Executor, *, quiet: bool
) -> Optimum:
    """Find the values with the best figure of merit, and book the method with them; none if it has no tuning.

    Each point is trained on two thirds of the training events and judged by the others; test events are not used.
    """
    kind = method.booked.method
    options = kind.tuned(method.booked.options, len(dataset.variables))
    if not options:
        for text in (
            f"Parameter optimization is not yet implemented for method {method.title}",
            "Currently we need to set hardcoded which parameter is tuned in which ranges",
        ):
            log.warning("Dataset[%s] : %s", dataset.name, text)
        return Optimum({}, is_interrupted=False)
    if method.analysis_type != AnalysisType.CLASSIFICATION and merit != "ROCIntegral":
        log.warning("%s: %s is for signal and background; here it is not used", method.title, merit)
    trials = _Trials(method, options, dataset, merit, executor, quiet=quiet)
    is_interrupted = False
    try:
        with _no_messages():
            if fit_type == SCAN:
                trials.make(itertools.product(*(range(len(values)) for values in trials.values)))
            else:
                intervals = [Interval(0, len(values) - 1, len(values)) for values in trials.values]
                is_interrupted = bool(FITTERS[fit_type].minimise(trials, intervals).interrupted_after)
    except KeyboardInterrupt:
        if not trials.costs:
            raise
        is_interrupted = True
    if trials.failures:
        log.warning("%s: %d trainings failed; the first: %s", method.title, len(trials.failures), trials.failures[0])
    best = trials.best()
    for name, value in best.items():
        log.warning("%s = %g", name, value)
    method.book(kind, with_choice(method.option_string, best))
    return Optimum(best, is_interrupted)


@contextmanager
def _no_messages() -> Iterator[None]:
    """Keep the messages of the single trainings out of the log."""
    logger = logging.getLogger("pytmva_bnn")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


class _Trials:
    """What fitters minimise: the cost of points, each trained once."""

    def __init__(
        self,
        method: MethodBase,
        options: Sequence[TunedOption],
        dataset: DataSet,
        merit: str,
        executor: Executor,
        *,
        quiet: bool,
    ) -> None:
        is_regression = method.analysis_type == AnalysisType.REGRESSION
        events = dataset.training
        folds = random_folds(len(events), HELD_OUT) if is_regression else stratified_folds(events.class_index, HELD_OUT)
        held_out = fold_of(dataset, folds, 0)
        self.names = [option.name for option in options]
        self.values = [option.values() for option in options]
        self.costs: dict[Place, float] = {}
        self.failures: list[str] = []
        self._n_events = len(held_out.training)
        self._sign = 1.0 if is_regression else -1.0
        order = np.arange(self._n_events)
        score = RMS if is_regression else merit
        self._setting = Setting(
            held_out, method.analysis_type, method.kind, score, (), order, figure=figure_of_merit(merit)
        )
        self._method, self._executor, self._title = method, executor, "" if quiet else f"tuning {method.title}"

    def __call__(self, points: FloatArray) -> FloatArray:
        """Return the costs (n,) of points (n, n_options), whose coordinates are the numbers of the values."""
        places = [tuple(row) for row in np.rint(points).astype(int).tolist()]
        self.make(places)
        return np.array([self.costs[place] for place in places])

    def make(self, places: Iterable[Place]) -> None:
        """Train all points that are new."""
        new = [place for place in dict.fromkeys(places) if place not in self.costs]
        if not new:
            return
        options = [with_choice(self._method.option_string, self._choice(place)) for place in new]
        jobs = [Job(number, text, None, self._n_events) for number, text in enumerate(options)]
        run_one = partial(run, self._setting)
        outcomes = self._executor.outcomes(run_one, jobs, progress=self._title, name=lambda job: job.options)
        for index, outcome in outcomes:
            if isinstance(outcome, Failure):
                self.failures.append(f"{options[index]}: {outcome.error}")
            score = np.nan if isinstance(outcome, Failure) else outcome.score
            self.costs[new[index]] = np.inf if np.isnan(score) else self._sign * score

    def _choice(self, place: Place) -> dict[str, float]:
        return {name: values[k] for name, values, k in zip(self.names, self.values, place, strict=True)}

    def best(self) -> dict[str, float]:
        """Return the values with the lowest cost; of equal ones, those tried first."""
        place = min(self.costs, key=self.costs.__getitem__)
        if self.costs[place] == np.inf:
            raise InputError(f"{self._method.title}: no training of the tuning succeeded")
        return self._choice(place)
