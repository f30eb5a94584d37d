"""Histograms keep all they have on their way through a ROOT file."""

import numpy as np
import pytest
import uproot

from pytmva_bnn.histograms import Axis, Histogram1D, Histogram2D
from pytmva_bnn.histograms.root_files import axis_to_root, from_root, to_root

EQUAL, VARIABLE = Axis(3, 0.0, 1.0), Axis(2, -1.0, 2.0, np.array([-1.0, 0.5, 2.0]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
@pytest.mark.parametrize("weights", [None, [2.0, 3.0, 4.0]], ids=["counts", "weights"])
@pytest.mark.parametrize("axes", [(EQUAL,), (VARIABLE,), (EQUAL, VARIABLE), (VARIABLE, EQUAL)])
def test_what_is_written_is_read(tmp_path, axes, weights, dtype):
    kind = Histogram1D if len(axes) == 1 else Histogram2D
    columns = ([0.1, 0.9, 5.0], [0.7, -0.5, 0.2])[: len(axes)]
    histogram = kind.empty(*axes, dtype=dtype).fill(*columns, weights=weights)
    x = axis_to_root("x", axes[0], "the x", fLabelSize=0.5)
    with uproot.recreate(tmp_path / "a.root") as file:
        file["h"] = to_root(histogram, "h", "a title", x)
    stored = uproot.open(tmp_path / "a.root")["h"]
    assert stored.title == "a title"
    assert stored.member("fXaxis").member("fTitle") == "the x"
    read = from_root(stored)
    assert type(read) is kind
    assert read.name == "h"
    assert read.cells.dtype == dtype
    np.testing.assert_array_equal(read.cells, histogram.cells)
    np.testing.assert_array_equal(read.statistics, histogram.statistics)
    assert read.entries == 3
    assert (read.sumw2 is None) == (weights is None)
    if weights is not None:
        np.testing.assert_array_equal(read.sumw2, histogram.sumw2)
    for ours, found in zip(axes, read.axes, strict=True):
        assert ours.same_bins(found)
        assert (found.edges is None) == (ours.edges is None)
