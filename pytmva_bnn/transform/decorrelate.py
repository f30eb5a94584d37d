"""Decorrelation D: multiplication with the inverse square root of the covariance matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytmva_bnn.transform.selection import Selection

TO_MULTIPLY = 3e-9
"""Seconds that numpy takes for a product."""
EVENTS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Decorrelation:
    """Parameters of D: a matrix (n_inputs, n_inputs) for each set.

    >>> step = Decorrelation(None, (np.array([[0.0, 1.0], [2.0, 0.0]]),))
    >>> step.apply(np.float32([[3.0, 5.0]])).tolist()
    [[5.0, 6.0]]
    """

    selection: Selection | None
    matrices: tuple[NDArray[np.float64], ...]

    title: ClassVar[str] = "Decorrelation"

    def check(self, n_inputs: int) -> None:
        """Raise an InputError unless the matrices fit ``n_inputs`` inputs.

        >>> Decorrelation(None, (np.eye(2),)).check(2)
        """
        if not self.matrices:
            raise InputError(f"transformation {self.title}: no matrix given")
        for matrix in self.matrices:
            if np.shape(matrix) != (n_inputs, n_inputs):
                raise InputError(
                    f"transformation {self.title}: matrices must have the shape ({n_inputs}, {n_inputs}), "
                    f"got {np.shape(matrix)}"
                )

    def apply(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the inputs (n_events, n_inputs) transformed with the last set.

        >>> Decorrelation(None, (np.eye(1), 2 * np.eye(1))).apply(np.float32([[3.0]])).tolist()
        [[6.0]]
        """
        return decorrelate(x, self.matrices[-1])


def decorrelate(x: NDArray[np.float32], matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return y_i = Σ_j x_j D_ij (n_events, n); no mean is subtracted.

    >>> decorrelate(np.float32([[1.0, 2.0]]), np.array([[1.0, 1.0], [0.0, 3.0]])).tolist()
    [[3.0, 6.0]]
    """
    return centred_product(x, np.zeros(x.shape[1]), matrix)


def centred_product(
    x: NDArray[np.float32], means: NDArray[np.float64], matrix: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return y_i = f32(Σ_j (x_j - m_j) M_ij), added in float64 with j ascending.

    >>> centred_product(np.float32([[1.0, 2.0]]), np.array([0.0, 1.0]), np.array([[1.0, 1.0], [0.0, 3.0]])).tolist()
    [[2.0, 3.0]]
    """
    if compiled_pays(TO_MULTIPLY * x.size * len(matrix)):
        return product_by_kernel(x, means, matrix)
    with np.errstate(all="ignore"):
        return product_by_columns(x.astype(np.float64) - means, matrix)


def product_by_kernel(
    x: NDArray[np.float32], means: NDArray[np.float64], matrix: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return the same as :func:`centred_product` by compiled code."""
    from pytmva_bnn.transform.product_kernels import product  # lazy: numba

    y = np.empty((len(x), len(matrix)), np.float32)
    columns = np.ascontiguousarray(matrix.T)
    n_products = float(x.size) * len(matrix)
    in_parts(lambda start, stop: product(x, means, columns, start, stop, y), len(x), EVENTS_AT_ONCE, n_products)
    return y


def product_by_columns(x: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return y_i = f32(Σ_j x_j M_ij), added in float64 with j ascending.

    A library's matrix product would add in an order that depends on the number of events.

    >>> product_by_columns(np.array([[1.0, 2.0]]), np.array([[1.0, 1.0], [0.0, 3.0]])).tolist()
    [[3.0, 6.0]]
    """
    total = np.zeros((len(matrix), len(x)))
    with np.errstate(all="ignore"):  # infinite inputs
        for j, column in enumerate(np.ascontiguousarray(x.T)):
            total += matrix[:, j : j + 1] * column
        return np.ascontiguousarray(total.T.astype(np.float32))
