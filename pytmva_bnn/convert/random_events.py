"""Events drawn at random within the ranges of the variables, to compare two forms of a network."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.events.variables import VariableRecord


def random_events(variables: Sequence[VariableRecord], n_events: int, seed: int = 1) -> NDArray[np.float32]:
    """Return uniform events (n_events, n_variables) in the ranges of a weight file; integers stay integers.

    Where a file has no range the events lie between -1 and 1.
    """
    generator = np.random.default_rng(seed)
    result = np.empty((n_events, len(variables)), dtype=np.float32)
    for number, variable in enumerate(variables):
        low, high = variable.minimum, variable.maximum
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            low, high = -1.0, 1.0
        values = generator.uniform(low, high, n_events)
        result[:, number] = np.round(values) if variable.type[:1] == "I" else values
    return result
