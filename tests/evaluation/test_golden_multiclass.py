"""Every number, curve and histogram of TMVA's evaluation of a multiclass network."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.evaluation import evaluate_multiclass, multiclass_tables

CLASSES = ["Signal", "bg0", "bg1", "bg2"]


@pytest.fixture(scope="module")
def case(record):
    return record("multi_n")


@pytest.fixture(scope="module")
def result(case):
    return evaluate_multiclass(case.multiclass("train"), case.multiclass("test"), CLASSES)


def test_the_final_tables_are_those_of_tmva_to_the_last_character(case, result):
    assert case.says(multiclass_tables("dataset", [result]))


@pytest.mark.parametrize("training", [False, True])
def test_the_histograms_agree(case, result, training):
    made = list(result.named_histograms(training=training))
    assert len(made) == 16
    for h in made:
        case.check_histogram(h.name, h.histogram)


@pytest.mark.parametrize("training", [False, True])
def test_the_curves_agree(case, result, training):
    curves = list(result.named_curves(training=training))
    assert len(curves) == 16
    for name, _, curve in curves:
        x, y, i = curve.sensitivity, curve.specificity, np.arange(len(curve.sensitivity))
        sums = [len(x), x.sum(), y.sum(), (x * i).sum(), (y * i).sum()]
        np.testing.assert_allclose(sums, case[f"graph:{name}"], rtol=1e-13, err_msg=name)
