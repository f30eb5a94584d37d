"""Histograms to and from ROOT files: real TH1 and TH2 objects, written and read with uproot."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.compat.axes import TAxis
from pytmva_bnn.compat.histograms import TH1, TH1D, TH1F, TH1I
from pytmva_bnn.compat.histograms_2d import TH2, TH2D, TH2F, TH2I

CLASSES: dict[str, type[TH1]] = {one.__name__: one for one in (TH1F, TH1D, TH1I, TH2F, TH2D, TH2I)}


def stored_form(histogram: TH1) -> Any:
    """Return what uproot writes for a histogram.

    >>> stored_form(TH1F("h", "title", 2, 0, 1)).classname
    'TH1F'
    """
    from uproot.writing import identify  # heavy

    sums = [float(one) for one in histogram._sums]
    names = ("fXaxis", "fYaxis", "fZaxis")
    axes = [identify.to_TAxis(**_axis_members(axis, name)) for axis, name in zip(histogram._axes, names, strict=False)]
    if not isinstance(histogram, TH2):
        axes.append(identify.to_TAxis(**_axis_members(histogram.GetYaxis(), "fYaxis")))
    sumw2 = histogram._sumw2
    make = identify.to_TH2x if isinstance(histogram, TH2) else identify.to_TH1x
    return make(
        histogram.GetName(),
        histogram.GetTitle(),
        # ROOT: the horizontal axis runs fastest
        np.ascontiguousarray(histogram._contents.T).ravel(),
        histogram.GetEntries(),
        *sums,
        None if sumw2 is None else np.ascontiguousarray(sumw2.T).ravel(),
        *axes,
    )


def _axis_members(axis: TAxis, name: str) -> dict[str, Any]:
    return {
        "fName": name[1:].lower(),
        "fTitle": axis.GetTitle(),
        "fNbins": axis.GetNbins(),
        "fXmin": axis.GetXmin(),
        "fXmax": axis.GetXmax(),
        "fXbins": axis.edges,
    }


def histogram_of(stored: Any) -> TH1:
    """Return the histogram that uproot has read."""
    kind = str(stored.classname)
    is_2d = kind.startswith("TH2")
    cls = CLASSES.get(kind, TH2D if is_2d else TH1D)
    names = ("fXaxis", "fYaxis") if is_2d else ("fXaxis",)
    members = [stored.member(name) for name in names]
    binning: list[Any] = []
    for axis in members:
        edges = np.asarray(axis.member("fXbins"), dtype=np.float64)
        binning += [int(axis.member("fNbins"))]
        binning += [edges] if len(edges) else [float(axis.member("fXmin")), float(axis.member("fXmax"))]
    histogram = cls(str(stored.name), str(stored.title), *binning)
    histogram.SetDirectory(None)
    histogram._title = str(stored.title)
    for axis, member in zip(histogram._axes, members, strict=True):
        axis.SetTitle(str(member.member("fTitle")))
    histogram.GetYaxis().SetTitle(str(stored.member("fYaxis").member("fTitle")))
    histogram._contents = np.asarray(stored.values(flow=True)).astype(histogram._dtype)
    squares = np.asarray(stored.member("fSumw2"))
    if len(squares):
        histogram._sumw2 = squares.astype(np.float64).reshape(histogram._contents.shape[::-1]).T.copy()
    histogram._entries = float(stored.member("fEntries"))
    keys = ["fTsumw", "fTsumw2", "fTsumwx", "fTsumwx2", *(["fTsumwy", "fTsumwy2", "fTsumwxy"] if is_2d else [])]
    histogram._sums = np.array([float(stored.member(key)) for key in keys])
    return histogram
