"""353QH twice, against a version of plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.histograms import from_contents
from pytmva_bnn.histograms.smoothing import _medians_and_mean, passes_by_bin, smooth, smooth_histogram


def med(*values):
    return sorted(values)[len(values) // 2]


def naive_round(x):
    n = len(x)
    y = list(x)
    z = list(x)
    for i in range(1, n - 1):
        z[i] = med(y[i - 1], y[i], y[i + 1])
    z[0] = med(z[1], z[0], 3 * z[1] - 2 * z[2])
    z[n - 1] = med(z[n - 2], z[n - 1], 3 * z[n - 2] - 2 * z[n - 3])
    y = list(z)
    for i in range(2, n - 2):
        z[i] = med(*y[i - 2 : i + 3])
    z[1] = med(y[0], y[1], y[2])
    z[n - 2] = med(y[n - 3], y[n - 2], y[n - 1])
    y = list(z)
    for i in range(1, n - 1):
        z[i] = med(y[i - 1], y[i], y[i + 1])
    y = list(z)
    for i in range(2, n - 2):
        if z[i - 1] != z[i] or z[i] != z[i + 1]:
            continue
        p, q = z[i - 2] - z[i], z[i + 2] - z[i]
        if p * q > 0:
            j = -1 if abs(q) > abs(p) else 1
            y[i] = -0.5 * z[i - 2 * j] + z[i] / 0.75 + z[i + 2 * j] / 6
            y[i + j] = 0.5 * (z[i + 2 * j] - z[i - 2 * j]) + z[i]
    z = list(y)
    for i in range(1, n - 1):
        z[i] = 0.25 * y[i - 1] + 0.5 * y[i] + 0.25 * y[i + 1]
    return z


def naive_smooth(x, passes):
    x = [float(v) for v in x]
    if len(x) < 3:
        return x
    for _ in range(passes):
        lowest = min(x)
        r = naive_round(x)
        z = naive_round([a - b for a, b in zip(x, r, strict=True)])
        x = [a + b for a, b in zip(r, z, strict=True)]
        if lowest >= 0:
            x = [v if v >= 0 else 0.0 for v in x]
    return x


ARRAYS = {
    "one": [3.0],
    "two": [3.0, 1.0],
    "three": [3.0, 1.0, 2.0],
    "four": [0.0, 5.0, 1.0, 2.0],
    "five": [0.0, 5.0, 1.0, 2.0, 9.0],
    "six": [4.0, 0.0, 5.0, 1.0, 2.0, 9.0],
    "peak": [1, 1, 1, 50, 1, 1, 1],
    "valley": [9, 9, 9, 0, 9, 9, 9],
    "flat peak": [1, 2, 7, 7, 7, 3, 0],
    "flat valley": [9, 8, 2, 2, 2, 6, 9],
    "flat, equal sides": [0, 3, 3, 3, 0, 0, 0],
    "negative": [-1, 4, -3, 2, 8, -5, 0, 1],
    "steps": [0, 0, 0, 5, 5, 5, 2, 2, 2, 7, 7, 7, 1],
}


@pytest.mark.parametrize("passes", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("name", ARRAYS)
def test_known_arrays_are_smoothed_as_by_plain_loops(name, passes):
    assert smooth(ARRAYS[name], passes).tolist() == naive_smooth(ARRAYS[name], passes)


@settings(deadline=None)
@given(st.lists(st.integers(-3, 12), min_size=1, max_size=40), st.integers(1, 4))
def test_any_counts_are_smoothed_as_by_plain_loops(values, passes):
    assert smooth(values, passes).tolist() == naive_smooth(values, passes)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1e6), min_size=3, max_size=40))
def test_contents_that_are_not_negative_stay_so(values):
    assert smooth(values, 3).min() >= 0


def test_a_flat_peak_is_rounded_off_by_hand():
    # all medians leave these values as they are; at the middle one p = -5 and q = -4, so j = +1
    z = [1.0, 2.0, 7.0, 7.0, 7.0, 3.0, 3.0]
    y = list(z)
    y[3] = -0.5 * 2 + 7 / 0.75 + 3 / 6
    y[4] = 0.5 * (3 - 2) + 7
    expected = [z[0]] + [0.25 * y[i - 1] + 0.5 * y[i] + 0.25 * y[i + 1] for i in range(1, 6)] + [z[6]]
    assert _medians_and_mean(np.array(z)).tolist() == pytest.approx(expected)
    assert naive_round(z) == pytest.approx(expected)


def histogram(contents, dtype=np.float32):
    return from_contents(np.array(contents, dtype=dtype), 0.0, 1.0, name="h")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equal_limits_smooth_in_float64_and_round_once(dtype):
    contents = np.random.default_rng(1).random(20).astype(dtype)
    result = smooth_histogram(histogram(contents, dtype), 3, 3)
    assert result.values.dtype == dtype
    assert result.values.tolist() == np.array(naive_smooth(contents, 3)).astype(dtype).tolist()


@pytest.mark.parametrize(
    ("contents", "low", "high"),
    [([5, 1, 7, 2], 0, 0), ([5, 1, 7, 2], -1, 3), ([5], 2, 2), ([5, 1], 2, 2), ([5, 1], 1, 2)],
    ids=["no passes", "negative minimum", "one bin", "two bins", "two bins, two limits"],
)
def test_nothing_is_smoothed(contents, low, high):
    assert smooth_histogram(histogram(contents), low, high).values.tolist() == contents


def naive_passes(contents, low, high):
    f = np.float32
    good = [c > math.sqrt(abs(c)) for c in contents]
    total, squares, n = f(0), f(0), 0
    for c, ok in zip(contents, good, strict=True):
        if ok:
            e = f(math.sqrt(abs(c)) / c)
            total, squares, n = total + e, squares + e * e, n + 1
    result = []
    for c, ok in zip(contents, good, strict=True):
        if not ok:
            result.append(high)
            continue
        e = f(math.sqrt(abs(c)) / c)
        a = total / f(n)
        with np.errstate(all="ignore"):
            r = np.sqrt(squares / f(n) - a * a)
            value = (e - (a - r)) / ((a + r) - (a - r)) * f(high - low)
        result.append(min(max(int(value) + low, low), high) if math.isfinite(value) else low)
    return result


def naive_variable_smoothing(contents, low, high):
    x = np.array(contents, dtype=np.float32)
    passes = naive_passes([float(v) for v in x], low, high)
    for k in range(high, -1, -1):
        if k <= low:
            x = np.array(naive_smooth(x, 1), dtype=np.float32)
            continue
        lo = hi = -1
        for b, wanted in enumerate(passes):
            if wanted >= k:
                if lo == -1:
                    lo = b
                else:
                    hi = b
            elif hi >= 0:
                x = np.array(naive_smooth(x, 1), dtype=np.float32)
                lo = hi = -1
            else:
                lo = -1
    return x


@pytest.mark.parametrize("limits", [(0, 1), (0, 4), (1, 3), (2, 9)])
@pytest.mark.parametrize(
    "contents",
    [
        [0, 0, 30, 100, 2, 3, 4, 90, 0.5, 0.2, 7],
        [100, 100, 100, 100],
        [0, 0, 0, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [50, 2, 2, 60, 2, 70, 2, 2, 2],
        [1e4, 9e3, 3, 3, 5e3, 4, 4, 4, 1e3, 2e2, 5, 5],
    ],
)
def test_between_two_limits_regions_of_large_errors_are_smoothed_more(contents, limits):
    expected = naive_variable_smoothing(contents, *limits)
    values = np.float32(contents)
    errors = np.sqrt(np.abs(values.astype(float)))
    assert passes_by_bin(values, errors, *limits).tolist() == naive_passes(values, *limits)
    assert smooth_histogram(histogram(contents), *limits).values.tolist() == expected.tolist()


@settings(deadline=None)
@given(st.lists(st.integers(0, 200), min_size=3, max_size=30), st.integers(0, 3), st.integers(1, 5))
def test_any_histogram_is_smoothed_between_two_limits_as_by_plain_loops(contents, low, more):
    expected = naive_variable_smoothing(contents, low, low + more)
    assert smooth_histogram(histogram(contents), low, low + more).values.tolist() == expected.tolist()
