"""The numbers of an output file as tables of a page."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import TMVAError
from pytmva_bnn.evaluation import RegressionSample, kolmogorov
from pytmva_bnn.evaluation.multiclass import BACKGROUND_EFFICIENCIES
from pytmva_bnn.evaluation.regression import regression_numbers
from pytmva_bnn.show.plots.content import MethodContent
from pytmva_bnn.show.report.file_events import FileEvents
from pytmva_bnn.show.report.html import description_list, element, note, table, text
from pytmva_bnn.show.report.output_file import FileContent
from pytmva_bnn.show.report.page import Part
from pytmva_bnn.show.report.tlatex import titled
from pytmva_bnn.tmva_types import AnalysisType


def file_tables(found: FileContent) -> Iterator[Part]:
    """Yield the parts with tables of what an output file says."""
    content = found.content
    yield Part("Data set", _dataset(found))
    if not content.methods:
        return
    rows = [
        (m.title, "-".join(map(str, _layers(m))) or None, sum(w.size for w in m.matrices) or None)
        for m in content.methods
    ]
    made = table(["Method", "Layers", "Weights"], rows)
    for m in content.methods:
        made += element("h3", text(m.title)) + description_list(found.described.get(m.title, []))
    yield Part("Methods", made)
    numbers = {
        AnalysisType.CLASSIFICATION: _binary,
        AnalysisType.REGRESSION: _regression,
        AnalysisType.MULTICLASS: _multiclass,
    }[content.analysis](found)
    yield Part("Evaluation", numbers or note("The file has no evaluation: call TestAllMethods and EvaluateAllMethods."))


def _layers(m: MethodContent) -> list[int]:
    return [len(m.matrices[0]) - 1, *(w.shape[1] for w in m.matrices)] if len(m.matrices) else []


def _dataset(found: FileContent) -> str:
    c = found.content
    made = description_list(
        [
            ("File", found.path),
            ("Name", c.dataset),
            ("Analysis", c.analysis),
            ("Variables", titled(", ".join(c.input_names))),
        ]
    )
    names = next((events.class_names for events in (found.training, found.test) if events is not None), ())
    if names:
        counted = [_counts(events) for events in (found.training, found.test)]
        rows = [(name, *counted[0].get(name, (None, None)), *counted[1].get(name, (None, None))) for name in names]
        made += table(["Class", "Training events", "Sum of weights", "Test events", "Sum of weights"], rows)
    else:
        made += note("The file has no trees of events.")
    return made


def _counts(events: FileEvents | None) -> dict[str, tuple[int, float]]:
    return {} if events is None else {name: (n, total) for name, n, total in events.counts()}


def _binary(found: FileContent) -> str:
    heads = [
        "Method",
        "ROC integral",
        *(f"Signal eff. at B={b:.2f}" for b in BACKGROUND_EFFICIENCIES),
        "KS (S)",
        "KS (B)",
    ]
    rows: list[tuple[object, ...]] = []
    for m in found.content.methods:
        if m.roc is None:
            continue
        pairs = [(m.roc.auc, None if m.training_roc is None else m.training_roc.auc)]
        pairs += found.efficiencies.get(m.title) or [(math.nan, None)] * len(BACKGROUND_EFFICIENCIES)
        rows.append(
            (m.title, *(_compared(*pair) for pair in pairs), *(_ks(m, name) for name in ("Signal", "Background")))
        )
    caption = "Test events, in brackets training events"
    return table(heads, rows, caption) if rows else ""


def _compared(test: float, training: float | None) -> str:
    if math.isnan(test):
        return text(test)
    return f"{test:.3f}" if training is None else f"{test:.3f} ({training:.3f})"


def _ks(m: MethodContent, name: str) -> float | None:
    if name not in m.response or name not in m.training_response:
        return None
    try:
        return kolmogorov(m.response[name], m.training_response[name]).probability
    except TMVAError:
        return None


def _multiclass(found: FileContent) -> str:
    made = ""
    for m in found.content.methods:
        rows = []
        for name, curve in m.rest_curves.items():
            other = m.rest_training_curves.get(name)
            cells = [_compared(curve.auc, None if other is None else other.auc)]
            for b in BACKGROUND_EFFICIENCIES:
                trained = None if other is None else other.signal_efficiency_at(b)
                cells.append(_compared(curve.signal_efficiency_at(b), trained))
            rows.append((name, *cells))
        if rows:
            heads = [f"{m.title}: class", "ROC integral", *(f"Eff. at B={b:.2f}" for b in BACKGROUND_EFFICIENCIES)]
            made += table(heads, rows, "Each class against the rest: test (training) events")
    return made


def _regression(found: FileContent) -> str:
    rows: list[tuple[object, ...]] = []
    for m in found.content.methods:
        for sample, events in (("test", found.test), ("training", found.training)):
            response = _responses(events, m.title)
            targets = [] if events is None else [events.columns.get(name) for name in found.content.output_names[:1]]
            if events is None or response is None or not targets or targets[0] is None:
                continue
            n = regression_numbers(RegressionSample(response, targets[0], events.weights))
            rows.append((m.title, sample, n.bias, n.deviation, n.rms, n.truncated_rms, n.mutual_information))
    heads = ["Method", "Sample", "Bias", "Mean |deviation|", "RMS", "RMS (2σ)", "Mutual information"]
    return table(heads, rows, "Deviation of the first target; (2σ): without events beyond two RMS") if rows else ""


def _responses(events: FileEvents | None, title: str) -> NDArray[np.float64] | None:
    if events is None:
        return None
    found = events.response(title)
    if found is not None:
        return found
    # several targets are the leaves of one branch, or branches of their own
    column = events.columns.get(title)
    if column is None:
        column = next((c for name, c in events.columns.items() if name.startswith(f"{title}.")), None)
    if column is None:
        return None
    return np.asarray(column[column.dtype.names[0]] if column.dtype.names else column, dtype=np.float64)
