"""Whether a class has training events that a method can learn from."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset.description import EventClass
from pytmva_bnn.errors import DatasetError


def check_class(event_class: EventClass, weights: NDArray[np.floating], dataset: str) -> None:
    """Raise DatasetError if a class has no training events, or their weights no positive sum.

    TMVA: continues, with weights that are infinite or of the opposite sign.

    >>> check_class(EventClass("Signal", cut="x > 9"), np.empty(0), "data")
    Traceback (most recent call last):
    pytmva_bnn.errors.DatasetError: Dataset[data] : class Signal has no training events after the cut x > 9; check
    the cut, its trees and nTrain_Signal
    """
    name, cut, weight = event_class.name, event_class.cut.strip(), event_class.weight.strip()
    if not len(weights):
        after, look = (f" after the cut {cut}", "the cut, its trees") if cut else ("", "its trees")
        raise DatasetError(
            f"Dataset[{dataset}] : class {name} has no training events{after}; check {look} and nTrain_{name}"
        )
    total = float(np.sum(weights, dtype=np.float64))
    if not 0.0 < total < math.inf:
        raise DatasetError(
            f"Dataset[{dataset}] : the weights of the {len(weights)} training events of class {name} add up to "
            f"{total:g}, but their sum must be positive; check "
            + (f"the weight expression {weight}" if weight else "its weights")
        )
