"""The network in C++: its weights, its activation functions and the way through its layers."""

from __future__ import annotations

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.model import Model
from pytmva_bnn.standalone import literals
from pytmva_bnn.standalone.part import Part
from pytmva_bnn.standalone.templates import method_text, network_text
from pytmva_bnn.tmva_types import AnalysisType

_FAST_TANH = """\
      if (z > 4.97)
         return 1.0;
      if (z < -4.97)
         return -1.0;
      const float q = static_cast<float>(z * z);
      const float bracket = 135135.0f + q * (17325.0f + q * (378.0f + q));
      const float numerator = static_cast<float>(z * static_cast<double>(bracket));
      const float denominator = 135135.0f + q * (62370.0f + q * (3150.0f + 28.0f * q));
      return static_cast<double>(numerator / denominator);"""

_ACTIVATIONS = {
    "linear": "      return z;",
    "sigmoid": "      return 1.0 / (1.0 + std::exp(-z));",
    "tanh": "      return std::tanh(z);",
    "fast tanh": _FAST_TANH,
    "ReLU": "      return z < 0.0 ? 0.0 : z; // NaN stays NaN",
    "radial": "      return std::exp(-z * z * 0.5);",
}

_TERMS = {"sum": "term", "sqsum": "term * term", "abssum": "std::fabs(term)"}

_MEANINGS = {
    AnalysisType.CLASSIFICATION: "The response, from 0 (background) to 1 (signal) if the output neuron is a sigmoid.",
    AnalysisType.REGRESSION: "The first output of the network, not transformed back; see GetRegressionValues.",
    AnalysisType.MULTICLASS: "The first output of the network; see GetMulticlassValues.",
}


def network_part(model: Model) -> Part:
    """Return the network from its inputs to ``GetMvaValue``.

    >>> import pytmva_bnn as TMVA
    >>> part = network_part(TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml"))
    >>> print(part.functions[0])
       static double HiddenActivation(double z)
       {
          return std::tanh(z);
       }
    """
    network = model.network
    check_network(network)
    last = len(network.matrices)
    functions = (
        network_text.ACTIVATION.substitute(name="HiddenActivation", body=_ACTIVATIONS[network.hidden]),
        network_text.ACTIVATION.substitute(name="OutputActivation", body=_ACTIVATIONS[network.output]),
        network_text.NEURONS.substitute(members=_members(network.layer_sizes)),
        network_text.WEIGHTED_INPUTS.substitute(term=_TERMS[network.neuron_input]),
        network_text.VALUES,
        network_text.PROPAGATED.substitute(layers=_layers(last)),
    )
    method = method_text.GET_MVA_VALUE.substitute(meaning=_MEANINGS[model.analysis_type], last=last)
    return Part((method,), functions, tuple(_weights(network)))


def outputs_part(model: Model) -> Part:
    """Return the results of all output neurons together, which regression and several classes have.

    >>> import pytmva_bnn as TMVA
    >>> part = outputs_part(TMVA.load("xml_fixtures/cases/multi_n/weights.xml"))
    >>> "GetMulticlassValues" in part.methods[0]
    True
    """
    methods = {
        AnalysisType.REGRESSION: method_text.GET_REGRESSION_VALUES,
        AnalysisType.MULTICLASS: method_text.GET_MULTICLASS_VALUES,
    }
    if model.analysis_type not in methods:
        return Part()
    n_outputs, last = model.network.n_outputs, len(model.network.matrices)
    return Part(
        methods=(methods[model.analysis_type].substitute(n_outputs=n_outputs),),
        functions=(network_text.ROUNDED_OUTPUTS.substitute(n_outputs=n_outputs, last=last),),
    )


def check_network(network: Network) -> None:
    """Raise an InputError for a network with an empty layer: C++ has no empty arrays.

    >>> import numpy as np
    >>> check_network(Network.from_matrices([np.zeros((2, 1))]))
    """
    if min(network.layer_sizes) < 1:
        layers = "-".join(map(str, network.layer_sizes))
        raise InputError(f"a network of layers {layers} cannot be written in C++: every layer needs a neuron")


def _members(layer_sizes: tuple[int, ...]) -> str:
    lines = [f"      std::array<double, {layer_sizes[0]}> a0;"]
    lines += [f"      std::array<double, {size}> z{n}, a{n};" for n, size in enumerate(layer_sizes[1:], start=1)]
    return "\n".join(lines)


def _layers(last: int) -> str:
    lines: list[str] = []
    for n in range(1, last + 1):
        activation = "OutputActivation" if n == last else "HiddenActivation"
        lines.append(f"      neurons.z{n} = WeightedInputs(neurons.a{n - 1}, kWeights{n});")
        lines.append(f"      neurons.a{n} = Values(neurons.z{n}, {activation});")
    return "\n".join(lines)


def _weights(network: Network) -> list[str]:
    constants: list[str] = []
    for n, matrix in enumerate(network.matrices, start=1):
        remarks = [f"from neuron {j} of layer {n - 1}" for j in range(len(matrix) - 1)]
        constants.append(literals.matrix(f"kWeights{n}", matrix, [*remarks, f"bias of layer {n}"]))
    return constants
