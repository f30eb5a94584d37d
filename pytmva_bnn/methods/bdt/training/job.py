"""From the events and options of a booked BDT to a forest."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Axis, Histogram1D
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.forest import Forest, Tree
from pytmva_bnn.methods.bdt.training import adaboost as boosting
from pytmva_bnn.methods.bdt.training.event_list import EventList
from pytmva_bnn.methods.bdt.training.gradient import Gradient, RegressionLoss, SeveralClasses, TwoClasses
from pytmva_bnn.methods.bdt.training.grow import grow
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.importance import forest_importance
from pytmva_bnn.methods.bdt.training.pruning import prune
from pytmva_bnn.methods.bdt.training.randomness import VariableSubsets, bag
from pytmva_bnn.methods.bdt.training.result import TrainingResult
from pytmva_bnn.methods.bdt.training.sample import Samples, prepare_samples
from pytmva_bnn.methods.bdt.training.settings import BDTSettings
from pytmva_bnn.methods.progress import Progress, show_progress
from pytmva_bnn.methods.protocol import TrainingJob
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.BDT")

NOTHING_TRAINED = "interrupted before the first tree: nothing is written"


def train_forest(job: TrainingJob) -> FittedBDT:
    """Train a forest as the options of the job say."""
    settings: BDTSettings = job.settings
    n_variables = job.training.inputs.shape[1]
    settings = settings.for_events(len(job.training), n_variables, job.options, job.title)
    samples = prepare_samples(job, settings)
    if job.analysis == AnalysisType.REGRESSION:
        log.info("Regression Loss Function: %s", _LOSS_NAMES[settings.regression_loss])
    log.info("Training %d Decision Trees ... patience please", settings.n_trees)
    training = _Training(job, settings, samples)
    with show_progress(training.n_trees, log, quiet=job.quiet, unit="tree") as progress:
        training.run(progress)
    return training.fitted()


_LOSS_NAMES = {"huber": "Huber", "absolutedeviation": "AbsoluteDeviation", "leastsquares": "LeastSquares"}


@dataclass
class _Monitored:
    """What is noted of each tree."""

    weights: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    importance: list[FloatArray] = field(default_factory=list)


class _Training:
    """A training in progress."""

    def __init__(self, job: TrainingJob, settings: BDTSettings, samples: Samples) -> None:
        self.job = job
        self.settings = settings
        self.samples = samples
        self.sample = samples.training
        self.n_classes = len(job.dataset.class_names) if job.analysis == AnalysisType.MULTICLASS else 1
        self.n_trees = settings.n_trees * self.n_classes
        self.is_integer: BoolArray = np.array([variable.type == "I" for variable in job.dataset.variables])
        self.trees: list[Tree] = []
        self.weights: list[float] = []
        self.monitored = _Monitored()
        self.stopped_by: Literal["number of trees", "boosting", "interrupt"] = "number of trees"
        regression = job.analysis == AnalysisType.REGRESSION
        self.boost_histogram = Histogram1D.empty(Axis(100, 0.0, 1.0 if regression else 30.0), dtype=np.float32)
        self.events = self._list(0)
        self.gradient = self._gradient()

    def _list(self, tree: int) -> EventList:
        if not self.settings.bagged:
            return EventList(self.sample)
        events = bag(len(self.sample), self.settings.bag_fraction, tree)
        if not len(events):
            raise InputError(
                f"{self.job.title}: the bag of tree {tree} is empty: BaggedSampleFraction="
                f"{self.settings.bag_fraction:g} is too small for {len(self.sample)} events"
            )
        return EventList(self.sample, events)

    def _gradient(self) -> Gradient | None:
        if self.settings.boost_type != "Grad":
            return None
        if self.job.analysis == AnalysisType.CLASSIFICATION:
            return TwoClasses(self.sample, self.settings)
        if self.job.analysis == AnalysisType.MULTICLASS:
            return SeveralClasses(self.sample, self.settings, self.n_classes)
        return RegressionLoss(self.sample, self.settings, self.events)

    # -- the loop

    def run(self, progress: Progress) -> None:
        """Grow and boost until there are enough trees, or boosting ends."""
        try:
            while len(self.trees) < self.n_trees and self.stopped_by == "number of trees":
                self._next_tree()
                progress(len(self.trees))
        except KeyboardInterrupt:
            whole = len(self.trees) // self.n_classes * self.n_classes
            if not whole:
                raise KeyboardInterrupt(NOTHING_TRAINED) from None
            del self.trees[whole:], self.weights[whole:]
            self.stopped_by = "interrupt"
            log.warning("%s: interrupted after %d trees; those are kept", self.job.title, whole)

    def _next_tree(self) -> None:
        settings, number, events = self.settings, len(self.trees), self.events
        grown = self._grow(number, events)
        cleans = settings.yes_no_leaf and self.gradient is None and not settings.tree.is_regression
        if cleans:
            grown.remove_useless_splits(settings.tree.purity_limit)
        n_before = len(grown)
        importance = grown.importance
        # the weights that the tree was grown with: pruning comes after boosting
        weights = events.weights if settings.prune_method != "nopruning" else None
        step = self._boost(grown, events, number)
        if settings.bagged:
            self.events = self._list(number + 1)
        if weights is not None:
            prune(grown, weights, settings, self.samples.validation)
            if cleans:
                grown.remove_useless_splits(settings.tree.purity_limit)
        self.trees.append(grown.finished(self.sample.inputs.shape[1]))
        self._note(step, n_before, len(grown), importance)
        if not step.weight > 0.0 or step.perfect:
            self._stop(number, step)

    def _grow(self, number: int, events: EventList) -> GrownTree:
        tree = self.settings.tree
        n_variables = self.sample.inputs.shape[1]
        subsets = None
        if tree.random_variables:
            subsets = VariableSubsets(number, n_variables, tree.n_random_variables, poisson=tree.poisson_variables)
        if self.gradient is not None:
            is_signal = self.gradient.is_signal(number)
            targets: Float32Array | None = self.gradient.targets()
        else:
            is_signal = self.sample.is_signal
            targets = self.sample.targets if tree.is_regression else None
        return grow(events.node_events(events.of(is_signal), targets), tree, self.is_integer, subsets)

    def _boost(self, grown: GrownTree, events: EventList, number: int) -> boosting.BoostStep:
        if self.gradient is not None:
            self.gradient.boost(grown, events, number)
            return boosting.BoostStep(1.0)
        regression = self.job.analysis == AnalysisType.REGRESSION
        boost = {
            "AdaBoost": boosting.regression_adaboost if regression else boosting.adaboost,
            "RealAdaBoost": boosting.adaboost,
            "AdaCost": boosting.adacost,
            "AdaBoostR2": boosting.adaboost_r2,
            "Bagging": boosting.bagging,
        }[self.settings.boost_type]
        return boost(grown, events, self.settings)

    def _note(self, step: boosting.BoostStep, n_before: int, n_after: int, importance: FloatArray) -> None:
        self.weights.append(max(0.0, step.weight))
        self.monitored.weights.append(step.monitored)
        self.monitored.errors.append(step.error)
        self.monitored.before.append(n_before)
        self.monitored.after.append(n_after)
        self.monitored.importance.append(importance)
        if step.factors is not None:
            self.boost_histogram.fill(np.atleast_1d(np.asarray(step.factors, dtype=np.float64)))

    def _stop(self, number: int, step: boosting.BoostStep) -> None:
        self.stopped_by = "boosting"
        if step.perfect:
            # TMVA: goes on with infinite weights
            log.warning(
                "%s: tree %d separates its events without error: it gets a large weight, and boosting ends",
                self.job.title,
                number,
            )
        else:
            log.warning("stopped boosting at itree=%d", number)

    # -- the end

    def fitted(self) -> FittedBDT:
        """Return the forest."""
        settings, noted = self.settings, self.monitored
        weights = np.array(self.weights)
        if isinstance(self.gradient, RegressionLoss):
            # TMVA: the offset is put in front of the weights, all of which are 1
            weights[0] = self.gradient.offset
        importance = forest_importance(noted.importance[: len(self.trees)], weights)
        result = TrainingResult(
            np.array(noted.weights),
            np.array(noted.errors),
            np.array(noted.before, dtype=np.int32),
            np.array(noted.after, dtype=np.int32),
            importance,
            self.boost_histogram,
            settings.n_trees,
            self.stopped_by,
        )
        return FittedBDT(
            Forest.of(self.trees, weights),
            self.job.analysis,
            self.job.options.string("BoostType"),
            settings.yes_no_leaf,
            settings.tree.is_regression,
            n_classes=self.n_classes,
            preselection=self.samples.preselection,
            do_preselection=settings.preselection,
            rounded=False,
            result=result,
        )
