"""Forests of all shapes at random, in models that can be written and read."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.bdt.forest import Forest, Tree
from pytmva_bnn.methods.bdt.preselection import Preselection
from pytmva_bnn.model import Model

METHODS = Path(__file__).resolve().parents[4] / "xml_fixtures" / "methods"
SHAPES = ("leaf", "stump", "two levels", "three levels", "five levels", "eight levels", "some leaves", "a chain", "any")
#: base case, boost type, whether leaves answer yes or no, whether trees are regression trees
KINDS = {
    "yes or no": ("bdt_presel", "AdaBoost", True, False),
    "purity": ("bdt_presel", "AdaBoost", False, False),
    "Grad": ("bdt_grad", "Grad", True, True),
    "multiclass": ("bdt_multi_plain", "Grad", True, True),
    "regression": ("bdt_reg", "AdaBoost", True, True),
    "Grad regression": ("bdt_grad_reg", "Grad", True, True),
    "R2": ("bdt_reg", "AdaBoostR2", True, True),
}
# numbers that cuts and events share: events lie on cuts, and one bit beside them
NUMBERS = np.float32([0.0, -0.0, 1.0, -1.0, 0.5, 1e-45, -1e-45, 1e-38, 3.0, -2.5, 1e30, -1e30, 3e38])
UNUSUAL = np.float32([np.nan, np.inf, -np.inf])


def _numbers(rng, n):
    values = np.where(rng.random(n) < 0.5, rng.choice(NUMBERS, n), rng.normal(size=n).astype(np.float32))
    beside = np.nextafter(values, np.float32(rng.choice([-np.inf, np.inf])))
    return np.where(rng.random(n) < 0.2, beside, values).astype(np.float32)


def _splits(rng, shape):
    """Return whether the nodes of a tree have daughters, in pre-order."""
    levels = {"leaf": 0, "stump": 1, "two levels": 2, "three levels": 3, "five levels": 5, "eight levels": 8}
    found, first_goes_on = [], rng.random() < 0.5
    waiting = [0]
    while waiting:
        depth = waiting.pop()
        if shape == "a chain":  # one daughter of each node is a leaf
            is_first = depth == 0 or (waiting and waiting[-1] == depth)
            inner = depth == 0 or (depth < 40 and is_first == first_goes_on)
        elif shape == "some leaves":
            inner = depth < 12 and rng.random() < (0.95 if depth < 3 else 0.55)
        else:
            inner = depth < levels[shape]
        found.append(bool(inner))
        if inner:
            waiting += [depth + 1, depth + 1]
    return np.array(found)


def _tree(rng, shape, n_variables, fisher):
    inner = _splits(rng, rng.choice(SHAPES[:-1]) if shape == "any" else shape)
    n = len(inner)
    right, waiting = np.zeros(n, dtype=np.int32), []
    for number, splits in enumerate(inner):
        if splits:
            waiting.append(number)
        elif waiting:
            right[waiting.pop()] = number + 1
    # some nodes with daughters are leaves: nothing comes to what is below them
    node_type = np.where(inner & (rng.random(n) < 0.97), 0, rng.choice([-1, 1, -99], n)).astype(np.int32)
    linear = np.flatnonzero(inner & (rng.random(n) < fisher))
    variable = np.where(inner, rng.integers(0, n_variables, n), -1).astype(np.int32)
    variable[linear[::2]] = n_variables  # the others have coefficients that do not count
    return Tree(
        variable,
        _numbers(rng, n),
        rng.integers(0, 2, n).astype(np.int32),
        right,
        node_type,
        response=rng.choice(np.float32([0.25, -0.0, 1.5, *rng.normal(size=5)]), n),
        rms=np.zeros(n, dtype=np.float32),
        purity=rng.random(n).astype(np.float32),
        fisher_nodes=linear.astype(np.int32),
        coefficients=rng.normal(size=(len(linear), n_variables + 1)) if len(linear) else np.empty((0, 0)),
    )


@cache
def _base(name):
    return TMVA.load(METHODS / name / "weights.xml.gz")


@dataclass(frozen=True)
class Subject:
    """A model with events that try it."""

    model: Model
    events: np.ndarray


@pytest.fixture(scope="session")
def random_subject():
    """Return a function that makes a model of a kind and a shape, and events for it."""

    def make(seed, kind, shape, *, n_trees=5, n_events=30, fisher=0.0, preselected=False):
        rng = np.random.default_rng(seed)
        name, boost_type, yes_no_leaf, regression_trees = KINDS[kind]
        base = _base(name)
        n_variables = int(rng.integers(1, 5))
        n_trees = n_trees * len(base.classes) if kind == "multiclass" else n_trees
        weights = rng.choice([0.0, 1e-20, 1.0, *rng.exponential(size=6)], n_trees)
        if rng.random() < 0.3:
            weights = np.full(n_trees, 0.5)  # half of their sum is reached exactly
        forest = Forest.of([_tree(rng, shape, n_variables, fisher) for _ in range(n_trees)], weights)
        is_on, cuts = rng.random((4, n_variables)) < 0.3, np.where(rng.random((4, n_variables)) < 0.5, 0.5, -1.0)
        fitted = replace(
            base.fitted,
            forest=forest,
            boost_type=boost_type,
            yes_no_leaf=yes_no_leaf,
            regression_trees=regression_trees,
            do_preselection=preselected,
            preselection=Preselection(is_on, cuts) if preselected else None,
        )
        values = {"BoostType": boost_type, "UseYesNoLeaf": str(yes_no_leaf), "DoPreselection": str(preselected)}
        options = tuple(replace(one, value=values.get(one.name, one.value)) for one in base.file.options)
        variables = tuple(VariableRecord.define(f"x{number}") for number in range(n_variables))
        x = _numbers(rng, n_events * n_variables)
        on_cuts = rng.random(len(x)) < 0.5
        x[on_cuts] = rng.choice(forest.cut, int(on_cuts.sum()))
        x[rng.random(len(x)) < 0.05] = rng.choice(UNUSUAL)
        return Subject(
            Model(replace(base.file, variables=variables, options=options), fitted), x.reshape(n_events, n_variables)
        )

    return make
