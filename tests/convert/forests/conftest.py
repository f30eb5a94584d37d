"""Events to train small forests on, and what holds for every conversion."""

from dataclasses import dataclass

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.bdt.response import leaf_numbers

NAMES = ["pt", "eta", "mass", "n"]


@dataclass(frozen=True)
class Sample:
    """Events in float64 that are no float32 numbers, with ties, and their labels."""

    x: np.ndarray
    binary: np.ndarray
    three: np.ndarray
    target: np.ndarray


def make_sample(seed, n_events):
    generator = np.random.default_rng(seed)
    x = np.column_stack(
        [
            generator.normal(size=n_events),
            generator.normal(size=n_events).round(1),  # ties
            generator.exponential(1e3, size=n_events),
            generator.integers(-2, 3, size=n_events),  # zero among them
        ]
    )
    score = x[:, 0] + x[:, 1] * x[:, 3] + x[:, 2] / 1e3 + generator.normal(size=n_events)
    return Sample(x, (score > 1.0).astype(int), np.digitize(score, [0.0, 1.5]), 10.0 * score)


@pytest.fixture(autouse=True)
def _one_thread():
    """Threads cost more than they bring for such small forests, most of all beside other tests."""
    try:
        from threadpoolctl import threadpool_limits  # comes with scikit-learn
    except ImportError:
        yield
        return
    with threadpool_limits(1):
        yield


@pytest.fixture(params=[1, 2])
def sample(request):
    """Two samples in turn."""
    return make_sample(request.param, 250)


@pytest.fixture
def small():
    """Return a small sample, for all that does not depend on numbers."""
    return make_sample(3, 100)


class Conversion:
    """A model of another library, its conversion as it comes back from a weight file, and events in float32."""

    def __init__(self, model, sample, tmp_path, **names):
        names = {"variables": NAMES} | names
        converted = TMVA.from_forest(model, **names)
        path = tmp_path / "job_BDT.weights.xml"
        converted.save(path)
        self.model = TMVA.load(path)
        assert self.model.to_xml() == converted.to_xml()
        self.path = path
        self.x = np.concatenate([sample.x.astype(np.float32), self._at_cuts(sample)])
        self.response = self.model.predict(self.x)
        np.testing.assert_array_equal(converted.predict(self.x), self.response)
        self.forest = self.model.fitted.forest

    def _at_cuts(self, sample):
        """Events with one variable at a cut, or at the next float32 below or above it."""
        forest, generator = self.model.fitted.forest, np.random.default_rng(7)
        nodes = generator.permutation(np.flatnonzero(forest.node_type == 0))[:300]
        variable, cut = forest.variable[nodes], forest.cut[nodes]
        parts = []
        for values in (np.nextafter(cut, np.float32(-np.inf)), cut, np.nextafter(cut, np.float32(np.inf))):
            part = sample.x[generator.integers(len(sample.x), size=len(nodes))].astype(np.float32)
            part[np.arange(len(nodes)), variable] = values
            parts.append(part)
        return np.concatenate(parts)

    def assert_same_leaves(self, theirs):
        """Check that each event ends in the same leaf of every tree; ``theirs`` (n_events, n_trees) are any labels."""
        theirs = np.asarray(theirs).reshape(len(self.x), -1)
        ours = leaf_numbers(self.forest, self.x)[
            :, self.forest.n_trees - theirs.shape[1] :
        ]  # constant trees come first
        for tree in range(theirs.shape[1]):
            pairs = {*zip(ours[:, tree].tolist(), theirs[:, tree].tolist(), strict=True)}
            assert len(pairs) == len({*ours[:, tree]}) == len({*theirs[:, tree]})

    def assert_close(self, expected, tolerance, response=None):
        """Check values, and that events of different value have the same order."""
        response = np.squeeze(self.response if response is None else response).astype(np.float64)
        expected = np.asarray(expected, dtype=np.float64)
        assert response.shape == expected.shape
        np.testing.assert_allclose(response, expected, rtol=0, atol=tolerance)
        if expected.ndim == 1:
            ordered = response[np.argsort(expected, kind="stable")]
            assert (ordered >= np.maximum.accumulate(ordered) - 2 * tolerance).all()


@pytest.fixture
def conversion(tmp_path):
    """Return the conversion of a model: written, read and evaluated."""
    return lambda model, sample, **names: Conversion(model, sample, tmp_path, **names)
