"""The inverse Hessian in the form in which variances are computed from it."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray


def triangular_factor(matrix: FloatArray) -> FloatArray | None:
    """Return the upper triangular ``U`` with ``Uᵀ U = matrix``, or None if the matrix is not positive definite.

    Inverse Hessians have condition numbers of 1e6 and more, so the factor is found in extended precision where the
    machine has it; ``|U s|²`` is then more exact than ``sᵀ A⁻¹ s``.

    >>> triangular_factor(np.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 1.],
           [0., 2.]])
    >>> triangular_factor(np.array([[-1.0]])) is None
    True
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
