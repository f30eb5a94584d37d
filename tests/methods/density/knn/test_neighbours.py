"""The nearest events, and TMVA's choice between equally near ones, against its search written out node by node."""

import numpy as np
import pytest

from pytmva_bnn.methods.density.knn.evaluation import NeighbourVotes
from pytmva_bnn.methods.density.knn.neighbours import NeighbourSearch, squared_distances
from pytmva_bnn.methods.density.knn.option_table import KNNSettings
from pytmva_bnn.methods.density.knn.visits import Visits

N = 220


def sample(kind):
    random = np.random.default_rng(8)
    x = random.normal(size=(N, 3))
    if kind == "integers":
        x = random.integers(0, 4, size=(N, 2))
    elif kind == "one integer":
        x[:, 1] = random.integers(0, 3, size=N)
    elif kind == "copies":
        x = np.repeat(x[:11], 20, axis=0)[random.permutation(N)]
    elif kind == "equal":
        x[:] = 1.5
    elif kind == "one variable":
        x = np.sort(x[:, :1], axis=0)
    return x.astype(np.float32)


def queries(x, n=25):
    random = np.random.default_rng(9)
    near = x[random.integers(0, N, n)] + np.float32(0.5) * random.integers(-2, 3, (n, x.shape[1]))
    far = np.full((1, x.shape[1]), 1e25)  # all distances are infinite in float32
    return np.concatenate([near, x[:4], far]).astype(np.float32)


@pytest.mark.parametrize("kind", ["continuous", "integers", "one integer", "copies", "equal", "one variable"])
@pytest.mark.parametrize(("k", "balance_depth"), [(7, 6), (1, 1), (40, 3)])
def test_neighbours(kind, k, balance_depth, naive_neighbours):
    x = sample(kind)
    weights = np.where(np.arange(N) % 6 == 0, -1.0, 1.0)
    q = queries(x)
    index, distance = NeighbourSearch(x, np.flatnonzero(weights > 0), balance_depth).nearest(q, k)
    for number, one in enumerate(q):
        expected = naive_neighbours(x, weights, one, k, balance_depth)
        assert (index[number].tolist(), distance[number].tolist()) == expected


@pytest.mark.parametrize("kind", ["continuous", "integers", "one integer", "copies", "equal", "one variable"])
@pytest.mark.parametrize("kernel", ["", "Poln", "Gaus"])
def test_compiled_code_and_numpy_agree_to_the_last_bit(kind, kernel, both_ways):
    x = sample(kind)
    random = np.random.default_rng(3)
    types, weights = random.integers(1, 3, N), random.normal(1.0, 0.6, N)
    votes = NeighbourVotes(
        KNNSettings(9, 4, 0.0, 0.7, kernel), x, random.normal(size=(N, 2)).astype(np.float32), types, weights
    )
    for what in ("fractions", "means"):
        found = [votes.responses(queries(x, 60), what, compiled=compiled) for compiled in (False, True)]
        np.testing.assert_array_equal(*found)


def test_many_events_of_few_values_keep_within_memory_and_time(cpu_limit, compiled):
    random = np.random.default_rng(5)
    x = random.integers(0, 5, size=(20000, 2)).astype(np.float32)
    votes = NeighbourVotes(
        KNNSettings(10, 6, 0.0), x, np.zeros((len(x), 0), np.float32), random.integers(1, 3, len(x)), np.ones(len(x))
    )
    with cpu_limit(20):
        fractions = votes.responses(x[:300], "fractions", compiled=True)
    # of 800 copies of the event those that TMVA comes to first: they were inserted first
    for query, fraction in zip(x[:10], fractions[:10, 0], strict=True):
        copies = np.flatnonzero((x == query).all(axis=1))[:10]
        assert fraction == votes.votes.is_signal[copies].mean()


def test_order_of_visits_is_total(naive_neighbours):
    x = sample("integers")
    visits = Visits.of(x, 5)
    order = visits.sorted(x[3], np.arange(N))
    place = {event: number for number, event in enumerate(order)}
    for a, b in np.random.default_rng(1).integers(0, N, (300, 2)):
        if a != b:
            assert visits.first(x[3], a, b) == (place[a] < place[b])
            assert visits.first(x[3], a, b) != visits.first(x[3], b, a)


def test_distances_are_rounded_to_float32_after_each_operation():
    x, q = np.float32([[0.1, 3e-5, 7.0]]), np.float32([1.3, 0.1, -0.2])
    total = np.float32(0)
    for a, b in zip(x[0], q, strict=True):
        total = np.float32(total + np.float32(np.float32(a - b) * np.float32(a - b)))
    assert squared_distances(x, q)[0] == total
    assert total != np.float32(((x[0].astype(float) - q) ** 2).sum())
