"""The numbers of a training as tables, whatever they were read from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from pytmva_bnn.errors import TMVAError
from pytmva_bnn.evaluation import kolmogorov
from pytmva_bnn.evaluation.multiclass import BACKGROUND_EFFICIENCIES
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.show.plots.content import Content, Events, MethodContent, tabulated
from pytmva_bnn.show.report.html import description_list, element, folded, note, table, table_of, text, titled, warning

CONFUSION_AT = 0.10
LONGEST_IN_SUMMARY = 15
COUNTS = ["Class", "Training events", "Sum of weights", "Test events", "Sum of weights"]


def result_tables(content: Content) -> str:
    """Return the evaluation of all methods, the best first, and folded the same as TMVA prints it."""
    made = evaluation_tables(content.methods, content.output_names)
    if content.printed:
        made += folded("As TMVA prints it", element("pre", text("\n".join(content.printed))))
    return made or note("There is no evaluation: call TestAllMethods and EvaluateAllMethods.")


def headline(m: MethodContent) -> str:
    """Return title, type and the number by which a method is judged first."""
    kind = str(dict(m.summary).get("Type", m.title))
    words = [m.title] if kind == m.title else [m.title, kind]
    if m.roc is not None:
        words.append(f"ROC integral {m.roc.auc:.3f}")
    if m.rest_curves:
        words.append("ROC integrals " + ", ".join(f"{c} {curve.auc:.3f}" for c, curve in m.rest_curves.items()))
    if "test" in m.numbers:
        words.append("RMS " + ", ".join(f"{n.rms:.4g}" for n in m.numbers["test"]))
    return " · ".join(words)


def events_tables(events: Events, *, counted: bool = True) -> str:
    """Return the tables of classes, if their events are counted, and of variables, targets and spectators."""
    rows = [(c.name, *(c.training or (None, None)), *(c.test or (None, None))) for c in events.counts]
    made = description_list(events.facts)
    if counted:
        made += table(COUNTS, rows) if rows else note("There are no trees of events.")
    return made + "".join(variable_table(kind, records) for kind, records in events.records.items() if records)


def variable_table(kind: str, records: Sequence[VariableRecord]) -> str:
    """Return the table of variables, targets or spectators."""
    rows = [(r.label, r.expression, titled(r.title), titled(r.unit), r.type, r.minimum, r.maximum) for r in records]
    return table([kind, "Expression", "Title", "Unit", "Type", "Minimum", "Maximum"], rows)


def summary_table(methods: Sequence[MethodContent]) -> str:
    """Return a table with a line for each trained method; what takes many words is in the tables of the method."""
    long = {name for m in methods for name, value in m.summary if len(text(value)) > LONGEST_IN_SUMMARY}
    rows = [{name: value for name, value in m.summary if name not in long} for m in methods]
    return table_of([{"Method": m.title, **row} for m, row in zip(methods, rows, strict=True)])


def method_tables(m: MethodContent) -> str:
    """Return how it was trained, options, weight file, ranking and what else is known of a trained method."""
    made = description_list([*m.summary, *m.facts])
    if m.ranking is not None:
        rows = [(rank, name, value) for rank, (name, value) in enumerate(m.ranking.entries, start=1)]
        made += table(["Rank", "Variable", m.ranking.discriminator], rows)
    made += own_tables(m.fitted, m.inputs) + own_tables(m.training, m.inputs)
    return made + (folded("All options", table(["Option", "Value"], m.options)) if m.options else "")


def own_tables(thing: object, names: Sequence[str] = ()) -> str:
    """Return the tables that a method has of its own; ``names`` are those of its variables."""
    made = ""
    for numbers in tabulated(thing, names):
        made += description_list(numbers.facts) if numbers.facts else ""
        made += table(numbers.headings, numbers.rows) if numbers.rows else ""
    return made


# ---- evaluation ---------------------------------------------------------------------------------------------


def ranked(methods: Sequence[MethodContent]) -> list[MethodContent]:
    """Return methods, the best first."""
    return sorted(methods, key=lambda m: -m.quality)


def evaluation_tables(methods: Sequence[MethodContent], targets: Sequence[str] = ()) -> str:
    """Return the tables of the evaluation of methods, the best first; empty if there is none."""
    best_first = ranked(methods)
    made = table_of([_binary(m) for m in best_first if m.roc is not None], "Test events, in brackets training events")
    n_targets = max((len(numbers) for m in methods for numbers in m.numbers.values()), default=0)
    names = [titled(name) if name else f"target {k}" for k, name in zip_longest(range(n_targets), targets[:n_targets])]
    rows = [row for k, name in enumerate(names) for m in best_first for row in _regression(m, k, name)]
    made += table_of(rows, "Deviation of the response from the target; (2σ): without events beyond two RMS")
    made += "".join(_calibration(m) for m in best_first if m.is_probability)
    return made + "".join(_multiclass(m) for m in methods if m.rest_curves)


def _binary(m: MethodContent) -> dict[str, object]:
    areas = [None if curve is None else curve.auc for curve in (m.roc, m.training_roc)]
    heads = [f"Signal eff. at B={b:.2f}" for b in BACKGROUND_EFFICIENCIES]
    return {
        "Method": m.title,
        "ROC integral": _compared(*areas),
        **{head: _compared(*pair) for head, pair in zip(heads, m.signal_efficiencies, strict=False)},
        **dict(m.scores),
        "KS (S)": _agreement(m, "Signal"),
        "KS (B)": _agreement(m, "Background"),
    }


def _compared(test: float | None, training: float | None) -> str | None:
    if test is None or math.isnan(test):
        return None
    return f"{test:.3f}" if training is None else f"{test:.3f} ({training:.3f})"


def _agreement(m: MethodContent, name: str) -> float | None:
    """Return the probability of Kolmogorov and Smirnov that test and training events are of one distribution."""
    if name not in m.response or name not in m.training_response:
        return None
    try:
        return kolmogorov(m.response[name], m.training_response[name]).probability
    except TMVAError:
        return None


def _calibration(m: MethodContent) -> str:
    """Return how far the probabilities are the fractions of signal, and a warning if those of test events are not."""
    rows, warned = [], ""
    for sample, events in (("test", m.calibrated), ("training", m.training_calibrated)):
        try:
            r = None if events is None else events.reliability
        except TMVAError:
            continue
        if r is None:
            continue
        rows.append(
            {
                "Method": m.title,
                "Sample": sample,
                "Effective events": f"{r.n_events:.0f}",
                "ECE (of counting)": f"{r.expected_calibration_error:.4f} ({r.ece_of_fluctuations:.4f})",
                "χ²": f"{r.chi2:.1f}/{r.degrees_of_freedom}",
                "p-value": f"{r.p_value:.2g}",
                "Slope": None if r.fit is None else f"{r.fit.slope:.3f} ± {r.fit.slope_error:.3f}",
                "Intercept": None if r.fit is None else f"{r.fit.intercept:.3f} ± {r.fit.intercept_error:.3f}",
            }
        )
        if sample == "test" and not r.is_calibrated:
            warned = warning(
                f"{m.title} is not calibrated on the test events (p-value {r.p_value:.1g}): its response differs from "
                f"the observed fraction of signal by {r.expected_calibration_error:.2g} on average. Do not use it as "
                "a probability: see the calibration plot, and check whether the training converged."
            )
    caption = "Is the response the fraction of signal? Hosmer-Lemeshow test, expected calibration error, logistic fit"
    return table_of(rows, caption) + warned


def _regression(m: MethodContent, target: int, name: str) -> Iterator[dict[str, object]]:
    for sample, numbers in m.numbers.items():
        n = numbers[target]
        yield {
            "Target": name,
            "Method": m.title,
            "Sample": sample,
            "Bias": n.bias,
            "Mean |deviation|": n.deviation,
            "RMS": n.rms,
            "RMS (2σ)": n.truncated_rms,
            "Mutual information": n.mutual_information,
            "(2σ)": n.truncated_mutual_information,
        }


def _multiclass(m: MethodContent) -> str:
    rows = []
    for name, curve in m.rest_curves.items():
        trained = m.rest_training_curves.get(name)
        row: dict[str, object] = {f"{m.title}: class": name}
        row["ROC integral"] = _compared(curve.auc, None if trained is None else trained.auc)
        for b in BACKGROUND_EFFICIENCIES:
            other = None if trained is None else trained.signal_efficiency_at(b)
            row[f"Eff. at B={b:.2f}"] = _compared(curve.signal_efficiency_at(b), other)
        rows.append(row)
    made = table_of(rows, "Each class against the rest: test (training) events")
    if not m.pair_curves:
        return made
    at = {pair: f"{curve.signal_efficiency_at(CONFUSION_AT):.3f}" for pair, curve in m.pair_curves.items()}
    cells = [(row, *(at.get((row, column)) for column in m.rest_curves)) for row in m.rest_curves]
    caption = f"Efficiency of the class in the row at {CONFUSION_AT:.2f} of the class in the column"
    return made + table(["", *m.rest_curves], cells, caption)
