"""Events that the user gives one by one (AddSignalTrainingEvent and its kin)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources import EventSource, MemorySource
from pytmva_bnn.tmva_types import ETreeType

WEIGHT = "weight"
_TREE_NAMES = {ETreeType.kTraining: "TrainAssignTree_{}", ETreeType.kTesting: "TestAssignTree_{}"}


@dataclass
class GivenEvents:
    """The events given so far, by class and tree type: values in float32, then the weight.

    The number of values is fixed by the first event.
    """

    expressions: tuple[str, ...] = ()
    rows: dict[tuple[str, ETreeType], array[float]] = field(default_factory=dict)
    last: list[float] = field(default_factory=list)

    def add(
        self,
        class_name: str,
        kind: ETreeType,
        values: Sequence[float],
        weight: float,
        expressions: Sequence[str],
    ) -> None:
        """Append an event; ``expressions`` are those of the variables, targets and spectators declared so far."""
        if kind not in _TREE_NAMES:
            raise DatasetError("events given one by one must be for training or for test; give kTraining or kTesting")
        if not self.rows:
            self.expressions = tuple(expressions)
            self.last = [0.0] * len(self.expressions)
        if len(values) > len(self.expressions):
            raise DatasetError(
                f"Number of variables defined through DataLoader::AddVariable ({len(self.expressions)}) is "
                f"inconsistent with number of variables given to DataLoader::Add*Event ({len(values)}). Please check "
                "your variable definitions and statement ordering: variables, targets and spectators come before the "
                "first event."
            )
        # TMVA: what a shorter event lacks is that of the event before it
        self.last[: len(values)] = [float(value) for value in values]
        row = self.rows.setdefault((class_name, kind), array("f"))
        row.extend(self.last)
        row.append(weight)

    @property
    def class_names(self) -> set[str]:
        """The classes that have events."""
        return {name for name, _ in self.rows}

    def trees_of(self, class_name: str, class_index: int) -> Iterator[tuple[EventSource, ETreeType]]:
        """Return the training and the test tree of a class."""
        for kind, name in _TREE_NAMES.items():
            if (class_name, kind) not in self.rows:
                # TMVA: each class needs both kinds; it stops at the empty tree
                other = "training" if kind is ETreeType.kTraining else "test"
                raise DatasetError(
                    f"Encountered empty TTree or TChain of class {class_name}: no {other} events were given for it, "
                    "but others were; give both, or use AddTree"
                )
            table = np.array(self.rows[class_name, kind], dtype=np.float32).reshape(-1, len(self.expressions) + 1)
            columns = {"type": np.full(len(table), class_index, dtype=np.int32), WEIGHT: table[:, -1]}
            for number, expression in enumerate(self.expressions):
                columns.setdefault(expression, table[:, number])
            yield MemorySource.of_mapping(name.format(class_name), columns), kind
