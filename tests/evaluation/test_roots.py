"""The root finder and the linear interpolation."""

from __future__ import annotations

import logging
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.evaluation.roots import NO_ROOT, LinearInterpolator, brent_root


@pytest.mark.parametrize(
    ("function", "ends", "root"),
    [
        (lambda x: x**3 - x - 2, (1.0, 2.0), 1.5213797068045676),
        (lambda x: math.cos(x) - x, (0.0, 1.0), 0.7390851332151607),
        (lambda x: math.exp(-x) - 0.1, (0.0, 10.0), 2.302585092994046),
        (lambda x: x, (0.0, 1.0), 0.0),
    ],
)
def test_roots_are_found_to_the_last_digits(function, ends, root):
    assert brent_root(function, *ends) == pytest.approx(root, rel=1e-15, abs=1e-15)


def test_a_step_is_found_where_it_is():
    found = brent_root(lambda x: 0.7 if x < 0.3125 else -0.3, 0.0, 1.0)
    assert found == pytest.approx(0.3125, abs=1e-15)


def test_without_a_change_of_sign_the_result_is_one_and_a_warning(caplog):
    with caplog.at_level(logging.WARNING):
        assert brent_root(lambda x: x + 5.0, 0.0, 1.0) == NO_ROOT
    assert "initial interval w/o root" in caplog.text


def test_nan_does_not_go_on_forever(caplog):
    assert math.isfinite(brent_root(lambda _: math.nan, 0.0, 1.0))
    assert "maximum iterations" in caplog.text


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=20, unique=True), st.floats(-20, 20))
def test_one_value_and_many_are_interpolated_alike(points, x):
    X = np.sort(points)  # noqa: N806
    line = LinearInterpolator(X, np.sin(X))
    assert line(x) == pytest.approx(float(line.at([x])[0]), nan_ok=True)


def test_points_that_coincide_give_nan_and_no_exception():
    assert math.isnan(LinearInterpolator([1.0, 1.0], [0.0, 1.0])(1.0))
