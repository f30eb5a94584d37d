"""TMVA's gConfig(): names of the weight files, and settings of the plots."""
# ruff: noqa: N802, N815 - TMVA's names

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pytmva_bnn.compat.messages import LOGGER, show_messages
from pytmva_bnn.compat.named import getter


@dataclass
class IONames:
    """Where weight files go: ``[prefix/]<dataset>/<dir>/<job>_<method>.<extension>.xml``."""

    fWeightFileDirPrefix: str = ""
    fWeightFileDir: str = "weights"
    fWeightFileExtension: str = "weights"
    fOptionsReferenceFileDir: str = "optionInfo"


@dataclass
class VariablePlotting:
    """Settings of the histograms in the output file, which always has TMVA's defaults: others are told."""

    fTimesRMS: float = 8.0
    fNbins1D: int = 40
    fNbins2D: int = 300
    fMaxNumOfAllowedVariables: int = 200
    fMaxNumOfAllowedVariablesForScatterPlots: int = 20
    fNbinsMVAoutput: int = 40
    fNbinsXOfROCCurve: int = 100
    fUsePaperStyle: bool = False
    fPlotFormat: int = 0

    def __setattr__(self, name: str, value: Any) -> None:
        default = getattr(type(self), name, None)
        if value != default:
            show_messages()  # macros say this before there is a Factory
            LOGGER.warning(
                "gConfig().GetVariablePlotting().%s = %s has no effect here%s",
                name,
                value,
                "" if default is None else f": the histograms and plots are made as with TMVA's default, {default}",
            )
        super().__setattr__(name, value)


@dataclass
class Config:
    """The settings of the process."""

    names: IONames = field(default_factory=IONames)
    plotting: VariablePlotting = field(default_factory=VariablePlotting)
    silent: bool = False
    colour: bool = True
    progress_bar: bool = False

    GetIONames, GetVariablePlotting = getter("names"), getter("plotting")
    IsSilent, UseColor, DrawProgressBar = getter("silent"), getter("colour"), getter("progress_bar")

    @staticmethod
    def Instance() -> Config:
        return CONFIG

    def SetSilent(self, silent: bool) -> None:
        self.silent = bool(silent)

    def SetUseColor(self, colour: bool) -> None:
        self.colour = bool(colour)

    def SetDrawProgressBar(self, bar: bool) -> None:
        self.progress_bar = bool(bar)


CONFIG = Config()


def gConfig() -> Config:
    """Return the settings of the process."""
    return CONFIG
