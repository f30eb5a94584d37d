"""The MLP's sampling: the vector of ROOT, the greedy selection, the schedule and its quirks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.dataset import Sampling, SamplingSchedule, Which
from pytmva_bnn.dataset.sampling import draw
from pytmva_bnn.random import TRandom3

TRAIN, TEST = Which.TRAINING, Which.TESTING


def naive_draw(weights: list[float], n_draw: int, random: TRandom3) -> list[int]:
    """The selection of the specification, event by event."""
    total = np.float32(0)
    for weight in weights:
        total = np.float32(total + np.float32(weight))
    positions = sorted(np.float32(random.rndm() * float(total)) for _ in range(n_draw))
    run, selected = np.float32(1e-9), []
    for event, weight in enumerate(weights):
        run = np.float32(run + np.float32(weight))
        if len(selected) < n_draw and run >= positions[len(selected)]:
            selected.append(event)
    return selected


def test_vector_of_root() -> None:
    positions = np.sort((TRandom3(1).rndm(5) * 10).astype(np.float32))
    assert [f"{position:.8g}" for position in positions] == [
        "0.0011438108",
        "4.1702199",
        "7.2032447",
        "9.3255739",
        "9.9718485",
    ]
    assert draw(np.ones(10, dtype=np.float32), 5, TRandom3(1)).tolist() == [0, 4, 7, 9]


@given(
    weights=st.lists(st.floats(0, 1, width=32), max_size=60),
    n_draw=st.integers(0, 60),
    seed=st.integers(1, 2**32 - 1),
)
def test_selection_equals_the_plain_implementation(weights: list[float], n_draw: int, seed: int) -> None:
    found = draw(np.array(weights, dtype=np.float32), n_draw, TRandom3(seed))
    assert found.tolist() == naive_draw(weights, n_draw, TRandom3(seed))


@pytest.mark.parametrize("fraction", [1, 0.9999999, 0, 1e-8, -1])
def test_fraction_of_nearly_all_or_none_switches_sampling_off(fraction: float) -> None:
    sampling = Sampling(10, 10)
    sampling.init(TRAIN, fraction, 1, seed=1)
    sampling.create(TRAIN)
    assert not sampling[TRAIN].on
    assert sampling[TRAIN].events().tolist() == list(range(10))
    assert sampling.random is not None
    assert sampling.random.rndm() == TRandom3(1).rndm()


def test_number_to_draw_is_truncated_in_float32() -> None:
    sampling = Sampling(10, 30)
    sampling.init(TRAIN, 0.7, 1)
    sampling.init(TEST, 0.99, 1)
    assert (sampling[TRAIN].n_draw, sampling[TEST].n_draw) == (int(np.float32(0.7) * np.float32(10)), 29)


def test_nothing_to_draw_selects_nothing() -> None:
    sampling = Sampling(10, 0)
    sampling.init(TRAIN, 0.05, 1)
    sampling.create(TRAIN)
    assert sampling[TRAIN].events().size == 0


def test_second_method_goes_on_with_the_first_ones_generator() -> None:
    sampling = Sampling(10, 10)
    for seed in (1, 99):
        SamplingSchedule(seed=seed).begin_training(sampling)
    assert sampling.random is not None
    assert sampling.random.seed == 1


def test_sets_share_the_generator() -> None:
    sampling, random = Sampling(10, 20), TRandom3(1)
    for which, n in ((TRAIN, 10), (TEST, 20)):
        sampling.init(which, 0.5, 1, seed=1)
        sampling.create(which)
        assert sampling[which].events().tolist() == draw(np.ones(n, dtype=np.float32), n // 2, random).tolist()


def test_results_change_the_weights_of_the_next_draw() -> None:
    sampling = Sampling(3, 3)
    sampling.init(TRAIN, 0.5, 0.5)
    sampling.event_result(TRAIN, success=True)
    sampling.event_result(TRAIN, success=True, event=1)
    assert sampling[TRAIN].weights.tolist() == [0.5, 0.25, 0.5]
    sampling.event_result(TRAIN, success=False, event=0)
    sampling.event_result(TRAIN, success=False, event=0)
    assert sampling[TRAIN].weights.tolist() == [1, 0.25, 0.5]


def test_results_change_nothing_with_importance_1_or_without_sampling() -> None:
    sampling = Sampling(3, 3)
    sampling.event_result(TRAIN, success=True)
    assert sampling[TRAIN].weights.size == 0
    sampling.init(TRAIN, 0.5, 1)
    sampling.event_result(TRAIN, success=False)
    assert sampling[TRAIN].weights.tolist() == [1, 1, 1]


def drawing_epochs(schedule: SamplingSchedule, which: Which, n_epochs: int = 20) -> list[int]:
    """Run a schedule and tell in which epochs the set was drawn anew."""
    sampling = Sampling(1000, 1000)
    schedule.begin_training(sampling)
    epochs, before = [], sampling[which].selected
    for epoch in range(n_epochs):
        schedule.begin_epoch(sampling, epoch, n_epochs)
        if sampling[which].on and sampling[which].selected is not before:
            epochs.append(epoch)
            before = sampling[which].selected
        schedule.end_epoch(sampling, epoch, test_estimator=0.1, previous=0.2)
    return epochs


@pytest.mark.parametrize(
    ("schedule", "training", "testing"),
    [
        (SamplingSchedule(), [], []),
        (SamplingSchedule(fraction=0.3, test_rate=5), [0, 4, 9, 14, 19], []),
        (SamplingSchedule(fraction=0.3, test_rate=5, epoch_fraction=0.5), [0, 4, 9], []),
        (SamplingSchedule(fraction=0.3, test_rate=11, epoch_fraction=0.5), [0], []),  # epoch 10 is beyond the half
        (SamplingSchedule(fraction=0.3, test_rate=10, training=False, testing=True), [], [0, 9, 19]),
        (SamplingSchedule(fraction=0.3, test_rate=10, training=False), [], []),
    ],
)
def test_events_are_drawn_in_the_first_epoch_and_with_each_test(
    schedule: SamplingSchedule, training: list[int], testing: list[int]
) -> None:
    assert drawing_epochs(schedule, TRAIN) == training
    assert drawing_epochs(schedule, TEST) == testing


@pytest.mark.parametrize(("epoch_fraction", "on"), [(1.0, True), (0.8, False)])
def test_sampling_stays_on_after_training_unless_epochs_without_it_followed(epoch_fraction: float, on: bool) -> None:
    sampling = Sampling(800, 800)
    schedule = SamplingSchedule(fraction=0.4, epoch_fraction=epoch_fraction)
    schedule.begin_training(sampling)
    for epoch in range(20):
        schedule.begin_epoch(sampling, epoch, 20)
    assert sampling[TRAIN].on is on
    assert (sampling[TRAIN].events().size <= 320) is on


def test_importance_has_no_effect() -> None:
    selections = []
    for importance in (1.0, 0.1):
        sampling = Sampling(100, 100)
        schedule = SamplingSchedule(fraction=0.5, importance=importance, test_rate=2)
        schedule.begin_training(sampling)
        for epoch in range(10):
            schedule.begin_epoch(sampling, epoch, 10)
            schedule.end_epoch(sampling, epoch, test_estimator=0.1, previous=0.2)
        selections.append(sampling[TRAIN].events().tolist())
    assert selections[0] == selections[1]


@pytest.mark.parametrize(
    ("epoch", "estimator", "previous", "weight"),
    [(1, 0.1, 0.2, 0.5), (1, 0.2, 0.1, 1.0), (1, 0.2, 0.0, 0.5), (0, 0.1, 0.2, 1.0)],
)
def test_training_set_hears_whether_the_test_estimator_went_down(
    epoch: int, estimator: float, previous: float, weight: float
) -> None:
    sampling = Sampling(4, 4)
    sampling.init(TRAIN, 0.5, 0.5)
    SamplingSchedule(test_rate=2).end_epoch(sampling, epoch, estimator, previous)
    assert sampling[TRAIN].weights.tolist() == [weight] * 4
