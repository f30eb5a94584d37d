"""Binned distributions: their values and where they reach a value."""

from __future__ import annotations

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

OLD_CUMULATIVE = """\
   // A cumulative distribution as TMVA 3 had it: known at the upper edges of its bins.
   struct OldCumulative {
      std::size_t size; // number of contents; there is one edge more
      const double* contents;
      const double* edges;
      double epsilon; // half an event
   };

   static double OldValue(const OldCumulative& d, double x)
   {
      if (x >= d.edges[d.size])
         return 1.0 - d.epsilon;
      if (x <= d.edges[0])
         return d.epsilon;
      const double* edge = std::lower_bound(d.edges, d.edges + d.size + 1, x);
      const std::ptrdiff_t place = edge - d.edges + (edge != d.edges + d.size + 1 && *edge == x ? 1 : 0);
      const std::ptrdiff_t bin = std::clamp<std::ptrdiff_t>(place, 1, static_cast<std::ptrdiff_t>(d.size));
      const double x0 = d.edges[bin - 1];
      const double x1 = d.edges[bin];
      const double y0 = bin == 1 ? d.epsilon : d.contents[bin - 2];
      const double y1 = bin == static_cast<std::ptrdiff_t>(d.size) ? 1.0 - d.epsilon : d.contents[bin - 1];
      return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
   }"""
