"""The contents of plots from an output file that TMVA, or this package, wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.evaluation import Histogram1D
from pytmva_bnn.show.plots.content import Content, InputContent, Matrix
from pytmva_bnn.show.plots.correlations import Pair
from pytmva_bnn.show.plots.inputs import Distribution
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.report.file_events import FileEvents, read_events
from pytmva_bnn.show.report.file_methods import method_content, tmva_efficiencies
from pytmva_bnn.show.report.root_histograms import ODD, Directory
from pytmva_bnn.tmva_types import AnalysisType

MOST_PAIR_VARIABLES = 6
_UNIT = re.compile(r"\s+\[([^\]]*)\]$")


@dataclass(frozen=True, eq=False)
class FileContent:
    """What an output file holds of a data set; ``described`` has what it says about each method in words.

    ``efficiencies`` are TMVA's signal efficiencies at 1, 10 and 30% background, of test and training events, for
    methods that have them.
    """

    path: Path
    content: Content
    test: FileEvents | None
    training: FileEvents | None
    described: Mapping[str, list[tuple[str, object]]]
    efficiencies: Mapping[str, list[tuple[float, float | None]]]


def read_output_file(path: str | Path, dataset: str | None = None) -> FileContent:
    """Read a data set of an output file; it need not be named if it is the only one.

    Files of ROOT before 6.08, without a folder for the data set, are read too.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; the output file is the one given to the Factory")
    import uproot  # lazy: heavy

    try:
        with uproot.open(path) as file:
            notes: list[str] = []
            top = Directory(file, notes)
            name, directory = _chosen(path, top, dataset or "")
            return _read(path, name, directory)
    except InputError:
        raise
    except ODD as error:
        raise InputError(f"{path} cannot be read as a ROOT file: {type(error).__name__}: {error}") from error


def _chosen(path: Path, top: Directory, dataset: str) -> tuple[str, Directory]:
    if any(name.startswith(("Method_", "InputVariables_")) for name in top.folders):
        return dataset, top
    if not dataset:
        if len(top.folders) != 1:
            found = ", ".join(top.folders) or "none"
            raise InputError(f"{path}: say which data set is meant; the file has {found}")
        dataset = top.folders[0]
    directory = top.folder(dataset)
    if directory is None:
        hint = suggestion(dataset, top.folders)
        known = ", ".join(top.folders) or "none"
        raise InputError(f"{path} has no data set {dataset!r}{': ' + hint if hint else ''}; it has {known}")
    return dataset, directory


def _read(path: Path, name: str, directory: Directory) -> FileContent:
    test, training = (read_events(directory, tree) for tree in ("TestTree", "TrainTree"))
    inputs = [one for folder in directory.folders if (one := _input_content(directory, folder)) is not None]
    matrices = [matrix for key in directory.names if (matrix := _matrix(directory, key)) is not None]
    analysis = _analysis(directory)
    labels = (
        list(matrices[0].labels) if matrices else [label for label, _ in (inputs[0].distributions if inputs else ())]
    )
    targets = _targets(directory)
    methods, described, efficiencies = [], {}, {}
    for kind in directory.folders:
        of_kind = directory.folder(kind) if kind.startswith("Method_") else None
        for title in of_kind.folders if of_kind else []:
            folder = of_kind.folder(title) if of_kind else None
            if folder is not None:
                methods.append(method_content(folder, title, test, training, labels, targets))
                described[title] = _described(folder, kind.removeprefix("Method_"))
                efficiencies[title] = tmva_efficiencies(folder, title)
    names = {
        AnalysisType.REGRESSION: targets,
        AnalysisType.MULTICLASS: list(methods[0].rest_curves) if methods else [],
    }.get(analysis, [])
    content = Content(name, analysis, labels, names, inputs, matrices, methods, directory.notes)
    return FileContent(path, content, test, training, described, efficiencies)


def _analysis(directory: Directory) -> AnalysisType:
    if "CorrelationMatrix" in directory.names or any("__Regression" in n for n in _first_inputs(directory)):
        return AnalysisType.REGRESSION
    for kind in directory.folders:
        of_kind = directory.folder(kind) if kind.startswith("Method_") else None
        for title in of_kind.folders if of_kind else []:
            found = of_kind.folder(title) if of_kind else None
            if found and any("_prob_for_" in name for name in found.names):
                return AnalysisType.MULTICLASS
    return AnalysisType.CLASSIFICATION


def _first_inputs(directory: Directory) -> list[str]:
    for folder in directory.folders:
        if folder.startswith("InputVariables_"):
            found = directory.folder(folder)
            return found.names if found else []
    return []


def _targets(directory: Directory) -> list[str]:
    found = [name.split("__Regression_target")[0] for name in _first_inputs(directory) if "__Regression_target" in name]
    return list(dict.fromkeys(found))


def _described(folder: Directory, kind: str) -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = [("Type", kind)]
    pairs += [
        (words, folder.string(name))
        for name, words in (("WeightFileName", "Weight file"), ("TrainingPath", "Trained in"))
        if folder.string(name)
    ]
    return pairs


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
    except ODD as error:
        plots.notes.append(f"{plots.path}: a profile cannot be read: {error}")
        return np.empty(0), np.empty(0), np.empty(0)
