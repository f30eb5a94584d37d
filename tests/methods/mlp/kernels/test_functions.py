import numpy as np
import pytest

from pytmva_bnn.fast.compiler import numba
from pytmva_bnn.methods.mlp.kernels import functions
from pytmva_bnn.methods.mlp.kernels.block_kernels import FAST_TANH, RADIAL, RELU, SIGMOID, TANH, activate, fast_tanh
from pytmva_bnn.methods.mlp.network import activation

EXTENDED = np.finfo(np.longdouble).eps < np.finfo(np.float64).eps
SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e-320, -1e-320, 1e308, -1e308, 709.0, -709.0, 745.0, -750.0, 20.0]


def exact_sigmoid(x):
    return 1 / (1 + np.exp(-x))


def values_of(kind, x, number=np.float64):
    result = np.array(x, dtype=number)
    activate(kind, result)
    return result


@pytest.mark.skipif(not EXTENDED, reason="no extended precision to compare with")
@pytest.mark.skipif(numba is None, reason="the rounding is that of machine code")
@pytest.mark.parametrize(
    ("kind", "exact", "largest"),
    [(TANH, np.tanh, 20.0), (TANH, np.tanh, 0.5), (SIGMOID, exact_sigmoid, 40.0), (SIGMOID, exact_sigmoid, 700.0)],
)
def test_values_are_right_to_three_units_in_the_last_place(kind, exact, largest):
    x = np.random.default_rng(1).uniform(-largest, largest, 200_000)
    expected = exact(x.astype(np.longdouble))
    ulp = np.spacing(np.abs(expected.astype(np.float64)))
    assert np.max(np.abs(values_of(kind, x) - expected) / ulp) < 3.0
    assert np.max(np.abs(values_of(kind, x) / expected - 1)) < 5e-16


@pytest.mark.skipif(numba is None, reason="the rounding is that of machine code")
@pytest.mark.parametrize(
    ("kind", "exact", "largest"),
    [
        *((TANH, np.tanh, largest) for largest in (12.0, 0.4, 1e-3)),
        *((SIGMOID, exact_sigmoid, largest) for largest in (87.0, 5.0)),
        (RADIAL, lambda x: np.exp(-x * x / 2), 13.0),
    ],
)
def test_values_in_float32_are_right_to_three_units_in_the_last_place(kind, exact, largest):
    x = np.random.default_rng(1).uniform(-largest, largest, 100_000).astype(np.float32)
    found, expected = values_of(kind, x, np.float32), exact(x.astype(np.float64))
    assert found.dtype == np.float32
    # of the radial function the square is rounded, which the exponential magnifies
    magnified = 1 + x * x / 2 if kind == RADIAL else 1.0
    assert np.max(np.abs(found - expected) / (np.abs(expected) * magnified)) < 2.4e-7


@pytest.mark.parametrize(
    ("kind", "name"),
    [(TANH, "tanh"), (SIGMOID, "sigmoid"), (RELU, "ReLU"), (RADIAL, "radial"), (FAST_TANH, "fast tanh")],
)
def test_special_values_are_those_of_numpy(kind, name):
    with np.errstate(all="ignore"):
        expected = activation(name).value(np.array(SPECIAL))
    # numbers so small that they have lost digits may be 0
    np.testing.assert_allclose(values_of(kind, SPECIAL), expected, rtol=1e-15, atol=1e-307)


@pytest.mark.parametrize(
    ("kind", "name"),
    [(TANH, "tanh"), (SIGMOID, "sigmoid"), (RELU, "ReLU"), (RADIAL, "radial"), (FAST_TANH, "fast tanh")],
)
def test_special_values_in_float32_are_those_of_numpy(kind, name):
    special = np.float32([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-30, -1e-30, 3e38, -3e38, 88.5, -90.0, 9.0, -9.5])
    with np.errstate(all="ignore"):
        expected = activation(name).value(special.astype(np.float64))
    np.testing.assert_allclose(values_of(kind, special, np.float32), expected, rtol=1.2e-7, atol=1e-37)


@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_tanh_is_odd_to_the_last_bit(number):
    x = np.random.default_rng(2).normal(size=1000) * 3
    np.testing.assert_array_equal(values_of(TANH, -x, number), -values_of(TANH, x, number))


@pytest.mark.parametrize(("kind", "formula"), [(TANH, functions.tanh), (SIGMOID, functions.sigmoid)])
@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, *range(15, 23), 55])
@pytest.mark.parametrize("skipped", [0, 1])
@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_rows_have_the_values_of_single_numbers_to_the_last_bit(kind, formula, n, skipped, number):
    x = (np.random.default_rng(n).normal(size=n + skipped + 8) * 10.0).astype(number)
    result = x.copy()
    activate(kind, result[skipped : skipped + n])
    expected = x.copy()
    expected[skipped : skipped + n] = [formula(one) for one in x[skipped : skipped + n]]
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(("kind", "formula"), [(TANH, functions.tanh), (SIGMOID, functions.sigmoid)])
def test_special_values_are_treated_alike_everywhere_in_a_row(kind, formula):
    for place in range(16):
        row = np.roll(np.tile(SPECIAL, 3), place)
        expected = [formula(one) for one in row]
        activate(kind, row)
        np.testing.assert_array_equal(row, expected)
        np.testing.assert_array_equal(np.signbit(row), np.signbit(expected))


@pytest.mark.parametrize("x", [0.0, 0.3, -0.3, 4.96, 4.98, -5.0, 1e-20])
def test_fast_tanh_is_that_of_numpy_to_the_last_bit(x):
    assert fast_tanh(x) == activation("fast tanh").value(np.array([x]))[0]


def test_logarithms_of_probabilities():
    x = np.concatenate([np.random.default_rng(3).uniform(0.0, 1.0, 1000), [1.0, 0.5, 1e-300, 1 - 2**-53]])
    np.testing.assert_allclose([functions.log_of_probability(p) for p in x], np.log(x), rtol=3e-16, atol=0)
    assert np.isnan(functions.log_of_probability(np.nan))


def test_loops_are_compiled_to_vector_instructions():
    if numba is None or "x86" not in __import__("platform").machine():
        pytest.skip("looks at the machine code of x86")
    fresh = numba.njit(activate.py_func, error_model="numpy")  # code from the disk cannot be looked at
    fresh(TANH, np.zeros(8))
    assert "divpd" in fresh.inspect_asm(fresh.signatures[0])
