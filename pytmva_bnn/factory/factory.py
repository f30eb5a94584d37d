"""TMVA's Factory: books methods, trains them and writes their weight files."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pytmva_bnn.dataset import DataLoaderCalls, Sampling
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import InputError, UnknownMethodError, suggestion
from pytmva_bnn.evaluation.figures_of_merit import figure_of_merit
from pytmva_bnn.executor import Engine, open_executor
from pytmva_bnn.factory.analysis import resolved_analysis_type
from pytmva_bnn.factory.evaluation_calls import EvaluationCalls, log_inputs
from pytmva_bnn.factory.importance import importances, with_variables
from pytmva_bnn.factory.method import MethodBase
from pytmva_bnn.factory.optimization import check_fit_type, optimum
from pytmva_bnn.factory.output_run import method_output, output_path
from pytmva_bnn.factory.variable_tables import log_ranking
from pytmva_bnn.files import check_writable
from pytmva_bnn.methods import method_of
from pytmva_bnn.options import FACTORY_OPTIONS, OptionSet, option_string
from pytmva_bnn.output import DataSetOutput, check_chains, check_chains_fit, write_datasets
from pytmva_bnn.tmva_types import EMVA, AnalysisType, ETreeType, VIType

log = logging.getLogger("pytmva_bnn.Factory")

LEAST_TRAINING_EVENTS = 10


class Factory(DataLoaderCalls, EvaluationCalls, Displayed):
    """Book, train and keep methods.

    ``Factory(job, options)`` or ``Factory(job, output_file, options)``; options may be keywords too.  A Factory
    without a DataLoader (ROOT 5 and early ROOT 6) has the calls of one itself: ``AddVariable``, ``AddSignalTree``,
    ``PrepareTrainingAndTestTree`` and so on; ``BookMethod(type, title, options)`` then has no loader.

    >>> import pytmva_bnn as TMVA
    >>> loader = TMVA.DataLoader("dataset")
    >>> loader.AddVariable("pt")
    >>> loader.AddVariable("ht")
    >>> loader.AddSignalTree("xml_fixtures/data/fakerate.root:pass")
    >>> loader.AddBackgroundTree("xml_fixtures/data/fakerate.root:fail")
    >>> loader.PrepareTrainingAndTestTree("", "nTrain_Signal=500:nTrain_Background=500:SplitMode=Random")
    >>> factory = TMVA.Factory("job", "!V:Silent:!ModelPersistence:AnalysisType=Classification")
    >>> method = factory.BookMethod(loader, TMVA.Types.kMLP, "BNN",
    ...     "TrainingMethod=BFGS:NCycles=20:HiddenLayers=4:VarTransform=N:UseRegulator:CalculateErrors")
    >>> factory.TrainAllMethods()
    >>> value, lower, upper = method.model.predict({"pt": [15.0], "ht": [80.0]}, errors=True)
    >>> bool(0 < value[0] < 1 and lower[0] > 0)
    True
    """

    method_class: ClassVar[type[MethodBase]] = MethodBase
    """What BookMethod makes."""

    def __init__(self, job_name: str, *args: Any, **keywords: object) -> None:
        target, text = _target_and_options(args)
        self.job_name = str(job_name)
        self.target_file = target
        self.options = OptionSet(FACTORY_OPTIONS, owner="Factory")
        self.options.parse(option_string(text, keywords))
        self.options.check_unused()
        check_chains(self.options.string("Transformations"))
        self._analysis_type = AnalysisType.named(self.options.string("AnalysisType"))
        self._methods: dict[str, list[MethodBase]] = {}
        self._loaders: dict[str, DataLoaderCalls] = {}
        self.describe("Default")

    def __repr__(self) -> str:
        titles = [method.title for methods in self._methods.values() for method in methods]
        return f"<Factory {self.job_name!r}: {', '.join(titles) or 'no methods'}>"

    # -- booking

    def BookMethod(self, *args: Any, **keywords: object) -> MethodBase:
        """Book a method: ``BookMethod(loader, type, title, options)``, or without a loader if the Factory is one.

        ``type`` is a constant such as ``TMVA.Types.kMLP`` or its name, ``"MLP"``; options may be given as keywords.
        """
        loader, kind, title, text = self._booking_arguments(args)
        method_type = method_of(kind)
        analysis = self._resolved_analysis_type(loader)
        name = loader.description.name
        self._check_number_of_classes(name, [one.name for one in loader.description.classes])
        if any(method.title == title for method in self._methods.get(name, ())):
            raise InputError(f"Booking failed since method with title <{title}> already exists in dataset {name}")
        log.info("Booking method: %s", title)
        file = self.weight_file(loader, title)
        method = self.method_class(method_type, loader, title, option_string(text, keywords), analysis, file)
        self._methods.setdefault(name, []).append(method)
        self._loaders[name] = loader
        return method

    def _booking_arguments(self, args: tuple[Any, ...]) -> tuple[DataLoaderCalls, str, str, str]:
        rest = list(args)
        loader = rest.pop(0) if rest and isinstance(rest[0], DataLoaderCalls) else self
        if not 2 <= len(rest) <= 3:
            raise InputError(
                "BookMethod takes (loader, type, title, options), e.g. (loader, TMVA.Types.kMLP, 'MLP', '!V')"
            )
        kind = rest[0].method_name if isinstance(rest[0], EMVA) else str(rest[0])
        return loader, kind, str(rest[1]), str(rest[2]) if len(rest) == 3 else ""

    def _resolved_analysis_type(self, loader: DataLoaderCalls) -> AnalysisType:
        """Return the analysis type; Auto is decided at the first booking and then kept."""
        if self._analysis_type is None:
            self._analysis_type = resolved_analysis_type(loader.description, by_targets=loader is self)
        return self._analysis_type

    def weight_file(self, loader: DataLoaderCalls, title: str) -> Path | None:
        """Return where the weight file of a method goes, None without ModelPersistence."""
        if not self.options.flag("ModelPersistence"):
            return None
        folder = Path("weights") if loader is self else Path(loader.description.name) / "weights"
        return folder / f"{self.job_name}_{title}.weights.xml"

    # -- training

    def OptimizeAllMethods(
        self,
        fomType: str = "ROCIntegral",  # noqa: N803 - TMVA's name
        fitType: str = "FitGA",  # noqa: N803 - TMVA's name
        *,
        executor: Engine = None,
        workers: int | None = None,
    ) -> dict[str, float]:
        """Find the best values of the tuning parameters of BDT and SVM, and book the methods with them.

        ``fomType`` is ``"ROCIntegral"``, ``"Separation"``, ``"SigEffAtBkgEff01"`` (at 0.1; ``001``: at 0.01),
        ``"BkgRejAtSigEff05"`` or ``"BkgEffAtSigEff05"``; several classes always have their mean ROC integral, and
        regression the RMS deviation.  One third of the training events gives it, the others are trained on.
        ``fitType`` is ``"Scan"`` (all points), ``"FitGA"``, ``"FitMC"`` or ``"FitSA"``.

        Returns the values of the last method, nothing if it has no tuning.  Ctrl-C keeps the best so far.
        ``executor`` and ``workers`` say where the trainings run (:func:`~pytmva_bnn.executor.open_executor`); the
        result is the same.
        """
        merit, fit_type = str(fomType), str(fitType)
        figure_of_merit(merit)
        check_fit_type(fit_type)
        values: dict[str, float] = {}
        with open_executor(executor, workers) as opened:
            for name in sorted(self._methods):
                dataset, _ = self._dataset_of(name)
                for method in self._methods[name]:
                    if not _has_enough_events(dataset, method):
                        continue
                    log.info("Optimize method: %s for %s", method.title, method.analysis_type.words)
                    found = optimum(method, dataset, merit, fit_type, opened, quiet=self._is_quiet)
                    log.info("Optimization of tuning parameters finished for Method:%s", method.title)
                    values = dict(found.values)
                    if found.is_interrupted:
                        log.warning("Interrupted: %s has the best parameters so far", method.title)
                        return values
        return values

    OptimizeAllMethodsForClassification = OptimizeAllMethods
    OptimizeAllMethodsForRegression = OptimizeAllMethods

    def TrainAllMethods(self) -> None:
        """Train all booked methods and write their weight files."""
        log.info("Train all methods")
        if not self._methods:
            log.info("...nothing found to train")
        self._check_output()
        for name in sorted(self._methods):
            dataset, ignore = self._dataset_of(name)
            # TMVA: it belongs to the plots of the output file
            if self._has_output and len(dataset.training):
                log_inputs(dataset, self.options.string("Transformations"))
            # TMVA: the methods of a data set share its sampling and the generator of that
            sampling = Sampling(len(dataset.training), len(dataset.test))
            for method in self._methods[name]:
                if not _has_enough_events(dataset, method):
                    continue
                log.info("Train method: %s for %s", method.title, method.analysis_type.words)
                method.train(
                    dataset,
                    quiet=self._is_quiet,
                    sampling=sampling,
                    hide_negative_weights=ignore,
                    job_name=self.job_name,
                )
                log.info("Training finished")
                if method.trained.fitted.interrupted_after:
                    log.warning("Interrupted: the methods after %s are not trained", method.title)
                    break
            if self._analysis_type != AnalysisType.REGRESSION:
                log.info("Ranking input variables (method specific)...")
                for method in self._methods[name]:
                    if method.is_trained:
                        log_ranking(log, method.title, method.trained.printed_ranking(dataset))

    TrainAllMethodsForClassification = TrainAllMethods
    TrainAllMethodsForRegression = TrainAllMethods

    def EvaluateImportance(
        self,
        loader: DataLoaderCalls,
        subsets: VIType | int,
        kind: EMVA | str,
        title: str,
        options: str = "",
        **keywords: object,
    ) -> dict[str, float]:
        """Train a method with subsets of the variables; return the importance of each in per cent, the largest first.

        ``subsets`` is ``TMVA.VIType.kShort`` (all variables, and without each of them) or ``kAll``.
        """
        which, analysis = VIType(subsets), self._resolved_analysis_type(loader)
        name = kind.method_name if isinstance(kind, EMVA) else kind
        text = option_string(options, keywords)

        def roc_integral(numbers: Iterable[int]) -> float:
            part = with_variables(loader.description, numbers)
            method = self.method_class(method_of(name), part, title, text, analysis, None)
            method.train(part.built(for_classification=True), quiet=True)
            return self._roc(method, 0, ETreeType.kTesting).auc

        labels = [one.record.label for one in loader.description.variables]
        found = importances(len(labels), roc_integral, which)
        with np.errstate(all="ignore"):
            percent = dict(zip(labels, (100.0 * found / found.sum()).tolist(), strict=True))
        log.info("--- Variable Importance Results (%s)", which.name.removeprefix("k"))
        for label, value in (ordered := sorted(percent.items(), key=lambda item: -item[1])):
            log.info("--- %s = %g %%", label, value)
        return dict(ordered)

    def _dataset_of(self, name: str) -> tuple[DataSet, bool]:
        """Return a data set for its trainings, and whether negative weights are ignored in them."""
        # TMVA: the method booked last decides for all
        ignore = [m for ms in self._methods.values() for m in ms][-1].booked.ignores_negative_weights
        # TMVA: such a method has built the data set when it was booked, not in training
        early = any(one.booked.builds_dataset_early for one in self._methods[name])
        dataset = self._loaders[name].built(
            ignore_negative_weights=ignore and not early,
            for_classification=self._analysis_type != AnalysisType.REGRESSION,
        )
        self._check_trainable(name, dataset.class_names, len(dataset.targets))
        return dataset, ignore

    def _check_trainable(self, name: str, class_names: Sequence[str], n_targets: int) -> None:
        if self._analysis_type == AnalysisType.REGRESSION and not n_targets:
            raise InputError(f"{name}: you want to do regression training without specifying a target; call AddTarget")
        if self._analysis_type != AnalysisType.REGRESSION and len(class_names) < 2:
            raise InputError(
                f"{name}: you want to do classification training, but specified less than two classes; "
                "add a tree for each"
            )
        self._check_number_of_classes(name, class_names)

    def _check_number_of_classes(self, name: str, class_names: Sequence[str]) -> None:
        # TMVA: says so in a warning and books nothing
        if self._analysis_type == AnalysisType.CLASSIFICATION and len(class_names) > 2:
            raise InputError(
                f"{name}: AnalysisType=Classification needs exactly two classes, but there are {len(class_names)} "
                f"({', '.join(class_names)}); set AnalysisType=Multiclass"
            )

    @property
    def _is_quiet(self) -> bool:
        return self.options.flag("Silent") or not self.options.flag("DrawProgressBar")

    # -- output file

    def _check_output(self) -> None:
        """Raise what would else stop the writing of the files, hours later."""
        target = output_path(self.target_file)
        methods = [method for methods in self._methods.values() for method in methods]
        for file in (target, *(method.weight_file for method in methods)):
            if file is not None:
                check_writable(file)
        if target is not None:
            for name in sorted(self._methods):
                check_chains_fit(self.options.string("Transformations"), self._loaders[name].description)

    @property
    def _has_output(self) -> bool:
        return output_path(self.target_file) is not None

    def _write_output(self) -> None:
        path = output_path(self.target_file)
        if path is None:
            return
        # TMVA: counts the methods of a kind over all data sets
        numbers: dict[str, Iterator[int]] = defaultdict(count)
        sets = [self._output_of(name, numbers) for name in sorted(self._methods)]
        # TMVA <= 6.06: without a DataLoader everything stands at the top of the file
        write_datasets(path, sets, top_level=len(sets) == 1 and self._loaders[min(self._methods)] is self)
        log.info("Output file: %s", path)

    def _output_of(self, name: str, numbers: Mapping[str, Iterator[int]]) -> DataSetOutput:
        whole = self._loaders[name].built()
        trained = [method for method in self._methods[name] if method.is_trained]
        return DataSetOutput(
            trained[0].evaluated_dataset if trained else whole,
            [method_output(method, next(numbers[method.kind])) for method in trained],
            self._resolved_analysis_type(self._loaders[name]),
            self.options.string("Transformations"),
            whole,
        )

    # -- access

    def GetMethod(self, loader: str | DataLoaderCalls, title: str) -> MethodBase:
        """Return a booked method."""
        name = loader if isinstance(loader, str) else loader.description.name
        for method in self._methods.get(name, ()):
            if method.title == title:
                return method
        known = [f"{name}/{method.title}" for name, methods in self._methods.items() for method in methods]
        hint = suggestion(f"{name}/{title}", known)
        raise UnknownMethodError(
            f"no method {title} is booked for {name}{': ' + hint if hint else ''} "
            f"(booked: {', '.join(known) or 'none'})"
        )

    def HasMethod(self, loader: str | DataLoaderCalls, title: str) -> bool:
        """Return whether a method of that title is booked."""
        name = loader if isinstance(loader, str) else loader.description.name
        return any(method.title == title for method in self._methods.get(name, ()))

    def DeleteAllMethods(self) -> None:
        """Forget all methods."""
        self._methods.clear()
        self._loaders.clear()

    @property
    def methods(self) -> tuple[MethodBase, ...]:
        """Return all booked methods, data set by data set in the order of their names."""
        return tuple(method for name in sorted(self._methods) for method in self._methods[name])


def _has_enough_events(dataset: DataSet, method: MethodBase) -> bool:
    n_events = len(dataset.training)
    if n_events < LEAST_TRAINING_EVENTS:
        log.warning(
            "Method %s not trained (training tree has less entries [%d] than required [%d])",
            method.title,
            n_events,
            LEAST_TRAINING_EVENTS,
        )
    return n_events >= LEAST_TRAINING_EVENTS


def _target_and_options(args: tuple[Any, ...]) -> tuple[Any, str]:
    match args:
        case ():
            return None, ""
        case (str() as text,):
            return None, text
        case (target,):
            return target, ""
        case (target, str() as text):
            return target, text
    raise InputError("Factory takes (job name, options) or (job name, output file, options)")
