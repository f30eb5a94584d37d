"""Binning of variables, correlations of odd inputs, profiles with weights, texts of tables."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from pytmva_bnn.dataset.statistics import correlation, covariance
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import (
    Ranking,
    matrix_table,
    overlap_matrix,
    pair_plots,
    ranking_table,
    response_correlations,
    statistics_table,
    value_list,
    variable_histograms,
    variable_statistics,
)
from pytmva_bnn.evaluation.inputs import variable_binning
from pytmva_bnn.histograms import fill_profile


@pytest.mark.parametrize(
    ("values", "integer", "expected"),
    [
        ([0.0, 4.0], False, (40, 0.0, 4.1)),
        ([3.0, 3.0], False, (40, 3.0, 3.0 + 0.3 * 1.025)),  # constant: to 1.1 times the value
        ([-3.0, -3.0], False, (40, -3.0, -3.0 + 1.025)),  # and if that is below: to 1 more
        ([0.0, 0.0], False, (40, 0.0, 1.025)),
        ([1.0, 5.0], True, (5, 1.0, 6.0)),
        ([0.0] * 999 + [1000.0], False, (40, 0.0, (1.0 + 8 * np.sqrt(999.0)) * 1.025)),
    ],
)
def test_the_range_is_that_of_the_values_or_eight_rms(values, integer, expected, caplog):
    statistics = variable_statistics(np.array(values)[:, np.newaxis], np.ones(len(values)))
    assert variable_binning(statistics, 0, integer=integer) == pytest.approx(expected)


def test_a_constant_variable_is_told(caplog):
    with caplog.at_level(logging.WARNING):
        found = variable_statistics([[1.0], [1.0]], [1.0, 1.0], ["x"])
    assert found.rms.tolist() == [0.0]
    assert 'Variable "x" has zero, negative, or NaN RMS^2' in caplog.text


@pytest.mark.parametrize("weights", [[1.0], []])
def test_statistics_need_events_with_weights(weights):
    with pytest.raises(InputError):
        variable_statistics(np.zeros((len(weights) * 2, 1)), weights)


def test_weights_other_than_one_bring_squared_errors():
    plain = variable_histograms([[0.0], [1.0]], None, [0, 0], 1)[0][0]
    weighted = variable_histograms([[0.0], [1.0]], [1.0, 0.5], [0, 0], 1)[0][0]
    assert plain.sumw2 is None
    assert weighted.sumw2.sum() == 1.25
    assert pair_plots([[0.0, 0.0], [1.0, 1.0]], [1.0, 0.5], [0, 0], 1)[0].profile.weight_squares is not None


def test_a_profile_has_the_means_of_its_bins():
    rng = np.random.default_rng(1)
    x, y, w = rng.uniform(-0.2, 1.2, 300), rng.normal(size=300), rng.uniform(0.5, 1.5, 300)
    profile = fill_profile(x, y, w, 4, 0.0, 1.0)
    for k in range(4):
        here = (x >= k / 4) & (x < (k + 1) / 4)
        assert profile.means[k] == pytest.approx(np.average(y[here], weights=w[here]))
        assert profile.squares[k + 1] == pytest.approx(np.sum((w * y * y)[here]))
        assert profile.weight_squares[k + 1] == pytest.approx(np.sum((w * w)[here]))


def test_correlations_are_those_of_numpy():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 3))
    np.testing.assert_allclose(correlation(covariance(x, np.ones(200))), np.corrcoef(x.T), atol=1e-12)
    x32 = x.astype(np.float32)
    np.testing.assert_allclose(response_correlations(x32), np.corrcoef(x32.astype(float).T), atol=1e-10)


def test_a_constant_variable_is_correlated_with_nothing(caplog):
    x = np.column_stack([np.arange(4.0), np.ones(4)])
    for found in (correlation(covariance(x, np.ones(4))), response_correlations(x)):
        assert found.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert "zero variances" in caplog.text


def test_nan_responses_count_as_zero_in_correlations(caplog):
    x = [[np.nan, 0.0], [1.0, 1.0], [2.0, 2.0]]
    assert response_correlations(x)[0, 1] == pytest.approx(1.0)
    assert "NaN" in caplog.text


def test_overlap_counts_events_on_the_same_side():
    v = np.random.default_rng(1).random((100, 2))
    expected = np.mean((v[:, 0] > 0.5) == (v[:, 1] > 0.3))
    assert overlap_matrix(v, [0.5, 0.3])[0, 1] == pytest.approx(expected)
    # exactly at the cut an event is on neither side
    assert overlap_matrix([[0.5, 0.9], [0.6, 0.9]], [0.5, 0.5]).tolist() == [[0.5, 0.5], [0.5, 1.0]]


def test_a_long_name_widens_the_tables():
    assert ranking_table(Ranking("Importance", (("a_very_long_variable", 1.0),)))[2:] == [
        "Rank : Variable             : Importance",
        "-" * (20 + 15 + 10),
        "   1 : a_very_long_variable : 1.000e+00",
        "-" * (20 + 15 + 10),
    ]
    table = statistics_table(["a_long_name"], variable_statistics([[1.0], [3.0]], [1.0, 1.0]))
    assert [len(line) for line in table] == [71, 74, 70, 74]
    assert matrix_table(np.eye(1), ["longer_name"]) == [
        "-" * 24,
        " " * 12 + " longer_name",
        "longer_name:      +1.000",
        "-" * 24,
    ]


def test_rectangular_matrices_have_rows_of_their_own():
    assert matrix_table(np.array([[0.5], [-0.25]]), ["MLP"], ["var1", "var2"]) == [
        "-" * 16,
        "             MLP",
        "   var1:  +0.500",
        "   var2:  -0.250",
        "-" * 16,
    ]
    with pytest.raises(InputError, match="2 rows and 1 columns"):
        matrix_table(np.eye(3), ["MLP"], ["var1", "var2"])


def test_a_list_of_values_names_the_methods():
    assert value_list(("Method", "Cut value"), ["MLP", "MLPBNN"], [0.5, -0.125])[3:5] == [
        "    MLP:     +0.500",
        " MLPBNN:     -0.125",
    ]
