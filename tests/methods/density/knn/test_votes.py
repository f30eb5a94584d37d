"""What the neighbours say: kernels, weights, targets."""

import math

import numpy as np
import pytest

from pytmva_bnn.methods.density.knn.evaluation import NeighbourVotes
from pytmva_bnn.methods.density.knn.option_table import KNNSettings
from pytmva_bnn.methods.density.knn.votes import gaussian_kernel, polynomial_kernel

N = 150


def votes_of(settings, x=None, *, weights=None, n_targets=0, **more):
    random = np.random.default_rng(2)
    x = random.normal(size=(N, 2)) if x is None else x
    targets = random.normal(size=(N, n_targets)).astype(np.float32)
    weights = random.uniform(0.5, 2.0, N) if weights is None else weights
    return NeighbourVotes(settings, x.astype(np.float32), targets, random.integers(1, 3, N), weights, **more)


def test_polynomial_kernel_of_hand():
    # two neighbours at distance 0, so that the largest of the first three positive distances is the last one
    distance = np.float32([[0.0, 0.0, 1.0, 4.0, 16.0]])
    expected = [(1 - (math.sqrt(d) / 4) ** 3) ** 3 for d in (0, 0, 1)]
    np.testing.assert_allclose(polynomial_kernel(distance, 3), [expected], rtol=1e-15)
    np.testing.assert_array_equal(polynomial_kernel(np.float32([[1.0, 4.0, 9.0, 9.0]]), 3)[0, 2], 0.0)


def test_gaussian_kernel_of_hand():
    d = np.array([[[1.0, 0.5], [2.0, -1.0], [0.0, 3.0]]])
    distance = np.float32([[1.25, 5.0, 9.0]])
    sigma = [0.5 * math.sqrt((1 + 4) / 2), 0.5 * math.sqrt((0.25 + 1) / 2)]  # of the first two
    expected = [sum(v * v / (2 * s * s) for v, s in zip(row, sigma, strict=True)) for row in d[0, :2]]
    np.testing.assert_allclose(gaussian_kernel(d, distance, 2, -0.5), [np.exp(np.negative(expected))], rtol=1e-14)


def test_fraction_counts_by_weight_or_by_number(mode):
    compiled = mode == "numba"
    q = np.float32([[0.1, 0.2], [-1.0, 0.5]])
    for uses_weights in (True, False):
        settings = KNNSettings(5, 3, 0.0, kernel="Poln", uses_weights=uses_weights)
        votes = votes_of(settings)
        found = votes.responses(q, "fractions", compiled=compiled)[:, 0]
        for number, fraction in enumerate(found):
            d = ((votes.votes.x - q[number]) ** 2).sum(axis=1)
            nearest = np.argsort(d)[:5]
            v = np.ones(5)
            if uses_weights:  # without weights the kernel is ignored too
                v = votes.votes.weights[nearest] * (1 - (d[nearest] / d[nearest].max()) ** 1.5) ** 3
            expected = v[votes.votes.is_signal[nearest]].sum() / v.sum()
            assert fraction == pytest.approx(expected, rel=1e-6)


def test_means_of_targets(mode):
    q = np.float32([[0.1, 0.2], [-1.0, 0.5]])
    for uses_weights in (True, False):
        votes = votes_of(KNNSettings(6, 3, 0.0, uses_weights=uses_weights), n_targets=2)
        found = votes.responses(q, "means", compiled=mode == "numba")
        for number, means in enumerate(found):
            nearest = np.argsort(((votes.votes.x - q[number]) ** 2).sum(axis=1))[:6]
            w = votes.votes.weights[nearest] if uses_weights else np.ones(6)
            np.testing.assert_allclose(means, w @ votes.votes.targets[nearest] / w.sum(), rtol=1e-6)
            np.testing.assert_array_equal(means, means.astype(np.float32))


def test_where_tmva_stops_there_is_a_number(mode, caplog):
    compiled = mode == "numba"
    x = np.repeat(np.random.default_rng(4).normal(size=(5, 2)), 30, axis=0)
    for kernel in ("Poln", "Gaus"):  # 30 neighbours at distance 0
        votes = votes_of(KNNSettings(20, 3, 0.0, kernel=kernel), x)
        found = votes.responses(x[:1].astype(np.float32), "fractions", compiled=compiled)
        w = votes.votes.weights[:20]
        assert found[0, 0] == pytest.approx(w[votes.votes.is_signal[:20]].sum() / w.sum())
    x = np.column_stack([np.arange(150.0), np.ones(150)])
    votes = votes_of(KNNSettings(9, 3, 0.0, kernel="Gaus"), x)  # no width in the second variable
    assert 0 < votes.responses(np.float32([[70.2, 1.0]]), "fractions", compiled=compiled)[0, 0] < 1
    assert not caplog.records
    votes = votes_of(KNNSettings(1, 3, 0.0, kernel="Poln"), x)  # the only neighbour is the farthest
    assert np.isnan(votes.responses(np.float32([[70.2, 1.0]]), "fractions", compiled=compiled)[0, 0])
    assert "1 of 1 events: no neighbour has a kernel above 0" in caplog.text


def test_events_that_are_not_finite_have_no_response(mode):
    votes = votes_of(KNNSettings(5, 3, 0.0), n_targets=3)
    x = np.float32([[0.0, 1.0], [np.nan, 0.0], [0.0, -np.inf]])
    for what, n in (("fractions", 1), ("means", 3)):
        found = votes.responses(x, what, compiled=mode == "numba")
        np.testing.assert_array_equal(np.isnan(found), [[False] * n, [True] * n, [True] * n])
    assert votes.responses(x[1:2], "means", compiled=mode == "numba").shape == (1, 3)


def test_kernel_of_scaled_events_where_it_is_corrected(mode):
    x = np.random.default_rng(6).normal(size=(N, 2)) * [1.0, 50.0]
    settings = KNNSettings(8, 3, 0.8, kernel="Gaus")
    q = np.float32([[0.3, 20.0]])
    found = [
        votes_of(settings, x, scales_places=one).responses(q, "fractions", compiled=mode == "numba")[0, 0]
        for one in (False, True)
    ]
    votes = votes_of(settings, x)
    d = votes.votes.x - q / votes.widths
    nearest = np.argsort((d**2).sum(axis=1))[:8]
    sigma = np.sqrt((d[nearest] ** 2).mean(axis=0))
    v = votes.votes.weights[nearest] * np.exp(-(d[nearest] ** 2 / (2 * sigma**2)).sum(axis=1))
    assert found[1] == pytest.approx(v[votes.votes.is_signal[nearest]].sum() / v.sum(), rel=1e-5)
    assert found[0] != pytest.approx(found[1], rel=1e-2)
