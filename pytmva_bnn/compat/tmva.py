"""``ROOT.TMVA``: the classes of this package, which take the trees, files and cuts of ``pytmva_bnn.compat``."""
# ruff: noqa: N802 - TMVA's names

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

import pytmva_bnn
from pytmva_bnn import dataset, factory
from pytmva_bnn.compat.config import CONFIG, Config, gConfig
from pytmva_bnn.compat.cross_validation import CrossValidation
from pytmva_bnn.compat.descriptions import MacroCalls
from pytmva_bnn.compat.errors import NotInCompatError
from pytmva_bnn.compat.experimental import Experimental
from pytmva_bnn.compat.files import TFile
from pytmva_bnn.compat.genetic import GeneticAlgorithm, GeneticFitter, IFitterTarget, Interval
from pytmva_bnn.compat.graphs import ROC_TITLE, TGraph, TMultiGraph, roc_graph
from pytmva_bnn.compat.histograms import TH1F
from pytmva_bnn.compat.left_out import LeftOutMethod, NothingTrainedError, is_left_out, method_name
from pytmva_bnn.compat.linear_algebra import TMatrixD
from pytmva_bnn.compat.messages import LOGGER, aloud, show_messages
from pytmva_bnn.compat.missing_calls import MissingCalls
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.painting import Pad
from pytmva_bnn.compat.readers import Reader
from pytmva_bnn.compat.std import vector
from pytmva_bnn.dataset import DataLoaderCalls
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.roc import roc_curve
from pytmva_bnn.methods import Method
from pytmva_bnn.options import Numbers
from pytmva_bnn.random import Library
from pytmva_bnn.tmva_types import AnalysisType, ETreeType, Types, VIType
from pytmva_bnn.tmva_types import Tools as NativeTools

__all__ = [
    "Config",
    "CrossValidation",
    "DataLoader",
    "Experimental",
    "Factory",
    "GeneticAlgorithm",
    "GeneticFitter",
    "IFitterTarget",
    "Interval",
    "MethodBase",
    "MethodCategory",
    "ROCCurve",
    "Reader",
    "Tools",
    "Types",
    "VIType",
    "gConfig",
    "gTools",
]


class DataLoader(MissingCalls, MacroCalls, dataset.DataLoader):
    """TMVA's DataLoader; a tree may also be a TTree or TChain of this package."""

    def __init__(self, name: str = "default", *, library: Library | str = Library.GCC11) -> None:
        super().__init__(str(name), library=library)
        self.description.numbers = Numbers.AS_TMVA
        show_messages(silent=CONFIG.silent or None)


class MacroMethodBase(MissingCalls, factory.MethodBase):
    """A method booked in a macro; a Category is a :class:`MethodCategory`, as after a cast in C++."""

    checks_values = False

    def __new__(cls, kind: Method, *_: Any) -> Self:
        """Return a method of the class that TMVA has for it."""
        return super().__new__(MethodCategory if kind.kind == "Category" else cls)  # type: ignore[return-value]

    def GetMulticlassConfusionMatrix(self, *args: Any) -> TMatrixD:
        return TMatrixD(super().GetMulticlassConfusionMatrix(*args))


class MethodCategory(MacroMethodBase):
    """A Category, whose methods are booked by AddMethod."""


MethodBase = IMethod = MethodCuts = MethodBDT = MethodMLP = MacroMethodBase


class Factory(MissingCalls, MacroCalls, factory.Factory):
    """TMVA's Factory; the output file may be a TFile, and methods that do not exist here can be left out.

    >>> from pytmva_bnn.compat import ROOT
    >>> job = ROOT.TMVA.Factory("job", "Silent")
    >>> job.BookMethod(ROOT.TMVA.DataLoader(), ROOT.TMVA.Types.kPyKeras, "Net", "")
    Traceback (most recent call last):
    pytmva_bnn.errors.InputError: BookMethod(PyKeras, 'Net'): this method does not exist here; available: ... To skip
    such methods set pytmva_bnn.compat.skip_unknown_methods = True or PYTMVA_BNN_SKIP_UNKNOWN_METHODS=1.
    """

    method_class = MacroMethodBase

    def __init__(self, *args: Any, **keywords: Any) -> None:
        job_name, *rest = _positional(args, keywords, ("JobName", "TargetFile"), "Factory")
        self._left_out: dict[str, LeftOutMethod] = {}
        super().__init__(str(job_name), *map(_path_of, rest), **keywords)
        self.description.numbers = Numbers.AS_TMVA
        show_messages(silent=self.options.flag("Silent") or CONFIG.silent)

    def BookMethod(self, *args: Any, **keywords: Any) -> Any:
        """Book a method; see :meth:`pytmva_bnn.Factory.BookMethod`.

        A method that is left out gives an object that is false and whose calls only warn.
        """
        args = tuple(_positional(args, keywords, ("DataLoader", "Method", "MethodTitle"), "BookMethod"))
        rest = args[1:] if args and isinstance(args[0], DataLoaderCalls) else args
        if is_left_out(rest):
            title = str(rest[1]) if len(rest) > 1 else method_name(rest[0])
            self._left_out[title] = LeftOutMethod(method_name(rest[0]), title)
            return self._left_out[title]
        return super().BookMethod(*args, **keywords)

    def TrainAllMethods(self) -> None:
        """Train all booked methods and write their weight files; if none can be trained, that is an error."""
        super().TrainAllMethods()
        untrained = [method.title for method in self.methods]
        if (untrained or self._left_out) and not any(method.is_trained for method in self.methods):
            raise NothingTrainedError.of([*untrained, *self._left_out])

    TrainAllMethodsForClassification = TrainAllMethods
    TrainAllMethodsForRegression = TrainAllMethods

    def GetMethod(self, loader: Any, title: str) -> Any:
        """Return a booked method; one that is left out is false and its calls only warn."""
        return self._left_out[str(title)] if str(title) in self._left_out else super().GetMethod(loader, str(title))

    def weight_file(self, loader: DataLoaderCalls, title: str) -> Path | None:
        """Return where the weight file goes, as gConfig().GetIONames() says."""
        usual = super().weight_file(loader, title)
        if usual is None:
            return None
        names = CONFIG.names
        folder = usual.parent.parent / names.fWeightFileDir
        name = f"{self.job_name}_{title}.{names.fWeightFileExtension}.xml"
        return Path(names.fWeightFileDirPrefix) / folder / name

    def _show_final_tables(self, lines: Sequence[str]) -> None:
        # TMVA: those of a classification appear in spite of Silent
        with aloud() if self._analysis_type == AnalysisType.CLASSIFICATION else nullcontext():
            super()._show_final_tables(lines)

    def SetVerbose(self, verbose: bool = True) -> None:
        logging.getLogger("pytmva_bnn").setLevel(logging.DEBUG if verbose else logging.INFO)

    def EvaluateImportance(self, *args: Any, **keywords: Any) -> Any:
        """Return the importance of the variables as a histogram with their names."""
        percent = super().EvaluateImportance(*args, **keywords)
        histogram = TH1F("vih1", "", len(percent), 0, len(percent))
        for number, (label, value) in enumerate(percent.items(), start=1):
            histogram.GetXaxis().SetBinLabel(number, label)
            histogram.SetBinContent(number, value)
        histogram.GetYaxis().SetTitle("Importance (%)")
        return histogram

    def GetROCCurve(self, loader: Any, title: Any = None, *args: Any, **keywords: Any) -> Any:
        """Return the ROC curve of a method as a graph, or a canvas with those of all methods."""
        if title is None or isinstance(title, int):
            given = () if title is None else (title, *args)
            return RocCanvas(self.GetROCCurveAsMultiGraph(loader, *given, **keywords))
        if str(title) in self._left_out:
            LOGGER.warning("GetROCCurve(%s): the method is left out", title)
            return self._left_out[str(title)]
        found: Any = super().GetROCCurve(loader, str(title), *args, **keywords)
        set_titles = args[0] if args else keywords.get("set_titles", True)
        return roc_graph(found, f"{ROC_TITLE} ({title})" if set_titles else "", axis_titles=bool(set_titles))

    def GetROCIntegral(self, loader: Any, title: Any, *args: Any, **keywords: Any) -> float:
        """Return the area under the ROC curve; 0 for a method that is left out."""
        if str(title) in self._left_out:
            LOGGER.warning("GetROCIntegral(%s): the method is left out, so it is 0", title)
            return 0.0
        return super().GetROCIntegral(loader, str(title), *args, **keywords)

    def GetROCCurveAsMultiGraph(
        self,
        loader: Any,
        iClass: int = 0,  # noqa: N803 - TMVA's name
        type: ETreeType = ETreeType.kTesting,  # noqa: A002 - TMVA's name
    ) -> TMultiGraph:
        curves: Any = super().GetROCCurve(loader, None, True, iClass, type)
        return TMultiGraph([roc_graph(curve, title) for title, curve in curves.items()], title=ROC_TITLE)


class RocCanvas(Pad):
    """The canvas of Factory.GetROCCurve(loader): the curves by title are in ``curve``."""

    def __init__(self, graphs: TMultiGraph) -> None:
        super().__init__("ROC curve")
        self.graphs, self.curve = graphs, graphs.curve
        graphs.Draw("AL")
        self.BuildLegend()


class ROCCurve:
    """The ROC curve of responses: ``(values, is_signal)``, ``(signal, background)``, or either with weights."""

    def __init__(self, *lists: Any) -> None:
        if len(lists) == 1:  # pairs of response and class
            lists = tuple(zip(*((one[0], bool(one[1])) for one in lists[0]), strict=True))
        first, second = np.asarray(lists[0], dtype=float), np.asarray(lists[1])
        weights = [np.asarray(one, dtype=float) for one in lists[2:]]
        if second.dtype == bool and len(weights) < 2:
            self._curve = roc_curve(first, second, weights[0] if weights else None)
            return
        is_signal = np.repeat([True, False], [len(first), len(second)])
        self._curve = roc_curve(np.append(first, second), is_signal, np.concatenate(weights) if weights else None)

    def GetROCIntegral(self, *_: Any) -> float:
        return self._curve.auc

    def GetROCCurve(self, *_: Any) -> TGraph:
        return roc_graph(self._curve, ROC_TITLE)

    def GetEffSForEffB(self, effB: float, *_: Any) -> float:  # noqa: N803 - TMVA's name
        return self._curve.signal_efficiency_at(effB)


class Tools(NativeTools):
    """TMVA's tools."""

    _instance: NativeTools | None = None

    def SplitString(self, text: str, separator: str) -> Any:
        """Return the parts of a text as a vector; separators at the ends and repeated ones count as one."""
        return vector("string")([part for part in str(text).replace("\n", " ").split(separator) if part])


def gTools() -> NativeTools:
    """Return TMVA's tools."""
    return Tools.Instance()


PLOTS = frozenset({
    "mvas", "mvaeffs", "efficiencies", "correlations", "correlationscatters", "variables", "probas", "network", "BDT",
    "annconvergencetest", "likelihoodrefs", "rulevis", "paracoor", "PlotFoams", "boostcontrolplots", "deviations",
    "BDTControlPlots", "regression_averagedevs", "compareanapp", "BDT_Reg", "BoostControlPlots",
    "mvasMulticlass", "mvaeffsMulticlass", "variablesMultiClass", "correlationsMultiClass",
    "correlationscattersMultiClass", "mvaweights", "CorrGui", "MovieMaker", "efficienciesMulticlass",
})  # fmt: skip
"""The plots behind the buttons of TMVA's GUIs, which macros call too."""


kShort, kAll, kRandom = VIType  # noqa: N816 - TMVA's names
kMVAType, kProbaType, kRarityType, kCompareType = range(4)  # noqa: N816 - TMVA's names, for mvas()


def _report(name: str, *arguments: Any) -> Path:
    """Write the report, which has all plots, for a call such as ``efficiencies(dataset, file)``."""
    texts = [str(one) for one in arguments if isinstance(one, str)]
    file = next((one for one in texts if one.endswith(".root")), "TMVA.root")
    regression = "deviations" in name or "regression" in name
    gui = "TMVAMultiClassGui" if "multiclass" in name.lower() else "TMVARegGui" if regression else "TMVAGui"
    others = [one for one in texts if one != file]
    return Path(getattr(pytmva_bnn, gui)(file, others[0] if others else ""))


class PyMethodBase:
    """TMVA's bridge to Python's machine learning, of which only the start is accepted."""

    @staticmethod
    def PyInitialize() -> None:
        LOGGER.debug("PyMethodBase.PyInitialize has no effect")


def _positional(args: tuple[Any, ...], keywords: dict[str, Any], names: tuple[str, ...], call: str) -> list[Any]:
    """Return the arguments in their order; those of these names are taken out of the keywords, the rest are options."""
    given = list(args)
    for position, name in enumerate(names):
        if name in keywords:
            if position > len(given):
                raise InputError(f"{call}: {name} needs {names[position - 1]} too")
            given.insert(position, keywords.pop(name))
    if not given:
        raise InputError(f"{call} takes ({', '.join(names)}, options)")
    return given


def _path_of(argument: Any) -> Any:
    """Return the name of a TFile, None for a null pointer, and anything else as it is."""
    if isinstance(argument, NullPointer):
        return None
    return Path(argument.GetName()) if isinstance(argument, TFile) else argument


def __getattr__(name: str) -> Any:
    if name in PLOTS:
        return partial(_report, name)
    if not name.startswith("_") and hasattr(pytmva_bnn, name):
        return getattr(pytmva_bnn, name)
    advice = "Factory, DataLoader and Reader with their methods exist here"
    raise NotInCompatError.of("TMVA", name, [*__all__, *pytmva_bnn.__all__], advice)
