"""Random values of intervals, and TRandom's normal distribution."""

import math

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.fitters import Interval
from pytmva_bnn.methods.fitters.intervals import random_points, wrapped
from pytmva_bnn.methods.fitters.normal import standard_normal, uniform_numbers
from pytmva_bnn.random import TRandom3


def numbers(*values):
    return iter(values).__next__


@pytest.mark.parametrize(
    ("uniforms", "expected"),
    [
        ((0.75,), 4.132731354 * 0.75 - 3.132731354),
        ((0.1,), 1 + (18.52161694 * 0.1 - 1)),
        ((0.05,), (18.52161694 * 0.05 - 1) - 1),
        ((0.3, 0.9), 2 - (0.9 - 1 + 0.9)),  # the first test accepts z
        ((0.2, 0.5), 0.0),  # the second accepts r
    ],
)
def test_the_branches_of_the_normal_distribution(uniforms, expected):
    assert standard_normal(numbers(*uniforms)) == pytest.approx(expected, abs=1e-15)


def test_normal_numbers_are_normal():
    from scipy import stats

    uniform = uniform_numbers(TRandom3(7))
    values = [standard_normal(uniform) for _ in range(40_000)]
    assert stats.kstest(values, "norm").pvalue > 0.01
    assert np.var(values) == pytest.approx(1.0, abs=0.02)
    assert stats.kurtosis(values) == pytest.approx(0.0, abs=0.1)


def test_uniform_numbers_are_those_of_the_generator():
    uniform, random = uniform_numbers(TRandom3(3)), TRandom3(3)
    assert [uniform() for _ in range(5000)] == random.rndm(5000).tolist()


def test_uniform_and_discrete_values():
    assert Interval(-1.0, 3.0).value(0.25) == 0.0
    interval = Interval(0.0, 10.0, 6)
    assert [interval.value(u) for u in (0.01, 0.17, 0.99)] == [0.0, 2.0, 10.0]


def test_a_point_takes_no_random_number_unless_it_is_discrete():
    intervals = [Interval(0, 1), Interval(5, 5), Interval(2, 2, 3), Interval(-1, 1)]
    points = random_points(intervals, TRandom3(100), 2)
    u = TRandom3(100).rndm(6)
    expected = [[u[0], 5, 2, -1 + 2 * u[2]], [u[3], 5, 2, -1 + 2 * u[5]]]
    np.testing.assert_array_equal(points, expected)


@pytest.mark.parametrize(
    ("v", "mirror", "expected"),
    [
        (0.5, False, 0.5),
        (-0.25, False, 0.75),
        (1.0, False, 0.0),
        (1.25, True, 0.75),
        (-0.25, True, 0.25),
        (2.5, True, 0.5),  # reflected to -0.5, then wrapped
        (2.5, False, 0.5),
    ],
)
def test_values_outside_come_back(v, mirror, expected):
    assert wrapped(v, 0.0, 1.0, mirror) == expected


def test_near():
    interval = Interval(-2.0, 2.0)
    step = 4.132731354 * 0.75 - 3.132731354
    assert interval.near(0.5, 0.1, numbers(0.75)) == 0.5 + 4 * 0.1 * step
    assert Interval(3.0, 3.0).near(1.0, 0.1, numbers()) == 3.0
    assert Interval(0.0, 4.0, 5).near(0.0, 0.1, numbers(0.5)) == 2.0


def test_impossible_intervals():
    with pytest.raises(InputError, match="at least 2 bins if discrete"):
        Interval(0, 1, 1)
    with pytest.raises(InputError, match=r"\[2, 1\]"):
        Interval(2, 1)
    with pytest.raises(InputError, match="larger end"):
        Interval(math.nan, 1)
