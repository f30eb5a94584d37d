"""TRandom3 with ROOT's names."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn.random import DEFAULT_SEED
from pytmva_bnn.random import TRandom3 as Twister


class TRandom3:
    """``Rndm``, ``Uniform`` and ``Integer`` give ROOT's numbers.

    All others, such as ``Gaus`` and ``Poisson``, have the right distribution, but not ROOT's sequence of numbers.
    """

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self._twister = Twister(int(seed))

    def SetSeed(self, seed: int = 0) -> None:
        """Start anew; 0 draws a seed from the system."""
        self._twister = Twister(int(seed))

    def GetSeed(self) -> int:
        """Return the seed."""
        return self._twister.seed

    def Rndm(self, *_: object) -> float:
        """Return a number between 0 and 1."""
        return self._twister.rndm()

    def Uniform(self, low: float = 1.0, high: float | None = None) -> float:
        """Return a number between 0 and ``low``, or between ``low`` and ``high``."""
        if high is None:
            return low * self.Rndm()
        return low + (high - low) * self.Rndm()

    def Integer(self, maximum: int) -> int:
        """Return a whole number from 0 to ``maximum`` - 1."""
        return self._twister.integer(maximum)

    def Gaus(self, mean: float = 0.0, sigma: float = 1.0) -> float:
        """Return a number of a normal distribution (Box and Muller: not ROOT's sequence)."""
        radius = math.sqrt(-2.0 * math.log(self.Rndm()))
        return mean + sigma * radius * math.cos(2.0 * math.pi * self.Rndm())

    def Exp(self, tau: float) -> float:
        """Return a number of an exponential distribution."""
        return -tau * math.log(self.Rndm())

    def Poisson(self, mean: float) -> int:
        """Return a number of a Poisson distribution (not ROOT's sequence)."""
        return int(self._generator().poisson(mean))

    PoissonD = Poisson

    def Binomial(self, n: int, probability: float) -> int:
        """Return a number of a binomial distribution (not ROOT's sequence)."""
        return int(self._generator().binomial(n, probability))

    def BreitWigner(self, mean: float = 0.0, gamma: float = 1.0) -> float:
        """Return a number of a Breit-Wigner distribution (not ROOT's sequence)."""
        return mean + 0.5 * gamma * math.tan(math.pi * (self.Rndm() - 0.5))

    def _generator(self) -> np.random.Generator:
        return np.random.default_rng(int(self._twister.outputs(1)[0]))


class TRandom(TRandom3):
    """Here the same as TRandom3."""


gRandom = TRandom3()  # noqa: N816 - ROOT's name
