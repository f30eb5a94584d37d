"""``pytmva-bnn train``."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytmva_bnn.cli.configuration import read_configuration
from pytmva_bnn.cli.console import say
from pytmva_bnn.cli.train_job import TrainJob
from pytmva_bnn.errors import InputError, suggestion


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments; each one given replaces what the configuration file says."""
    add = parser.add_argument
    add("--config", metavar="FILE", help="JSON or YAML file with the same content as the options below")
    add("--signal", metavar="FILE:TREE", action="append", help="events of the class Signal (wildcards allowed)")
    add("--background", metavar="FILE:TREE", action="append", help="events of the class Background")
    add("--regression", metavar="FILE:TREE", action="append", help="events of a regression")
    add("--class", metavar="NAME=FILE:TREE", action="append", dest="classes", help="events of any class")
    add("--tree-weight", metavar="NAME=NUMBER", action="append", help="weight of all events of a class")
    add(
        "-v", "--variable", metavar="EXPR", action="append", dest="variables", help="input variable, or 'label := expr'"
    )
    add("--spectator", metavar="EXPR", action="append", dest="spectators", help="quantity kept with the events")
    add("--target", metavar="EXPR", action="append", dest="targets", help="target of a regression")
    add("--weight", metavar="EXPR", action="append", help="weight of an event; NAME=EXPR for one class only")
    add("--cut", metavar="EXPR", action="append", help="events that are used; NAME=EXPR for one class only")
    add("--prepare", metavar="OPTIONS", help="how events are split, e.g. nTrain_Signal=1000:SplitMode=Random")
    add("--options", metavar="OPTIONS", help="options of the network and of its training")
    add("--title", help="title of the method (default: MLP)")
    add("--job", help="name of the job, with which file names begin (default: job)")
    add("--dataset", help="name of the data set (default: dataset)")
    add("--factory", metavar="OPTIONS", help="more options of the Factory")
    add("--no-output-file", action="store_true", help="do not write TMVA.root")
    add("-q", "--quiet", action="store_true", help="no progress bar, no tables")
    add("-o", "--output", metavar="FOLDER", required=True, help="folder of all that is written")


def run(arguments: argparse.Namespace) -> int:
    """Train and print TMVA's tables."""
    job = job_of(arguments).checked()
    from pytmva_bnn.cli.training import train  # lazy: the training code takes longest to load

    trained = train(job, Path(arguments.output), output_file=not arguments.no_output_file, quiet=bool(arguments.quiet))
    if not arguments.quiet:
        for table in trained.tables:
            say(table)
        if trained.ranking:
            say("Variables by importance:")
            width = max(len(name) for name, _ in trained.ranking)
            for rank, (name, value) in enumerate(trained.ranking, start=1):
                say(f"{rank:4d} : {name:<{width}} : {value:.3e}")
            say()
    for file in trained.files:
        say(f"written: {file}")
    if trained.interrupted_after is not None:
        raise KeyboardInterrupt(f"interrupted after epoch {trained.interrupted_after}: the network so far is written")
    return 0


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
        raise InputError(f"--tree-weight: no events are given for the class {', '.join(sorted(unknown))}")
    found: dict[str, list[dict[str, Any]]] = {}
    for name, tree in pairs:
        found.setdefault(name, []).append({"tree": tree, "weight": weights.get(name, 1.0)})
    return found


def _weights(given: Sequence[str], classes: Collection[str]) -> dict[str, str]:
    """Return the weight expressions by class: ``NAME=EXPR`` where NAME is one, else for all.

    >>> _weights(["w", "Signal=w*k"], ["Signal", "Background"])
    {'Signal': 'w*k', 'Background': 'w'}
    """
    found: dict[str, str] = {}
    for text in given:
        name, expression = _of_class(text, classes, "--weight")
        if name is not None:
            found[name] = expression
        else:
            found |= {one: expression for one in classes if one not in found}
    return found


def _cuts(given: Sequence[str], classes: Collection[str]) -> tuple[str | None, dict[str, str]]:
    """Return the cut for all events, None if there is none, and those for single classes.

    >>> _cuts(["pt > 10", "Signal=passed==1"], ["Signal", "Background"])
    ('pt > 10', {'Signal': 'passed==1'})
    """
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
