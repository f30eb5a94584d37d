"""Histograms in ROOT files: TH1 and TH2 objects as uproot writes and reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.histograms.axis import Axis
from pytmva_bnn.histograms.histogram import Histogram, Histogram1D, Histogram2D

SUMS = ("fTsumw", "fTsumw2", "fTsumwx", "fTsumwx2", "fTsumwy", "fTsumwy2", "fTsumwxy")
NO_BINS = Axis(1, 0.0, 1.0)
"""What ROOT has for the directions in which there are no bins."""


def to_root(histogram: Histogram, name: str, title: str, x_axis: Any = None, y_axis: Any = None, **members: Any) -> Any:
    """Return what uproot writes; axes with titles or labels come from :func:`axis_to_root`."""
    from uproot.writing.identify import to_TH1x, to_TH2x  # heavy

    two = len(histogram.axes) == 2
    return (to_TH2x if two else to_TH1x)(
        name,
        title,
        np.ascontiguousarray(histogram.cells.T).ravel(),  # ROOT counts along x first
        histogram.entries,
        *histogram.statistics.tolist(),
        fSumw2=None if histogram.sumw2 is None else np.ascontiguousarray(histogram.sumw2.T).ravel(),
        fXaxis=x_axis or axis_to_root("x", histogram.axes[0]),
        fYaxis=y_axis or axis_to_root("y", histogram.axes[1] if two else NO_BINS),
        fZaxis=axis_to_root("z"),
        **members,
    )


def axis_to_root(which: str, axis: Axis = NO_BINS, title: str = "", labels: Sequence[str] = (), **members: Any) -> Any:
    """Return a TAxis for uproot; ``which`` is x, y or z, and ``labels`` are those of the first bins."""
    from uproot.writing.identify import to_TAxis, to_THashList, to_TObjString  # heavy

    named = None
    if labels:
        named = to_THashList([to_TObjString(label) for label in labels])
        for number, label in enumerate(named, 1):
            label._bases[0]._members["@fUniqueID"] = number  # the bin that ROOT gives the label to
    # the offset of titles is ROOT's usual one for y
    usual = {"fTitleOffset": 0.0 if which == "y" else 1.0}
    return to_TAxis(
        f"{which}axis", title, axis.n_bins, axis.x_min, axis.x_max, axis.edges, fLabels=named, **(usual | members)
    )


def from_root(stored: Any) -> Histogram1D | Histogram2D:
    """Return the histogram that uproot has read."""
    two = str(stored.classname).startswith("TH2")
    axes = tuple(_axis(stored.member(name)) for name in ("fXaxis", "fYaxis")[: 1 + two])
    cells = np.asarray(stored.values(flow=True))
    squares: FloatArray = np.asarray(stored.member("fSumw2"), dtype=np.float64)
    return (Histogram2D if two else Histogram1D)(
        axes,
        cells,
        squares.reshape(cells.shape[::-1]).T.copy() if len(squares) else None,
        float(stored.member("fEntries")),
        np.array([float(stored.member(key)) for key in SUMS[: 7 if two else 4]]),
        name=str(stored.name),
    )


def _axis(member: Any) -> Axis:
    edges = np.asarray(member.member("fXbins"), dtype=np.float64)
    ends = float(member.member("fXmin")), float(member.member("fXmax"))
    return Axis(int(member.member("fNbins")), *ends, edges if len(edges) else None)
