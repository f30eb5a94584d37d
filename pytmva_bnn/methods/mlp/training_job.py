"""From the events and options of a booked MLP to a trained network."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset import multiclass_targets
from pytmva_bnn.methods.mlp.fitted import FittedMLP
from pytmva_bnn.methods.mlp.monitoring import EpochMonitor
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.network.layout import NeuronInput
from pytmva_bnn.methods.mlp.option_table import check_network_size, hidden_layer_sizes
from pytmva_bnn.methods.mlp.settings import MLPSettings
from pytmva_bnn.methods.mlp.training import Sample, TrainingSettings, initial_network, show_progress, train
from pytmva_bnn.methods.mlp.training.settings import BPMode, Estimator, TrainingMethod
from pytmva_bnn.methods.protocol import MethodEvents, TrainingJob
from pytmva_bnn.random import TRandom3
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.MLP")

#: how far Σw²/Σw may be from 1 before error bars are called wrong
LARGEST_EXCESS = 0.2


def train_network(job: TrainingJob) -> FittedMLP:
    """Train a network as the options of the job say."""
    settings: MLPSettings = job.settings
    training, test = (
        sample_of(events, job.analysis, len(job.dataset.class_names)) for events in (job.training, job.test)
    )
    if settings.training.hessian != "TMVA":
        _tell_of_weights(training, settings.training, job.title)
    random = TRandom3(settings.training.random_seed)
    network = _initial_network(job, training.desired.shape[1], random)
    if settings.training.bp_mode is BPMode.BATCH and not 1 <= settings.training.batch_size <= training.n_events:
        job.options.set_value("BatchSize", training.n_events)
    has_monitor = job.options.flag("EpochMonitoring") and job.analysis != AnalysisType.REGRESSION
    monitor = EpochMonitor() if has_monitor else None
    log.info("Training Network")
    with show_progress(settings.training.n_cycles, log, quiet=job.quiet) as progress:
        result = train(
            network,
            training,
            test,
            settings.training,
            progress=progress,
            monitor=monitor,
            checkpoint=settings.checkpoint,
            random=random,
            sampling=job.sampling,
            title=job.title,
        )
    if result.stopped_by == "interrupt":
        log.warning("%s: interrupted after %d epochs; the weights so far are kept", job.title, result.n_epochs)
    if result.evidence is not None:
        names = tuple(variable.label for variable in job.dataset.variables)
        result = replace(result, evidence=replace(result.evidence, inputs=names))
        log.info("Evidence of %s:\n%s", job.title, result.evidence)
    hessians = result.inverse_hessians or ()
    is_softmax = settings.training.estimator is Estimator.SOFTMAX
    return FittedMLP(
        result.network.matrices,
        result.network.hidden,
        result.network.output,
        result.network.neuron_input,
        hessians if settings.hessian_per_output and not is_softmax else hessians[:1],
        rounded=False,
        is_multiclass=job.analysis == AnalysisType.MULTICLASS,
        is_softmax=is_softmax,
        error_factor=result.error_factor,
        result=result,
        epochs=monitor.entries() if monitor else (),
    )


def sample_of(events: MethodEvents, analysis: AnalysisType, n_classes: int) -> Sample:
    """Return the events with the outputs that the network should have."""
    desired: NDArray[np.floating]
    if analysis == AnalysisType.CLASSIFICATION:
        desired = events.is_signal.astype(np.float64)
    elif analysis == AnalysisType.REGRESSION:
        desired = events.targets
    else:
        desired = multiclass_targets(events.class_index, n_classes)
    return Sample.of(events.inputs, desired, events.weights)


def _initial_network(job: TrainingJob, n_outputs: int, random: TRandom3) -> Network:
    options = job.options
    n_inputs = len(job.dataset.variables)
    sizes = (n_inputs, *hidden_layer_sizes(options.string("HiddenLayers"), n_inputs), n_outputs)
    training: TrainingSettings = job.settings.training
    n_matrices = (training.method is TrainingMethod.BFGS) + (training.calculate_errors or training.use_regulator)
    check_network_size(options.string("HiddenLayers"), sizes, n_matrices, job.title)
    neuron_input: NeuronInput = options.string("NeuronInputType")  # type: ignore[assignment]
    return initial_network(
        sizes,
        random,
        hidden=options.string("NeuronType"),
        output=job.settings.training.estimator.output,
        neuron_input=neuron_input,
    )


def _tell_of_weights(training: Sample, settings: TrainingSettings, title: str) -> None:
    """Say what event weights, above all negative ones, do to the error bars."""
    negative = int(np.count_nonzero(training.weights < 0.0))
    if negative and not settings.ignore_negative_weights:
        log.warning(
            "%s: %d of %d training events have negative weights. They count with their sign in the likelihood and "
            "in its second derivatives, so error bars are large where they prevail and approximate everywhere; "
            "IgnoreNegWeightsInTraining leaves them out",
            title,
            negative,
            training.n_events,
        )
    used = training.without_negative_weights() if settings.ignore_negative_weights else training
    total, scale = float(used.weights.sum()), used.effective_scale
    if total <= 0.0 or abs(1.0 / scale - 1.0) <= LARGEST_EXCESS:
        return
    if settings.is_posterior:
        log.info(
            "%s: event weights are scaled by Σw/Σw² = %.3g: %d events of summed weight %.4g count as %.4g events",
            title,
            scale,
            used.n_events,
            total,
            scale * total,
        )
    else:
        log.warning(
            "%s: error bars treat the weight of an event as a number of events, but Σw²/Σw of the training events "
            "is %.3g: with these weights they are wrong by a factor of about %.2g; Hessian=Posterior takes this "
            "into account",
            title,
            1.0 / scale,
            np.sqrt(1.0 / scale),
        )
