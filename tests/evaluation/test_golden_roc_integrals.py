"""``Factory::GetROCIntegral`` of every classification case that shares the test events of bfgs_n."""

from __future__ import annotations

import numpy as np
import pytest

import pytmva_bnn
from pytmva_bnn.evaluation import roc_curve

SAME_EVENTS = [
    "bfgs_errors", "bfgs_n", "bnn_001", "bnn_002", "bnn_005", "bnn_010", "bnn_020", "bnn_050", "bnn_200", "bp_batch",
    "bp_sigmoid", "linear", "mvapdfs", "radial", "regulator_only", "relu_two_layers", "sampling", "trans_chain",
    "trans_class", "trans_d", "trans_g", "trans_p", "trans_select", "trans_u",
]  # fmt: skip


def integral(case, variables, is_signal, weight):
    response = pytmva_bnn.load(case.weights).predict(variables)
    return roc_curve(response, is_signal, weight).auc


@pytest.mark.parametrize("name", SAME_EVENTS)
def test_the_integral_agrees_also_where_responses_are_equal(case_named, record, name):
    # bfgs_n, relu_two_layers and trans_p have equal responses of signal and background
    case, events = case_named(name), record("bfgs_n")
    found = integral(case, events["test_variables"], events["test_class"] == 0, events["test_weight"])
    assert found == pytest.approx(case.booked["roc_integral"], abs=1e-13)


@pytest.mark.parametrize(("name", "weight"), [("weights", "test_w"), ("negative_weights", "test_wneg")])
def test_the_integral_agrees_with_weights(case_named, record, name, weight):
    case, events = case_named(name), record("bfgs_n")
    found = integral(case, events["test_variables"], events["test_class"] == 0, events[weight])
    assert found == pytest.approx(case.booked["roc_integral"], abs=1e-13)


@pytest.mark.parametrize(
    ("name", "tested"),
    [("split_block", (slice(700, None), slice(900, None))), ("split_alternate", (slice(1, None, 2),) * 2)],
)
def test_the_integral_agrees_with_other_test_events(case_named, name, tested):
    uproot = pytest.importorskip("uproot")
    case = case_named(name)
    with uproot.open("xml_fixtures/data/class.root") as file:
        parts = [
            np.column_stack([file[tree][v].array(library="np") for v in case.booked["variables"]])[chosen]
            for tree, chosen in zip(("TreeS", "TreeB"), tested, strict=True)
        ]
    is_signal = np.arange(sum(map(len, parts))) < len(parts[0])
    found = integral(case, np.concatenate(parts), is_signal, None)
    assert found == pytest.approx(case.booked["roc_integral"], abs=1e-13)
