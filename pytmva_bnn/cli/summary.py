"""What is in a weight file, as plain data and as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.cli.drawing import draw_network
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.model import Model
from pytmva_bnn.options import OptionSet
from pytmva_bnn.options.tables import MLP_METHOD_OPTIONS
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import Gaussianisation, Normalisation, OldGaussianisation, Step


def summary(model: Model) -> dict[str, Any]:
    """Return all that :func:`summary_text` shows, ready for JSON.

    >>> import pytmva_bnn as TMVA
    >>> found = summary(TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml"))
    >>> found["analysis"], found["network"]["layers"], found["inverse_hessian"]["size"]
    ('Classification', [2, 10, 1], 41)
    """
    network, file = model.network, model.file
    return {
        "file": model.name,
        "format": "text of TMVA 3.9" if file.source == "text" else "XML",
        "title": model.title,
        "analysis": model.analysis_type,
        "info": dict(model.info),
        "variables": [_variable(one) for one in model.variables],
        "spectators": [_variable(one) for one in model.spectators],
        "targets": [_variable(one) for one in model.targets],
        "classes": list(model.classes),
        "transformations": [_transformation(step) for step in file.transformations],
        "network": {
            "layers": list(network.layer_sizes),
            "hidden": network.hidden,
            "output": network.output,
            "neuron_input": network.neuron_input,
            "weights": network.n_weights,
            "largest_weight": max((float(np.abs(m).max(initial=0.0)) for m in network.matrices), default=0.0),
        },
        "options": changed_options(model),
        "inverse_hessian": None if model.inverse_hessian is None else _matrix(model.inverse_hessian),
        "error_bars": model.has_errors,
        "response_pdfs": len(file.mva_pdfs),
    }


def changed_options(model: Model) -> dict[str, str]:
    """Return the options whose values are not TMVA's defaults.

    >>> import pytmva_bnn as TMVA
    >>> changed_options(TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml"))["UseRegulator"]
    'True'
    """
    defaults = OptionSet(MLP_METHOD_OPTIONS, owner="MLP")
    return {
        record.name: record.value
        for record in model.file.options
        if record.name not in defaults or model.options[record.name] != defaults[record.name]
    }


def _variable(record: VariableRecord) -> dict[str, Any]:
    return {
        "expression": record.expression,
        "label": record.label,
        "title": record.title,
        "unit": record.unit,
        "type": record.type,
        "minimum": record.minimum,
        "maximum": record.maximum,
    }


def _transformation(step: Step) -> dict[str, Any]:
    title: str = step.title
    match step:
        case Gaussianisation() | OldGaussianisation():
            title = "Uniform" if step.flat else "Gauss"
        case Normalisation(offset=False):
            title = "Scale"
    inputs = None if step.selection is None else [one.label for one in step.selection.inputs]
    outputs = None if step.selection is None else [one.label for one in step.selection.outputs]
    return {"name": title, "inputs": inputs, "outputs": None if outputs == inputs else outputs}


def _matrix(matrix: NDArray[np.float64]) -> dict[str, Any]:
    """Return size, eigenvalues and condition of an inverse Hessian.

    >>> _matrix(np.diag([1.0, 4.0]))["condition"]
    4.0
    """
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


def summary_text(found: Mapping[str, Any]) -> str:
    """Return a summary for people.

    >>> import pytmva_bnn as TMVA
    >>> text = summary_text(summary(TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")))
    >>> text.splitlines()[0]
    'MLP: Classification, 4-9-1, 55 weights, without error bars'
    """
    network = found["network"]
    layers = "-".join(map(str, network["layers"]))
    errors = "with" if found["error_bars"] else "without"
    lines = [f"{found['title']}: {found['analysis']}, {layers}, {network['weights']} weights, {errors} error bars"]
    lines += ["", "General", *_table((name, value) for name, value in found["info"].items())]
    for key, title in (("variables", "Variables"), ("targets", "Targets"), ("spectators", "Spectators")):
        if found[key]:
            lines += ["", title, *_table(_variable_row(one) for one in found[key])]
    if found["classes"]:
        lines += ["", "Classes", "  " + ", ".join(found["classes"])]
    lines += ["", "Transformations", *([_step_line(one) for one in found["transformations"]] or ["  none"])]
    outputs = (
        found["classes"] if found["analysis"] == AnalysisType.MULTICLASS else [one["label"] for one in found["targets"]]
    )
    drawing = draw_network(
        network["layers"],
        [one["label"] for one in found["variables"]],
        outputs if len(outputs) == network["layers"][-1] else ["response"] * network["layers"][-1],
        network["hidden"],
        network["output"],
    )
    lines += ["", "Network (b: bias neuron)", *("  " + line for line in drawing.splitlines())]
    lines += ["", "Options changed from TMVA's defaults", *_table(found["options"].items())]
    lines += ["", "Inverse Hessian", *_hessian_lines(found["inverse_hessian"])]
    if found["response_pdfs"]:
        lines += ["", f"PDFs of the response: {found['response_pdfs']}"]
    return "\n".join(lines)


def _variable_row(one: Mapping[str, Any]) -> tuple[str, ...]:
    label = one["label"] if one["label"] == one["expression"] else f"{one['label']} := {one['expression']}"
    title = "" if one["title"] == one["label"] else f'"{one["title"]}"'
    return label, one["type"], f"{one['minimum']:.6g} to {one['maximum']:.6g}", one["unit"], title


def _step_line(one: Mapping[str, Any]) -> str:
    inputs = "all variables" if one["inputs"] is None else ", ".join(one["inputs"])
    return f"  {one['name']} of {inputs}" + (f" to {', '.join(one['outputs'])}" if one["outputs"] else "")


def _hessian_lines(matrix: Mapping[str, Any] | None) -> list[str]:
    if matrix is None:
        return ["  none"]
    size, condition = matrix["size"], matrix["condition"]
    lines = [f"  {size} x {size}, condition number {condition:.3g}"]
    smallest, largest = matrix["smallest_eigenvalue"], matrix["largest_eigenvalue"]
    lines.append(f"  eigenvalues from {smallest:.3g} to {largest:.3g}, {matrix['negative_eigenvalues']} below zero")
    return lines


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return lines with aligned columns.

    >>> _table([("a", "1"), ("bcd", "2")])
    ['  a    1', '  bcd  2']
    """
    found = [tuple(row) for row in rows]
    if not found:
        return ["  none"]
    widths = [max(len(row[column]) for row in found) for column in range(len(found[0]))]
    return ["  " + "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in found]
