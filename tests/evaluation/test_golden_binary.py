"""Every number and histogram of TMVA's evaluation of two classifiers."""

from __future__ import annotations

import pytest

from pytmva_bnn.evaluation import binary_tables, evaluate_binary, ranking_table, separation_ranking
from pytmva_bnn.methods.mlp.ranking import importance_ranking

CASES = ["bfgs_n", "fakerate_bnn"]


@pytest.fixture(scope="module", params=CASES)
def evaluated(request, record):
    case = record(request.param)
    return case, evaluate_binary(case.binary("train"), case.binary("test"))


def test_the_final_tables_are_those_of_tmva_to_the_last_character(evaluated):
    case, result = evaluated
    assert case.says(binary_tables("dataset", [result]))


def test_all_histograms_of_the_method_are_made_in_the_order_of_the_file(evaluated):
    case, result = evaluated
    assert [h.name for h in result.named_histograms()] == [f"MVA_{name}" for name in case.names("axis:MVA_")]


def test_contents_ranges_and_sums_of_all_histograms_agree(evaluated):
    case, result = evaluated
    for made in result.named_histograms():
        case.check_histogram(made.name, made.histogram)


def test_the_responses_of_the_test_tree_are_those_of_the_weight_file(evaluated):
    case, _ = evaluated
    assert (case.model.predict(case["test_variables"]).astype("f4") == case["test_response"]).all()


@pytest.mark.parametrize("name", CASES)
def test_the_ranking_by_separation_agrees(record, name):
    case = record(name)
    ranking = separation_ranking(case["train_variables"], case["train_weight"], case["train_class"], case.labels)
    assert case.says(ranking_table(ranking))


@pytest.mark.parametrize("name", [*CASES, "multi_n"])
def test_the_ranking_by_importance_agrees(record, name):
    case = record(name)
    inputs = case.model.transformations.forward(case["train_variables"])
    ranking = importance_ranking(inputs, case["train_weight"], case["train_class"] == 0, case["synapses"], case.labels)
    assert case.says(ranking_table(ranking))
