"""The parts of a training, one by one, against the specification's numbers and naive code."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.methods.bdt.preselection import find_cuts
from pytmva_bnn.methods.bdt.std_sort import sorted_order
from pytmva_bnn.methods.bdt.training import separation
from pytmva_bnn.methods.bdt.training.compiled_growing import growing_pays
from pytmva_bnn.methods.bdt.training.gradient import quantile
from pytmva_bnn.methods.bdt.training.monitor import is_monitored
from pytmva_bnn.methods.bdt.training.randomness import VariableSubsets, bag, poisson_counts
from pytmva_bnn.methods.bdt.training.settings import TreeSettings
from pytmva_bnn.random import TRandom3

INDEX_AND_GAIN = {
    "giniindex": (0.46875, 0.17906746031746032),
    "giniindexwithlaplace": (0.23512790005948841, 0.081087602068766487),
    "crossentropy": (0.95443400292496505, 0.29373594086576327),
    "misclassificationerror": (0.375, 0.1875),
    "sdivsqrtsplusb": (3.3541019662496843, 1.0860642882498439),
}


@pytest.mark.parametrize("kind", INDEX_AND_GAIN)
def test_indices_and_gains(kind):
    index, gain = INDEX_AND_GAIN[kind]
    assert float(separation.index_of(kind, 30.0, 50.0)) == index
    assert float(separation.gains(kind, np.array(25.0), np.array(10.0), 30.0, 50.0)) == gain


def test_regression_gain():
    sums = (np.array(value) for value in (40.0, 10.0, 30.0))
    assert float(separation.regression_gains(*sums, 100.0, 60.0, 200.0)) == 0.04979674796747962


@given(
    st.sampled_from(separation.INDICES[:-1]),
    st.lists(st.floats(-5.0, 50.0), min_size=4, max_size=4),
)
def test_compiled_gains_are_numpys(kind, numbers):
    pytest.importorskip("numba")
    from pytmva_bnn.methods.bdt.training.kernels.separation_kernels import gain_of, index_of

    s, b, total_s, total_b = numbers
    number = separation.INDICES.index(kind)
    with np.errstate(all="ignore"):
        before = index_of(number, total_s, total_b)
        np.testing.assert_array_equal(before, separation.index_of(kind, total_s, total_b))
        found = gain_of(number, s, b, total_s, total_b, before)
    np.testing.assert_array_equal(found, separation.gains(kind, np.array(s), np.array(b), total_s, total_b))


@pytest.mark.parametrize(
    ("tree", "fraction", "counts"),
    [
        (0, 0.5, "001011100031000011000000001101"),
        (0, 0.6, "001012000031000012010000110111"),
        (1, 0.5, "112101000110001100000000200101"),
    ],
)
def test_bags(tree, fraction, counts):
    np.testing.assert_array_equal(np.bincount(bag(30, fraction, tree), minlength=30), list(map(int, counts)))


def test_poisson_numbers_have_their_mean_also_if_it_is_large():
    for mean in (0.7, 40.0):
        counts = poisson_counts(TRandom3(1), mean, 4000)
        assert counts.mean() == pytest.approx(mean, rel=0.05)
        assert counts.var() == pytest.approx(mean, rel=0.1)


@pytest.mark.parametrize(("size", "poisson", "is_compiled"), [(24, True, True), (25, True, False), (25, False, True)])
def test_compiled_code_leaves_poisson_numbers_of_a_large_mean_to_numpy(size, poisson, is_compiled):
    pytest.importorskip("numba")
    tree = TreeSettings("giniindex", 20, 3, 5.0, 0.5, False, 0.8, False, True, size, poisson)
    assert growing_pays(SimpleNamespace(inputs=np.empty((1000, 40))), tree, 10**9) == is_compiled


@pytest.mark.parametrize(
    ("tree", "subsets"),
    [
        (1, [{0, 1, 2, 3}, {0, 1, 2, 3}, {2}, {0, 1, 2}, {1, 2, 3}]),
        (2, [{0}, {0, 1, 2, 3}, {1, 2}, {2}, {0, 1, 3}]),
        (3, [{2}, {2, 3}, {0, 1}, {0}, {0, 1}]),
    ],
)
def test_random_subsets_of_variables(tree, subsets):
    drawn = VariableSubsets(tree, 4, 2, poisson=True)
    assert [{v for v, chosen in enumerate(drawn.draw(full_scan=False)) if chosen} for _ in subsets] == subsets
    assert sum(drawn.draw(full_scan=True)) == 2


@given(st.lists(st.integers(0, 6), max_size=200))
def test_std_sort_sorts(keys):
    keys = np.array(keys, dtype=np.float32)
    order = sorted_order(keys)
    assert sorted(order.tolist()) == list(range(len(keys)))
    np.testing.assert_array_equal(keys[order], np.sort(keys))


@given(st.integers(0, 2**31), st.integers(1, 3000), st.integers(1, 400))
@settings(max_examples=30)
def test_compiled_std_sort_is_pythons(seed, n, n_values):
    pytest.importorskip("numba")
    from pytmva_bnn.methods.bdt.std_sort import _introsort
    from pytmva_bnn.methods.bdt.std_sort_kernels import introsort

    keys = np.random.default_rng(seed).integers(0, n_values, n).astype(np.float32)
    assert introsort(keys).tolist() == _introsort(keys.tolist())


def test_std_sort_of_an_evil_list_ends():
    """Medians of three at their worst use up the depth of the recursion."""
    from pytmva_bnn.methods.bdt.std_sort import _introsort

    keys = list(range(0, 4000, 2)) + list(range(3999, 0, -2))
    assert [keys[i] for i in _introsort(keys)] == sorted(keys)


def test_std_sort_leaves_equal_keys_as_the_library_does():
    """By libstdc++: 40 elements with key i*7 % 5, sorted by the key alone."""
    keys = np.array([i * 7 % 5 for i in range(40)], dtype=np.float32)
    assert sorted_order(keys).tolist() == STD_SORTED


STD_SORTED = [
    10, 20, 25, 15, 30, 35, 5, 0, 33, 8, 28, 13, 3, 38, 23, 18, 31, 1, 36, 26,
    21, 6, 16, 11, 39, 19, 4, 34, 9, 29, 14, 24, 12, 27, 32, 7, 17, 37, 2, 22,
]  # fmt: skip


@pytest.mark.parametrize(
    ("q", "to_end", "expected"),
    [
        (0.0, False, 1.0),
        (0.3, False, 3.0),
        (0.4, False, 4.0),
        (0.5, False, 4.0),
        (1.0, False, 5.0),
        (1.0, True, 0.0),
        (0.9, True, 0.0),
    ],
)
def test_quantiles_are_one_value_too_far(q, to_end, expected):
    values = np.array([5.0, 3.0, 1.0, 4.0, 2.0])
    # sums of weights in ascending order of the values: 1, 2, 3, 4, 5
    assert quantile(values, np.ones(5), q, 5.0, to_end=to_end) == expected


def test_which_trees_are_monitored():
    assert [k for k in range(60) if is_monitored(k, 60)] == [0, 5, 10, 15, 20, 30, 40, 50, 59]
    assert [k for k in range(900, 2600) if is_monitored(k, 5000)] == [1000, 1500, 2000, 2500]


def test_preselection_finds_pure_regions():
    x = np.float32(np.linspace(0.0, 1.0, 101))[:, np.newaxis]
    is_signal = (x[:, 0] > 0.205) & ~(x[:, 0] > 0.905)  # background at both ends
    found = find_cuts(x, np.ones(101), is_signal, np.array([1.0]))
    assert found.is_on[:, 0].tolist() == [True, False, True, False]
    # the last background event before the signal, and the first one after which there is no signal, with a margin
    np.testing.assert_allclose(found.cuts[:, 0], [0.20 - 0.01, 0.0, 0.90 + 0.01, 0.0], atol=1e-6)
    answers = found.answers(np.float32([[0.1], [0.5], [0.95]]))
    assert answers.tolist() == [-1.0, 0.0, -1.0]


def test_rms_of_equal_targets_is_nothing():
    from pytmva_bnn.methods.bdt.training.grow import mean_and_rms

    assert mean_and_rms(3.0, 0.3, 0.03) == (0.3 / 3.0, 0.0)
    mean, rms = mean_and_rms(2.0, 4.0, 10.0)
    assert (mean, rms) == (2.0, 1.0)
    assert math.isnan(mean_and_rms(2.0, 4.0, 7.0)[1])
