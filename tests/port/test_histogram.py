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


def test_bins_are_found_as_by_root():
    h = Histogram("h", "h", 10, 0.0, 1.0)
    h.Fill([0.3, 0.6, 0.7])  # 3 * 0.1 > 0.3, but 10 * 0.3 is 3
    assert [number for number in range(12) if h.GetBinContent(number)] == [4, 7, 8]
    assert (h.FindBin(0.6), h.FindBin(np.nan), h.FindBin(-0.1)) == (7, 11, 0)


def test_ranges_edges_and_errors():
    h = Histogram("h", "h", 4, 0.0, 2.0)
    h.Fill([-1.0, 0.1, 0.6, 0.7, 3.0], 2.0)
    assert [h.Integral(*bins) for bins in ((), (2, 4), (0, 5), (3, 1), (-2, 9))] == [6, 4, 10, 2, 10]
    assert h.Integral(1, 2, "width") == 3
    assert (h.GetBinError(2), h.GetBinLowEdge(3), h.GetBinWidth(1), h.GetBinCenter(0)) == (8**0.5, 1.0, 0.5, -0.25)
    assert (h.GetMaximum(), h.GetMaximumBin()) == (4, 2)
    h.SetBinContent(3, 7.0)
    assert (h.GetBinContent(3), h.GetBinError(3), h.GetEntries()) == (7, 0, 6)
    h.SetBinError(3, 0.5)
    assert h.GetBinError(3) == 0.5


def test_a_copy_is_independent():
    h = Histogram("h", "a;b;c", 2, 0.0, 1.0)
    h.Fill(0.1)
    copy = h.Clone("other")
    copy.Fill(0.1)
    copy.SetTitle("new")
    assert (h.Integral(), copy.Integral(), copy.GetName(), copy.title, copy.axis_titles) == (
        1,
        2,
        "other",
        "new",
        ("b", "c"),
    )
    copy.Reset()
    copy.SetName("third")
    assert (copy.GetEntries(), copy.GetName(), h.Integral()) == (0, "third", 1)


def test_written_under_another_name(tmp_path):
    h = Histogram("h", "title;x axis;y axis", 2, 0.0, 1.0)
    with uproot.recreate(tmp_path / "a.root") as file:
        h.Write(file, "background")
    with uproot.open(tmp_path / "a.root") as file:
        read = file["background"]
        assert file.keys(cycle=False) == ["background"]
        assert (read.title, read.member("fXaxis").member("fTitle")) == ("title", "x axis")
        assert read.member("fYaxis").member("fTitle") == "y axis"
