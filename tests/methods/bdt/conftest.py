"""The reference records of BDT, and forests that no training makes."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.bdt.forest import Forest, Tree
from pytmva_bnn.methods.bdt.preselection import Preselection
from pytmva_bnn.model import Model

METHODS = Path(__file__).resolve().parents[3] / "xml_fixtures" / "methods"
NAMES = sorted(path.parent.name for path in METHODS.glob("bdt_*/weights.xml.gz"))
ODD_NAMES = (
    "single_leaves",
    "linear_cut",
    "daughters_of_leaves",
    "no_weights",
    "several_preselections",
    "overflow",
    "text",
)


@pytest.fixture(scope="session", params=NAMES)
def bdt_case(request, method_case):
    """Each of TMVA's records of a BDT in turn."""
    return method_case(request.param)


@dataclass(frozen=True)
class Subject:
    """A model with events that try it: some lie on cuts or one bit beside them, some have no response."""

    name: str
    model: Model
    events: np.ndarray


@pytest.fixture(scope="session")
def subjects():
    """All records and odd forests by name."""
    return {name: Subject(name, model, _events(model)) for name, model in _models().items()}


@pytest.fixture(params=[*NAMES, *ODD_NAMES])
def subject(request, subjects):
    """Each of them in turn."""
    return subjects[request.param]


def _models():
    models = {name: TMVA.load(METHODS / name / "weights.xml.gz") for name in NAMES}
    simple, multi = models["bdt_presel"], models["bdt_multi_plain"]
    forest = simple.fitted.forest

    def changed(model, **fitted):
        return Model(model.file, replace(model.fitted, **fitted))

    below_leaves = forest.node_type.copy()
    below_leaves[(forest.right_node >= 0) & (np.arange(forest.n_nodes) % 3 == 1)] = -1
    all_cuts = Preselection(np.ones((4, 2), dtype=bool), np.array([[-4.0, 0.0], [-2.0, -1.0], [2.0, 0.5], [4.0, 1.0]]))
    odd = (
        changed(
            simple, preselection=None, forest=Forest.of([_leaf(1), _stump(0), _leaf(-1), _stump(1)], [0.3, 1, 2, 0.1])
        ),
        changed(simple, preselection=None, forest=Forest.of([_linear_stump()], [1.0])),
        changed(simple, preselection=None, forest=replace(forest, node_type=below_leaves)),
        changed(simple, preselection=None, forest=replace(forest, boost_weights=np.full(forest.n_trees, 1e-18))),
        changed(simple, preselection=all_cuts),
        changed(multi, forest=replace(multi.fitted.forest, response=multi.fitted.forest.response * np.float32(600))),
        TMVA.load(METHODS / "bdt_text39" / "weights.txt"),
    )
    return models | dict(zip(ODD_NAMES, odd, strict=True))


def _leaf(node_type):
    return _tree([-1], [0.0], [1], [0], [node_type])


def _stump(cut_type):
    return _tree([1, -1, -1], [0.25, 0.0, 0.0], [cut_type, 1, 1], [2, 0, 0], [0, -1, 1])


def _linear_stump():
    """Return a tree with a cut on x - 2y + 0.25, on which the event (0, 0) lies."""
    stump = replace(_stump(1), fisher_nodes=np.array([0], dtype=np.int32), coefficients=np.array([[1.0, -2.0, 0.25]]))
    return replace(stump, variable=np.array([2, -1, -1], dtype=np.int32))


def _tree(variable, cut, cut_type, right, node_type):
    integers = [np.array(one, dtype=np.int32) for one in (variable, cut_type, right, node_type)]
    zeros = np.zeros(len(variable), dtype=np.float32)
    return Tree(integers[0], np.float32(cut), *integers[1:], response=zeros, rms=zeros, purity=zeros)


def _events(model):
    rng = np.random.default_rng(2)
    forest, n_variables = model.fitted.forest, len(model.variables)
    low, high = (np.array([getattr(one, name) for one in model.variables]) for name in ("minimum", "maximum"))
    random = (low + rng.random((150, n_variables)) * (high - low)).astype(np.float32)
    nodes = np.flatnonzero((forest.right_node >= 0) & (forest.variable < n_variables))
    chosen = rng.choice(nodes, 60) if len(nodes) else nodes
    at_cuts = random[: len(chosen)].copy()
    rows, columns, cuts = np.arange(len(chosen)), forest.variable[chosen], forest.cut[chosen]
    groups = [random]
    for cut in (cuts, np.nextafter(cuts, np.float32(np.inf)), np.nextafter(cuts, np.float32(-np.inf))):
        at_cuts[rows, columns] = cut
        groups.append(at_cuts.copy())
    unusual = np.array([0.0, 1e6, -1e6, 1e300, -np.inf, np.nan])[:, np.newaxis] * np.ones(n_variables)
    unusual[-1, 1:] = 0.5
    return np.concatenate([*(one.astype(np.float64) for one in groups), unusual])
