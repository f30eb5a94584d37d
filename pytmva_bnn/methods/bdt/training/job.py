"""From the events and options of a booked BDT to a forest."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Axis, Histogram1D
from pytmva_bnn.memory import check_memory
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.forest import Forest, Tree
from pytmva_bnn.methods.bdt.training import adaboost as boosting
from pytmva_bnn.methods.bdt.training import checkpoint
from pytmva_bnn.methods.bdt.training.compiled_growing import CompiledGrowing, growing_pays
from pytmva_bnn.methods.bdt.training.event_list import EventList
from pytmva_bnn.methods.bdt.training.gradient import Gradient, RegressionLoss, SeveralClasses, TwoClasses
from pytmva_bnn.methods.bdt.training.grow import grow
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.monitor import BoostMonitor
from pytmva_bnn.methods.bdt.training.pruning import prune
from pytmva_bnn.methods.bdt.training.randomness import VariableSubsets, bag
from pytmva_bnn.methods.bdt.training.result import TrainingResult
from pytmva_bnn.methods.bdt.training.sample import Samples, prepare_samples
from pytmva_bnn.methods.bdt.training.settings import BDTSettings
from pytmva_bnn.methods.progress import Progress, show_progress
from pytmva_bnn.methods.protocol import TrainingJob
from pytmva_bnn.tmva_types import AnalysisType

_NO_GAIN = np.finfo(np.float64).eps

log = logging.getLogger("pytmva_bnn.BDT")

NOTHING_TRAINED = "interrupted before the first tree: nothing is written"


def train_forest(job: TrainingJob) -> FittedBDT:
    """Train a forest as the options of the job say."""
    settings: BDTSettings = job.settings
    if job.analysis == AnalysisType.REGRESSION and job.training.targets.shape[1] != 1:
        raise InputError(
            f"{job.title}: Method BDT is not capable of handling regression with {job.training.targets.shape[1]} "
            "targets; book one BDT for each, in a DataLoader of its own"
        )
    n_variables = job.training.inputs.shape[1]
    settings = settings.for_events(len(job.training), n_variables, job.options, job.title)
    # at least: three nodes of eight numbers a tree; four sums for each cut
    check_memory(96.0 * settings.n_trees, f"{job.title}: NTrees={settings.n_trees}", "grow fewer trees")
    n_cuts = settings.tree.n_cuts
    check_memory(32.0 * n_cuts * n_variables, f"{job.title}: nCuts={n_cuts}", "nCuts=-1 tries all cuts")
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
    factors: list[float] = field(default_factory=list)


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
        self.compiled = (
            CompiledGrowing(self.sample, settings.tree, self.is_integer)
            if growing_pays(self.sample, settings.tree, self.n_trees)
            else None
        )
        self.events = self._list(0)
        self.gradient = self._gradient()
        self.monitor = None
        if settings.monitor and job.analysis == AnalysisType.CLASSIFICATION:
            ranges = [(variable.minimum, variable.maximum) for variable in job.dataset.variables]
            self.monitor = BoostMonitor(settings, job.test, ranges)

    def _list(self, tree: int) -> EventList:
        if not self.settings.bagged:
            return EventList(self.sample, compiled=self.compiled is not None)
        events = bag(len(self.sample), self.settings.bag_fraction, tree)
        if not len(events):
            raise InputError(
                f"{self.job.title}: the bag of tree {tree} is empty: BaggedSampleFraction="
                f"{self.settings.bag_fraction:g} is too small for {len(self.sample)} events"
            )
        return EventList(self.sample, events, compiled=self.compiled is not None)

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
        path, every = self.settings.checkpoint or ("", 0)
        fingerprint = checkpoint.fingerprint_of(self.samples, self.settings) if path else {}
        if path:
            self._go_on(checkpoint.load(path, fingerprint))
        try:
            while len(self.trees) < self.n_trees and self.stopped_by == "number of trees":
                self._next_tree()
                progress(len(self.trees))
                at_end = len(self.trees) == self.n_trees or self.stopped_by != "number of trees"
                if path and (at_end or len(self.trees) % every == 0):
                    checkpoint.save(path, self._state(), fingerprint)
        except KeyboardInterrupt:
            whole = len(self.trees) // self.n_classes * self.n_classes
            if not whole:
                raise KeyboardInterrupt(NOTHING_TRAINED) from None
            del self.trees[whole:], self.weights[whole:]
            self.stopped_by = "interrupt"
            log.warning("%s: interrupted after %d trees, which are kept", self.job.title, whole)

    def _state(self) -> checkpoint.TrainingState:
        noted = {name: np.array(values) for name, values in vars(self.monitored).items()}
        histogram = self.boost_histogram
        noted |= {"cells": histogram.cells, "statistics": histogram.statistics, "entries": np.array(histogram.entries)}
        noted["stopped_by"] = np.array(self.stopped_by)
        return checkpoint.TrainingState(
            Forest.of(self.trees, self.weights),
            self.sample.boost_weights,
            noted,
            {} if self.gradient is None else self.gradient.state(),
        )

    def _go_on(self, state: checkpoint.TrainingState | None) -> None:
        """Go on from a checkpoint, if there is one."""
        if state is None:
            return
        self.trees, self.weights = list(state.forest), state.forest.boost_weights.tolist()
        log.info("Training continues from tree %d of the checkpoint", len(self.trees))
        self.sample.boost_weights = state.boost_weights
        noted = dict(state.noted)
        self.boost_histogram = replace(
            self.boost_histogram,
            cells=noted.pop("cells"),
            statistics=noted.pop("statistics"),
            entries=float(noted.pop("entries")),
        )
        self.stopped_by = str(noted.pop("stopped_by"))  # type: ignore[assignment]
        importance = list(noted.pop("importance"))
        self.monitored = _Monitored(**{name: values.tolist() for name, values in noted.items()}, importance=importance)
        if self.gradient is not None:
            self.gradient.restore(state.gradient)
        self.events = self._list(len(self.trees))
        if self.monitor is not None:
            log.warning("%s: DoBoostMonitor begins at the checkpoint", self.job.title)

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
        if self.monitor is not None:
            self.monitor.follow(number, self.trees[-1], self.weights[-1], self.sample)
        if not step.weight > 0.0 or step.perfect:
            self._stop(number, step)

    def _grow(self, number: int, events: EventList) -> GrownTree:
        tree = self.settings.tree
        if self.gradient is not None:
            is_signal = self.gradient.is_signal(number)
            targets: Float32Array | None = self.gradient.targets()
        else:
            is_signal = self.sample.is_signal
            targets = self.sample.targets if tree.is_regression else None
        if self.compiled is not None:
            return self.compiled.grow(events, is_signal, targets, number)
        subsets = None
        if tree.random_variables:
            n_variables = self.sample.inputs.shape[1]
            subsets = VariableSubsets(number, n_variables, tree.n_random_variables, poisson=tree.poisson_variables)
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
        if isinstance(step.factors, float):
            self.monitored.factors.append(step.factors)
        elif step.factors is not None:
            self.boost_histogram.fill(step.factors)

    def _stop(self, number: int, step: boosting.BoostStep) -> None:
        self.stopped_by = "boosting"
        if step.perfect:
            # TMVA: goes on with infinite weights
            log.warning(
                "%s: tree %d separates its events without error: it gets a large weight and boosting ends",
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
            self.boost_histogram.fill(np.array(noted.factors)),
            settings.n_trees,
            self.stopped_by,
            tuple(self.monitor.snapshots) if self.monitor is not None else (),
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


def forest_importance(of_trees: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """Return the importance of each variable, which add up to 1, from those of the trees and their weights."""
    total = np.zeros(len(of_trees[0]) if len(of_trees) else 0)
    for gains, weight in zip(of_trees, weights.tolist(), strict=True):
        # rounding can make the gain of a node with equal targets infinite, which says nothing of the variable
        importance = np.where(np.isfinite(gains), gains, 0.0)
        own = float(np.cumsum(importance)[-1])
        if own > _NO_GAIN:
            total += weight * (importance / own)
    with np.errstate(invalid="ignore"):
        roots = np.sqrt(total)
        everything = roots.sum()
        return roots / everything if everything > 0.0 else roots
