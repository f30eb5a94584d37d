"""TMVA's CrossValidation: k trainings, each tested on the fold it has not seen."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset import (
    DataLoaderCalls,
    Description,
    InputVariable,
    random_folds,
    stratified_folds,
)
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.executor import Engine, open_executor
from pytmva_bnn.factory.analysis import resolved_analysis_type
from pytmva_bnn.factory.class_file import write_class_beside
from pytmva_bnn.factory.cross_validation_output import cross_validation_output
from pytmva_bnn.factory.cross_validation_result import CrossValidationResult, FoldResult
from pytmva_bnn.factory.evaluation_run import evaluate, respond, responses_in
from pytmva_bnn.factory.file_info import general_info
from pytmva_bnn.factory.output_run import output_path
from pytmva_bnn.factory.sampled import fold_of
from pytmva_bnn.factory.training_run import train_method, untrained_file
from pytmva_bnn.files import check_writable
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.composite.cross_validation_fitted import fold_file_name, weights_line
from pytmva_bnn.methods.composite.split_expression import folds_by_expression
from pytmva_bnn.methods.sub_methods import SubMethodRequest
from pytmva_bnn.model import load
from pytmva_bnn.options import Option, OptionSet, OptionType, option_string
from pytmva_bnn.output import check_chains, check_chains_fit, write_datasets
from pytmva_bnn.tmva_types import EMVA, AnalysisType
from pytmva_bnn.weights import write_xml

log = logging.getLogger("pytmva_bnn.CrossValidation")

CROSS_VALIDATION_OPTIONS = (
    Option("V", OptionType.BOOL, False, "verbose output"),
    Option("VerboseLevel", OptionType.STRING, "Info", "lowest level of messages", ("Debug", "Verbose", "Info")),
    Option("Color", OptionType.BOOL, True, "coloured output"),
    Option("Transformations", OptionType.STRING, "I", "transformations whose distributions are stored, e.g. I;G,D"),
    Option("DrawProgressBar", OptionType.BOOL, False, "progress bars"),
    Option("Silent", OptionType.BOOL, False, "no output"),
    Option("ModelPersistence", OptionType.BOOL, True, "weight files of the folds (always written)"),
    Option("Correlations", OptionType.BOOL, False, "show correlations"),
    Option("ROC", OptionType.BOOL, True, "show ROC integrals"),
    Option(
        "AnalysisType",
        OptionType.STRING,
        "Auto",
        "what the methods are trained for",
        ("Classification", "Regression", "Multiclass", "Auto"),
    ),
    Option(
        "SplitType",
        OptionType.STRING,
        "Random",
        "how events are distributed over the folds",
        ("Deterministic", "Random", "RandomStratified"),
    ),
    Option("SplitExpr", OptionType.STRING, "", "fold of an event, e.g. int(fabs([eventID]))%int([NumFolds])"),
    Option("NumFolds", OptionType.UINT, 2, "number of folds"),
    Option("NumWorkerProcs", OptionType.UINT, 1, "folds trained at the same time (0: number of cores)"),
    Option("FoldFileOutput", OptionType.BOOL, False, "one output file per fold (not available)"),
    Option(
        "OutputEnsembling",
        OptionType.STRING,
        "None",
        "None: response of the fold that was not trained on the event; Avg: mean",
        ("None", "Avg"),
    ),
)


@dataclass(frozen=True)
class _Booked:
    """A method to be cross-validated."""

    kind: str
    title: str
    options: str
    sub_methods: list[SubMethodRequest] = field(default_factory=list)


class CrossValidatedMethod:
    """What BookMethod gives: a Category gets its methods by AddMethod, as in a Factory.

    TMVA: BookMethod of a cross-validation gives nothing, so that there can be no Category in it.
    """

    def __init__(self, booked: _Booked, booking: Booking, loader: DataLoaderCalls) -> None:
        self._booked = booked
        self._booking = booking
        self._loader = loader

    def AddMethod(
        self,
        cut: Any,
        variables: str,
        type: EMVA | str,  # noqa: A002 - TMVA's name
        title: str,
        options: str = "",
        **keywords: object,
    ) -> None:
        """Book a method for the events that pass a cut; its events are those of the fold, so that none is seen twice.

        See :meth:`pytmva_bnn.factory.MethodBase.AddMethod`.
        """
        request = SubMethodRequest.of(cut, variables, type, title, options, keywords)
        booking = self._booking
        booking.method.add_sub_method(booking.settings, request, self._loader.description, own_events=False)
        self._booked.sub_methods.append(request)


@dataclass(frozen=True)
class _Task:
    """One fold of one method."""

    fold: int
    booked: _Booked
    weight_file: Path


@dataclass(frozen=True)
class _Shared:
    """What the tasks have in common; ``folder`` is that of the weight files' names."""

    dataset: DataSet
    folds: list[NDArray[np.intp]]
    analysis: AnalysisType
    folder: Path
    averaged: bool


class CrossValidation:
    """Cross-validate methods: ``CrossValidation(job, loader, options)`` or ``(job, loader, output_file, options)``.

    The training part of the loader's data set is cut into folds; usually it is prepared with
    ``nTest_Signal=1:nTest_Background=1``, so that nearly all events are in it.  The output file, a path or None, has
    these events with the response of the fold that has not seen them.

    >>> import pytmva_bnn as TMVA
    >>> loader = TMVA.DataLoader("dataset")
    >>> loader.AddVariable("pt")
    >>> loader.AddSignalTree("xml_fixtures/data/fakerate.root:pass")
    >>> loader.AddBackgroundTree("xml_fixtures/data/fakerate.root:fail")
    >>> loader.PrepareTrainingAndTestTree("", "nTest_Signal=1:nTest_Background=1")
    >>> cv = TMVA.CrossValidation("job", loader, "!V:Silent:NumFolds=3:AnalysisType=Classification")
    >>> cv.options.integer("NumFolds")
    3
    """

    checks_values: ClassVar[bool] = True
    """Whether option values that make no sense are refused, not read as TMVA reads them."""

    def __init__(self, job_name: str, loader: DataLoaderCalls, *args: Any, **keywords: object) -> None:
        if len(args) > 2 or (len(args) == 2 and not isinstance(args[1], str)):
            raise InputError(
                "CrossValidation takes (job name, loader, options) or (job name, loader, output file, options)"
            )
        # the last text is the option string; in front of it, or alone, may stand the output file
        text = args[-1] if args and isinstance(args[-1], str) else ""
        self.target_file = args[0] if len(args) == 2 or (args and not isinstance(args[0], str)) else None
        self.job_name = str(job_name)
        self.loader = loader
        self.options = OptionSet(CROSS_VALIDATION_OPTIONS, owner="CrossValidation")
        self.options.parse(option_string(text, keywords))
        self.options.check_unused()
        if self.options.string("SplitExpr") and self.options.string("SplitType") != "Deterministic":
            raise OptionError("SplitExpr can only be used with SplitType=Deterministic")
        if self.options.flag("FoldFileOutput"):
            raise OptionError("FoldFileOutput is not available; GetResults() has the results of the folds")
        check_chains(self.options.string("Transformations"))
        self._check_folds()
        self._booked: list[_Booked] = []
        self._results: list[CrossValidationResult] = []

    def BookMethod(self, kind: EMVA | str, title: str, options: str = "", **keywords: object) -> CrossValidatedMethod:
        """Book a method: ``(TMVA.Types.kMLP, "MLP", options)``."""
        name = kind.method_name if isinstance(kind, EMVA) else str(kind)
        if any(title == one.title for one in self._booked):
            raise InputError(f"a method with title {title} is already booked")
        text = option_string(options, keywords)
        n_variables = len(self.loader.description.variables)
        # typos show now, not in a fold
        booking = Booking.parse(method_of(name), text, self._analysis(), title, n_variables)
        if self.checks_values:
            booking.check_values(n_variables)
        self._booked.append(_Booked(name, title, text))
        return CrossValidatedMethod(self._booked[-1], booking, self.loader)

    def Evaluate(self, executor: Engine = None) -> None:
        """Train and evaluate all folds of all booked methods, ``NumWorkerProcs`` at a time.

        They can also be trained on a dask cluster, or by what else :func:`~pytmva_bnn.executor.open_executor` takes.
        """
        if not self._booked:
            log.warning("No method is booked, nothing to evaluate")
        target, transformations = output_path(self.target_file), self.options.string("Transformations")
        if target is not None:
            check_writable(target)
            check_chains_fit(transformations, self.loader.description)
        dataset = self.loader.built()
        folds = self._folds(dataset)
        averaged = self.options.string("OutputEnsembling") == "Avg"
        train = partial(_run, _Shared(dataset, folds, self._analysis(), Path.cwd(), averaged))
        tasks = [
            _Task(k, booked, self._folder / fold_file_name(self.job_name, booked.title, k))
            for booked in self._booked
            for k in range(len(folds))
        ]
        self._results = []
        found: list[FoldResult] = []
        with open_executor(executor, self.options.integer("NumWorkerProcs")) as opened:
            for index, one in opened.run(train, tasks, name=_name):
                found.append(one)
                if len(found) == len(folds):
                    self._results.append(self._collected(tasks[index].booked.title, dataset, folds, found))
                    found = []
                    for line in str(self._results[-1]).splitlines():
                        log.info("%s", line)
        for booked, result in zip(self._booked, self._results, strict=True):
            self._write(booked, result, dataset)
        if target is not None:
            output = cross_validation_output(dataset, folds, self._results, self._analysis(), transformations)
            write_datasets(target, [output])

    def _write(self, booked: _Booked, result: CrossValidationResult, dataset: DataSet) -> None:
        """Write the weight file that stands for those of the folds."""
        analysis = self._analysis()
        seconds = sum(fold.seconds for fold in result.folds)
        kind = method_of("CrossValidation")
        file = untrained_file(dataset, booked.title, kind, analysis)
        info, options = general_info(len(dataset.training), seconds, analysis), OptionSet(kind.options, owner=kind.kind)
        weights = weights_line(
            self.job_name,
            booked.title,
            booked.kind,
            len(result.folds),
            self.options.string("SplitExpr"),
            averaged=self.options.string("OutputEnsembling") == "Avg",
        )
        log.info("Creating xml weight file: %s", result.weight_file)
        write_xml(replace(file, info=info, options=tuple(options.records())), [weights], result.weight_file)

    def GetResults(self) -> tuple[CrossValidationResult, ...]:
        """Return one result for each booked method."""
        return tuple(self._results)

    def SetNumFolds(self, n_folds: int) -> None:
        """Set the number of folds; the split then keeps the shares of the classes, as in TMVA."""
        self.options.set_value("NumFolds", int(n_folds))
        if not self.options.string("SplitExpr"):
            self.options.set_value("SplitType", "RandomStratified")
        self._check_folds()

    def SetSplitExpr(self, expression: str) -> None:
        """Split by the value of an expression of spectators, e.g. ``int(fabs([eventID]))%int([NumFolds])``."""
        self.options.set_value("SplitType", "Deterministic")
        self.options.set_value("SplitExpr", str(expression))

    def _check_folds(self) -> None:
        if self.options.integer("NumFolds") < 2:
            raise OptionError(f"NumFolds must be at least 2, got {self.options.integer('NumFolds')}")

    def GetNumFolds(self) -> int:
        """Return the number of folds."""
        return self.options.integer("NumFolds")

    def GetMethods(self) -> tuple[Mapping[str, str], ...]:
        """Return MethodName, MethodTitle and MethodOptions of each booked method, in the order of the results."""
        return tuple(
            {"MethodName": one.kind, "MethodTitle": one.title, "MethodOptions": one.options} for one in self._booked
        )

    def _analysis(self) -> AnalysisType:
        return AnalysisType.named(self.options.string("AnalysisType")) or resolved_analysis_type(
            self.loader.description
        )

    @property
    def _folder(self) -> Path:
        return Path(self.loader.description.name) / "weights"

    def _folds(self, dataset: DataSet) -> list[NDArray[np.intp]]:
        n_folds = self.options.integer("NumFolds")
        kind, expression = self.options.string("SplitType"), self.options.string("SplitExpr")
        if len(dataset.training) < 10 * n_folds:
            raise InputError(f"{len(dataset.training)} training events are too few for {n_folds} folds")
        if expression:
            return folds_by_expression(expression, dataset.spectators, dataset.training.spectators, n_folds)
        if kind == "Random":
            return random_folds(len(dataset.training), n_folds)
        # TMVA: Deterministic without an expression is a stratified split
        return stratified_folds(dataset.training.class_index, n_folds)

    def _collected(
        self, title: str, dataset: DataSet, folds: list[NDArray[np.intp]], found: list[FoldResult]
    ) -> CrossValidationResult:
        averaged = [one.all_responses for one in found if one.all_responses is not None]
        if averaged:
            responses = np.mean(averaged, axis=0)
        else:
            responses = np.empty((len(dataset.training), found[0].test_responses.shape[1]))
            for events, one in zip(folds, found, strict=True):
                responses[events] = one.test_responses
        weight_file = self._folder / f"{self.job_name}_{title}.weights.xml"
        return CrossValidationResult(title, tuple(found), responses, weight_file)


def _description_of(dataset: DataSet) -> Description:
    """Return what is declared of a data set, without its trees."""
    quantities = (dataset.variables, dataset.targets, dataset.spectators)
    variables, targets, spectators = ([InputVariable(one) for one in records] for records in quantities)
    return Description(dataset.name, variables, targets, spectators)


def _name(task: _Task) -> str:
    return f"fold {task.fold + 1} of {task.booked.title}"


def _run(shared: _Shared, task: _Task) -> FoldResult:
    """Train and evaluate one fold."""
    title = f"{task.booked.title}_fold{task.fold + 1}"
    dataset = fold_of(shared.dataset, shared.folds, task.fold)
    kind, n_variables = method_of(task.booked.kind), len(dataset.variables)
    booked = Booking.parse(kind, task.booked.options, shared.analysis, title, n_variables)
    for request in task.booked.sub_methods:
        kind.add_sub_method(booked.settings, request, _description_of(dataset), own_events=False)
    trained = train_method(dataset, title, booked, shared.analysis, quiet=True)
    if trained.fitted.interrupted_after:  # the other folds are not to be trained
        raise KeyboardInterrupt
    weight_file = shared.folder / task.weight_file
    trained.write(weight_file)
    write_class_beside(weight_file, load(weight_file), title)
    # TMVA: folds are evaluated as they were trained, not as their weight files round them
    model = trained.model()
    responses = respond(model, trained, dataset)
    result = evaluate(title, model, responses, dataset)
    everywhere = responses_in(shared.dataset, shared.dataset.training, model) if shared.averaged else None
    return FoldResult(task.fold, task.weight_file, result, responses.test_reread, trained.seconds, everywhere)
