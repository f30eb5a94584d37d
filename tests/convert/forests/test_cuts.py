"""Every 32-bit float goes the way that the other library sends it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.convert.forests.cuts import LARGEST, cuts, scaled_cuts
from pytmva_bnn.convert.forests.foreign import Splitting

LESS, LESS_OR_EQUAL = Splitting(or_equal=False, rounds=True), Splitting(or_equal=True, rounds=True)
FLOAT32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
FLOAT64 = st.floats(allow_nan=False)


def goes_left(x, threshold, splitting):
    return x <= threshold if splitting.or_equal else x < threshold


def neighbours(threshold):
    """Floats around a threshold."""
    near = np.float32(np.clip(threshold, -LARGEST, LARGEST))
    with np.errstate(over="ignore"):
        below, above = np.nextafter(near, np.float32(-np.inf)), np.nextafter(near, np.float32(np.inf))
    return [one for one in (below, near, above) if np.isfinite(one)]


@pytest.mark.parametrize("splitting", [LESS, LESS_OR_EQUAL])
@given(threshold=FLOAT64, x=FLOAT32)
def test_a_cut_divides_all_floats_as_the_threshold_does(splitting, threshold, x):
    (cut,) = cuts(np.array([threshold]), splitting)
    for value in (np.float32(x), *neighbours(threshold), np.float32(0.0), np.float32(-0.0)):
        assert (value >= cut) == (not goes_left(float(value), threshold, splitting)), (value, cut)
    assert cut == np.inf or abs(cut) <= LARGEST


@pytest.mark.parametrize("splitting", [LESS, LESS_OR_EQUAL])
@given(thresholds=st.lists(FLOAT64, min_size=1, max_size=5))
def test_bisection_finds_the_same_cuts(splitting, thresholds):
    values = np.array(thresholds)
    found = scaled_cuts(values, splitting, np.zeros(len(values), dtype=np.intp), lambda x: x, 1)
    np.testing.assert_array_equal(found, cuts(values, splitting))


@pytest.mark.parametrize("rounds", [True, False])
@given(threshold=st.floats(-3, 3), mean=st.floats(-1e3, 1e3), scale=st.floats(1e-3, 1e3))
def test_cuts_on_scaled_variables_are_exact(rounds, threshold, mean, scale):
    def scaled(x):
        return (x - np.array([0.0, mean])) / np.array([1.0, scale])

    splitting = Splitting(or_equal=True, rounds=rounds)
    (cut,) = scaled_cuts(np.array([threshold]), splitting, np.array([1]), scaled, 2)
    for x in (np.nextafter(cut, np.float32(-np.inf)), cut, np.nextafter(cut, np.float32(np.inf))):
        value = scaled(np.array([[0.0, float(x)]]))[0, 1]
        value = np.float32(value) if rounds else value
        assert (x >= cut) == (float(value) > threshold)
