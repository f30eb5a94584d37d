"""The normal distribution of ROOT's TRandom, from the same uniform numbers: acceptance-complement ratio method.

W. Hoermann and G. Derflinger, The ACR method for generating normal random variables, OR Spektrum 12 (1990) 181.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from pytmva_bnn.random import TRandom3

_BLOCK = 4096


def uniform_numbers(random: TRandom3) -> Callable[[], float]:
    """Return a function that gives one number after the other, faster than the generator itself does."""

    def blocks() -> Iterator[float]:
        while True:
            yield from random.rndm(_BLOCK).tolist()

    return blocks().__next__


def standard_normal(uniform: Callable[[], float]) -> float:
    """Return a number of the standard normal distribution."""
    y = uniform()
    if y > 0.516058551:
        return 4.132731354 * y - 3.132731354
    if y < 0.107981933:
        t = 18.52161694 * y - 1.0
        return 1.0 + t if t > 0 else t - 1.0
    if y < 0.483941449:
        r = uniform()
        r = r - 1.0 + r
        z = 2.0 - r if r > 0 else -2.0 - r
        if (1.448242853 - y) * (1.46754004 + abs(z)) < 3.307147487:
            return z
        x = r * r
        if (y + 1.036467755) * (3.631288474 + x) < 5.295844968:
            return r
        if 0.591923442 - y < math.exp(-(z * z + 0.4515827053) / 2):
            return z
        if y + 0.375959516 < math.exp(-(x + 0.4515827053) / 2):
            return r
    while True:
        x = uniform()
        y = 0.187308492 * uniform()
        z = 0.4571828819 - 0.7270572718 * x - y
        if z > 0:
            r = 2.0 + y / x
        else:
            x = 1.0 - x
            y = 0.187308492 - y
            r = -(2.0 + y / x)
        if (y - 0.8853395638 + x) * (0.2770276848 + x) + 0.2452635696 < 0:
            return r
        if y < x + 0.03895759111 and r * r < 4.0 * (0.5029324303 - math.log(x)):
            return r
