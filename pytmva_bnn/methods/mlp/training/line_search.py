"""The line search of BFGS: brackets a minimum by steps of a factor, then takes a parabola through three points."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger("pytmva_bnn.MLP")

#: tries in either direction
N_TRIES = 100
#: the try, inwards, at which the opposite direction is tried
_OPPOSITE_AT = 50
_FIRST_STEP_LEAST, _FIRST_STEP_MOST = 0.01, 2.0
_STEP_MOST = 10000.0
_STEP_AFTER_FAILURE = 0.05


@dataclass(frozen=True)
class LineSearch:
    """What a line search found: the step ``alpha`` and the error there.

    If ``found`` is false, ``alpha`` is only what the next search starts from.  ``descent`` are then the steps on which
    the error fell further and further, with their errors: a search that never meets a rise ends where the error
    vanishes.
    """

    found: bool
    alpha: float
    error: float
    descent: tuple[tuple[float, float], ...] = ()


def line_search(error_at: Callable[[float], float], error_at_start: float, last_alpha: float, tau: float) -> LineSearch:
    """Search a step that lowers ``error_at(alpha)`` from ``error_at_start = error_at(0)``.

    ``last_alpha`` is the step of the last search, ``tau`` the factor between steps.
    """
    a1, e1 = 0.0, error_at_start
    a2 = a_start = min(max(last_alpha, _FIRST_STEP_LEAST), _FIRST_STEP_MOST)
    e2 = error_at(a2)
    a3, e3 = a2, e2
    descent = []

    if e1 > e2:
        for _ in range(N_TRIES):
            a3 *= tau
            e3 = error_at(a3)
            if e3 > e2:
                break
            descent.append((a3, e3))
            a1, e1, a2, e2 = a2, e2, a3, e3
        else:
            return LineSearch(False, last_alpha, error_at_start, tuple(descent))
    else:
        for k in range(N_TRIES):
            a2 /= tau
            if k == _OPPOSITE_AT:
                a2 = -a_start
                log.warning("line search: no lower error ahead; trying the opposite direction")
            e2 = error_at(a2)
            if e1 > e2:
                break
            a3, e3 = a2, e2
        else:
            return LineSearch(False, _STEP_AFTER_FAILURE, error_at_start)

    # TMVA: all three must be positive, so a bracket that starts at 0 takes its middle point as it is
    alpha = _lowest_of_parabola(a1, e1, a2, e2, a3, e3) if a1 > 0.0 and a2 > 0.0 and a3 > 0.0 else a2
    alpha = min(alpha, _STEP_MOST)
    final = e2 if alpha == a2 else error_at(alpha)
    if final > e1:
        log.debug("line search: the error %g is above the bracket's %g", final, e1)
    return LineSearch(True, alpha, final)


def _lowest_of_parabola(a1: float, e1: float, a2: float, e2: float, a3: float, e3: float) -> float:
    """Return the place of the minimum of the parabola through three points."""
    curvature = (e3 - e2) / (a3 - a2) - (e2 - e1) / (a2 - a1)
    # three points on a line happen only where the error is flat to the last bit
    return 0.5 * (a1 + a3 - (e3 - e1) / curvature) if curvature != 0.0 else a2
