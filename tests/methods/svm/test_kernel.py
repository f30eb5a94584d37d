"""Kernels by numpy and by compiled code against the same written out for single numbers."""

import math

import numpy as np
import pytest

from pytmva_bnn.methods.svm.kernel import Kernel, rounded
from pytmva_bnn.methods.svm.kernels.constants import UNCERTAINTY

KERNELS = [
    Kernel(gamma=0.25),
    Kernel(gamma=37.0),
    Kernel(gamma=-20.0),
    Kernel(("MultiGauss",), gammas=(0.25, 0.5, 40.0, 0.3, 1.0)),
    Kernel(("Polynomial",), order=2),
    Kernel(("Polynomial",), order=3, theta=-0.5),
    Kernel(("Polynomial",), order=0),
    Kernel(("Polynomial",), order=-2, theta=0.3),
    Kernel(("Polynomial",), order=20, theta=1.5),
    Kernel(("RBF", "Polynomial"), is_product=True, gamma=0.7, order=2),
    Kernel(("Polynomial", "MultiGauss", "RBF"), gamma=0.7, gammas=(1.0, 2.0, 3.0, 4.0, 5.0)),
]


def events(n, seed, n_variables=5):
    return np.random.default_rng(seed).uniform(-1.5, 1.5, (n, n_variables)).astype(np.float32)


def compiled_values(kernel, u, v):
    pytest.importorskip("numba")
    from pytmva_bnn.methods.svm.kernels import rows

    work, columns = rows.new_work(len(v)), np.ascontiguousarray(v.T)
    result = np.empty((len(u), len(v)), np.float32)
    for one, row in zip(u, result, strict=True):
        rows.fill_row(one, columns, 0, len(v), rows.compiled_kernel(kernel), row, work)
    return result


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda one: f"{one.formula} {one.gamma} {one.order}")
def test_both_ways_give_the_bits_of_the_definition(kernel, naive_kernel):
    u, v = events(12, 1), events(15, 2)
    v[0] = u[0]
    with np.errstate(over="ignore"):
        expected = np.array([[naive_kernel(kernel, a, b) for b in v] for a in u])
    np.testing.assert_array_equal(kernel.values(u, v), expected)
    np.testing.assert_array_equal(compiled_values(kernel, u, v), expected)


@pytest.mark.parametrize("kernel", KERNELS[:7])
def test_both_ways_agree_for_many_pairs(kernel):
    u, v = events(250, 3), events(1000, 4)
    values = kernel.values(u, v)
    np.testing.assert_array_equal(compiled_values(kernel, u, v), values)
    if np.isfinite(values).all():
        np.testing.assert_array_equal(kernel.values(v, u).T, values)


def test_far_events_have_a_kernel_of_zero_or_one_that_loses_digits(naive_kernel):
    kernel = Kernel(gamma=1.0)
    u = np.zeros((1, 1), np.float32)
    v = np.sqrt(np.float32([80, 87, 88, 95, 103, 103.9, 104, 120, 1e6, 1e30]))[:, np.newaxis]
    expected = np.array([[naive_kernel(kernel, u[0], one) for one in v]])
    assert 0 < expected[0, 4] < 1e-44
    assert expected[0, 6] == 0
    np.testing.assert_array_equal(kernel.values(u, v), expected)
    np.testing.assert_array_equal(compiled_values(kernel, u, v), expected)


def test_infinite_and_undefined_kernels():
    big = np.float32([[3e38, 3e38]])
    kernel = Kernel(("Polynomial",), order=3)
    for values in (kernel.values(big, big), compiled_values(kernel, big, big)):
        assert np.isinf(values).all()
    nothing = np.float32([[np.nan, 1.0]])
    for kernel in (Kernel(), Kernel(("MultiGauss",), gammas=(1.0, 1.0)), Kernel(("Polynomial",))):
        for values in (kernel.values(nothing, big), compiled_values(kernel, nothing, big)):
            assert np.isnan(values).all()


def test_compiled_exponentials_are_those_of_the_c_library():
    pytest.importorskip("numba")
    from pytmva_bnn.methods.svm.kernels import rows

    exponents = np.linspace(-103, 88, 20_001).astype(np.float32)
    values = np.empty(len(exponents), np.float32)
    rows.exponentiate(exponents, len(exponents), values)
    expected = np.array([math.exp(one) for one in exponents.tolist()]).astype(np.float32)
    np.testing.assert_array_equal(values, expected)


def test_quick_exponentials_are_within_their_uncertainty():
    pytest.importorskip("numba")
    from pytmva_bnn.methods.svm.kernels.rows import quick_exp

    exponents = np.linspace(-104, 88.7, 3001).astype(np.float32).tolist()
    assert max(abs(quick_exp(one) / math.exp(one) - 1) for one in exponents) < 0.7 * UNCERTAINTY


def test_the_exact_function_decides_where_rounding_is_in_doubt():
    tie = 1.0 + 2.0**-24  # half way between two numbers of float32
    asked = []

    def exact(x):
        asked.append(x)
        return x + 1e-13

    found = rounded(lambda x: x.copy(), exact, np.array([1.0, tie, 1.5]))
    assert asked == [tie]
    assert found.tolist() == [1.0, 1.0 + 2.0**-23, 1.5]


def test_parameters_that_count():
    assert dict(Kernel(gamma=0.5).parameters) == {"Gamma": "0.5"}
    both = Kernel(("MultiGauss", "Polynomial"), gammas=(1.0, 0.25), order=4, theta=2.0)
    assert dict(both.parameters) == {"GammaList": "1,0.25", "Order": "4", "Theta": "2"}
    assert both.formula == "MultiGauss+Polynomial"
