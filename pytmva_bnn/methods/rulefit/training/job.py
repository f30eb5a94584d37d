"""From the events and options of a booked RuleFit to rules and linear terms."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.methods.bdt.training.sample import BoostSample
from pytmva_bnn.methods.progress import show_progress
from pytmva_bnn.methods.protocol import MethodEvents, TrainingJob
from pytmva_bnn.methods.rulefit.rules import NO_LINEAR_TERMS, NO_RULES, LinearTerms, RuleEnsemble, Rules
from pytmva_bnn.methods.rulefit.training.forest import grow_forest
from pytmva_bnn.methods.rulefit.training.path import Fit, Tried, follow, scan_tau
from pytmva_bnn.methods.rulefit.training.rule_making import rules_of_trees, without_similar
from pytmva_bnn.methods.rulefit.training.settings import RuleFitSettings
from pytmva_bnn.methods.rulefit.training.walk import FitEvents, Walk, sums_by_rule
from pytmva_bnn.random import RandomGenerator
from pytmva_bnn.reductions.summation import sequential_sum

# TMVA: the average sigma of the rules is meant, which is known only later
RULE_SIGMA = 0.4

log = logging.getLogger("pytmva_bnn.RuleFit")

# TMVA: what it takes without rules
NO_RULE_SUPPORT, NO_RULE_SIGMA = 0.8, RULE_SIGMA
_STEP_BY_NUMPY, _STEPS_OF_TAU = 6e-5, 150
"""Seconds that numpy takes for a step, and steps that the scan makes for each tau, about."""


def train_rules(job: TrainingJob) -> RuleEnsemble:
    """Train as the options of the job say."""
    settings: RuleFitSettings = job.settings
    events = job.training
    _check(events, job.title)
    columns = np.ascontiguousarray(events.inputs.T)
    rules = _find_rules(job) if settings.has_rules else NO_RULES
    holds = np.array(list(rules.hold(columns)), dtype=np.uint8).reshape(len(rules), len(events))
    linear, lines = NO_LINEAR_TERMS, np.empty((0, len(events)))
    if settings.has_linear:
        linear, lines = linear_terms(columns, events.weights, events.class_index, settings.quantile)
    if not len(rules) + len(linear):
        raise InputError(
            f"{job.title}: no rule was found, so there is nothing to fit; smaller nodes (fEventsMin, fEventsMax) or "
            "more trees (nTrees) give more rules"
        )
    n_steps = settings.n_steps + (_STEPS_OF_TAU / settings.tau_precision if settings.tau is None else 0.0)
    everything = FitEvents(
        events.weights,
        np.where(events.is_signal, 1.0, -1.0),
        holds,
        lines,
        compiled_pays(_STEP_BY_NUMPY * n_steps),
    )
    a = _fit(job, everything, linear)
    rules = _described(rules, events, holds)
    return _ensemble(settings, a, rules, linear)


def _check(events: MethodEvents, title: str) -> None:
    for name, own in (("signal", events.is_signal), ("background", ~events.is_signal)):
        total = float(sequential_sum(events.weights[own]))
        if not total > 0.0:
            raise InputError(
                f"{title}: the weights of the {name} training events add up to {total:g}: RuleFit needs a positive sum"
            )


def _find_rules(job: TrainingJob) -> Rules:
    settings: RuleFitSettings = job.settings
    is_integer = np.array([variable.type == "I" for variable in job.dataset.variables])
    found = rules_of_trees(grow_forest(BoostSample.of(job.training), settings, is_integer))
    kept = without_similar(found, settings.min_distance)
    log.info("%d rules from %d trees, of which %d are not similar", len(found), settings.n_trees, len(kept))
    return Rules.of(kept)


def _fit(job: TrainingJob, events: FitEvents, linear: LinearTerms) -> FloatArray:
    """Return offset and coefficients."""
    settings: RuleFitSettings = job.settings
    last = len(events) - 1
    ends = (
        slice(0, int(last * settings.path_fraction) + 1),
        slice(last - int(last * settings.validation_fraction), None),
    )
    if any(len(np.unique(events.y[part])) < 2 for part in ends):
        # TMVA: fits a constant
        log.warning(
            "%s: the events for the fit, or those for its validation, are all of one class, so that all events are "
            "mixed; SplitMode=Random or MixMode=Random avoid this",
            job.title,
        )
        events = events.part(RandomGenerator().shuffle(len(events)))
    path, validation = (events.part(part) for part in ends)
    for name, part in (("GDPathEveFrac", path), ("GDValidEveFrac", validation)):
        if not part.total > 0.0:
            raise InputError(f"{job.title}: the weights of the {len(part)} events of {name} add up to {part.total:g}")
    fit = Fit(Walk(path, settings.step, linear.norm), validation, settings)
    with show_progress(settings.n_steps, log, quiet=job.quiet, unit="step") as progress:
        start = scan_tau(fit) if settings.tau is None else Tried(settings.tau, fit.walk.start())
        return follow(fit, start, progress).a


def _described(rules: Rules, events: MethodEvents, holds: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Rules:
    """Return the rules with support and purity."""
    if not len(rules):
        return rules
    total, is_signal = float(sequential_sum(events.weights)), events.is_signal
    s, b = (sums_by_rule(holds, np.where(own, events.weights, 0.0)) for own in (is_signal, ~is_signal))
    support = sums_by_rule(holds, events.weights) / total
    sigma = np.sqrt(np.maximum(support * (1.0 - support), 0.0))
    return replace(
        rules,
        support=support,
        sigma=sigma,
        norm=np.divide(1.0, sigma, out=np.ones(len(rules)), where=sigma > 0.0),
        purity=np.divide(s, s + b, out=np.zeros(len(rules)), where=s + b != 0.0),
        weight=s + b,
    )


def _ensemble(settings: RuleFitSettings, a: FloatArray, rules: Rules, linear: LinearTerms) -> RuleEnsemble:
    """Return the model without what is not important."""
    support, sigma = NO_RULE_SUPPORT, NO_RULE_SIGMA
    if len(rules):
        support = float(sequential_sum(rules.support)) / len(rules)
        sigma = float(np.sqrt(max(support * (1.0 - support), 0.0)))
    of_rules, of_lines = a[1 : 1 + len(rules)], a[1 + len(rules) :]
    importance, line_importance = np.abs(of_rules) * rules.sigma, sigma * np.abs(of_lines)
    reference = float(max(importance.max(initial=0.0), line_importance.max(initial=0.0)))
    if not reference > 0.0:
        log.warning("no rule and no linear term has a coefficient other than 0: the response is a constant")
        reference = 1.0
    rules = replace(rules, coefficient=of_rules, importance=importance, reference=np.full(len(rules), reference))
    if settings.min_importance > 0.0:
        rules = rules.at(np.flatnonzero(importance / reference >= settings.min_importance))
    used = line_importance / reference > settings.min_importance
    linear = replace(linear, used=used, coefficient=of_lines, importance=line_importance)
    log.info("%d rules and %d linear terms are kept", len(rules), np.count_nonzero(used))
    return RuleEnsemble(
        settings.model, rules, linear, float(a[0]), settings.min_importance, settings.quantile, support, sigma
    )


def linear_terms(
    columns: Float32Array, weights: FloatArray, class_index: NDArray[np.int32], quantile: float
) -> tuple[LinearTerms, FloatArray]:
    """Return terms without coefficients for variables ``(n_variables, n_events)``, and their normalised values."""
    n_variables, n_events = columns.shape
    total = float(sequential_sum(weights))
    low, high, norm = np.empty(n_variables), np.empty(n_variables), np.ones(n_variables)
    values = np.empty((n_variables, n_events))
    for v, x in enumerate(columns):
        order = np.lexsort((class_index, weights, x))
        low[v], high[v] = (_end(x[one], weights[one], quantile * total) for one in (order, order[::-1]))
        lx = np.minimum(high[v], np.maximum(low[v], x.astype(np.float64)))
        s, s2 = (float(sequential_sum(weights * power)) for power in (lx, lx * lx))
        variance = (s2 - s * s / total) / (total - total / n_events)
        if variance > 0.0:
            norm[v] = RULE_SIGMA / np.sqrt(variance)
        values[v] = lx * norm[v]
    nothing = np.zeros(n_variables)
    return LinearTerms(nothing.astype(bool), nothing, norm, low, high, nothing), values


def _end(x: Float32Array, weights: FloatArray, wanted: float) -> float:
    """Return the value of the sorted event with which the sum of weights reaches what is wanted."""
    reached = np.cumsum(weights) >= wanted
    return float(x[np.argmax(reached)] if reached.any() else x[-1])
