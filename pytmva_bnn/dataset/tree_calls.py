"""The calls that give events: trees, files, and events one by one."""
# ruff: noqa: N802, N803 - TMVA's names

from __future__ import annotations

import logging
from collections.abc import Sequence
from numbers import Real
from typing import Any

from pytmva_bnn.dataset.description import BACKGROUND, REGRESSION, SIGNAL, Description, tree_type
from pytmva_bnn.dataset.selection_calls import cut_text
from pytmva_bnn.events.sources import is_text_file
from pytmva_bnn.tmva_types import ETreeType

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")

TreeType = ETreeType | int | str


class TreeCalls:
    """AddTree and its kin, for a class that has a ``description``.

    A tree is anything that :func:`~pytmva_bnn.events.sources.source_of` understands.
    """

    description: Description

    def AddTree(
        self,
        tree: Any,
        className: str,
        weight: float = 1.0,
        cut: Any = "",
        treetype: TreeType = ETreeType.kMaxTreeType,
    ) -> None:
        """Add a tree to a class; of its entries, those for which ``cut`` is not zero."""
        self.description.add_tree(tree, className, weight, cut_text(cut), treetype)

    def AddSignalTree(self, signal: Any, weight: float = 1.0, treetype: TreeType = ETreeType.kMaxTreeType) -> None:
        """Add a tree, or a text file, to the class Signal."""
        self.description.add_tree(signal, SIGNAL, weight, type=treetype, name=_text_name(signal, "TreeS"))

    def AddBackgroundTree(
        self, background: Any, weight: float = 1.0, treetype: TreeType = ETreeType.kMaxTreeType
    ) -> None:
        """Add a tree, or a text file, to the class Background."""
        self.description.add_tree(background, BACKGROUND, weight, type=treetype, name=_text_name(background, "TreeB"))

    def AddRegressionTree(self, tree: Any, weight: float = 1.0, treetype: TreeType = ETreeType.kMaxTreeType) -> None:
        """Add a tree to the class Regression."""
        self.description.add_tree(tree, REGRESSION, weight, type=treetype)

    def SetSignalTree(self, signal: Any, weight: float = 1.0) -> None:
        """Add a tree to the class Signal (deprecated in TMVA: it adds, in spite of its name)."""
        self.AddTree(signal, SIGNAL, weight)

    def SetBackgroundTree(self, background: Any, weight: float = 1.0) -> None:
        """Add a tree to the class Background (deprecated in TMVA: it adds, in spite of its name)."""
        self.AddTree(background, BACKGROUND, weight)

    def SetTree(self, tree: Any, className: str, weight: float) -> None:
        """Add a tree to a class (deprecated in TMVA: it adds, in spite of its name)."""
        self.AddTree(tree, className, weight)

    def SetInputTrees(self, first: Any, second: Any, third: Any = 1.0, fourth: float = 1.0) -> None:
        """Add signal and background: ``(signal, background, wS, wB)`` or ``(tree, signalCut, backgroundCut)``.

        Signal and background may be trees or text files; a third argument that is no number is a cut.
        """
        if not isinstance(third, Real):
            self.AddTree(first, SIGNAL, 1.0, second)
            self.AddTree(first, BACKGROUND, 1.0, third)
            return
        # TMVA: text files do not register their classes; they get their numbers, in alphabetical order, at the build
        for events, class_name, weight in ((first, SIGNAL, float(third)), (second, BACKGROUND, fourth)):
            is_text = is_text_file(events)
            name = f"Tree{class_name}" if is_text else ""
            self.description.add_tree(events, class_name, weight, name=name, register=not is_text)
        if is_text_file(first) and is_text_file(second):
            LOGGER.warning(
                "classes of text files are numbered when the data set is built, in alphabetical order; a cut given to "
                "PrepareTrainingAndTestTree(cut, options) does not reach them. Use AddSignalTree and AddBackgroundTree "
                "instead."
            )

    # ---- events one by one ---------------------------------------------------------------------------------

    def AddEvent(self, className: str, treetype: TreeType, event: Sequence[float], weight: float = 1.0) -> None:
        """Add one event: its variables, then targets, then spectators, which must have been declared before."""
        expressions = [one.record.expression for one in self.description.quantities]
        self.description.given_events.add(className, tree_type(treetype), list(event), weight, expressions)
        self.description.class_index(className)

    def AddTrainingEvent(self, className: str, event: Sequence[float], weight: float = 1.0) -> None:
        """Add one training event of a class."""
        self.AddEvent(className, ETreeType.kTraining, event, weight)

    def AddTestEvent(self, className: str, event: Sequence[float], weight: float = 1.0) -> None:
        """Add one test event of a class."""
        self.AddEvent(className, ETreeType.kTesting, event, weight)

    def AddSignalTrainingEvent(self, event: Sequence[float], weight: float = 1.0) -> None:
        """Add one training event of the class Signal."""
        self.AddTrainingEvent(SIGNAL, event, weight)

    def AddSignalTestEvent(self, event: Sequence[float], weight: float = 1.0) -> None:
        """Add one test event of the class Signal."""
        self.AddTestEvent(SIGNAL, event, weight)

    def AddBackgroundTrainingEvent(self, event: Sequence[float], weight: float = 1.0) -> None:
        """Add one training event of the class Background."""
        self.AddTrainingEvent(BACKGROUND, event, weight)

    def AddBackgroundTestEvent(self, event: Sequence[float], weight: float = 1.0) -> None:
        """Add one test event of the class Background."""
        self.AddTestEvent(BACKGROUND, event, weight)


def _text_name(events: Any, name: str) -> str:
    return name if is_text_file(events) else ""
