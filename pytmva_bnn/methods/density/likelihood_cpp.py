"""Likelihood in C++: the tables of its densities, and their ratio."""

from __future__ import annotations

from string import Template

from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.histograms import pdf_cpp
from pytmva_bnn.methods.density.likelihood_response import SMALLEST, PDFPairs
from pytmva_bnn.weights import WeightFile


def class_part(pdfs: PDFPairs, head: WeightFile, *, transformed: bool) -> Part:
    """Return all that the densities contribute to a C++ class."""
    del head
    tables = [
        constant
        for name, side in zip(("Signal", "Background"), zip(*pdfs, strict=True), strict=True)
        for constant in pdf_cpp.constants_of(name, list(side))
    ]
    smallest = f"   static constexpr double kSmallest = {literals.double(SMALLEST)};"
    output = "-std::log(1.0 / (r <= 0.0 ? kSmallest : r) - 1.0) / 15.0" if transformed else "r"
    return Part(
        (GET_MVA_VALUE.substitute(output=output),),
        (pdf_cpp.DISTRIBUTION, DENSITY),
        (*tables, smallest),
    )


GET_MVA_VALUE = Template(
    """\
   // The ratio of the products of the densities, from 0 (background) to 1 (signal) unless the output is transformed.
   double GetMvaValue(const std::vector<double>& inputValues) const override
   {
      if (!CanEvaluate(inputValues))
         return 0.0;
      const Event ifSignal = Prepared0(inputValues);
      const Event ifBackground = Prepared1(inputValues);
      double signal = 1.0;
      double background = 1.0;
      for (std::size_t i = 0; i < kVariables; ++i) {
         if (std::isnan(ifSignal[i]) || std::isnan(ifBackground[i]))
            return std::numeric_limits<double>::quiet_NaN();
         signal *= VariableDensity(kSignal[i], kSignal[i], ifSignal[i]);
         background *= VariableDensity(kSignal[i], kBackground[i], ifBackground[i]);
      }
      signal = std::max(signal, kSmallest);
      background = std::max(background, kSmallest);
      double r = signal / (signal + background);
      r = r >= 1.0 ? 1.0 - 1e-15 : r;
      return $output;
   }"""
)

DENSITY = """\
   // As in TMVA, that of the signal decides for both classes where the range ends and whether to interpolate.
   static double VariableDensity(const Distribution& signal, const Distribution& d, double x)
   {
      if (x >= signal.upper)
         x = signal.upper - 1e-10;
      else if (x < signal.lower)
         x = signal.lower;
      const int n = NumberOfBins(d);
      const int bin = FindBin(d, x);
      double r = ContentOrNothing(d, bin);
      if (signal.isInterpolated) {
         const int other = (x > Centre(d, bin) && bin != n) || bin == 1 ? bin + 1 : bin - 1;
         r += (x - Centre(d, bin)) * (r - ContentOrNothing(d, other)) / (Centre(d, bin) - Centre(d, other));
      }
      return r >= kSmallest ? r : kSmallest;
   }

   static double ContentOrNothing(const Distribution& d, int bin)
   {
      return bin >= 1 && bin <= NumberOfBins(d) ? Content(d, bin) : 0.0;
   }"""
