"""Weights are rounded to float32 as TMVA does it: from the text, not from the float64."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.methods.mlp.rounding import rounded_like_tmva

LARGEST = float(np.finfo(np.float32).max)


def nearest_float32(text: str) -> float:
    """Return the float32 nearest to the decimal number, ties to even, in exact arithmetic."""
    exact = Fraction(text)
    guess = np.float32(float(text))
    with np.errstate(over="ignore"):
        candidates = [np.nextafter(guess, np.float32(-np.inf)), guess, np.nextafter(guess, np.float32(np.inf))]
    finite = [c for c in candidates if np.isfinite(c)]
    return float(min(finite, key=lambda c: (abs(Fraction(float(c)) - exact), int(c.view(np.int32)) & 1)))


def test_the_reference_agrees_with_numpy_where_it_is_easy():
    for value in (0.1, -1.5, 1e-40, 16777217.0):
        assert nearest_float32(f"{value:.30e}") == float(np.float32(value))


@given(st.integers(0x00800000, 0x7F7FFFFE), st.booleans())
def test_half_way_values_go_where_the_text_says(bits, negative):
    """A float64 half-way between two float32: its 17 digits are a little above or below."""
    low, high = (float(np.array(b, dtype=np.int32).view(np.float32)) for b in (bits, bits + 1))
    middle = 0.5 * (low + high) * (-1 if negative else 1)
    expected = nearest_float32(f"{middle:.16e}")
    assert rounded_like_tmva(np.array([[middle]])).tolist() == [[expected]]


def test_some_half_way_value_differs_from_plain_rounding():
    rng = np.random.default_rng(1)
    low = rng.normal(size=1000).astype(np.float32)
    middle = 0.5 * (low.astype(np.float64) + np.nextafter(low, np.float32(np.inf)))
    rounded = rounded_like_tmva(middle[np.newaxis])[0]
    assert rounded.tolist() == [nearest_float32(f"{m:.16e}") for m in middle]
    assert (rounded != middle.astype(np.float32)).any()


@given(st.floats(-LARGEST, LARGEST))
def test_all_other_values_are_rounded_to_nearest(value):
    assert rounded_like_tmva(np.array([[value]])).tolist() == [[nearest_float32(f"{value:.16e}")]]


@pytest.mark.parametrize("value", [LARGEST, -LARGEST, 0.0, 1e-45, -1e-46, 5e-324])
def test_ends_of_the_range_give_no_warning(value):
    assert rounded_like_tmva(np.array([[value]])).tolist() == [[float(np.float32(value))]]


def test_nan_ends_its_row_only():
    weights = np.array([[1.0, np.nan, 2.0], [3.0, 4.0, 5.0], [np.nan, 1.0, 1.0]])
    assert rounded_like_tmva(weights).tolist() == [[1.0, 0.0, 0.0], [3.0, 4.0, 5.0], [0.0, 0.0, 0.0]]
    assert np.isnan(weights[0, 1])  # the file's own numbers stay


def test_layer_without_neurons():
    assert rounded_like_tmva(np.empty((3, 0))).shape == (3, 0)
