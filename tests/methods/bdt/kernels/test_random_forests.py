"""Forests of all shapes: numpy, compiled code and a plain walk down every tree give the same bits."""

import math
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pytmva_bnn as TMVA
from pytmva_bnn.methods.bdt.kernels.single_event import SingleEvent
from pytmva_bnn.methods.bdt.linked_event import LinkedForest
from pytmva_bnn.transform.compiled import Steps

KINDS = ("yes or no", "purity", "Grad", "multiclass", "regression", "Grad regression", "R2")
SHAPES = ("leaf", "stump", "two levels", "three levels", "five levels", "eight levels", "some leaves", "a chain", "any")


def leaf_of(tree, event):
    """Return the node where an event ends, as spec and TMVA walk."""
    node = 0
    coefficients = tree.coefficients_of()
    while tree.node_type[node] == 0:
        variable, cut = int(tree.variable[node]), float(tree.cut[node])
        if variable == len(event):
            value = float(coefficients[node][-1])
            for coefficient, x in zip(coefficients[node][:-1].tolist(), event, strict=True):
                value += coefficient * x
            passes = value > cut
        else:
            passes = event[variable] >= cut
        node = int(tree.right[node]) if passes == bool(tree.cut_type[node]) else node + 1
    return node


def total(values):
    """Return the sum, one after the other; Python's own compensates rounding errors from 3.12 on."""
    return reduce(add, values, 0.0)


def exponential(x):
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def median_mean(answers, weights):
    """Return AdaBoostR2's combination."""
    pairs = sorted(zip(answers, range(len(answers)), strict=True))
    added, passed, half = 0.0, 0, total(weights) / 2.0
    while added <= half and passed < len(pairs):
        added += weights[pairs[passed][1]]
        passed += 1
    chosen = pairs[max(0, passed - len(pairs) // 6 - 1) : min(len(pairs), passed + len(pairs) // 6)]
    return total(answer for answer, _ in chosen) / len(chosen)


def response_of(fitted, event):
    """Return the outputs for an event, written out for single numbers."""
    trees = list(fitted.forest)
    leaves = [leaf_of(tree, event) for tree in trees]
    if fitted.regression_trees:
        answers = [float(tree.response[leaf]) for tree, leaf in zip(trees, leaves, strict=True)]
    elif fitted.yes_no_leaf:
        answers = [float(tree.node_type[leaf]) for tree, leaf in zip(trees, leaves, strict=True)]
    else:
        answers = [float(tree.purity[leaf]) for tree, leaf in zip(trees, leaves, strict=True)]
    weights = fitted.forest.boost_weights.astype(np.float32).astype(float).tolist()
    if fitted.active_preselection is not None:
        answer = float(fitted.preselection.answers(np.float32([event]))[0])
        if answer:
            return [answer]
    if fitted.combination == "softmax":
        powers = [exponential(total(answers[c :: fitted.n_classes])) for c in range(fitted.n_classes)]
        return [power / total(powers) for power in powers]
    if fitted.combination == "logistic":
        return [2.0 / (1.0 + exponential(-2.0 * total(answers))) - 1.0]
    if fitted.combination == "sum":
        return [total(answers) + weights[0]]
    if fitted.combination == "median":
        return [median_mean(answers, weights)]
    terms = [weight * answer for weight, answer in zip(weights, answers, strict=True)]
    return [total(terms) / total(weights) if total(weights) > 2.220446049250313e-16 else 0.0]


def assert_same_bits(found, expected):
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found) & ~np.isnan(found), np.signbit(expected) & ~np.isnan(expected))


subjects = {
    "seed": st.integers(0, 2**32),
    "kind": st.sampled_from(KINDS),
    "shape": st.sampled_from(SHAPES),
    "n_trees": st.integers(1, 14),
    "n_events": st.sampled_from([1, 2, 17, 40]),
    "fisher": st.sampled_from([0.0, 0.0, 0.5]),
    "preselected": st.booleans(),
}


@pytest.mark.filterwarnings("error")
@settings(max_examples=400)
@given(copies=st.sampled_from([1, 1, 20]), **subjects)
def test_all_ways_give_the_same_bits(random_subject, copies, **how):
    pytest.importorskip("numba")
    subject = random_subject(**how)
    fitted, x = subject.model.fitted, subject.events
    expected = np.array([response_of(fitted, event) for event in x.astype(float).tolist()])
    x, expected = np.tile(x, (copies, 1)), np.tile(expected, (copies, 1))  # many events are treated otherwise than few
    assert_same_bits(fitted.respond_by(x, compiled=False), expected)
    assert_same_bits(fitted.respond_by(x, compiled=True), expected)


@settings(max_examples=150)
@given(**subjects)
def test_one_event_after_the_other(random_subject, **how):
    pytest.importorskip("numba")
    subject = random_subject(**how)
    fitted, x = subject.model.fitted, subject.events
    expected = fitted.mva_values(x)
    memory = np.zeros(x.shape[1], dtype=np.float32)
    parts = [memory[number : number + 1] for number in range(memory.size)]
    by_numpy = LinkedForest.of(fitted._as_evaluated, subject.model.transformations, parts)
    compiled = SingleEvent(
        fitted._as_evaluated.compiled_forest, Steps.none(), parts, fitted._as_evaluated.active_preselection
    )
    for event, value in zip(x, expected, strict=True):
        memory[:] = event
        # others take the long way
        is_usual = np.isfinite(event).all()
        assert_same_bits(compiled.evaluate(), value if is_usual else np.nan)
        if is_usual and np.abs(event.astype(float)).sum() < 1e38:
            assert_same_bits(by_numpy.evaluate(), value)


@settings(max_examples=60)
@given(**subjects)
def test_weight_files_hold_all_of_it(random_subject, **how):
    subject = random_subject(**how)
    text = subject.model.to_xml()
    again = TMVA.load_string(text)
    assert again.to_xml() == text
    assert_same_bits(again.fitted.respond(subject.events), subject.model.fitted.respond(subject.events))
