"""What the user has said about the data set: recorded by the calls of DataLoader, read when it is built."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pytmva_bnn.dataset.given_events import GivenEvents
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources import EventSource, FilteredSource, source_of
from pytmva_bnn.events.variables import VariableRecord, internal_name
from pytmva_bnn.options import Numbers
from pytmva_bnn.random import Library
from pytmva_bnn.tmva_types import ETreeType

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")
INFO_LOGGER = logging.getLogger("pytmva_bnn.DataSetInfo")

FLT_MIN = 1.1754943508222875e-38
FLT_MAX = 3.4028234663852886e38

SIGNAL, BACKGROUND, REGRESSION = "Signal", "Background", "Regression"


@dataclass(frozen=True)
class InputVariable:
    """A variable, target or spectator; ``element`` and ``size`` if it is one of AddVariablesArray."""

    record: VariableRecord
    element: int | None = None
    size: int = 1

    @classmethod
    def of(
        cls,
        definition: str,
        title: str = "",
        unit: str = "",
        type: str = "F",  # noqa: A002 - TMVA's word
        minimum: float = 0.0,
        maximum: float = 0.0,
    ) -> InputVariable:
        """Return the variable of an expression or ``label := expression``."""
        return cls(VariableRecord.define(definition, title, unit, type, *stored_range(minimum, maximum)))

    @classmethod
    def array(
        cls,
        expression: str,
        size: int,
        type: str = "F",  # noqa: A002 - TMVA's word
        minimum: float = 0.0,
        maximum: float = 0.0,
    ) -> tuple[InputVariable, ...]:
        """Return the ``size`` variables that are the elements of one array."""
        squeezed = expression.replace(" ", "")
        low, high = stored_range(minimum, maximum)
        return tuple(
            cls(
                VariableRecord(
                    expression=squeezed,
                    label=squeezed,
                    title=f"[{element}]",
                    unit="",
                    # TMVA: the brackets of the index stay, although no C++ name has them
                    internal=f"{internal_name(squeezed)}[{element}]",
                    type=f"{type}[]",
                    minimum=low,
                    maximum=high,
                ),
                element,
                size,
            )
            for element in range(size)
        )


def stored_range(minimum: float, maximum: float) -> tuple[float, float]:
    """Return the range as it is kept: an empty one becomes the largest number to the smallest."""
    empty = abs(maximum - minimum) <= FLT_MIN
    return (FLT_MAX, -FLT_MAX) if empty else (float(minimum), float(maximum))


@dataclass(frozen=True)
class EventClass:
    """A class with its weight expression and its cut; empty means none."""

    name: str
    weight: str = ""
    cut: str = ""


@dataclass(frozen=True)
class InputTree:
    """A tree of a class, its weight, and whether its events are for training, for test, or to be split."""

    source: EventSource
    class_name: str
    weight: float = 1.0
    type: ETreeType = ETreeType.kMaxTreeType


def tree_type(given: ETreeType | int | str) -> ETreeType:
    """Return the tree type that the user means."""
    if isinstance(given, str):
        text = given.lower()
        found = {kind for word, kind in _TREE_TYPES.items() if word in text}
        if found:
            return found.pop() if len(found) == 1 else ETreeType.kMaxTreeType
    else:
        for kind in (ETreeType.kMaxTreeType, *_TREE_TYPES.values()):
            if given == kind:
                return kind
    raise DatasetError(
        f'<AddTree> cannot interpret tree type: "{given}" should be "Training" or "Test" or "Training and Testing"'
    )


_TREE_TYPES = {"train": ETreeType.kTraining, "test": ETreeType.kTesting}


@dataclass
class Description:
    """The variables, classes, trees, cuts and options of a data set.

    ``numbers`` is how the options' numbers of events are read.
    ``revision`` counts the changes after which a data set that has been built is built anew: those of variables
    and options, but not those of trees and cuts.
    """

    name: str = "default"
    variables: list[InputVariable] = field(default_factory=list)
    targets: list[InputVariable] = field(default_factory=list)
    spectators: list[InputVariable] = field(default_factory=list)
    classes: list[EventClass] = field(default_factory=list)
    trees: list[InputTree] = field(default_factory=list)
    given_events: GivenEvents = field(default_factory=GivenEvents)
    options: str = ""
    library: Library = Library.GCC11
    numbers: Numbers = Numbers.WHOLE
    revision: int = 0

    # ---- variables -----------------------------------------------------------------------------------------

    def add_variable(self, *variables: InputVariable) -> None:
        """Append variables."""
        self.variables.extend(variables)
        self.revision += 1

    def add_target(self, target: InputVariable) -> None:
        """Append a target."""
        self.targets.append(target)
        self.revision += 1

    def add_spectator(self, spectator: InputVariable) -> None:
        """Append a spectator."""
        self.spectators.append(spectator)
        self.revision += 1

    @property
    def quantities(self) -> tuple[InputVariable, ...]:
        """Variables, targets and spectators, in this order."""
        return (*self.variables, *self.targets, *self.spectators)

    # ---- classes -------------------------------------------------------------------------------------------

    def class_index(self, name: str) -> int:
        """Return the index of the class; it is created if this is the first mention of it."""
        for index, known in enumerate(self.classes):
            if known.name == name:
                return index
        self.classes.append(EventClass(name))
        INFO_LOGGER.info('[%s] : Added class "%s"', self.name, name)
        return len(self.classes) - 1

    def register_remaining_classes(self) -> None:
        """Create the classes that only trees know, in alphabetical order."""
        for name in sorted({tree.class_name for tree in self.trees}):
            self.class_index(name)

    def set_weight(self, expression: str, class_name: str) -> None:
        """Set the weight expression of a class; the last one counts."""
        index = self.class_index(class_name)
        self.classes[index] = replace(self.classes[index], weight=expression)

    def set_cut(self, cut: str, class_name: str = "") -> None:
        """Replace the cut of a class, or of all classes there are."""
        for index in self._indices(class_name):
            self.classes[index] = replace(self.classes[index], cut=cut)

    def add_cut(self, cut: str, class_name: str = "") -> None:
        """Combine the cut of a class, or of all classes there are, with another one."""
        for index in self._indices(class_name):
            old = self.classes[index].cut
            both = f"({old})&&({cut})" if old and cut else old or cut
            self.classes[index] = replace(self.classes[index], cut=both)

    def _indices(self, class_name: str) -> list[int]:
        # TMVA: without a name it is the classes registered so far; a cut given before any tree has no effect
        return [self.class_index(class_name)] if class_name else list(range(len(self.classes)))

    # ---- trees ---------------------------------------------------------------------------------------------

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
        """Add a tree to a class; with a ``cut``, only its entries for which that is not zero."""
        kind = tree_type(type)
        source = source_of(events, name)
        if source.n_entries == 0:
            raise DatasetError(f"Encountered empty TTree or TChain of class {class_name}: {source.where}")
        first = next(self._trees_of(class_name), None)
        undecided = ETreeType.kMaxTreeType
        if first is not None and kind is undecided and first.type is not undecided:
            raise DatasetError(
                f"For the tree {source.name} of class {class_name} you did not specify a type, while you did for the "
                f"first tree {first.source.name} of class {class_name}; give the type Training or Test"
            )
        tree = InputTree(FilteredSource(source, cut) if cut else source, class_name, float(weight), kind)
        if register:
            self.class_index(class_name)
        LOGGER.info("Add Tree %s of type %s with %d events", source.name, class_name, source.n_entries)
        self.trees.append(tree)

    def trees_of(self, class_name: str) -> list[InputTree]:
        """Return the trees of a class in the order in which they were added."""
        return list(self._trees_of(class_name))

    def _trees_of(self, class_name: str) -> Iterator[InputTree]:
        return (tree for tree in self.trees if tree.class_name == class_name)

    # ---- options -------------------------------------------------------------------------------------------

    def set_options(self, options: str) -> None:
        """Replace the options of the split."""
        self.options = options
        self.revision += 1
