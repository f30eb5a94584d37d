"""Normalisation N, x → [-1, 1] by the range of the training events, and scaling S by the largest |x|."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pytmva_bnn.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from pytmva_bnn.transform.selection import Selection

    Floats32 = NDArray[np.float32]

ONE = np.float32(1)
TWO = np.float32(2)
LONG_ROW = 512


@dataclass(frozen=True, eq=False)
class Normalisation:
    """Parameters of N (``offset``) or S (no ``offset``): ranges (n_sets, n_inputs), float32.

    Without a selection (TMVA <= 4.1.0) the inputs are all variables, then all targets.

    >>> Normalisation(None, np.float32([[0.0]]), np.float32([[2.0]])).apply(np.float32([[0.5]])).tolist()
    [[-0.5]]
    """

    selection: Selection | None
    minima: Floats32
    maxima: Floats32
    offset: bool = True

    title: ClassVar[str] = "Normalize"

    def check(self, n_inputs: int) -> None:
        """Raise an InputError unless there are ranges for ``n_inputs`` inputs.

        >>> Normalisation(None, np.float32([[0.0]]), np.float32([[2.0]])).check(1)
        """
        for name, ranges in (("minima", self.minima), ("maxima", self.maxima)):
            shape = np.shape(ranges)
            if len(shape) != 2 or shape[0] == 0 or shape[1] != n_inputs:
                raise InputError(
                    f"transformation {self.title}: {name} must have the shape (n_sets, {n_inputs}), got {shape}"
                )

    def apply(self, x: Floats32) -> Floats32:
        """Return the first inputs (n_events, k) transformed with the last set.

        >>> step = Normalisation(None, np.float32([[0.0]]), np.float32([[-4.0]]), offset=False)
        >>> step.apply(np.float32([[2.0]])).tolist()
        [[0.5]]
        """
        k = x.shape[1]
        function = normalise if self.offset else scale
        return function(x, self.minima[-1][:k], self.maxima[-1][:k])

    def invert(self, y: NDArray[Any], positions: slice | list[int]) -> NDArray[Any]:
        """Undo the transformation for the inputs at ``positions`` (n_events, k), in the precision of ``y``.

        >>> step = Normalisation(None, np.float32([[0.0]]), np.float32([[2.0]]))
        >>> step.invert(np.float32([[-0.5]]), [0]).tolist()
        [[0.5]]
        """
        function = denormalise if self.offset else unscale
        return function(y, self.minima[-1][positions], self.maxima[-1][positions])


def normalise(x: Floats32, minimum: Floats32, maximum: Floats32) -> Floats32:
    """Return 2 (x - min) / (max - min) - 1, rounded to float32 after each operation.

    A constant variable (max = min) gives NaN or ±inf, a value beyond the range |y| > 1.

    >>> normalise(np.float32([[1.0], [9.0]]), np.float32([1.0]), np.float32([3.0])).tolist()
    [[-1.0], [7.0]]
    """
    y = x.copy(order="C")
    with np.errstate(all="ignore"):
        for part, low, inverse in _long_rows(y, minimum, _inverse_range(minimum, maximum)):
            part -= low
            part *= inverse
            part *= TWO
            part -= ONE
    return y


def _long_rows(y: Floats32, *parameters: Floats32) -> Iterator[tuple[Floats32, ...]]:
    """Yield parts of a table, many rows as one long one, with the parameters of its columns repeated as often.

    numpy takes several times longer for many short rows.
    """
    n_rows, n_columns = y.shape
    together = max(LONG_ROW // max(n_columns, 1), 1)
    n_long = n_rows // together
    if n_long > 1:
        head = y[: n_long * together].reshape(n_long, together * n_columns)
        yield head, *(np.tile(one, together) for one in parameters)
        y = y[n_long * together :]
    yield y, *parameters


def denormalise(y: NDArray[Any], minimum: Floats32, maximum: Floats32) -> NDArray[Any]:
    """Return what :func:`normalise` made ``y`` from; float64 ``y`` are not rounded to float32.

    >>> denormalise(np.float32([[-1.0], [7.0]]), np.float32([1.0]), np.float32([3.0])).tolist()
    [[1.0], [9.0]]
    """
    if y.dtype == np.float64:
        low, high = minimum.astype(np.float64), maximum.astype(np.float64)
        with np.errstate(all="ignore"):
            exact: NDArray[Any] = low + (y + 1.0) / (1.0 / (high - low) * 2.0)
        return exact
    with np.errstate(all="ignore"):
        x: NDArray[Any] = minimum + (y + ONE) / (_inverse_range(minimum, maximum) * TWO)
    return x


def _inverse_range(minimum: Floats32, maximum: Floats32) -> Floats32:
    return (1.0 / (maximum - minimum).astype(np.float64)).astype(np.float32)


def scale(x: Floats32, minimum: Floats32, maximum: Floats32) -> Floats32:
    """Return x divided by the larger of |min| and |max|, in float32.

    >>> scale(np.float32([[1.0]]), np.float32([-4.0]), np.float32([3.0])).tolist()
    [[0.25]]
    """
    with np.errstate(all="ignore"):
        y: Floats32 = x / _largest(minimum, maximum)
    return y


def unscale(y: NDArray[Any], minimum: Floats32, maximum: Floats32) -> NDArray[Any]:
    """Return what :func:`scale` made ``y`` from, in the precision of ``y``.

    >>> unscale(np.float32([[0.25]]), np.float32([-4.0]), np.float32([3.0])).tolist()
    [[1.0]]
    """
    with np.errstate(all="ignore"):
        x: NDArray[Any] = y * _largest(minimum, maximum)
    return x


def _largest(minimum: Floats32, maximum: Floats32) -> Floats32:
    low, high = np.abs(minimum), np.abs(maximum)
    return np.where(high > low, high, low)
