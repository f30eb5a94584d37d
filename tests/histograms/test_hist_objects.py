"""Histograms of the package ``hist``."""

import sys

import numpy as np
import pytest

from pytmva_bnn.errors import MissingDependencyError
from pytmva_bnn.evaluation import BinarySample, MulticlassSample, evaluate_binary, evaluate_multiclass
from pytmva_bnn.histograms import fill_1d, fill_2d, from_contents

pytest.importorskip("hist", reason="needs the extra plot")


def test_contents_errors_and_flow_bins_are_kept():
    h = fill_1d([-1.0, 0.5, 1.5, 1.6, 9.0], [1.0, 2.0, 3.0, 1.0, 5.0], 2, 0.0, 2.0)
    made = h.to_hist()
    assert made.values(flow=True).tolist() == [1.0, 2.0, 4.0, 5.0]
    assert made.variances(flow=True).tolist() == [1.0, 4.0, 10.0, 25.0]
    assert made.axes[0].edges.tolist() == [0.0, 1.0, 2.0]


def test_two_axes_keep_their_order_and_bins_their_widths():
    made = fill_2d([0.5, 0.5, 2.5], [1.0, 1.0, 5.0], None, (3, 2), (0.0, 3.0), (0.0, 8.0)).to_hist()
    assert made.values().tolist() == [[2.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    assert made.variances().tolist() == made.values().tolist()
    assert from_contents([1.0, 2.0], 0.0, 5.0, [0.0, 1.0, 5.0]).to_hist().axes[0].edges.tolist() == [0.0, 1.0, 5.0]


def test_a_result_has_its_samples_and_classes_as_axes():
    rng = np.random.default_rng(1)
    signal = np.arange(300) % 3 == 0
    train, test = (BinarySample(rng.normal(signal, 1.0), None, signal) for _ in range(2))
    result = evaluate_binary(train, test)
    made = result.to_hist()
    assert made.axes.name == ("set", "class", "x")
    r, t = result.responses, result.training
    for place, h in {
        ("test", "Signal"): r.signal,
        ("test", "Background"): r.background,
        ("training", "Signal"): t.response_signal,
        ("training", "Background"): t.response_background,
    }.items():
        np.testing.assert_array_equal(made[*place, :].values(flow=True), h.cells)
    assert not np.array_equal(r.signal.cells, t.response_signal.cells)


def test_a_result_of_several_classes_has_the_true_class_before_the_output():
    responses = np.array([[0.9, 0.1], [0.3, 0.7], [0.2, 0.8]])
    result = evaluate_multiclass(*[MulticlassSample(responses, None, [0, 1, 1])] * 2, ["a", "b"])
    made = result.to_hist()
    assert made.axes.name == ("set", "class", "output", "x")
    np.testing.assert_array_equal(made["test", "b", "a", :].values(flow=True), result.test_histograms[1][0].cells)
    assert not np.array_equal(result.test_histograms[1][0].cells, result.test_histograms[0][1].cells)


def test_without_hist_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "hist", None)
    with pytest.raises(MissingDependencyError, match=r"hist.*pytmva-bnn\[plot\]"):
        fill_1d([1.0], None, 1, 0.0, 2.0).to_hist()
