"""Every number and histogram of TMVA's evaluation of a regression."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.evaluation import evaluate_regression, ranking_table, regression_tables, target_rankings


@pytest.fixture(scope="module")
def case(record):
    return record("reg_n")


@pytest.fixture(scope="module")
def result(case):
    return evaluate_regression(case.regression("train"), case.regression("test"), train_stored=case["train_response"])


def test_the_final_tables_are_those_of_tmva_to_the_last_character(case, result):
    assert case.says(regression_tables("dataset", [result]))


@pytest.mark.parametrize("training", [False, True])
def test_the_deviation_histograms_agree(case, result, training):
    made = list(result.named_histograms(training=training))
    sample = "train" if training else "test"
    assert [h.name for h in made] == [f"MVA_MLP{sample}{name}" for name in case.names(f"axis:MVA_MLP{sample}")]
    for h in made:
        if f"h2:{h.name}" in case.arrays:
            low_x, high_x, low_y, high_y, entries, *statistics = case[f"axis:{h.name}"]
            assert [(axis.x_min, axis.x_max) for axis in h.histogram.axes] == [(low_x, high_x), (low_y, high_y)]
            assert h.histogram.entries == entries
            np.testing.assert_allclose(h.histogram.statistics, statistics, rtol=1e-14)
            np.testing.assert_array_equal(h.histogram.cells, case[f"h2:{h.name}"])
        else:
            case.check_histogram(h.name, h.histogram)


def test_the_rankings_by_the_target_agree(case):
    rankings = target_rankings(case["train_variables"], case["train_target"], case["train_weight"], case.labels)
    assert [case.says(ranking_table(ranking)) for ranking in rankings] == [True] * 4
