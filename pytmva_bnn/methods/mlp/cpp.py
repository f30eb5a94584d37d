"""The network in C++: its weights, its activation functions, the way through its layers, and its error bars."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.methods import mva_value, regression_values
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp import cpp_text
from pytmva_bnn.methods.mlp.network import Network, activation
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.mlp.fitted import FittedMLP


_TERMS = {"sum": "term", "sqsum": "term * term", "abssum": "std::fabs(term)"}

_MEANINGS = {
    AnalysisType.CLASSIFICATION: "The response, from 0 (background) to 1 (signal) if the output neuron is a sigmoid.",
    AnalysisType.REGRESSION: "The first output of the network, not transformed back; see GetRegressionValues.",
    AnalysisType.MULTICLASS: "The first output of the network; see GetMulticlassValues.",
}


def class_part(fitted: FittedMLP, head: WeightFile) -> Part:
    """Return all that the network contributes to a C++ class."""
    if len(head.variables) != fitted.network.n_inputs:
        problem = f"{len(head.variables)} variables for a network with {fitted.network.n_inputs} inputs"
        raise InputError(f"{head.title}: {problem}")
    n_targets = len(head.targets)
    if head.analysis_type == AnalysisType.REGRESSION and fitted.n_outputs != n_targets:
        raise InputError(f"{head.title}: the network has {fitted.n_outputs} outputs for {n_targets} targets")
    analysis = head.analysis_type
    return network_part(fitted.network, analysis) + outputs_part(fitted, analysis) + errors_part(fitted, analysis)


def network_part(network: Network, analysis: AnalysisType, propagated: Template = cpp_text.PROPAGATED) -> Part:
    """Return the network from its inputs to ``GetMvaValue``; ``propagated`` is the function with its layers."""
    check_network(network)
    last = len(network.matrices)
    functions = (
        cpp_text.ACTIVATION.substitute(name="HiddenActivation", body=activation(network.hidden).cpp),
        cpp_text.ACTIVATION.substitute(name="OutputActivation", body=activation(network.output).cpp),
        cpp_text.NEURONS.substitute(members=_members(network.layer_sizes)),
        cpp_text.WEIGHTED_INPUTS.substitute(term=_TERMS[network.neuron_input]),
        cpp_text.VALUES,
        propagated.substitute(layers=_layers(last)),
    )
    method = mva_value(_MEANINGS[analysis], f"Propagated(inputValues).a{last}[0]")
    return Part((method,), functions, tuple(_weights(network)))


def outputs_part(fitted: FittedMLP, analysis: AnalysisType) -> Part:
    """Return the results of all output neurons together, which regression and several classes have."""
    n_outputs, last = fitted.network.n_outputs, len(fitted.network.matrices)
    if analysis == AnalysisType.REGRESSION:
        method = regression_values(n_outputs, "RoundedOutputs(Propagated(inputValues))")
    elif analysis == AnalysisType.MULTICLASS:
        method = cpp_text.GET_MULTICLASS_VALUES.substitute(n_outputs=n_outputs)
    else:
        return Part()
    return Part((method,), (cpp_text.ROUNDED_OUTPUTS.substitute(n_outputs=n_outputs, last=last),))


def check_network(network: Network) -> None:
    """Raise an InputError for a network with an empty layer: C++ has no empty arrays."""
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
        function = "OutputActivation" if n == last else "HiddenActivation"
        lines.append(f"      neurons.z{n} = WeightedInputs(neurons.a{n - 1}, kWeights{n});")
        lines.append(f"      neurons.a{n} = Values(neurons.z{n}, {function});")
    return "\n".join(lines)


def _weights(network: Network) -> list[str]:
    constants: list[str] = []
    for n, matrix in enumerate(network.matrices, start=1):
        remarks = [f"from neuron {j} of layer {n - 1}" for j in range(len(matrix) - 1)]
        constants.append(literals.matrix(f"kWeights{n}", matrix, [*remarks, f"bias of layer {n}"]))
    return constants


def errors_part(fitted: FittedMLP, analysis: AnalysisType) -> Part:
    """Return the methods for error bars; nothing if the fitted has none, or several targets."""
    network = fitted.network
    if not fitted.has_errors or fitted.inverse_hessian is None or (network.n_outputs > 1) != fitted.is_softmax:
        return Part()
    last = len(network.matrices)
    if fitted.is_softmax:
        methods = [cpp_text.GET_MULTICLASS_ERRORS.substitute(n_outputs=network.n_outputs, last=last)]
    else:
        methods = [cpp_text.GET_MVA_ERRORS.substitute(last=last)]
    if analysis == AnalysisType.REGRESSION:
        methods.append(cpp_text.GET_REGRESSION_ERRORS.substitute(last=last))
    value = activation(network.hidden).cpp_derivative
    # parameters that are not used have no names
    parameters = ", ".join(f"double {name}" if name in value else "double" for name in "za")
    functions = (
        cpp_text.HIDDEN_DERIVATIVE.substitute(parameters=parameters, value=value),
        cpp_text.STORE_SENSITIVITIES,
        cpp_text.BACK_PROPAGATED,
        cpp_text.STANDARD_DEVIATION.substitute(
            n_weights=network.n_weights,
            n_outputs=network.n_outputs,
            last=last,
            sensitivities=_sensitivities(network),
        ),
    )
    return Part(tuple(methods), functions, (_inverse_hessian(fitted.inverse_hessian),))


def _sensitivities(network: Network) -> str:
    """Return the statements that fill ``s``, from the output backwards."""
    last = len(network.matrices)
    first = network.n_weights
    lines: list[str] = []
    for n in range(last, 0, -1):
        first -= network.matrices[n - 1].size
        lines.append(f"      StoreSensitivities(s, {first}, neurons.a{n - 1}, delta{n});")
        if n > 1:
            layer = f"neurons.z{n - 1}, neurons.a{n - 1}"
            lines.append(f"      const auto delta{n - 1} = BackPropagated(kWeights{n}, delta{n}, {layer});")
    return "\n".join(lines)


def _inverse_hessian(matrix: FloatArray) -> str:
    # only the symmetric part counts in sᵀ A⁻¹ s, so one half of the file's size is enough
    with np.errstate(over="ignore", invalid="ignore"):
        folded = matrix + matrix.T
    rows: list[str] = []
    for i, row in enumerate(folded):
        elements = [*row[:i], matrix[i, i]]
        comma = "," if i + 1 < len(folded) else ""
        rows.append(f"      // row {i}\n{literals.wrapped(map(literals.double, elements), '      ')}{comma}")
    size = len(matrix) * (len(matrix) + 1) // 2
    return cpp_text.INVERSE_HESSIAN.substitute(size=size, rows="\n".join(rows))
