"""``pytmva-bnn train``: a training from beginning to end with the library's Factory."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytmva_bnn.cli.console import say, without_words_on_interrupts
from pytmva_bnn.cli.train_job import TrainJob, read_configuration
from pytmva_bnn.errors import InputError, OutputError, suggestion
from pytmva_bnn.files import atomic_writer, check_writable
from pytmva_bnn.tmva_types import AnalysisType

if TYPE_CHECKING:
    from pytmva_bnn.factory import MethodBase

OUTPUT_FILE = "TMVA.root"
METHOD = "MLP"


def run_train(arguments: argparse.Namespace) -> int:
    """Train, test and evaluate; all files go below one folder."""
    job, folder = job_of(arguments).checked(), Path(arguments.output)
    from pytmva_bnn.factory import Factory  # lazy: what is wrong with the job is said before the slow imports

    configuration = folder / f"{job.job}_{job.title}.train.json"
    target = None if arguments.no_output_file else folder / OUTPUT_FILE
    bar = "!DrawProgressBar" if arguments.quiet else "DrawProgressBar"
    options = ":".join(part for part in ("!V", bar, f"AnalysisType={job.analysis}", job.factory) if part)
    factory = Factory(job.job, target, options)
    method = factory.BookMethod(job.loader(), METHOD, job.title, job.options)
    weight_file = None if method.weight_file is None else folder / method.weight_file
    for file in (configuration, target, weight_file):
        if file is not None:
            check_writable(file)  # now, not after hours of training
    method.weight_file = weight_file
    with without_words_on_interrupts():
        try:
            factory.TrainAllMethods()
        except OutputError as error:
            if method.is_trained and weight_file is not None and error.advice:
                error.advice = _rescued(method, weight_file.name)
            raise
    interrupted = method.trained.fitted.interrupted_after if method.is_trained else ""
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    with atomic_writer(configuration) as stream:
        stream.write((json.dumps(job.as_mapping(), indent=1) + "\n").encode())
    if not arguments.quiet:
        for table in factory.tables:
            say(table)
        if method.analysis_type != AnalysisType.REGRESSION and method.ranking is not None:
            _say_ranking(method.ranking.entries)
    class_file = weight_file and weight_file.with_name(weight_file.name.replace(".weights.xml", ".class.C"))
    for file in (weight_file, class_file, configuration, target):
        if file is not None and file.exists():
            say(f"written: {file}")
    if interrupted:
        what = method.trained.fitted.noun.split()[-1]  # network
        raise KeyboardInterrupt(f"interrupted after {interrupted}: the {what} so far is written")
    return 0


def _rescued(method: MethodBase, name: str) -> str:
    """Write a method whose weight file cannot be written to the folder of temporary files; tell where it is."""
    try:
        path = Path(tempfile.mkdtemp(prefix="pytmva_bnn_")) / name
        method.save(path)
    except OSError as error:
        return f"and it could not be saved in the folder of temporary files ({error})"
    return f"what was trained is in {path} instead"


def _say_ranking(entries: Sequence[tuple[str, float]]) -> None:
    if not entries:
        return
    say("Variables by importance:")
    width = max(len(name) for name, _ in entries)
    for rank, (name, value) in enumerate(entries, start=1):
        say(f"{rank:4d} : {name:<{width}} : {value:.3e}")
    say()


def job_of(arguments: argparse.Namespace) -> TrainJob:
    """Return the training that the arguments, and the configuration file that they name, describe."""
    given: dict[str, Any] = dict(read_configuration(arguments.config)) if arguments.config else {}
    trees = _trees(arguments)
    if trees:
        given["trees"] = trees
    for key in ("variables", "spectators", "targets", "prepare", "options", "title", "job", "dataset", "factory"):
        value = getattr(arguments, key)
        if value is not None:
            given[key] = value
    if arguments.weight:
        given["weight"] = _weights(arguments.weight, given.get("trees", {}))
    job = TrainJob.of(given)
    if arguments.cut:
        for_all, cuts = _cuts(arguments.cut, job.trees)
        job = replace(job, cut=job.cut if for_all is None else for_all).with_cuts(cuts)
    return job


def _trees(arguments: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    pairs = [("Signal", tree) for tree in arguments.signal or ()]
    pairs += [("Background", tree) for tree in arguments.background or ()]
    pairs += [("Regression", tree) for tree in arguments.regression or ()]
    pairs += [_pair(text, "--class", "NAME=FILE:TREE") for text in arguments.classes or ()]
    weights = dict(_pair(text, "--tree-weight", "NAME=NUMBER") for text in arguments.tree_weight or ())
    unknown = set(weights) - {name for name, _ in pairs}
    if unknown:
        raise InputError(f"--tree-weight: no events are given for the class {', '.join(sorted(unknown))}")
    found: dict[str, list[dict[str, Any]]] = {}
    for name, tree in pairs:
        found.setdefault(name, []).append({"tree": tree, "weight": weights.get(name, 1.0)})
    return found


def _weights(given: Sequence[str], classes: Collection[str]) -> dict[str, str]:
    """Return the weight expressions by class: ``NAME=EXPR`` where NAME is one, else for all."""
    found: dict[str, str] = {}
    for text in given:
        name, expression = _of_class(text, classes, "--weight")
        if name is not None:
            found[name] = expression
        else:
            found |= {one: expression for one in classes if one not in found}
    return found


def _cuts(given: Sequence[str], classes: Collection[str]) -> tuple[str | None, dict[str, str]]:
    """Return the cut for all events, None if there is none, and those for single classes."""
    found: dict[str | None, str] = {}
    for text in given:
        name, expression = _of_class(text, classes, "--cut")
        if name in found:
            whose = "all events" if name is None else f"the class {name}"
            raise InputError(f"--cut is given twice for {whose}: write one, with && between its parts")
        found[name] = expression
    return found.pop(None, None), {str(name): expression for name, expression in found.items()}


def _of_class(text: str, classes: Collection[str], option: str) -> tuple[str | None, str]:
    """Return class and expression of ``NAME=EXPR``, None and the expression without a name.

    >>> _of_class("Signal=passed==1", ["Signal"], "--cut"), _of_class("Signal==1", ["Signal"], "--cut")
    (('Signal', 'passed==1'), (None, 'Signal==1'))
    """
    name, sign, expression = text.partition("=")
    name = name.strip()
    # comparisons are no names: w == 1, w <= 1
    if not sign or expression.startswith("=") or (name not in classes and not name.isidentifier()):
        return None, text
    if name not in classes:
        hint = suggestion(name, classes) or f"there are {', '.join(classes) or 'none'}"
        raise InputError(f"{option}: no events are given for the class {name}: {hint}")
    return name, expression.strip()


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (sign and name and value):
        raise InputError(f"{option} is written {form}, got {text!r}")
    return name, value
