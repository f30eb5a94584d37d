"""From a data set and options to a trained method and its weight file."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.dataset import Sampling, Which, event_weights
from pytmva_bnn.dataset.dataset import DataSet, EventSet
from pytmva_bnn.errors import TooLargeError
from pytmva_bnn.factory.file_info import general_info
from pytmva_bnn.factory.training_checks import (
    check_classes,
    check_labels,
    check_pdfs,
    check_readable,
    check_transformed,
)
from pytmva_bnn.factory.variable_tables import log_ranking, log_statistics
from pytmva_bnn.histograms import PDF
from pytmva_bnn.histograms.response_pdfs import make_response_pdfs
from pytmva_bnn.methods import Fitted, Method, MethodEvents, TrainingJob, method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.model import Model
from pytmva_bnn.options import parse_var_transform
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import FittedChain, TrainingEvents, TransformationChain, fit_chain
from pytmva_bnn.weights import WeightFile, write_xml
from pytmva_bnn.weights.records import as_quantities


@dataclass(frozen=True, eq=False)
class Trained:
    """A training that is done: the method as it is in memory, and what goes into the weight file.

    ``training`` and ``test`` are the events as the method saw them, transformed.  ``response_pdfs`` are those of
    signal and background (CreateMVAPdfs) as they were made; from the nine digits of the file they come out a little
    different.  ``sets`` are those of :meth:`~pytmva_bnn.methods.Method.input_sets`.
    """

    file: WeightFile
    fitted: Fitted
    chain: FittedChain
    training: MethodEvents
    test: MethodEvents
    seconds: float
    response_pdfs: tuple[PDF, PDF] | None = None
    sets: tuple[int, ...] = ()

    @property
    def transformations(self) -> TransformationChain:
        """Return the transformations with the parameters of the training."""
        method = method_of(self.file.kind)
        return method.chain(self.file) if method.takes_spectators else self.chain.training_chain(self.sets)

    def model(self) -> Model:
        """Return the model in memory, not rounded by writing it to a file."""
        return Model(self.file, self.fitted, transformations=self.transformations, response_pdfs=self.response_pdfs)

    def ranking(self, dataset: DataSet) -> Ranking | None:
        """Return the variables by their importance for the method, None if it has no ranking."""
        return self._ranking(dataset, [one.label for one in dataset.variables])

    def printed_ranking(self, dataset: DataSet) -> Ranking | None:
        """Return the same with the names that TMVA prints."""
        return self._ranking(dataset, [getattr(one, self.fitted.printed_names) for one in dataset.variables])

    def _ranking(self, dataset: DataSet, names: Sequence[str]) -> Ranking | None:
        return self.fitted.ranking(self.training, dataset.training.weights, names)

    def write(self, path: Path) -> None:
        """Write the weight file, and what the method keeps beside it."""
        write_xml(self.file, self.fitted.write(self.file.dialect), path, self.fitted.companions())


def train_method(
    dataset: DataSet,
    title: str,
    booked: Booking,
    analysis: AnalysisType,
    *,
    quiet: bool = False,
    sampling: Sampling | None = None,
    hide_negative_weights: bool | None = None,
    job_name: str = "",
) -> Trained:
    """Fit the transformations, train the method, and return it with its weight file.

    ``sampling`` is that of the data set, which several methods share; a new one if it is not given.
    ``hide_negative_weights`` makes negative weights 0; by default IgnoreNegWeightsInTraining decides, but that of
    another method may, as in TMVA.  ``job_name`` is that of the Factory.
    """
    log = logging.getLogger(f"pytmva_bnn.{booked.method.kind}")
    started = time.perf_counter()
    options = booked.options
    hidden = booked.ignores_negative_weights if hide_negative_weights is None else hide_negative_weights
    weights, test_weights = (
        event_weights(events.weights, training=True, ignore_negative=hidden)
        for events in (dataset.training, dataset.test)
    )
    if options.flag("H"):
        log.info("Options of %s:\n%s", title, options.listing())
    definition = options.string("VarTransform")
    if analysis != AnalysisType.REGRESSION:
        check_classes(dataset, weights)
    check_labels(dataset, definition)
    check_pdfs(booked.pdfs, len(dataset.training))
    chain = _fit_chain(dataset, definition, weights)
    file = replace(
        untrained_file(dataset, title, booked.method, analysis),
        transformations=chain.steps,
        n_transformations=chain.n_transformations,
    )
    check_readable(file, definition)
    sets = booked.method.input_sets(file, strict=False)
    training = _transformed(dataset, dataset.training, weights, chain, sets)
    test = _transformed(dataset, dataset.test, test_weights, chain, sets)
    check_transformed(dataset, training, definition)
    if chain.n_transformations:
        events = dataset.training
        seen = chain.forward_training(events.variables, events.targets, events.spectators) if sets else None
        log_statistics(log, title, dataset, *(seen or (training.inputs, training.targets)), weights)
    sampling = sampling or Sampling(len(training), len(test))
    inner = partial(train_sub_method, analysis=analysis, quiet=quiet)
    job = TrainingJob(
        title, analysis, dataset, training, test, options, booked.settings, sampling, quiet, inner, job_name
    )
    try:
        fitted = booked.method.train(job)
    except MemoryError as error:
        if isinstance(error, TooLargeError):
            raise
        what = f"{title}: the training with {len(training)} events does not fit into memory: {error or 'none is left'}"
        raise TooLargeError(what) from error
    if booked.method.takes_spectators:
        columns = fitted.spectators_among(dataset.spectators)
        training, test = (
            replace(sample, inputs=np.hstack([events.variables, events.spectators[:, columns]]))
            for sample, events in ((training, dataset.training), (test, dataset.test))
        )
    seconds = time.perf_counter() - started
    log.info("Elapsed time for training with %d events: %.3g sec", len(training), seconds)
    pdfs = _response_pdfs(title, booked, fitted, training, sampling[Which.TRAINING].events())
    file = replace(
        file,
        info=(*general_info(len(training), seconds, analysis), *booked.method.info(booked.settings)),
        options=booked.records(),
        mva_pdfs=tuple(pdf.record for pdf in pdfs or ()),
    )
    return Trained(file, fitted, chain, training, test, seconds, pdfs, sets)


def train_sub_method(dataset: DataSet, title: str, booked: Booking, *, analysis: AnalysisType, quiet: bool) -> Trained:
    """Train a method inside another; see :class:`~pytmva_bnn.methods.sub_methods.TrainSubMethod`."""
    log = logging.getLogger("pytmva_bnn.Factory")
    log.info("Train method: %s for %s", title, analysis.words)
    trained = train_method(dataset, title, booked, analysis, quiet=quiet)
    log.info("Training finished")
    if analysis != AnalysisType.REGRESSION:
        log_ranking(log, title, trained.printed_ranking(dataset))
    return trained


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


def _transformed(
    dataset: DataSet, events: EventSet, weights: FloatArray, chain: FittedChain, sets: Sequence[int]
) -> MethodEvents:
    inputs, targets = chain.forward_training(events.variables, events.targets, events.spectators, sets=sets)
    return MethodEvents(inputs, targets, events.class_index, weights, dataset.signal_class)


def _response_pdfs(
    title: str, booked: Booking, fitted: Fitted, training: MethodEvents, seen: IndexArray
) -> tuple[PDF, PDF] | None:
    if booked.pdfs is None:
        return None
    made = make_response_pdfs(
        fitted.respond(training.inputs[seen])[:, 0].astype(np.float32),
        training.is_signal[seen],
        training.weights[seen],
        signal=booked.pdfs.signal,
        background=booked.pdfs.background,
        method=title,
        method_type=booked.method.kind,
    )
    return made.signal, made.background


def untrained_file(dataset: DataSet, title: str, method: Method, analysis: AnalysisType) -> WeightFile:
    """Return the weight file as far as the data set tells it."""
    return WeightFile(
        kind=method.kind,
        title=title,
        info=general_info(len(dataset.training), 0.0, analysis),
        options=(),
        variables=dataset.variables,
        spectators=tuple(one for one in dataset.spectators if one.type != "C"),
        classes=dataset.class_names,
        targets=dataset.targets if analysis == AnalysisType.REGRESSION else (),
        transformations=(),
        mva_pdfs=(),
    )
