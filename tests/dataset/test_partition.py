"""The final sets: vectors of ROOT, and what must hold for all of them."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.dataset import ClassSizes, DatasetError, EventOrder, Partition, SplitSettings, partition
from pytmva_bnn.random import RandomGenerator

NAMES = ["Signal", "Background", "Charm"]


def split(options: str, *numbers: int) -> Partition:
    return partition([ClassSizes(n_undefined=n) for n in numbers], SplitSettings.of(options, NAMES[: len(numbers)]))


def written(events: EventOrder) -> str:
    return " ".join("sbc"[c] + str(i) for c, i in events)


@pytest.mark.parametrize(
    ("options", "numbers", "train", "test"),
    [
        ("", (10, 8), "b1 b7 s1 b2 s4 b3 s8 s3 s6", "b6 b4 b5 s9 s7 b0 s2 s0 s5"),
        (
            "nTrain_Signal=4:nTrain_Background=3:nTest_Signal=3:nTest_Background=2",
            (10, 8),
            "b3 b7 b2 s6 s4 s3 s1",
            "s2 s9 b0 s0 b5",
        ),
        ("SplitMode=Alternate", (9, 6), "s0 b0 s2 b2 s4 b4 s6", "s1 b1 s3 b3 s5 b5 s7"),
        ("SplitMode=Block", (9, 6), "s0 s1 s2 s3 b0 b1 b2", "s4 s5 s6 s7 b3 b4 b5"),
        (
            "SplitMode=Block:MixMode=Alternate",
            (6, 10, 4),
            "s0 b0 c0 s1 b1 c1 s2 b2 b3 b4",
            "s3 b5 c2 s4 b6 c3 s5 b7 b8 b9",
        ),
    ],
)
def test_vectors_of_root(options: str, numbers: tuple[int, ...], train: str, test: str) -> None:
    sets = split(options, *numbers)
    assert (written(sets.train), written(sets.test)) == (train, test)


def test_weights_of_the_default_vector() -> None:
    sets = split("", 10, 8)
    assert sets.train.weights.tolist() == [1.25 if c else 1.0 for c, _ in sets.train]
    assert sets.test.weights.tolist() == [1.0] * 9
    assert (sets.train.sums, sets.test.sums) == ((5.0, 5.0), (5.0, 4.0))


def test_block_split_with_random_mixing_uses_the_generator_for_the_mixing_only() -> None:
    blocks, mixed = split("Block", 9, 6), split("SplitMode=Block:MixMode=Random", 9, 6)
    generator = RandomGenerator(100)
    for before, after in ((blocks.train, mixed.train), (blocks.test, mixed.test)):
        events = list(before)
        assert list(after) == [events[k] for k in generator.shuffle(7)]


def test_weights_stay_with_their_events() -> None:
    rng = np.random.default_rng(1)
    weights = [rng.uniform(0.5, 2, n).astype(np.float32) for n in (50, 40)]
    settings = SplitSettings.of("NormMode=None", NAMES[:2])
    sets = partition([ClassSizes(n_undefined=50), ClassSizes(5, 5, 30)], settings, weights)
    for events in (sets.train, sets.test):
        assert events.weights.tolist() == [weights[c][i] for c, i in events]


@pytest.mark.parametrize("mode", ["NumEvents", "EqualNumEvents"])
def test_training_weights_sum_up_to_the_number_of_events(mode: str) -> None:
    weights = [np.linspace(0.1, 2, 50), np.linspace(1, 3, 30)]
    settings = SplitSettings.of(f"NormMode={mode}", NAMES[:2])
    sets = partition([ClassSizes(n_undefined=50), ClassSizes(n_undefined=30)], settings, weights)
    second = sets.train.weights[sets.train.class_index == 1]
    assert second.sum() == pytest.approx(15 if mode == "NumEvents" else 25)
    assert sets.train.sums[1] == pytest.approx(second.sum())


def test_sum_of_weights_is_in_the_order_of_the_list_before_mixing() -> None:
    weights = np.random.default_rng(2).uniform(0, 1, 2001)
    settings = SplitSettings.of("NormMode=NumEvents:MixMode=Block", ["A"])
    sets = partition([ClassSizes(n_undefined=2001)], settings, [weights])
    total = 0.0
    for _, i in sets.train:
        total += weights[i]
    assert sets.train.weights.tolist() == (weights[sets.train.event_index] * (1000 / total)).tolist()


@given(
    options=st.sampled_from(["", "Alternate", "Block", "SplitMode=Block:MixMode=Random", "MixMode=Alternate"]),
    sizes=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 20)), min_size=1, max_size=3),
    seed=st.integers(1, 2**32 - 1),
)
def test_same_seed_same_sets_and_no_event_twice(options: str, sizes: list[tuple[int, int, int]], seed: int) -> None:
    settings = SplitSettings.of(f"{options}:SplitSeed={seed}", NAMES[: len(sizes)])
    of_classes = [ClassSizes(*size) for size in sizes]
    try:
        first, second = partition(of_classes, settings), partition(of_classes, settings)
    except DatasetError as error:
        assert "there are no training events" in str(error)  # noqa: PT017
        return
    assert list(first.train) == list(second.train)
    assert list(first.test) == list(second.test)
    used = [*first.train, *first.test]
    assert len(set(used)) == len(used)
    assert all(i < of_classes[c].total for c, i in used)
    # without requests at most one event of a class is lost, except that Alternate may stop early
    if options != "Alternate":
        assert len(used) >= sum(size.total - 1 for size in of_classes)


def test_seed_zero_differs_from_run_to_run_and_can_be_repeated() -> None:
    first, second = split("SplitSeed=0", 100, 100), split("SplitSeed=0", 100, 100)
    assert list(first.train) != list(second.train)
    assert list(split(f"SplitSeed={first.seed}", 100, 100).train) == list(first.train)


def test_library_matters() -> None:
    sizes = [ClassSizes(n_undefined=100)]
    trains = [
        list(partition(sizes, SplitSettings.of("", ["A"], library=library)).train) for library in ("gcc11", "root5")
    ]
    assert trains[0] != trains[1]


def test_negative_weights_are_ignored_on_request() -> None:
    settings = SplitSettings.of("Block:NormMode=NumEvents", ["A"])
    sets = partition([ClassSizes(n_undefined=4)], settings, [[3.0, -1.0, -5.0, 1.0]], ignore_negative=True)
    assert sets.train.weights.tolist() == [3, 0]
    assert sets.test.weights.tolist() == [-5, 1]


# ---- errors and warnings ------------------------------------------------------------------------------------


def test_no_training_events_is_an_error() -> None:
    with pytest.raises(DatasetError, match=r"Dataset\[dataset\] : there are no training events; check the cuts"):
        split("nTrain_Signal=-1", 10)


def test_no_test_events_is_logged_and_accepted(caplog: pytest.LogCaptureFixture) -> None:
    sets = split("nTrain_Signal=10", 10)
    assert (len(sets.train), len(sets.test)) == (10, 0)
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "Dataset dataset does not have any testing events" in caplog.text


def test_weights_that_sum_up_to_zero_are_warned_about(caplog: pytest.LogCaptureFixture) -> None:
    settings = SplitSettings.of("Block:NormMode=NumEvents", ["A"])
    partition([ClassSizes(n_undefined=4)], settings, [[1.0, -1.0, 1.0, 1.0]])
    assert "the training weights of class A sum up to 0 and are multiplied by inf" in caplog.text


@pytest.mark.parametrize(
    ("sizes", "weights", "message"),
    [
        ([ClassSizes(n_undefined=4)], None, "event numbers for 1 classes, but the options are for 2 "),
        ([ClassSizes(n_undefined=4)] * 2, [[1.0] * 4], "got weights for 1 classes, but there are 2"),
        ([ClassSizes(n_undefined=4)] * 2, [[1.0] * 4, [1.0] * 3], r"class Background: the weights have shape \(3,\)"),
    ],
)
def test_input_that_does_not_fit_is_refused(
    sizes: list[ClassSizes], weights: list[list[float]] | None, message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        partition(sizes, SplitSettings.of("", NAMES[:2]), weights)


def test_no_class_is_refused() -> None:
    with pytest.raises(DatasetError, match="there is no class to split; add a tree first"):
        partition([], SplitSettings.of("", []))


def test_factors_are_logged_for_debugging(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    split("", 10, 8)
    assert "--> Rescale Background event weights by factor: 1.25" in caplog.messages
