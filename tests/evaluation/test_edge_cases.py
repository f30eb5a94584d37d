"""Whole evaluations of samples that nobody wishes for."""

from __future__ import annotations

import logging
import sys

import numpy as np
import pytest

import pytmva_bnn
from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.evaluation import (
    BinarySample,
    MulticlassSample,
    RegressionSample,
    binary_tables,
    evaluate_binary,
    evaluate_multiclass,
    evaluate_regression,
    multiclass_tables,
    regression_tables,
)

ODD = {
    "no background": BinarySample([0.1, 0.5, 0.9], None, [True, True, True]),
    "no signal": BinarySample([0.1, 0.5, 0.9], None, [False, False, False]),
    "one event": BinarySample([0.5], None, [True]),
    "equal responses": BinarySample([0.5] * 6, None, [True, False] * 3),
    "negative weights": BinarySample([0.1, 0.4, 0.6, 0.9], [1.0, -0.2, 1.0, -0.3], [False, False, True, True]),
    "negative sum of weights": BinarySample([0.1, 0.4, 0.6, 0.9], [-1.0, 0.2, 1.0, 1.0], [False, False, True, True]),
    "NaN": BinarySample([0.1, np.nan, 0.6, 0.9], None, [False, False, True, True]),
    "infinite": BinarySample([0.1, 0.2, 0.6, np.inf], None, [False, False, True, True]),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_sample_gives_a_table_and_no_exception(name, caplog):
    with caplog.at_level(logging.CRITICAL):
        result = evaluate_binary(ODD[name], ODD[name])
    assert len(binary_tables("dataset", [result])) == 16
    assert len(list(result.named_histograms())) == 15


def test_training_may_be_empty(caplog):
    empty = BinarySample([], [], [])
    result = evaluate_binary(empty, ODD["negative weights"])
    assert result.overtraining_signal is None
    assert result.training_roc_integral == 0.5


def test_without_test_events_there_is_an_error_that_says_so():
    empty = BinarySample([], [], [])
    with pytest.raises(InputError, match="no test events"):
        evaluate_binary(ODD["one event"], empty)
    sample = RegressionSample([1.0], [1.0], None)
    with pytest.raises(InputError, match="no test events"):
        evaluate_regression(sample, RegressionSample([], [], None))


def test_without_any_weight_there_is_an_error_that_says_so(caplog):
    sample = BinarySample([0.1, 0.9], [0.0, 0.0], [False, True])
    with pytest.raises(InputError, match="positive sum of weights"):
        evaluate_binary(sample, sample)


def test_perfect_separation_is_perfect_everywhere():
    signal = np.arange(2000) < 1000
    response = np.random.default_rng(1).uniform(0.0, 0.3, 2000) + 0.7 * signal
    result = evaluate_binary(BinarySample(response, None, signal), BinarySample(response, None, signal))
    assert result.roc_integral == pytest.approx(1.0, abs=1e-12)
    assert result.area > 0.999
    assert result.separation == pytest.approx(1.0, abs=0.03)
    assert result.density_roc_integral == pytest.approx(1.0, abs=0.02)
    assert result.efficiencies[2] == 0.9995


def test_methods_are_ranked_by_area_not_by_the_printed_integral():
    signal = np.arange(200) < 100
    rng = np.random.default_rng(1)
    good, bad = (
        evaluate_binary(sample, sample, title=title)
        for title, sample in (
            ("good", BinarySample(rng.normal(2.0 * signal, 1.0), None, signal)),
            ("bad", BinarySample(rng.normal(0.1 * signal, 1.0), None, signal)),
        )
    )
    lines = binary_tables("dataset", [bad, good])
    assert [line.split()[1] for line in lines[5:7]] == ["good", "bad"]


def test_regressions_are_ranked_by_the_mean_deviation_of_the_test_sample():
    target = np.linspace(0.0, 1.0, 50)
    train = RegressionSample(target, target, None)
    # one far event: a small mean deviation, a large RMS
    few_far = RegressionSample(np.where(np.arange(50) == 7, 9.0, target), target, None)
    all_near = RegressionSample(target + 0.5 * (-1.0) ** np.arange(50), target, None)
    results = [evaluate_regression(train, test, title=t) for t, test in (("near", all_near), ("far", few_far))]
    assert results[1].test.rms > results[0].test.rms
    lines = regression_tables("dataset", results)
    assert [line.split()[1] for line in lines[8:10]] == ["far", "near"]


def test_nan_responses_of_a_regression_are_no_exception():
    sample = RegressionSample([1.0, np.nan, 3.0], [1.0, 2.0, 3.0], None, [[0.0], [1.0], [2.0]])
    result = evaluate_regression(sample, sample)
    assert np.isnan(result.test.bias)


def test_a_class_without_events_is_no_exception_in_multiclass():
    sample = MulticlassSample([[0.2, 0.5, 0.3], [0.6, 0.2, 0.2]], None, [1, 0])
    result = evaluate_multiclass(sample, sample, ["a", "b", "c"])
    assert len(multiclass_tables("dataset", [result])) > 30


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BinarySample([0.1, 0.2], None, [True]), "'is_signal' must have the shape"),
        (lambda: BinarySample([0.1, 0.2], [1.0], [True, False]), "weights of a sample"),
        (lambda: BinarySample([0.1], None, [True], [0.1, 0.2]), "'reread' must have the shape"),
        (lambda: MulticlassSample([0.1, 0.2], None, [0, 1]), "of a multiclass sample"),
        (lambda: RegressionSample([1.0, 2.0], [1.0], None), "'target' must have the shape"),
        (lambda: RegressionSample([1.0], [1.0], None, [[1.0], [2.0]]), "variables of 2"),
    ],
)
def test_samples_that_do_not_fit_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_class_names_must_fit_the_responses():
    sample = MulticlassSample([[0.2, 0.8]], None, [1])
    with pytest.raises(InputError, match="2 classes, but 3 class names"):
        evaluate_multiclass(sample, sample, ["a", "b", "c"])


def all_results():
    binary = ODD["negative weights"]
    regression = RegressionSample([1.0, 2.0, 3.5], [1.0, 2.5, 3.0], None)
    multi = MulticlassSample([[0.9, 0.1], [0.3, 0.7]], None, [0, 1])
    return [
        evaluate_binary(binary, binary),
        evaluate_regression(regression, regression),
        evaluate_multiclass(multi, multi, ["a", "b"]),
    ]


def test_errors_and_the_best_cut_come_with_the_result():
    signal = np.arange(2000) < 1000
    sample = BinarySample(np.random.default_rng(1).normal(signal, 1.0), None, signal)
    result = evaluate_binary(sample, sample)
    expected = [np.sqrt(e * (1 - e) / 1000) for e in result.efficiencies]
    assert result.efficiency_errors == pytest.approx(expected)
    best = result.maximum_significance(1000.0, 1000.0)
    passed = [np.count_nonzero(sample.response[chosen] > best.cut) for chosen in (signal, ~signal)]
    assert best.value == pytest.approx(passed[0] / np.sqrt(sum(passed)), rel=1e-3)


def test_probabilities_are_among_the_histograms_if_there_are_densities(record, case_named):
    events, model = record("bfgs_n"), pytmva_bnn.load(case_named("mvapdfs").weights)
    sample = BinarySample(model.predict(events["test_variables"]), None, events["test_class"] == 0)
    result = evaluate_binary(sample, sample, pdfs=model.response_pdfs)
    names = [h.name for h in result.named_histograms()]
    assert names[2:6] == ["MVA_MLP_Proba_S", "MVA_MLP_Proba_B", "MVA_MLP_Rarity_S", "MVA_MLP_Rarity_B"]
    assert result.probabilities.signal.mean() > result.probabilities.background.mean()


def test_results_become_data_frames():
    pytest.importorskip("pandas")
    binary, regression, multi = (result.to_pandas() for result in all_results())
    assert binary.loc["test", "roc_integral"] == all_results()[0].roc_integral
    assert binary.index.tolist() == regression.index.tolist() == ["test", "train"]
    assert multi.loc[("train", "b"), "roc_integral"] == 1.0


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    results = all_results()
    monkeypatch.setitem(sys.modules, "pandas", None)
    for result in results:
        with pytest.raises(MissingDependencyError, match="pip install"):
            result.to_pandas()
