"""Where cuts are searched, and the searches among events."""

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods import MethodEvents
from pytmva_bnn.methods.cuts.event_search import EventSampling, EventScan
from pytmva_bnn.methods.cuts.option_table import FitMethod
from pytmva_bnn.methods.cuts.search_space import SearchSpace
from pytmva_bnn.methods.cuts.settings import CutsSettings
from pytmva_bnn.random import TRandom3


def settings(low, high, *properties):
    return CutsSettings(FitMethod.EventScan, EventScan(), np.array(low, float), np.array(high, float), properties)


def sample(x, classes=None, weights=None):
    x = np.asarray(x, np.float32)
    classes = np.arange(len(x)) % 2 if classes is None else classes
    w = np.ones(len(x)) if weights is None else np.asarray(weights, float)
    return MethodEvents(x, np.empty((len(x), 0), np.float32), np.asarray(classes, np.int32), w)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((-1.0, -1.0), (-0.1, 10.1)),  # not given
        ((2.0, 3.0), (2.0, 3.0)),
        ((-5.0, 3.0), (-0.1, 3.0)),
        ((2.0, 30.0), (2.0, 10.1)),
        ((-5.0, 30.0), (-0.1, 30.0)),  # TMVA: too wide on both sides
    ],
)
def test_ranges_end_where_the_events_do(given, expected):
    events = sample([[0.0], [10.0], [4.0], [3.0]])
    space = SearchSpace.of(events, settings([given[0]], [given[1]], "NotEnforced"))
    assert (space.low[0], space.high[0]) == pytest.approx(expected, rel=1e-15)


def test_sides_of_fsmart_are_those_of_the_weighted_means():
    x = [[0.0, 5.0], [1.0, 1.0], [9.0, 6.0], [2.0, 2.0]]  # signal, background, signal, background
    how = settings([-1, -1], [-1, -1], "FSmart", "FSmart")
    assert SearchSpace.of(sample(x), how).properties == ("FMax", "FMax")
    assert SearchSpace.of(sample(x, weights=[9.0, 1.0, 1.0, 1.0]), how).properties == ("FMin", "FMax")
    how = settings([-1, -1], [-1, -1], "FMin", "FSmart")
    assert SearchSpace.of(sample(x), how).properties == ("FMin", "FMax")


def test_parameters_are_lower_cut_and_width():
    space = SearchSpace(np.array([1.0, 2.0, 3.0]), np.array([5.0, 9.0, 7.5]), ("NotEnforced", "FMax", "FMin"))
    found = space.intervals([False, True, False], ["a", "b", "c"])
    assert [(one.low, one.high, one.n_bins) for one in found] == [
        (1.0, 5.0, 0), (0.0, 4.0, 0), (2.0, 9.0, 8), (7.0, 7.0, 8), (3.0, 3.0, 0), (0.0, 4.5, 0),
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"c is an integer variable.*at least 2 bins"):
        SearchSpace(np.array([3.0]), np.array([3.5]), ("FMax",)).intervals([True], ["c"])
    with pytest.raises(InputError, match="no cut on flat can be searched between 4 and 4"):
        SearchSpace(np.array([4.0]), np.array([4.0]), ("FMax",)).check(["flat"])


def collected(way, events):
    points, done = [], []
    way.run(lambda block: points.append(block) or np.zeros(len(block)), events, done.append)
    return np.concatenate(points), done


def test_event_scan_spans_boxes_between_all_pairs_of_signal():
    events = sample([[0.0, 3.0], [50.0, 50.0], [2.0, 1.0], [60.0, 60.0], [1.0, 5.0]])
    points, done = collected(EventScan(), events)
    assert points.tolist() == [[0, 2, 1, 2], [0, 1, 3, 2], [1, 1, 1, 4]]
    assert done[-1] == EventScan().n_boxes(3) == 3


def test_event_sampling_draws_each_side_from_a_pair_of_its_own():
    random = np.random.default_rng(1)
    events = sample(random.normal(size=(40, 2)), classes=(np.arange(40) % 4 > 0))  # a quarter is signal
    points, done = collected(EventSampling(5000, 7), events)
    generator = TRandom3(7)
    x, is_signal = events.inputs.astype(float), events.is_signal
    for point in points:
        for i in range(2):
            while True:
                a, b = int(generator.rndm() * 40), int(generator.rndm() * 40)
                if is_signal[a] and is_signal[b]:
                    break
            low, high = sorted((x[a, i], x[b, i]))
            assert (point[2 * i], point[2 * i + 1]) == (low, high - low)
    assert (len(points), done[-1]) == (5000, 5000)


def test_event_sampling_gives_up_without_signal():
    with pytest.raises(InputError, match="among 10000 random pairs"):
        collected(EventSampling(5, 1), sample(np.zeros((30, 1)), classes=np.ones(30)))
    rare = sample(np.arange(2000.0)[:, np.newaxis], classes=np.arange(2000) != 5)
    with pytest.raises(InputError, match="larger share of signal"):
        collected(EventSampling(50, 1), rare)
