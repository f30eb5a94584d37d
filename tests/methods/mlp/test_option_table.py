from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.compat import ROOT
from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.mlp.option_table import (
    ANN_OPTIONS,
    MLP_METHOD_OPTIONS,
    MLP_OPTIONS,
    check_hidden_layers,
    hidden_layer_sizes,
)
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


@pytest.mark.parametrize("text", [text for text, _ in QUIRKS] + ["1e3", "3,,4", "N+1.5", "4,0"])
@pytest.mark.parametrize("kind", ["MLP", "TMlpANN", "CFMlpANN"])
def test_layers_that_nobody_can_mean_are_refused_at_booking(text: str, kind: str) -> None:
    if text in ("N-4", "N-9") and kind != "MLP":
        pytest.skip("these networks give each layer the least number of neurons")
    loader = TMVA.DataLoader("dataset")
    for name in "abcd":
        loader.AddVariable(name)
    factory = TMVA.Factory("job", "Silent:!ModelPersistence:AnalysisType=Classification")
    message = r"^net: HiddenLayers=.*: the layer '.*' (is not of the form 7, N, N\+5 or N-1|has no neurons.* N\+5)$"
    with pytest.raises(OptionError, match=message):
        factory.BookMethod(loader, kind, "net", f"HiddenLayers={text}")
    with pytest.raises(OptionError, match=message.replace("net", "b")):
        factory.BookMethod(loader, kind, "b", f"HiddenLayers={text.replace('N', '0N')}:Boost_Num=2")
    cross_validation = TMVA.CrossValidation("job", loader, "Silent:AnalysisType=Classification")
    with pytest.raises(OptionError, match=message):
        cross_validation.BookMethod(kind, "net", f"HiddenLayers={text}")


@pytest.mark.parametrize(("text", "_sizes"), PLAIN)
def test_layers_that_one_can_mean_are_booked(text: str, _sizes: tuple[int, ...]) -> None:
    check_hidden_layers(text, "MLP", 4)


def test_one_variable_less_than_one_variable_is_none() -> None:
    with pytest.raises(OptionError, match=r"^m: HiddenLayers=N,N-1: the layer 'N-1' has no neurons with 1 variable; "):
        check_hidden_layers("N,N-1", "m", 1)


def test_macros_get_tmvas_reading_with_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    loader = ROOT.TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    random = np.random.default_rng(1)
    loader.AddSignalTree({"x": random.normal(size=40), "y": random.normal(size=40)})
    loader.AddBackgroundTree({"x": random.normal(size=40), "y": random.normal(size=40)})
    factory = ROOT.TMVA.Factory("job", "Silent:!ModelPersistence:AnalysisType=Classification")
    method = factory.BookMethod(loader, ROOT.TMVA.Types.kMLP, "MLP", "HiddenLayers=3,2N:NCycles=3")
    factory.TrainAllMethods()
    assert [matrix.shape for matrix in method.model.fitted.matrices] == [(3, 3), (4, 2), (3, 1)]
    warnings = [record.getMessage() for record in caplog.records if "HiddenLayers" in record.getMessage()]
    assert warnings == ["HiddenLayers: the layer '2N' was read as 2 neurons"]


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
