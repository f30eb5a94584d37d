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
   // The standard deviation of the input h of the output neuron: its square is s^T A^-1 s with s = dh/dw.
   static double StandardDeviation(const Neurons& neurons)
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
