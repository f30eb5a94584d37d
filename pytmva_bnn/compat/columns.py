"""Columns in place of cells: what ``pytmva-bnn port --vectorise`` writes where a loop over events became array calls.

A column is an array of the numbers that a variable has in all events.  It holds the numbers with which Python computes,
float64 or int64, whatever the type of the cell is, so that results are those of the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pytmva_bnn._typing import AnyArray
from pytmva_bnn.compat.errors import MacroError


def stored(values: Any, typecode: str) -> AnyArray:
    """Return what memory of a type (``array``'s codes) keeps of the numbers of a column.

    >>> stored([0.5, 0.1], "f").tolist(), stored([1.5, -2.5], "i").tolist()
    ([0.5, 0.10000000149011612], [1, -2])
    """
    column = np.asarray(values)
    if column.ndim != 1 or column.dtype.kind not in "biuf":
        raise MacroError(
            "a branch that does not have one number in each entry is not a column; translate without --vectorise"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        kept = column.astype(typecode)
    return kept.astype(np.float64 if typecode in "fd" else np.int64)


def each(function: Callable[..., Any], *arguments: Any) -> AnyArray:
    """Return the results of a function, called event by event; arguments are columns, or numbers for all events.

    >>> each(max, np.array([1.0, 3.0]), 2.0).tolist()
    [2.0, 3.0]
    """
    rows = zip(*(one.tolist() for one in np.broadcast_arrays(*arguments)), strict=True)
    return np.array([function(*row) for row in rows])
