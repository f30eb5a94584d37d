"""Data sets built by compiled code are those built by numpy, to the last bit."""

import numpy as np
import pytest

from pytmva_bnn.dataset import DataLoader


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
