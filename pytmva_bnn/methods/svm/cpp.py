"""The sum over the support vectors in C++."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.methods import mva_value, regression_values
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.svm.fitted import FittedSVM

_FUNCTIONS = {
    "RBF": """\
   static float RBF(const Event& event, const float* vector)
   {
      float sum = 0.0f;
      for (std::size_t i = 0; i < kVariables; ++i) {
         const float difference = vector[i] - event[i];
         const float square = difference * difference;
         sum += square;
      }
      return static_cast<float>(std::exp(static_cast<double>(-sum * kGamma)));
   }""",
    "MultiGauss": """\
   static float MultiGauss(const Event& event, const float* vector)
   {
      float product = 1.0f;
      for (std::size_t i = 0; i < kVariables; ++i) {
         const float difference = vector[i] - event[i];
         const float square = -difference * difference;
         const double factor = std::exp(static_cast<double>(square * kGammas[i]));
         product = static_cast<float>(static_cast<double>(product) * factor);
      }
      return product;
   }""",
    "Polynomial": """\
   static float Polynomial(const Event& event, const float* vector)
   {
      float sum = kTheta;
      for (std::size_t i = 0; i < kVariables; ++i) {
         const float product = vector[i] * event[i];
         sum += product;
      }
      return static_cast<float>(std::pow(static_cast<double>(sum), kOrder));
   }""",
}

_SUM = Template(
    """\
   // The sum over the support vectors, each with its factor.
   static double Sum(const Event& event)
   {
      double sum = 0.0;
      for (std::size_t k = 0; k < kSupportVectors; ++k) {
         const float* vector = kVectors + k * kVariables;
         const float kernel = $kernel;
         sum += static_cast<double>(kFactors[k] * kernel);
      }
      return sum;
   }"""
)


def class_part(fitted: FittedSVM, head: WeightFile) -> Part:
    """Return all that an SVM contributes to a C++ class."""
    del head
    kernel = fitted.response_kernel
    names = [f"{name}(event, vector)" for name in kernel.names]
    functions = [_FUNCTIONS[name] for name in dict.fromkeys(kernel.names)]
    functions.append(_SUM.substitute(kernel=(" * " if kernel.is_product else " + ").join(names)))
    constants = [
        f"   static constexpr std::size_t kSupportVectors = {len(fitted.vectors)};",
        f"   static constexpr double kB = {literals.double(fitted.b)};",
        literals.singles("kFactors", fitted.coefficients),
        literals.singles("kVectors", fitted.vectors.ravel()),
    ]
    if "RBF" in kernel.names:
        constants.append(f"   static constexpr float kGamma = {literals.single(kernel.gamma)};")
    if "MultiGauss" in kernel.names:
        constants.append(literals.singles("kGammas", np.array(kernel.gammas)))
    if "Polynomial" in kernel.names:
        constants.append(f"   static constexpr float kTheta = {literals.single(kernel.theta)};")
        constants.append(f"   static constexpr double kOrder = {literals.double(kernel.order)};")
    if not fitted.is_regression:
        value = "1.0 / (1.0 + std::exp(Sum(Prepared(inputValues)) - kB))"
        methods = [mva_value("The response, from 0 to 1 (signal).", value)]
    else:
        output = "static_cast<float>(Sum(Prepared(inputValues)) + kB)"
        meaning = "The output, not transformed back; see GetRegressionValues."
        first = f"const float output = {output};"
        methods = [
            mva_value(meaning, f"static_cast<double>({output})"),
            regression_values(1, "std::array<float, 1>{{output}}", first, meaning="The target."),
        ]
    return Part(tuple(methods), tuple(functions), tuple(constants))
