"""The numbers of ``rndm``: one generator for the whole process, as in ROOT, that starts with ROOT's default seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytmva_bnn.random import TRandom3

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RANDOM_NAME = "rndm"

# TTreeFormula: expressions share the global generator, so that two of them are not the same numbers
_GENERATOR = TRandom3()


def draw(size: int) -> NDArray[np.float64]:
    """Return the next ``size`` numbers, evenly distributed in (0, 1)."""
    return _GENERATOR.rndm(size)
