"""What an output file holds of one method."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import TMVAError
from pytmva_bnn.evaluation import Histogram1D, RocCurve, roc_curve
from pytmva_bnn.evaluation.efficiencies import CURVE_BINS, BackgroundCurve
from pytmva_bnn.evaluation.multiclass import BACKGROUND_EFFICIENCIES
from pytmva_bnn.methods.mlp.training.state import History
from pytmva_bnn.show.plots.content import Calibrated, MethodContent, Squares
from pytmva_bnn.show.plots.densities import Density
from pytmva_bnn.show.plots.deviations import DeviationPlot
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.report.file_events import FileEvents
from pytmva_bnn.show.report.root_histograms import Directory

Classes = dict[str, Histogram1D]
_DEVIATION = re.compile(r"(test|train)_reg_(var|tgt)(\d+)_rtgt(\d+)$")


def method_content(
    folder: Directory,
    title: str,
    test: FileEvents | None,
    training: FileEvents | None,
    inputs: Sequence[str],
    targets: Sequence[str],
) -> MethodContent:
    """Return the content of the folder ``Method_<type>/<title>``; ROC curves are of the events, if they are there."""
    p = f"MVA_{title}"
    effs, effb = folder.histogram(f"{p}_effS"), folder.histogram(f"{p}_effB")
    classes, rest, pairs = _multiclass(folder, p, "Test")
    trained_classes, trained_rest, _ = _multiclass(folder, p, "Train")
    binary = f"{p}_S" in folder.names
    columns = [title, *inputs]
    return MethodContent(
        title,
        _two(folder, f"{p}_S", f"{p}_B"),
        _two(folder, f"{p}_Train_S", f"{p}_Train_B"),
        _two(folder, f"{p}_Proba_S", f"{p}_Proba_B"),
        _two(folder, f"{p}_Rarity_S", f"{p}_Rarity_B"),
        _densities(folder),
        None if effs is None or effb is None else (effs, effb),
        _roc(folder, title, "rejBvsS", test) if binary else None,
        _roc(folder, title, "trainingRejBvsS", training) if binary else None,
        _history(folder),
        _matrices(folder),
        classes,
        trained_classes,
        rest,
        trained_rest,
        pairs,
        _deviations(folder, inputs, targets),
        _squares(folder, p),
        _calibrated(title, test, training) if binary else None,
        _parallel(title, test, inputs) if binary else {},
        columns,
    )


def _two(folder: Directory, signal: str, background: str) -> Classes:
    found = {"Signal": folder.histogram(signal), "Background": folder.histogram(background)}
    return {name: h for name, h in found.items() if h is not None} if all(found.values()) else {}


def _roc(folder: Directory, title: str, name: str, events: FileEvents | None) -> RocCurve | None:
    response = events.response(title) if events is not None else None
    if events is not None and response is not None and len(response):
        try:
            return roc_curve(response, events.is_signal, events.weights)
        except TMVAError as error:
            folder.notes.append(f"{folder.path}: no ROC curve of the events: {error}")
    h = folder.histogram(f"MVA_{title}_{name}")
    if h is None:
        return None
    # from signal efficiency 1 down to 0, as curves of events are
    rejection = np.concatenate([[0.0], h.values[::-1].astype(np.float64), [1.0]])
    return RocCurve(rejection, np.concatenate([[1.0], h.centres[::-1], [0.0]]))


def tmva_efficiencies(folder: Directory, title: str) -> list[tuple[float, float | None]]:
    """Return the signal efficiencies that TMVA prints, (test, training) at each background efficiency."""
    test, training = (folder.histogram(f"MVA_{title}_{name}") for name in ("effBvsS", "trainingEffBvsS"))
    if test is None or test.n_bins != CURVE_BINS:
        return []
    curve = BackgroundCurve(test.values.astype(np.float64))
    other = None if training is None or training.n_bins != CURVE_BINS else training.values.astype(np.float64)
    trained = None if other is None else BackgroundCurve(other)
    return [
        (curve.signal_efficiency_at(b), None if trained is None else trained.signal_efficiency_at(b))
        for b in BACKGROUND_EFFICIENCIES
    ]


def _history(folder: Directory) -> History | None:
    train, test = folder.histogram("estimatorHistTrain"), folder.histogram("estimatorHistTest")
    if train is None or test is None or train.n_bins != test.n_bins:
        return None
    # bins of epochs that were not reached are empty
    filled = (train.values != 0) | (test.values != 0)
    if not filled.any():
        return None
    epochs = np.ceil(train.centres - 1e-6).astype(np.int64)[filled]
    return History(epochs, train.values[filled].astype(np.float64), test.values[filled].astype(np.float64))


def _matrices(folder: Directory) -> list[NDArray[np.float64]]:
    names = sorted((n for n in folder.names if re.fullmatch(r"weights_hist\d+", n)), key=lambda n: (len(n), n))
    found = [h.values.astype(np.float64) for n in names if (h := folder.histogram_2d(n)) is not None]
    # the row of the bias neuron of the next layer stays empty
    made = [m[:, :-1] if layer < len(found) - 1 else m for layer, m in enumerate(found)]
    fits = all(a.shape[1] + 1 == b.shape[0] for a, b in pairwise(made))
    if not fits or len(found) < len(names):
        folder.notes.append(f"{folder.path}: the histograms of the weights do not fit each other")
        return []
    return made


def _densities(folder: Directory) -> list[Density]:
    made = []
    for letter, name in (("S", "Signal"), ("B", "Background")):
        sources = [n for n in folder.names if n.endswith(f"_tr_{letter}")]
        lines = [n for n in folder.names if re.search(rf"_tr_{letter}_smoothed_hist_from_", n)]
        points = folder.histogram(sources[0]) if sources else None
        line = folder.histogram(lines[0]) if lines else None
        if points is not None and line is not None:
            few = slice(None, None, max(1, line.n_bins // 600))
            y = line.values.astype(np.float64)
            made.append(Density(name, line.centres[few], y[few], points.centres, points.values.astype(np.float64)))
    return made if len(made) == 2 else []


def _multiclass(
    folder: Directory, p: str, sample: str
) -> tuple[dict[str, Classes], dict[str, RocCurve], dict[Any, Any]]:
    start = f"{p}_{sample}_"
    names = [n.removeprefix(f"{start}rejBvsS_") for n in folder.names if n.startswith(f"{start}rejBvsS_")]
    rest = {name: curve for name in names if (curve := folder.curve(f"{start}rejBvsS_{name}")) is not None}
    pairs = {
        (a, b): curve
        for a in names
        for b in names
        if a != b and (curve := folder.curve(f"{start}1v1rejBvsS_{a}_vs_{b}")) is not None
    }
    classes = {
        name: {t: h for t in names if (h := folder.histogram(f"{start}{name}_prob_for_{t}")) is not None}
        for name in names
    }
    return {name: made for name, made in classes.items() if made}, rest, pairs


def _deviations(
    folder: Directory, inputs: Sequence[str], targets: Sequence[str]
) -> dict[tuple[str, str], list[DeviationPlot]]:
    made: dict[tuple[str, str], list[DeviationPlot]] = {}
    order = [("targets", "test"), ("targets", "training"), ("variables", "test"), ("variables", "training")]
    for name in folder.names:
        found = _DEVIATION.search(name)
        h = folder.histogram_2d(name) if found else None
        if found and h is not None:
            against = "targets" if found[2] == "tgt" else "variables"
            sample = "test" if found[1] == "test" else "training"
            i, j = int(found[3]), int(found[4])
            known = targets if against == "targets" else inputs
            x = folder.titles(name)[1] or (known[i] if i < len(known) else f"{against[:-1]} {i}")
            y = targets[j] if j < len(targets) else f"target {j}"
            made.setdefault((against, sample), []).append(DeviationPlot(text(x), f"{text(y)}: response − truth", h))
    return {key: made[key] for key in order if key in made}


def _squares(folder: Directory, p: str) -> list[Squares]:
    made = []
    for j in range(100):
        parts = [
            folder.histogram(f"{p}{sample}_{what}_target_{j}_")
            for sample in ("train", "test")
            for what in ("Quadr_Deviation", "Quadr_Dev_best90perc")
        ]
        if parts[0] is None or parts[1] is None or parts[2] is None or parts[3] is None:
            break
        made.append((parts[0], parts[1], parts[2], parts[3]))
    return made


def _calibrated(title: str, test: FileEvents | None, training: FileEvents | None) -> Calibrated | None:
    response = test.response(title) if test is not None else None
    if test is None or response is None or not np.all((response >= 0) & (response <= 1)) or len(response) == 0:
        return None
    share = None
    if training is not None and training.weights.sum() > 0:
        found = float(training.weights[training.is_signal].sum() / training.weights.sum())
        share = found if 0 < found < 1 and 0 < np.count_nonzero(test.is_signal) < len(response) else None
    return Calibrated(response, test.is_signal, test.weights, None, share)


def _parallel(title: str, test: FileEvents | None, inputs: Sequence[str]) -> dict[str, NDArray[Any]]:
    response = test.response(title) if test is not None else None
    if test is None or response is None:
        return {}
    # the variables are the first columns of the tree, in their order
    columns = [c for c in test.columns.values() if c.dtype.names is None and c.ndim == 1][: len(inputs)]
    if len(columns) < len(inputs) or not inputs:
        return {}
    events = np.column_stack([response, *(np.asarray(c, dtype=np.float64) for c in columns)])
    return {"Signal": events[test.is_signal], "Background": events[~test.is_signal]}
