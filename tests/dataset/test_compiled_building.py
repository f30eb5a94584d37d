"""Data sets built by compiled code are those built by numpy, to the last bit."""

import numpy as np
import pytest

from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.dataset.placing import placed, take


@pytest.mark.parametrize("sizes", [[5], [3, 4], [0, 6], [100, 1, 50]])
def test_events_are_placed_in_their_order(both_ways, sizes):
    rng = np.random.default_rng(1)
    events = [rng.permutation(size).astype(np.int32) for size in sizes]
    weights = [rng.uniform(size=size) for size in sizes]
    order = rng.permutation(sum(sizes))
    for a, b in zip(*both_ways(lambda: placed(order, events, weights)), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("widths", [(2, 0, 0), (3, 1, 2), (0, 0, 0)])
def test_rows_are_taken_to_their_places(both_ways, widths):
    rng = np.random.default_rng(2)
    n = 70_000  # more than one thread has to do
    values = [rng.normal(size=(n, sum(widths))).astype(np.float32) for _ in range(2)]
    classes, numbers = rng.integers(0, 2, n).astype(np.int32), rng.integers(0, n, n).astype(np.int32)

    def parts():
        made = tuple(np.full((n, width), np.nan, np.float32) for width in widths)
        take(values, classes, numbers, made)
        return made

    for a, b in zip(*both_ways(parts), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("split", ["Random", "Alternate", "Block"])
@pytest.mark.parametrize("norm", ["None", "NumEvents", "EqualNumEvents"])
@pytest.mark.parametrize("numbers", ["", "nTrain_Signal=500:nTest_Background=100:"])
def test_whole_data_sets(both_ways, split, norm, numbers):
    rng = np.random.default_rng(3)
    columns = {name: rng.normal(size=4000).astype(np.float32) for name in "xyw"}

    def build():
        loader = DataLoader("dataset")
        loader.AddVariable("x")
        loader.AddVariable("x*y")
        loader.AddSpectator("y")
        loader.AddSignalTree({name: values[:2500] for name, values in columns.items()})
        loader.AddBackgroundTree({name: values[2500:] for name, values in columns.items()}, 2.0)
        loader.SetBackgroundWeightExpression("1 + abs(w)")
        loader.PrepareTrainingAndTestTree("x > -1.5", f"{numbers}SplitMode={split}:NormMode={norm}")
        return loader.dataset

    by_numpy, compiled = both_ways(build)
    for a, b in ((by_numpy.training, compiled.training), (by_numpy.test, compiled.test)):
        for name in ("variables", "targets", "spectators", "class_index", "weights"):
            assert getattr(a, name).dtype == getattr(b, name).dtype
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert by_numpy.variables == compiled.variables
    for name, matrix in by_numpy.correlations.items():
        np.testing.assert_array_equal(matrix, compiled.correlations[name])
