"""What FDA minimises, as functions of blocks of parameter vectors.

A formula that is linear in its parameters is a matrix of basis functions times the parameters: the squared distance is
then a quadratic form, which takes no time however many events there are.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.formula import TFormula

_ELEMENTS = 1 << 14
"""Values of the formula that are computed at once: few enough for the processor's cache."""


class Model:
    """The formula on the training events (n_events, n_variables), for any parameters."""

    def __init__(self, formula: TFormula, n_parameters: int, x: FloatArray) -> None:
        self.n_events = len(x)
        self.n_parameters = n_parameters
        columns = {n_parameters + k: column for k, column in enumerate(np.ascontiguousarray(x.T))}
        self._function = formula.function(columns)
        self._is_linear = formula.degree(range(n_parameters)) <= 1

    @property
    def points_at_once(self) -> int:
        """Return how many points to evaluate together."""
        return max(1, _ELEMENTS // max(self.n_events, 1))

    def values(self, points: FloatArray) -> FloatArray:
        """Return the formula for points (n, n_parameters): (n, n_events)."""
        parameters = [column[:, np.newaxis] for column in points.T] if len(points) > 1 else points[0].tolist()
        with np.errstate(all="ignore"):
            found = self._function(parameters)
        return np.broadcast_to(np.asarray(found, dtype=np.float64), (len(points), self.n_events))

    def basis(self) -> FloatArray | None:
        """Return the functions (1 + n_parameters, n_events) of which the first stands alone; None if not linear."""
        if not self._is_linear:
            return None
        corners = np.vstack([np.zeros(self.n_parameters), np.eye(self.n_parameters)])
        functions = np.array([self.values(corner[np.newaxis])[0] for corner in corners])
        functions[1:] -= functions[0]
        return functions if np.isfinite(functions).all() else None


class SquaredDistance:
    """Σ w (F - t)² of events with weights and aims t, for points (n, n_parameters)."""

    def __init__(self, model: Model, weights: FloatArray, aims: FloatArray) -> None:
        self._model, self._weights, self._aims = model, weights, aims
        basis = model.basis()
        self._form: tuple[FloatArray, FloatArray, float] | None = None
        if basis is not None:
            rest, functions = aims - basis[0], basis[1:]
            weighted = functions * weights
            self._form = weighted @ functions.T, weighted @ rest, float(np.sum(weights * rest * rest))

    def __call__(self, points: FloatArray) -> FloatArray:
        """Return the sums (n,)."""
        if self._form is not None:
            a, b, c = self._form
            return np.asarray(np.einsum("ni,ni->n", points @ a - 2.0 * b, points) + c)
        sums = np.empty(len(points))
        step = self._model.points_at_once
        for start in range(0, len(points), step):
            distances = self._model.values(points[start : start + step]) - self._aims
            with np.errstate(all="ignore"):
                np.square(distances, out=distances)
                sums[start : start + step] = distances @ self._weights
        return sums


class SoftmaxLoss:
    """-Σ w log p / Σ w with the probability p of the true class, for points (n, n_classes * n_parameters)."""

    def __init__(self, model: Model, weights: FloatArray, class_index: IntArray, n_classes: int) -> None:
        self._model, self._class_index, self._n_classes = model, class_index, n_classes
        self._weights = weights / np.sum(weights)
        self._basis = model.basis()

    def __call__(self, points: FloatArray) -> FloatArray:
        """Return the losses (n,)."""
        return np.array([self._loss(point.reshape(self._n_classes, -1)) for point in points])

    def _loss(self, parameters: FloatArray) -> float:
        if self._basis is not None:
            values = parameters @ self._basis[1:] + self._basis[0]
        else:
            values = np.vstack([self._model.values(row[np.newaxis]) for row in parameters])
        with np.errstate(all="ignore"):
            values = values - values.max(axis=0)
            own = values[self._class_index, np.arange(values.shape[1])]
            return float(self._weights @ (np.log(np.exp(values).sum(axis=0)) - own))
