"""What ``pytmva-bnn inspect`` shows of a network: a drawing of letters, and how good its inverse Hessian is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.answers import Inspection
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.mlp.fitted import FittedMLP


def inspection(fitted: FittedMLP, head: WeightFile) -> Inspection:
    """Return what the network and its inverse Hessian are."""
    network, layers = fitted.network, list(fitted.network.layer_sizes)
    matrix = None if fitted.inverse_hessian is None else _matrix(fitted.inverse_hessian)
    data = {
        "layers": layers,
        "hidden": network.hidden,
        "output": network.output,
        "neuron_input": network.neuron_input,
        "weights": network.n_weights,
        "largest_weight": max((float(np.abs(m).max(initial=0.0)) for m in network.matrices), default=0.0),
    }
    is_multiclass = head.analysis_type == AnalysisType.MULTICLASS
    outputs = list(head.classes) if is_multiclass else [target.label for target in head.targets]
    if len(outputs) != layers[-1]:
        outputs = ["response"] * layers[-1]
    inputs = [variable.label for variable in head.variables]
    drawing = draw_network(layers, inputs, outputs, network.hidden, network.output)
    return Inspection(
        headline=f"{'-'.join(map(str, layers))}, {network.n_weights} weights",
        data={"network": data, "inverse_hessian": matrix},
        sections=[
            ("Network (b: bias neuron)", ["  " + line for line in drawing.splitlines()]),
            ("Inverse Hessian", _hessian_lines(matrix)),
        ],
    )


def _matrix(matrix: FloatArray) -> dict[str, Any]:
    """Return size, eigenvalues and condition of an inverse Hessian."""
    with np.errstate(all="ignore"):
        values = np.linalg.eigvalsh((matrix + matrix.T) / 2) if np.isfinite(matrix).all() else np.array([np.nan])
        sizes = np.abs(values)
        condition = float(sizes.max() / sizes.min()) if sizes.min() > 0 else float("inf")
    return {
        "size": len(matrix),
        "condition": condition,
        "smallest_eigenvalue": float(values.min()),
        "largest_eigenvalue": float(values.max()),
        "negative_eigenvalues": int((values < 0).sum()),
    }


def _hessian_lines(matrix: Mapping[str, Any] | None) -> list[str]:
    if matrix is None:
        return ["  none"]
    size, condition = matrix["size"], matrix["condition"]
    smallest, largest = matrix["smallest_eigenvalue"], matrix["largest_eigenvalue"]
    return [
        f"  {size} x {size}, condition number {condition:.3g}",
        f"  eigenvalues from {smallest:.3g} to {largest:.3g}, {matrix['negative_eigenvalues']} below zero",
    ]


_MOST_NEURONS = 9


def draw_network(
    layer_sizes: Sequence[int], inputs: Sequence[str], outputs: Sequence[str], hidden: str, output: str
) -> str:
    """Return a drawing of letters with a column for each layer and names at both ends; long columns are abridged."""
    last = len(layer_sizes) - 1
    left = max((len(name) for name in inputs), default=0) + 1
    columns = []
    for number, size in enumerate(layer_sizes):
        names = inputs if number == 0 else outputs if number == last else []
        neurons = _neurons(size, list(names))
        columns.append(neurons if number == last else [*neurons, ("b", "")])
    height = max(len(column) for column in columns)
    cells = [_padded(column, height, bottom=number != last) for number, column in enumerate(columns)]
    titles = ["input", *[hidden] * (last - 1), output]
    widths = [max(left + 3, 9), *[9] * last]
    lines = [
        "".join(f"{title:^{width}} " for title, width in zip(titles, widths, strict=True)),
        "".join(f"{size:^{width}} " for size, width in zip(layer_sizes, widths, strict=True)),
    ]
    for row in range(height):
        text = f"{cells[0][row][1]:>{left}} {cells[0][row][0]}".ljust(widths[0] + 1)
        for number in range(1, last):
            text += f"{cells[number][row][0]:^{widths[number]}} "
        symbol, name = cells[last][row]
        lines.append(text + f"{symbol:^{widths[last]}}".rstrip() + (f" {name}" if name else ""))
    return "\n".join(line.rstrip() for line in lines)


def _neurons(size: int, names: list[str]) -> list[tuple[str, str]]:
    """Return symbol and name of each neuron that is drawn."""
    neurons = [("o", name) for name in names or [""] * size]
    if size <= _MOST_NEURONS or any(names):
        return neurons
    half = _MOST_NEURONS // 2
    return [*neurons[:half], (":", ""), *neurons[-half:]]


def _padded(column: list[tuple[str, str]], height: int, *, bottom: bool) -> list[tuple[str, str]]:
    missing = height - len(column)
    above = missing if bottom else missing // 2
    return [("", "")] * above + column + [("", "")] * (missing - above)
