"""Binned distributions in C++: the cumulative ones of transformations, and those of the response."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import AnyArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms.density import PDF, Interpolation

DISTRIBUTION = """\
   // A distribution on equal fine bins, counted from 1. If there are edges, the contents belong to the wide bins
   // between them, and the fine ones are interpolated where they are needed; otherwise they are those of the fine bins.
   struct Distribution {
      double lower;
      double upper;
      std::size_t size; // number of contents
      const float* contents;
      const double* edges;
      bool isInterpolated; // between the centres of the fine bins
   };

   static int NumberOfBins(const Distribution& d) { return d.edges != nullptr ? 10000 : static_cast<int>(d.size); }

   static double Width(const Distribution& d) { return (d.upper - d.lower) / NumberOfBins(d); }

   static double LowEdge(const Distribution& d, int bin) { return d.lower + (bin - 1) * Width(d); }

   static double Centre(const Distribution& d, int bin) { return d.lower + (bin - 0.5) * Width(d); }

   static int FindBin(const Distribution& d, double x)
   {
      if (!(x >= d.lower && x < d.upper))
         return x < d.lower ? 0 : NumberOfBins(d) + 1;
      const double width = Width(d);
      const int k = static_cast<int>((x - d.lower) / width);
      return 1 + k - (x < d.lower + width * k ? 1 : 0) + (d.lower + width * (k + 1) <= x ? 1 : 0);
   }

   static double Content(const Distribution& d, int bin)
   {
      if (d.edges != nullptr)
         return FineContent(d, Centre(d, bin));
      return d.contents[bin - 1];
   }

   // A straight line through the centres of two wide bins; where it is not positive, the wide bin itself.
   static double FineContent(const Distribution& d, double x)
   {
      const auto centre = [&d](std::size_t i) { return d.edges[i] + 0.5 * (d.edges[i + 1] - d.edges[i]); };
      std::size_t i = 0;
      for (std::size_t end = d.size; end - i > 1;) {
         const std::size_t middle = i + (end - i) / 2;
         (centre(middle) <= x ? i : end) = middle;
      }
      const std::size_t k = (x > centre(i) && i + 1 != d.size) || i == 0 ? i + 1 : i - 1;
      const double here = d.contents[i];
      const double there = d.contents[k];
      double y = here + (x - centre(i)) * (here - there) / (centre(i) - centre(k));
      if (y <= 1e-12) {
         const double* edge = std::lower_bound(d.edges, d.edges + d.size + 1, x);
         const std::ptrdiff_t bin = edge - d.edges + (edge != d.edges + d.size + 1 && *edge == x ? 1 : 0);
         y = d.contents[std::clamp<std::ptrdiff_t>(bin, 1, static_cast<std::ptrdiff_t>(d.size)) - 1];
      }
      return static_cast<float>(y >= 1e-12 ? y : 1e-12);
   }

   static double Density(const Distribution& d, double x)
   {
      const int n = NumberOfBins(d);
      const int bin = std::clamp(FindBin(d, x), 1, n);
      double r = Content(d, bin);
      if (d.isInterpolated) {
         const int other = (x > Centre(d, bin) && bin != n) || bin == 1 ? bin + 1 : bin - 1;
         r = r + (x - Centre(d, bin)) * (r - Content(d, other)) / (Centre(d, bin) - Centre(d, other));
      }
      return r >= 1e-12 ? r : 1e-12;
   }"""

INVERSE_CUMULATIVE = """\
   // Where a cumulative distribution reaches u.
   static double InverseCumulative(const Distribution& d, double u)
   {
      if (std::isnan(u))
         return u;
      int low = 0;
      int high = NumberOfBins(d);
      double contentLow = 0.0;
      double contentHigh = 0.0;
      for (int bin = high / 2; low < bin && bin < high; bin = low + (high - low) / 2) {
         const double content = Content(d, bin);
         if (u < content) {
            high = bin;
            contentHigh = content;
         } else {
            low = bin;
            contentLow = content;
         }
      }
      const double rise = contentHigh - contentLow;
      const double t = rise > 1e-10 ? (u - contentLow) / rise : contentLow; // as TMVA has it
      return Centre(d, low) + (Centre(d, high) - Centre(d, low)) * t;
   }"""


def constants_of(name: str, pdfs: list[PDF]) -> tuple[str, ...]:
    """Return the constants of an array ``k<name>`` of distributions.

    TMVA interpolates each on 10000 bins.  To keep the file small it holds the few bins of the weight file where the
    interpolation is the usual straight line: C++ then finds the same numbers.
    """
    constants: list[str] = []
    values: list[str] = []
    for position, pdf in enumerate(pdfs):
        make = _points if _is_plain_line(pdf) else _table
        arrays, value = make(f"{name}_{position}", pdf)
        constants += arrays
        values.append(value)
    return (*constants, literals.array("Distribution", f"k{name}", values))


def constant_of(name: str, pdf: PDF) -> tuple[str, ...]:
    """Return the constants of one distribution ``k<name>``, with all of its bins."""
    arrays, value = _table(name, pdf)
    return (*arrays, f"   static constexpr Distribution k{name} = {value};")


def _is_plain_line(pdf: PDF) -> bool:
    """Tell whether the C++ can interpolate the distribution as it is in the file."""
    record, h = pdf.record, pdf.record.histogram
    return (
        record.interpolation == Interpolation.SPLINE1
        and record.max_n_smooth <= 0
        and h.axis.edges is not None
        and h.n_bins > 1
        and bool(np.isfinite(h.axis.edges).all() and (np.diff(h.axis.edges) >= 0.0).all())
        and _fits_float32(h.values)
    )


def _points(name: str, pdf: PDF) -> tuple[list[str], str]:
    h = pdf.record.histogram
    arrays = [
        literals.singles(f"k{name}_contents", h.values),
        literals.doubles(f"k{name}_edges", np.asarray(h.axis.edges)),
    ]
    return arrays, _distribution(name, pdf, h.n_bins, f"k{name}_edges")


def _table(name: str, pdf: PDF) -> tuple[list[str], str]:
    h = pdf.histogram
    if h.axis.edges is not None or not _fits_float32(h.values):
        raise InputError(
            f"the distribution '{pdf.record.name}' has InterpolMethod=0 and bins of different width, which is not "
            "possible in the C++ class"
        )
    return [literals.singles(f"k{name}_contents", h.values)], _distribution(name, pdf, h.n_bins, "nullptr")


def _distribution(name: str, pdf: PDF, size: int, edges: str) -> str:
    lower, upper = literals.double(pdf.histogram.axis.lower), literals.double(pdf.histogram.axis.upper)
    interpolated = "true" if pdf.interpolated else "false"
    return f"{{{lower}, {upper}, {size}, k{name}_contents, {edges}, {interpolated}}}"


def _fits_float32(values: AnyArray) -> bool:
    with np.errstate(over="ignore"):
        return bool(np.array_equal(values, values.astype(np.float32), equal_nan=True))
