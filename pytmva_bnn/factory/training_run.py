"""From a data set and options to a trained network and its weight file."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.dataset import Sampling, Which, event_weights, multiclass_targets
from pytmva_bnn.dataset.dataset import DataSet, EventSet
from pytmva_bnn.factory.file_info import general_info
from pytmva_bnn.factory.training_checks import (
    check_labels,
    check_pdfs,
    check_readable,
    check_transformed,
    warn_of_weights,
)
from pytmva_bnn.histograms import PDF
from pytmva_bnn.histograms.response_pdfs import make_response_pdfs
from pytmva_bnn.methods.mlp.network import Network, forward
from pytmva_bnn.methods.mlp.network.layout import NeuronInput
from pytmva_bnn.methods.mlp.options import MLPOptions
from pytmva_bnn.methods.mlp.training import Sample, TrainingResult, initial_network, show_progress, train
from pytmva_bnn.methods.mlp.training.hessian import posterior_covariance
from pytmva_bnn.methods.mlp.training.regulators import RegulatorGroups
from pytmva_bnn.methods.mlp.training.settings import BPMode, Estimator
from pytmva_bnn.options import hidden_layer_sizes, parse_var_transform
from pytmva_bnn.random import TRandom3
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import FittedChain, TrainingEvents, fit_chain
from pytmva_bnn.weights import WeightFile
from pytmva_bnn.weights.records import as_quantities

log = logging.getLogger("pytmva_bnn.MLP")


@dataclass(frozen=True, eq=False)
class TrainedMLP:
    """A training that is done: the network with its full weights, and what goes into the weight file.

    ``training`` and ``test`` are the events as the network saw them, transformed.  ``response_pdfs`` are those of
    signal and background (CreateMVAPdfs) as they were made; from the nine digits of the file they come out a little
    different.
    """

    weight_file: WeightFile
    network: Network
    chain: FittedChain
    result: TrainingResult
    training: Sample
    test: Sample
    seconds: float
    response_pdfs: tuple[PDF, PDF] | None = None

    def outputs(self, sample: Sample) -> FloatArray:
        """Return the outputs of the network, ``(n_events, n_outputs)``."""
        return forward(self.network, sample.inputs)


def train_mlp(
    dataset: DataSet,
    title: str,
    booked: MLPOptions,
    analysis: AnalysisType,
    *,
    quiet: bool = False,
    sampling: Sampling | None = None,
    hide_negative_weights: bool | None = None,
) -> TrainedMLP:
    """Fit the transformations, train the network, and return it with its weight file.

    ``sampling`` is that of the data set, which several methods share; a new one if it is not given.
    ``hide_negative_weights`` makes negative weights 0; by default IgnoreNegWeightsInTraining decides, but that of
    another method may, as in TMVA.

    >>> from pytmva_bnn.dataset import DataLoader
    >>> loader = DataLoader("dataset")
    >>> loader.AddVariable("x")
    >>> loader.AddSignalTree({"x": np.linspace(0, 2, 40)})
    >>> loader.AddBackgroundTree({"x": np.linspace(-2, 0.5, 40)})
    >>> text = "TrainingMethod=BFGS:NCycles=5:HiddenLayers=2:VarTransform=N"
    >>> options = MLPOptions.parse(text, "Classification", "MLP")
    >>> trained = train_mlp(loader.dataset, "MLP", options, "Classification", quiet=True)
    >>> trained.weight_file.matrices[0].shape
    (2, 2)
    """
    started = time.perf_counter()
    options, settings = booked.options, booked.settings
    hidden = settings.ignore_negative_weights if hide_negative_weights is None else hide_negative_weights
    weights, test_weights = (
        event_weights(events.weights, training=True, ignore_negative=hidden)
        for events in (dataset.training, dataset.test)
    )
    if options.flag("H"):
        log.info("Options of %s:\n%s", title, options.listing())
    definition = options.string("VarTransform")
    check_labels(dataset, definition)
    check_pdfs(booked.pdfs, len(dataset.training))
    chain = _fit_chain(dataset, definition, weights)
    file = _untrained_file(dataset, title, analysis, chain)
    check_readable(file, definition)
    training = _sample(dataset, dataset.training, weights, chain, analysis)
    test = _sample(dataset, dataset.test, test_weights, chain, analysis)
    check_transformed(dataset, training, definition)
    if booked.hessian == "Posterior":
        warn_of_weights(weights, title)
    random = TRandom3(settings.random_seed)
    network = _initial_network(dataset, booked, training.desired.shape[1], random)
    if settings.bp_mode is BPMode.BATCH and not 1 <= settings.batch_size <= training.n_events:
        options.set_value("BatchSize", training.n_events)
    log.info("Training Network")
    sampling = sampling or Sampling(training.n_events, test.n_events)
    with show_progress(settings.n_cycles, quiet=quiet) as progress:
        result = train(
            network,
            training,
            test,
            settings,
            progress=progress,
            checkpoint=booked.checkpoint,
            random=random,
            sampling=sampling,
        )
    seconds = time.perf_counter() - started
    log.info("Elapsed time for training with %d events: %.3g sec", training.n_events, seconds)
    if result.stopped_by == "interrupt":
        log.warning("%s: interrupted after %d epochs; the weights so far are kept", title, result.n_epochs)
    if result.evidence is not None:
        names = tuple(variable.label for variable in dataset.variables)
        result = replace(result, evidence=replace(result.evidence, inputs=names))
        log.info("Evidence of %s:\n%s", title, result.evidence)
    seen = sampling[Which.TRAINING].events()
    pdfs = _response_pdfs(dataset, title, booked, training, weights, result, seen)
    file = _trained_file(file, booked, training, result, seconds, pdfs)
    return TrainedMLP(file, result.network, chain, result, training, test, seconds, pdfs)


def _fit_chain(dataset: DataSet, definition: str, weights: FloatArray) -> FittedChain:
    events = dataset.training
    return fit_chain(
        parse_var_transform(definition),
        TrainingEvents(
            events.variables, events.class_index.astype(np.intp), weights, events.targets, events.spectators
        ),
        class_names=dataset.class_names,
        variables=as_quantities("Variable", dataset.variables),
        targets=as_quantities("Target", dataset.targets),
        spectators=as_quantities("Spectator", dataset.spectators),
    )


def _sample(
    dataset: DataSet, events: EventSet, weights: FloatArray, chain: FittedChain, analysis: AnalysisType
) -> Sample:
    inputs, targets = chain.forward_training(events.variables, events.targets, events.spectators)
    desired: NDArray[np.floating]
    if analysis == AnalysisType.CLASSIFICATION:
        desired = (events.class_index == dataset.signal_class).astype(np.float64)
    elif analysis == AnalysisType.REGRESSION:
        desired = targets
    else:
        desired = multiclass_targets(events.class_index, len(dataset.class_names))
    return Sample.of(inputs, desired, weights)


def _initial_network(dataset: DataSet, booked: MLPOptions, n_outputs: int, random: TRandom3) -> Network:
    options = booked.options
    n_inputs = len(dataset.variables)
    sizes = (n_inputs, *hidden_layer_sizes(options.string("HiddenLayers"), n_inputs), n_outputs)
    neuron_input: NeuronInput = options.string("NeuronInputType")  # type: ignore[assignment]
    return initial_network(
        sizes,
        random,
        hidden=options.string("NeuronType"),
        output=booked.settings.estimator.output,
        neuron_input=neuron_input,
    )


def _response_pdfs(
    dataset: DataSet,
    title: str,
    booked: MLPOptions,
    training: Sample,
    weights: FloatArray,
    result: TrainingResult,
    seen: NDArray[np.intp],
) -> tuple[PDF, PDF] | None:
    if booked.pdfs is None:
        return None
    made = make_response_pdfs(
        forward(result.network, training.inputs[seen])[:, 0].astype(np.float32),
        dataset.training.of_class(dataset.signal_class)[seen],
        weights[seen],
        signal=booked.pdfs.signal,
        background=booked.pdfs.background,
        method=title,
    )
    return made.signal, made.background


def _untrained_file(dataset: DataSet, title: str, analysis: AnalysisType, chain: FittedChain) -> WeightFile:
    """Return the weight file as far as it is known before the training."""
    return WeightFile(
        title=title,
        info=general_info(len(dataset.training), 0.0, analysis),
        options=(),
        variables=dataset.variables,
        spectators=tuple(one for one in dataset.spectators if one.type != "C"),
        classes=dataset.class_names,
        targets=dataset.targets if analysis == AnalysisType.REGRESSION else (),
        transformations=chain.steps,
        n_transformations=chain.n_transformations,
        mva_pdfs=(),
        matrices=(),
    )


def _trained_file(
    file: WeightFile,
    booked: MLPOptions,
    training: Sample,
    result: TrainingResult,
    seconds: float,
    pdfs: tuple[PDF, PDF] | None,
) -> WeightFile:
    matrices = _inverse_hessians(booked, training, result)
    info = general_info(training.n_events, seconds, file.analysis_type)
    if booked.hessian != "TMVA":
        info = (*info, ("Hessian", booked.hessian))
    return replace(
        file,
        info=info,
        options=booked.records(),
        mva_pdfs=tuple(pdf.record for pdf in pdfs or ()),
        matrices=result.network.matrices,
        inverse_hessian=matrices[0] if matrices else None,
        more_inverse_hessians=matrices[1:] if booked.hessian_per_output else (),
    )


def _inverse_hessians(booked: MLPOptions, training: Sample, result: TrainingResult) -> tuple[FloatArray, ...]:
    if result.inverse_hessians is None or booked.hessian == "TMVA":
        return result.inverse_hessians or ()
    network = result.network
    groups = RegulatorGroups.of(network)
    regulators = np.zeros(groups.n_groups) if result.regulators is None else result.regulators
    if booked.settings.estimator is Estimator.CE:
        noise = 1.0
    else:
        noise = result.evidence.noise_variance if result.evidence else result.training_estimator
    return tuple(
        posterior_covariance(network, training, groups.of_weights(regulators), noise_variance=noise, output=k)
        for k in range(network.n_outputs)
    )
