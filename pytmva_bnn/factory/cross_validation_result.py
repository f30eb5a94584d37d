"""What a cross-validation finds: numbers of each fold, their mean and spread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult
from pytmva_bnn.factory.evaluation_run import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class FoldResult:
    """One fold, counted from 0: its weight file, its evaluation and the responses of the events it was tested on.

    ``all_responses`` are those of the events of all folds, if they are averaged.
    """

    fold: int
    weight_file: Path
    result: Result
    test_responses: NDArray[np.floating]
    seconds: float
    all_responses: NDArray[np.floating] | None = None

    @property
    def figure_of_merit(self) -> float:
        """Return the ROC integral (of the first class in multiclass), or the RMS deviation of a regression."""
        if isinstance(self.result, RegressionResult):
            return self.result.test.rms
        if isinstance(self.result, MulticlassResult):
            return float(self.result.test.aucs[0])
        return self.result.roc_integral


@dataclass(frozen=True, eq=False)
class CrossValidationResult:
    """The folds of one method.

    ``responses`` ``(n_events, n_responses)`` are those of all training events of the data set: each by the network that
    has not seen it (or, with OutputEnsembling=Avg, the mean of all networks).  ``weight_file`` stands for those of the
    folds: with a SplitExpr, :func:`~pytmva_bnn.load` and the Reader evaluate an event by the fold that has not seen it.
    """

    title: str
    folds: tuple[FoldResult, ...]
    responses: NDArray[np.float64]
    weight_file: Path

    @property
    def name_of_merit(self) -> str:
        """Return what :meth:`GetROCValues` are: ROC integrals, or RMS deviations of a regression."""
        return "RMS" if isinstance(self.folds[0].result, RegressionResult) else "ROC integral"

    def GetROCValues(self) -> tuple[float, ...]:
        """Return the ROC integral of each fold (the RMS deviation of a regression), in single precision as in TMVA."""
        return tuple(map(float, self._merits))

    @property
    def _merits(self) -> NDArray[np.float32]:
        return np.array([fold.figure_of_merit for fold in self.folds], dtype=np.float32)

    def GetROCAverage(self) -> float:
        """Return the mean of :meth:`GetROCValues`."""
        # TMVA: single precision
        return float(np.add.accumulate(self._merits)[-1] / np.float32(len(self.folds)))

    def GetROCStandardDeviation(self) -> float:
        """Return the standard deviation of :meth:`GetROCValues`, with N-1."""
        return float(np.std(self._merits.astype(np.float64), ddof=1))

    def GetSigValues(self) -> tuple[float, ...]:
        """Return the significance of each fold."""
        return tuple(one.significance for one in self._binary("GetSigValues"))

    def GetSepValues(self) -> tuple[float, ...]:
        """Return the separation of each fold."""
        return tuple(one.separation for one in self._binary("GetSepValues"))

    def GetEff01Values(self) -> tuple[float, ...]:
        """Return the signal efficiency at 1% background of each fold."""
        return tuple(one.efficiencies[0] for one in self._binary("GetEff01Values"))

    def GetEff10Values(self) -> tuple[float, ...]:
        """Return the signal efficiency at 10% background of each fold."""
        return tuple(one.efficiencies[1] for one in self._binary("GetEff10Values"))

    def GetEff30Values(self) -> tuple[float, ...]:
        """Return the signal efficiency at 30% background of each fold."""
        return tuple(one.efficiencies[2] for one in self._binary("GetEff30Values"))

    def GetEffAreaValues(self) -> tuple[float, ...]:
        """Return the area under the background rejection of each fold."""
        return tuple(one.area for one in self._binary("GetEffAreaValues"))

    def _binary(self, call: str) -> list[BinaryResult]:
        results = [fold.result for fold in self.folds]
        found = [one for one in results if isinstance(one, BinaryResult)]
        if len(found) < len(results):
            raise InputError(f"{call} is for classification, but {self.title} was trained for another analysis")
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Return a table with a row for each fold."""
        import pandas as pd  # lazy: an extra

        rows = [
            {"fold": fold.fold + 1, self.name_of_merit: fold.figure_of_merit, "weight file": str(fold.weight_file)}
            for fold in self.folds
        ]
        return pd.DataFrame(rows).set_index("fold")

    def __str__(self) -> str:
        lines = [f"CrossValidation of {self.title}: {len(self.folds)} folds"]
        lines += [f"Fold {fold.fold + 1}: {self.name_of_merit} {fold.figure_of_merit:.4f}" for fold in self.folds]
        lines.append(f"Average {self.name_of_merit}: {self.GetROCAverage():.4f} ± {self.GetROCStandardDeviation():.4f}")
        return "\n".join(lines)
