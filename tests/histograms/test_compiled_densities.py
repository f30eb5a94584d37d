"""Smoothing and interpolation by compiled code give the bits of numpy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.histograms import Histogram, PDFRecord, build_pdf
from pytmva_bnn.histograms.smoothing import _one_pass, smooth

CONTENTS = st.lists(st.integers(-3, 9).map(float) | st.floats(-1e3, 1e3), min_size=3, max_size=40)


@settings(deadline=None)  # the first call compiles
@given(CONTENTS)
def test_one_pass(contents):
    pytest.importorskip("numba")
    from pytmva_bnn.histograms.smoothing_kernels import smooth_once

    x = np.array(contents)
    np.testing.assert_array_equal(smooth_once(x), _one_pass(x))


def test_several_passes_and_contents_that_are_not_finite(both_ways):
    x = np.random.default_rng(1).poisson(20, 200).astype(float)
    np.testing.assert_array_equal(*both_ways(lambda: smooth(x, 3)))
    x[50] = np.nan
    np.testing.assert_array_equal(*both_ways(lambda: smooth(x, 1)))


@pytest.mark.parametrize("n_bins", [1, 2, 3, 50, 2000])
@pytest.mark.parametrize("variable", [True, False])
def test_straight_lines(both_ways, n_bins, variable):
    rng = np.random.default_rng(n_bins)
    contents = np.sort(rng.uniform(size=n_bins)).astype(np.float32)
    contents[: n_bins // 3] = 0
    edges = np.sort(rng.normal(size=n_bins + 1)) if variable else None
    if variable and n_bins > 3:
        edges[2] = edges[1]  # a bin without width
    histogram = Histogram("c", contents, 0.0, 1.0, edges)
    record = PDFRecord("c", 0, 0, 1, 0, 1, 1, 0.0, histogram)
    a, b = both_ways(lambda: build_pdf(record, normalise=False).histogram.contents)
    np.testing.assert_array_equal(a.view(np.uint32), b.view(np.uint32))
