"""The list of events that a tree sees: all events of the sample, or a bag in which some stand several times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray
from pytmva_bnn.methods.bdt.training.node_search import NodeEvents
from pytmva_bnn.methods.bdt.training.sample import BoostSample
from pytmva_bnn.reductions.summation import sequential_sum

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, eq=False)
class EventList:
    """Events of a sample in the order in which a tree sees them; ``events`` is None for all of them.

    ``compiled``: passes over them are made by compiled code.
    """

    sample: BoostSample
    events: IndexArray | None = None
    compiled: bool = False

    def __len__(self) -> int:
        return len(self.sample) if self.events is None else len(self.events)

    def of(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return what belongs to the events of the list, from an array for the events of the sample."""
        return values if self.events is None else values[self.events]

    @property
    def numbers(self) -> IndexArray:
        """Return the events as compiled code wants them: none stands for all."""
        return np.empty(0, dtype=np.intp) if self.events is None else self.events

    @cached_property
    def is_signal(self) -> BoolArray:
        """Return which events are signal."""
        return self.of(self.sample.is_signal)

    @property
    def weights(self) -> FloatArray:
        """Return the weights as they are now."""
        return self.of(self.sample.weights)

    def node_events(self, is_signal: BoolArray, targets: Float32Array | None) -> NodeEvents:
        """Return the events for the numpy way of growing; ``targets`` are those of regression trees."""
        inputs = self.sample.inputs if self.events is None else self.sample.inputs[self.events]
        weights = self.weights
        wt = wtt = None
        if targets is not None:
            t = self.of(targets)
            wt = weights * t
            wtt = wt * t
        return NodeEvents(np.ascontiguousarray(inputs.T), weights, is_signal, wt, wtt)

    def _rounds(self) -> Iterator[tuple[IndexArray | slice, IndexArray | slice]]:
        """Yield positions in the list with their events, each event once in a round: copies are worked on in turn."""
        if self.events is None:
            yield slice(None), slice(None)
            return
        starts = np.flatnonzero(np.r_[True, self.events[1:] != self.events[:-1]])
        copy = np.arange(len(self.events)) - np.repeat(starts, np.diff(np.r_[starts, len(self.events)]))
        for number in range(int(copy.max(initial=-1)) + 1):
            positions = np.flatnonzero(copy == number)
            yield positions, self.events[positions]

    def rescale(self, new: Callable[[FloatArray, FloatArray, IndexArray | slice], FloatArray]) -> float:
        """Set boost weights to ``new(boost weights, weights, positions)``; return the sum of the new weights.

        It is done once for every time an event stands in the list, and sees what was done before.
        """
        sample = self.sample
        after = np.empty(len(self))
        for positions, events in self._rounds():
            own = sample.event_weights[events]
            before = sample.boost_weights[events]
            changed = new(before, own * before, positions)
            sample.boost_weights[events] = changed
            after[positions] = own * changed
        return float(sequential_sum(after))
