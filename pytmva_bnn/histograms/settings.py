"""How a PDF is to be made, from the options of a method.

>>> options = parse_response_pdf_options("!V:PDFInterpolMVAPdf=Spline3:MinNSmoothMVAPdfSig=1:MaxNSmoothMVAPdfSig=2")
>>> options.signal.interpolation.name, options.signal.max_n_smooth, options.background.max_n_smooth
('SPLINE3', 2, 0)
>>> options.marked
'!V:~PDFInterpolMVAPdf=Spline3:~MinNSmoothMVAPdfSig=1:~MaxNSmoothMVAPdfSig=2'
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from pytmva_bnn.errors import OptionError
from pytmva_bnn.histograms.density import Interpolation, PDFRecord
from pytmva_bnn.histograms.histogram import Histogram1D
from pytmva_bnn.options import Option, OptionSet, OptionValue, pdf_options

LOGGER = logging.getLogger("pytmva_bnn.histograms")

COMMON, BACKGROUND, SIGNAL = "MVAPdf", "MVAPdfBkg", "MVAPdfSig"
"""What the names of the options end in."""

KDE_TYPES = {"Gauss": 1}
KDE_ITERATIONS = {"Nonadaptive": 1, "Adaptive": 2}
KDE_BORDERS = {"None": 1, "Renorm": 2, "Mirror": 3}
KDE_BIN_FACTOR = 5
INTERPOLATIONS = {
    name: Interpolation[name.upper()] for name in ("Spline0", "Spline1", "Spline2", "Spline3", "Spline5", "KDE")
}

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class PDFSettings:
    """How to bin, smooth and interpolate; the codes are those of :class:`~pytmva_bnn.histograms.PDFRecord`."""

    min_n_smooth: int = 0
    max_n_smooth: int = 0
    events_per_bin: int = 50
    n_bins: int = 0
    check_histogram: bool = False
    interpolation: Interpolation = Interpolation.SPLINE2
    kde_type: int = 1
    kde_iter: int = 1
    kde_border: int = 1
    kde_fine_factor: float = 1.0

    def __post_init__(self) -> None:
        if self.n_bins <= 0 and self.events_per_bin <= 0:
            raise OptionError(f"NAvEvtPerBin must be positive unless Nbins is given, got {self.events_per_bin}")

    @classmethod
    def of_options(cls, options: OptionSet, suffix: str) -> PDFSettings:
        """Return the settings from options whose names end in ``suffix``."""
        passes, low, high = (options.integer(name + suffix) for name in ("NSmooth", "MinNSmooth", "MaxNSmooth"))
        if low < 0 or high < 0:
            low = high = max(passes, 0)
        if high < low:
            raise OptionError(
                f"{options.owner + ': ' if options.owner else ''}MaxNSmooth{suffix}={high} is smaller than "
                f"MinNSmooth{suffix}={low}; give both, or NSmooth{suffix} alone"
            )
        return cls(
            min_n_smooth=low,
            max_n_smooth=high,
            events_per_bin=options.integer("NAvEvtPerBin" + suffix),
            n_bins=options.integer("Nbins" + suffix),
            check_histogram=options.flag("CheckHist" + suffix),
            interpolation=_chosen(options, "PDFInterpol" + suffix, INTERPOLATIONS),
            kde_type=_chosen(options, "KDEtype" + suffix, KDE_TYPES),
            kde_iter=_chosen(options, "KDEiter" + suffix, KDE_ITERATIONS),
            kde_border=_chosen(options, "KDEborder" + suffix, KDE_BORDERS),
            kde_fine_factor=options.real("KDEFineFactor" + suffix),
        )

    def bins_for(self, n_events: int) -> int:
        """Return the number of bins of the histogram for this number of events."""
        n = self.n_bins if self.n_bins > 0 else n_events // self.events_per_bin
        if self.interpolation is Interpolation.KDE:
            n *= KDE_BIN_FACTOR
        return max(n, 1)

    def record(self, name: str, histogram: Histogram1D) -> PDFRecord:
        """Return how a PDF is made of a filled histogram; with CheckHist, warn of one that has too many bins."""
        empty = int(np.count_nonzero(histogram.values == 0))
        n_bins = histogram.n_bins
        if self.check_histogram and self.interpolation is not Interpolation.SPLINE0 and empty > 0.5 * n_bins:
            LOGGER.warning(
                "More than half of the bins of the histogram of PDF '%s' are empty (%d of %d): use fewer bins",
                name, empty, n_bins,
            )  # fmt: skip
        return PDFRecord(
            name,
            self.min_n_smooth,
            self.max_n_smooth,
            self.interpolation.value,
            self.kde_type,
            self.kde_iter,
            self.kde_border,
            self.kde_fine_factor,
            histogram,
        )


def _chosen(options: OptionSet, name: str, values: Mapping[str, Choice]) -> Choice:
    # a blank in front of a value keeps it from being matched with the allowed ones
    value = options.string(name)
    if value not in values:
        owner = f"{options.owner}: " if options.owner else ""
        raise OptionError(f"{owner}{name}={value} is not one of {', '.join(values)}")
    return values[value]


@dataclass(frozen=True)
class ResponsePDFOptions:
    """The settings of the PDFs of signal and background, and the option string with what was understood marked.

    ``declared`` are all options that were looked for.

    """

    signal: PDFSettings
    background: PDFSettings
    marked: str
    declared: tuple[Option, ...]


def parse_response_pdf_options(text: str, owner: str = "") -> ResponsePDFOptions:
    """Read the options of the PDFs of the response from the (marked) option string of a method."""
    common = OptionSet(pdf_options(COMMON), owner)
    marked = common.parse(text)
    base = PDFSettings.of_options(common, COMMON)
    defaults: dict[str, OptionValue] = {
        option.name.removesuffix(COMMON): common[option.name] for option in common.declared
    }
    # TMVA: these are not negative any more, so that NSmooth of a class has no effect
    defaults |= {"MinNSmooth": base.min_n_smooth, "MaxNSmooth": base.max_n_smooth}
    background = OptionSet(pdf_options(BACKGROUND, defaults), owner)
    marked = background.parse(marked)
    signal = OptionSet(pdf_options(SIGNAL, defaults), owner)
    marked = signal.parse(marked)
    return ResponsePDFOptions(
        signal=PDFSettings.of_options(signal, SIGNAL),
        background=PDFSettings.of_options(background, BACKGROUND),
        marked=marked,
        declared=(*common.declared, *background.declared, *signal.declared),
    )
