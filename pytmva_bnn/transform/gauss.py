"""Uniformisation U and Gaussianisation G: each input by its cumulative distribution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.histograms import PDF, PDFRecord, build_pdf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytmva_bnn.transform.selection import Selection

    Floats = NDArray[np.float64]

SQRT2 = 1.414213562  # TMVA: √2 to 10 digits only
ERFINV_SLOPE = 0.8862269254527579  # √π/2
ERFINV_PRECISION = 1e-14
ERFINV_ITERATIONS = 50
SMALLEST, LARGEST = 1e-9, 1 - 1e-9
"""Limits of the cumulative distribution."""
TO_APPLY = 100e-9
"""Seconds that numpy takes for a value, at least."""
EVENTS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Gaussianisation:
    """Parameters of G, or with ``flat`` of U: ``cumulatives[input][set]``.

    >>> from pytmva_bnn.histograms import Histogram
    >>> histogram = Histogram("c", np.float32([0.0, 0.5, 1.0]), 0.0, 3.0)
    >>> step = Gaussianisation(None, ((PDFRecord("c", 0, 0, 1, 0, 1, 1, 0.0, histogram),),), flat=True)
    >>> step.apply(np.float32([[1.0], [1.5]])).tolist()
    [[0.25], [0.5]]
    """

    selection: Selection | None
    cumulatives: tuple[tuple[PDFRecord, ...], ...]
    flat: bool

    title: ClassVar[str] = "Gauss"

    def check(self, n_inputs: int) -> None:
        """Raise an InputError unless there are distributions for ``n_inputs`` inputs.

        >>> Gaussianisation(None, (), flat=False).check(0)
        """
        check_cumulatives(self.cumulatives, n_inputs, self.title)

    @cached_property
    def _built(self) -> dict[int, PDF]:
        return {}

    def distribution(self, position: int) -> PDF:
        """Return the cumulative distribution of an input in the last set, built on first use.

        >>> from pytmva_bnn.histograms import Histogram
        >>> histogram = Histogram("c", np.float32([0.0, 0.5, 1.0]), 0.0, 3.0)
        >>> step = Gaussianisation(None, ((PDFRecord("c", 0, 0, 1, 0, 1, 1, 0.0, histogram),),), flat=True)
        >>> step.distribution(0).histogram.n_bins
        10000
        """
        if position not in self._built:
            self._built[position] = build_pdf(self.cumulatives[position][-1], normalise=False)
        return self._built[position]

    def apply(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the first inputs (n_events, k) transformed with the last set.

        >>> Gaussianisation(None, (), flat=True).apply(np.empty((2, 0), np.float32)).shape
        (2, 0)
        """
        if compiled_pays(TO_APPLY * x.size) and self._apply_by_kernel(x, y := np.empty(x.shape, np.float32)):
            return y
        y = np.empty_like(x)
        for position in range(x.shape[1]):
            c = self.distribution(position).value(x[:, position])
            y[:, position] = uniformise(c) if self.flat else gaussianise(c)
        return y

    def _apply_by_kernel(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> bool:
        """Write the transformed inputs to ``y`` by compiled code; return whether it can do that."""
        from pytmva_bnn.transform import gauss_kernels as kernels  # lazy: numba

        functions = kernels.error_functions()
        densities = [self.distribution(position) for position in range(x.shape[1])]
        if functions is None or not all(one.interpolated and one.histogram.n_bins > 1 for one in densities):
            return False

        def do(start: int, stop: int) -> None:
            for position, density in enumerate(densities):
                histogram = density.histogram
                column = (x, position, start, stop, histogram.lower, histogram.upper, density.contents)
                if self.flat:
                    kernels.uniformise(*column, y)
                else:
                    kernels.gaussianise(*column, *kernels.table(), *functions, y)

        in_parts(do, len(x), EVENTS_AT_ONCE, multiplications=100.0 * x.size)
        return True

    def invert(self, y: NDArray[Any], positions: list[int]) -> NDArray[Any]:
        """Undo the transformation for the inputs at ``positions`` (n_events, k), in the precision of ``y``.

        >>> from pytmva_bnn.histograms import Histogram
        >>> histogram = Histogram("c", np.float32([0.0, 0.5, 1.0]), 0.0, 3.0)
        >>> step = Gaussianisation(None, ((PDFRecord("c", 0, 0, 1, 0, 1, 1, 0.0, histogram),),), flat=False)
        >>> step.invert(np.array([[0.0]]), [0]).round(6).tolist()
        [[1.5]]
        """
        x = np.empty_like(y)
        with np.errstate(over="ignore"):
            for column, position in enumerate(positions):
                u = y[:, column].astype(np.float64)
                u = u if self.flat else gauss_to_uniform(u)
                x[:, column] = self.distribution(position).inverse_cumulative(u)
        return x


def check_cumulatives(cumulatives: tuple[tuple[Any, ...], ...], n_inputs: int, title: str) -> None:
    """Raise an InputError unless each of ``n_inputs`` inputs has a distribution.

    >>> check_cumulatives((("all",), ("all",)), 2, "Gauss")
    """
    if len(cumulatives) != n_inputs:
        raise InputError(
            f"transformation {title}: {len(cumulatives)} inputs have cumulative distributions, expected {n_inputs}"
        )
    for position, sets in enumerate(cumulatives):
        if not sets:
            raise InputError(f"transformation {title}: no cumulative distribution for input {position}")


def uniformise(c: Floats) -> NDArray[np.float32]:
    """Return cumulative probabilities within their limits, as float32.

    >>> uniformise(np.array([-1.0, 0.25, 1.0])).tolist()
    [9.999999717180685e-10, 0.25, 1.0]
    """
    return _limited(c).astype(np.float32)


def gaussianise(c: Floats) -> NDArray[np.float32]:
    """Return where the unit Gaussian has the cumulative probabilities ``c``, as float32.

    >>> gaussianise(np.array([0.0, 0.5, 0.975])).astype(float).round(4).tolist()
    [-5.7307, 0.0, 1.96]
    """
    a = 2 * _limited(c) - 1
    a = np.where(a >= 0.99999999, 0.99999999, a)
    a = np.where(a <= -0.99999999, -0.99999999, a)
    return (SQRT2 * erfinv(a)).astype(np.float32)


def _limited(c: Floats) -> Floats:
    # the order of comparisons decides what NaN becomes: the upper limit
    c = np.where(c <= LARGEST, c, LARGEST)
    return np.where(c >= SMALLEST, c, SMALLEST)


def gauss_to_uniform(y: Floats) -> Floats:
    """Return the cumulative probability of the unit Gaussian at ``y``.

    >>> gauss_to_uniform(np.array([0.0])).tolist()
    [0.5]
    """
    # imported here because scipy.special takes long to load and few weight files need it
    from scipy.special import erf

    u: Floats = (erf(y / SQRT2) + 1) / 2
    return u


def erfinv(x: Floats) -> Floats:
    """Return the inverse error function by TMVA's secant iteration; 0 where it does not converge.

    >>> erfinv(np.array([0.0, 0.5, -0.5])).round(12).tolist()
    [0.0, 0.476936276204, -0.476936276204]
    """
    # imported here because scipy.special takes long to load and few weight files need it
    from scipy.special import erf, erfc

    x = np.asarray(x, dtype=np.float64)
    size = np.abs(x)
    small = size <= ERFINV_PRECISION
    result = np.where(small, ERFINV_SLOPE * x, 0.0)
    left = np.flatnonzero(~small)  # what has not converged yet
    target, sign = size.ravel()[left], np.copysign(1.0, x.ravel()[left])
    e = ERFINV_SLOPE * target
    y0 = erf(0.9 * e)
    step = 0.1 * e
    flat = result.ravel()
    with np.errstate(all="ignore"):
        for _ in range(ERFINV_ITERATIONS):
            if len(left) == 0:
                break
            y1 = 1.0 - erfc(e)
            r = target - y1
            exact = np.abs(r) < ERFINV_PRECISION
            step = np.where(exact, step, step * (r / (y1 - y0)))
            e = np.where(exact, e, e + step)
            done = exact | (np.abs(step / e) < ERFINV_PRECISION)
            flat[left[done]] = (sign * e)[done]
            go_on = ~done
            left, target, sign, e = left[go_on], target[go_on], sign[go_on], e[go_on]
            y0, step = y1[go_on], step[go_on]
    return flat.reshape(x.shape)
