"""The sampling of events during the training of the MLP (options Sampling, SamplingEpoch, ...)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from pytmva_bnn._typing import Float32Array, IndexArray
from pytmva_bnn.random import TRandom3


class Which(Enum):
    """The set that is sampled."""

    TRAINING = "training"
    TESTING = "testing"


@dataclass
class SampledSet:
    """The state of one set: its size, the weight of each event in the draw, and the events selected."""

    n_events: int
    on: bool = False
    n_draw: int = 0
    importance: np.float32 = field(default_factory=lambda: np.float32(1))
    weights: Float32Array = field(default_factory=lambda: np.empty(0, dtype=np.float32))
    selected: IndexArray = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def events(self) -> IndexArray:
        """Return the events that the set shows at present, in increasing order."""
        return self.selected if self.on else np.arange(self.n_events)


class Sampling:
    """The sampling of a data set's training and test events, with one generator for both."""

    def __init__(self, n_training: int, n_testing: int) -> None:
        self.random: TRandom3 | None = None
        self._sets = {Which.TRAINING: SampledSet(n_training), Which.TESTING: SampledSet(n_testing)}

    def __getitem__(self, which: Which) -> SampledSet:
        return self._sets[which]

    def init(self, which: Which, fraction: float, importance: float, seed: int = 0) -> None:
        """Prepare a set for :meth:`create`; a fraction of (nearly) 1 or 0 switches its sampling off."""
        if self.random is None:
            # TMVA: a second method on the data set goes on with the first one's generator, whatever its seed
            self.random = TRandom3(seed)
        n = self._sets[which].n_events
        part = np.float32(fraction)
        if not 1e-7 <= float(part) <= 0.999999:
            self._sets[which] = SampledSet(n)
            return
        n_draw = int(part * np.float32(n))
        self._sets[which] = SampledSet(n, True, n_draw, np.float32(importance), np.ones(n, dtype=np.float32))

    def create(self, which: Which) -> None:
        """Draw the events of a set; nothing happens if its sampling is off."""
        state = self._sets[which]
        if not state.on or self.random is None:
            return
        state.selected = draw(state.weights, state.n_draw, self.random)

    def event_result(self, which: Which, success: bool, event: int = -1) -> None:
        """Lower the weight of an event (-1: of all) in the next draw after a success, else raise it up to 1."""
        state = self._sets[which]
        if not state.on or float(state.importance) > 0.99999999999:
            return
        place = slice(None) if event == -1 else slice(event, event + 1)
        if success:
            state.weights[place] *= state.importance
        else:
            state.weights[place] = np.minimum(np.float32(1), state.weights[place] / state.importance)


def draw(weights: Float32Array, n_draw: int, random: TRandom3) -> IndexArray:
    """Return the events, in increasing order, that ``n_draw`` random positions on the summed weights select.

    An event is selected at most once; a position whose event is taken selects the next one, and the last
    positions may find none left.
    """
    # without positions TMVA reads beyond its list
    if n_draw == 0 or weights.size == 0:
        return np.empty(0, dtype=np.intp)
    total = np.add.accumulate(weights, dtype=np.float32)[-1]
    positions = np.sort((random.rndm(n_draw) * np.float64(total)).astype(np.float32))
    running = np.add.accumulate(np.concatenate(([np.float32(1e-9)], weights)), dtype=np.float32)[1:]
    # event k is the first that reaches position k and comes after event k-1
    reached = np.searchsorted(running, positions, side="left")
    k = np.arange(n_draw)
    events = np.maximum.accumulate(reached - k) + k
    return events[events < weights.size]


@dataclass(frozen=True)
class SamplingSchedule:
    """When the MLP samples: its options, and the calls before, in and after the epochs."""

    fraction: float = 1.0
    epoch_fraction: float = 1.0
    importance: float = 1.0
    training: bool = True
    testing: bool = False
    test_rate: int = 10
    seed: int = 1

    def begin_training(self, sampling: Sampling) -> None:
        """Switch sampling off and make the generator, before the first epoch."""
        if self.training or self.testing:
            sampling.init(Which.TRAINING, 1, 1, self.seed)

    def begin_epoch(self, sampling: Sampling, epoch: int, n_epochs: int) -> None:
        """Draw new events if this epoch (counted from 0) is one for it."""
        # TMVA: if no epoch lies beyond SamplingEpoch (1, the default), sampling stays on after the training
        if np.float32(epoch) / np.float32(n_epochs) >= np.float32(self.epoch_fraction):
            for which in Which:
                sampling.init(which, 1, 1)
        elif epoch == 0 or (epoch + 1) % self.test_rate == 0:
            for which, wanted in ((Which.TRAINING, self.training), (Which.TESTING, self.testing)):
                if wanted:
                    # TMVA: this sets all weights back to 1, so SamplingImportance has no effect
                    sampling.init(which, self.fraction, self.importance)
                    sampling.create(which)

    def end_epoch(self, sampling: Sampling, epoch: int, test_estimator: float, previous: float) -> None:
        """Tell the training set whether the test estimator went down, in the epochs in which it is computed."""
        if (epoch + 1) % self.test_rate == 0:
            sampling.event_result(Which.TRAINING, test_estimator < previous or previous < 1e-100)
