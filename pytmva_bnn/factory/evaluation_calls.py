"""The Factory's calls after training: test, evaluate, ROC, tables, output file, standalone class."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import (
    BinaryResult,
    MulticlassResult,
    RegressionResult,
    RocCurve,
    binary_tables,
    multiclass_tables,
    ranking_table,
    regression_tables,
)
from pytmva_bnn.factory.evaluation_run import Result
from pytmva_bnn.tmva_types import ETreeType

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoaderCalls
    from pytmva_bnn.factory.method import MethodMLP

log = logging.getLogger("pytmva_bnn.Factory")


class EvaluationCalls:
    """TestAllMethods, EvaluateAllMethods and what can be asked then, for a class that keeps booked methods."""

    _methods: dict[str, list[MethodMLP]]

    def GetMethod(self, loader: str | DataLoaderCalls, title: str) -> MethodMLP:
        """Return a booked method; the Factory has the real one."""
        raise NotImplementedError

    # -- testing and evaluation

    def TestAllMethods(self) -> None:
        """Evaluate all trained methods on the test events."""
        log.info("Test all methods")
        for method in self._trained("test"):
            log.info("Test method: %s for %s performance", method.title, method.analysis_type)
            method.respond()

    def EvaluateAllMethods(self) -> None:
        """Compute all numbers of the trained methods and show TMVA's tables through the log.

        The numbers are in :attr:`results`, the tables in :attr:`tables`.
        """
        log.info("Evaluate all methods")
        for method in self._trained("evaluate"):
            log.info("Evaluate %s: %s", _what(method), method.title)
            method.evaluate()
        for text in self.tables:
            for line in text.splitlines():
                log.info("%s", line)
        self._write_output()
        log.info("Thank you for using this implementation of TMVA's MLP")

    def _write_output(self) -> None:
        """Write the output file, if there is one; the Factory has the real one."""

    def _trained(self, what: str) -> Iterator[MethodMLP]:
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
            for name, methods in self._methods.items()
        }
        return MappingProxyType(found)

    @property
    def tables(self) -> tuple[str, ...]:
        """Return TMVA's final tables as text, one for each data set."""
        return tuple("\n".join(_tables(name, list(found.values()))) for name, found in self.results.items() if found)

    # -- ROC

    def GetROCCurve(
        self,
        loader: str | DataLoaderCalls,
        title: str | None = None,
        set_titles: bool = True,
        iClass: int = 0,  # noqa: N803 - TMVA's name
        type: ETreeType = ETreeType.kTesting,  # noqa: A002 - TMVA's name
    ) -> RocCurve | dict[str, RocCurve]:
        """Return the ROC curve of a method, or of all methods by title if none is named."""
        del set_titles  # a matter of ROOT's graphs
        if title is None:
            name = loader if isinstance(loader, str) else loader.description.name
            return {m.title: self._roc(m, iClass, type) for m in self._methods.get(name, ()) if m.is_trained}
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

    def _roc(self, method: MethodMLP, class_index: int, sample: ETreeType) -> RocCurve:
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


def log_ranking(method: MethodMLP) -> None:
    """Show which variables matter to a trained network."""
    for line in ranking_table(method.ranking):
        log.info("%s", line)


def _what(method: MethodMLP) -> str:
    return {"Classification": "classifier", "Regression": "regression method"}.get(
        method.analysis_type, "multiclass classification method"
    )


def _tables(name: str, results: list[Result]) -> list[str]:
    binary = [one for one in results if isinstance(one, BinaryResult)]
    regressions = [one for one in results if isinstance(one, RegressionResult)]
    multiclass = [one for one in results if isinstance(one, MulticlassResult)]
    lines: list[str] = []
    if binary:
        lines += binary_tables(name, binary)
    if regressions:
        lines += regression_tables(name, regressions)
    if multiclass:
        lines += multiclass_tables(name, multiclass)
    return lines
