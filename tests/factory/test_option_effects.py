"""Every option of the MLP does what it says: booked in an option string, seen in the training.

Each entry trains with a few options and with one more, and looks at what that one changes.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.methods.mlp.training import Estimator, monitored_estimator
from pytmva_bnn.methods.mlp.training_job import sample_of
from pytmva_bnn.random import TRandom3

BFGS = "TrainingMethod=BFGS:NCycles=8:TestRate=2:HiddenLayers=3"
BP = "TrainingMethod=BP:NCycles=3:TestRate=1:HiddenLayers=3"
REGULATED = "TrainingMethod=BFGS:NCycles=40:HiddenLayers=3:UseRegulator"
#: options of all methods, not of the MLP
GENERAL = {"V", "VerbosityLevel", "VarTransform", "H", "CreateMVAPdfs"}


def filled() -> TMVA.DataLoader:
    random = np.random.default_rng(3)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    for name, mean in (("Signal", 0.6), ("Background", -0.6)):
        columns = {"x": random.normal(mean, 1, 80), "y": random.normal(0, 1, 80), "w": random.normal(1, 0.7, 80)}
        loader.AddTree(columns, name)
        loader.SetWeightExpression("w", name)  # some are negative
    loader.PrepareTrainingAndTestTree("", "NormMode=None:SplitMode=Block")
    return loader


LOADER = filled()


def booked(options: str):
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:!ModelPersistence")
    return factory, factory.BookMethod(LOADER, "MLP", "MLP", options)


@cache
def trained(options: str):
    factory, method = booked(options)
    factory.TrainAllMethods()
    return method


def weights(options: str) -> np.ndarray:
    return trained(options).trained.fitted.network.flat_weights()


def same(first: str, second: str) -> bool:
    return np.array_equal(weights(first), weights(second))


def n_events_seen(options: str) -> tuple[int, int]:
    seen = trained(options).evaluated_dataset
    return len(seen.training), len(seen.test)


def estimator_of_nearest(options: str, fraction: float) -> float:
    """Return the training estimator of the events of smallest deviation, by its definition."""
    done = trained(options).trained
    sample = sample_of(done.training, "Classification", 2).without_negative_weights()
    return monitored_estimator(done.fitted.network, sample, Estimator.CE, weight_range=fraction)


def stopped(options: str) -> tuple[str, int]:
    result = trained(options).result
    return result.stopped_by, result.n_epochs


def check_initial_weights() -> bool:
    drawn = 4.0 * TRandom3(7).rndm(13) - 2.0
    return np.array_equal(weights("NCycles=0:HiddenLayers=3:RandomSeed=7"), drawn)


def check_weight_range() -> bool:
    options = f"{BFGS}:IgnoreNegWeightsInTraining:WeightRange=0.5"
    result, whole = trained(options).result, trained(options.replace("0.5", "1")).result
    # the network is the same, what is watched is not; of the nearest half of the events the estimator is far smaller
    return (
        same(options, options.replace("0.5", "1"))
        and result.training_estimator == pytest.approx(estimator_of_nearest(options, 0.5))
        and result.training_estimator < 0.5 * whole.training_estimator
        and result.history.training[-1] == result.training_estimator
    )


EFFECTS = {
    "NCycles": lambda: stopped(BFGS) == ("cycles", 8) and stopped(f"{BFGS}:NCycles=5") == ("cycles", 5),
    "HiddenLayers": lambda: trained("NCycles=0:HiddenLayers=N+2,4").trained.fitted.network.layer_sizes == (2, 4, 4, 1),
    "NeuronType": lambda: (
        [trained(f"NCycles=0:NeuronType={name}").trained.fitted.network.hidden for name in ("tanh", "ReLU", "radial")]
        == ["tanh", "ReLU", "radial"]
    ),
    "RandomSeed": check_initial_weights,
    # booking sets it
    "EstimatorType": lambda: (
        same(f"{BFGS}:EstimatorType=MSE", BFGS)
        and trained(f"{BFGS}:EstimatorType=MSE").booked.settings.training.estimator.value == "CE"
    ),
    "NeuronInputType": lambda: (
        trained("NCycles=0:NeuronInputType=abssum").trained.fitted.network.neuron_input == "abssum"
    ),
    "IgnoreNegWeightsInTraining": lambda: not same(f"{BFGS}:IgnoreNegWeightsInTraining", BFGS),
    # GA takes seconds: tests/methods/mlp/training/test_genetic.py runs it
    "TrainingMethod": lambda: (
        not same(f"{BP}:TrainingMethod=BFGS", BP)
        and booked(f"{BP}:TrainingMethod=GA")[1].booked.settings.training.method.value == "GA"
    ),
    "LearningRate": lambda: same(f"{BP}:LearningRate=0", f"{BP}:NCycles=0") and not same(f"{BP}:LearningRate=0.1", BP),
    # with the rate gone after the first epoch, the others change nothing
    "DecayRate": lambda: same(f"{BP}:DecayRate=1", f"{BP}:DecayRate=1:NCycles=1") and not same(f"{BP}:NCycles=1", BP),
    "TestRate": lambda: trained(f"{BFGS}:TestRate=3").result.history.epochs.tolist() == [3, 6],
    "EpochMonitoring": lambda: (
        same(f"{BFGS}:EpochMonitoring", BFGS) and len(trained(f"{BFGS}:EpochMonitoring").trained.fitted.epochs) > 0
    ),
    "Sampling": lambda: n_events_seen(f"{BFGS}:Sampling=0.5")[0] <= 40 < n_events_seen(BFGS)[0] == 80,
    "SamplingEpoch": lambda: (
        n_events_seen(f"{BFGS}:Sampling=0.5:SamplingEpoch=0.5") == (80, 80)
        and not same(f"{BFGS}:Sampling=0.5:SamplingEpoch=0.5", f"{BFGS}:Sampling=0.5")
    ),
    # TMVA: the weights of the draw are set back to 1 before each
    "SamplingImportance": lambda: same(f"{BFGS}:Sampling=0.5:SamplingImportance=0.1", f"{BFGS}:Sampling=0.5"),
    "SamplingTraining": lambda: same(f"{BFGS}:Sampling=0.5:!SamplingTraining", BFGS),
    "SamplingTesting": lambda: (
        n_events_seen(f"{BFGS}:Sampling=0.5:SamplingTesting")[1] <= 40
        and n_events_seen(f"{BFGS}:Sampling=0.5")[1] == 80
    ),
    "ResetStep": lambda: not same(f"{BFGS}:ResetStep=2", BFGS) and same(f"{BFGS}:ResetStep=4", BFGS),
    "Tau": lambda: not same(f"{BFGS}:Tau=2", BFGS),
    "BPMode": lambda: not same(f"{BP}:BPMode=batch", BP),
    "BatchSize": lambda: (
        not same(f"{BP}:BPMode=batch:BatchSize=10", f"{BP}:BPMode=batch")
        and same(f"{BP}:BPMode=batch:BatchSize=80", f"{BP}:BPMode=batch")
        and same(f"{BP}:BatchSize=10", BP)
    ),
    "ConvergenceImprove": lambda: (
        stopped(f"{BFGS}:ConvergenceTests=2:ConvergenceImprove=9") == ("convergence", 6)
        and stopped(f"{BFGS}:ConvergenceTests=2:ConvergenceImprove=-1") == ("cycles", 8)
    ),
    "ConvergenceTests": lambda: (
        stopped(f"{BFGS}:ConvergenceTests=1:ConvergenceImprove=9") == ("convergence", 4)
        and stopped(f"{BFGS}:ConvergenceImprove=9") == ("cycles", 8)
    ),
    "UseRegulator": lambda: (
        trained(BFGS).result.regulators is None
        and (trained(REGULATED).result.regulators > 0).all()
        and not same(REGULATED, f"{REGULATED}:!UseRegulator")
    ),
    # without updates the regulators stay 0 during the training
    "UpdateLimit": lambda: same(f"{REGULATED}:UpdateLimit=0", f"{REGULATED}:!UseRegulator"),
    "CalculateErrors": lambda: (
        trained(BFGS).trained.fitted.inverse_hessian is None
        and trained(f"{BFGS}:CalculateErrors").trained.fitted.inverse_hessian.shape == (13, 13)
    ),
    "WeightRange": check_weight_range,
}


def test_no_option_is_forgotten():
    assert EFFECTS.keys() == {option.name for option in MLP_METHOD_OPTIONS} - GENERAL


@pytest.mark.parametrize("option", EFFECTS)
def test_the_option_has_its_effect(option):
    assert EFFECTS[option]()
