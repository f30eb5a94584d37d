"""The path of the coefficients: which threshold tau is best, and where to stop."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.progress import Progress
from pytmva_bnn.methods.rulefit.training.settings import RuleFitSettings
from pytmva_bnn.methods.rulefit.training.walk import FitEvents, Position, Walk

log = logging.getLogger("pytmva_bnn.RuleFit")

CHECK_EVERY = 100
SCAN_STEPS = 1000
FEW = 3
"""The scan of tau ends when so few values are left, the fit when the error on its own events has risen more often."""
_MOST_BYTES = 400_000_000
"""Memory for the sums of all values of tau; if they need more, they are recomputed after each check."""


@dataclass(frozen=True, eq=False)
class Fit:
    """What a fit works with."""

    walk: Walk
    validation: FitEvents
    settings: RuleFitSettings


class Tried(NamedTuple):
    """A value of tau, and how far its coefficients have come."""

    tau: float
    position: Position


def scan_tau(fit: Fit) -> Tried:
    """Return the value of tau with the least validation error, after the steps that were needed to find it."""
    n = int(1.0 / fit.settings.tau_precision) + 1
    start = fit.walk.start()
    keeps_sums = 8 * n * fit.walk.n_terms**2 <= _MOST_BYTES
    if not keeps_sums:
        start.gram = None
    race = [Tried(k / (n - 1), start.copy()) for k in range(n)]
    done = 0
    while True:
        n_steps = _to_next_check(done, CHECK_EVERY)
        _advance(fit.walk, race, n_steps, keeps_sums)
        done += n_steps
        errors = np.array([fit.validation.risk(tried.position.a) for tried in race])
        best = int(np.argmin(errors))
        choice, limit = race[best], errors[best] + np.std(errors, ddof=1)
        race = [tried for tried, error in zip(race, errors, strict=True) if not error > limit]
        if done >= SCAN_STEPS or len(race) <= FEW:
            log.info("Best path found with tau = %4.4f after %d steps", choice.tau, done)
            return choice


def _advance(walk: Walk, race: list[Tried], n_steps: int, keeps_sums: bool) -> None:
    def go(first: int, last: int) -> None:
        for tried in race[first:last]:
            walk.go(tried.position, tried.tau, n_steps)
            if not keeps_sums:
                tried.position.gram = None

    if walk.events.compiled:
        in_parts(go, len(race), 1, float(len(race) * n_steps * walk.n_terms**2))
    else:
        go(0, len(race))


def _to_next_check(done: int, every: int) -> int:
    """Return the steps to the next check: that is after the first step, and after each multiple of ``every``."""
    return 1 if done == 0 else every - done % every


class Followed(NamedTuple):
    """The coefficients with the least validation error, that error, and the step at which they were found."""

    a: FloatArray
    error: float
    step: int


def follow(fit: Fit, start: Tried, progress: Progress) -> Followed:
    """Follow the path of a tau to its end; Ctrl-C ends it early."""
    settings, walk = fit.settings, fit.walk
    every = min(CHECK_EVERY, settings.n_steps)
    best: Followed | None = None
    done, n_rises, last_risk = 0, 0, np.inf
    try:
        while done + _to_next_check(done, every) <= settings.n_steps:
            n_steps = _to_next_check(done, every)
            walk.go(start.position, start.tau, n_steps)
            done += n_steps
            risk, error = walk.events.risk(start.position.a), fit.validation.risk(start.position.a)
            progress(done, risk, error)
            if best is None or error <= best.error:
                best = Followed(start.position.a.copy(), error, done)
            n_rises, last_risk = n_rises + (risk > last_risk), risk
            if n_rises > FEW or error > settings.error_scale * best.error:
                break
    except KeyboardInterrupt:
        if best is None:
            raise KeyboardInterrupt("interrupted before the first step of the fit: nothing is written") from None
        log.warning("interrupted after %d steps of the fit; the best coefficients so far are kept", done)
    if best is None:
        raise AssertionError("the first step is always checked")
    log.info("Fit ended after %d steps; least validation error %g at step %d", done, best.error, best.step)
    return best
