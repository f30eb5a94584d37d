"""The numbers of trained methods as tables of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.evaluation import (
    BinaryResult,
    MulticlassResult,
    RegressionResult,
    binary_tables,
    multiclass_tables,
    regression_tables,
)
from pytmva_bnn.evaluation.multiclass import BACKGROUND_EFFICIENCIES
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.factory import MethodMLP
from pytmva_bnn.factory.evaluation_run import Result
from pytmva_bnn.methods.mlp.training import Evidence
from pytmva_bnn.show.report.html import description_list, element, folded, table, text
from pytmva_bnn.show.report.page import Part
from pytmva_bnn.show.report.tlatex import titled
from pytmva_bnn.tmva_types import AnalysisType

ENDED_BY = {
    "cycles": "all cycles done",
    "convergence": "converged",
    "interrupt": "interrupted",
    "floor": "nothing left to gain",
}


def training_tables(methods: Sequence[MethodMLP]) -> Iterator[Part]:
    """Yield the parts with tables of the methods of one data set."""
    dataset = methods[0].dataset
    yield Part("Data set", dataset_tables(dataset, methods[0].analysis_type))
    yield Part("Methods", _methods(methods))
    results = [method.evaluate() for method in methods]
    yield Part("Evaluation", result_tables(results) + _as_tmva(dataset.name, results))


def dataset_tables(dataset: DataSet, analysis: str = "") -> str:
    """Return the tables of classes, variables, targets and spectators."""
    counts = []
    for number, name in enumerate(dataset.class_names):
        row: list[object] = [name]
        for events in (dataset.training, dataset.test):
            chosen = events.of_class(number)
            row += [int(np.count_nonzero(chosen)), float(events.weights[chosen].sum())]
        counts.append(row)
    of_analysis = [("Analysis", analysis)] if analysis else []
    made = description_list([("Name", dataset.name), *of_analysis, ("Seed of the split", dataset.seed)])
    made += table(["Class", "Training events", "Sum of weights", "Test events", "Sum of weights"], counts)
    for kind, records in (
        ("Variable", dataset.variables),
        ("Target", dataset.targets),
        ("Spectator", dataset.spectators),
    ):
        if records:
            made += variable_table(kind, records)
    return made


def variable_table(kind: str, records: Sequence[VariableRecord]) -> str:
    """Return the table of variables, targets or spectators.

    >>> "GeV" in variable_table("Variable", [VariableRecord.define("pt", unit="GeV")])
    True
    """
    rows = [
        (one.label, one.expression, titled(one.title), titled(one.unit), one.type, one.minimum, one.maximum)
        for one in records
    ]
    return table([kind, "Expression", "Title", "Unit", "Type", "Minimum", "Maximum"], rows)


def _methods(methods: Sequence[MethodMLP]) -> str:
    return summary_table(methods) + "".join(element("h3", text(m.title)) + method_tables(m) for m in methods)


def summary_table(methods: Sequence[MethodMLP]) -> str:
    """Return a table with a line for each trained method."""
    rows = [
        (
            m.title,
            "-".join(map(str, m.trained.network.layer_sizes)),
            m.trained.network.n_weights,
            m.result.n_epochs,
            ENDED_BY.get(m.result.stopped_by, m.result.stopped_by),
            float(m.result.training_estimator),
            float(m.result.test_estimator),
            f"{m.trained.seconds:.2f} s",
        )
        for m in methods
    ]
    heads = ["Method", "Layers", "Weights", "Epochs", "Ended", "Estimator (training)", "Estimator (test)", "Time"]
    return table(heads, rows)


def method_tables(m: MethodMLP) -> str:
    """Return options, weight file, ranking and evidence of a trained method."""
    pairs: list[tuple[str, object]] = [("Options", m.option_string)]
    if m.weight_file is not None:
        pairs.append(("Weight file", m.weight_file))
    made = description_list(pairs)
    if m.analysis_type != AnalysisType.REGRESSION:
        ranking = m.ranking
        rows = [(k, name, value) for k, (name, value) in enumerate(ranking.entries, start=1)]
        made += table(["Rank", "Variable", ranking.discriminator], rows)
    if m.result.evidence is not None:
        made += evidence_table(m.evidence)
    options = [(record.name, record.value) for record in m.booked.records()]
    return made + folded("All options", table(["Option", "Value"], options))


def evidence_table(e: Evidence) -> str:
    """Return an evidence and its regulators."""
    numbers: list[tuple[str, object]] = [
        ("Log evidence", f"{e.log_evidence:.2f}"),
        ("Log likelihood", f"{e.log_likelihood:.2f}"),
        ("Prior", f"{e.log_prior:.2f}"),
        ("Occam factor", f"{e.log_occam:.2f}"),
        ("Effective parameters", f"{e.n_effective:.1f} of {int(e.group_sizes.sum())}"),
    ]
    rows = [
        (name, float(alpha), int(n), float(gamma))
        for name, alpha, n, gamma in zip(e.group_names(), e.regulators, e.group_sizes, e.effective, strict=True)
    ]
    return description_list(numbers) + table(["Regulator of", "Value", "Weights", "Effective"], rows)


# ---- results ------------------------------------------------------------------------------------------------


def result_tables(results: Sequence[Result]) -> str:
    """Return the tables of the evaluation of methods."""
    binary = [one for one in results if isinstance(one, BinaryResult)]
    regression = [one for one in results if isinstance(one, RegressionResult)]
    multiclass = [one for one in results if isinstance(one, MulticlassResult)]
    made = ""
    if binary:
        made += _binary(sorted(binary, key=lambda one: -one.area))
    if regression:
        made += _regression(sorted(regression, key=lambda one: one.test.deviation))
    return made + "".join(map(_multiclass, multiclass))


def _binary(results: Sequence[BinaryResult]) -> str:
    at = [f"Signal eff. at B={b:.2f}" for b in BACKGROUND_EFFICIENCIES]
    heads = [
        "Method",
        "ROC integral",
        *at,
        "Separation",
        "Significance",
        "Cut at eff(S) = 1 − eff(B)",
        "KS (S)",
        "KS (B)",
    ]
    rows = []
    for r in results:
        pairs = [(r.roc_integral, r.training_roc_integral), *zip(r.efficiencies, r.training_efficiencies, strict=True)]
        ks = [None if one is None else one.probability for one in (r.overtraining_signal, r.overtraining_background)]
        compared = [f"{test:.3f} ({training:.3f})" for test, training in pairs]
        rows.append((r.title, *compared, r.separation, r.significance, r.reference_cut, *ks))
    return table(heads, rows, "Test events, in brackets training events")


def _regression(results: Sequence[RegressionResult]) -> str:
    heads = ["Method", "Sample", "Bias", "Mean |deviation|", "RMS", "RMS (2σ)", "Mutual information", "(2σ)"]
    rows = [
        (
            r.title,
            sample,
            n.bias,
            n.deviation,
            n.rms,
            n.truncated_rms,
            n.mutual_information,
            n.truncated_mutual_information,
        )
        for r in results
        for sample, n in (("test", r.test), ("training", r.training))
    ]
    return table(heads, rows, "Deviation of the first target; (2σ): without events beyond two RMS")


def _multiclass(r: MulticlassResult) -> str:
    at = [f"Eff. at B={b:.2f}" for b in BACKGROUND_EFFICIENCIES]
    rows = []
    for c, name in enumerate(r.class_names):
        test, training = ([n.aucs[c], *n.efficiencies[c]] for n in (r.test, r.training))
        rows.append((name, *(f"{a:.3f} ({b:.3f})" for a, b in zip(test, training, strict=True))))
    made = table(
        [f"{r.title}: class", "ROC integral", *at], rows, "Each class against the rest: test (training) events"
    )
    k = 1
    cells = [
        (name, *("–" if i == j else f"{r.test.confusion[k, i, j]:.3f}" for j in range(len(r.class_names))))
        for i, name in enumerate(r.class_names)
    ]
    caption = f"Efficiency of the class in the row at {BACKGROUND_EFFICIENCIES[k]:.2f} of the class in the column"
    return made + table(["", *r.class_names], cells, caption)


def _as_tmva(name: str, results: Sequence[Result]) -> str:
    lines: list[str] = []
    binary = [one for one in results if isinstance(one, BinaryResult)]
    regression = [one for one in results if isinstance(one, RegressionResult)]
    multiclass = [one for one in results if isinstance(one, MulticlassResult)]
    lines += binary_tables(name, binary) if binary else []
    lines += regression_tables(name, regression) if regression else []
    lines += multiclass_tables(name, multiclass) if multiclass else []
    return folded("As TMVA prints it", element("pre", text("\n".join(lines))))
