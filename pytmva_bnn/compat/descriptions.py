"""The DataLoader's calls with the trees of :mod:`pytmva_bnn.compat`."""
# ruff: noqa: N802 - TMVA's names

from __future__ import annotations

from typing import Any

from pytmva_bnn.compat.missing_calls import MissingCalls
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.trees import TTree, source_of_tree
from pytmva_bnn.dataset import DataLoaderCalls, DatasetError, Description
from pytmva_bnn.dataset.info import DataSetInfo
from pytmva_bnn.tmva_types import ETreeType

TYPE_LETTERS = frozenset("FIDBSLC")


class MacroDescription(Description):
    """What the user has said, where a tree may be a TTree or TChain.

    >>> from pytmva_bnn.compat.trees import TNtuple
    >>> tree = TNtuple("t", "", "x")
    >>> _ = tree.Fill(1.0), tree.Fill(2.0)
    >>> description = MacroDescription("dataset")
    >>> description.add_tree(tree, "Signal")
    >>> description.trees[0].source
    <MemorySource t: 2 entries>
    """

    def add_tree(
        self,
        events: Any,
        class_name: str,
        weight: float = 1.0,
        cut: str = "",
        type: ETreeType | int | str = ETreeType.kMaxTreeType,  # noqa: A002 - TMVA's word
        *,
        name: str = "",
        register: bool = True,
    ) -> None:
        """Add a tree to a class."""
        if isinstance(events, NullPointer):
            raise DatasetError(f"Tree does not exist (empty pointer): {events.reason}")
        source = source_of_tree(events) if isinstance(events, TTree) else events
        super().add_tree(source, str(class_name), weight, cut, type, name=name, register=register)


class MacroDataSetInfo(MissingCalls, DataSetInfo):
    """The variables and classes of a data set."""


class MacroCalls(DataLoaderCalls):
    """The calls of DataLoader and Factory in the forms that PyROOT takes.

    >>> class Loader(MacroCalls):
    ...     description = MacroDescription()
    >>> loader = Loader()
    >>> loader.AddSpectator("eta", "Pseudorapidity", "", "F")
    >>> loader.AddSpectator("run", "I")
    >>> [one.record.title for one in loader.description.spectators]
    ['Pseudorapidity', 'run']
    """

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
