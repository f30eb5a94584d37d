import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import ACTIVATIONS, activation
from pytmva_bnn.methods.mlp.network.activations import fast_tanh

POINTS = np.array([-30.0, -5.0, -1.3, -1e-3, 1e-3, 0.4, 2.0, 5.0, 30.0])


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("linear", lambda z: z),
        ("sigmoid", lambda z: 1 / (1 + math.exp(-z))),
        ("tanh", math.tanh),
        ("ReLU", lambda z: max(0.0, z)),
        ("radial", lambda z: math.exp(-z * z * 0.5)),
    ],
)
def test_values_are_those_of_the_definition(name, function):
    expected = [function(z) for z in POINTS]
    np.testing.assert_allclose(activation(name).value(POINTS), expected, rtol=1e-15)


@pytest.mark.parametrize("name", ["linear", "sigmoid", "tanh", "ReLU", "radial"])
def test_derivatives_agree_with_finite_differences(name):
    one, step = activation(name), 1e-6
    numeric = (one.value(POINTS + step) - one.value(POINTS - step)) / (2 * step)
    np.testing.assert_allclose(one.derivative(POINTS, one.value(POINTS)), numeric, atol=1e-9)


def naive_fast_tanh(z: float) -> float:
    f = np.float32
    if z > 4.97:
        return 1.0
    if z < -4.97:
        return -1.0
    q = f(z * z)
    a = f(z * float(f(135135) + q * (f(17325) + q * (f(378) + q))))
    b = f(135135) + q * (f(62370) + q * (f(3150) + q * f(28)))
    return float(f(a / b))


@given(st.floats(-8, 8))
def test_fast_tanh_is_the_float32_formula_to_the_last_bit(z):
    assert fast_tanh(np.array([z]))[0] == naive_fast_tanh(z)


def test_fast_tanh_is_close_to_tanh_but_not_equal():
    z = np.linspace(-6, 6, 1001)
    difference = np.abs(fast_tanh(z) - np.tanh(z))
    assert 1e-6 < difference.max() < 2e-4


def test_sigmoid_survives_absurd_inputs_without_warning():
    np.testing.assert_array_equal(activation("sigmoid").value(np.array([-1e4, 1e4])), [0.0, 1.0])


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_values_do_not_share_memory_with_their_input(name):
    z = np.array([1.0])
    activation(name).value(z)[0] = 7.0
    assert z[0] == 1.0


def test_unknown_name_suggests_the_known_one():
    with pytest.raises(InputError, match="'relu': did you mean ReLU"):
        activation("relu")
