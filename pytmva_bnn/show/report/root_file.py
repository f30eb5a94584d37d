"""Objects of an output file: histograms, graphs and trees, as our own classes.

Everything in such a file was written by someone else: what cannot be read is None, and the reason goes into the notes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.evaluation import RocCurve
from pytmva_bnn.histograms import Histogram1D, Histogram2D, normalised
from pytmva_bnn.histograms.root_files import from_root
from pytmva_bnn.show.plots.responses import Density

T = TypeVar("T")


class Directory:
    """A folder of a ROOT file with its names, lookups giving the highest cycle."""

    def __init__(self, directory: Any, notes: list[str], path: str = "") -> None:
        self._directory = directory
        self.notes = notes
        self.path = path
        self.classes: dict[str, str] = directory.classnames(recursive=False, cycle=False)

    @property
    def names(self) -> list[str]:
        """Return the names of all objects, in the order of the file."""
        return list(self.classes)

    @property
    def folders(self) -> list[str]:
        """Return the names of all folders."""
        return [name for name, kind in self.classes.items() if kind.startswith("TDirectory")]

    def folder(self, name: str) -> Directory | None:
        """Return a folder, None if there is none."""
        if name not in self.folders:
            return None
        found = self.read(name)
        return None if found is None else Directory(found, self.notes, f"{self.path}/{name}".lstrip("/"))

    def read(self, name: str) -> Any:
        """Return an object as uproot has it, None if it is not there or cannot be read."""
        if name not in self.classes:
            return None
        try:
            return self._directory[name]
        except Exception as error:  # a damaged file makes uproot fail in many ways
            self._note(name, error)
            return None

    def histogram(self, name: str) -> Histogram1D | None:
        """Return a histogram with one axis."""
        found = self._converted(name, "TH1", from_root)
        return found if isinstance(found, Histogram1D) else None

    def density(self, source: str, name: str) -> Density | None:
        """Return the density called ``name`` that was made of a histogram, None if one of both is missing."""
        lines = [one for one in self.names if one.startswith(f"{source}_smoothed_hist_from_")]
        points, line = self.histogram(source), self.histogram(lines[0]) if lines else None
        if points is None or line is None:
            return None
        few = slice(None, None, max(1, line.n_bins // 600))
        y, area = line.values.astype(np.float64), normalised(points).values.astype(np.float64)
        return Density(name, line.centres[few], y[few], points.centres, area)

    def histogram_2d(self, name: str) -> Histogram2D | None:
        """Return a histogram with two axes."""
        found = self._converted(name, "TH2", from_root)
        return found if isinstance(found, Histogram2D) else None

    def curve(self, name: str) -> RocCurve | None:
        """Return a graph of background rejection against efficiency."""
        return self._converted(name, "TGraph", _graph)

    def points(self, name: str) -> tuple[FloatArray, FloatArray] | None:
        """Return x and y of the points of a graph."""
        return self._converted(name, "TGraph", _points)

    def columns(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the branches of a tree as arrays by their names, none if it is not there."""
        return self._converted(name, "TTree", _columns) or {}

    def titles(self, name: str) -> tuple[str, str, str]:
        """Return the title of a histogram and those of its axes."""
        return self._converted(name, "T", _titles) or ("", "", "")

    def string(self, name: str) -> str:
        """Return a TObjString, empty if there is none."""
        return self._converted(name, "TObjString", str) or ""

    def _converted(self, name: str, kind: str, convert: Callable[[Any], T]) -> T | None:
        """Return an object whose class begins with ``kind`` as one of ours, None if it is not there or is odd."""
        found = self.read(name) if self.classes.get(name, "").startswith(kind) else None
        try:
            return None if found is None else convert(found)
        except Exception as error:  # a damaged file makes uproot fail in many ways
            self._note(name, error)
            return None

    def _note(self, name: str, error: Exception) -> None:
        self.notes.append(f"{self.path}/{name} cannot be read: {type(error).__name__}: {str(error)[:200]}")


def _graph(found: Any) -> RocCurve:
    x, y = _points(found)
    return RocCurve(y, x)


def _points(found: Any) -> tuple[FloatArray, FloatArray]:
    x, y = found.values()
    return np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)


def _columns(tree: Any) -> dict[str, NDArray[Any]]:
    return {key: tree[key].array(library="np") for key in tree.keys(recursive=False)}


def _titles(found: Any) -> tuple[str, str, str]:
    axes = [str(found.member(name).member("fTitle") or "") for name in ("fXaxis", "fYaxis")]
    return str(found.title or ""), axes[0], axes[1]


# ---- trees of events ------------------------------------------------------------------------------------------------


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

    def responses(self, title: str) -> dict[str, NDArray[np.float64]]:
        """Return the responses of a regression method by target, whose name is not known if it is the only one."""
        # several targets are the leaves of one branch, or branches of their own
        whole = self.columns.get(title)
        if whole is None:
            start = f"{title}."
            found = {n.removeprefix(start): column for n, column in self.columns.items() if n.startswith(start)}
        else:
            found = {leaf: whole[leaf] for leaf in whole.dtype.names} if whole.dtype.names else {"": whole}
        return {name: np.asarray(column, dtype=np.float64) for name, column in found.items()}

    def count(self, class_name: str) -> tuple[int, float] | None:
        """Return number and sum of weights of the events of a class, None if it is not known."""
        if class_name not in self.class_names:
            return None
        chosen = self.class_id == self.class_names.index(class_name)
        return int(np.count_nonzero(chosen)), float(self.weights[chosen].sum())


def read_events(directory: Directory, name: str) -> FileEvents | None:
    """Return the events of TestTree or TrainTree, None if there is no such tree or it cannot be read."""
    if directory.classes.get(name) != "TTree":
        return None
    tree = directory.read(name)
    if tree is None:
        return None
    try:
        columns = _columns(tree)
        class_id = np.asarray(columns.pop("classID"), dtype=np.int64)
        words = [str(word) for word in columns.pop("className", np.empty(0, object))]
        weights = np.asarray(columns.pop("weight"), dtype=np.float64)
        n_classes = int(class_id.max(initial=-1)) + 1
        return FileEvents(class_id, _class_names(class_id, words, n_classes), weights, columns)
    except Exception as error:  # a damaged file makes uproot fail in many ways
        directory.notes.append(f"{directory.path}/{name} cannot be read: {type(error).__name__}: {str(error)[:200]}")
        return None


def _class_names(class_id: NDArray[np.int64], words: Sequence[str], n_classes: int) -> tuple[str, ...]:
    names = []
    for number in range(n_classes):
        where = np.flatnonzero(class_id == number)
        names.append(words[where[0]] if len(where) and len(words) == len(class_id) else f"class {number}")
    return tuple(names)
