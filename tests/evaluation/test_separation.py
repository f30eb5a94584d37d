"""Separation, densities of the response, significance and probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import (
    BinarySample,
    density_roc_integral,
    histogram_separation,
    maximum_significance,
    stored_probabilities,
    training_response_histograms,
)
from pytmva_bnn.evaluation.histograms import fill_1d, from_contents, normalised
from pytmva_bnn.evaluation.probability import probability_histograms
from pytmva_bnn.evaluation.separation import response_density
from pytmva_bnn.histograms import pdf_separation


@pytest.fixture(scope="module")
def densities():
    rng = np.random.default_rng(1)
    return [
        response_density(normalised(fill_1d(rng.normal(mean, 1.0, 5000), None, 40, -4.0, 5.0))) for mean in (1.0, 0.0)
    ]


def test_separation_of_histograms_is_that_of_a_loop():
    s, b = from_contents([1.0, 5.0, 0.0, 2.0], 0.0, 2.0), from_contents([4.0, 1.0, 0.0, 1.0], 0.0, 2.0)
    total = 0.0
    for x, y in zip(s.values / 8 / 0.5, b.values / 6 / 0.5, strict=True):
        total += (x - y) ** 2 / (x + y) if x + y > 0 else 0.0
    assert histogram_separation(s, b) == pytest.approx(0.5 * total * 0.5)


@pytest.mark.parametrize(
    ("signal", "background", "expected"),
    [([1.0, 0.0], [0.0, 1.0], 1.0), ([1.0, 2.0], [2.0, 4.0], 0.0), ([0.0, 0.0], [1.0, 1.0], 0.0)],
    ids=["apart", "equal", "empty"],
)
def test_separation_is_between_0_and_1(signal, background, expected):
    found = histogram_separation(from_contents(signal, 0.0, 1.0), from_contents(background, 0.0, 1.0))
    assert found == pytest.approx(expected)


def test_numbers_of_densities_are_those_of_loops(densities):
    signal, background = densities
    low, high = -4.0, 5.0
    d, total = (high - low) / 100, 0.0
    for k in range(100):
        s, b = (float(p.value((k + 0.5) * d + low)) for p in densities)
        total += (s - b) ** 2 / (s + b)
    assert pdf_separation(signal, background) == pytest.approx(0.5 * d * total, rel=1e-12)
    step, cut, total = (high - low) / 1000, low, 0.0
    for _ in range(1000):
        total += (1.0 - float(background.integral(cut, high))) * float(signal.value(cut))
        cut += step
    assert density_roc_integral(signal, background) == pytest.approx(total * step, rel=1e-12)
    assert density_roc_integral(signal, background) == pytest.approx(0.76, abs=0.015)


def test_the_loop_over_probabilities_stops_where_one_is_undefined(densities, monkeypatch):
    found = stored_probabilities(*densities, [-1.0, 0.5, 2.0])
    assert found.dtype == np.float32
    assert np.all(np.diff(found) > 0)
    undefined = np.array([0.5, -1.0, 0.7])
    monkeypatch.setattr("pytmva_bnn.evaluation.probability.probability", lambda *_: undefined.copy())
    assert stored_probabilities(*densities, [0.0, 0.0, 0.0]).tolist() == [0.5, 0.0, 0.0]


def test_background_is_uniform_in_rarity(densities):
    rng = np.random.default_rng(3)
    sample = BinarySample(rng.normal(0.0, 1.0, 20000), None, np.zeros(20000, bool))
    made = probability_histograms(sample, *densities)
    assert made.rarity_background.values[2:-2] == pytest.approx(np.ones(36), abs=0.25)
    assert made.rarity_background.mean == pytest.approx(0.5, abs=0.02)


def test_training_histograms_have_the_bins_asked_for():
    sample = BinarySample(np.linspace(0.0, 1.0, 500), np.full(500, 0.5), np.arange(500) % 2 == 0)
    assert training_response_histograms(sample)[0].n_bins == 10
    assert training_response_histograms(sample, kernels=True)[0].n_bins == 50
    signal, background = training_response_histograms(sample, 7)
    assert (signal.n_bins, signal.x_min, signal.x_max) == (7, 0.0, 1.0)
    assert background.contents[-1] > 0  # the largest response is in the overflow
    with pytest.raises(InputError, match="too few"):
        training_response_histograms(BinarySample([0.1, 0.2], None, [True, False]))
    with pytest.raises(InputError, match="there are none"):
        training_response_histograms(BinarySample([], None, []))


def test_the_training_histograms_of_a_weight_file_are_reproduced(record, case_named):
    import pytmva_bnn

    events, model = record("bfgs_n"), pytmva_bnn.load(case_named("mvapdfs").weights)
    response = model.predict(events["train_variables"])
    made = training_response_histograms(BinarySample(response, events["train_weight"], events["train_class"] == 0))
    for histogram, pdf in zip(made, model.response_pdfs, strict=True):
        written = pdf.record.histogram
        assert (written.x_min, written.x_max) == (histogram.x_min, histogram.x_max)
        np.testing.assert_allclose(histogram.values, written.contents, rtol=1e-6)


def test_the_best_cut_is_that_of_a_loop():
    effs = from_contents(np.linspace(1.0, 0.0, 50), 0.0, 1.00001)
    effb = from_contents(np.linspace(1.0, 0.0, 50) ** 3, 0.0, 1.00001)
    best = maximum_significance(effs, effb, 1.0, 100.0, 300.0)
    values = [
        10.0 * s / np.sqrt(s + 3.0 * b) if s + b > 0 else 0.0 for s, b in zip(effs.values, effb.values, strict=True)
    ]
    k = int(np.argmax(values))
    assert best.value == pytest.approx(values[k])
    assert best.cut == pytest.approx((k + 0.5) / 50)  # the range ends at 1, not at 1.00001
    with pytest.raises(InputError, match="must be positive"):
        maximum_significance(effs, effb, 1.0, 0.0, 300.0)
