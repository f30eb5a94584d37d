"""Fitting of D: the inverse square root of the weighted covariance matrix."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.reductions.moments import covariances
from pytmva_bnn.transform.class_sets import as_classes, as_inputs, as_weights
from pytmva_bnn.transform.decorrelate import Decorrelation
from pytmva_bnn.transform.linear_algebra import lu_inverse, symmetric_eigen

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from pytmva_bnn.transform.selection import Selection

    Floats = NDArray[np.float64]

LOGGER = logging.getLogger("pytmva_bnn.transform")

MAX_INPUTS = 200
"""More inputs are refused, here and for the principal components."""


def fit_decorrelation(
    values: ArrayLike,
    classes: ArrayLike,
    weights: ArrayLike,
    n_classes: int,
    selection: Selection | None = None,
) -> Decorrelation:
    """Return D for inputs (n_events, n_inputs), all variables; negative weights count as they are.

    >>> step = fit_decorrelation([[0.0], [4.0]], classes=[0, 0], weights=[1.0, 1.0], n_classes=1)
    >>> step.matrices[0].tolist()
    [[0.5]]
    """
    x = as_inputs(values, classes)
    w = as_weights(weights, len(x))
    refuse_too_many(x.shape[1], "decorrelation matrix")
    of_class = as_classes(classes, n_classes)
    return Decorrelation(selection, tuple(decorrelation_matrix(C) for C in covariances(x, w, of_class, n_classes)))


def refuse_too_many(n_inputs: int, what: str) -> None:
    """Raise an InputError for more than 200 inputs.

    >>> refuse_too_many(200, "decorrelation matrix")
    """
    if n_inputs > MAX_INPUTS:
        # TMVA: goes on without the step and fails when events are transformed
        raise InputError(
            f"More than {MAX_INPUTS} variables ({n_inputs}), will not calculate {what}; "
            "select fewer, e.g. VarTransform=D(_V0_,_V1_,...)"
        )


def decorrelation_matrix(C: Floats) -> Floats:  # noqa: N803
    """Return the inverse of the symmetric square root of C, or TMVA's substitute where it does not exist.

    >>> decorrelation_matrix(np.array([[2.5, 1.5], [1.5, 2.5]])).round(12).tolist()
    [[0.75, -0.25], [-0.25, 0.75]]
    """
    if not _is_positive_definite(C):
        LOGGER.warning("<GetSQRootMatrix> matrix not positive definite; check for constant or dependent variables")
    R = _square_root(C)  # noqa: N806
    inverse = lu_inverse(R)
    if inverse is None:
        # TMVA: goes on with the matrix that should have been inverted
        LOGGER.warning("the square root of the covariance matrix is singular and is used without inverting it")
        return R
    return inverse


def _is_positive_definite(C: Floats) -> bool:  # noqa: N803
    try:
        return bool(np.all(np.isfinite(np.linalg.cholesky(C))))
    except np.linalg.LinAlgError:
        return False


def _square_root(C: Floats) -> Floats:  # noqa: N803
    values, S = symmetric_eigen(C)  # noqa: N806
    R = np.zeros(C.shape)  # noqa: N806
    with np.errstate(all="ignore"):  # TMVA: a negative eigenvalue makes all elements NaN
        B = S * np.sqrt(values)  # noqa: N806
        for k in range(len(C)):
            R += np.outer(B[:, k], S[:, k])  # noqa: N806
    return np.triu(R) + np.triu(R, 1).T
