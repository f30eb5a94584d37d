"""Minimum and maximum of the columns of a table.

numpy reduces a table of few columns row by row, which takes ten times as long as reading it.  Smallest and largest
values do not depend on the order, so many rows are taken as one long one first.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 4096
"""Numbers that make a long row at most: few enough for the processor's first cache."""


def over_rows(function: np.ufunc, table: NDArray[Any], initial: Any = None) -> NDArray[Any]:
    """Return ``function.reduce(table, axis=0)`` of (n_rows, n_columns); ``function`` is one of minimum, fmax, ….

    Without ``initial`` there must be a row.
    """
    n_rows, n_columns = table.shape
    rows = max(min(math.isqrt(n_rows), MOST // max(n_columns, 1)), 1)
    n_long = n_rows // rows
    if rows > 1 and n_columns > 0 and table.flags.c_contiguous:
        long = function.reduce(table[: n_long * rows].reshape(n_long, rows * n_columns), axis=0)
        table = np.concatenate((long.reshape(rows, n_columns), table[n_long * rows :]))
    result: NDArray[Any] = function.reduce(table, axis=0, **({} if initial is None else {"initial": initial}))
    return result
