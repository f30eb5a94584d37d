import numpy as np
import pytest

from pytmva_bnn.fast.compiler import numba
from pytmva_bnn.methods.mlp.kernels import functions
from pytmva_bnn.methods.mlp.kernels.rows import FAST_TANH, RADIAL, RELU, SIGMOID, TANH, activate, fast_tanh
from pytmva_bnn.methods.mlp.network import activation

EXTENDED = np.finfo(np.longdouble).eps < np.finfo(np.float64).eps
SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e-320, -1e-320, 1e308, -1e308, 709.0, -709.0, 745.0, -750.0, 20.0]


def exact_sigmoid(x):
    return 1 / (1 + np.exp(-x))


def values_of(kind, x):
    result = np.array(x, dtype=np.float64)
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


@pytest.mark.parametrize(
    ("kind", "name"),
    [(TANH, "tanh"), (SIGMOID, "sigmoid"), (RELU, "ReLU"), (RADIAL, "radial"), (FAST_TANH, "fast tanh")],
)
def test_special_values_are_those_of_numpy(kind, name):
    with np.errstate(all="ignore"):
        expected = activation(name).value(np.array(SPECIAL))
    # numbers so small that they have lost digits may be 0
    np.testing.assert_allclose(values_of(kind, SPECIAL), expected, rtol=1e-15, atol=1e-307)


def test_tanh_is_odd_to_the_last_bit():
    x = np.random.default_rng(2).normal(size=1000) * 3
    np.testing.assert_array_equal(values_of(TANH, -x), -values_of(TANH, x))


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
