"""The numbers of a method's evaluation by TMVA's names."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult
from pytmva_bnn.factory.evaluation_run import Result
from pytmva_bnn.tmva_types import AnalysisType, ETreeType

if TYPE_CHECKING:
    from pytmva_bnn.dataset.dataset import DataSet

log = logging.getLogger("pytmva_bnn.Factory")


class NumberCalls(ABC):
    """GetROCIntegral, GetEfficiency and the like, for a class that can evaluate a method."""

    title: str
    analysis_type: AnalysisType

    @abstractmethod
    def evaluate(self) -> Result:
        """Return the evaluation."""

    @property
    @abstractmethod
    def dataset(self) -> DataSet:
        """Return the data set."""

    def GetROCIntegral(self) -> float:
        """Return TMVA's area under the ROC curve from the 40-bin histograms of the response."""
        return self._binary("GetROCIntegral").density_roc_integral

    def GetSeparation(self) -> float:
        """Return the separation of the responses of signal and background."""
        return self._binary("GetSeparation").separation

    def GetSignificance(self) -> float:
        """Return the distance of the mean responses in units of their widths."""
        return self._binary("GetSignificance").significance

    def GetSignalReferenceCut(self) -> float:
        """Return the cut at which signal efficiency and background rejection are the same."""
        return self._binary("GetSignalReferenceCut").reference_cut

    def GetEfficiency(
        self,
        text: str = "",
        type: ETreeType = ETreeType.kTesting,  # noqa: A002 - TMVA's name
        err: Any = None,
    ) -> float:
        """Return the area (empty text) or the signal efficiency at a background efficiency (``"Efficiency:0.10"``).

        The error of an efficiency is put into ``err``, memory such as ``ctypes.c_double()`` or an array, as PyROOT
        wants it.  For the training events there is :meth:`GetTrainingEfficiency`.
        """
        if type != ETreeType.kTesting:
            raise InputError("GetEfficiency uses the test events; call GetTrainingEfficiency for the training events")
        result = self._binary("GetEfficiency")
        if not text:
            return result.area
        background = _background_efficiency(text)
        if err is not None:
            _put(result.test.error_at(background), err)
        return result.test.curve.signal_efficiency_at(background)

    def GetTrainingEfficiency(self, text: str) -> float:
        """Return the same as :meth:`GetEfficiency` with the background of the training events."""
        return self._binary("GetTrainingEfficiency").training.curve.signal_efficiency_at(_background_efficiency(text))

    def GetMaximumSignificance(self, n_signal: float, n_background: float, value: Any = None) -> float:
        """Return the cut with the largest S/√(S + B) for expected numbers of events, which is put into ``value``."""
        best = self._binary("GetMaximumSignificance").maximum_significance(n_signal, n_background)
        name = self.dataset.name
        log.info("Dataset[%s] : Using ratio SignalEvents/BackgroundEvents = %g", name, n_signal / n_background)
        log.info("Dataset[%s] : Optimal cut at      : %g", name, best.cut)
        log.info("Dataset[%s] : Maximum significance: %g", name, best.value)
        if value is not None:
            _put(best.value, value)
        return best.cut

    def GetKSTrainingVsTest(self, letter: str, option: str = "X") -> float:
        """Return how probable it is that the training and test responses of class ``S`` or ``B`` are of one kind.

        It is -1 without events.  With ``M`` in the option it is the largest distance of the cumulative distributions.
        TMVA: the probability of the option X is that of pseudo-experiments, a random number; this one is not.
        """
        result = self._binary("GetKSTrainingVsTest")
        by_letter = {"S": result.overtraining_signal, "B": result.overtraining_background}
        if letter.upper() not in by_letter or set(option.upper()) - set("XM"):
            raise InputError(f"GetKSTrainingVsTest takes S or B and the options X and M, got {letter!r}, {option!r}")
        found = by_letter[letter.upper()]
        if found is None:
            return -1.0
        return found.distance if "M" in option.upper() else found.probability

    def GetRegressionDeviation(
        self,
        target: int,
        _: ETreeType,
        deviation: Any,
        of_best: Any,
    ) -> None:
        """Put √(mean of d²) of all events, and of the best 90%, into memory; d is response - target.

        TMVA: always of the test events, whatever the type.
        """
        result = self.evaluate()
        if not isinstance(result, RegressionResult):
            raise self._not_for("GetRegressionDeviation", "regression")
        for number, memory in zip(result.deviation(target), (deviation, of_best), strict=True):
            _put(number, memory)

    def GetMulticlassConfusionMatrix(
        self,
        background_efficiency: float,
        type: ETreeType = ETreeType.kTesting,  # noqa: A002 - TMVA's name
    ) -> FloatArray:
        """Return the signal efficiencies (n_classes, n_classes) of each class (row) against each other one (column)."""
        result = self.evaluate()
        if not isinstance(result, MulticlassResult):
            raise self._not_for("GetMulticlassConfusionMatrix", "multiclass classification")
        numbers = result.training if type == ETreeType.kTraining else result.test
        rows = numbers.against_one
        return np.array([[curve.signal_efficiency_at(background_efficiency) for curve in row] for row in rows])

    def _binary(self, call: str) -> BinaryResult:
        result = self.evaluate()
        if not isinstance(result, BinaryResult):
            raise self._not_for(call, "classification")
        return result

    def _not_for(self, call: str, what: str) -> InputError:
        return InputError(f"{call} is for {what}, but {self.title} was trained for {self.analysis_type}")


def _put(value: float, memory: Any) -> None:
    try:
        if hasattr(memory, "value"):
            memory.value = value
        else:
            memory[0] = value
    except (TypeError, IndexError):
        raise InputError(
            "the number is written into this argument; give ctypes.c_double() or array.array('d', [0])"
        ) from None


def _background_efficiency(text: str) -> float:
    name, _, number = text.partition(":")
    try:
        if name.strip() != "Efficiency":
            raise ValueError
        return float(number)
    except ValueError:
        raise InputError(f"{text!r} is not of the form 'Efficiency:0.10'") from None
