"""Compact tables for notebooks: what ``_repr_html_`` of models, results and readers shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytmva_bnn.show.report.html import description_list, element, table, text
from pytmva_bnn.show.report.tlatex import titled
from pytmva_bnn.tmva_types import AnalysisType

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoader
    from pytmva_bnn.dataset.dataset import DataSet
    from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult
    from pytmva_bnn.events.variables import VariableRecord
    from pytmva_bnn.factory import Factory, MethodMLP
    from pytmva_bnn.factory.architecture import ArchitectureChoice
    from pytmva_bnn.methods.mlp.training import Evidence
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
    if model.analysis_type == AnalysisType.MULTICLASS:
        pairs.append(("Classes", ", ".join(model.classes)))
    pairs += [(f"Target {k}", titled(f"{t.title}{_unit(t.unit)}")) for k, t in enumerate(model.targets)]
    rows = [
        (_declared(v), titled(v.title), titled(v.unit), v.minimum, v.maximum) for v in model.variables[:MOST_VARIABLES]
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
    from pytmva_bnn.show.report.training_tables import result_tables  # imports the Factory, which results do not need

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


def dataset_html(dataset: DataSet) -> str:
    """Return a data set as tables of its classes, variables, targets and spectators."""
    from pytmva_bnn.show.report.training_tables import dataset_tables  # see result_html

    sizes = f"{len(dataset.training)} training and {len(dataset.test)} test events"
    return element("div", _heading("Data set", sizes) + dataset_tables(dataset))


def loader_html(loader: DataLoader) -> str:
    """Return what a DataLoader was told; the events only if they have been read already.

    >>> import pytmva_bnn as TMVA
    >>> loader = TMVA.DataLoader("dataset")
    >>> loader.AddVariable("pt", "p_{T}", "GeV")
    >>> "p<sub>T</sub>" in loader_html(loader)
    True
    """
    told = loader.description
    if loader._built is not None and loader._built[0] == told.revision:
        return element("div", _heading("DataLoader", told.name) + dataset_html(loader._built[1]))
    made = _heading("DataLoader", told.name)
    if told.options:
        made += description_list([("Options", told.options)])
    kinds = (("variable", told.variables), ("target", told.targets), ("spectator", told.spectators))
    rows = [
        (kind, _declared(one.record), titled(one.record.title), titled(one.record.unit))
        for kind, declared in kinds
        for one in declared
    ]
    if rows:
        made += table(["Kind", "Expression", "Title", "Unit"], rows)
    cuts = {one.name: (one.cut, one.weight) for one in told.classes}
    names = dict.fromkeys([*cuts, *(tree.class_name for tree in told.trees)])
    classes = [
        (name, ", ".join(tree.source.name for tree in told.trees_of(name)), *cuts.get(name, ("", ""))) for name in names
    ]
    if classes:
        made += table(["Class", "Trees", "Cut", "Weight"], classes)
    return element("div", made)


def method_html(method: MethodMLP) -> str:
    """Return a method: its options, and after the training how that went."""
    from pytmva_bnn.show.report.training_tables import method_tables, summary_table

    made = _heading("Method", f"{method.title}, {method.analysis_type}")
    if not method.is_trained:
        return element("div", made + description_list([("Options", method.option_string), ("State", "not trained")]))
    return element("div", made + summary_table([method]) + method_tables(method))


def factory_html(factory: Factory) -> str:
    """Return the methods of a Factory, and the numbers of those that are evaluated."""
    from pytmva_bnn.show.report.training_tables import result_tables, summary_table

    trained = [method for method in factory.methods if method.is_trained]
    waiting = [(method.title, method.option_string) for method in factory.methods if not method.is_trained]
    made = _heading("Factory", factory.job_name)
    if trained:
        made += summary_table(trained)
    if waiting:
        made += table(["Booked, not trained", "Options"], waiting)
    made += result_tables([method.evaluation for method in trained if method.evaluation is not None])
    return element("div", made if factory.methods else made + element("p", text("no methods")))


def evidence_html(evidence: Evidence) -> str:
    """Return an evidence and its regulators as tables."""
    from pytmva_bnn.show.report.training_tables import evidence_table

    return element("div", _heading("Evidence", "") + evidence_table(evidence))


def choice_html(choice: ArchitectureChoice) -> str:
    """Return the architectures that were tried as a table, the best one being marked."""
    rows = [
        (
            one.hidden_layers,
            f"{one.log_evidence:.2f}",
            one.method.result.network.n_weights,
            f"{one.n_effective:.1f}",
            float(one.method.result.training_estimator),
            float(one.method.result.test_estimator),
            "best" if one is choice.best else "",
        )
        for one in choice
    ]
    heads = ["Hidden layers", "Log evidence", "Weights", "Effective", "Estimator (training)", "Estimator (test)", ""]
    return element("div", _heading("Architectures", "") + table(heads, rows))


def _declared(v: VariableRecord) -> str:
    return v.label if v.label == v.expression else f"{v.label} := {v.expression}"


def _heading(kind: str, name: str) -> str:
    return element("p", element("strong", text(kind)) + " " + text(name))


def _unit(unit: str) -> str:
    return f" [{unit}]" if unit else ""
