"""The inverse Hessian in the form in which variances are computed from it, by numpy and by compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray

# Events are multiplied in groups, so that every product has the same shape and BLAS takes the same way: a variance does
# not depend on the events that it is computed with.  No product is so large that BLAS shares it out between threads.
_GROUP, _TERMS, _SUMS = 16, 128, 64
#: events at once: what is computed of them stays in the cache
_EVENTS = 256


@dataclass(frozen=True, eq=False)
class Factors:
    """The inverse Hessians ``(n_outputs, n_weights, n_weights)`` as triangular factors.

    Where ``triangular`` is 1, the matrix is ``U`` with ``A⁻¹ = Uᵀ U``; where it is 0, ``A⁻¹`` is not positive and
    stands there itself.
    """

    matrices: FloatArray
    triangular: IntArray

    @classmethod
    def of(cls, inverse_hessians: tuple[FloatArray, ...]) -> Factors:
        """Return the factors, which takes some time for large matrices."""
        factors = [triangular_factor(matrix) for matrix in inverse_hessians]
        chosen = [m if f is None else f for f, m in zip(factors, inverse_hessians, strict=True)]
        return cls(
            np.ascontiguousarray(chosen, dtype=np.float64),
            np.array([factor is not None for factor in factors], dtype=np.int64),
        )

    @property
    def are_positive(self) -> bool:
        """Whether no variance can be negative."""
        return bool(self.triangular.all())

    @cached_property
    def transposed(self) -> FloatArray:
        """The transposed matrices, for products with one event or one row for each event."""
        return np.ascontiguousarray(self.matrices.transpose(0, 2, 1))

    def variances(self, sensitivities: FloatArray, output: int = 0) -> FloatArray:
        """Return ``sᵀ A⁻¹ s`` of an output for the sensitivities ``(n_events, n_weights)``, by numpy."""
        transposed, triangular = self.transposed[output], bool(self.triangular[output])
        n_events, n = sensitivities.shape
        result = np.empty(-(-n_events // _GROUP) * _GROUP)
        for start in range(0, n_events, _EVENTS):
            s = sensitivities[start : start + _EVENTS]
            if len(s) % _GROUP:
                s = np.concatenate([s, np.zeros((-len(s) % _GROUP, n))])
            sums = _products(s.reshape(-1, _GROUP, n), transposed, triangular).reshape(s.shape)
            sums *= sums if triangular else s
            sums.sum(axis=1, out=result[start : start + _EVENTS])
        return result[:n_events]


def _products(s: FloatArray, transposed: FloatArray, triangular: bool) -> FloatArray:
    """Return ``s`` times the transposed matrix, in tiles."""
    n = len(transposed)
    if n <= _SUMS:
        return np.asarray(s @ transposed)
    sums = np.zeros_like(s)
    for row in range(0, n, _SUMS):
        rows = slice(row, row + _SUMS)
        for column in range(row if triangular else 0, n, _TERMS):
            columns = slice(column, column + _TERMS)
            sums[..., rows] += s[..., columns] @ transposed[columns, rows]
    return sums


def triangular_factor(matrix: FloatArray) -> FloatArray | None:
    """Return the upper triangular ``U`` with ``Uᵀ U = matrix``, or None if the matrix is not positive definite.

    Inverse Hessians have condition numbers of 1e6 and more, so the factor is found in extended precision where the
    machine has it; ``|U s|²`` is then more exact than ``sᵀ A⁻¹ s``.

    >>> triangular_factor(np.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 1.],
           [0., 2.]])
    """
    if not np.isfinite(matrix).all():
        return None
    n = len(matrix)
    # rows of the factor: what is left of the matrix is lowered by the outer product of each
    left = (matrix.astype(np.longdouble) + matrix.T) / 2
    upper = np.zeros((n, n), dtype=np.longdouble)
    for r in range(n):
        row = left[r, r:] - upper[:r, r] @ upper[:r, r:]
        if not row[0] > 0:
            return None
        upper[r, r:] = row / np.sqrt(row[0])
    return np.ascontiguousarray(upper, dtype=np.float64)
