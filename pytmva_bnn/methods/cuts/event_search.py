"""Searches among the boxes that two signal events span (MCEvents, EventScan)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IntArray
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.cuts.option_table import EVENT_SAMPLING_OPTIONS
from pytmva_bnn.methods.protocol import MethodEvents
from pytmva_bnn.options import OptionSet
from pytmva_bnn.random import TRandom3

Enter = Callable[[FloatArray], FloatArray]
"""The estimator."""
Watch = Callable[[int], None]
"""Called with the number of points done."""

BLOCK = 4096
MAX_TRIALS = 10_000


@dataclass(frozen=True)
class EventSampling:
    """Boxes whose sides in each variable are the values of two random signal events."""

    n_samples: int = 200_000
    seed: int = 100

    unit = "sample"

    @classmethod
    def parse(cls, options: OptionSet) -> None:
        """Let it take its options from the string of the method."""
        options.parse_part("MCEvents", EVENT_SAMPLING_OPTIONS)

    @classmethod
    def of(cls, options: OptionSet) -> EventSampling:
        """Return it with the options that it has taken."""
        own = options.parts["MCEvents"]
        if own.integer("SampleSize") < 1:
            raise OptionError(f"{options.owner}: SampleSize={own.integer('SampleSize')}: it must be at least 1")
        return cls(own.integer("SampleSize"), own.integer("Seed"))

    def n_boxes(self, n_signal: int) -> int:
        """Return the number of boxes."""
        del n_signal
        return self.n_samples

    def run(self, estimator: Enter, events: MethodEvents, watch: Watch) -> None:
        """Draw the boxes."""
        x, is_signal = events.inputs, events.is_signal
        n_variables = x.shape[1]
        random, done = TRandom3(self.seed), 0
        while done < self.n_samples:
            n = min(BLOCK, self.n_samples - done)
            pairs = _signal_pairs(random, is_signal, n * n_variables).reshape(n, n_variables, 2)
            values = x[pairs, np.arange(n_variables)[:, np.newaxis]].astype(np.float64)
            estimator(_points(values.min(axis=2), values.max(axis=2)))
            done += n
            watch(done)


class EventScan:
    """The boxes of all pairs of signal events."""

    unit = "box"

    def n_boxes(self, n_signal: int) -> int:
        """Return the number of boxes."""
        return n_signal * (n_signal - 1) // 2

    def run(self, estimator: Enter, events: MethodEvents, watch: Watch) -> None:
        """Try all pairs."""
        x: Float32Array = events.inputs[events.is_signal]
        done = 0
        for i in range(len(x) - 1):
            low, high = np.minimum(x[i], x[i + 1 :]), np.maximum(x[i], x[i + 1 :])
            estimator(_points(low.astype(np.float64), high.astype(np.float64)))
            done += len(low)
            watch(done)


def _points(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the parameters (n, 2 n_variables): lower cut and width of each variable in turn."""
    return np.stack([lower, upper - lower], axis=2).reshape(len(lower), -1)


def _signal_pairs(random: TRandom3, is_signal: BoolArray, n: int) -> IntArray:
    """Return n pairs (n, 2) of events that are both signal: pairs are drawn until one is."""
    n_events = len(is_signal)
    share = max(float(np.mean(is_signal)) ** 2, 1.0 / MAX_TRIALS)
    found: list[IntArray] = []
    n_found = n_trials = 0
    while n_found < n:
        size = int((n - n_found) / share) + 16
        pairs = (random.peek(2 * size) / 2.0**32 * n_events).astype(np.int64).reshape(size, 2)
        good = np.flatnonzero(is_signal[pairs].all(axis=1))[: n - n_found]
        gaps = np.diff(good, prepend=-1 - n_trials)
        n_used = int(good[-1]) + 1 if len(good) == n - n_found else size
        n_trials = size - 1 - int(good[-1]) if len(good) else n_trials + size
        if max(gaps.max(initial=0), n_trials if n_used == size else 0) > MAX_TRIALS:
            raise InputError(
                f"among {MAX_TRIALS} random pairs of training events none consists of two signal events; "
                "FitMethod=MCEvents needs a larger share of signal"
            )
        random.skip(2 * n_used)
        found.append(pairs[good])
        n_found += len(good)
    return np.concatenate(found)
