"""Beyond the gradient: is a place where it vanishes a minimum, and if not, how far down does it go from there?

All in coordinates in which the posterior's covariance is 1, so that lengths are standard deviations.  The Gauss-Newton
matrix behind the covariance cannot be negative; the Hessian itself can.  Often that means little: directions that the
events hardly determine are valleys, curved and almost level, whose floor is a hundredth of the log posterior lower.
So what counts is not the sign of a curvature, but how much there is to gain by following it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.training.cost import Cost

#: curvatures that are not worth following: about 1 is what the Gaussian approximation expects
LOWEST_CURVATURE = -0.1
#: gain of the log posterior that is too small to matter: that of half a standard deviation
LARGEST_DESCENT = 0.125
#: step of the differences of gradients, in posterior sigmas
_STEP = 1e-3
#: first steps off a saddle that are tried, in posterior sigmas
_FIRST_STEPS = np.geomspace(3e-4, 3.0, 9)
#: gradient, in posterior sigmas, that ends a descent
_LEVEL = 0.01


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The negative log posterior around some weights: the cost over the noise variance.

    ``factor`` times its transpose is the covariance of the weights in the Gaussian approximation.
    """

    cost: Cost
    weights: FloatArray
    factor: FloatArray
    variance: float

    @classmethod
    def of(cls, cost: Cost, weights: FloatArray, covariance: FloatArray, variance: float) -> Surroundings | None:
        """Return the surroundings, None if the covariance is not positive."""
        try:
            return cls(cost, weights, np.asarray(np.linalg.cholesky(covariance), dtype=np.float64), variance)
        except np.linalg.LinAlgError:
            return None

    def _value_and_gradient(self, z: FloatArray) -> tuple[float, FloatArray]:
        error, gradient = self.cost.error_and_gradient(self.weights + self.factor @ z)
        return error / self.variance, self.cost.sample.n_events / self.variance * (self.factor.T @ gradient)

    def lowest_curvature(self, n: int) -> tuple[float, FloatArray] | None:
        """Return the lowest second derivative that ``n`` products with the Hessian find, and its direction.

        By the Lanczos method; the products are differences of gradients.  None if they are not finite.
        """
        here = self._value_and_gradient(np.zeros(self.weights.size))[1]
        vector = np.random.default_rng(1).normal(size=self.weights.size)
        basis: list[FloatArray] = []
        projected = np.zeros((n, n))
        for row in range(n):
            vector = vector / np.linalg.norm(vector)
            basis.append(vector)
            product = (self._value_and_gradient(_STEP * vector)[1] - here) / _STEP
            for column, other in enumerate(basis):
                projected[row, column] = projected[column, row] = other @ product
            vector = product
            for _ in range(2):  # once is not enough against rounding
                for other in basis:
                    vector = vector - (other @ vector) * other
            if np.linalg.norm(vector) < 1e-8:
                projected = projected[: row + 1, : row + 1]
                break
        if not np.isfinite(projected).all():
            return None
        values, vectors = np.linalg.eigh(projected)
        return float(values[0]), vectors[:, 0] @ np.array(basis)

    def descent(self, curvature: float, direction: FloatArray, steps: int) -> tuple[float, FloatArray]:
        """Return by how much the log posterior grows downhill from here, and the weights that are reached.

        It goes along ``direction``, to the side that is lower, and then wherever BFGS leads in ``steps`` steps.
        """
        with np.errstate(all="ignore"):  # a step that goes too far is not taken
            lengths = _FIRST_STEPS / np.sqrt(max(1.0, -curvature))
            tried = np.outer(np.concatenate([lengths, -lengths]), direction)
            here = self._value_and_gradient(np.zeros(self.weights.size))[0]
            values = np.array([self._value_and_gradient(z)[0] for z in tried])
            best = int(np.nanargmin(values)) if np.isfinite(values).any() else 0
            start = tried[best] if values[best] < here else np.zeros(self.weights.size)
            found = minimize(
                self._value_and_gradient,
                start,
                jac=True,
                method="BFGS",
                options={"gtol": _LEVEL, "norm": 2, "maxiter": steps},
            )
        reached = self.weights + self.factor @ found.x
        if not (found.fun < here and np.isfinite(reached).all()):
            return 0.0, self.weights
        return float(here - found.fun), reached
