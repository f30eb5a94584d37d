"""Compact tables for notebooks: what ``_repr_html_`` of models, results and readers shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytmva_bnn.report.html import description_list, element, table, text

if TYPE_CHECKING:
    from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult
    from pytmva_bnn.model import Model
    from pytmva_bnn.reader import Reader

MOST_VARIABLES = 12


def model_html(model: Model) -> str:
    """Return a model as a table.

    >>> import pytmva_bnn as TMVA
    >>> shown = model_html(TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml"))
    >>> "2-10-1" in shown and "with error bars" in shown
    True
    """
    network = model.network
    pairs: list[tuple[str, object]] = [
        ("Analysis", model.analysis_type),
        ("Layers", "-".join(map(str, network.layer_sizes))),
        ("Weights", f"{network.n_weights}, {'with' if model.has_errors else 'without'} error bars"),
        ("Neurons", f"{network.hidden}, output {network.output}"),
        ("Transformations", ", ".join(type(step).__name__ for step in model.transformations.steps) or "none"),
    ]
    if model.analysis_type == "Multiclass":
        pairs.append(("Classes", ", ".join(model.classes)))
    pairs += [(f"Target {k}", f"{t.title}{_unit(t.unit)}") for k, t in enumerate(model.targets)]
    rows = [
        (v.label if v.label == v.expression else f"{v.label} := {v.expression}", v.title, v.unit, v.minimum, v.maximum)
        for v in model.variables[:MOST_VARIABLES]
    ]
    left = len(model.variables) - len(rows)
    made = _heading("Model", model.title) + description_list(pairs)
    made += table(["Variable", "Title", "Unit", "Minimum", "Maximum"], rows)
    return element("div", made + (element("p", text(f"and {left} more variables")) if left else ""))


def result_html(result: BinaryResult | RegressionResult | MulticlassResult) -> str:
    """Return the numbers of an evaluation as a table.

    >>> import numpy as np
    >>> from pytmva_bnn.evaluation import BinarySample, evaluate_binary
    >>> sample = BinarySample(np.linspace(0, 1, 100), None, np.arange(100) % 3 == 0)
    >>> "ROC integral" in result_html(evaluate_binary(sample, sample))
    True
    """
    from pytmva_bnn.report.training_tables import result_tables  # imports the Factory, which results do not need

    return element("div", _heading("Evaluation", result.title) + result_tables([result]))


def reader_html(reader: Reader) -> str:
    """Return a Reader as tables of its variables and booked methods.

    >>> import pytmva_bnn as TMVA
    >>> reader = TMVA.Reader(["pt", "ht"])
    >>> method = reader.BookMVA("fake rate", "xml_fixtures/cases/fakerate_bnn/weights.xml")
    >>> "fake rate" in reader_html(reader)
    True
    """
    methods = reader._methods
    variables = [record.label for record in reader._variables._records]
    spectators = [record.label for record in reader._spectators._records]
    pairs: list[tuple[str, object]] = [("Variables", ", ".join(variables) or "none")]
    if spectators:
        pairs.append(("Spectators", ", ".join(spectators)))
    made = _heading("Reader", f"{len(methods)} method{'' if len(methods) == 1 else 's'}") + description_list(pairs)
    if methods:
        rows = [
            (
                tag,
                method.model.title,
                method.model.analysis_type,
                "-".join(map(str, method.model.network.layer_sizes)),
                "yes" if method.model.has_errors else "no",
            )
            for tag, method in methods.items()
        ]
        made += table(["Tag", "Method", "Analysis", "Layers", "Error bars"], rows)
    return element("div", made)


def _heading(kind: str, name: str) -> str:
    return element("p", element("strong", text(kind)) + " " + text(name))


def _unit(unit: str) -> str:
    return f" [{unit}]" if unit else ""
