"""The kernel density against the loops of the method's description."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Axis, PDFRecord, build_pdf, build_pdfs, from_contents
from pytmva_bnn.histograms.kde import erf, kernel_density, kernel_width

f = np.float32
ODD = Path(__file__).resolve().parents[2] / "xml_fixtures" / "odd"


def naive_sigma(h):
    c = [float(v) for v in h.values]
    x = [h.axis.lower + (b - 0.5) * (h.axis.upper - h.axis.lower) / len(c) for b in range(1, len(c) + 1)]
    s = sum(c)
    mean = sum(a * b for a, b in zip(c, x, strict=True)) / s
    rms = math.sqrt(abs(sum(a * b * b for a, b in zip(c, x, strict=True)) / s - mean * mean))
    return f(math.sqrt(2) * (4 / 3) ** 0.2 * rms * s**-0.2)


def naive_kernel(low, high, m, sigma):
    a, b = (f((float(f(edge)) - float(m)) / float(sigma)) for edge in (low, high))
    return 0.5 * (math.erf(float(b)) - math.erf(float(a)))


def naive_spread(source, target, sigma_of, border, bins=None):
    n = source.n_bins
    lo, up = f(source.axis.lower), f(target.upper)
    p = np.zeros(target.n_bins, dtype=f)
    for i in range(1, n):
        m = float(source.axis.centre(i))
        sigma = sigma_of(i)
        if math.isinf(sigma):
            continue
        around = [f(m)]
        if border == 3 and i < n // 5:
            around.append(f(2 * float(lo) - m))
        elif border == 3 and i > (4 * n) // 5:
            around.append(f(2 * float(up) - m))
        for place in around:
            for j in range(1, bins or target.n_bins):
                k = naive_kernel(target.low_edge(j), target.low_edge(j + 1), place, sigma)
                if border == 2:
                    k = float(f(1 / naive_kernel(lo, up, place, sigma))) * k
                p[j - 1] = f(p[j - 1] + f(float(source.values[i - 1]) * float(f(k))))
    return p


def naive_density(source, target, iteration, border, factor, bins=None):
    sigma = naive_sigma(source)
    if iteration == 1:
        return naive_spread(source, target, lambda _: sigma, border, bins)
    pilot = naive_spread(source, source.axis, lambda _: sigma, border)
    g = f(0)
    for j in range(1, source.n_bins):
        g = f(float(g) + float(pilot[j - 1]) * float(source.axis.width(j)))
    pilot = [f(float(c) * (1.0 / float(g))) for c in pilot]

    def width(i):
        content = float(pilot[i - 1])
        return f(float(f(factor) * sigma) / math.sqrt(content)) if content > 0 else f(math.inf)

    return naive_spread(source, target, width, border, bins)


@pytest.fixture
def source():
    return from_contents(np.float32([0.0, 0.1, 0.4, 0.9, 0.7, 0.2, 0.3, 0.6, 0.1, 0.05, 0.0, 0.2]), -1.0, 2.0, name="h")


@pytest.mark.parametrize("border", [1, 2, 3], ids=["none", "renormalised", "mirrored"])
@pytest.mark.parametrize("iteration", [1, 2], ids=["non-adaptive", "adaptive"])
def test_kernels_are_summed_as_by_plain_loops(source, iteration, border, mode):
    fine = Axis(60, source.axis.lower, source.axis.upper)
    expected = naive_density(source, fine, iteration, border, 1.3)
    result = kernel_density(source, fine, iteration=iteration, border=border, fine_factor=1.3)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, expected, err_msg=mode)


def test_the_probability_of_a_response_far_below_the_range_hangs_on_the_last_bits():
    """The line through the two lowest fine bins is extended by thousands of their widths: GetProba shows each bit."""
    reader = TMVA.Reader("Silent")
    for name in ("pt/2", "eta"):
        reader.AddVariable(name)
    model = reader.BookMVA("mlp", ODD / "mvapdfs_kde.weights.xml").model
    lines = []
    for record in model.file.mva_pdfs:
        source, how = record.in_float32().histogram, (record.kde_iter, record.kde_border, record.kde_fine_factor)
        fine = Axis(10000, source.axis.lower, source.axis.upper)
        first, second = naive_density(source, fine, *how, bins=3)[:2].tolist()
        whole = kernel_density(source, fine, **dict(zip(("iteration", "border", "fine_factor"), how, strict=True)))
        scale = 1.0 / (sum(whole.tolist()) * (fine.upper - fine.lower) / 10000)
        p, q = float(f(first * scale)), float(f(second * scale))
        lines.append((p, (p - q) / float(fine.centre(1) - fine.centre(2))))
    for x in (-0.5, -0.9, -2.0):
        s, b = (max(p + (x - float(fine.centre(1))) * slope, 1e-12) for p, slope in lines)
        assert reader.GetProba("mlp", 0.3, x) == pytest.approx(s * 0.3 / (s * 0.3 + b * 0.7), rel=1e-12)


def test_the_last_fine_bin_stays_empty_and_the_rest_has_unit_area(source):
    pdf = build_pdf(PDFRecord("p", 0, 0, 5, 1, 1, 1, 1.0, source), normalise=True)
    assert pdf.histogram.values[-1] == 0
    assert float(pdf.integral(-1.0, 2.0)) == pytest.approx(1, abs=1e-6)


def test_the_width_comes_from_the_bin_centres(source):
    assert kernel_width(source) == pytest.approx(naive_sigma(source), rel=1e-6)


@pytest.mark.parametrize("contents", [[0.0, 5.0, 0.0], [0.0, 0.0, 0.0], [-1.0, 0.0, -2.0]])
def test_a_width_of_zero_or_none_is_refused(contents):
    with pytest.raises(InputError, match="histogram 'h': the kernel density needs a positive width"):
        kernel_width(from_contents(np.array(contents), 0.0, 3.0, name="h"))


@pytest.mark.parametrize("border", [1, 2, 3], ids=["none", "renormalised", "mirrored"])
def test_empty_bins_far_from_all_others_add_nothing(border, mode):
    # there the adaptive kernels have no finite width
    lonely = from_contents(np.float32([5, 9, 4, *[0] * 40, 1, 2, 0]), 0.0, 46.0, name="h")
    density = kernel_density(lonely, Axis(460, 0.0, 46.0), iteration=2, border=border, fine_factor=0.02)
    assert np.isfinite(density).all()
    assert density.sum() == pytest.approx(lonely.values.sum(), rel=0.3)
    assert density[200:230].max() < 1e-6 * density.max()


def test_an_adaptive_density_with_negative_parts_is_refused():
    contents = from_contents(np.float32([50, 90, 40, -90, 10, 2, 3]), 0.0, 7.0, name="h")
    with pytest.raises(InputError, match="histogram 'h': an adaptive kernel density needs non-negative densities"):
        kernel_density(contents, Axis(70, 0.0, 7.0), iteration=2, border=1, fine_factor=1.0)
    assert np.isfinite(kernel_density(contents, Axis(70, 0.0, 7.0), iteration=1, border=1, fine_factor=1.0)).all()


def test_the_error_function():
    x = np.concatenate([np.linspace(-7, 7, 5001), [0.0, -0.0, np.inf, -np.inf, 1e300, 0.5, np.nextafter(0.5, 0)]])
    expected = np.array([math.erf(one) for one in x])
    found = erf(x)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1.2e-16)
    # where it is nearly 1, as kernels of events far away see it, it is that of the C library
    large = np.abs(x) > 2.5
    np.testing.assert_array_equal(found[large], expected[large])
    assert np.signbit(found[5002])


def test_several_densities_at_once_are_those_of_each(source, both_ways):
    records = [PDFRecord(f"p{k}", 0, 0, k, 1, 2, 3, 0.7, source) for k in (5, 2, 5, 0)]
    alone = [build_pdf(one, normalise=True) for one in records]
    for found in both_ways(lambda: build_pdfs(records, normalise=True)):
        for one, expected in zip(found, alone, strict=True):
            assert one.record is expected.record
            np.testing.assert_array_equal(one.histogram.cells, expected.histogram.cells)
