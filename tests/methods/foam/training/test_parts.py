"""The parts of a training, each against the same written out."""

import dataclasses
import math

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.foam.evaluation import FoamEvaluation
from pytmva_bnn.methods.foam.training.box_sums import BoxSearch, BoxSums
from pytmva_bnn.methods.foam.training.filling import filled
from pytmva_bnn.methods.foam.training.growing import Exploration, Growth
from pytmva_bnn.methods.foam.training.ranges import foam_range
from pytmva_bnn.methods.foam.training.sampling import Sampler, best_division, event_density, marked_density
from pytmva_bnn.methods.foam.training.separation import SeparationExplorer, separation_gain
from pytmva_bnn.methods.foam.tree import Foam, FoamKind
from pytmva_bnn.random import TRandom3

F = np.float32


# ---- range ---------------------------------------------------------------------------------------------------


def test_range_leaves_out_the_tails():
    x = np.arange(1000, dtype=F)[:, np.newaxis] / 10  # 0 .. 99.9
    low, high = foam_range(x, 0.01, ["x"])
    assert (low[0], high[0]) == pytest.approx((1.0, 98.91), abs=0.02)  # ten events on each side
    low, high = foam_range(x, 0.0, ["x"])
    assert (low[0], high[0]) == (0.0, float(F(99.9)))


def test_range_of_negative_variables_ends_at_zero():
    """TMVA: the histogram that the range is found with spans [min, 0]: it is found to a 10000th of that."""
    x = np.linspace(-1000.05, -1000, 500, dtype=F)[:, np.newaxis]
    low, high = foam_range(x, 0.0, ["x"])
    assert low[0] == float(x.min())
    assert high[0] == pytest.approx(-999.95, abs=0.2)
    assert high[0] > x.max()


@pytest.mark.parametrize(("values", "tail_cut"), [([5.0] * 9, 0.001), ([0.0] * 9, 0.001), ([1, 2, 3, 4], 1.0)])
def test_empty_range(values, tail_cut):
    with pytest.raises(InputError, match="the range of mass is empty"):
        foam_range(np.array(values, dtype=F)[:, np.newaxis], tail_cut, ["mass"])


# ---- events in boxes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_events", "n_dimensions", "edge"), [(1, 1, 0.1), (300, 1, 0.05), (500, 2, 0.3), (2000, 4, 0.2), (200, 8, 0.7)]
)
def test_sums_in_boxes(mode, n_events, n_dimensions, edge):
    random = np.random.default_rng(n_events)
    x = random.normal(size=(n_events, n_dimensions)).astype(F)
    if n_dimensions > 1:
        x[:, -1] = 1.0  # no range at all
    weights = random.uniform(-0.2, 1.0, n_events).astype(F)
    marks = random.uniform(size=n_events)
    edges = np.full(n_dimensions, edge)
    centres = np.concatenate([random.normal(size=(200, n_dimensions)), x[:50], x[:50] + edge / 2]).astype(F)
    found = BoxSearch.of(x, weights, weights * marks, edges, n_boxes=1e9).sums(centres)
    for number, centre in enumerate(centres.astype(float)):
        inside = ((x > centre - edges / 2) & (x <= centre + edges / 2)).all(axis=1)
        assert found.counts[number] == inside.sum()
        assert found.weights[number] == pytest.approx(weights[inside].sum(dtype=float), abs=1e-12)
        assert found.marked[number] == pytest.approx((weights * marks)[inside].sum(), abs=1e-12)


def test_sums_are_the_same_by_numpy_and_compiled(both_ways, monkeypatch):
    monkeypatch.setattr("pytmva_bnn.methods.foam.training.box_sums._PAIRS", 1000)  # in many pieces
    random = np.random.default_rng(5)
    x = random.normal(size=(1500, 3)).astype(F)
    weights = random.uniform(-1.0, 1.0, 1500).astype(F)
    centres = random.normal(size=(700, 3)).astype(F)

    def sums():
        return BoxSearch.of(x, weights, weights * 0.3, np.full(3, 0.4), n_boxes=0).sums(centres)

    for a, b in zip(*both_ways(sums), strict=True):
        np.testing.assert_array_equal(a, b)


# ---- sampling ------------------------------------------------------------------------------------------------


def test_densities():
    sums = BoxSums(np.array([2.0, 0.0]), np.array([3.0, 0.0]), np.array([1.5, 0.0]))
    np.testing.assert_allclose(event_density(sums), [3.1, 0.1])
    np.testing.assert_allclose(marked_density(sums), [1.5 / 3.1, 0.0])


@pytest.fixture
def sampler():
    """Return a sampler of events that are denser in the lower half of the first dimension of [0, 2] x [0, 1]."""

    def make(density=event_density, n_samples=400, n_bins=4, weights=1.0):
        random = np.random.default_rng(0)
        x = random.uniform(size=(2000, 2)) * [2, 1]
        x[:1500, 0] *= 0.5
        events = np.full(2000, weights, dtype=F)
        search = BoxSearch.of(x.astype(F), events, events.astype(float), np.array([0.2, 0.1]))
        return Sampler(search, density, np.array([0.0, 0.0]), np.array([2.0, 1.0]), n_samples, n_bins)

    return make


def test_exploration_of_a_cell(sampler):
    """Integral, driver and number of events from the points that the random numbers of TMVA give."""
    explore = sampler()
    found = explore(np.zeros(2), np.ones(2))
    alpha = TRandom3(4356).rndm(800).reshape(400, 2)
    points = (alpha.astype(F) * [2, 1]).astype(F)
    sums = explore.search.sums(points)
    weight = 2.0 * ((sums.weights + 0.1) / 0.02)
    assert found.integral == pytest.approx(weight.sum() / (400 + 1e-6))
    assert found.drive == pytest.approx(math.sqrt((weight**2).mean()) - found.integral)
    assert found.n_events == pytest.approx((sums.counts / 0.02).sum() * 2.0 / 400)
    assert (found.dimension, found.fraction) == (0, 0.5)
    assert found.integral == pytest.approx(2000, rel=0.1)
    # the next cell goes on with the random numbers
    again = explore(np.array([0.5, 0.0]), np.array([0.5, 1.0]))
    assert again.integral == pytest.approx(250, rel=0.15)
    assert explore._random.rndm() == TRandom3(4356).rndm(1601)[-1]


def test_sampling_ends_early(sampler):
    """As soon as the points are worth 10000 events for each bin, and the numbers drawn so far are all that is used."""
    explore = sampler(n_samples=30000, n_bins=1)
    found = explore(np.zeros(2), np.ones(2))
    alpha = TRandom3(4356).rndm(60000).reshape(30000, 2)
    weight = explore.density(explore.search.sums((alpha.astype(F) * [2, 1]).astype(F)))
    effective = np.cumsum(weight) ** 2 / np.cumsum(weight**2)
    n = int(np.flatnonzero(effective >= 10000)[0]) + 1
    assert 10000 < n < 30000
    assert explore._random.rndm() == TRandom3(4356).rndm(2 * n + 1)[-1]
    assert found.integral == pytest.approx(2.0 / 0.02 * weight[:n].sum() / n, rel=1e-6)


def test_root_without_events(sampler):
    with pytest.raises(InputError, match=r"No events were found during exploration of root cell\.  Please check"):
        sampler(marked_density, weights=0.0)(np.zeros(2), np.ones(2))


def test_negative_weights_in_the_root(sampler, caplog):
    sampler(weights=-1.0)(np.zeros(2), np.ones(2))
    assert "Negative number of events" in caplog.text


def naive_division(alpha, weight, n_bins):
    """Return the best division, as a loop over the intervals."""
    n, squares = len(alpha), float((weight**2).sum())
    largest, best, fraction = 0.0, 0, 0.0
    for k in range(alpha.shape[1]):
        q = [(weight[(alpha[:, k] * n_bins).astype(int) == b] ** 2).sum() for b in range(n_bins)]
        smallest, chosen = math.inf, (0.0, 1.0)
        for lower in range(n_bins):
            for upper in range(lower + 1, n_bins + 1):
                inner, low, high = sum(q[lower:upper]), lower / n_bins, upper / n_bins
                rest = 1 - high + low
                outside = math.sqrt(squares - inner) * math.sqrt(rest / n) if squares - inner > 1e-12 else 0.0
                both = math.sqrt(inner * (high - low) / n) + outside
                if both < smallest - 1e-12:
                    smallest, chosen = both, (low, high)
        gain = math.sqrt(squares / n) - smallest
        if gain >= largest:
            largest, best, fraction = gain, k, chosen[1] if chosen[0] == 0 else chosen[0]
    return best, fraction


@pytest.mark.parametrize("seed", range(6))
def test_best_division(seed):
    random = np.random.default_rng(seed)
    alpha, n_bins = random.uniform(size=(500, 3)), int(random.integers(2, 9))
    weight = 1.0 + 5.0 * (alpha[:, seed % 3] > random.uniform()) + random.uniform(size=500)
    found = best_division(alpha, weight, float(np.cumsum(weight * weight)[-1]), n_bins)
    assert found == naive_division(alpha, weight, n_bins)


def test_last_of_equally_good_dimensions_wins():
    alpha = np.array([[0.1, 0.1], [0.9, 0.9]])
    assert best_division(alpha, np.array([1.0, 0.0]), 1.0, 2) == (1, 0.5)


# ---- growing -------------------------------------------------------------------------------------------------


def grown(explore, n_cells=7, **limits):
    growth = Growth(1, n_cells, explore, **limits)
    growth.grow()
    return growth


def test_the_cell_with_the_largest_driver_is_divided():
    """A driver that falls with the distance to 0: the cell at 0 is divided again and again."""
    growth = grown(lambda position, _: Exploration(0, 0.5, 1.0, 1.0 - position[0], 10.0))
    assert [cell.parent for cell in growth.cells] == [-1, 0, 0, 1, 1, 3, 3]
    position, size = growth.box(6)
    assert (position[0], size[0]) == (0.125, 0.125)
    # ancestors change with their daughters
    assert [cell.integral for cell in growth.cells] == [4.0, 3.0, 1.0, 2.0, 1.0, 1.0, 1.0]
    assert [cell.integral for cell in grown(growth.explore, update_ancestors=False).cells] == [1.0] * 7


def test_first_of_equally_varied_cells_is_divided():
    growth = grown(lambda *_: Exploration(0, 0.5, 1.0, 1.0, 10.0))
    assert [cell.parent for cell in growth.cells] == [-1, 0, 0, 1, 1, 2, 2]


def test_growing_stops(caplog):
    def explore(position, size):
        return Exploration(0, 0.5, 0.0, float(size[0]), 100 * float(size[0]))

    assert len(grown(explore, 99, n_min=50).cells) == 3  # 50 is not more than 50
    assert len(grown(explore, 99, n_min=49).cells) == 7
    assert len(grown(explore, 99, max_depth=3).cells) == 7
    assert not caplog.records
    assert len(grown(explore, 8).cells) == 7  # there is no place for one more
    assert len(grown(lambda *_: Exploration(0, 1.0, 0.0, 1.0, 9.0), 99).cells) == 1  # a division at the edge is none
    assert "no more candidate cells" in caplog.text


# ---- decision trees ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "gain"),
    [
        ("GiniIndex", 0.17906746031746032),
        ("GiniIndexWithLaplace", 0.081087602068766487),
        ("CrossEntropy", 0.29373594086576327),
        ("MisClassificationError", 0.1875),
        ("SdivSqrtSplusB", 1.0860642882498439),
    ],
)
def test_separation_gain(name, gain):
    """Numbers of TMVA."""
    assert separation_gain(name, 25.0, 10.0, 30.0, 50.0) == pytest.approx(gain, rel=1e-14)
    assert separation_gain(name, 15.0, 25.0, 30.0, 50.0) == 0.0  # halves of the same kind


def test_empty_parts_gain_nothing():
    for name in ("GiniIndex", "MisClassificationError", "CrossEntropy", "GiniIndexWithLaplace"):
        assert separation_gain(name, 0.0, 0.0, 30.0, 50.0) == 0.0
    assert separation_gain("GiniIndex", 3.0, 0.0, 3.0, 0.0) == 0.0


def test_exploration_by_separation():
    x = np.array([[0.0, 0.3], [0.1, 0.9], [0.9, 0.2], [1.0, 0.8]], dtype=F)
    is_marked = np.array([True, True, False, False])
    weights = np.array([1.0, 2.0, 1.0, 1.0], dtype=F)
    ends = np.zeros(2), np.ones(2)
    explore = SeparationExplorer(x, weights, is_marked, *ends, separation="GiniIndex", n_bins=4, n_min=1)
    found = explore(np.zeros(2), np.ones(2))
    assert (found.dimension, found.fraction) == (0, 0.75)  # the last of equally good ones
    assert found.integral == 3 / 5
    assert found.n_events == 5.0
    assert found.drive == separation_gain("GiniIndex", 3.0, 0.0, 3.0, 2.0)
    # TMVA: 2/4 of the way between the events at 0.9 and 1.0 becomes 2/4 of the cell
    upper = explore(np.array([0.5, 0.0]), np.array([0.5, 1.0]))
    assert (upper.dimension, upper.drive, upper.integral) == (1, 0.0, 0.0)
    none = dataclasses.replace(explore, n_min=3)(np.zeros(2), np.ones(2))
    assert (none.dimension, none.fraction, none.drive) == (-1, 0.5, -1.0)
    empty = explore(np.array([0.4, 0.0]), np.array([0.1, 1.0]))
    assert (empty.drive, empty.integral, empty.n_events) == (-1.0, 0.0, 0.0)


# ---- filling -------------------------------------------------------------------------------------------------


def values(small_foam, kind, weights, marks, x=((1, 0), (1, 0), (9, -0.5), (99, 0.9))):
    foam = filled(small_foam(kind=kind), F(x), F(weights), np.asarray(marks))
    return foam.elements[[1, 3, 4]], FoamEvaluation(foam)


def test_fractions(small_foam):
    found, evaluate = values(small_foam, FoamKind.DISCRIMINANT, [3, 1, 2, 0], [True, False, True, True])
    s, b = 3.0, 1.0
    # TMVA: s and b are interchanged, compared with the propagation of errors
    error = math.sqrt((s / 16) ** 2 * s + (b / 16) ** 2 * b)
    np.testing.assert_allclose(found, [[0.75, error], [1.0, math.sqrt((2 / 4) ** 2 * 2)], [0.5, 1.0]])
    assert evaluate(F([[1, 0]])) == 0.75


def test_negative_sums_count_as_nothing(small_foam, caplog):
    found, _ = values(small_foam, FoamKind.DISCRIMINANT, [3, -1, -2, 1], [True, False, True, True])
    np.testing.assert_allclose(found[:, 0], [1.0, 0.5, 1.0])
    assert caplog.messages == [
        "Negative number of background events in cell 1: -1. Set to 0.",
        "Negative number of signal events in cell 3: -2. Set to 0.",
    ]


def test_means_of_targets(small_foam):
    found, evaluate = values(small_foam, FoamKind.TARGET, [3, 1, 2, 0], F([10, 20, 7, 5]))
    np.testing.assert_allclose(found, [[12.5, 50 / 2], [7.0, 14 / math.sqrt(2)], [0.0, -1.0]])
    assert evaluate(F([[9, 0.9]])) == pytest.approx((12.5 + 7.0) / 2)  # from its neighbours


def test_sums_of_weights(small_foam):
    found, _ = values(small_foam, FoamKind.EVENT, [0.1, 0.2, 2, 3], [True] * 4)
    w = F([0.1, 0.2])
    squares = (w * w).astype(float)
    np.testing.assert_array_equal(found, [[w.astype(float).sum(), squares.sum()], [2, 4], [3, 9]])


def test_a_grown_foam_is_a_foam():
    growth = grown(lambda _, size: Exploration(0, 0.3, 1.0, float(size[0]), 10.0), 19)
    foam = growth.foam(
        lambda **arrays: Foam("DiscrFoam", FoamKind.DISCRIMINANT, np.array([0.0]), np.array([1.0]), **arrays)
    )
    assert foam.problem() == ""
    np.testing.assert_array_equal(foam.positions, [growth.box(n)[0] for n in range(19)])
    np.testing.assert_array_equal(foam.sizes, [growth.box(n)[1] for n in range(19)])
    assert foam.depths.tolist() == [cell.depth for cell in growth.cells]
    assert foam.volumes[foam.active].sum() == pytest.approx(1.0)
