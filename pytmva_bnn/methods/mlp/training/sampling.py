"""The sampled events of an epoch: the data set's sampling seen as part of a training's state."""

from __future__ import annotations

from dataclasses import replace

from pytmva_bnn.dataset import Sampling, SamplingSchedule, Which
from pytmva_bnn.methods.mlp.training.backprop import BPState
from pytmva_bnn.methods.mlp.training.state import RunState
from pytmva_bnn.random import TRandom3


def with_new_sample(state: RunState, schedule: SamplingSchedule, sampling: Sampling, n_cycles: int) -> RunState:
    """Return the state with the events of its next epoch: newly drawn, kept, or all."""
    before = {which: sampling[which].selected for which in Which}
    schedule.begin_epoch(sampling, state.epoch, n_cycles)
    n_sampled = state.n_sampled
    for which in Which:
        if sampling[which].on and sampling[which].selected is not before[which]:
            n_sampled += sampling[which].n_draw
    training, test = (sampling[which].selected if sampling[which].on else None for which in Which)
    return replace(state, training_events=training, test_events=test, n_sampled=n_sampled)


def resume(state: RunState, random: TRandom3, sampling: Sampling) -> None:
    """Bring fresh generators, and the sampling, to where they were when the state was saved."""
    if isinstance(state.step, BPState):
        _skip(random, state.step.n_drawn)
    if sampling.random is not None:
        _skip(sampling.random, state.n_sampled)
    for which, events in ((Which.TRAINING, state.training_events), (Which.TESTING, state.test_events)):
        if events is not None:
            sampling[which].on = True
            sampling[which].selected = events


def _skip(random: TRandom3, n: int, at_once: int = 1 << 20) -> None:
    for start in range(0, n, at_once):
        random.skip(min(at_once, n - start))
