"""TRandom3 with ROOT's names."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.formula.landau import landau_density
from pytmva_bnn.methods.fitters.normal import standard_normal
from pytmva_bnn.random import DEFAULT_SEED
from pytmva_bnn.random import TRandom3 as Twister
from pytmva_bnn.random.poisson import poisson_counts

LANDAU_BOUND = 5.3
"""More than Landau's density times (x + 5)² anywhere."""


class TRandom3:
    """``Rndm``, ``Uniform``, ``Integer``, ``Gaus``, ``Exp`` and ``Poisson`` give ROOT's numbers.

    All others, such as ``BreitWigner`` and ``Landau``, have the right distribution, but not ROOT's sequence.
    """

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self._twister = Twister(int(seed))

    def SetSeed(self, seed: int = 0) -> None:
        """Start anew; 0 draws a seed from the system."""
        self._twister = Twister(int(seed))

    def GetSeed(self) -> int:
        return self._twister.seed

    def Rndm(self, *_: object) -> float:
        return self._twister.rndm()

    def Uniform(self, low: float = 1.0, high: float | None = None) -> float:
        """Return a number between 0 and ``low``, or between ``low`` and ``high``."""
        if high is None:
            return low * self.Rndm()
        return low + (high - low) * self.Rndm()

    def Integer(self, maximum: int) -> int:
        return self._twister.integer(maximum)

    def Gaus(self, mean: float = 0.0, sigma: float = 1.0) -> float:
        return mean + sigma * standard_normal(self._twister.rndm)

    def Rannor(self, a: Any, b: Any) -> None:
        radius, angle = self.Rndm(), self.Rndm() * 2.0 * math.pi
        radius = math.sqrt(-2.0 * math.log(radius))
        a[0], b[0] = radius * math.sin(angle), radius * math.cos(angle)

    def RndmArray(self, n: int, into: Any) -> None:
        for k, value in enumerate(self._twister.rndm(int(n)).tolist()):
            into[k] = value

    def Landau(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Return a number of a Landau distribution (not ROOT's sequence)."""
        # by rejection under a curve that falls as x**-2, like the density itself
        while True:
            u = self.Rndm()
            x = 1.0 / u - 5.0
            if self.Rndm() * LANDAU_BOUND * u * u < float(landau_density(np.array(x))):
                return mu + sigma * x

    def Circle(self, x: Any, y: Any, r: float) -> None:
        angle = self.Uniform(0.0, 2.0 * math.pi)
        x[0], y[0] = r * math.cos(angle), r * math.sin(angle)

    def uniforms(self, n: int) -> FloatArray:
        """Return the next ``n`` numbers between 0 and 1."""
        return np.array([self._twister.rndm() for _ in range(n)]) if n < 8 else self._twister.rndm(n)

    def Exp(self, tau: float) -> float:
        return -tau * math.log(self.Rndm())

    def Poisson(self, mean: float) -> int:
        return int(poisson_counts(self._twister, float(mean), 1)[0]) if mean > 0 else 0

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


TRandom1 = TRandom2 = TRandomMixMax = TRandom


gRandom = TRandom3()  # noqa: N816 - ROOT's name


def uniform_numbers(n: int) -> FloatArray:
    """Return the next ``n`` numbers of ``ROOT.gRandom``, which a macro may have replaced."""
    from pytmva_bnn.compat import ROOT  # which needs this module

    numbers: FloatArray = vars(ROOT)["gRandom"].uniforms(n)
    return numbers
