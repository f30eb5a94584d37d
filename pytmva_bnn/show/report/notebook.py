"""Compact tables for notebooks, registered with :mod:`pytmva_bnn.displays`."""

from __future__ import annotations

from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.displays import html
from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.factory import Factory, MethodBase
from pytmva_bnn.methods.mlp.training import Evidence
from pytmva_bnn.model import Model
from pytmva_bnn.posterior.architecture import ArchitectureChoice
from pytmva_bnn.reader import Reader
from pytmva_bnn.show.plots.content import MethodContent, described, evaluated
from pytmva_bnn.show.plots.from_training import booked_content, events_of
from pytmva_bnn.show.report.html import description_list, element, table, table_of, text, titled
from pytmva_bnn.show.report.tables import evaluation_tables, events_tables, method_tables, own_tables, summary_table
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.tuning import SearchResult

MOST_VARIABLES = 12


@html.register
def _(model: Model) -> str:
    steps = ", ".join(type(step).__name__ for step in model.transformations.steps)
    pairs: list[tuple[str, object]] = [
        ("Analysis", model.analysis_type),
        *described(model.fitted),
        ("Error bars", "yes" if model.has_errors else "no"),
        ("Transformations", steps or "none"),
    ]
    if model.analysis_type == AnalysisType.MULTICLASS:
        pairs.append(("Classes", ", ".join(model.classes)))
    for k, target in enumerate(model.targets):
        pairs.append((f"Target {k}", titled(f"{target.title}{f' [{target.unit}]' if target.unit else ''}")))
    rows = [
        (_declared(v), titled(v.title), titled(v.unit), v.minimum, v.maximum) for v in model.variables[:MOST_VARIABLES]
    ]
    left = len(model.variables) - len(rows)
    made = description_list(pairs) + table(["Variable", "Title", "Unit", "Minimum", "Maximum"], rows)
    made += element("p", text(f"and {left} more variables")) if left else ""
    return _shown("Model", model.title, made + own_tables(model.fitted, [v.label for v in model.variables]))


@html.register
def _(result: BinaryResult | RegressionResult | MulticlassResult) -> str:
    return _shown("Evaluation", result.title, evaluation_tables([MethodContent(**evaluated(result))]))


@html.register
def _(reader: Reader) -> str:
    methods = reader._methods
    variables, spectators = (
        ", ".join(record.label for record in declared._records) for declared in (reader._variables, reader._spectators)
    )
    pairs = [("Variables", variables or "none"), *([("Spectators", spectators)] if spectators else [])]
    rows = [
        {
            "Tag": tag,
            "Method": method.model.title,
            "Analysis": method.model.analysis_type,
            **dict(described(method.model.fitted)),
            "Error bars": "yes" if method.model.has_errors else "no",
        }
        for tag, method in methods.items()
    ]
    count = f"{len(methods)} method{'' if len(methods) == 1 else 's'}"
    return _shown("Reader", count, description_list(pairs) + table_of(rows))


@html.register
def _(dataset: DataSet) -> str:
    sizes = f"{len(dataset.training)} training and {len(dataset.test)} test events"
    return _shown("Data set", sizes, events_tables(events_of(dataset)))


@html.register
def _(loader: DataLoader) -> str:
    told = loader.description
    # the events only if they have been read already
    if loader._built is not None and loader._built[0] == told.revision:
        return _shown("DataLoader", told.name, html(loader._built[1]))
    made = description_list([("Options", told.options)]) if told.options else ""
    kinds = (("variable", told.variables), ("target", told.targets), ("spectator", told.spectators))
    made += table_of(
        [
            {
                "Kind": kind,
                "Expression": _declared(one.record),
                "Title": titled(one.record.title),
                "Unit": titled(one.record.unit),
            }
            for kind, declared in kinds
            for one in declared
        ]
    )
    cuts = {one.name: (one.cut, one.weight) for one in told.classes}
    classes = [
        (name, ", ".join(tree.source.name for tree in told.trees_of(name)), *cuts.get(name, ("", "")))
        for name in dict.fromkeys([*cuts, *(tree.class_name for tree in told.trees)])
    ]
    made += table(["Class", "Trees", "Cut", "Weight"], classes) if classes else ""
    return _shown("DataLoader", told.name, made)


@html.register
def _(method: MethodBase) -> str:
    title = f"{method.title}, {method.analysis_type}"
    if not method.is_trained:
        return _shown("Method", title, description_list([("Options", method.option_string), ("State", "not trained")]))
    content = booked_content(method)
    return _shown("Method", title, summary_table([content]) + method_tables(content))


@html.register
def _(factory: Factory) -> str:
    trained = [method for method in factory.methods if method.is_trained]
    waiting = [(method.title, method.option_string) for method in factory.methods if not method.is_trained]
    made = summary_table([booked_content(method) for method in trained])
    made += table(["Booked, not trained", "Options"], waiting) if waiting else ""
    results = [method.evaluation for method in trained if method.evaluation is not None]
    made += evaluation_tables([MethodContent(**evaluated(result)) for result in results])
    return _shown("Factory", factory.job_name, made or element("p", text("no methods")))


@html.register
def _(evidence: Evidence) -> str:
    return _shown("Evidence", "", own_tables(evidence))


@html.register
def _(choice: ArchitectureChoice) -> str:
    rows = [
        {
            "Hidden layers": one.hidden_layers,
            "Log evidence": f"{one.log_evidence:.2f}",
            "Weights": one.method.result.network.n_weights,
            "Effective": f"{one.n_effective:.1f}",
            "Estimator (training)": float(one.method.result.training_estimator),
            "Estimator (test)": float(one.method.result.test_estimator),
            "": "best" if one is choice.best else "",
        }
        for one in choice
    ]
    return _shown("Architectures", "", table_of(rows))


@html.register
def _(found: SearchResult) -> str:
    rows = [{**row, "": "best" if number == 0 else ""} for number, row in enumerate(found.text_rows())]
    return _shown("Search", f"{found.method}, {found.best.options}", table_of(rows))


def _declared(v: VariableRecord) -> str:
    return v.label if v.label == v.expression else f"{v.label} := {v.expression}"


def _shown(kind: str, name: str, inside: str) -> str:
    return element("div", element("p", element("strong", text(kind)) + " " + text(name)) + inside)
