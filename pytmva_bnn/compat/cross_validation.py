"""TMVA's CrossValidation and its results as macros use them."""
# ruff: noqa: N802, N803 - TMVA's names

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from pytmva_bnn import factory
from pytmva_bnn.compat.config import CONFIG
from pytmva_bnn.compat.files import TFile
from pytmva_bnn.compat.graphs import TGraph, TMultiGraph, average_graph, roc_graph
from pytmva_bnn.compat.left_out import LeftOutMethod, NothingTrainedError, is_left_out, method_name
from pytmva_bnn.compat.messages import show, show_messages
from pytmva_bnn.compat.missing_calls import MissingCalls
from pytmva_bnn.compat.no_ops import NoOp
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.std.maps import map_
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RocCurve
from pytmva_bnn.executor import Engine
from pytmva_bnn.factory.cross_validation_result import CrossValidationResult, FoldResult

KEYWORDS = {"jobName": "job_name", "JobName": "job_name", "dataloader": "loader", "DataLoader": "loader"}
"""The names that TMVA's parameters have."""


class OptionMap(dict[str, str], MissingCalls):
    """What is known of a booked method: ``GetValue["TString"]("MethodTitle")``, or simply ``["MethodTitle"]``.

    >>> booked = OptionMap(MethodName="MLP", MethodTitle="first")
    >>> booked.GetValue["TString"]("MethodTitle"), booked.GetValue("MethodTitle"), booked.HasKey("V")
    ('first', 'first', False)
    """

    @property
    def GetValue(self) -> ValueTemplate:
        return ValueTemplate(self)

    def HasKey(self, key: str) -> bool:
        return key in self


class ValueTemplate:
    """GetValue before, or without, the choice of a type."""

    def __init__(self, values: dict[str, str]) -> None:
        self._values = values

    def __getitem__(self, kind: Any) -> ValueTemplate:
        return self

    def __call__(self, key: str) -> Any:
        """Return the value of a key; a type in its place is taken as the choice of a type."""
        return self._values.get(key, self)


class MacroResult(MissingCalls, CrossValidationResult):
    """The folds of one method, with their ROC curves as graphs."""

    def Print(self, option: str = "") -> None:
        del option
        show(str(self))

    def GetROCValues(self) -> Any:
        """Return the ROC integrals by fold, a ``std::map``: ``[k]`` is one of them, a loop gives pairs."""
        found = map_["unsigned int", "float"]()
        for fold, value in enumerate(super().GetROCValues()):
            found[fold] = value
        return found

    def GetTrainEff01Values(self) -> tuple[float, ...]:
        """Return the signal efficiency of each fold's training events at 1% background."""
        return tuple(one.training_efficiencies[0] for one in self._binary("GetTrainEff01Values"))

    def GetTrainEff10Values(self) -> tuple[float, ...]:
        """Return the signal efficiency of each fold's training events at 10% background."""
        return tuple(one.training_efficiencies[1] for one in self._binary("GetTrainEff10Values"))

    def GetTrainEff30Values(self) -> tuple[float, ...]:
        """Return the signal efficiency of each fold's training events at 30% background."""
        return tuple(one.training_efficiencies[2] for one in self._binary("GetTrainEff30Values"))

    def GetROCCurves(self, fLegend: bool = True) -> TMultiGraph:
        """Return the ROC curve of each fold; ``GetListOfGraphs()`` has them."""
        del fLegend
        return TMultiGraph(self._graphs("GetROCCurves"), title="ROC curves of the folds")

    def GetAvgROCCurve(self, numSamples: int = 100) -> TGraph:
        """Return the mean background rejection of the folds at ``numSamples`` signal efficiencies from 0 to 1."""
        return average_graph(self._graphs("GetAvgROCCurve"), int(numSamples))

    def Draw(self, name: str = "CrossValidation") -> NoOp:
        """Return a canvas: nothing is painted."""
        return NoOp(f"TCanvas {name}")

    def DrawAvgROCCurve(self, drawFolds: bool = False, title: str = "") -> NoOp:
        """Return a canvas: nothing is painted."""
        del drawFolds
        return NoOp(f"TCanvas {title}")

    def _graphs(self, call: str) -> list[TGraph]:
        return [roc_graph(_curve(fold, call), f"{self.title}_fold{fold.fold + 1}") for fold in self.folds]


def _curve(fold: FoldResult, call: str) -> RocCurve:
    if isinstance(fold.result, BinaryResult):
        return fold.result.roc
    if isinstance(fold.result, MulticlassResult):
        return fold.result.test.against_rest[0]
    raise InputError(f"{call}: a regression has no ROC curve")


class CrossValidation(MissingCalls, factory.CrossValidation):
    """TMVA's CrossValidation; the output file may be a TFile."""

    checks_values = False

    def __init__(self, *args: Any, **keywords: Any) -> None:
        # keywords that are no options
        named = {KEYWORDS[name]: keywords.pop(name) for name in list(keywords) if name in KEYWORDS}
        files = [one for one in (*args, keywords.pop("outputFile", None)) if isinstance(one, TFile)]
        given = [one for one in args if not isinstance(one, TFile | NullPointer)]
        for position, name in enumerate(("job_name", "loader")):
            if name in named:
                given.insert(position, named[name])
        if len(given) < 2:
            raise InputError("CrossValidation takes (job name, loader, options) or (job name, loader, file, options)")
        given[2:2] = [Path(file.GetName()) for file in files]
        super().__init__(str(given[0]), given[1], *given[2:], **keywords)
        self._left_out: list[str] = []
        show_messages(silent=self.options.flag("Silent") or CONFIG.silent)

    def BookMethod(self, kind: Any, title: str, options: str = "", **keywords: object) -> Any:
        """Book a method; see :meth:`pytmva_bnn.CrossValidation.BookMethod`."""
        if is_left_out((kind, title)):
            self._left_out.append(str(title))
            return LeftOutMethod(method_name(kind), str(title))
        return super().BookMethod(method_name(kind), str(title), str(options), **keywords)

    def Evaluate(self, executor: Engine = None) -> None:
        """Train and evaluate the folds of all booked methods; if none is booked but some are left out, raise."""
        if self._left_out and not self.GetMethods():
            raise NothingTrainedError.of(self._left_out)
        super().Evaluate(executor)

    def GetResults(self) -> tuple[MacroResult, ...]:
        names = [field.name for field in fields(CrossValidationResult)]
        return tuple(MacroResult(**{name: getattr(one, name) for name in names}) for one in super().GetResults())

    def GetMethods(self) -> tuple[OptionMap, ...]:
        """Return the booked methods, in the order of :meth:`GetResults`."""
        return tuple(OptionMap(one) for one in super().GetMethods())
