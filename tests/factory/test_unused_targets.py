"""Targets of a data set that is not for regression: transformed beside the variables, used by nobody."""

from __future__ import annotations

import array

import numpy as np
import pytest

import pytmva_bnn as TMVA

X = np.random.default_rng(1).normal(size=(50, 2)).astype(np.float32)
CLASSES = {"Classification": ("Signal", "Background"), "Multiclass": ("a", "b", "c")}


@pytest.fixture(autouse=True)
def _in_its_own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def trained(analysis, transformations):
    rng = np.random.default_rng(3)
    loader = TMVA.DataLoader("dataset")
    for name in ("x", "y"):
        loader.AddVariable(name)
    loader.AddTarget("t")
    for place, name in enumerate(CLASSES[analysis]):
        values = {"x": place, "y": -place, "t": 2 * place}
        loader.AddTree({key: rng.normal(mean, 1.0, 80) for key, mean in values.items()}, name)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:NormMode=None")
    factory = TMVA.Factory("job", "out.root", f"!V:Silent:!DrawProgressBar:AnalysisType={analysis}")
    options = f"TrainingMethod=BFGS:NCycles=4:HiddenLayers=2:VarTransform={transformations}"
    method = factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", options)
    factory.TrainAllMethods()
    return factory, method


@pytest.mark.parametrize("analysis", list(CLASSES))
@pytest.mark.parametrize(
    ("transformations", "of_variables"), [("N", "N(_V_)"), ("U", "U(_V_)"), ("S,D", "S(_V_),D")], ids="NUS"
)
def test_responses_are_those_of_transforming_the_variables_alone(analysis, transformations, of_variables):
    _, expected = trained(analysis, of_variables)
    _, method = trained(analysis, transformations)
    text = (path := method.weight_file).read_text()
    assert 'Type="Target"' in text
    assert "<Targets" not in text
    for expected.model.compiled in (False, True):
        found = TMVA.load(path, compiled=expected.model.compiled).predict(X)
        np.testing.assert_array_equal(found, expected.model.predict(X))
    assert path.with_name("job_MLP.class.C").exists()


def test_testing_evaluation_and_the_reader_go_through():
    factory, method = trained("Classification", "N")
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    assert method.GetROCIntegral() > 0.5
    for compat in ("extended", "strict"):
        reader = TMVA.Reader("Silent", compat=compat)
        memory = [array.array("f", [0.0]) for _ in X[0]]
        for name, one in zip("xy", memory, strict=True):
            reader.AddVariable(name, one)
        reader.BookMVA("MLP", method.weight_file)
        for event, response in zip(X[:5], method.model.predict(X[:5]), strict=True):
            for one, value in zip(memory, event, strict=True):
                one[0] = value
            assert reader.EvaluateMVA("MLP") == response
