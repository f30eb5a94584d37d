"""How much each variable has contributed to a forest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import FloatArray

_NOTHING = np.finfo(np.float64).eps


def forest_importance(of_trees: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """Return the importance of each variable, which add up to 1, from those of the trees and their weights."""
    total = np.zeros(len(of_trees[0]) if len(of_trees) else 0)
    for gains, weight in zip(of_trees, weights.tolist(), strict=True):
        # rounding can make the gain of a node with equal targets infinite, which says nothing of the variable
        importance = np.where(np.isfinite(gains), gains, 0.0)
        own = float(np.cumsum(importance)[-1])
        if own > _NOTHING:
            total += weight * (importance / own)
    with np.errstate(invalid="ignore"):
        roots = np.sqrt(total)
        everything = roots.sum()
        return roots / everything if everything > 0.0 else roots
