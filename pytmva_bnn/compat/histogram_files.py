"""Histograms to and from ROOT files: real TH1 and TH2 objects, written and read with uproot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pytmva_bnn.compat.axes import TAxis
from pytmva_bnn.compat.histograms import TH1, TH1D, TH1F, TH1I
from pytmva_bnn.compat.histograms_2d import TH2D, TH2F, TH2I
from pytmva_bnn.compat.profiles import TProfile
from pytmva_bnn.histograms.entries import NamedProfile
from pytmva_bnn.histograms.root_files import SUMS, axis_to_root, from_root, to_root
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
        for number, label in enumerate(stored.member(name).member("fLabels") or (), 1):
            axis.SetBinLabel(_bin_of_label(label) or number, str(label))
    return histogram


def _bin_of_label(label: Any) -> int:
    """Return the bin that a stored label belongs to, 0 if it does not tell."""
    return int(label.bases[0].member("@fUniqueID")) if label.bases else 0


def profile_of(stored: Any) -> TProfile:
    """Return the profile that uproot has read."""
    stored_axis = stored.member("fXaxis")
    edges = np.asarray(stored_axis.member("fXbins"), dtype=np.float64)
    ends = float(stored_axis.member("fXmin")), float(stored_axis.member("fXmax"))
    profile = TProfile(
        str(stored.name), str(stored.title), int(stored_axis.member("fNbins")), *([edges] if len(edges) else ends)
    )
    profile.SetDirectory(None)
    entries = np.asarray(stored.member("fBinEntries"), dtype=np.float64)
    squares = np.asarray(stored.member("fBinSumw2"), dtype=np.float64)
    sums = np.asarray(stored.bases[0].bases[-1], dtype=np.float64), np.asarray(stored.member("fSumw2"))
    profile.set_sums(np.stack([entries, squares if len(squares) else entries, *sums]))
    numbers = [float(stored.member(key)) for key in SUMS[:6]]
    profile._histogram.entries = float(stored.member("fEntries"))
    profile._histogram.statistics[:] = numbers[:4]
    profile._y_sums[:] = numbers[4:]
    for name, axis in zip(("fXaxis", "fYaxis"), _both(profile), strict=True):
        axis.SetTitle(str(stored.member(name).member("fTitle")))
    return profile


def _both(histogram: TH1) -> tuple[TAxis, TAxis]:
    return histogram.GetXaxis(), histogram.GetYaxis()
