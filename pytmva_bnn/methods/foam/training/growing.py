"""Growing a foam: which cell is divided next, and where.

A cell is explored by sampling the density of events at random points in it.  Its driver, √⟨ρ²⟩ - ⟨ρ⟩, tells how much
the density varies; the active cell with the largest driver is divided next, where that lowers the variance most.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.foam.tree import DBL_EPSILON, FLT_EPSILON, Foam

log = logging.getLogger("pytmva_bnn.PDEFoam")


@dataclass
class Cell:
    """A cell while the foam grows."""

    parent: int
    is_first: bool
    depth: int
    dimension: int = 0
    fraction: float = 0.0
    integral: float = 0.0
    drive: float = 0.0
    n_events: float = 0.0
    first: int = -1
    """The first daughter; the second is the next in the list.  -1 for an active cell."""


@dataclass(frozen=True)
class Exploration:
    """What is found in a cell: where to divide it, and what the choice of the next cell needs."""

    dimension: int
    fraction: float
    integral: float
    drive: float
    n_events: float


class Explorer(Protocol):
    """Looks into a cell with a position and size (n_dimensions,) in foam coordinates."""

    def __call__(self, position: FloatArray, size: FloatArray) -> Exploration:
        """Return what was found."""


@dataclass
class Growth:
    """A foam that grows.

    ``explore`` looks into a cell; ``update_ancestors``: they then change with their daughters.  Cells with at most
    ``n_min`` events, or at ``max_depth``, are not divided further (0: no limit).
    """

    n_dimensions: int
    n_cells: int
    explore: Explorer
    n_min: int = 0
    max_depth: int = 0
    update_ancestors: bool = True
    cells: list[Cell] = field(default_factory=list)

    def grow(self) -> None:
        """Divide cells until there are enough, or none is left to be divided."""
        self.cells = [Cell(-1, is_first=False, depth=1)]
        self._explore(0)
        while len(self.cells) + 1 < self.n_cells:
            chosen = self._choose()
            if chosen is None:
                return
            self._divide(chosen)

    def _divide(self, number: int) -> None:
        cell = self.cells[number]
        cell.first = len(self.cells)
        for is_first in (True, False):
            daughter = Cell(number, is_first, cell.depth + 1, integral=0.5 * cell.integral, drive=0.5 * cell.drive)
            self.cells.append(daughter)
        self._explore(cell.first)
        self._explore(cell.first + 1)

    def _explore(self, number: int) -> None:
        cell = self.cells[number]
        found = self.explore(*self.box(number))
        parent = cell.parent if self.update_ancestors else -1
        while parent >= 0:
            ancestor = self.cells[parent]
            ancestor.integral = ancestor.integral + found.integral - cell.integral
            ancestor.drive = ancestor.drive + found.drive - cell.drive
            ancestor.n_events = ancestor.n_events + found.n_events - cell.n_events
            parent = ancestor.parent
        cell.dimension, cell.fraction = found.dimension, found.fraction
        cell.integral, cell.drive, cell.n_events = found.integral, found.drive, found.n_events

    def _choose(self) -> int | None:
        """Return the active cell with the largest driver that may be divided, the first of equal ones."""
        best, largest, is_limited = None, 0.0, False
        for number, cell in enumerate(self.cells):
            if cell.first >= 0 or cell.drive < FLT_EPSILON:
                continue
            if not DBL_EPSILON < abs(cell.fraction) < 1.0 - DBL_EPSILON:
                continue
            is_limited = (self.max_depth > 0 and cell.depth >= self.max_depth) or (
                self.n_min > 0 and not cell.n_events > self.n_min
            )
            if not is_limited and cell.drive > largest:
                best, largest = number, cell.drive
        if best is None and not is_limited:
            log.warning("<PDEFoam::PeekMax>: no more candidate cells (drivMax>0) found for further splitting.")
        return best

    def box(self, number: int) -> tuple[FloatArray, FloatArray]:
        """Return position and size of a cell; on the way to the root, as TMVA multiplies."""
        position, size = np.zeros(self.n_dimensions), np.ones(self.n_dimensions)
        cell = self.cells[number]
        while cell.parent >= 0:
            parent = self.cells[cell.parent]
            k, x = parent.dimension, parent.fraction
            if cell.is_first:
                size[k] *= x
                position[k] *= x
            else:
                size[k] *= 1.0 - x
                position[k] = position[k] * (1.0 - x) + x
            cell = parent
        return position, size

    def foam(self, make: Callable[..., Foam]) -> Foam:
        """Return the foam of the cells, without values; ``make`` gets the arrays that describe them."""
        cells = self.cells
        first = np.array([cell.first for cell in cells], dtype=np.int64)
        sizes = np.array([self.box(number)[1] for number in range(len(cells))])
        return make(
            first=first,
            second=np.where(first < 0, -1, first + 1),
            dimension=np.array([cell.dimension for cell in cells], dtype=np.int64),
            fraction=np.array([cell.fraction for cell in cells]),
            elements=np.zeros((len(cells), 2)),
            volumes=np.multiply.reduce(sizes, axis=1),
            integrals=np.array([cell.integral for cell in cells]),
            drives=np.array([cell.drive for cell in cells]),
        )
