"""From entries of the output file to ROOT objects that uproot can write."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.evaluation import NamedHistogram
from pytmva_bnn.histograms.entries import LabelledMatrix, NamedGraph, NamedProfile, NamedText
from pytmva_bnn.histograms.root_files import NO_BINS, axis_to_root, to_root

NOT_SET = -1111.0
"""ROOT's mark for limits of drawing that the user has not set."""

_MATRIX_STYLE = {"fMinimum": -100.0, "fMaximum": 100.0, "fMarkerColor": 0, "fMarkerSize": 1.5}


def root_object(entry: NamedText | NamedHistogram | NamedProfile | NamedGraph | LabelledMatrix) -> Any:
    """Return what uproot writes for an entry."""
    match entry:
        case NamedText():
            return entry.text
        case NamedGraph():
            return _graph(entry)
        case NamedProfile():
            return _profile(entry)
        case LabelledMatrix():
            histogram = entry.histogram
            common: dict[str, Any] = {"labels": entry.labels, "fLabelSize": 0.055, "fBits2": 3}
            x = axis_to_root("x", histogram.x, fLabelOffset=0.011, **common)
            y = axis_to_root("y", histogram.y, **common)
            return to_root(histogram, entry.name, entry.title, x, y, **_MATRIX_STYLE)
        case NamedHistogram():
            x_axis, y_axis = (*entry.histogram.axes, NO_BINS)[:2]
            x, y = axis_to_root("x", x_axis, entry.x_title), axis_to_root("y", y_axis, entry.y_title)
            return to_root(entry.histogram, entry.name, entry.title, x, y)


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
        fXaxis=axis_to_root("x", made.axis, entry.x_title),
        fYaxis=axis_to_root("y", title=entry.y_title),
        fZaxis=axis_to_root("z"),
    )


def _graph(entry: NamedGraph) -> Any:
    import uproot  # heavy

    graph = uproot.as_TGraph({"x": entry.x, "y": entry.y}, minY=NOT_SET, maxY=NOT_SET, lineColor=1)
    named, _, filled, _ = graph._bases
    named._members["fTitle"] = entry.title  # uproot would add the titles of the axes, which are not set here
    filled._members["fFillStyle"] = 1000
    return graph
