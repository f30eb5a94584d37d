"""An option that OptimizeAllMethods varies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TunedOption:
    """``n_points`` values from ``low`` to ``high``, both among them, in equal steps or in equal factors."""

    name: str
    low: float
    high: float
    n_points: int
    is_integer: bool = False
    is_logarithmic: bool = False

    def values(self) -> list[float]:
        """Return the values, each once; those of an integer lose their decimals.

        >>> TunedOption("NTrees", 10, 1000, 5, is_integer=True).values()
        [10, 257, 505, 752, 1000]
        >>> TunedOption("C", 0.25, 4, 5, is_logarithmic=True).values()
        [0.25, 0.5, 1.0, 2.0, 4.0]
        """
        spaced = np.geomspace if self.is_logarithmic else np.linspace
        points = [float(f"{x:.6g}") for x in spaced(self.low, self.high, self.n_points)]
        return list(dict.fromkeys(int(x) for x in points) if self.is_integer else points)
