"""From options to settings."""

import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.methods.mlp.training import BPMode, Estimator, TrainingMethod, TrainingSettings
from pytmva_bnn.options import OptionSet


def settings(text, analysis="Classification"):
    options = OptionSet(MLP_METHOD_OPTIONS)
    options.parse(text)
    return TrainingSettings.from_options(options, analysis)


def test_defaults_are_those_of_tmva():
    expected = TrainingSettings(method=TrainingMethod.BP, estimator=Estimator.MSE)
    found = settings("")
    assert found.convergence_improve == pytest.approx(1e-30)
    assert TrainingSettings(**{**vars(found), "convergence_improve": 1e-30}) == expected


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("TrainingMethod=GA", "method", TrainingMethod.GA),
        ("BPMode=batch", "bp_mode", BPMode.BATCH),
        ("BatchSize=7", "batch_size", 7),
        ("LearningRate=0.3", "learning_rate", 0.3),
        ("Sampling=0.5", "sampling", 0.5),
        ("ConvergenceTests=4", "convergence_tests", 4),
        ("IgnoreNegWeightsInTraining", "ignore_negative_weights", True),
        ("UseRegulator", "use_regulator", True),
        ("EstimatorType=CE", "estimator", Estimator.CE),
    ],
)
def test_each_option_sets_its_value(text, name, value):
    assert getattr(settings(text), name) == value


def test_a_neuron_type_given_as_estimator_is_explained():
    with pytest.raises(OptionError, match="NeuronType=tanh"):
        settings("EstimatorType=tanh")


@pytest.mark.parametrize(
    "values",
    [
        {"n_cycles": -1},
        {"test_rate": 0},
        {"reset_step": 0},
        {"tau": 0.5},
        {"decay_rate": 2.0},
        {"weight_range": 0.0},
        {"learning_rate": -1.0},
    ],
)
def test_values_that_make_no_sense_are_refused(values):
    with pytest.raises(OptionError, match="must be"):
        TrainingSettings(**values)


@pytest.mark.parametrize(
    ("analysis", "estimator", "output"),
    [("Classification", "CE", "sigmoid"), ("Regression", "MSE", "linear"), ("Multiclass", "MSE", "linear")],
)
def test_the_analysis_decides_on_the_estimator(analysis, estimator, output):
    assert Estimator.of(analysis) is Estimator[estimator]
    assert Estimator.of(analysis).output == output


def test_every_option_sets_its_own_value_and_no_other():
    given = {
        "n_cycles": ("NCycles", 61),
        "random_seed": ("RandomSeed", 62),
        "test_rate": ("TestRate", 63),
        "ignore_negative_weights": ("IgnoreNegWeightsInTraining", True),
        "weight_range": ("WeightRange", 0.5),
        "reset_step": ("ResetStep", 64),
        "tau": ("Tau", 6.5),
        "use_regulator": ("UseRegulator", True),
        "update_limit": ("UpdateLimit", 66),
        "calculate_errors": ("CalculateErrors", True),
        "learning_rate": ("LearningRate", 0.67),
        "decay_rate": ("DecayRate", 0.68),
        "batch_size": ("BatchSize", 69),
        "sampling": ("Sampling", 0.125),
        "sampling_epoch": ("SamplingEpoch", 0.25),
        "sampling_importance": ("SamplingImportance", 0.375),
        "sampling_training": ("SamplingTraining", False),
        "sampling_testing": ("SamplingTesting", True),
        "convergence_improve": ("ConvergenceImprove", 0.625),
        "convergence_tests": ("ConvergenceTests", 70),
    }
    unchanged = vars(settings(""))
    for name, (option, value) in given.items():
        assert vars(settings(f"{option}={value}")) == {**unchanged, name: value}
    others = {"method", "analysis", "estimator", "bp_mode", "hessian", "calibration_toys", "calibration_workers"}
    assert set(given) == set(unchanged) - others
