"""The way through the network, and the derivatives of its output."""

from __future__ import annotations

from string import Template

ACTIVATION = Template(
    """\
   static double $name(double z)
   {
$body
   }"""
)

NEURONS = Template(
    """\
   // The inputs z and the values a of the neurons, layer by layer; layer 0 are the inputs of the network.
   struct Neurons {
$members
   };"""
)

WEIGHTED_INPUTS = Template(
    """\
   // The inputs of the neurons of a layer, added in the order of TMVA; the last row of weights is the bias neuron's.
   template <std::size_t From, std::size_t Rows, std::size_t To>
   static std::array<double, To> WeightedInputs(const std::array<double, From>& a, const double (&weights)[Rows][To])
   {
      static_assert(Rows == From + 1, "one row for each neuron and one for the bias");
      std::array<double, To> z{};
      for (std::size_t j = 0; j < Rows; ++j) {
         const double source = j < From ? a[j] : 1.0;
         for (std::size_t k = 0; k < To; ++k) {
            const double term = weights[j][k] * source;
            z[k] += $term;
         }
      }
      return z;
   }"""
)

VALUES = """\
   template <std::size_t N>
   static std::array<double, N> Values(const std::array<double, N>& z, double (*activation)(double))
   {
      std::array<double, N> a{};
      for (std::size_t k = 0; k < N; ++k)
         a[k] = activation(z[k]);
      return a;
   }"""

PROPAGATED = Template(
    """\
   static Neurons Propagated(const std::vector<double>& inputValues)
   {
      Neurons neurons{};
      const Event event = Prepared(inputValues);
      std::copy(event.begin(), event.end(), neurons.a0.begin());
$layers
      return neurons;
   }"""
)

ROUNDED_OUTPUTS = Template(
    """\
   static std::array<float, $n_outputs> RoundedOutputs(const Neurons& neurons)
   {
      std::array<float, $n_outputs> outputs{};
      for (std::size_t i = 0; i < outputs.size(); ++i)
         outputs[i] = static_cast<float>(neurons.a$last[i]);
      return outputs;
   }"""
)

HIDDEN_DERIVATIVE = Template(
    """\
   // The derivative of the activation of hidden neurons, from input and value.
   static double HiddenDerivative($parameters)
   {
      return $value;
   }"""
)

STORE_SENSITIVITIES = """\
   // dh/dw of the weights between two layers, from the values of the first and dh/dz of the second.
   template <std::size_t Size, std::size_t From, std::size_t To>
   static void StoreSensitivities(std::array<double, Size>& s, std::size_t first, const std::array<double, From>& a,
                                  const std::array<double, To>& delta)
   {
      for (std::size_t j = 0; j <= From; ++j) {
         for (std::size_t k = 0; k < To; ++k)
            s[first++] = j < From ? a[j] * delta[k] : delta[k];
      }
   }"""

BACK_PROPAGATED = """\
   // dh/dz of a hidden layer from that of the next one.
   template <std::size_t From, std::size_t Rows, std::size_t To>
   static std::array<double, From> BackPropagated(const double (&weights)[Rows][To],
                                                  const std::array<double, To>& delta,
                                                  const std::array<double, From>& z,
                                                  const std::array<double, From>& a)
   {
      std::array<double, From> back{};
      for (std::size_t j = 0; j < From; ++j) {
         for (std::size_t k = 0; k < To; ++k)
            back[j] += weights[j][k] * delta[k];
         back[j] *= HiddenDerivative(z[j], a[j]);
      }
      return back;
   }"""

STANDARD_DEVIATION = Template(
    """\
   // The standard deviation of h, a function of the inputs of the output neurons with the derivatives delta:
   // its square is s^T A^-1 s with s = dh/dw.
   static double StandardDeviation(const Neurons& neurons, const std::array<double, $n_outputs>& delta$last)
   {
      std::array<double, $n_weights> s{};
$sensitivities
      std::array<double, $n_weights> product{};
      const double* element = kInverseHessian;
      for (std::size_t i = 0; i < s.size(); ++i) {
         for (std::size_t j = 0; j <= i; ++j)
            product[j] += *element++ * s[i];
      }
      double variance = 0.0;
      for (std::size_t j = 0; j < s.size(); ++j)
         variance += product[j] * s[j];
      return std::sqrt(variance < 0.0 ? 0.0 : variance);
   }"""
)

INVERSE_HESSIAN = Template(
    """\
   // The inverse Hessian, row by row up to the diagonal. Elements beside the diagonal are the sum of both halves.
   static constexpr double kInverseHessian[$size] = {
$rows
   };"""
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
      const double sigma = StandardDeviation(neurons, {1.0});
      const double response = neurons.a$last[0];
      errorLower = response - OutputActivation(h - sigma);
      errorUpper = OutputActivation(h + sigma) - response;
      return response;
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
      const double sigma = StandardDeviation(neurons, {1.0});
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

GET_MULTICLASS_ERRORS = Template(
    """\
   // The lower and the upper error (one standard deviation) of the probability of each class.
   std::vector<std::pair<double, double>> GetMulticlassErrors(const std::vector<double>& inputValues) const
   {
      std::vector<std::pair<double, double>> errors($n_outputs, {0.0, 0.0});
      if (!CanEvaluate(inputValues))
         return errors;
      const Neurons neurons = Propagated(inputValues);
      const auto& h = neurons.z$last;
      const auto sigmoid = [](double z) { return 1.0 / (1.0 + std::exp(-z)); };
      for (std::size_t i = 0; i < h.size(); ++i) {
         // the logit of the class against the rest, and its derivatives by the outputs
         double largest = h[i == 0 ? 1 : 0];
         for (std::size_t j = 0; j < h.size(); ++j) {
            if (j != i && h[j] > largest)
               largest = h[j];
         }
         std::array<double, $n_outputs> delta{};
         double total = 0.0;
         for (std::size_t j = 0; j < h.size(); ++j) {
            if (j != i)
               total += std::exp(h[j] - largest);
         }
         for (std::size_t j = 0; j < h.size(); ++j)
            delta[j] = j == i ? 1.0 : -std::exp(h[j] - largest) / total;
         const double logit = h[i] - largest - std::log(total);
         const double sigma = StandardDeviation(neurons, delta);
         errors[i] = {sigmoid(logit) - sigmoid(logit - sigma), sigmoid(logit + sigma) - sigmoid(logit)};
      }
      return errors;
   }"""
)
