"""The event in the linked memory, evaluated again and again: what a macro's event loop spends its time on.

The first events go through numpy; when there are more of them, compiled code takes over if it is available (see
:mod:`pytmva_bnn.fast`), with the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn.fast.switch import is_forced
from pytmva_bnn.methods.answers import NO_ERROR
from pytmva_bnn.methods.bdt.kernels.single_event import SingleEvent
from pytmva_bnn.transform.compiled import steps_of

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.fitted import FittedBDT
    from pytmva_bnn.transform import TransformationChain

#: events after which compiled code takes over: by numpy they take about half as long as loading it
EVENTS_BY_NUMPY = 5000
#: numbers beyond this may not fit into float32: such events take the long way, which expects that
_LARGE = 1e38


class LinkedForest:
    """The linked memory seen through a forest; the response is NaN where the long way has to be taken."""

    def __init__(self, fitted: FittedBDT, chain: TransformationChain, memory: Sequence[NDArray[Any]]) -> None:
        self._fitted = fitted
        self._chain = chain
        self._memory = memory
        self._reads = [one.item for one in memory]
        self._n_events = 0
        self.evaluate: Callable[[], float] = self._by_numpy
        """Return the response to what the memory holds now."""
        if is_forced():
            self._compile()

    @classmethod
    def of(
        cls, fitted: FittedBDT, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
    ) -> LinkedForest | None:
        """Return the event, or None if there is memory missing or spectators are needed."""
        known = [one for one in memory if one is not None]
        return None if chain.needs_spectators or len(known) != len(memory) else cls(fitted, chain, known)

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return what TMVA has for no errors."""
        del name
        return NO_ERROR, NO_ERROR

    def _by_numpy(self) -> float:
        self._n_events += 1
        if self._n_events == EVENTS_BY_NUMPY and fast.available():
            self._compile()
        event = [read() for read in self._reads]
        if not sum(map(abs, event)) < _LARGE:
            return math.nan
        x = np.array([event], dtype=np.float32)
        if self._chain.placed:
            x = self._chain.forward(x)
            if np.isnan(x).any():
                return math.nan
        return float(self._fitted.respond_by(x, compiled=False)[0, 0])

    def _compile(self) -> None:
        """Let compiled code take over if it knows forest and transformations and can read the memory."""
        forest, steps = self._fitted.compiled_forest, steps_of(self._chain)
        if forest is not None and steps is not None and all(map(_can_read, self._memory)):
            event = SingleEvent(forest, steps, self._memory, self._fitted.active_preselection)
            self.evaluate = event.evaluate


def _can_read(memory: NDArray[Any]) -> bool:
    return memory.dtype.isnative and memory.dtype in (np.float32, np.float64)
