"""The cuts in C++."""

from __future__ import annotations

from string import Template

METHODS = Template(
    """\
   // Set the signal efficiency of which GetMvaValue applies the cuts; it is 0 at first, and then no event passes.
   void SetTestSignalEfficiency(double signalEfficiency) { signalEfficiency_ = signalEfficiency; }

   // 1 for an event that passes the cuts, 0 for others.
   double GetMvaValue(const std::vector<double>& inputValues) const override
   {
      return GetMvaValue(inputValues, signalEfficiency_);
   }

   // The same for another signal efficiency, as EvaluateMVA(tag, signalEfficiency) of TMVA's Reader.
   double GetMvaValue(const std::vector<double>& inputValues, double signalEfficiency) const
   {
      if (!CanEvaluate(inputValues))
         return 0.0;
      const Event event = Prepared(inputValues);
      for (std::size_t i = 0; i < kVariables; ++i)
         if (std::isnan(event[i]))
            return std::numeric_limits<double>::quiet_NaN();
      if (!(signalEfficiency > 0.0))
         return 0.0;
      const std::size_t cuts = Index(signalEfficiency);
      for (std::size_t i = 0; i < kVariables; ++i) {
         const double x = static_cast<double>(event[i]);
         if (!(kLower[cuts][i] < x && x <= kUpper[cuts][i]))
            return 0.0;
      }
      return 1.0;
   }"""
)

INDEX = Template(
    """\
   double signalEfficiency_ = 0.0;

   // The row of the table for a signal efficiency: that of the next bin, as TMVA has it.
   static std::size_t Index(double signalEfficiency)
   {
      constexpr std::size_t n = $n_bins;
      constexpr double width = 1.0 / static_cast<double>(n);
      if (!(signalEfficiency < 1.0))
         return n - 1;
      const auto k = static_cast<std::size_t>(signalEfficiency / width);
      const std::size_t below = signalEfficiency < width * static_cast<double>(k) ? 1 : 0;
      const std::size_t above = width * static_cast<double>(k + 1) <= signalEfficiency ? 1 : 0;
      return std::min(k + 1 - below + above, n - 1);
   }"""
)
