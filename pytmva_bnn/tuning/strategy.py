"""The search itself: which trainings are made, and in what order."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset import random_folds, stratified_folds
from pytmva_bnn.dataset.dataset import DataSet, EventSet
from pytmva_bnn.errors import InputError, OptionError, suggestion
from pytmva_bnn.executor import Engine, Executor, Failure, open_executor
from pytmva_bnn.factory.analysis import resolved_analysis_type
from pytmva_bnn.factory.trial import EVIDENCE, RMS, ROC, Job, Scored, Setting, run
from pytmva_bnn.methods import method_of
from pytmva_bnn.options import with_choice
from pytmva_bnn.tmva_types import EMVA, AnalysisType
from pytmva_bnn.tuning.result import SearchResult, Trial
from pytmva_bnn.tuning.space import Choice, all_choices, checked, random_choices

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoader

log = logging.getLogger("pytmva_bnn.search")

How = Literal["grid", "random", "halving"]
_SCORES = {"roc": ROC, "rms": RMS, "evidence": EVIDENCE}
FEWEST_EVENTS = 200
"""Training events below which halving does not go: with fewer of them chance chooses."""


def search(
    loader: DataLoader,
    space: Mapping[str, object] | Sequence[Choice],
    method: EMVA | str = EMVA.kMLP,
    options: str = "",
    *,
    how: How = "grid",
    n: int | None = None,
    folds: int = 0,
    score: str = "auto",
    factor: int = 3,
    events: int | None = None,
    seed: int = 1,
    analysis: str = "Auto",
    executor: Engine = None,
    workers: int | None = None,
    progress: bool = True,
) -> SearchResult:
    """Train a method with many options and find the best.

    A training that fails stays in the result with its error.  No file is written.

    Parameters
    ----------
    loader
        the events
    space
        for each option that varies, the list of its values; or a list of choices, such as
        ``[{"NTrees": 100, "MaxDepth": 3}, {"NTrees": 400, "MaxDepth": 2}]``
    method, options
        the method, and the options that do not vary
    how
        ``"grid"`` tries all combinations; ``"random"`` tries ``n`` of them (default 20), and accepts distributions of
        scipy besides lists; ``"halving"`` starts with all (or ``n``) on few training events, and continues with the
        best ``1/factor`` of them on ``factor`` times the events, until all events are used
    folds
        compute the score as the mean over this number of folds of the training events, so that the test events stay
        unseen; by default it comes from the test events
    score
        by default the ROC integral (the mean over the classes if there are several), in a regression the RMS deviation;
        ``"evidence"`` is the log evidence of networks with UseRegulator, which needs no test events
    events
        the largest number of training events, chosen at random
    seed
        of all random choices
    analysis
        as AnalysisType of the Factory
    executor, workers
        where the trainings run (:func:`~pytmva_bnn.executor.open_executor`); the result is the same everywhere
    progress
        show a progress bar

    >>> import pytmva_bnn as TMVA
    >>> loader = TMVA.DataLoader("dataset")
    >>> loader.AddVariable("pt")
    >>> loader.AddSignalTree("xml_fixtures/data/fakerate.root:pass")
    >>> loader.AddBackgroundTree("xml_fixtures/data/fakerate.root:fail")
    >>> found = TMVA.search(loader, {"NTrees": [5, 20], "MaxDepth": [1, 2]}, "BDT")
    >>> len(found)
    4
    >>> TMVA.search(loader, {"NTres": [5, 20]}, "BDT")
    Traceback (most recent call last):
    ...
    pytmva_bnn.errors.OptionError: BDT: The following options were specified, but could not be interpreted: ...
    """
    choices = _choices(space, how, n, seed)
    kind = method.method_name if isinstance(method, EMVA) else method_of(str(method)).kind
    found = AnalysisType.named(analysis) or resolved_analysis_type(loader.description, by_targets=True)
    name = _score_name(score, found, folds)
    given = [with_choice(options, choice) for choice in choices]
    dataset = loader.built()
    setting = Setting(dataset, found, kind, name, _folds(dataset, folds), _mixed(dataset.training, seed))
    for text in given:  # typos show now, not after hours
        setting.booking(text, kind)
    most = min(events or len(dataset.training), len(dataset.training))
    with open_executor(executor, workers) as opened:
        rounds = _rounds(len(given), most, factor) if how == "halving" else [most]
        left = list(range(len(given)))
        trials: list[Trial] = []
        for number, n_events in enumerate(rounds):
            title = "search" if len(rounds) == 1 else f"search, round {number + 1} of {len(rounds)}"
            now = _trials(opened, setting, choices, given, left, n_events, title if progress else "")
            order = sorted(range(len(left)), key=lambda k: _rank(now[k], name))
            trials = [now[k] for k in order] + trials
            left = [left[k] for k in order[: math.ceil(len(left) / factor)] if not now[k].error]
            if not left:
                raise InputError(f"no training succeeded; the first: {now[0].error}")
    return SearchResult(kind, name, tuple(trials))


def _choices(given: Mapping[str, object] | Sequence[Choice], how: str, n: int | None, seed: int) -> list[Choice]:
    if n is not None and n < 1:
        raise OptionError(f"n must be at least 1, got {n}")
    if not isinstance(given, Mapping) and given:
        if n is not None or how == "random":
            raise OptionError("all choices of a list are tried; leave out n and how='random'")
        return list(given)
    space = checked(given if isinstance(given, Mapping) else {})
    match how:
        case "grid":
            if n is not None:
                raise OptionError("a grid has all combinations; set how='random' to try n of them")
            return all_choices(space)
        case "random":
            return random_choices(space, n or 20, seed)
        case "halving":
            return all_choices(space) if n is None else random_choices(space, n, seed)
    hint = suggestion(how, ("grid", "random", "halving"))
    raise OptionError(f"unknown how='{how}'{': ' + hint if hint else ''} (known: grid, random, halving)")


def _score_name(score: str, analysis: AnalysisType, folds: int) -> str:
    natural = RMS if analysis == AnalysisType.REGRESSION else ROC
    name = natural if score == "auto" else _SCORES.get(score)
    if name is None:
        hint = suggestion(score, ("auto", *_SCORES))
        raise OptionError(f"unknown score='{score}'{': ' + hint if hint else ''} (known: auto, {', '.join(_SCORES)})")
    if name not in (natural, EVIDENCE):
        raise OptionError(f"score='{score}' is not available in {analysis.lower()}; use the {natural} or the evidence")
    if name == EVIDENCE and folds:
        raise OptionError("the evidence needs no folds; leave out folds")
    return name


def _folds(dataset: DataSet, n_folds: int) -> list[NDArray[np.intp]]:
    if not n_folds:
        return []
    if len(dataset.training) < 10 * n_folds:
        raise InputError(f"{len(dataset.training)} training events are too few for {n_folds} folds")
    if len(dataset.class_names) > 1:
        return stratified_folds(dataset.training.class_index, n_folds)
    return random_folds(len(dataset.training), n_folds)


def _mixed(events: EventSet, seed: int) -> NDArray[np.intp]:
    """Return an order of the events in which each first part has the classes in their proportions."""
    generator = np.random.default_rng(seed)
    place = np.empty(len(events))
    for one in np.unique(events.class_index):
        own = np.flatnonzero(events.class_index == one)
        place[generator.permutation(own)] = (np.arange(own.size) + 0.5) / own.size
    return np.argsort(place, kind="stable")


def _rounds(n_choices: int, n_events: int, factor: int) -> list[int]:
    """Return the number of training events of each round.

    >>> _rounds(9, 9000, 3)
    [1000, 3000, 9000]
    >>> _rounds(100, 900, 3)
    [300, 900]
    """
    if factor < 2:
        raise OptionError(f"factor must be at least 2, got {factor}")
    found = [n_events]
    while factor ** len(found) <= n_choices and found[0] // factor >= FEWEST_EVENTS:
        found.insert(0, found[0] // factor)
    return found


def _rank(trial: Trial, score: str) -> float:
    """Return what is smallest for the best; what failed comes last."""
    return math.inf if math.isnan(trial.score) else trial.score if score == RMS else -trial.score


def _trials(
    executor: Executor,
    setting: Setting,
    choices: Sequence[Choice],
    options: Sequence[str],
    numbers: Sequence[int],
    n_events: int,
    progress: str,
) -> list[Trial]:
    """Return what has become of these choices, in the order of ``numbers``."""
    folds = range(len(setting.folds)) if setting.folds else [None]
    jobs = [Job(number, options[number], fold, n_events) for number in numbers for fold in folds]
    outcomes = executor.outcomes(partial(run, setting), jobs, progress=progress, name=lambda job: job.options)
    found: dict[int, list[Scored | Failure]] = {number: [] for number in numbers}
    for index, outcome in outcomes:
        found[jobs[index].trial].append(outcome)
    return [_trial(choices[number], options[number], found[number], n_events) for number in numbers]


def _trial(choice: Choice, options: str, outcomes: Sequence[Scored | Failure], n_events: int) -> Trial:
    for one in outcomes:
        if isinstance(one, Failure):
            log.warning("%s: the training failed: %s", options, one.error)
            return Trial(choice, options, (), n_events, 0.0, str(one.error))
    good = [one for one in outcomes if isinstance(one, Scored)]
    return Trial(choice, options, tuple(one.score for one in good), n_events, sum(one.seconds for one in good))
