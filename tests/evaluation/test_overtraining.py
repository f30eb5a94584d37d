"""The Kolmogorov-Smirnov test against loops and against scipy."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import kolmogorov
from pytmva_bnn.evaluation.overtraining import kolmogorov_probability
from pytmva_bnn.histograms import fill_1d, from_contents, normalised


@pytest.fixture
def histograms():
    rng = np.random.default_rng(1)
    return [
        normalised(fill_1d(rng.normal(mean, 1.0, n), rng.uniform(0.5, 1.5, n), 40, -4.0, 4.0))
        for mean, n in ((0.0, 800), (0.08, 500))
    ]


@pytest.mark.parametrize("z", [0.05, 0.25, 0.5, 0.7, 0.76, 1.0, 1.5, 2.5, 5.0, 8.0])
def test_the_probability_is_that_of_kolmogorov(z):
    special = pytest.importorskip("scipy.special")
    assert kolmogorov_probability(z) == pytest.approx(special.kolmogorov(z), abs=2e-7)


def test_distance_and_effective_entries_are_those_of_a_loop(histograms):
    a, b = histograms
    result = kolmogorov(a, b)
    distance = sum_a = sum_b = 0.0
    for x, y in zip(a.values / a.values.sum(), b.values / b.values.sum(), strict=True):
        sum_a, sum_b = sum_a + x, sum_b + y
        distance = max(distance, abs(sum_a - sum_b))
    assert result.distance == pytest.approx(distance)
    n = [h.values.sum() ** 2 / h.sumw2[1:-1].sum() for h in histograms]
    assert result.effective_entries == pytest.approx(n)
    assert result.probability == kolmogorov_probability(result.distance * np.sqrt(n[0] * n[1] / (n[0] + n[1])))


def test_the_scale_of_the_histograms_does_not_matter(histograms):
    a, b = histograms
    plain = kolmogorov(a, b)
    other = kolmogorov(normalised(fill_1d([0.0], None, 40, -4.0, 4.0)), b)
    assert kolmogorov(b, a).distance == pytest.approx(plain.distance)
    assert other.probability < 1.0


@pytest.mark.parametrize("contents", [[0.0, 0.0], [1.0, -2.0]])
def test_an_empty_histogram_is_refused(contents):
    with pytest.raises(InputError, match="positive integral"):
        kolmogorov(from_contents(contents, 0.0, 1.0), from_contents([1.0, 1.0], 0.0, 1.0))


def test_other_bins_are_refused():
    with pytest.raises(InputError, match="same bins"):
        kolmogorov(from_contents([1.0], 0.0, 1.0), from_contents([1.0, 1.0], 0.0, 1.0))
