"""What is shown of an output file that TMVA, or this package, wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError, TMVAError, suggestion
from pytmva_bnn.evaluation import Histogram1D, RegressionSample, RocCurve, roc_curve
from pytmva_bnn.evaluation.efficiencies import CURVE_BINS, BackgroundCurve
from pytmva_bnn.evaluation.multiclass import BACKGROUND_EFFICIENCIES
from pytmva_bnn.evaluation.regression import RegressionNumbers, regression_numbers
from pytmva_bnn.files import expanded
from pytmva_bnn.show.methods import FOLDERS
from pytmva_bnn.show.plots.content import (
    Calibrated,
    ClassCount,
    Content,
    Events,
    InputContent,
    Matrix,
    MethodContent,
    described,
    training_facts,
)
from pytmva_bnn.show.plots.deviations import DeviationPlot, Squares
from pytmva_bnn.show.plots.inputs import Distribution, Pair
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.responses import Density
from pytmva_bnn.show.report.html import titled
from pytmva_bnn.show.report.root_file import Directory, FileEvents, read_events
from pytmva_bnn.tmva_types import AnalysisType

MOST_PAIR_VARIABLES = 6
_UNIT = re.compile(r"\s+\[([^\]]*)\]$")
_DEVIATION = re.compile(r"(test|train)_reg_(var|tgt)(\d+)_rtgt(\d+)$")
_SAMPLES = (("targets", "test"), ("targets", "training"), ("variables", "test"), ("variables", "training"))


def read_output_file(path: str | Path, dataset: str | None = None) -> Content:
    """Read a data set of an output file; it need not be named if it is the only one.

    Files of ROOT before 6.08, without a folder for the data set, are read too.
    """
    path = Path(expanded(path))
    if not path.is_file():
        raise InputError(f"{path}: the file does not exist; give the output file of the Factory")
    import uproot  # lazy: heavy

    try:
        with uproot.open(path) as file:
            return _read(path, *_chosen(path, Directory(file, []), dataset or ""))
    except (InputError, ImportError):
        raise
    except Exception as error:  # a damaged file makes uproot fail in many ways
        raise InputError(f"{path} cannot be read as a ROOT file: {type(error).__name__}: {error}") from error


def _chosen(path: Path, top: Directory, dataset: str) -> tuple[str, Directory]:
    if any(name.startswith(("Method_", "InputVariables_")) for name in top.folders):
        return dataset, top
    known = ", ".join(top.folders) or "none"
    if not dataset:
        if len(top.folders) != 1:
            raise InputError(f"{path}: several data sets; name one of {known}")
        dataset = top.folders[0]
    directory = top.folder(dataset)
    if directory is None:
        hint = suggestion(dataset, top.folders)
        raise InputError(f"{path} has no data set {dataset!r}{': ' + hint if hint else ''}; it has {known}")
    return dataset, directory


def _read(path: Path, name: str, directory: Directory) -> Content:
    test, training = (read_events(directory, tree) for tree in ("TestTree", "TrainTree"))
    inputs = [one for folder in directory.folders if (one := _input_content(directory, folder)) is not None]
    matrices = [matrix for key in directory.names if (matrix := _matrix(directory, key)) is not None]
    labels = list(matrices[0].labels) if matrices else [label for one in inputs[:1] for label, _ in one.distributions]
    folders = list(_methods(directory))
    analysis = _analysis(directory, [folder for _, _, folder in folders])
    targets = _targets(directory, test, [title for _, title, _ in folders])
    methods = [
        _method(folder, kind, title, test, training, labels, targets, analysis) for kind, title, folder in folders
    ]
    outputs = {
        AnalysisType.REGRESSION: targets,
        AnalysisType.MULTICLASS: list(methods[0].rest_curves) if methods else [],
    }
    facts = [("File", path), ("Name", name), ("Analysis", analysis), ("Variables", titled(", ".join(labels)))]
    return Content(
        name,
        analysis,
        Events(facts, _counts(training, test)),
        labels,
        outputs.get(analysis, []),
        inputs,
        matrices,
        methods,
        notes=directory.notes,
    )


def _counts(training: FileEvents | None, test: FileEvents | None) -> list[ClassCount]:
    names = next((events.class_names for events in (training, test) if events is not None), ())
    return [
        ClassCount(name, training.count(name) if training else None, test.count(name) if test else None)
        for name in names
    ]


def _methods(directory: Directory) -> Iterator[tuple[str, str, Directory]]:
    """Yield type, title and folder of each method."""
    for kind in directory.folders:
        of_kind = directory.folder(kind) if kind.startswith("Method_") else None
        for title in of_kind.folders if of_kind else ():
            folder = of_kind.folder(title) if of_kind else None
            if folder is not None:
                yield kind.removeprefix("Method_"), title, folder


def _analysis(directory: Directory, methods: Sequence[Directory]) -> AnalysisType:
    if "CorrelationMatrix" in directory.names or any("__Regression" in name for name in _first_inputs(directory)):
        return AnalysisType.REGRESSION
    several = any("_prob_for_" in name for folder in methods for name in folder.names)
    return AnalysisType.MULTICLASS if several else AnalysisType.CLASSIFICATION


def _first_inputs(directory: Directory) -> list[str]:
    first = next((folder for folder in directory.folders if folder.startswith("InputVariables_")), "")
    found = directory.folder(first)
    return found.names if found else []


def _targets(directory: Directory, events: FileEvents | None, titles: Sequence[str]) -> list[str]:
    found = [name.split("__Regression_target")[0] for name in _first_inputs(directory) if "__Regression_target" in name]
    # TMVA: histograms of several targets do not say that they are of targets
    found = found or [name for title in titles[:1] if events is not None for name in events.responses(title) if name]
    return list(dict.fromkeys(found))


# ---- input variables ----------------------------------------------------------------------------------------


def _matrix(directory: Directory, name: str) -> Matrix | None:
    if not name.startswith("CorrelationMatrix"):
        return None
    h = directory.histogram_2d(name)
    if h is None or h.values.shape[0] != h.values.shape[1]:
        return None
    found = directory.read(name)
    labels = found.axis(0).labels() or [f"variable {k}" for k in range(len(h.values))]
    title = directory.titles(name)[0].removeprefix("Correlation Matrix").strip(" ()")
    return Matrix(name, title, h.values.astype(np.float64) / 100.0, [str(one) for one in labels])


def _input_content(directory: Directory, name: str) -> InputContent | None:
    folder = directory.folder(name) if name.startswith("InputVariables_") else None
    if folder is None:
        return None
    chain = name.removeprefix("InputVariables_")
    made: dict[str, dict[str, Histogram1D]] = {}
    labels: dict[str, str] = {}
    for key in folder.names:
        variable, separator, class_name = _without_chain(key, chain).rpartition("__")
        h = folder.histogram(key) if separator else None
        if h is not None:
            made.setdefault(variable, {})[class_name.removesuffix("_target")] = h
            labels.setdefault(variable, _label(folder.titles(key)[1] or variable))
    distributions: list[Distribution] = [(labels[variable], classes) for variable, classes in made.items()]
    return InputContent(chain, distributions, _pairs(folder, chain, list(made)))


def _without_chain(key: str, chain: str) -> str:
    # a folder whose name was taken has a number, its histograms do not
    for ending in (f"_{chain}", "_" + re.sub(r"_\d+$", "", chain)):
        if key.endswith(ending):
            return key.removesuffix(ending)
    return key


def _label(title: str) -> str:
    """Return the title of an axis as TMVA writes it, in our form: one blank before the unit."""
    found = _UNIT.search(title)
    return f"{text(title[: found.start()])} [{text(found[1])}]" if found else text(title)


def _pairs(folder: Directory, chain: str, variables: list[str]) -> dict[str, list[Pair]]:
    plots = folder.folder("CorrelationPlots")
    if plots is None:
        return {}
    if len(variables) > MOST_PAIR_VARIABLES:
        folder.notes.append(
            f"{plots.path}: pairs of {len(variables)} variables are left out (at most {MOST_PAIR_VARIABLES} are drawn)"
        )
        return {}
    made: dict[str, list[Pair]] = {}
    for key in plots.names:
        found = _pair(plots, key, chain, variables)
        if found is not None:
            made.setdefault(found[0], []).append(found[1])
    return made


def _pair(plots: Directory, key: str, chain: str, variables: list[str]) -> tuple[str, Pair] | None:
    body = _without_chain(key.removeprefix("scat_"), chain)
    if not key.startswith("scat_"):
        return None
    names = ((x, y) for x in variables for y in variables if body.startswith(f"{y}_vs_{x}_"))
    x, y = max(names, key=lambda pair: len(pair[0]) + len(pair[1]), default=("", ""))
    scatter = plots.histogram_2d(key)
    profile = plots.read(key.replace("scat_", "prof_", 1))
    if not x or scatter is None or profile is None:
        return None
    class_name = body.removeprefix(f"{y}_vs_{x}_")
    centres, means, errors = _profile(plots, profile)
    _, x_title, y_title = plots.titles(key)
    return x, Pair(_label(x_title or x), _label(y_title or y), class_name, scatter, centres, means, errors)


def _profile(plots: Directory, profile: Any) -> tuple[Any, Any, Any]:
    try:
        values, errors = np.asarray(profile.values()), np.asarray(profile.errors())
        edges = np.asarray(profile.axis().edges())
        return 0.5 * (edges[1:] + edges[:-1]), values, np.nan_to_num(errors)
    except Exception as error:  # a damaged file makes uproot fail in many ways
        plots.notes.append(f"{plots.path}: a profile cannot be read: {error}")
        return np.empty(0), np.empty(0), np.empty(0)


# ---- methods ------------------------------------------------------------------------------------------------


def _method(
    folder: Directory,
    kind: str,
    title: str,
    test: FileEvents | None,
    training: FileEvents | None,
    inputs: Sequence[str],
    targets: Sequence[str],
    analysis: AnalysisType,
) -> MethodContent:
    """Return the content of the folder ``Method_<type>/<title>``; ROC curves are of the events, if they are there."""
    p = f"MVA_{title}"
    fitted, history = FOLDERS[kind](folder, title) if kind in FOLDERS else (None, None)
    said = (("Weight file", folder.string("WeightFileName")), ("Trained in", folder.string("TrainingPath")))
    known: dict[str, Any] = {
        "summary": [("Type", kind), *described(fitted), *training_facts(history)],
        "facts": [fact for fact in said if fact[1]],
        "inputs": inputs,
        "fitted": fitted,
        "training": history,
        "columns": [title, *inputs],
    }
    if f"{p}_S" in folder.names:
        known |= _classifier(folder, title, test, training, inputs)
    elif f"{p}_effBvsS" in folder.names:
        # working points instead of responses: those of the events are all alike, and no cut on them is to be drawn
        known |= {**_classifier(folder, title, None, None, inputs), "efficiencies": None}
    if analysis == AnalysisType.MULTICLASS:
        classes, rest, pairs = _multiclass(folder, f"{p}_Test_")
        trained_classes, trained_rest, _ = _multiclass(folder, f"{p}_Train_")
        known |= {
            "class_responses": classes,
            "class_training_responses": trained_classes,
            "rest_curves": rest,
            "rest_training_curves": trained_rest,
            "pair_curves": pairs,
        }
    if analysis == AnalysisType.REGRESSION:
        numbers = dict(_numbers(title, targets, test, training))
        known |= {
            "quality": -numbers["test"][0].deviation if "test" in numbers else 0.0,
            "numbers": numbers,
            "deviations": _deviations(folder, inputs, targets),
            "squares": list(_squares(folder, p)),
        }
    return MethodContent(title, **known)


def _classifier(
    folder: Directory, title: str, test: FileEvents | None, training: FileEvents | None, inputs: Sequence[str]
) -> dict[str, Any]:
    p = f"MVA_{title}"
    efficiencies = folder.histogram(f"{p}_effS"), folder.histogram(f"{p}_effB")
    roc, curve = _roc(folder, title, "rejBvsS", test), _background(folder, f"{p}_effBvsS")
    trained = _background(folder, f"{p}_trainingEffBvsS")
    return {
        "quality": curve.area if curve is not None else 0.0 if roc is None else roc.auc,
        "response": _two(folder, p),
        "training_response": _two(folder, f"{p}_Train"),
        "probability": _two(folder, f"{p}_Proba"),
        "rarity": _two(folder, f"{p}_Rarity"),
        "densities": _densities(folder),
        "efficiencies": None if None in efficiencies else efficiencies,
        "roc": roc,
        "training_roc": _roc(folder, title, "trainingRejBvsS", training),
        # TMVA: what it prints is of the histograms, not of the events
        "signal_efficiencies": [
            (curve.signal_efficiency_at(b), None if trained is None else trained.signal_efficiency_at(b))
            for b in BACKGROUND_EFFICIENCIES
            if curve is not None
        ],
        "calibrated": _calibrated(title, test, training),
        "parallel": _parallel(title, test, inputs),
    }


def _background(folder: Directory, name: str) -> BackgroundCurve | None:
    h = folder.histogram(name)
    return None if h is None or h.n_bins != CURVE_BINS else BackgroundCurve(h.values.astype(np.float64))


def _two(folder: Directory, start: str) -> dict[str, Histogram1D]:
    signal, background = folder.histogram(f"{start}_S"), folder.histogram(f"{start}_B")
    return {} if signal is None or background is None else {"Signal": signal, "Background": background}


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


def _densities(folder: Directory) -> list[Density]:
    made = []
    for letter, name in (("S", "Signal"), ("B", "Background")):
        source = next((n for n in folder.names if n.endswith(f"_tr_{letter}")), "")
        density = folder.density(source, name) if source else None
        if density is not None:
            made.append(density)
    return made if len(made) == 2 else []


def _multiclass(folder: Directory, start: str) -> tuple[dict[str, Any], dict[str, RocCurve], dict[Any, Any]]:
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
    return {key: made[key] for key in _SAMPLES if key in made}


def _squares(folder: Directory, p: str) -> Iterator[Squares]:
    for j in range(100):
        parts = [
            folder.histogram(f"{p}{sample}_{what}_target_{j}_")
            for sample in ("train", "test")
            for what in ("Quadr_Deviation", "Quadr_Dev_best90perc")
        ]
        if parts[0] is None or parts[1] is None or parts[2] is None or parts[3] is None:
            return
        yield parts[0], parts[1], parts[2], parts[3]


def _numbers(
    title: str, targets: Sequence[str], test: FileEvents | None, training: FileEvents | None
) -> Iterator[tuple[str, list[RegressionNumbers]]]:
    for sample, events in (("test", test), ("training", training)):
        if events is None:
            continue
        pairs = zip(events.responses(title).values(), map(events.columns.get, targets), strict=False)
        known = [(response, truth) for response, truth in pairs if truth is not None]
        if known:
            made = [RegressionSample(response, truth, events.weights) for response, truth in known]
            yield sample, [regression_numbers(one) for one in made]


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
