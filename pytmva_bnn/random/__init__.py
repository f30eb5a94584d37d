"""ROOT's random numbers and the C++ library's shuffle, number for number.

What to use when:

* the numbers of a ``TRandom3`` (initial weights, back-propagation, sampling): :class:`TRandom3`;
* the shuffles of the training and test split: :class:`RandomGenerator`, whose ``library`` chooses how the
  ROOT to be reproduced was built (:class:`Library`).

>>> TRandom3(100).rndm()
0.5434049386531115
>>> RandomGenerator(100).shuffle(5)
array([2, 1, 3, 4, 0])
"""

from __future__ import annotations

from pytmva_bnn.random.shuffle import RandomGenerator
from pytmva_bnn.random.trandom3 import DEFAULT_SEED, TRandom3
from pytmva_bnn.random.uniform import Library

__all__ = ["DEFAULT_SEED", "Library", "RandomGenerator", "TRandom3"]
