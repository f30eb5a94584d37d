"""The inverse of a matrix of sums over events, with TMVA's messages if it is singular."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.transform.linear_algebra import lu_determinant, lu_inverse

ALMOST_SINGULAR = 1e-23
# TMVA: the limits are absolute, so that variables in small units reach them without being correlated
SINGULAR = 1e-119
LARGEST_CONDITION = 1e12


def checked_inverse(matrix: FloatArray, message: str, names: Sequence[str], log: logging.Logger) -> FloatArray:
    """Return the inverse; InputError, with the names of the variables to blame, if there is none.

    ``message`` has places for ``singular`` or ``almost singular``, the determinant, and what else may be the reason.
    Where TMVA stops although only the units of the variables are small, the matrix is inverted with all of its diagonal
    scaled to 1.
    """
    if not np.isfinite(matrix).all():
        raise InputError(f"{message % ('not finite', np.nan, '')} Look for variables with huge values.")
    determinant = abs(lu_determinant(matrix))
    if determinant >= SINGULAR:
        inverse = lu_inverse(matrix)
        if inverse is not None:
            if determinant < ALMOST_SINGULAR:
                log.warning(message, "almost singular", determinant, " or highly correlated")
            return inverse
    scales = np.sqrt(np.abs(np.diagonal(matrix)))
    blamed = [name for name, scale in zip(names, scales, strict=True) if scale == 0.0]
    if blamed:
        what = f"{', '.join(blamed)} {'is' if len(blamed) == 1 else 'are'} constant"
        raise InputError(f"{message % ('singular', determinant, '')} {what}: remove such variables.")
    scaled = matrix / np.outer(scales, scales)
    values, vectors = np.linalg.eigh(scaled)
    sizes = np.abs(values)
    if sizes.min() * LARGEST_CONDITION < sizes.max():
        weights = np.abs(vectors[:, sizes.argmin()])
        blamed = [name for name, weight in zip(names, weights, strict=True) if weight > 0.1 * weights.max()]
        what = f"{', '.join(blamed)} depend on each other (or one is constant)"
        raise InputError(f"{message % ('singular', determinant, '')} {what}: remove one of them.")
    log.warning(
        "the determinant is %g, which TMVA treats as singular; only the units of the variables are small, so the "
        "matrix is inverted after scaling them",
        determinant,
    )
    inverse = lu_inverse(scaled)
    if inverse is None:
        raise AssertionError("a matrix of moderate condition has an inverse")
    result: FloatArray = inverse / np.outer(scales, scales)
    return result
