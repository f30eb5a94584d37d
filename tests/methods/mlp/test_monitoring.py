"""Option EpochMonitoring: what the output file has of the test epochs."""

from pathlib import Path

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.histograms import fill_1d

OPTIONS = "TrainingMethod=BFGS:NCycles=5:HiddenLayers=2:TestRate=2:VarTransform=N:EpochMonitoring"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(options, analysis="Classification"):
        rng = np.random.default_rng(3)
        loader = TMVA.DataLoader("dataset")
        loader.AddVariable("x")
        loader.AddVariable("y")
        if analysis == "Regression":
            loader.AddTarget("t")
            loader.AddRegressionTree({name: rng.normal(size=60) for name in "xyt"})
        else:
            for place, add in ((0.0, loader.AddSignalTree), (1.0, loader.AddBackgroundTree)):
                add({"x": rng.normal(place, 1.0, 60), "y": rng.normal(size=60), "w": rng.uniform(0.5, 1.5, 60)})
            loader.SetWeightExpression("w")
        factory = TMVA.Factory("job", Path("out.root"), f"Silent:!DrawProgressBar:AnalysisType={analysis}")
        method = factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", options)
        factory.TrainAllMethods()
        factory.EvaluateAllMethods()
        with uproot.open("out.root:dataset/Method_MLP/MLP/EpochMonitoring") as folder:
            return method, {key: folder[key] for key in folder.keys(cycle=False)}

    return run


def test_the_test_epochs_have_responses_and_weights_in_tmvas_order(run):
    _, found = run(OPTIONS)
    responses = [
        f"convergencetest___mlp_{sample}_epoch_{epoch}_{letter}"
        for letter in "SB"
        for epoch in ("0001", "0003", "0000")
        for sample in ("train", "test")
    ]
    weights = [
        f"epochmonitoring___epoch_{epoch}_weights_hist{layer}" for epoch in ("0001", "0003") for layer in ("01", "12")
    ]
    assert list(found) == responses + weights


def test_the_last_histograms_are_those_of_the_trained_network(run):
    method, found = run(OPTIONS)
    events, responses = method.dataset.training, method.respond().training[:, 0]
    for number, letter in enumerate("SB"):
        chosen = events.of_class(number)
        expected = fill_1d(responses[chosen], events.weights[chosen], 100, -2.0, 2.0, dtype=np.float32)
        histogram = found[f"convergencetest___mlp_train_epoch_0000_{letter}"]
        np.testing.assert_allclose(histogram.values(), expected.values, rtol=1e-6)
        assert (histogram.title, histogram.member("fEntries")) == (histogram.name, 30)
        early = found[f"convergencetest___mlp_train_epoch_0001_{letter}"]
        assert not np.array_equal(early.values(), histogram.values())
        test = found[f"convergencetest___mlp_test_epoch_0000_{letter}"]
        sum_of_weights = method.dataset.test.weights[method.dataset.test.of_class(number)].sum()
        assert test.values().sum() == pytest.approx(sum_of_weights)


def test_the_weights_of_an_epoch_are_those_of_a_training_that_ends_there(run):
    _, found = run(OPTIONS)
    shorter, _ = run(OPTIONS.replace("NCycles=5", "NCycles=4"))
    matrix = shorter.trained.fitted.network.matrices[0]
    np.testing.assert_allclose(found["epochmonitoring___epoch_0003_weights_hist01"].values()[:, :2], matrix, rtol=1e-6)


@pytest.mark.parametrize(
    ("options", "analysis"), [(OPTIONS.replace(":EpochMonitoring", ""), "Classification"), (OPTIONS, "Regression")]
)
def test_without_the_option_or_in_a_regression_the_folder_is_empty(run, options, analysis):
    assert run(options, analysis)[1] == {}
