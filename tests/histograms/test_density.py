"""Building, values, integrals and the inverse of a PDF against scalar loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import PDF, Interpolation, PDFRecord, build_pdf, from_contents
from pytmva_bnn.histograms.splines import SPLINES


def record(contents, low=0.0, high=1.0, *, edges=None, interpolation=2, smooth=(0, 0), dtype=np.float32):
    histogram = from_contents(np.array(contents, dtype=dtype), low, high, edges, name="h")
    return PDFRecord("p", *smooth, interpolation, 1, 1, 1, 1.0, histogram)


def naive_fine(rec):
    """Return the fine contents before normalisation, one bin at a time."""
    h = rec.histogram
    n = h.n_bins
    low, high = h.axis.lower, h.axis.upper
    result = []
    for b in range(1, 10001):
        x = low + (b - 0.5) * ((high - low) / 10000)
        y = float(SPLINES[rec.interpolation](h.centres, h.values.astype(float), np.array([x]))[0])
        if y <= 1e-12:
            y = float(h.values[min(max(int(h.axis.find_bin(x)), 1), n) - 1])
        result.append(np.float32(max(1e-12, y)))
    return result


def naive_value(pdf: PDF, x: float) -> float:
    h = pdf.histogram
    n = h.n_bins
    b = min(max(int(h.axis.find_bin(x)), 1), n)
    r = float(h.values[b - 1])
    if pdf.interpolated:
        centre = float(h.axis.centre(b))
        k = b + 1 if (x > centre and b != n) or b == 1 else b - 1
        r = r + (x - centre) * (r - float(h.values[k - 1])) / (centre - float(h.axis.centre(k)))
    return max(1e-12, r)  # in this order NaN gives 1e-12


def naive_integral(pdf: PDF, x1: float, x2: float) -> float:
    h = pdf.histogram
    first = max(int(h.axis.find_bin(x1)), 1)
    last = min(int(h.axis.find_bin(x2)), h.n_bins)
    widths = h.axis.width(np.arange(h.n_bins + 1)).astype(np.float32)
    total = 0.0
    for b in range(first, last + 1):
        dx = widths[b]
        if b == first:
            dx = np.float32(h.axis.low_edge(b + 1) - x1)
        elif b == last:
            dx = np.float32(x2 - h.axis.low_edge(b))
        if dx < 0:
            assert dx > -1e-8
            dx = np.float32(0)
        total += float(h.values[b - 1]) * float(dx)
    return total


def naive_inverse(pdf: PDF, u: float) -> float:
    h = pdf.histogram
    lo, hi, p_lo, p_hi = 0, h.n_bins, 0.0, 0.0
    b = h.n_bins // 2
    while lo < b < hi:
        p = float(h.values[b - 1])
        if u < p:
            hi, p_hi = b, p
        else:
            lo, p_lo = b, p
        b = lo + (hi - lo) // 2
    length = p_hi - p_lo
    t = (u - p_lo) / length if length > 1e-10 else p_lo
    c_lo, c_hi = float(h.axis.centre(lo)), float(h.axis.centre(hi))
    return c_lo + (c_hi - c_lo) * t


CONTENTS = [0.0, 0.0, 0.3, 1.2, 0.9, 0.0, 0.4, 0.1]
EDGES = np.array([0.0, 0.1, 0.1, 0.3, 0.35, 0.6, 0.8, 0.9, 1.0])
RECORDS = {
    "spline0": record(CONTENTS, interpolation=0),
    "spline0 float64": record(CONTENTS, interpolation=0, dtype=np.float64),
    "spline0 variable bins": record(CONTENTS, interpolation=0, edges=EDGES),
    "spline1": record(CONTENTS, interpolation=1),
    "spline1 variable bins": record(CONTENTS, interpolation=1, edges=EDGES),
    "spline2": record(CONTENTS, -3.0, 5.0, interpolation=2),
    "spline3": record(CONTENTS, interpolation=3),
    "spline5": record(CONTENTS, interpolation=4),
    "kde": record(CONTENTS, interpolation=5),
    "smoothed": record(CONTENTS, smooth=(2, 2)),
    "one bin": record([2.0], interpolation=2),
    "one bin, spline1": record([2.0], interpolation=1),
    "two bins": record([2.0, 3.0], interpolation=2),
    "two bins, spline0": record([2.0, 3.0], interpolation=0),
}


@pytest.fixture(scope="module", params=RECORDS)
def pdf(request):
    return build_pdf(RECORDS[request.param], normalise=True)


def arguments(pdf):
    low, high = pdf.histogram.axis.lower, pdf.histogram.axis.upper
    rng = np.random.default_rng(5)
    inside = rng.uniform(low, high, 40)
    some = pdf.histogram.axis.low_edge([1, 2, 3, pdf.histogram.n_bins])
    return np.concatenate([inside, some, pdf.histogram.centres[:3], [low, high, low - 1, high + 2, high + 1e3]])


def test_values_agree_bit_for_bit_with_scalar_loops(pdf):
    x = arguments(pdf)
    assert pdf.value(x).tolist() == [naive_value(pdf, float(v)) for v in x]


def test_integrals_agree_bit_for_bit_with_scalar_loops(pdf):
    x = arguments(pdf)
    low = pdf.histogram.axis.lower
    assert pdf.integral(low, x).tolist() == [naive_integral(pdf, low, float(v)) for v in x]
    starts = x[::-1][:12]
    assert pdf.integral(starts, x[:12]).tolist() == [
        naive_integral(pdf, float(a), float(b)) for a, b in zip(starts, x[:12], strict=True)
    ]


def test_the_area_is_one(pdf):
    h = pdf.histogram
    if h.axis.edges is None:
        assert float(pdf.integral(h.axis.lower, np.nextafter(h.axis.upper, -9))) == pytest.approx(1, abs=1e-6)
    # TMVA: normalises variable bins with their mean width
    assert h.values.astype(float).sum() * h.width == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("x", "expected"), [(math.nan, 1e-12), (-math.inf, (1e-12, math.inf)), (math.inf, (1e-12, math.inf))]
)
def test_values_that_are_no_numbers_give_a_limit(pdf, x, expected):
    value = float(pdf.value(x))
    if pdf.interpolated:
        assert value in np.atleast_1d(expected)
    else:
        assert value >= 1e-12


def test_shapes_are_kept(pdf):
    x = np.linspace(0, 1, 6).reshape(2, 3)
    assert pdf.value(x).shape == pdf.integral(0.0, x).shape == pdf.inverse_cumulative(x).shape == (2, 3)
    assert pdf.value(0.5).shape == pdf.integral(0.0, 0.5).shape == ()


@pytest.mark.parametrize("name", ["spline1", "spline1 variable bins", "spline2", "spline3", "two bins"])
def test_fine_bins_are_the_spline_or_the_bin_content(name):
    fine = build_pdf(RECORDS[name], normalise=False).histogram
    assert fine.values.dtype == np.float32
    assert fine.values.tolist() == [float(v) for v in naive_fine(RECORDS[name])]


def test_normalisation_scales_each_bin_and_rounds_to_float32():
    plain = build_pdf(RECORDS["spline2"], normalise=False).histogram
    total = 0.0
    for content in plain.values:
        total += float(content)
    factor = 1.0 / (total * (plain.x_max - plain.x_min) / 10000)
    expected = [np.float32(float(content) * factor) for content in plain.values]
    assert build_pdf(RECORDS["spline2"], normalise=True).histogram.values.tolist() == expected


def test_spline0_keeps_bins_and_type():
    for name, dtype in (("spline0", np.float32), ("spline0 float64", np.float64)):
        histogram = build_pdf(RECORDS[name], normalise=True).histogram
        assert histogram.n_bins == len(CONTENTS)
        assert histogram.values.dtype == dtype
    assert build_pdf(RECORDS["spline0 variable bins"], normalise=True).histogram.axis.edges is not None


def test_an_empty_histogram_is_left_alone():
    assert build_pdf(record([0.0] * 4, interpolation=0), normalise=True).histogram.values.tolist() == [0.0] * 4
    assert (
        build_pdf(record([0.0] * 4, interpolation=1), normalise=False).value([0.1, 0.9, 2.0]).tolist()
        == [max(float(np.float32(1e-12)), 1e-12)] * 3
    )


def test_a_negative_area_is_refused():
    with pytest.raises(InputError, match="PDF 'p': the integral is negative"):
        build_pdf(record([-1.0, 0.5], interpolation=0), normalise=True)


def test_an_unknown_interpolation_is_refused():
    with pytest.raises(InputError, match=r"PDF 'p': unknown interpolation 7, expected one of 0 SPLINE0, 1 SPLINE1"):
        build_pdf(record([1.0, 0.5], interpolation=7), normalise=True)


def test_quirks_of_the_integral():
    pdf = build_pdf(record([1.0] * 4, interpolation=2), normalise=True)
    width = float(np.float32(1e-4))
    assert float(pdf.integral(0.0, -0.1)) == 0  # below the range
    assert float(pdf.integral(0.0, 0.0)) == pytest.approx(width, rel=1e-6)  # the whole first bin
    assert float(pdf.integral(0.0, 3.0)) == pytest.approx(3, abs=1e-5)  # above the range
    assert float(pdf.integral(2.0, 3.0)) == 0
    assert math.isnan(float(pdf.integral(0.0, math.nan)))
    assert float(pdf.integral(math.nan, 0.5)) == 0


CUMULATIVE_EDGES = np.array([-1.0001, -1.0, -0.2, 0.3, 0.3, 2.0])


def cumulative(contents=(0.02, 0.3, 0.7, 0.8, 1.0)):
    return build_pdf(record(contents, edges=CUMULATIVE_EDGES, interpolation=Interpolation.SPLINE1), normalise=False)


@pytest.mark.parametrize("contents", [(0.02, 0.3, 0.7, 0.8, 1.0), (0.0, 0.5, 0.5, 0.5, 1.0), (0, 0, 0, 0, 0)])
def test_the_inverse_agrees_bit_for_bit_with_the_search(contents):
    pdf = cumulative(contents)
    u = np.concatenate([np.linspace(-0.1, 1.2, 131), pdf.histogram.values[::999].astype(float)])
    assert pdf.inverse_cumulative(u).tolist() == [naive_inverse(pdf, float(v)) for v in u]


def test_the_inverse_of_nan_is_nan_where_tmva_hangs():
    assert np.isnan(cumulative().inverse_cumulative([math.nan, 0.5])).tolist() == [True, False]


@settings(deadline=None)
@given(st.lists(st.floats(-0.9, 1.0), min_size=1, max_size=20))
def test_the_inverse_undoes_the_cumulative(values):
    pdf = build_pdf(record([0.1, 0.3, 0.5, 0.75, 1.0], -1.0, 2.0, interpolation=Interpolation.SPLINE1), normalise=False)
    np.testing.assert_allclose(pdf.inverse_cumulative(pdf.value(values)), values, atol=1e-4)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=8))
def test_one_value_at_a_time_gives_the_same_bits(values):
    pdf = cumulative()
    assert pdf.value(values).tolist() == [float(pdf.value(v)) for v in values]


def test_steps_of_the_integral_that_rounding_made_negative_count_as_zero():
    pdf = cumulative()
    assert float(pdf._not_negative(np.float32(-1e-9))) == 0
    with pytest.raises(InputError, match="PDF 'p': negative step in the integral"):
        pdf._not_negative(np.float32(-1e-3))
