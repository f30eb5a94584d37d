"""When to stop: the test estimator has not improved for a number of tests."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Convergence:
    """The state of the convergence test; all its arithmetic is float32.

    ``counter`` is the number of tests without improvement, -1 before the first one.
    """

    improve: float = 1e-30
    tests: int = -1
    reference: float = 0.0
    counter: int = -1

    @property
    def is_on(self) -> bool:
        """Return whether there is a test at all."""
        return self.tests > 0 and self.improve >= 0.0

    @property
    def reached(self) -> bool:
        """Return whether training has converged."""
        return self.is_on and self.counter >= self.tests

    def after(self, estimator: float) -> Convergence:
        """Return the state after a test epoch with this test estimator."""
        if not self.is_on:
            return self
        value = np.float32(estimator)
        reference = value if self.counter < 0 else np.float32(self.reference)
        if reference - value <= np.float32(self.improve):
            return replace(self, reference=float(reference), counter=self.counter + 1)
        return replace(self, reference=float(value), counter=0)

    def restarted(self) -> Convergence:
        """Return the state with the counter reset, for the next phase of the training."""
        return replace(self, counter=0)
