"""The Factory's calls after training: test, evaluate, ROC, tables, output file, standalone class."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import (
    BinaryResult,
    RegressionResult,
    RocCurve,
    correlation_tables,
    final_tables,
    ranking_table,
)
from pytmva_bnn.factory.evaluation_run import Result, input_rankings
from pytmva_bnn.factory.variable_tables import log_statistics, log_table
from pytmva_bnn.output import transformed_events, transformed_training_events
from pytmva_bnn.tmva_types import AnalysisType, ETreeType

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoaderCalls
    from pytmva_bnn.dataset.dataset import DataSet
    from pytmva_bnn.factory.method import MethodBase
    from pytmva_bnn.options import OptionSet

log = logging.getLogger("pytmva_bnn.Factory")


class EvaluationCalls:
    """TestAllMethods, EvaluateAllMethods and what can be asked then, for a class that keeps booked methods."""

    options: OptionSet
    _methods: dict[str, list[MethodBase]]

    def GetMethod(self, loader: str | DataLoaderCalls, title: str) -> MethodBase:
        """Return a booked method; the Factory has the real one."""
        raise NotImplementedError

    # -- testing and evaluation

    def TestAllMethods(self) -> None:
        """Evaluate all trained methods on the test events."""
        log.info("Test all methods")
        for method in self._trained("test"):
            log.info("Test method: %s for %s performance", method.title, method.analysis_type.words)
            method.respond()

    def EvaluateAllMethods(self) -> None:
        """Compute all numbers of the trained methods and show TMVA's tables through the log.

        The numbers are in :attr:`results`, the tables in :attr:`tables`; the option ``!ROC`` leaves out those of
        classification, ``Correlations`` puts more before them.
        """
        log.info("Evaluate all methods")
        for method in self._trained("evaluate"):
            log.info("Evaluate %s: %s", _what(method), method.title)
            # TMVA: once for the evaluation, and once more for the plots of the output file
            transformed = method.trained.chain.n_transformations > 0
            binary = method.analysis_type == AnalysisType.CLASSIFICATION
            log_test_events(method, (transformed and (binary or self._has_output)) + self._has_output)
            method.evaluate()
        for name in self.results:
            self._show(self._correlations_of(name))
            self._show_final_tables(self._final_tables_of(name))
        self._write_output()
        log.info("Thank you for using this implementation of TMVA")

    def _show(self, lines: Sequence[str]) -> None:
        for line in lines:
            log.info("%s", line)

    def _show_final_tables(self, lines: Sequence[str]) -> None:
        """Show the tables that end the evaluation of a data set."""
        self._show(lines)

    @property
    def _has_output(self) -> bool:
        """Tell whether there is an output file; the Factory has the real one."""
        return False

    def _write_output(self) -> None:
        """Write the output file, if there is one; the Factory has the real one."""

    def _trained(self, what: str) -> Iterator[MethodBase]:
        found = [method for name in sorted(self._methods) for method in self._methods[name] if method.is_trained]
        if not found:
            log.info("...nothing found to %s", what)
        yield from found

    @property
    def results(self) -> Mapping[str, Mapping[str, Result]]:
        """Return the evaluation results by data set and title: ``factory.results["dataset"]["MLP"]``.

        Each has its numbers as attributes and all of them as a table: ``to_pandas()``.
        """
        found = {
            name: MappingProxyType({m.title: m.evaluation for m in methods if m.evaluation is not None})
            for name, methods in sorted(self._methods.items())
        }
        return MappingProxyType(found)

    @property
    def tables(self) -> tuple[str, ...]:
        """Return TMVA's final tables as text, one for each data set, in the order of their names.

        With the option ``Correlations`` a text begins with these; with ``!ROC`` there is none for a classification.
        """
        found = ([*self._correlations_of(name), *self._final_tables_of(name)] for name in self.results)
        return tuple("\n".join(lines) for lines in found if lines)

    def _correlations_of(self, name: str) -> list[str]:
        """Return how far the classifiers of a data set agree, if the options ask for it."""
        methods = [one for one in self._methods[name] if isinstance(one.evaluation, BinaryResult)]
        if not methods or not self.options.flag("Correlations"):
            return []
        dataset = methods[0].evaluated_dataset
        return correlation_tables(
            name,
            [(one.title, one.GetSignalReferenceCut()) for one in methods],
            np.column_stack([one.respond().test for one in methods]),
            [variable.label for variable in dataset.variables],
            dataset.test.variables,
            dataset.test.of_class(dataset.signal_class),
        )

    def _final_tables_of(self, name: str) -> list[str]:
        return final_tables(name, list(self.results[name].values()), with_roc=self.options.flag("ROC"))

    # -- ROC

    def GetROCCurve(
        self,
        loader: str | DataLoaderCalls,
        title: str | int | None = None,
        set_titles: bool | ETreeType = True,
        iClass: int = 0,  # noqa: N803 - TMVA's name
        type: ETreeType = ETreeType.kTesting,  # noqa: A002 - TMVA's name
    ) -> RocCurve | dict[str, RocCurve]:
        """Return the ROC curve of a method, or of all methods by title if none is named.

        TMVA's other form, for a canvas with all methods, is ``GetROCCurve(loader, iClass, type)``.
        """
        if title is None or isinstance(title, int):
            class_index = iClass if title is None else title
            # set_titles, a matter of ROOT's graphs, stands where that form has the type
            sample = type if isinstance(set_titles, bool) else ETreeType(set_titles)
            name = loader if isinstance(loader, str) else loader.description.name
            return {m.title: self._roc(m, class_index, sample) for m in self._methods.get(name, ()) if m.is_trained}
        return self._roc(self.GetMethod(loader, title), iClass, type)

    def GetROCIntegral(
        self,
        loader: str | DataLoaderCalls,
        title: str,
        iClass: int = 0,  # noqa: N803 - TMVA's name
        type: ETreeType = ETreeType.kTesting,  # noqa: A002 - TMVA's name
    ) -> float:
        """Return the area under the ROC curve, from the events themselves."""
        return self._roc(self.GetMethod(loader, title), iClass, type).auc

    def _roc(self, method: MethodBase, class_index: int, sample: ETreeType) -> RocCurve:
        result = method.evaluate()
        training = sample == ETreeType.kTraining
        if isinstance(result, BinaryResult):
            return result.training_roc if training else result.roc
        if isinstance(result, RegressionResult):
            raise InputError(f"{method.title}: a regression has no ROC curve")
        if not 0 <= class_index < len(result.class_names):
            raise InputError(
                f"{method.title}: there is no class {class_index}; the {len(result.class_names)} classes are "
                f"{', '.join(result.class_names)}"
            )
        return (result.training if training else result.test).against_rest[class_index]

    # -- more

    def MakeClass(self, loader: str | DataLoaderCalls, title: str = "") -> None:
        """Write the standalone C++ class of a method, or of all methods of a data set."""
        name = loader if isinstance(loader, str) else loader.description.name
        for method in [self.GetMethod(loader, title)] if title else self._methods.get(name, []):
            method.write_class()

    def PrintHelpMessage(self, loader: str | DataLoaderCalls, title: str = "") -> str:
        """Return, and log, the options of a method with their values and meanings."""
        name = loader if isinstance(loader, str) else loader.description.name
        methods = [self.GetMethod(loader, title)] if title else self._methods.get(name, [])
        text = "\n".join(f"{method.title}\n{method.booked.options.listing()}" for method in methods)
        log.info("%s", text)
        return text


def log_inputs(dataset: DataSet, transformations: str) -> None:
    """Show the variables after each chain of the Factory's option, and which tell most; see :func:`input_rankings`."""
    events = dataset.training
    if log.isEnabledFor(logging.INFO):
        for _, variables, targets in transformed_training_events(dataset, transformations):
            log_statistics(log, "Factory", dataset, variables, targets, events.weights)
    rankings = input_rankings(dataset, transformations)
    if rankings is None:
        return
    log.info("Ranking input variables (method unspecific)...")
    for ranking in rankings:
        log_table(log, "IdTransformation", ranking_table(ranking))


def log_test_events(method: MethodBase, times: int) -> None:
    """Show the test events as the method sees them, as often as TMVA transforms them."""
    dataset = method.evaluated_dataset
    for _ in range(times if log.isEnabledFor(logging.INFO) else 0):
        seen = transformed_events(method.model.transformations, dataset.test)
        log_statistics(log, method.title, dataset, *seen, dataset.test.weights)


def _what(method: MethodBase) -> str:
    return {AnalysisType.CLASSIFICATION: "classifier", AnalysisType.REGRESSION: "regression method"}.get(
        method.analysis_type, "multiclass classification method"
    )
