"""The error bars in C++: how the output reacts to every weight, and how uncertain the weights are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.model import Model
from pytmva_bnn.standalone import literals
from pytmva_bnn.standalone.part import Part
from pytmva_bnn.standalone.templates import method_text, network_text
from pytmva_bnn.tmva_types import AnalysisType

# of hidden neurons: parameters (those that are used have names) and value
_DERIVATIVES = {
    "linear": ("double, double", "1.0"),
    "sigmoid": ("double, double a", "a * (1.0 - a)"),
    "tanh": ("double, double a", "1.0 - a * a"),
    "fast tanh": ("double, double a", "1.0 - a * a"),
    "ReLU": ("double z, double", "z > 0.0 ? 1.0 : 0.0"),
    "radial": ("double z, double a", "-z * a"),
}


def errors_part(model: Model) -> Part:
    """Return the methods for error bars; nothing if the model has none.

    >>> import pytmva_bnn as TMVA
    >>> part = errors_part(TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml"))
    >>> "GetMvaErrors" in part.methods[0]
    True
    """
    if not model.has_errors or model.inverse_hessian is None:
        return Part()
    network = model.network
    last = len(network.matrices)
    methods = [method_text.GET_MVA_ERRORS.substitute(last=last)]
    if model.analysis_type == AnalysisType.REGRESSION:
        methods.append(method_text.GET_REGRESSION_ERRORS.substitute(last=last))
    parameters, value = _DERIVATIVES[network.hidden]
    functions = (
        network_text.HIDDEN_DERIVATIVE.substitute(parameters=parameters, value=value),
        network_text.STORE_SENSITIVITIES,
        network_text.BACK_PROPAGATED,
        network_text.STANDARD_DEVIATION.substitute(n_weights=network.n_weights, sensitivities=_sensitivities(network)),
    )
    return Part(tuple(methods), functions, (_inverse_hessian(model.inverse_hessian),))


def _sensitivities(network: Network) -> str:
    """Return the statements that fill ``s``, from the output backwards."""
    last = len(network.matrices)
    first = network.n_weights
    lines = [f"      const std::array<double, 1> delta{last} = {{1.0}};"]
    for n in range(last, 0, -1):
        first -= network.matrices[n - 1].size
        lines.append(f"      StoreSensitivities(s, {first}, neurons.a{n - 1}, delta{n});")
        if n > 1:
            layer = f"neurons.z{n - 1}, neurons.a{n - 1}"
            lines.append(f"      const auto delta{n - 1} = BackPropagated(kWeights{n}, delta{n}, {layer});")
    return "\n".join(lines)


def _inverse_hessian(matrix: NDArray[np.float64]) -> str:
    # only the symmetric part counts in sᵀ A⁻¹ s, so one half of the file's size is enough
    with np.errstate(over="ignore", invalid="ignore"):
        folded = matrix + matrix.T
    rows: list[str] = []
    for i, row in enumerate(folded):
        elements = [*row[:i], matrix[i, i]]
        comma = "," if i + 1 < len(folded) else ""
        rows.append(f"      // row {i}\n{literals.wrapped(map(literals.double, elements), '      ')}{comma}")
    size = len(matrix) * (len(matrix) + 1) // 2
    return network_text.INVERSE_HESSIAN.substitute(size=size, rows="\n".join(rows))
