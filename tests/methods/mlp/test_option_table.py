from __future__ import annotations

import pytest

from pytmva_bnn.methods.mlp.option_table import ANN_OPTIONS, MLP_METHOD_OPTIONS, MLP_OPTIONS, hidden_layer_sizes
from pytmva_bnn.options import METHOD_BASE_OPTIONS

PLAIN = [
    ("7", (7,)),
    ("N", (4,)),
    ("n", (4,)),
    ("N+5", (9,)),
    ("N-1", (3,)),
    ("N,N-1", (4, 3)),
    ("n+2,4", (6, 4)),
    ("10,", (10,)),
    ("", ()),
]


@pytest.mark.parametrize(("text", "expected"), PLAIN)
def test_plain_layers(text: str, expected: tuple[int, ...], caplog: pytest.LogCaptureFixture) -> None:
    assert hidden_layer_sizes(text, 4) == expected
    assert not caplog.records


QUIRKS = [
    ("N5", (9,)),
    ("N*2", (4,)),
    ("2N", (2,)),
    ("+3", (3,)),
    ("3.7", (3,)),
    ("5,,3", (5, 0, 3)),
    (",5", (0, 5)),
    (",", (0,)),
    ("abc", (0,)),
    ("0", (0,)),
    ("N-4", (0,)),
    ("N-9", (0,)),
    ("-3", (0,)),
]


@pytest.mark.parametrize(("text", "expected"), QUIRKS)
def test_what_atoi_makes_of_the_rest_is_kept_but_warned_of(
    text: str, expected: tuple[int, ...], caplog: pytest.LogCaptureFixture
) -> None:
    assert hidden_layer_sizes(text, 4) == expected
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "HiddenLayers" in record.getMessage()


def test_the_options_of_the_mlp_are_in_the_order_of_the_weight_file() -> None:
    assert MLP_METHOD_OPTIONS == ANN_OPTIONS + METHOD_BASE_OPTIONS + MLP_OPTIONS
    assert [option.name for option in MLP_METHOD_OPTIONS] == [
        "NCycles",
        "HiddenLayers",
        "NeuronType",
        "RandomSeed",
        "EstimatorType",
        "NeuronInputType",
        "V",
        "VerbosityLevel",
        "VarTransform",
        "H",
        "CreateMVAPdfs",
        "IgnoreNegWeightsInTraining",
        "TrainingMethod",
        "LearningRate",
        "DecayRate",
        "TestRate",
        "EpochMonitoring",
        "Sampling",
        "SamplingEpoch",
        "SamplingImportance",
        "SamplingTraining",
        "SamplingTesting",
        "ResetStep",
        "Tau",
        "BPMode",
        "BatchSize",
        "ConvergenceImprove",
        "ConvergenceTests",
        "UseRegulator",
        "UpdateLimit",
        "CalculateErrors",
        "WeightRange",
    ]


def test_the_activations_are_predefined_values_of_the_wrong_option() -> None:
    ann = {option.name: option for option in ANN_OPTIONS}
    assert ann["EstimatorType"].allowed == ("MSE", "CE", "linear", "sigmoid", "tanh", "ReLU", "radial")
    assert ann["NeuronType"].allowed == ()
