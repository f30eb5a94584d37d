"""The trees of an output file: responses, classes and weights of test and training events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.show.report.root_histograms import ODD, Directory


@dataclass(frozen=True, eq=False)
class FileEvents:
    """A tree of events: ``columns`` has what else is in it, and the responses of methods by title."""

    class_id: NDArray[np.int64]
    class_names: tuple[str, ...]
    weights: NDArray[np.float64]
    columns: dict[str, NDArray[Any]]

    @property
    def signal(self) -> int:
        """Return the number of the class Signal, 0 if there is none."""
        return self.class_names.index("Signal") if "Signal" in self.class_names else 0

    @property
    def is_signal(self) -> NDArray[np.bool_]:
        """Return which events are signal."""
        return np.equal(self.class_id, self.signal)

    def response(self, title: str) -> NDArray[np.float64] | None:
        """Return the response of a method, None if it has none or several."""
        found = self.columns.get(title)
        if found is None or found.dtype.names is not None or found.ndim != 1 or found.dtype.kind != "f":
            return None
        return found.astype(np.float64)

    def counts(self) -> Iterator[tuple[str, int, float]]:
        """Yield name, number and sum of weights of each class."""
        for number, name in enumerate(self.class_names):
            chosen = self.class_id == number
            yield name, int(np.count_nonzero(chosen)), float(self.weights[chosen].sum())


def read_events(directory: Directory, name: str) -> FileEvents | None:
    """Return the events of TestTree or TrainTree, None if there is no such tree or it cannot be read."""
    if directory.classes.get(name) != "TTree":
        return None
    tree = directory.read(name)
    if tree is None:
        return None
    try:
        columns = {key: tree[key].array(library="np") for key in tree.keys(recursive=False)}
        class_id = np.asarray(columns.pop("classID"), dtype=np.int64)
        words = [str(word) for word in columns.pop("className", np.empty(0, object))]
        weights = np.asarray(columns.pop("weight"), dtype=np.float64)
        n_classes = int(class_id.max(initial=-1)) + 1
        return FileEvents(class_id, _class_names(class_id, words, n_classes), weights, columns)
    except ODD as error:
        directory.notes.append(f"{directory.path}/{name} cannot be read: {type(error).__name__}: {str(error)[:200]}")
        return None


def _class_names(class_id: NDArray[np.int64], words: Sequence[str], n_classes: int) -> tuple[str, ...]:
    names = []
    for number in range(n_classes):
        where = np.flatnonzero(class_id == number)
        names.append(words[where[0]] if len(where) and len(words) == len(class_id) else f"class {number}")
    return tuple(names)
