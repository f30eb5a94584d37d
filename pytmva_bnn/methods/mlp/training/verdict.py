"""Has a training reached its minimum?  What the end of every training says about itself.

What to look at:

* ``distance``: how far the minimum is away in standard deviations of the posterior.  No prediction would move by more
  than this many of its error bars, so 0.1 is as good as 0, and 3 is no result;
* ``lowest_curvature``: below 0 the weights are not at a minimum, but on a saddle or in a curved valley.  ``descent`` is
  what the log posterior gains by going down from there: 0.01 is nothing, 3 is a saddle;
* ``regulator_change``: by how many effective parameters the last update of the regulators has changed the network;
* without a Hessian there are ``last_improvement`` and ``gradient_ratio`` only.

It costs two gradients, and for the curvature one more for each ten epochs, twenty at most; a descent, where there is
one, about three times as many.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.training.curvature import LARGEST_DESCENT, LOWEST_CURVATURE, Surroundings

#: what is still called converged
LARGEST_DISTANCE = 0.5
LARGEST_CHANGE = 0.05  # of the effective number of parameters
LARGEST_IMPROVEMENT = 0.01
#: updates of the regulators below which they cannot have settled
FEW_UPDATES = 3
_PRODUCTS_AT_MOST, _EPOCHS_PER_PRODUCT, _PRODUCTS_AT_LEAST = 20, 10, 3


@dataclass(frozen=True)
class ConvergenceVerdict:
    """How near a training has come to its minimum; what is not known is None.

    Parameters
    ----------
    gradient_ratio
        length of the gradient at the end over that at the start
    last_improvement
        fraction by which the training estimator fell in the last tenth of the epochs
    distance
        the Newton step to the minimum in standard deviations of the posterior
    newton_step
        the largest part of that step for a single weight, in the standard deviations of this weight
    lowest_curvature
        the lowest second derivative found, compared with that of the Gaussian approximation: about 1 where it is good
    descent
        what the log posterior gains by following a negative curvature downhill; None if that was not tried
    n_updates, regulator_change, n_effective
        updates of the regulators, by how many effective parameters the last one has changed the network, of how many
    problems
        what is wrong, in sentences; none if the training has converged
    """

    n_epochs: int
    gradient_ratio: float | None = None
    last_improvement: float | None = None
    distance: float | None = None
    newton_step: float | None = None
    lowest_curvature: float | None = None
    descent: float | None = None
    n_updates: int | None = None
    regulator_change: float | None = None
    n_effective: float | None = None
    problems: tuple[str, ...] = ()

    @property
    def is_converged(self) -> bool:
        """Return whether nothing speaks against the training."""
        return not self.problems

    @property
    def headline(self) -> str:
        """Return the verdict in a few words."""
        if not self.is_converged:
            return "not converged"
        return (
            "no longer improving (without a Hessian nothing else can be checked)"
            if self.distance is None
            else "converged"
        )

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield names and values of what is known."""
        if self.distance is not None:
            yield "distance to the minimum", f"{self.distance:.2g} posterior sigmas"
        if self.newton_step is not None:
            yield "largest step of a weight", f"{self.newton_step:.2g} of its sigma"
        if self.lowest_curvature is not None:
            yield "lowest curvature", f"{self.lowest_curvature:.2g} of the Gaussian approximation"
        if self.descent is not None:
            yield "downhill from there", f"{self.descent:.2g} of log posterior to gain"
        if self.regulator_change is not None:
            change = f"{self.regulator_change:.2g} of {self.n_effective:.3g} effective parameters"
            yield "last change of the regulators", change
        if self.gradient_ratio is not None:
            yield "gradient", f"{self.gradient_ratio:.2g} of that at the start"
        if self.last_improvement is not None:
            yield "last tenth of the epochs", f"estimator lower by {self.last_improvement:.2g}"

    def __str__(self) -> str:
        return "; ".join([self.headline, *(f"{name}: {value}" for name, value in self.facts())])


def improvement(epochs: FloatArray, estimators: FloatArray, n_epochs: int, final: float) -> float | None:
    """Return the fraction by which the training estimator fell in the last tenth of the epochs.

    >>> improvement(np.array([10, 20, 90, 95]), np.array([4.0, 2.0, 1.1, 1.05]), 100, 1.0)
    0.1
    """
    before = np.flatnonzero(epochs <= 0.9 * n_epochs)
    if not before.size or not final > 0.0:
        return None
    return round(float(estimators[before[-1]] - final) / final, 12)


def newton(gradient: FloatArray, covariance: FloatArray) -> tuple[float, float]:
    """Return the length of the Newton step in posterior sigmas, and its largest part in sigmas of a single weight.

    ``gradient`` is that of the negative log posterior.

    >>> newton(np.array([2.0, 0.0]), np.diag([0.25, 1.0]))
    (1.0, 1.0)
    """
    step = covariance @ gradient
    with np.errstate(all="ignore"):
        parts = np.abs(step) / np.sqrt(np.diag(covariance))
    return math.sqrt(max(float(gradient @ step), 0.0)), float(np.nanmax(parts, initial=0.0))


def with_curvature(verdict: ConvergenceVerdict, around: Surroundings | None, n: int) -> ConvergenceVerdict:
    """Return the verdict with the lowest curvature that ``n`` products find, and with what there is to gain by it."""
    lowest = around.lowest_curvature(n) if around is not None and n else None
    if around is None or lowest is None:
        return verdict
    verdict = replace(verdict, lowest_curvature=lowest[0])
    if lowest[0] < LOWEST_CURVATURE and (verdict.distance or 0.0) <= LARGEST_DISTANCE:
        verdict = replace(verdict, descent=around.descent(*lowest, 2 * n)[0])
    return verdict


def n_products(n_weights: int, n_epochs: int) -> int:
    """Return how many products with the Hessian this number of epochs can afford; 0: too few to find anything."""
    n = min(n_weights, _PRODUCTS_AT_MOST, n_epochs // _EPOCHS_PER_PRODUCT)
    return n if n >= min(n_weights, _PRODUCTS_AT_LEAST) else 0


def regulator_change(before: FloatArray, after: FloatArray, effective: FloatArray, sizes: FloatArray) -> float:
    """Return by how many effective parameters an update of the regulators changes the network, to first order.

    A regulator that runs away since its input is not needed has no effective parameters to lose, and counts nothing.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.abs(np.log(after / before))
        changes = effective * (1.0 - effective / sizes) * logs
    return float(np.nansum(np.where(np.isfinite(changes), np.abs(changes), effective)))


def problems(verdict: ConvergenceVerdict, *, is_bfgs: bool) -> Iterator[str]:
    """Yield what is wrong with a training, and what to do, in sentences."""
    longer = "raise NCycles" if is_bfgs else "use TrainingMethod=BFGS"
    if verdict.n_updates is not None and verdict.n_updates < FEW_UPDATES:
        yield (
            f"The regulators were updated only {verdict.n_updates} times in {verdict.n_epochs} epochs, and may be far "
            "from the values that the data prefer; raise NCycles"
        )
    elif (
        verdict.regulator_change is not None
        and verdict.n_effective is not None
        and verdict.regulator_change > LARGEST_CHANGE * max(verdict.n_effective, 1.0)
    ):
        yield (
            f"The regulators have not settled: their last update is worth {verdict.regulator_change:.2g} of "
            f"{verdict.n_effective:.3g} effective parameters; {longer}"
        )
    if verdict.distance is not None and verdict.distance > LARGEST_DISTANCE:
        # without a prior some directions have no minimum at all
        prior = "" if verdict.n_effective is not None else " or train with UseRegulator"
        yield (
            f"The minimum is {verdict.distance:.2g} standard deviations away, so predictions can be wrong by up to "
            f"{verdict.distance:.2g} of their error bars; {longer}{prior}"
        )
    elif verdict.descent is not None and verdict.descent > LARGEST_DESCENT:
        yield (
            "The weights are on a saddle or a plateau, not at a minimum: the log posterior gains "
            f"{verdict.descent:.2g} or more by moving downhill, and error bars are not valid; {longer} or try another "
            "RandomSeed"
        )
    if verdict.distance is None and (verdict.last_improvement or 0.0) > LARGEST_IMPROVEMENT:
        yield (
            f"The training estimator still fell by {verdict.last_improvement:.1%} in the last tenth of the epochs; "
            "raise NCycles"
        )
