"""D: sums in the order of the inputs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform import Decorrelation
from pytmva_bnn.transform.decorrelate import decorrelate


def naive(x, matrix):
    result = []
    for row in matrix:
        total = 0.0
        for value, element in zip(x, row, strict=True):
            total += float(value) * float(element)
        with np.errstate(over="ignore"):
            result.append(np.float32(total))
    return result


@pytest.mark.parametrize("n", [1, 2, 5, 37])
def test_sums_agree_bit_for_bit_with_plain_loops(n):
    rng = np.random.default_rng(n)
    matrix = rng.normal(size=(n, n)) * 10.0 ** rng.integers(-8, 8, size=(n, n))
    x = rng.normal(size=(200, n)).astype(np.float32)
    y = decorrelate(x, matrix)
    assert y.dtype == np.float32
    np.testing.assert_array_equal(y, [naive(row, matrix) for row in x])


def test_one_event_gives_the_same_bits_as_many():
    rng = np.random.default_rng(1)
    matrix, x = rng.normal(size=(9, 9)), rng.normal(size=(100, 9)).astype(np.float32)
    np.testing.assert_array_equal(
        decorrelate(x, matrix), np.vstack([decorrelate(x[i : i + 1], matrix) for i in range(100)])
    )


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_bad_inputs_spread_to_all_outputs(bad):
    matrix = np.array([[1.0, 0.5], [0.5, 2.0]])
    assert not np.isfinite(decorrelate(np.float32([[1.0, bad]]), matrix)).any()


def test_large_results_become_infinite_silently():
    assert decorrelate(np.float32([[1e38]]), np.array([[1e5]])).tolist() == [[math.inf]]


def test_the_last_set_is_applied():
    assert Decorrelation(None, (np.eye(1), 3 * np.eye(1))).apply(np.float32([[2.0]])).tolist() == [[6.0]]


@pytest.mark.parametrize(
    ("matrices", "message"),
    [
        ((), "Decorrelation: no matrix"),
        ((np.eye(2), np.eye(3)), r"Decorrelation: matrices must have the shape \(2, 2\)"),
    ],
)
def test_matrices_must_fit_the_inputs(matrices, message):
    with pytest.raises(InputError, match=message):
        Decorrelation(None, matrices).check(2)
