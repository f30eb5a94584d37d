"""What a foam says of events: the values of cells, smoothed by a kernel."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, IndexArray
from pytmva_bnn.methods.foam.descent import Descent
from pytmva_bnn.methods.foam.tree import DBL_EPSILON, FLT_EPSILON, Foam, FoamKind, IntArray, back

log = logging.getLogger("pytmva_bnn.PDEFoam")

_STEP = float(np.float32(1e-6))
"""How far beyond the edge of a cell its neighbour is looked for."""
_INVISIBLE = 14.5
"""Distance in σ beyond which the Gaussian, rounded to float32, is 0."""
_GAUSS_BLOCK = 4096


class Kernel(StrEnum):
    """How values are smoothed; the order is that of TMVA's numbers."""

    NONE = "None"
    GAUSS = "Gauss"
    LIN_NEIGHBORS = "LinNeighbors"


class CellValue(StrEnum):
    """What is asked of a cell."""

    VALUE = "value"
    ERROR = "error"
    DENSITY = "density"


@dataclass(frozen=True, eq=False)
class FoamEvaluation:
    """A foam with a kernel; ``sigma`` is the width of the Gaussian one, in foam coordinates."""

    foam: Foam
    kernel: Kernel = Kernel.NONE
    sigma: float = 1.0

    def __call__(self, x: Float32Array, what: CellValue = CellValue.VALUE) -> Float32Array:
        """Return one of the values of the cells of events (n_events, n_variables), smoothed, in float32."""
        values = self.of_cells(what)
        if self.kernel is Kernel.NONE and not self.is_empty.any():
            return values[self.by_variables.cells(x)]
        t = self.foam.coordinates(x)
        cells = self.by_coordinates.cells(t)
        if self.kernel is Kernel.NONE:
            found = values[cells]
        elif self.kernel is Kernel.GAUSS:
            return self._gauss(t, cells, values)
        else:
            found = self._with_neighbours(t, cells, values)
        empty = np.flatnonzero(self.is_empty[cells])
        found[empty] = self._average_around(t[empty], cells[empty], values)
        return found

    def of_cells(self, what: CellValue) -> Float32Array:
        """Return one of the values of all cells, in float32."""
        elements = self.foam.elements.astype(np.float32)
        if what is CellValue.VALUE:
            return elements[:, 0]
        if what is CellValue.ERROR:
            return elements[:, 1]
        volumes = self.foam.volumes
        too_small = (volumes <= DBL_EPSILON) & self.foam.is_active
        if too_small.any():
            log.warning("%s: %d cells have no volume: their density counts as 0", self.foam.name, too_small.sum())
        with np.errstate(divide="ignore", invalid="ignore"):
            densities = elements[:, 0].astype(np.float64) / volumes
        return np.where(volumes <= DBL_EPSILON, 0.0, densities).astype(np.float32)

    @cached_property
    def is_empty(self) -> BoolArray:
        """Return which cells saw no training event: only target foams mark these."""
        if self.foam.kind is not FoamKind.TARGET:
            return np.zeros(self.foam.n_cells, dtype=np.bool_)
        return np.equal(self.foam.elements[:, 1].astype(np.float32), -1.0)

    @cached_property
    def by_coordinates(self) -> Descent:
        """Return the way through the foam for foam coordinates."""
        return Descent.in_coordinates(self.foam)

    @cached_property
    def by_variables(self) -> Descent:
        """Return the way through the foam for variables."""
        return Descent.in_variables(self.foam)

    def neighbours(self, t: Float32Array, cells: IntArray, k: int, upper: BoolArray) -> IntArray:
        """Return the cells beyond the lower or ``upper`` face across dimension ``k``, seen from the points."""
        foam = self.foam
        low, size = foam.positions[cells, k], foam.sizes[cells, k]
        moved = t.copy()
        moved[:, k] = np.where(upper, low + size + _STEP, low - _STEP)
        return self.by_coordinates.cells(moved)

    def _with_neighbours(self, t: Float32Array, cells: IntArray, values: Float32Array) -> Float32Array:
        """Return values interpolated between each cell and its nearer neighbour, averaged over the dimensions."""
        foam = self.foam
        own = values[cells].astype(np.float64)
        total, n = np.zeros(len(t), dtype=np.float32), np.zeros(len(t), dtype=np.int64)
        with np.errstate(invalid="ignore", over="ignore"):
            for k in range(foam.n_dimensions):
                low, size = foam.positions[cells, k], foam.sizes[cells, k]
                distance = ((t[:, k] - low) / size).astype(np.float32)
                upper = ~(distance < np.float32(0.5))
                distance = np.where(upper, np.float32(1.0) - distance, distance).astype(np.float64)
                beside = self.neighbours(t, cells, k, upper)
                after = (total + own * (0.5 + distance)).astype(np.float32)
                after = (after + values[beside] * (0.5 - distance)).astype(np.float32)
                used = ~self.is_empty[beside]
                total = np.where(used, after, total)
                n += used
            return np.where(n > 0, total / np.maximum(n, 1).astype(np.float32), own).astype(np.float32)

    def _average_around(self, t: Float32Array, cells: IntArray, values: Float32Array) -> Float32Array:
        """Return the mean of the neighbours that are not empty, 0 if all are."""
        total, n = np.zeros(len(t), dtype=np.float32), np.zeros(len(t), dtype=np.float32)
        if not len(t):
            return total
        for k in range(self.foam.n_dimensions):
            for upper in (False, True):
                beside = self.neighbours(t, cells, k, np.full(len(t), upper))
                used = ~self.is_empty[beside]
                total = np.where(used, total + values[beside], total)
                n += used
        return np.where(n > 0, total / np.maximum(n, 1), np.float32(0.0))

    def _gauss(self, t: Float32Array, cells: IntArray, values: Float32Array) -> Float32Array:
        """Return the mean of all cells, weighted by a Gaussian of their distance."""
        result = np.empty(len(t), dtype=np.float32)
        # TMVA: what stands in for an empty cell is the average around the event, not around that cell
        stand_in = self._average_around(t, cells, values) if self.is_empty.any() else result
        for start in range(0, len(t), _GAUSS_BLOCK):
            part = slice(start, start + _GAUSS_BLOCK)
            result[part] = self._gauss_block(t[part].clip(0.0, 1.0), stand_in[part], values)
        return result

    def _gauss_block(self, t: Float32Array, stand_in: Float32Array, values: Float32Array) -> Float32Array:
        foam = self.foam
        columns = np.ascontiguousarray(t.T)
        low = foam.positions.astype(np.float32)
        high = (foam.positions + foam.sizes).astype(np.float32)
        total, norm = np.zeros(len(t), dtype=np.float32), np.zeros(len(t), dtype=np.float32)
        for cell in foam.active.tolist():
            squares = np.zeros(len(t), dtype=np.float32)
            for k, column in enumerate(columns):
                difference = column - column.clip(low[cell, k], high[cell, k])
                squares += difference * difference
            weight = self._gaussian(np.sqrt(squares))
            total += weight * (stand_in if self.is_empty[cell] else values[cell])
            norm += weight
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(norm == 0, np.float32(0.0), total / norm)

    def _gaussian(self, distance: Float32Array) -> Float32Array:
        weight = np.zeros(len(distance), dtype=np.float32)
        z = distance.astype(np.float64) / self.sigma
        near = np.flatnonzero(z < _INVISIBLE)
        weight[near] = np.exp(-0.5 * z[near] * z[near])
        return weight


def mean_targets(evaluation: FoamEvaluation, x: Float32Array) -> Float32Array:
    """Return for each event the mean of the targets over the cells of its variables, weighted by their densities."""
    foam, n_variables = evaluation.foam, x.shape[1]
    centres = _target_centres(foam, n_variables).astype(np.float64)
    density = evaluation.of_cells(CellValue.DENSITY).astype(np.float64)
    total = np.zeros((len(x), foam.n_dimensions - n_variables), dtype=np.float32)
    norm = np.zeros((len(x), 1), dtype=np.float32)
    for cell, inside in _cells_of_variables(evaluation, x):
        total[inside] += density[cell] * centres[cell]
        norm[inside] += density[cell]
    # TMVA: half the width of the range where no event was seen, not its middle
    otherwise = (foam.x_max - foam.x_min)[n_variables:] / 2.0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(norm > FLT_EPSILON, total / norm, otherwise).astype(np.float32)


def most_probable_targets(evaluation: FoamEvaluation, x: Float32Array) -> Float32Array:
    """Return for each event the targets at the centre of the densest cell of its variables, 0 if all are empty."""
    foam, n_variables = evaluation.foam, x.shape[1]
    centres = _target_centres(foam, n_variables)
    density = evaluation.of_cells(CellValue.DENSITY)
    best = np.zeros(len(x), dtype=np.float32)
    result = np.zeros((len(x), foam.n_dimensions - n_variables), dtype=np.float32)
    for cell, inside in _cells_of_variables(evaluation, x):
        denser = inside[density[cell] > best[inside]]
        best[denser] = density[cell]
        result[denser] = centres[cell]
    return result


def _cells_of_variables(evaluation: FoamEvaluation, x: Float32Array) -> Iterator[tuple[int, IndexArray]]:
    """Yield active cells with the events whose variables they agree with, whatever the targets."""
    foam, n_variables = evaluation.foam, x.shape[1]
    low, high = foam.x_min[:n_variables], foam.x_max[:n_variables]
    # TMVA: an absolute step, which float32 numbers beyond 1 do not notice
    x = np.where(x <= low, (low + FLT_EPSILON).astype(np.float32), x)
    x = np.where(x >= high, (high - FLT_EPSILON).astype(np.float32), x)
    return evaluation.by_coordinates.leaves(foam.coordinates(x), range(n_variables, foam.n_dimensions))


def _target_centres(foam: Foam, n_variables: int) -> Float32Array:
    """Return the targets (n_cells, n_targets) at the centres of the cells."""
    targets = slice(n_variables, None)
    centres = foam.positions[:, targets] + 0.5 * foam.sizes[:, targets]
    return back(centres, foam.x_min[targets], foam.x_max[targets])
