"""The linear function and the two χ² in C++."""

from __future__ import annotations

from string import Template

from pytmva_bnn.tmva_types import AnalysisType

MEANINGS = {
    AnalysisType.CLASSIFICATION: "The response: the larger, the more like signal.",
    AnalysisType.REGRESSION: "The first output, not transformed back; see GetRegressionValues.",
}

OUTPUT = Template(
    """\
   // The constant and the terms of the variables, added one after the other as TMVA's Reader does.
   static $real Output(const Event& event, const double (&coefficients)[kVariables + 1])
   {
      auto y = static_cast<$real>(coefficients[0]);
      for (std::size_t i = 0; i < kVariables; ++i)
         y = static_cast<$real>(static_cast<double>(y) + coefficients[i + 1] * static_cast<double>(event[i]));
      return y;
   }"""
)

GET_CHI_SQUARE_VALUE = """\
   // The response, from -1 at the mean of background to 1 at that of signal; NaN where a chi^2 is negative.
   double GetMvaValue(const std::vector<double>& inputValues) const override
   {
      if (!CanEvaluate(inputValues))
         return 0.0;
      const double s = ChiSquare(Prepared0(inputValues), kMeans[0], kInverseSignal);
      const double b = ChiSquare(Prepared1(inputValues), kMeans[1], kInverseBackground);
      return s < 0.0 || b < 0.0 ? std::numeric_limits<double>::quiet_NaN() : (b - s) / (s + b);
   }"""

CHI_SQUARE = """\
   // The distance of an event from the mean of a class, in units of its covariance.
   static double ChiSquare(const Event& event, const double (&means)[kVariables],
                           const double (&inverse)[kVariables][kVariables])
   {
      double sum = 0.0;
      for (std::size_t i = 0; i < kVariables; ++i) {
         const double di = static_cast<double>(event[i]) - means[i];
         for (std::size_t j = 0; j < kVariables; ++j)
            sum += di * (static_cast<double>(event[j]) - means[j]) * inverse[i][j];
      }
      return sum;
   }"""
