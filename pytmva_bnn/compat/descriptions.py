"""The DataLoader's calls in the forms that PyROOT takes."""
# ruff: noqa: N802 - TMVA's names

from __future__ import annotations

from typing import Any

from pytmva_bnn.compat.missing_calls import MissingCalls
from pytmva_bnn.compat.std import vector
from pytmva_bnn.dataset import DataLoaderCalls
from pytmva_bnn.dataset.info import DataSetInfo

TYPE_LETTERS = frozenset("FIDBSLC")


class MacroDataSetInfo(MissingCalls, DataSetInfo):
    """The variables and classes of a data set."""

    def GetListOfVariables(self) -> Any:
        return vector("string")(super().GetListOfVariables())


class MacroCalls(DataLoaderCalls):
    """The calls of DataLoader and Factory in the forms that PyROOT takes."""

    def Delete(self, option: str = "") -> None:
        """Do nothing: Python frees objects."""

    @property
    def dataset_info(self) -> DataSetInfo:
        """What is declared so far."""
        return MacroDataSetInfo(self.description)

    def AddSpectator(self, expression: str, *arguments: Any, **keywords: Any) -> None:
        """Add a spectator; a letter for its type, which TMVA does not use, may stand after the unit or alone."""
        super().AddSpectator(expression, *_without_type(arguments), **keywords)

    def AddTarget(self, expression: str, *arguments: Any, **keywords: Any) -> None:
        """Add a target; a letter for its type, which TMVA does not use, may stand after the unit or alone."""
        super().AddTarget(expression, *_without_type(arguments), **keywords)


def _without_type(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    # TMVA: the place after the unit is that of the minimum; C++ takes the letter for a number there
    match arguments:
        case (str() as letter,) if letter in TYPE_LETTERS:
            return ()
        case (title, unit, str() as letter, *rest) if letter in TYPE_LETTERS:
            return (title, unit, *rest)
    return arguments
