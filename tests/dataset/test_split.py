"""How many events go where: each row of the tables, the quirks, the errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.dataset import ClassRequest, ClassSizes, ClassSplit, DatasetError, SplitSettings, split_classes
from pytmva_bnn.dataset.split import Numbers, deal_alternately, deal_in_blocks, plan, requested, trim_randomly
from pytmva_bnn.random import RandomGenerator


def split_one(options: str, size: ClassSizes) -> ClassSplit:
    return split_classes([size], SplitSettings.of(options, ["A"], dataset="d"), RandomGenerator(100))[0]


# ---- numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "request_", "expected"),
    [
        ((0, 0, 10), (0, 0), (5, 5, 5, 5)),
        ((0, 0, 9), (0, 0), (4, 4, 4, 4)),
        ((2, 4, 6), (0, 0), (6, 6, 6, 6)),
        ((2, 4, 2), (0, 0), (4, 4, 4, 4)),
        ((1, 6, 2), (0, 0), (3, 6, 3, 6)),
        ((6, 1, 2), (0, 0), (6, 3, 6, 3)),
        ((7, 0, 0), (0, 0), (7, 0, 7, 0)),
        ((0, 0, 10), (4, 0), (4, 6, 4, 6)),
        ((5, 0, 5), (3, 0), (5, 5, 3, 5)),
        ((0, 0, 10), (0, 4), (6, 4, 6, 4)),
        ((0, 5, 5), (0, 3), (5, 5, 5, 3)),
        ((0, 0, 10), (4, 3), (5, 5, 4, 3)),
        ((0, 0, 11), (4, 3), (6, 5, 4, 3)),
        ((6, 0, 5), (4, 3), (7, 4, 4, 3)),
        ((0, 0, 100), (60, 50), (60, 40, 60, 50)),
        ((0, 0, 10), (-1, 0), (0, 10, -1, 10)),
        ((0, 0, 10), (0, -1), (10, 0, 10, -1)),
        ((0, 0, 10), (5, -1), (7, 3, 5, -1)),
    ],
)
def test_plan_follows_the_table(
    sizes: tuple[int, int, int], request_: tuple[int, int], expected: tuple[int, ...]
) -> None:
    assert plan(ClassSizes(*sizes), ClassRequest("A", *request_)) == Numbers(*expected)


@pytest.mark.parametrize(
    ("fraction", "total", "expected"), [(0.5, 11, 5), (0.7, 10, 7), (0.1, 10, 1), (0.999, 10, 9), (0.01, 10, 0)]
)
def test_fraction_replaces_both_numbers_in_float32(fraction: float, total: int, expected: int) -> None:
    found = requested(ClassRequest("A", 3, 4, fraction), ClassSizes(n_undefined=total))
    assert (found.n_train, found.n_test, found.train_fraction) == (expected, 0, 0)


@pytest.mark.parametrize("fraction", [1.0, 1.5, -0.25])
def test_fraction_out_of_range_is_refused(fraction: float) -> None:
    expected = rf"Dataset\[d\] : class A: TrainTestSplit_A must lie between 0 and 1.*Got {fraction:f} instead"
    with pytest.raises(DatasetError, match=expected):
        split_one(f"TrainTestSplit_A={fraction}", ClassSizes(n_undefined=10))


def test_numbers_are_scaled_by_the_efficiency_only_if_asked() -> None:
    size = ClassSizes(n_undefined=52, n_before_cut=100, n_after_cut=52)
    request = ClassRequest("A", 30, 20)
    assert requested(request, size) == request
    assert requested(request, size, scale=True) == ClassRequest("A", 15, 10)


def test_efficiency_of_a_class_without_events_scales_nothing() -> None:
    assert requested(ClassRequest("A", 7), ClassSizes(), scale=True).n_train == 7


def test_numbers_above_2_to_24_are_rounded_to_float32() -> None:
    assert requested(ClassRequest("A", 2**24 + 1), ClassSizes()).n_train == 2**24


# ---- errors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("nTrain_A=11", r"class A: More events requested for training \(nTrain_A=11\) than available \(10\); ask"),
        ("nTest_A=12", r"class A: More events requested for testing \(nTest_A=12\) than available \(10\); ask"),
        ("nTrain_A=11:nTest_A=3", r"class A: More events requested than available: 11 for training and 3 for test"),
        ("Block:nTrain_A=11:nTest_A=3", "class A: More events requested than available"),
    ],
)
def test_asking_for_too_many_says_who_and_how_many(options: str, message: str) -> None:
    with pytest.raises(DatasetError, match=r"Dataset\[d\] : " + message):
        split_one(options, ClassSizes(n_undefined=10))


def test_training_trees_cannot_give_test_events() -> None:
    with pytest.raises(DatasetError, match="8 of training trees, 0 of test trees and 2 that may become either"):
        split_one("nTest_A=5", ClassSizes(n_train=8, n_undefined=2))


def test_too_large_a_sum_is_no_error_while_training_is_served(caplog: pytest.LogCaptureFixture) -> None:
    found = split_one("nTrain_A=60:nTest_A=50", ClassSizes(n_undefined=100))
    assert (found.train.size, found.test.size) == (60, 40)
    assert "class A: 50 test events are requested, but SplitMode=Random finds only 40" in caplog.text


def test_alternate_warns_instead(caplog: pytest.LogCaptureFixture) -> None:
    found = split_one("Alternate:nTrain_A=9:nTest_A=1", ClassSizes(n_undefined=10))
    assert (found.train.tolist(), found.test.tolist()) == ([0, 2, 4, 6, 8], [1])
    assert "class A: 9 training events are requested, but SplitMode=Alternate finds only 5" in caplog.text


def test_negative_numbers() -> None:
    none = split_one("nTrain_A=-1", ClassSizes(n_undefined=10))
    assert (none.train.size, none.test.size) == (0, 10)
    some = split_one("nTrain_A=5:nTest_A=-1", ClassSizes(n_undefined=20))
    assert (some.train.size, some.test.size) == (5, 20 - 5 - (20 - 5) // 2)


@pytest.mark.parametrize("mode", ["Alternate", "Block"])
def test_negative_numbers_do_not_trim_without_shuffling(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    found = split_one(f"{mode}:nTest_A=-1", ClassSizes(n_test=2, n_undefined=4))
    assert found.test[:2].tolist() == [0, 1]
    assert "test events" not in caplog.text


# ---- which events -------------------------------------------------------------------------------------------


def naive_alternate(r: int, number: int, undefined: list[int]) -> tuple[list[int], list[int]]:
    train, test, k, i = [], [], r, 0
    while i < len(undefined):
        k += 1
        if k <= number:
            train.append(undefined[i])
            i += 1
        if i < len(undefined):
            test.append(undefined[i])
            i += 1
    return train, test


@given(st.integers(0, 5), st.integers(-2, 15), st.integers(0, 20))
def test_alternating_equals_the_walk_of_the_specification(r: int, number: int, u: int) -> None:
    size = ClassSizes(n_train=r, n_undefined=u)
    found = deal_alternately(size, Numbers(0, 0, number, 0), np.arange(r, r + u))
    train, test = naive_alternate(r, number, list(range(r, r + u)))
    assert found.train.tolist() == [*range(r), *train]
    assert found.test.tolist() == test


def test_blocks_follow_events_of_explicit_trees() -> None:
    found = deal_in_blocks(ClassSizes(1, 2, 6), Numbers(3, 4, 3, 4), np.arange(3, 9))
    assert found.train.tolist() == [0, 3, 4]
    assert found.test.tolist() == [1, 2, 5, 6]


def test_block_cuts_off_the_end() -> None:
    found = split_one("Block:nTrain_A=2:nTest_A=3", ClassSizes(n_undefined=9))
    assert (found.train.tolist(), found.test.tolist()) == ([0, 1], [4, 5, 6])


def test_trimming_deletes_the_first_of_a_shuffled_list_and_keeps_the_order() -> None:
    events = np.arange(100, 110)
    removed = RandomGenerator(100).shuffle(10)[:4]
    expected = [100 + i for i in range(10) if i not in removed]
    assert trim_randomly(events, 6, RandomGenerator(100)).tolist() == expected


def test_trimming_nothing_uses_no_random_numbers() -> None:
    generator = RandomGenerator(100)
    assert trim_randomly(np.arange(5), 5, generator).size == 5
    assert generator() == RandomGenerator(100)()


def test_all_classes_are_shuffled_before_the_first_is_trimmed() -> None:
    generator = RandomGenerator(100)
    shuffled = [generator.shuffle(10), generator.shuffle(8)]
    expected = []
    for order, (n_train, n_test) in zip(shuffled, [(4, 3), (3, 2)], strict=True):
        half = order.size // 2
        expected.append(trim_randomly(order[:half], n_train, generator).tolist())
        expected.append(trim_randomly(order[half:], n_test, generator).tolist())
    settings = SplitSettings.of("nTrain_A=4:nTrain_B=3:nTest_A=3:nTest_B=2", ["A", "B"])
    found = split_classes([ClassSizes(n_undefined=10), ClassSizes(n_undefined=8)], settings, RandomGenerator(100))
    assert [events.tolist() for split in found for events in (split.train, split.test)] == expected


@given(
    mode=st.sampled_from(["Random", "Alternate", "Block"]),
    sizes=st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(0, 40)),
    numbers=st.tuples(st.integers(-1, 50), st.integers(-1, 50)),
)
def test_no_event_is_used_twice_and_explicit_ones_stay_where_they_belong(
    mode: str, sizes: tuple[int, int, int], numbers: tuple[int, int]
) -> None:
    size = ClassSizes(*sizes)
    try:
        found = split_one(f"{mode}:nTrain_A={numbers[0]}:nTest_A={numbers[1]}", size)
    except DatasetError:
        return
    used = [*found.train.tolist(), *found.test.tolist()]
    assert len(set(used)) == len(used)
    assert set(used) <= set(range(size.total))
    assert not set(found.train.tolist()) & set(range(sizes[0], sizes[0] + sizes[1]))
    assert not set(found.test.tolist()) & set(range(sizes[0]))
    for events, number in ((found.train, numbers[0]), (found.test, numbers[1])):
        assert number <= 0 or events.size <= number
