"""From entries of the output file to ROOT objects that uproot can write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.evaluation import Histogram1D, Histogram2D, NamedHistogram
from pytmva_bnn.output.entries import LabelledMatrix, NamedGraph, NamedProfile, NamedText

NOT_SET = -1111.0
"""ROOT's mark for limits of drawing that the user has not set."""

NO_STYLE: Mapping[str, float] = MappingProxyType({})

_LABELLED_AXIS = {"fLabelSize": 0.055, "fBits2": 3}
_MATRIX_STYLE = {"fMinimum": -100.0, "fMaximum": 100.0, "fMarkerColor": 0, "fMarkerSize": 1.5}


def root_object(entry: NamedText | NamedHistogram | NamedProfile | NamedGraph | LabelledMatrix) -> Any:
    """Return what uproot writes for an entry.

    >>> from pytmva_bnn.evaluation.histograms import from_contents
    >>> root_object(NamedHistogram("h", "title", from_contents([1.0, 2.0], 0.0, 1.0))).classname
    'TH1D'
    """
    match entry:
        case NamedText():
            return entry.text
        case NamedGraph():
            return _graph(entry)
        case NamedProfile():
            return _profile(entry)
        case LabelledMatrix():
            n, labels, histogram = len(entry.labels), entry.labels, entry.histogram
            x = _axis("x", histogram.x, n, labels=labels, style=_LABELLED_AXIS | {"fLabelOffset": 0.011})
            y = _axis("y", histogram.y, n, labels=labels, style=_LABELLED_AXIS)
            return _two_dimensional(entry.title, histogram, x, y, _MATRIX_STYLE)
        case NamedHistogram(histogram=Histogram1D() as histogram):
            return _one_dimensional(entry, histogram)
        case NamedHistogram(histogram=Histogram2D() as histogram):
            n_x, n_y = histogram.values.shape
            x, y = _axis("x", histogram.x, n_x, entry.x_title), _axis("y", histogram.y, n_y, entry.y_title)
            return _two_dimensional(entry.title, histogram, x, y)


def _axis(
    which: str,
    ends: tuple[float, float] = (0.0, 1.0),
    n_bins: int = 1,
    title: str = "",
    labels: Sequence[str] = (),
    style: Mapping[str, float] = NO_STYLE,
) -> Any:
    from uproot.writing.identify import to_TAxis, to_THashList, to_TObjString  # heavy

    named = None
    if labels:
        named = to_THashList([to_TObjString(label) for label in labels])
        for number, label in enumerate(named, 1):
            label._bases[0]._members["@fUniqueID"] = number  # the bin that ROOT gives the label to
    # the offset of titles is ROOT's usual one for y
    usual = {"fTitleOffset": 0.0 if which == "y" else 1.0}
    return to_TAxis(f"{which}axis", title, n_bins, *ends, fLabels=named, **(usual | dict(style)))


def _one_dimensional(entry: NamedHistogram, histogram: Histogram1D) -> Any:
    from uproot.writing.identify import to_TH1x  # heavy

    return to_TH1x(
        entry.name,
        entry.title,
        # counts of no events at all are integers, which ROOT has no histogram of this kind for
        histogram.contents if histogram.contents.dtype.kind == "f" else histogram.contents.astype(np.float32),
        histogram.entries,
        *histogram.statistics,
        fSumw2=_doubles(histogram.sumw2),
        fXaxis=_axis("x", (histogram.x_min, histogram.x_max), histogram.n_bins, entry.x_title),
        fYaxis=_axis("y", title=entry.y_title),
        fZaxis=_axis("z"),
    )


def _two_dimensional(title: str, histogram: Histogram2D, x: Any, y: Any, style: Mapping[str, float] = NO_STYLE) -> Any:
    from uproot.writing.identify import to_TH2x  # heavy

    return to_TH2x(
        None,
        title,
        histogram.contents.T.ravel(),  # ROOT counts along x first
        histogram.entries,
        *histogram.statistics,
        fSumw2=None if histogram.sumw2 is None else _doubles(histogram.sumw2.T),
        fXaxis=x,
        fYaxis=y,
        fZaxis=_axis("z"),
        **style,
    )


def _profile(entry: NamedProfile) -> Any:
    from uproot.writing.identify import to_TProfile  # heavy

    made = entry.profile
    weight_squares = np.empty(0) if made.weight_squares is None else made.weight_squares
    return to_TProfile(
        entry.name,
        entry.title,
        made.sums,
        made.entries,
        *made.statistics,
        fSumw2=made.squares,
        fBinEntries=made.bin_entries,
        fBinSumw2=weight_squares,
        fXaxis=_axis("x", (made.x_min, made.x_max), len(made.sums) - 2, entry.x_title),
        fYaxis=_axis("y", title=entry.y_title),
        fZaxis=_axis("z"),
    )


def _graph(entry: NamedGraph) -> Any:
    import uproot  # heavy

    graph = uproot.as_TGraph({"x": entry.x, "y": entry.y}, minY=NOT_SET, maxY=NOT_SET, lineColor=1)
    named, _, filled, _ = graph._bases
    named._members["fTitle"] = entry.title  # uproot would add the titles of the axes, which are not set here
    filled._members["fFillStyle"] = 1000
    return graph


def _doubles(values: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    return None if values is None else np.ascontiguousarray(values, dtype=np.float64).ravel()
