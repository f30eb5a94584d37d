"""``pytmva-bnn inspect``: what is in a weight file, as plain data and as text."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytmva_bnn.cli.console import say
from pytmva_bnn.convert import load_any
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.model import Model
from pytmva_bnn.options import OptionSet
from pytmva_bnn.transform import Gaussianisation, Normalisation, OldGaussianisation, Step


def run_inspect(arguments: argparse.Namespace) -> int:
    """Print a summary of each file."""
    several = len(arguments.files) > 1
    for number, path in enumerate(arguments.files):
        model = load_any(path)
        part = None if arguments.part is None else model.fitted.part(arguments.part, model.file)
        if arguments.json:
            content = summary(model) if part is None else {"file": model.name, **part.data}
            say(json.dumps(content, indent=None if several else 1))
            continue
        if several:
            say(f"{'' if number == 0 else chr(10)}{path}")
        say(summary_text(model) if part is None else "\n".join(_lines(part.sections)).strip())
    return 0


def summary(model: Model) -> dict[str, Any]:
    """Return all that :func:`summary_text` shows, ready for JSON."""
    file = model.file
    return {
        "file": model.name,
        "format": "text of TMVA 3.9" if file.source == "text" else "XML",
        "title": model.title,
        "analysis": model.analysis_type,
        "info": dict(model.info),
        "variables": [_variable(variable) for variable in model.variables],
        "spectators": [_variable(spectator) for spectator in model.spectators],
        "targets": [_variable(target) for target in model.targets],
        "classes": list(model.classes),
        "transformations": [_transformation(step) for step in file.transformations],
        **model.fitted.inspection(model.file).data,
        "options": changed_options(model),
        "error_bars": model.has_errors,
        "response_pdfs": len(file.mva_pdfs),
    }


def summary_text(model: Model) -> str:
    """Return a summary for people."""
    method = model.fitted.inspection(model.file)
    errors = "with" if model.has_errors else "without"
    steps = [_step_line(_transformation(step)) for step in model.file.transformations]
    sections = [("General", _table(model.info.items()))]
    for title, records in (
        ("Variables", model.variables),
        ("Targets", model.targets),
        ("Spectators", model.spectators),
    ):
        if records:
            sections.append((title, _table(_variable_row(record) for record in records)))
    if model.classes:
        sections.append(("Classes", ["  " + ", ".join(model.classes)]))
    sections.append(("Transformations", steps or ["  none"]))
    sections += method.sections[:1]
    sections.append(("Options changed from TMVA's defaults", _table(changed_options(model).items())))
    sections += method.sections[1:]
    if model.file.mva_pdfs:
        sections.append((f"PDFs of the response: {len(model.file.mva_pdfs)}", []))
    headline = f"{model.title}: {model.analysis_type}, {method.headline}, {errors} error bars"
    return "\n".join([headline, *_lines(sections)])


def _lines(sections: Iterable[tuple[str, list[str]]]) -> list[str]:
    return [line for title, content in sections for line in ("", title, *content)]


def changed_options(model: Model) -> dict[str, str]:
    """Return the options whose values are not TMVA's defaults."""
    defaults = OptionSet(model.method.options_for(model.analysis_type), owner=model.kind)
    return {
        record.name: record.value
        for record in model.file.options
        if record.name not in defaults or model.options[record.name] != defaults[record.name]
    }


# ---- rows


def _variable(record: VariableRecord) -> dict[str, Any]:
    names = ("expression", "label", "title", "unit", "type", "minimum", "maximum")
    return {name: getattr(record, name) for name in names}


def _variable_row(record: VariableRecord) -> tuple[str, ...]:
    label = record.label if record.label == record.expression else f"{record.label} := {record.expression}"
    title = "" if record.title == record.label else f'"{record.title}"'
    return label, record.type, f"{record.minimum:.6g} to {record.maximum:.6g}", record.unit, title


def _transformation(step: Step) -> dict[str, Any]:
    title: str = step.title
    match step:
        case Gaussianisation() | OldGaussianisation():
            title = "Uniform" if step.flat else "Gauss"
        case Normalisation(offset=False):
            title = "Scale"
    inputs = None if step.selection is None else [quantity.label for quantity in step.selection.inputs]
    outputs = None if step.selection is None else [quantity.label for quantity in step.selection.outputs]
    return {"name": title, "inputs": inputs, "outputs": None if outputs == inputs else outputs}


def _step_line(step: Mapping[str, Any]) -> str:
    inputs = "all variables" if step["inputs"] is None else ", ".join(step["inputs"])
    return f"  {step['name']} of {inputs}" + (f" to {', '.join(step['outputs'])}" if step["outputs"] else "")


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return lines with aligned columns.

    >>> _table([("a", "1"), ("bcd", "2")])
    ['  a    1', '  bcd  2']
    """
    columns = list(zip(*rows, strict=True))
    if not columns:
        return ["  none"]
    widths = [max(map(len, column)) for column in columns]
    return [
        "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
