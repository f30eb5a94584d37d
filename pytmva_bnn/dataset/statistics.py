"""Ranges and correlations of the training events."""

from __future__ import annotations

import logging

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.reductions.extremes import over_rows
from pytmva_bnn.reductions.summation import sequential_sum

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")

#: products of a block of events: so few that a BLAS does them in one thread, quickly also on a busy machine and with
#: the same last bits on any number of processors
PRODUCTS = 1 << 18
MANY_COLUMNS = 8


def ranges(values: Float32Array) -> list[tuple[float, float]]:
    """Return minimum and maximum of each column of (n_events, n_columns).

    >>> ranges(np.array([[1, 5], [2, 4]], dtype=np.float32))
    [(1.0, 2.0), (4.0, 5.0)]
    """
    if len(values) == 0:
        return []
    return list(zip(over_rows(np.minimum, values).tolist(), over_rows(np.maximum, values).tolist(), strict=True))


def covariance(values: Float32Array, weights: FloatArray, events: NDArray[np.intp] | None = None) -> FloatArray:
    """Return the weighted covariance C_ij = <x_i x_j> - <x_i><x_j>, (n_columns, n_columns).

    ``events`` are the numbers of those that count, if not all do.

    >>> covariance(np.array([[0, 0], [2, 4]], dtype=np.float32), np.array([1.0, 1.0]))
    array([[1., 2.],
           [2., 4.]])
    """
    n_columns = values.shape[1]
    products = np.zeros((n_columns, n_columns))
    sums = np.zeros(n_columns)
    chosen = weights if events is None else np.take(weights, events)
    n_rows = max(32, PRODUCTS // max(1, n_columns**2))
    for start in range(0, len(chosen), n_rows):
        piece = slice(start, start + n_rows)
        rows = values[piece] if events is None else np.take(values, events[piece], axis=0)
        x = rows.astype(np.float64)
        wx = chosen[piece, None] * x
        products += wx.T @ x
        sums += _sums_of_columns(wx)
    total = chosen.sum()
    with np.errstate(divide="ignore", invalid="ignore"):  # weights that sum up to 0
        result: FloatArray = products / total - np.outer(sums, sums) / total**2
    return result


def _sums_of_columns(table: FloatArray) -> FloatArray:
    """Return ``table.sum(axis=0)``, which goes through the rows, faster for few columns."""
    # a single column is added in pairs; many are added fast
    if table.shape[1] == 1 or table.shape[1] > MANY_COLUMNS:
        return np.asarray(table.sum(axis=0))
    return sequential_sum(np.ascontiguousarray(table.T))


def correlation(covariances: FloatArray) -> FloatArray:
    """Return rho_ij = C_ij / sqrt(C_ii C_jj) with 1 on the diagonal; 0, and a warning, for a constant.

    >>> correlation(np.array([[1.0, 1.0], [1.0, 4.0]]))
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    variances = np.diag(covariances)
    products = np.outer(variances, variances)
    for i, j in np.argwhere(np.triu(~(products > 0), k=1)).tolist():
        # TMVA: the data set is always called Default here
        LOGGER.warning(
            "Dataset[Default] : <GetCorrelationMatrix> Zero variances for variables (%d, %d) = %g", i, j, products[i, j]
        )
    rho = np.zeros_like(covariances)
    np.divide(covariances, np.sqrt(np.maximum(products, 0)), out=rho, where=products > 0)
    np.fill_diagonal(rho, 1.0)
    return rho


def percent(rho: FloatArray) -> NDArray[np.int64]:
    """Return 100 rho as TMVA's histograms of the correlations hold it.

    >>> percent(np.array([[1.0, -0.119], [-0.119, 1.0]]))
    array([[100, -11],
           [-11, 100]])
    """
    # TMVA: float32, then cut off towards 0
    return (np.float32(100) * rho.astype(np.float32)).astype(np.int64)


def matrix_lines(names: list[str], matrix: FloatArray) -> list[str]:
    """Return the matrix as TMVA prints it.

    >>> print("\\n".join(matrix_lines(["x", "y"], np.array([[1, -0.25], [-0.25, 1]]))))
    ------------------------
                   x       y
          x:  +1.000  -0.250
          y:  -0.250  +1.000
    ------------------------
    """
    label = max(7, *(len(name) for name in names))
    widths = [max(7, len(name)) + 1 for name in names]
    rule = "-" * (label + 1 + sum(widths))
    lines = [rule, " " * (label + 1) + "".join(name.rjust(w) for name, w in zip(names, widths, strict=True))]
    for name, row in zip(names, matrix.tolist(), strict=True):
        lines.append(f"{name.rjust(label)}:" + "".join(f"{v:+1.3f}".rjust(w) for v, w in zip(row, widths, strict=True)))
    return [*lines, rule]
