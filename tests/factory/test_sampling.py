"""Options Sampling and SamplingEpoch in a Factory: what is shared between methods, and what the evaluation sees."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.dataset import Sampling, Which
from pytmva_bnn.factory.sampled import chosen
from pytmva_bnn.factory.training_run import train_method
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.booking import Booking

OPTIONS = "TrainingMethod=BFGS:NCycles=12:HiddenLayers=3:VarTransform=N:TestRate=5:Sampling=0.4"


@pytest.fixture
def loader():
    random = np.random.default_rng(5)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    loader.AddSignalTree({"x": random.normal(0.5, 1, 800), "y": random.normal(0, 1, 800)})
    loader.AddBackgroundTree({"x": random.normal(-0.5, 1, 800), "y": random.normal(0.3, 1, 800)})
    loader.PrepareTrainingAndTestTree(
        "", "nTrain_Signal=400:nTrain_Background=400:nTest_Signal=300:nTest_Background=300"
    )
    return loader


@pytest.fixture
def run(loader, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(**methods: str) -> TMVA.Factory:
        factory = TMVA.Factory("job", Path("TMVA.root"), "Silent:!DrawProgressBar:AnalysisType=Classification")
        for title, options in methods.items():
            factory.BookMethod(loader, TMVA.Types.kMLP, title, options)
        factory.TrainAllMethods()
        factory.TestAllMethods()
        factory.EvaluateAllMethods()
        return factory

    return run


def entries(tree):
    with uproot.open(f"TMVA.root:dataset/{tree}") as found:
        return found.arrays(library="np")


def test_the_evaluation_sees_the_last_sample_if_sampling_never_ended(run):
    method = run(MLP=OPTIONS).methods[0]
    training = method.evaluated_dataset.training
    assert 300 < len(training) <= 320  # of 800: positions at the end may find no event left
    assert len(method.dataset.training) == 800
    tree = entries("TrainTree")
    np.testing.assert_array_equal(tree["x"], training.variables[:, 0])
    np.testing.assert_allclose(tree["MLP"], method.model.predict(training.variables), rtol=1e-5)
    assert entries("TestTree")["x"].size == 600
    histogram = uproot.open("TMVA.root:dataset/InputVariables_Id/x__Signal_Id")
    assert histogram.member("fEntries") == 400  # the input variables are those of all events


def test_a_sampled_event_keeps_all_that_belongs_to_it(loader):
    events = loader.dataset.training
    events = replace(events, weights=np.arange(len(events), dtype=np.float64))
    picked = chosen(events, np.array([5, 2]))
    for name in ("variables", "targets", "spectators", "class_index", "weights"):
        np.testing.assert_array_equal(getattr(picked, name), getattr(events, name)[[5, 2]])


def test_it_sees_all_events_if_sampling_ended_before(run):
    method = run(MLP=OPTIONS + ":SamplingEpoch=0.5").methods[0]
    assert method.evaluated_dataset is method.dataset
    assert entries("TrainTree")["x"].size == 800


def test_test_events_are_sampled_on_request(run):
    run(MLP=OPTIONS + ":SamplingTesting")
    assert 200 < entries("TestTree")["x"].size <= 240


def weights_of(trained):
    return trained.fitted.network.flat_weights()


def test_a_second_method_goes_on_with_the_generator_of_the_first(run, loader):
    first, second = run(A=OPTIONS, B=OPTIONS + ":RandomSeed=7").methods
    dataset, booked = (
        loader.dataset,
        [Booking.parse(method_of("MLP"), m.option_string, "Classification", m.title) for m in (first, second)],
    )
    shared = Sampling(800, 600)
    for options, method in zip(booked, (first, second), strict=True):
        expected = train_method(dataset, "MLP", options, "Classification", quiet=True, sampling=shared)
        np.testing.assert_array_equal(weights_of(expected), weights_of(method.trained))
    alone = train_method(dataset, "MLP", booked[1], "Classification", quiet=True)
    assert not np.array_equal(weights_of(alone), weights_of(second.trained))
    assert shared.random.seed == first.booked.settings.training.random_seed
    assert shared[Which.TRAINING].on


def test_densities_are_made_of_the_last_sample(run):
    method = run(MLP=OPTIONS + ":CreateMVAPdfs").methods[0]
    assert method.evaluate().probabilities is not None
    histogram = uproot.open("TMVA.root:dataset/Method_MLP/MLP/MLP_tr_S")
    signal = method.evaluated_dataset.training.of_class(0)
    assert histogram.member("fEntries") == signal.sum()


def test_deviations_of_a_regression_are_plotted_in_the_range_of_all_training_events(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    x = np.linspace(-1.0, 1.0, 200)
    x[0] = 100.0  # far out, and not in the last sample
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("y")
    loader.AddRegressionTree({"x": x, "y": x**2})
    loader.PrepareTrainingAndTestTree("", "nTrain_Regression=100:SplitMode=Block")
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Regression")
    method = factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", OPTIONS.replace("0.4", "0.1"))
    factory.TrainAllMethods()
    assert method.evaluated_dataset.training.variables.max() < 1.0
    axes = [next(method.evaluate().named_histograms(training=is_training)).histogram.x for is_training in (True, False)]
    assert [axis.upper > 100.0 for axis in axes] == [True, True]
