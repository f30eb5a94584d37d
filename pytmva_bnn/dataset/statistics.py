"""Ranges and correlations of the training events."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.reductions.extremes import over_rows
from pytmva_bnn.reductions.summation import sequential_sum

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")

#: products of a block of events: so few that a BLAS does them in one thread, quickly also on a busy machine and with
#: the same last bits on any number of processors
PRODUCTS = 1 << 18
MANY_COLUMNS = 8


def ranges(values: Float32Array) -> list[tuple[float, float]]:
    """Return minimum and maximum of each column of (n_events, n_columns)."""
    if len(values) == 0:
        return []
    return list(zip(over_rows(np.minimum, values).tolist(), over_rows(np.maximum, values).tolist(), strict=True))


def covariance(values: Float32Array, weights: FloatArray, events: NDArray[np.intp] | None = None) -> FloatArray:
    """Return the weighted covariance C_ij = <x_i x_j> - <x_i><x_j>, (n_columns, n_columns).

    ``events`` are the numbers of those that count, if not all do.
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
    """Return rho_ij = C_ij / sqrt(C_ii C_jj) with 1 on the diagonal; 0, and a warning, for a constant."""
    variances = np.diag(covariances)
    products = np.outer(variances, variances)
    for i, j in np.argwhere(np.triu(~(products > 0), k=1)).tolist():
        # TMVA: the data set is always called Default here
        LOGGER.warning(
            "Dataset[Default] : <GetCorrelationMatrix> Zero variances for variables (%d, %d) = %g", i, j, products[i, j]
        )
    rho = np.zeros_like(covariances)
    with np.errstate(invalid="ignore"):  # weights that sum up to 0
        np.divide(covariances, np.sqrt(np.maximum(products, 0)), out=rho, where=products > 0)
    np.fill_diagonal(rho, 1.0)
    return rho


def matrix_table(matrix: FloatArray, columns: Sequence[str], rows: Sequence[str] | None = None) -> list[str]:
    """Return the table of a matrix (n_rows, n_columns); without ``rows`` it is square and they are the columns."""
    names = columns if rows is None else rows
    if len(matrix) != len(names) or any(len(line) != len(columns) for line in matrix):
        raise InputError(f"expected a matrix with {len(names)} rows and {len(columns)} columns")
    widths = [max(7, len(name)) for name in columns]
    widest = max(widths, default=7)
    # TMVA: the rule is as long as the names of the columns demand, whatever the rows are called
    rule = "-" * (widest + 1 + sum(width + 1 for width in widths))
    margin = widest if rows is None else max([7, *map(len, rows)])
    lines = [rule, " " * (margin + 1) + "".join(f"{name:>{w + 1}}" for name, w in zip(columns, widths, strict=True))]
    for name, line in zip(names, matrix, strict=True):
        entries = "".join(f"{x:+1.3f}".rjust(w + 1) for x, w in zip(line, widths, strict=True))
        lines.append(f"{name:>{margin}}:{entries}")
    return [*lines, rule]
