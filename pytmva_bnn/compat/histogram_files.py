"""Histograms to and from ROOT files: real TH1 and TH2 objects, written and read with uproot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytmva_bnn.compat.axes import TAxis
from pytmva_bnn.compat.histograms import TH1, TH1D, TH1F, TH1I
from pytmva_bnn.compat.histograms_2d import TH2D, TH2F, TH2I
from pytmva_bnn.compat.profiles import TProfile
from pytmva_bnn.histograms.entries import NamedProfile
from pytmva_bnn.histograms.root_files import axis_to_root, from_root, to_root
from pytmva_bnn.output.root_objects import root_object

CLASSES: dict[str, type[TH1]] = {one.__name__: one for one in (TH1F, TH1D, TH1I, TH2F, TH2D, TH2I)}


def stored_form(histogram: TH1) -> Any:
    """Return what uproot writes for a histogram."""
    if isinstance(histogram, TProfile):
        titles = histogram.GetXaxis().GetTitle(), histogram.GetYaxis().GetTitle()
        return root_object(NamedProfile(histogram.GetName(), histogram.GetTitle(), histogram.profile(), *titles))
    x, y = (axis_to_root(which, axis.bins, axis.GetTitle()) for which, axis in zip("xy", _both(histogram), strict=True))
    return to_root(histogram._histogram, histogram.GetName(), histogram.GetTitle(), x, y)


def histogram_of(stored: Any) -> TH1:
    """Return the histogram that uproot has read."""
    found = from_root(stored)
    cls = CLASSES.get(str(stored.classname), TH1D if len(found.axes) == 1 else TH2D)
    histogram = cls(found.name)
    histogram.SetDirectory(None)
    histogram._histogram = replace(found, cells=found.cells.astype(cls._dtype))
    histogram._axes = tuple(TAxis(axis) for axis in found.axes)
    histogram._title = str(stored.title)
    for name, axis in zip(("fXaxis", "fYaxis"), _both(histogram), strict=True):
        axis.SetTitle(str(stored.member(name).member("fTitle")))
    return histogram


def _both(histogram: TH1) -> tuple[TAxis, TAxis]:
    return histogram.GetXaxis(), histogram.GetYaxis()
