"""What can stand in an output file, before it is written: folders, texts, histograms, graphs and tables of events.

A file is described as a tree of :class:`Folder`; the entries of a folder may come from a generator, so that no more
than one large histogram is in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.histograms import Histogram1D, Histogram2D, Profile


@dataclass(frozen=True, eq=False)
class NamedHistogram:
    """A histogram with the name and title it has in the output file."""

    name: str
    title: str
    histogram: Histogram1D | Histogram2D
    x_title: str = ""
    y_title: str = ""


@dataclass(frozen=True)
class NamedText:
    """A TObjString."""

    name: str
    text: str


@dataclass(frozen=True, eq=False)
class NamedProfile:
    """A TProfile with the titles of its axes."""

    name: str
    title: str
    profile: Profile
    x_title: str
    y_title: str


@dataclass(frozen=True, eq=False)
class NamedGraph:
    """A TGraph: points (n,) each."""

    name: str
    title: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LabelledMatrix:
    """A square TH2F in per cent whose bins have names: a correlation matrix."""

    name: str
    title: str
    histogram: Histogram2D
    labels: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A branch of texts: ``texts[index]`` with an index (n_entries,)."""

    texts: tuple[str, ...]
    index: NDArray[np.integer[Any]]

    def __len__(self) -> int:
        return len(self.index)


Column: TypeAlias = NDArray[Any] | TextColumn


@dataclass(frozen=True, eq=False)
class Table:
    """A TTree: columns (n_entries,) or (n_entries, length of the array) by the names of their branches, in order.

    Without a ``title`` it has its name for one.
    """

    name: str
    columns: dict[str, Column]
    title: str = ""

    @property
    def n_entries(self) -> int:
        """Number of entries of every column."""
        return len(next(iter(self.columns.values()), ()))


@dataclass(frozen=True, eq=False)
class Folder:
    """A TDirectory."""

    name: str
    entries: Iterable[Entry]


Entry: TypeAlias = NamedText | NamedHistogram | NamedProfile | NamedGraph | LabelledMatrix | Table | Folder
"""Anything that has a name in a file."""
