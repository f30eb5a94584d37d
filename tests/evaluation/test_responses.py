"""Densities of the response, probabilities and rarity."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinarySample, stored_probabilities, training_response_histograms
from pytmva_bnn.evaluation.responses import probability_histograms, response_density
from pytmva_bnn.histograms import PDFSettings, fill_1d, normalised


@pytest.fixture(scope="module")
def densities():
    rng = np.random.default_rng(1)
    return [
        response_density(normalised(fill_1d(rng.normal(mean, 1.0, 5000), None, 40, -4.0, 5.0))) for mean in (1.0, 0.0)
    ]


def test_the_loop_over_probabilities_stops_where_one_is_undefined(densities, monkeypatch):
    found = stored_probabilities(*densities, [-1.0, 0.5, 2.0])
    assert found.dtype == np.float32
    assert np.all(np.diff(found) > 0)
    undefined = np.array([0.5, -1.0, 0.7])
    monkeypatch.setattr("pytmva_bnn.evaluation.responses.probability", lambda *_: undefined.copy())
    assert stored_probabilities(*densities, [0.0, 0.0, 0.0]).tolist() == [0.5, 0.0, 0.0]


def test_background_is_uniform_in_rarity(densities):
    rng = np.random.default_rng(3)
    sample = BinarySample(rng.normal(0.0, 1.0, 20000), None, np.zeros(20000, bool))
    made = probability_histograms(sample, *densities)
    assert made.rarity_background.values[2:-2] == pytest.approx(np.ones(36), abs=0.25)
    assert made.rarity_background.mean() == pytest.approx(0.5, abs=0.02)


def test_training_histograms_have_the_bins_asked_for():
    sample = BinarySample(np.linspace(0.0, 1.0, 500), np.full(500, 0.5), np.arange(500) % 2 == 0)
    signal, background = training_response_histograms(sample, 7)
    assert (signal.n_bins, signal.x_min, signal.x_max) == (7, 0.0, 1.0)
    assert background.cells[-1] > 0  # the largest response is in the overflow
    with pytest.raises(InputError, match="there are none"):
        training_response_histograms(BinarySample([], None, []), 7)


def test_the_training_histograms_of_a_weight_file_are_reproduced(record, case_named):
    import pytmva_bnn

    events, model = record("bfgs_n"), pytmva_bnn.load(case_named("mvapdfs").weights)
    response = model.predict(events["train_variables"])
    sample = BinarySample(response, events["train_weight"], events["train_class"] == 0)
    n_bins = PDFSettings().bins_for(sample.n_events)
    made = training_response_histograms(sample, n_bins)
    for histogram, pdf in zip(made, model.response_pdfs, strict=True):
        written = pdf.record.histogram
        assert (written.x_min, written.x_max) == (histogram.x_min, histogram.x_max)
        np.testing.assert_allclose(histogram.values, written.values, rtol=1e-6)
