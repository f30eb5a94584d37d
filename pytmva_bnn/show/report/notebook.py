"""Compact tables for notebooks, registered with :mod:`pytmva_bnn.displays`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.displays import html
from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult, RocCurve
from pytmva_bnn.evaluation.multiclass import BACKGROUND_EFFICIENCIES
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.factory import Factory, MethodBase
from pytmva_bnn.methods.mlp.training import Evidence
from pytmva_bnn.model import Model
from pytmva_bnn.posterior.candidates import Choice
from pytmva_bnn.prediction import Prediction
from pytmva_bnn.reader import Reader
from pytmva_bnn.show.plots.content import MethodContent, described, evaluated
from pytmva_bnn.show.plots.from_training import booked_content, events_of
from pytmva_bnn.show.plots.style import SIGNAL
from pytmva_bnn.show.report.html import counted, description_list, element, table, table_of, text, titled
from pytmva_bnn.show.report.tables import evaluation_tables, events_tables, method_tables, own_tables, summary_table
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.tuning import SearchResult
from pytmva_bnn.yields import PredictedSums

MOST_VARIABLES = 12
MOST_EVENTS = 8
MOST_POINTS = 200
MOST_CORRELATED = 12


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
def _(curve: RocCurve) -> str:
    pairs: list[tuple[str, object]] = [("Area", curve.auc)]
    pairs += [(f"Signal eff. at B={b:.2f}", curve.signal_efficiency_at(b)) for b in BACKGROUND_EFFICIENCIES]
    return _shown("ROC curve", "", _sketch(curve) + description_list(pairs))


def _sketch(curve: RocCurve) -> str:
    """Return a small picture of background rejection against signal efficiency."""
    few = np.unique(np.linspace(0, len(curve.sensitivity) - 1, MOST_POINTS).astype(int))
    x, y = 100.0 * curve.sensitivity[few], 100.0 * (1.0 - curve.specificity[few])
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    frame = '<rect width="100" height="100" fill="none" stroke="#8a8a8a"/>'
    line = f'<polyline points="{points}" fill="none" stroke="{SIGNAL}" stroke-width="1.5"/>'
    return element("svg", frame + line, width=160, viewBox="-2 -2 104 104")


@html.register
def _(prediction: Prediction) -> str:
    n = len(prediction.value)
    columns: dict[str, NDArray[Any]] = {"Response": prediction.value, "− error": prediction.lower}
    columns["+ error"] = prediction.upper
    if prediction.moderated is not None:
        columns["Moderated"] = prediction.moderated
    if prediction.value.ndim > 1:  # targets or classes
        n_outputs = prediction.value.shape[1]
        columns = {f"{name} {j}": values[:, j] for j in range(n_outputs) for name, values in columns.items()}
    rows = [
        {"Event": k, **{name: float(values[k]) for name, values in columns.items()}} for k in range(min(n, MOST_EVENTS))
    ]
    left = element("p", text(f"and {counted(n - len(rows), 'more event')}")) if n > len(rows) else ""
    return _shown("Prediction", counted(n, "event"), table_of(rows) + left)


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
    return _shown("Reader", counted(len(methods), "method"), description_list(pairs) + table_of(rows))


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
                "Expression": _declared(variable.record),
                "Title": titled(variable.record.title),
                "Unit": titled(variable.record.unit),
            }
            for kind, declared in kinds
            for variable in declared
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
def _(sums: PredictedSums) -> str:
    rows = [
        {"": label, "Sum": f"{value:.6g}", "Error": f"{error:.4g}", **({} if n is None else {"Events": n})}
        for label, value, error, n in sums.rows()
    ]
    made = table_of(rows) + "".join(element("p", text(remark)) for remark in sums.remarks())
    if len(rows) <= MOST_CORRELATED:
        matrix = zip(sums.labels, sums.correlation, strict=True)
        made += table(
            ["Correlation", *sums.labels], [(label, *(f"{value:.2f}" for value in row)) for label, row in matrix]
        )
    return _shown("Predicted sums", sums.by, made)


@html.register(Choice)
def _(choice: Choice[Any]) -> str:
    rows = [
        {
            choice.heading: candidate.label,
            "Log evidence": f"{candidate.log_evidence:.2f}",
            "Weights": candidate.method.result.network.n_weights,
            "Effective": f"{candidate.n_effective:.1f}",
            "Estimator (training)": float(candidate.method.result.training_estimator),
            "Estimator (test)": float(candidate.method.result.test_estimator),
            "Convergence": "converged" if candidate.is_converged else "not converged",
            "": "best" if candidate is choice.best else "",
        }
        for candidate in choice
    ]
    return _shown(type(choice).__name__, "", table_of(rows))


@html.register
def _(found: SearchResult) -> str:
    rows = [{**row, "": "best" if number == 0 else ""} for number, row in enumerate(found.text_rows())]
    return _shown("Search", f"{found.method}, {found.best.options}", table_of(rows))


def _declared(v: VariableRecord) -> str:
    return v.label if v.label == v.expression else f"{v.label} := {v.expression}"


def _shown(kind: str, name: str, inside: str) -> str:
    return element("div", element("p", element("strong", text(kind)) + " " + text(name)) + inside)
