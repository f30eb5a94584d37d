"""Statistics against scalar loops, and the printed table."""

from __future__ import annotations

import logging
import math

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform.statistics import (
    Statistics,
    handler_statistics,
    response_statistics,
    statistics_table,
    variable_statistics,
)

RNG = np.random.default_rng(5)
X = RNG.normal(3, 2, size=(400, 2)).astype(np.float32)
CLASSES = RNG.integers(0, 2, 400)
WEIGHTS = RNG.normal(1, 0.5, 400)


def naive(x, w):
    total = first = second = 0.0
    for value, weight in zip(x.tolist(), w.tolist(), strict=True):
        total += weight
        first += value * weight
        second += value * value * weight
    mean = first / total
    return mean, math.sqrt(second / total - mean * mean)


def test_handler_statistics_are_those_of_a_scalar_loop_bit_for_bit():
    s = handler_statistics(X, CLASSES, WEIGHTS, 2)
    for number, chosen in enumerate([CLASSES == 0, CLASSES == 1, CLASSES >= 0]):
        for column in range(2):
            x = X[chosen, column]
            assert (s.mean[number, column], s.rms[number, column]) == naive(x, WEIGHTS[chosen])
            assert (s.minimum[number, column], s.maximum[number, column]) == (x.min(), x.max())


def test_one_class_has_one_row():
    assert handler_statistics(X, np.zeros(400), WEIGHTS, 1).mean.shape == (1, 2)


def test_an_rms_that_does_not_exist_is_zero_with_a_warning(caplog):
    with caplog.at_level(logging.WARNING):
        s = handler_statistics([[2.0, 1.0], [2.0, 5.0]], [0, 0], [1.0, 1.0], 1, expressions=["a+b", "c"])
    assert s.rms.tolist() == [[0.0, 2.0]]
    assert 'Variable "a+b" has zero, negative, or NaN RMS^2: 0 ==> set to zero' in caplog.text
    assert '"c"' not in caplog.text


def test_a_class_without_events_has_rms_zero():
    s = handler_statistics(X, np.zeros(400), WEIGHTS, 2)
    assert np.isnan(s.mean[1]).all()
    assert s.rms[1].tolist() == [0.0, 0.0]


def test_the_table_has_room_for_long_labels():
    cells = np.array([[0.29154, 1e-7]])
    lines = statistics_table(["a", "a_long_label"], Statistics(cells, cells, -cells, 1e9 * cells))
    assert lines == [
        "    Variable            Mean            RMS   [            Min            Max ]",
        "-------------------------------------------------------------------------------",
        "           a:       0.29154       0.29154   [      -0.29154    2.9154e+08 ]",
        "a_long_label:    1.0000e-07    1.0000e-07   [   -1.0000e-07        100.00 ]",
        "-------------------------------------------------------------------------------",
    ]


def test_the_table_wants_a_label_for_each_quantity():
    with pytest.raises(InputError, match="1 labels for the statistics of 2 quantities"):
        statistics_table(["a"], handler_statistics(X, CLASSES, WEIGHTS, 2))


def test_variable_statistics_are_those_of_signal_and_of_the_rest():
    s = variable_statistics(X, CLASSES == 0, WEIGHTS)
    for column in range(2):
        signal, rest = CLASSES == 0, CLASSES == 1
        assert (s.signal_mean[column], s.signal_rms[column]) == naive(X[signal, column], WEIGHTS[signal])
        assert (s.background_mean[column], s.background_rms[column]) == naive(X[rest, column], WEIGHTS[rest])
    assert s.minimum.tolist() == X.min(axis=0).tolist()
    assert s.maximum.tolist() == X.max(axis=0).tolist()


def test_the_scale_is_the_mean_unless_the_spread_is_larger():
    s = variable_statistics([[10.0, -3.0], [12.0, 3.0]] * 2, [True, True, False, False], np.ones(4))
    assert s.scale.tolist() == [11.0, 3.0]


def test_regression_has_signal_only():
    s = variable_statistics(X, np.ones(400), WEIGHTS)
    assert np.isnan(s.background_mean).all()
    assert np.isnan(s.scale).all()


def test_response_statistics():
    mean, rms = response_statistics(X[:, 0], WEIGHTS)
    assert (mean, rms) == naive(X[:, 0], WEIGHTS)
    assert response_statistics([1.0, 3.0], [1.0, -1.0]) == (0.0, 0.0)
