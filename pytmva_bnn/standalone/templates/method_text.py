"""The public methods."""

from __future__ import annotations

from string import Template

GET_MVA_VALUE = Template(
    """\
   // $meaning
   double GetMvaValue(const std::vector<double>& inputValues) const override
   {
      return CanEvaluate(inputValues) ? Propagated(inputValues).a$last[0] : 0.0;
   }"""
)

GET_MVA_ERRORS = Template(
    """\
   // The lower and the upper error (one standard deviation) of what GetMvaValue returns.
   std::pair<double, double> GetMvaErrors(const std::vector<double>& inputValues) const
   {
      std::pair<double, double> errors{0.0, 0.0};
      GetMvaValue(inputValues, errors.first, errors.second);
      return errors;
   }

   // The lower error alone, which is what GetMVAError of TMVA's Reader is.
   double GetMvaError(const std::vector<double>& inputValues) const { return GetMvaErrors(inputValues).first; }

   // Response and errors at once, in less time.
   double GetMvaValue(const std::vector<double>& inputValues, double& errorLower, double& errorUpper) const
   {
      errorLower = errorUpper = 0.0;
      if (!CanEvaluate(inputValues))
         return 0.0;
      const Neurons neurons = Propagated(inputValues);
      const double h = neurons.z$last[0];
      const double sigma = StandardDeviation(neurons);
      const double response = neurons.a$last[0];
      errorLower = response - OutputActivation(h - sigma);
      errorUpper = OutputActivation(h + sigma) - response;
      return response;
   }"""
)

GET_REGRESSION_VALUES = Template(
    """\
   // The targets, one after the other.
   std::vector<double> GetRegressionValues(const std::vector<double>& inputValues) const
   {
      if (!CanEvaluate(inputValues))
         return std::vector<double>($n_outputs, 0.0);
      const auto targets = Targets(RoundedOutputs(Propagated(inputValues)));
      return std::vector<double>(targets.begin(), targets.end());
   }"""
)

GET_REGRESSION_ERRORS = Template(
    """\
   // The lower and the upper error (one standard deviation) of the target.
   std::pair<double, double> GetRegressionErrors(const std::vector<double>& inputValues) const
   {
      if (!CanEvaluate(inputValues))
         return {0.0, 0.0};
      const Neurons neurons = Propagated(inputValues);
      const double h = neurons.z$last[0];
      const double sigma = StandardDeviation(neurons);
      const double low = Targets(std::array<double, 1>{OutputActivation(h - sigma)})[0];
      const double middle = Targets(neurons.a$last)[0];
      const double high = Targets(std::array<double, 1>{OutputActivation(h + sigma)})[0];
      return {middle - low, high - middle};
   }"""
)

GET_MULTICLASS_VALUES = Template(
    """\
   // The probabilities of the classes, one after the other.
   std::vector<double> GetMulticlassValues(const std::vector<double>& inputValues) const
   {
      std::vector<double> probabilities($n_outputs, 0.0);
      if (!CanEvaluate(inputValues))
         return probabilities;
      const auto t = RoundedOutputs(Propagated(inputValues));
      for (std::size_t i = 0; i < t.size(); ++i) {
         double others = 0.0;
         for (std::size_t j = 0; j < t.size(); ++j) {
            if (j != i)
               others += std::exp(static_cast<double>(t[j] - t[i]));
         }
         probabilities[i] = static_cast<float>(1.0 / (1.0 + others));
      }
      return probabilities;
   }"""
)

GET_PROBA_AND_RARITY = """\
   // The probability that an event of this response is signal, if signal is this fraction of all events.
   double GetProba(double mvaValue, double signalFraction = 0.5) const
   {
      const double signal = Density(kSignalResponse, mvaValue) * signalFraction;
      const double all = signal + Density(kBackgroundResponse, mvaValue) * (1.0 - signalFraction);
      return std::isnan(mvaValue) ? mvaValue : all > 0.0 ? signal / all : -1.0;
   }

   // The fraction of background below this response.
   double GetRarity(double mvaValue) const
   {
      const Distribution& d = kBackgroundResponse;
      const int first = std::max(FindBin(d, d.lower), 1);
      const int last = std::min(FindBin(d, mvaValue), NumberOfBins(d));
      double sum = 0.0;
      for (int bin = first; bin <= last; ++bin) {
         double width = Width(d);
         if (bin == first)
            width = LowEdge(d, bin + 1) - d.lower;
         else if (bin == last)
            width = mvaValue - LowEdge(d, bin);
         sum += Content(d, bin) * static_cast<double>(static_cast<float>(width < 0.0 ? 0.0 : width));
      }
      return sum;
   }"""
