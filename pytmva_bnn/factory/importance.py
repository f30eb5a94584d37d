"""How much each input variable matters to a method: what the ROC integral loses without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.dataset import DataLoader, Description
from pytmva_bnn.errors import InputError
from pytmva_bnn.tmva_types import VIType

NOTHING_KNOWN = 0.5
"""The ROC integral without variables."""
MOST_VARIABLES = 20
"""More would need more than a million trainings with all subsets."""


def importances(n_variables: int, roc_integral: Callable[[Iterable[int]], float], kind: VIType) -> FloatArray:
    """Return the importance of each variable; ``roc_integral`` trains with the variables of some numbers.

    ``kShort``: the loss when it is left out.  ``kAll``: the sum of what it adds to all subsets of the others.

    >>> importances(2, lambda numbers: 0.5 + 0.25 * (0 in numbers) + 0.125 * (1 in numbers), VIType.kAll)
    array([0.5 , 0.25])
    """
    if kind is VIType.kRandom:
        raise InputError("EvaluateImportance(kRandom) trains with random subsets: take kShort or kAll, which are not")
    if kind is VIType.kAll and n_variables > MOST_VARIABLES:
        raise InputError(
            f"EvaluateImportance(kAll) with {n_variables} variables needs 2^{n_variables} trainings: take kShort"
        )

    @cache
    def of(subset: int) -> float:
        return roc_integral([i for i in range(n_variables) if subset >> i & 1]) if subset else NOTHING_KNOWN

    everything = 2**n_variables - 1
    subsets: Sequence[int] = range(1, everything + 1) if kind is VIType.kAll else [everything]
    return np.array([sum(of(one) - of(one & ~(1 << i)) for one in subsets if one >> i & 1) for i in range(n_variables)])


def with_variables(description: Description, numbers: Iterable[int]) -> DataLoader:
    """Return a loader of the same events with some of the variables; its name says which by ones, the last first."""
    chosen = list(numbers)
    loader = DataLoader("".join("01"[i in chosen] for i in reversed(range(32))))
    loader.description = replace(
        description,
        name=loader.name,
        variables=[description.variables[i] for i in chosen],
        classes=list(description.classes),
        trees=list(description.trees),
    )
    return loader
