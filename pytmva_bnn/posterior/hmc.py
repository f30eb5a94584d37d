"""Hamiltonian Monte Carlo: draws from any density that has a gradient.

The potential is ``U(q) = -ln density``; with momenta ``p ~ N(0, 1)`` the Hamiltonian ``U(q) + p²/2`` is followed by
leapfrog steps of size ``ε`` and the end of the path is accepted with the probability ``min(1, exp(-ΔH))`` (Neal, in
*Handbook of Markov Chain Monte Carlo*, chapter 5).  ``ε`` is tuned in the warm-up by dual averaging (Hoffman and
Gelman, JMLR 15 (2014) 1593, section 3.2).  Before each path the density may be renewed: that is how hyperparameters are
drawn in between (Gibbs sampling).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import OptionError

#: position -> potential and its gradient
Potential = Callable[[FloatArray], tuple[float, FloatArray]]

#: a path whose energy error is larger has left the region where the leapfrog steps are stable
_DIVERGENT = 1000.0
_JITTER = 0.5


@dataclass(frozen=True)
class HMCSettings:
    """How long the chains run, and how their paths are made.

    ``n_steps`` is the mean number of leapfrog steps of a path; ``target_acceptance`` is what the step size is tuned
    for.

    >>> HMCSettings(n_samples=0)
    Traceback (most recent call last):
    ...
    pytmva_bnn.errors.OptionError: n_samples must be at least 1, got 0
    """

    n_samples: int = 500
    n_warmup: int = 300
    n_steps: int = 100
    target_acceptance: float = 0.8

    def __post_init__(self) -> None:
        for name, holds, value, allowed in (
            ("n_samples", self.n_samples >= 1, self.n_samples, "at least 1"),
            ("n_warmup", self.n_warmup >= 0, self.n_warmup, "at least 0"),
            ("n_steps", self.n_steps >= 1, self.n_steps, "at least 1"),
            ("target_acceptance", 0.0 < self.target_acceptance < 1.0, self.target_acceptance, "between 0 and 1"),
        ):
            if not holds:
                raise OptionError(f"{name} must be {allowed}, got {value}")


@dataclass(frozen=True, eq=False)
class Target:
    """The density of one path.

    Paths run in coordinates ``q`` with ``position = origin + q scale``, in which the density should be about as wide in
    all directions; None: in the positions themselves.  ``hyperparameters`` are kept with the draw, and ``offset`` is
    their part of the potential, which does not depend on the position.
    """

    potential: Potential
    scale: FloatArray | None = None
    hyperparameters: FloatArray = field(default_factory=lambda: np.empty(0))
    offset: float = 0.0

    def around(self, origin: FloatArray) -> Potential:
        """Return the potential as a function of the coordinates ``q`` around ``origin``."""

        def potential(q: FloatArray) -> tuple[float, FloatArray]:
            value, gradient = self.potential(self.position(origin, q))
            return value, gradient if self.scale is None else self.scale @ gradient

        return potential

    def position(self, origin: FloatArray, q: FloatArray) -> FloatArray:
        """Return the position at the coordinates ``q`` around ``origin``."""
        return origin + (q if self.scale is None else q @ self.scale)


@dataclass(frozen=True, eq=False)
class Chain:
    """The draws of one chain: ``positions (n_samples, n)``, their ``hyperparameters`` and ``potentials``.

    Of each draw's path: the ``acceptances``, and whether it was ``diverging``.
    """

    positions: FloatArray
    hyperparameters: FloatArray
    potentials: FloatArray
    acceptances: FloatArray
    diverging: NDArray[np.bool_]
    step_size: float


def leapfrog(
    potential: Potential, q: FloatArray, p: FloatArray, gradient: FloatArray, step_size: float, n_steps: int
) -> tuple[FloatArray, FloatArray, float, FloatArray]:
    """Return position, momentum, potential and gradient after ``n_steps`` steps from ``q``, where ``gradient`` is."""
    value = np.nan
    # a path with too large a step runs away to infinity; it is then rejected
    with np.errstate(over="ignore", invalid="ignore"):
        p = p - 0.5 * step_size * gradient
        for step in range(n_steps):
            q = q + step_size * p
            value, gradient = potential(q)
            if not np.isfinite(value):
                return q, p, np.inf, gradient
            p = p - (0.5 if step == n_steps - 1 else 1.0) * step_size * gradient
    return q, p, value, gradient


@dataclass
class DualAveraging:
    """The search for the step size at which paths are accepted as often as wanted."""

    step_size: float
    target: float
    averaged: float = field(init=False)
    _shrink_to: float = field(init=False)
    _error: float = 0.0
    _count: int = 0

    def __post_init__(self) -> None:
        self.averaged = self.step_size
        self._shrink_to = float(np.log(10.0 * self.step_size))

    def update(self, acceptance: float) -> None:
        """Take note of the acceptance probability of one more path."""
        self._count += 1
        t = float(self._count)
        self._error += (self.target - acceptance - self._error) / (t + 10.0)
        log_step = self._shrink_to - np.sqrt(t) / 0.05 * self._error
        weight = t**-0.75
        self.averaged = float(np.exp(weight * log_step + (1.0 - weight) * np.log(self.averaged)))
        self.step_size = float(np.exp(log_step))


def run_chain(
    target_at: Callable[[FloatArray], Target],
    start: FloatArray,
    settings: HMCSettings,
    random: np.random.Generator,
    advance: Callable[[], object] | None = None,
) -> Chain:
    """Return a chain of draws from ``start`` on; ``advance`` is called after each path.

    ``target_at`` is asked before each path, with the position where it starts.
    """
    w = np.asarray(start, dtype=np.float64)
    rest = np.zeros(w.size)
    tuning = DualAveraging(_reasonable_step(target_at(w).around(w), rest, random), settings.target_acceptance)
    positions, hyperparameters = np.empty((settings.n_samples, w.size)), []
    potentials, acceptances = np.empty((2, settings.n_samples))
    diverging = np.zeros(settings.n_samples, dtype=bool)
    for number in range(-settings.n_warmup, settings.n_samples):
        target = target_at(w)
        potential = target.around(w)
        value, gradient = potential(rest)
        step_size = tuning.step_size if number < 0 else tuning.averaged
        # paths of different lengths do not come back to where they started all at once
        n_steps = max(1, round(settings.n_steps * random.uniform(1.0 - _JITTER, 1.0 + _JITTER)))
        p = random.normal(size=w.size)
        q, new_p, new_value, _ = leapfrog(potential, rest, p, gradient, step_size, n_steps)
        loss = _energy(new_value, new_p) - _energy(value, p)
        acceptance = float(np.exp(-max(loss, 0.0))) if np.isfinite(loss) else 0.0
        if random.uniform() < acceptance:
            w, value = target.position(w, q), new_value
        if number < 0:
            tuning.update(acceptance)
        else:
            positions[number], potentials[number], acceptances[number] = w, value + target.offset, acceptance
            hyperparameters.append(target.hyperparameters)
            diverging[number] = not loss < _DIVERGENT
        if advance is not None:
            advance()
    return Chain(positions, np.stack(hyperparameters), potentials, acceptances, diverging, tuning.averaged)


def _energy(potential: float, p: FloatArray) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        return potential + 0.5 * float(p @ p)


def _reasonable_step(potential: Potential, q: FloatArray, random: np.random.Generator) -> float:
    """Return a step size at which one step is accepted with a probability of about one half."""
    value, gradient = potential(q)
    p = random.normal(size=q.size)

    def log_acceptance(step_size: float) -> float:
        _, new_p, new_value, _ = leapfrog(potential, q, p, gradient, step_size, 1)
        loss = _energy(new_value, new_p) - _energy(value, p)
        return -loss if np.isfinite(loss) else -np.inf

    step_size = 1.0
    grow = log_acceptance(step_size) > np.log(0.5)
    for _ in range(50):
        changed = step_size * (2.0 if grow else 0.5)
        if (log_acceptance(changed) > np.log(0.5)) != grow:
            return step_size if grow else changed
        step_size = changed
    return step_size
