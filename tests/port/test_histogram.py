"""The histogram of translated macros."""

from __future__ import annotations

import numpy as np
import pytest
import uproot

from pytmva_bnn.errors import InputError
from pytmva_bnn.port.histogram import Histogram


def test_one_by_one_and_at_once_are_the_same():
    values = np.random.default_rng(1).normal(size=100)
    single, whole = Histogram("a", "a", 10, -1, 1), Histogram("b", "b", 10, -1, 1)
    for value in values:
        single.Fill(value, 2.0)
    whole.Fill(values, np.full(100, 2.0))
    np.testing.assert_array_equal(single.contents, whole.contents)
    np.testing.assert_array_equal(single.counts, 2 * np.histogram(values, np.linspace(-1, 1, 11))[0])
    assert single.GetEntries() == 100


def test_edges_belong_to_the_bin_above():
    h = Histogram("h", "h", 2, 0, 1)
    h.Fill([0.0, 0.5, 1.0, np.nan])
    assert h.contents.tolist() == [0, 1, 1, 2]


def test_statistics():
    h = Histogram("h", "h", 4, 0.0, 4.0)
    h.Fill([1.0, 3.0, 9.0])
    assert (h.GetMean(), h.GetStdDev(), h.GetRMS(), h.Integral()) == (2.0, 1.0, 1.0, 2.0)
    h.Scale(0.5)
    assert (h.GetMean(), h.Integral(), h.GetBinContent(2), h.GetBinCenter(1)) == (2.0, 1.0, 0.5, 0.5)
    empty = Histogram("h", "t", 4, 0.0, 4.0)
    assert (empty.GetMean(), empty.GetStdDev(), empty.Integral(), empty.GetNbinsX()) == (0.0, 0.0, 0.0, 4)
    assert (empty.GetName(), empty.GetTitle()) == ("h", "t")


def test_bins_of_different_width():
    h = Histogram("h", "h", 2, [0.0, 1.0, 10.0])
    h.Fill(5.0)
    assert h.counts.tolist() == [0, 1]


@pytest.mark.parametrize("bins", [(2, 1.0, 0.0), (2, [0.0, 1.0])])
def test_bins_that_make_no_sense(bins):
    with pytest.raises(InputError, match="must increase"):
        Histogram("h", "h", *bins)


def test_written_and_read_back(tmp_path):
    h = Histogram("h", "a title", 4, 0.0, 1.0)
    h.Sumw2()
    h.Fill([-1.0, 0.1, 0.6, 2.0], [1.0, 2.0, 3.0, 4.0])
    with uproot.recreate(tmp_path / "a.root") as file:
        h.Write(file)
    with uproot.open(tmp_path / "a.root") as file:
        read = file["h"]
        assert (read.classname, read.title, read.member("fEntries")) == ("TH1F", "a title", 4)
        np.testing.assert_array_equal(read.values(flow=True), [1, 2, 0, 3, 0, 4])
        np.testing.assert_array_equal(read.variances(flow=True), [1, 4, 0, 9, 0, 16])
        np.testing.assert_array_equal(read.axis().edges(), h.edges)
        assert read.member("fTsumwx") == pytest.approx(2.0)
