"""Fitting of P: means and eigenvectors of the covariance matrix, without weights.

TMVA updates both event by event.  Rounding makes the result differ from that of the closed formulas by some
√N/4 · 2^-52, so the same recurrence is run here, by LAPACK: x_N = c_N x_{N-1} + y_N is a system of equations with
a bidiagonal matrix, which the solver for tridiagonal ones eliminates from the top in just this way.  The result is
that of the loop to the last bit (where LAPACK was compiled to fused operations: to about 1e-15).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.reductions.summation import blocks, sequential_sum
from pytmva_bnn.transform.class_sets import as_classes, as_inputs, class_sets, events_in
from pytmva_bnn.transform.fit_decorrelate import refuse_too_many
from pytmva_bnn.transform.linear_algebra import symmetric_eigen
from pytmva_bnn.transform.principal import PrincipalComponents

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from pytmva_bnn.transform.selection import Selection

    Floats = NDArray[np.float64]

TO_FIT = 30e-9
"""Seconds that numpy takes for the product of two values."""


def fit_principal_components(
    values: ArrayLike, classes: ArrayLike, n_classes: int, selection: Selection | None = None
) -> PrincipalComponents:
    """Return P for inputs (n_events, n_inputs), at least two; weights do not matter.

    >>> x = [[0.0, 0.0], [2.0, 1.0], [4.0, 2.0]]
    >>> step = fit_principal_components(x, classes=[0, 0, 0], n_classes=1)
    >>> step.means[0].round(6).tolist(), step.eigenvectors[0].round(4).tolist()
    ([2.0, 1.0], [[0.8944, 0.4472], [0.4472, -0.8944]])
    """
    x = as_inputs(values, classes)
    if x.shape[1] == 1:
        raise InputError("Cannot perform PCA transformation for 1 variable only")
    refuse_too_many(x.shape[1], "the principal components")
    sets = class_sets(classes, n_classes)
    if compiled_pays(TO_FIT * x.size * x.shape[1]):
        moments = moments_by_kernel(x, as_classes(classes, n_classes), len(sets))
    else:
        moments = [running_moments(events_in(events, x)) for events in sets]
    means, vectors = [], []
    for m, C in moments:  # noqa: N806
        with np.errstate(all="ignore"):  # TMVA: NaN if nothing varies
            C /= sequential_sum(np.diagonal(C))  # noqa: N806
        means.append(m)
        vectors.append(symmetric_eigen(C)[1])
    return PrincipalComponents(selection, tuple(means), tuple(vectors))


def running_moments(x: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Return means (n,) and population covariance (n, n) of inputs (n_events, n), updated event by event.

    >>> m, C = running_moments(np.float32([[1.0, 5.0], [3.0, 1.0]]))
    >>> m.tolist(), C.tolist()
    ([2.0, 3.0], [[1.0, -2.0], [-2.0, 4.0]])
    """
    n = x.shape[1]
    m, lower = np.zeros(n), [np.zeros(i + 1) for i in range(n)]
    for block in blocks(len(x)):
        N = np.arange(block.start + 1.0, block.stop + 1.0)  # noqa: N806
        p = np.asfortranarray(x[block], dtype=np.float64)
        with np.errstate(all="ignore"):  # the first event has b = 1/0; infinite values
            a, b = 1.0 / N, 1.0 / (N - 1.0)
            c = 1.0 - a
            means = _recurrence(c, m, p * a[:, None])
            deviation = p - means
            for i in range(n):
                terms = ((deviation[:, i] * b)[:, None] * deviation[:, : i + 1]).copy(order="F")
                if block.start == 0:
                    terms[0] = 0.0
                lower[i] = _recurrence(c, lower[i], terms)[-1].copy()
        m = means[-1].copy()
    C = np.zeros((n, n))  # noqa: N806
    for i, row in enumerate(lower):
        C[i, : i + 1] = C[: i + 1, i] = row
    return m, C


def moments_by_kernel(x: NDArray[np.float32], classes: NDArray[np.integer], n_sets: int) -> list[tuple[Floats, Floats]]:
    """Return what :func:`running_moments` gives for each class and for all events, by compiled code."""
    from pytmva_bnn.transform.principal_kernels import running_moments as update_moments  # lazy: numba

    n = x.shape[1]
    numbers, means, lower = np.zeros(n_sets, np.int64), np.zeros((n_sets, n)), np.zeros((n_sets, n, n))
    table = np.ascontiguousarray(x)

    def update(start: int, stop: int) -> None:
        for by_class in range(start, stop):
            update_moments(table, classes, bool(by_class), numbers, means, lower)

    in_parts(update, min(n_sets, 2), 1, multiplications=float(x.size) * n)
    return list(zip(means, lower + np.tril(lower, -1).mT, strict=True))


def _recurrence(c: Floats, start: Floats, terms: Floats) -> Floats:
    """Return x_N = x_{N-1} c_N + y_N for all N (n_events, k), with x_0 = ``start``; overwrites ``terms``."""
    # imported here because scipy.linalg takes long to load and few methods need it
    from scipy.linalg.lapack import dgttrs

    n = len(c)
    terms[0] += start * c[0]
    if n < 3:  # the solver wants three equations
        for row in range(1, n):
            terms[row] += terms[row - 1] * c[row]
        return terms
    ones, zeros = np.ones(n), np.zeros(n)
    no_exchange = np.arange(1, n + 1, dtype=np.int32)
    result, _ = dgttrs(-c[1:], ones, zeros[1:], zeros[2:], no_exchange, terms, overwrite_b=True)
    found: Floats = result
    return found
