"""Poisson numbers as ROOT's generators draw them."""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn._typing import IndexArray
from pytmva_bnn.random.trandom3 import TRandom3

#: largest mean for which ROOT multiplies random numbers
SMALL_MEAN = 25.0


def poisson_counts(random: TRandom3, mean: float, n: int) -> IndexArray:
    """Return ``n`` Poisson numbers as TRandom3 draws them."""
    if mean >= SMALL_MEAN:
        return np.array([_large_poisson(random, mean) for _ in range(n)], dtype=np.intp)
    limit = math.exp(-mean)
    counts = np.empty(n, dtype=np.intp)
    count, product, number = -1, 1.0, 0
    while number < n:
        # as many numbers as are certainly needed: one for each event left
        for value in random.rndm(n - number).tolist():
            count += 1
            product *= value
            if product <= limit:
                counts[number] = count
                count, product, number = -1, 1.0, number + 1
    return counts


def _large_poisson(random: TRandom3, mean: float) -> int:
    """Return a Poisson number of a large mean, by ROOT's rejection method."""
    root = math.sqrt(2.0 * mean)
    log_mean = math.log(mean)
    constant = mean * log_mean - math.lgamma(mean + 1.0)
    while True:
        while True:
            y = math.tan(math.pi * random.rndm())
            value = root * y + mean
            if value >= 0.0:
                break
        value = math.floor(value)
        density = 0.9 * (1.0 + y * y) * math.exp(value * log_mean - math.lgamma(value + 1.0) - constant)
        if random.rndm() <= density:
            return int(value)
