"""Objects of an output file: histograms, graphs and trees, as our own classes.

Everything in such a file was written by someone else: what cannot be read is None, and the reason goes into the notes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.evaluation import Histogram1D, Histogram2D, RocCurve

ODD = (ValueError, TypeError, KeyError, IndexError, AttributeError, NotImplementedError, OSError, ArithmeticError)
"""What reading a damaged or unexpected object may raise."""


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
        except ODD as error:
            self._note(name, error)
            return None

    def histogram(self, name: str) -> Histogram1D | None:
        """Return a histogram with one axis."""
        found = self.read(name) if self.classes.get(name, "").startswith("TH1") else None
        return None if found is None else self._made(name, histogram_1d, found)

    def histogram_2d(self, name: str) -> Histogram2D | None:
        """Return a histogram with two axes."""
        found = self.read(name) if self.classes.get(name, "").startswith("TH2") else None
        return None if found is None else self._made(name, histogram_2d, found)

    def curve(self, name: str) -> RocCurve | None:
        """Return a graph of background rejection against efficiency."""
        found = self.read(name) if self.classes.get(name, "").startswith("TGraph") else None
        return None if found is None else self._made(name, graph, found)

    def titles(self, name: str) -> tuple[str, str, str]:
        """Return the title of a histogram and those of its axes."""
        found = self.read(name)
        made = None if found is None else self._made(name, _titles, found)
        return made or ("", "", "")

    def string(self, name: str) -> str:
        """Return a TObjString, empty if there is none."""
        found = self.read(name) if self.classes.get(name) == "TObjString" else None
        return "" if found is None else str(found)

    def _made(self, name: str, make: Any, found: Any) -> Any:
        try:
            return make(found)
        except ODD as error:
            self._note(name, error)
            return None

    def _note(self, name: str, error: Exception) -> None:
        self.notes.append(f"{self.path}/{name} cannot be read: {type(error).__name__}: {str(error)[:200]}")


def histogram_1d(found: Any) -> Histogram1D:
    """Return a TH1 with equal bins."""
    edges = np.asarray(found.axis().edges(), dtype=np.float64)
    contents = np.asarray(found.values(flow=True))
    if len(contents) != len(edges) + 1 or not np.allclose(np.diff(edges), np.mean(np.diff(edges)), rtol=1e-6):
        raise ValueError("the bins are not of one width")
    squares = np.asarray(found.variances(flow=True), dtype=np.float64) if found.weighted else None
    sums = tuple(float(found.member(name)) for name in ("fTsumw", "fTsumw2", "fTsumwx", "fTsumwx2"))
    return Histogram1D(
        contents,
        squares,
        float(edges[0]),
        float(edges[-1]),
        float(found.member("fEntries")),
        (sums[0], sums[1], sums[2], sums[3]),
    )


def histogram_2d(found: Any) -> Histogram2D:
    """Return a TH2 with equal bins."""
    x, y = (np.asarray(found.axis(k).edges(), dtype=np.float64) for k in (0, 1))
    ends = (float(x[0]), float(x[-1])), (float(y[0]), float(y[-1]))
    return Histogram2D(np.asarray(found.values(flow=True)), None, *ends, float(found.member("fEntries")), ())


def graph(found: Any) -> RocCurve:
    """Return a TGraph with efficiency as x and rejection as y."""
    x, y = found.values()
    return RocCurve(np.asarray(y, dtype=np.float64), np.asarray(x, dtype=np.float64))


def _titles(found: Any) -> tuple[str, str, str]:
    axes = [str(found.member(name).member("fTitle") or "") for name in ("fXaxis", "fYaxis")]
    return str(found.title or ""), axes[0], axes[1]
