"""From the events and options of a booked PDEFoam to its foams."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.dataset import NormMode
from pytmva_bnn.errors import InputError
from pytmva_bnn.memory import check_memory
from pytmva_bnn.methods.foam.fitted import FittedPDEFoam
from pytmva_bnn.methods.foam.settings import SELECTIONS, FoamSettings
from pytmva_bnn.methods.foam.training.box_sums import BoxSearch
from pytmva_bnn.methods.foam.training.filling import filled
from pytmva_bnn.methods.foam.training.growing import Explorer, Growth
from pytmva_bnn.methods.foam.training.ranges import foam_range
from pytmva_bnn.methods.foam.training.sampling import Density, Sampler, event_density, marked_density
from pytmva_bnn.methods.foam.training.separation import SeparationExplorer
from pytmva_bnn.methods.foam.tree import Foam, FoamKind
from pytmva_bnn.methods.foam.xml import foam_head
from pytmva_bnn.methods.protocol import MethodEvents, TrainingJob
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.PDEFoam")


@dataclass(frozen=True, eq=False)
class _Plan:
    """A foam to be made: the events that it is made of, and what its cells are to hold."""

    name: str
    kind: FoamKind
    message: str
    role: int
    chosen: BoolArray
    marks: BoolArray | Float32Array


def train_foams(job: TrainingJob) -> FittedPDEFoam:
    """Grow and fill the foams of a training."""
    settings: FoamSettings = job.settings
    regression = job.analysis == AnalysisType.REGRESSION
    if regression and not settings.multi_target and job.training.targets.shape[1] > 1:
        log.warning("%s: there is more than one target: MultiTargetRegression is set", job.title)
        job.options.set_value("MultiTargetRegression", True)
        settings = replace(settings, multi_target=True)
        settings.check(job.title, job.analysis)
    if job.analysis == AnalysisType.CLASSIFICATION and job.dataset.settings.norm_mode != NormMode.EQUAL_NUM_EVENTS:
        log.info(
            "NormMode=%s chosen. Note that only NormMode=EqualNumEvents ensures that Discriminant values correspond to "
            "signal probabilities.",
            job.dataset.settings.norm_mode.value.upper(),
        )
    n_samples, n_bins, n_dimensions = settings.n_samples, settings.n_bins, job.training.inputs.shape[1]
    check_memory(16.0 * n_samples * n_dimensions, f"{job.title}: nSampl={n_samples}", "sample fewer points")
    check_memory(8.0 * n_bins**2 * (n_dimensions + 2), f"{job.title}: nBin={n_bins}", "choose fewer bins")
    names = [variable.label for variable in job.dataset.variables]
    x = job.training.inputs
    if regression and settings.multi_target:
        x = np.concatenate((x, job.training.targets), axis=1)
        names += [target.label for target in job.dataset.targets]
    x_min, x_max = foam_range(x, settings.tail_cut, names)
    foams = []
    for plan in _plans(job, settings):
        log.info("%s", plan.message)
        started = time.perf_counter()
        foams.append(_foam(plan, settings, x, job.training, (x_min, x_max), names))
        log.info("Elapsed time: %.3g sec", time.perf_counter() - started)
    head = foam_head(settings, is_regression=regression, x_min=x_min, x_max=x_max)
    return FittedPDEFoam(tuple(foams), *head, n_targets=max(job.training.targets.shape[1], 1))


def _plans(job: TrainingJob, settings: FoamSettings) -> Iterator[_Plan]:
    """Yield the foams of an analysis, in the order of training."""
    events = job.training
    everything = np.ones(len(events), dtype=np.bool_)
    if job.options.flag("IgnoreNegWeightsInTraining"):
        everything = events.weights > 0
    discriminant = FoamKind.DECISION_TREE if settings.is_decision_tree else FoamKind.DISCRIMINANT
    if job.analysis == AnalysisType.MULTICLASS:
        for index in range(len(job.dataset.class_names)):
            message = f"Build up multiclass foam {index}"
            is_class = np.equal(events.class_index, index)
            yield _Plan(f"MultiClassFoam{index}", discriminant, message, index, everything, is_class)
    elif job.analysis == AnalysisType.REGRESSION and settings.multi_target:
        message, role = "Build multi target regression foam", SELECTIONS.index(settings.target_selection)
        yield _Plan("MultiTargetRegressionFoam", FoamKind.MULTI_TARGET, message, role, everything, everything)
    elif job.analysis == AnalysisType.REGRESSION:
        message = "Build mono target regression foam"
        yield _Plan("MonoTargetRegressionFoam", FoamKind.TARGET, message, 0, everything, events.targets[:, 0])
    elif settings.separate:
        for name, message, is_class in (
            ("SignalFoam", "Build up SignalFoam", events.is_signal),
            ("BgFoam", "Build up BgFoam", ~events.is_signal),
        ):
            yield _Plan(name, FoamKind.EVENT, message, 0, everything & is_class, is_class)
    else:
        message = "Build up discriminator foam"
        yield _Plan("DiscrFoam", discriminant, message, events.signal_class, everything, events.is_signal)


def _foam(
    plan: _Plan,
    settings: FoamSettings,
    x: Float32Array,
    events: MethodEvents,
    ends: tuple[FloatArray, FloatArray],
    names: list[str],
) -> Foam:
    if not plan.chosen.any():
        raise InputError(f"{plan.name}: there are no training events for it")
    chosen = plan.chosen
    x, marks = np.ascontiguousarray(x[chosen]), plan.marks[chosen]
    rounded = events.weights[chosen].astype(np.float32)
    contents = rounded
    if settings.original_weights and events.original_weights is not None:
        contents = events.original_weights[chosen].astype(np.float32)
    make: Any = partial(
        Foam,
        name=plan.name,
        kind=plan.kind,
        x_min=ends[0],
        x_max=ends[1],
        role=plan.role,
        n_bins=settings.n_bins,
        n_samples=settings.n_samples,
        n_min=settings.n_min,
        max_depth=settings.max_depth,
        # TMVA: the foam keeps the default, the weight file the value that counts
        vol_frac=float(np.float32(1.0 / 15.0)),
        variable_names=tuple(names),
    )
    is_tree = plan.kind is FoamKind.DECISION_TREE
    growth = Growth(
        len(names),
        settings.n_cells,
        _explorer(plan, settings, x, rounded, marks, ends),
        settings.n_min,
        settings.max_depth,
        update_ancestors=not is_tree,
    )
    growth.grow()
    return filled(growth.foam(make), x, contents, marks)


def _explorer(
    plan: _Plan,
    settings: FoamSettings,
    x: Float32Array,
    weights: Float32Array,
    marks: BoolArray | Float32Array,
    ends: tuple[FloatArray, FloatArray],
) -> Explorer:
    if plan.kind is FoamKind.DECISION_TREE:
        return SeparationExplorer(
            *(x, weights, np.asarray(marks, dtype=np.bool_), *ends),
            separation=settings.separation,
            n_bins=settings.n_bins,
            n_min=settings.n_min,
        )
    x_min, x_max = ends
    edges = ((x_max - x_min).astype(np.float32) * np.float32(settings.vol_frac)).astype(np.float64)
    density: Density = event_density if plan.kind in (FoamKind.EVENT, FoamKind.MULTI_TARGET) else marked_density
    search = BoxSearch.of(
        x, weights, weights.astype(np.float64) * marks, edges, n_boxes=settings.n_cells * settings.n_samples
    )
    return Sampler(search, density, x_min, x_max, settings.n_samples, settings.n_bins)
