"""The transformations as the flat arrays that compiled code takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.transform.selection import VARIABLE, Column

if TYPE_CHECKING:
    from pytmva_bnn.transform.chain import TransformationChain

NORMALISE, SCALE, LINEAR_MAP = range(3)


@dataclass(frozen=True, eq=False)
class Steps:
    """Transformations: their kinds, and their parameters one after the other.

    =============  =====================================================
    normalise      minima, 1 / (maxima - minima)
    scale          largest absolute values
    linear map     means to subtract, matrix row by row
    =============  =====================================================
    """

    kinds: IntArray
    parameters: FloatArray

    @classmethod
    def none(cls) -> Steps:
        """Return the steps that change nothing."""
        return cls(np.empty(0, dtype=np.int64), np.empty(0))


def steps_of(chain: TransformationChain) -> Steps | None:
    """Return the chain for compiled code, or None if it has steps that there are no kinds for.

    These are Gaussianisations with their tables, and steps that move variables or act on some of them only; nor does it
    know several sets of parameters.
    """
    if chain.sets:
        return None
    kinds: list[int] = []
    parameters: list[FloatArray] = []
    all_variables = tuple(Column(VARIABLE, index) for index in range(chain.n_variables))
    for placed in chain.placed:
        n = placed.columns.n_present
        if not n:
            continue
        if placed.columns.get[:n] != all_variables or placed.columns.put[:n] != all_variables:
            return None
        compiled = placed.step.compiled(n)
        if compiled is None:
            return None
        kinds.append(compiled[0])
        parameters += [np.asarray(one, dtype=np.float64).ravel() for one in compiled[1]]
    return Steps(np.array(kinds, dtype=np.int64), np.concatenate(parameters)) if kinds else Steps.none()
