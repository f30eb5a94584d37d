"""``pytmva-bnn train``: a training from beginning to end with the library's Factory."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytmva_bnn.cli.comparison import comparison
from pytmva_bnn.cli.console import only_errors, say, without_words_on_interrupts
from pytmva_bnn.cli.train_defaults import FINALISTS, open_choices, shortened, with_defaults
from pytmva_bnn.cli.train_job import Booked, TrainJob, read_configuration
from pytmva_bnn.cli.usage import UsageError, options_of, usage
from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.errors import OutputError, suggestion
from pytmva_bnn.executor import open_executor
from pytmva_bnn.files import atomic_writer, check_writable
from pytmva_bnn.methods import method_of
from pytmva_bnn.options import with_choice
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.tuning import search
from pytmva_bnn.tuning.space import Choice

if TYPE_CHECKING:
    from pytmva_bnn.factory import MethodBase

OUTPUT_FILE = "TMVA.root"
MOST_EVENTS = 10_000
"""Training events by whose evidence the network is chosen."""


def run_train(arguments: argparse.Namespace) -> int:
    """Train, test and evaluate; all files go below one folder."""
    job, folder = job_of(arguments).checked(), Path(arguments.output)
    from pytmva_bnn.factory import Factory  # lazy: what is wrong with the job is said before the slow imports

    configuration = folder / job.configuration
    target = None if arguments.no_output_file else folder / OUTPUT_FILE
    bar = "!DrawProgressBar" if arguments.quiet else "DrawProgressBar"
    options = ":".join(part for part in ("!V", bar, f"AnalysisType={job.analysis}", job.factory) if part)
    with options_of("--factory"):
        factory = Factory(job.job, target, options)
    booked = [_completed(one, job) for one in job.booked]
    loader = job.loader()
    files = {one.title: file and folder / file for one in booked for file in (factory.weight_file(loader, one.title),)}
    for file in (configuration, target, *files.values()):
        if file is not None:
            check_writable(file)  # now, not after hours of training
    with options_of("--prepare"):
        loader.built()
    booked = [_decided(one, job, loader, arguments.jobs, quiet=arguments.quiet) for one in booked]
    for one in booked:
        factory.BookMethod(loader, one.method, one.title, one.options).weight_file = files[one.title]
    with without_words_on_interrupts():
        try:
            factory.TrainAllMethods()
        except OutputError as error:
            trained = [method for method in factory.methods if method.is_trained]
            if trained and trained[-1].weight_file is not None and error.advice:
                error.advice = _rescued(trained[-1], trained[-1].weight_file.name)
            raise
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    with atomic_writer(configuration) as stream:
        stream.write((json.dumps(job.as_mapping(), indent=1) + "\n").encode())
    trained = [method for method in factory.methods if method.is_trained]
    if not arguments.quiet:
        _say_results(factory.tables, trained)
    for weight_file in files.values():
        class_file = weight_file and weight_file.with_name(weight_file.name.replace(".weights.xml", ".class.C"))
        _say_written(weight_file, class_file)
    _say_written(configuration, target)
    for method in trained:
        if method.trained.fitted.interrupted_after:
            what = method.trained.fitted.noun.split()[-1]  # network
            after = method.trained.fitted.interrupted_after
            raise KeyboardInterrupt(f"interrupted after {after}: the {what} so far is written")
    return 0


def _rescued(method: MethodBase, name: str) -> str:
    """Write a method whose weight file cannot be written to the folder of temporary files; tell where it is."""
    try:
        path = Path(tempfile.mkdtemp(prefix="pytmva_bnn_")) / name
        method.save(path)
    except OSError as error:
        return f"and it could not be saved in the folder of temporary files ({error})"
    return f"the trained methods are in {path} instead"


def _completed(booked: Booked, job: TrainJob) -> Booked:
    """Return a method with the defaults for what its options leave open; errors in them are reported now."""
    with usage(), options_of("--method" if job.methods else "--options"):
        kind = method_of(booked.method).kind
        options = with_defaults(kind, booked.options, job.analysis, len(job.variables), booked.title)
    return booked if job.tmva_defaults else replace(booked, options=options)


def _decided(booked: Booked, job: TrainJob, loader: DataLoader, jobs: int, *, quiet: bool) -> Booked:
    """Return a network with the options that the evidence is for, where they are not given."""
    if job.tmva_defaults:
        return booked
    steps = open_choices(booked.method, booked.options, job.analysis, loader.built().training.variables)
    chosen = {name: value for step in steps for name, value in step[0].items()}
    options = with_choice(booked.options, chosen)
    steps = [step for step in steps if len(step) > 1]
    with only_errors(), open_executor(workers=jobs) as executor:
        tried = partial(
            search,
            loader,
            method=booked.method,
            score="evidence",
            events=MOST_EVENTS,
            analysis=job.analysis,
            executor=executor,
            progress=not quiet,
        )
        for step in steps:
            left: Sequence[Choice] = step
            short = shortened(booked.method, options, job.analysis)
            if short and len(step) > FINALISTS:
                left = [one.choice for one in tried(step, options=short)][:FINALISTS]
            best = tried(left, options=options).best
            options, chosen = best.options, {**chosen, **best.choice}
    if steps and not quiet:
        words = ", ".join(f"{name}={value}" for name, value in chosen.items())
        say(f"{booked.title}: the evidence favours {words}")
    return replace(booked, options=options)


def _say_results(tables: Sequence[str], trained: Sequence[MethodBase]) -> None:
    for table in tables:
        say(table)
    for method in trained:
        if method.analysis_type != AnalysisType.REGRESSION and method.ranking is not None:
            _say_ranking(method.ranking.entries, method.title if len(trained) > 1 else "")
    if len(trained) > 1:
        for line in comparison(trained):
            say(line)
        say()


def _say_ranking(entries: Sequence[tuple[str, float]], title: str) -> None:
    if not entries:
        return
    say(f"Variables by importance{f' for {title}' if title else ''}:")
    width = max(len(name) for name, _ in entries)
    for rank, (name, value) in enumerate(entries, start=1):
        say(f"{rank:4d} : {name:<{width}} : {value:.3e}")
    say()


def _say_written(*files: Path | None) -> None:
    for file in files:
        if file is not None and file.exists():
            say(f"written: {file}")


def job_of(arguments: argparse.Namespace) -> TrainJob:
    """Return the training that the arguments, and the configuration file that they name, describe."""
    given: dict[str, Any] = dict(read_configuration(arguments.config)) if arguments.config else {}
    trees = _trees(arguments)
    if trees:
        given["trees"] = trees
    for key in (
        "variables",
        "spectators",
        "targets",
        "prepare",
        "options",
        "title",
        "job",
        "dataset",
        "factory",
        "methods",
        "tmva_defaults",
    ):
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
        raise UsageError(f"--tree-weight: no events are given for the class {', '.join(sorted(unknown))}")
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
            raise UsageError(f"--cut is given twice for {whose}: combine them with &&")
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
        raise UsageError(f"{option}: no events are given for the class {name}: {hint}")
    return name, expression.strip()


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (sign and name and value):
        raise UsageError(f"{option} is written {form}, got {text!r}")
    return name, value
