"""PDERS as a method: options, log, defects of TMVA, what people see."""

import logging

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.density.pders.method import PDERS
from pytmva_bnn.methods.density.pders.option_table import PDERSSettings
from pytmva_bnn.tmva_types import AnalysisType

BOOKED = "the options ask for VolumeRangeMode=%s and KernelEstimator=%s, but TMVA evaluates every weight file with"


def booked(options):
    return Booking.parse(PDERS(), options, AnalysisType.CLASSIFICATION, "PDERS")


def test_settings_of_options():
    settings = booked(
        "VolumeRangeMode=kNN:KernelEstimator=sinc7:DeltaFrac=2:NEventsMin=10:NEventsMax=20:MaxVIterations=5:"
        "InitialScale=0.5:GaussSigma=0.25"
    ).settings
    assert settings == PDERSSettings("kNN", "Sinc7", 2.0, 10.0, 20.0, 5.0, 0.5, 0.25)
    assert (settings.of_reader.mode, settings.of_reader.kernel) == ("Adaptive", "Box")
    assert settings.of_reader.n_min == 10.0


def test_refused_options():
    with pytest.raises(OptionError, match=r'negative weights .* method: PDERS --> please remove "IgnoreNegWeights'):
        booked("IgnoreNegWeightsInTraining")
    with pytest.raises(OptionError, match='KernelEstimator does not have predefined value: "Round"'):
        booked("KernelEstimator=Round")
    with pytest.raises(InputError, match="PDERS cannot do AnalysisType=Multiclass"):
        Booking.parse(PDERS(), "", AnalysisType.MULTICLASS, "PDERS")


@pytest.mark.parametrize(
    ("name", "warnings"),
    [
        ("pders", [BOOKED % ("Adaptive", "Gauss")]),
        ("pders_knn", [BOOKED % ("kNN", "Trim")]),
        ("pders_rms", [BOOKED % ("RMS", "Teepee")]),
        ("pders_swapped", ["Signal is not the first class, so TMVA exchanges the normalisations"]),
    ],
)
def test_one_warning_for_each_defect(name, warnings, method_case, caplog):
    model = TMVA.load(method_case(name).weights)
    assert len(caplog.messages) == len(warnings)
    for message, expected in zip(caplog.messages, warnings, strict=True):
        assert expected in message
        assert "Model.corrected() gives" in message
    caplog.clear()
    model.corrected().predict(method_case(name).expected["inputs"][:3])
    assert not caplog.messages


@pytest.mark.parametrize("name", ["pders", "pders_rms"])
def test_corrected_models_give_what_the_training_gave(name, method_case, train_case):
    record = method_case(name)
    method = train_case(record).GetMethod("dataset", "PDERS")
    found = TMVA.load(record.weights).corrected().predict(method.dataset.training.variables)
    np.testing.assert_array_equal(found.astype(np.float32), record.expected["train_response"])
    assert (found.astype(np.float32) != TMVA.load(record.weights).predict(method.dataset.training.variables)).any()


def test_corrected_classes_in_another_order_give_the_same(method_case):
    model = TMVA.load(method_case("pders_swapped").weights)
    events = method_case("pders_swapped").expected["inputs"]
    text = model.to_xml()
    for old, new in (("0", "a"), ("1", "0"), ("a", "1")):
        text = text.replace(f'type="{old}"', f'type="{new}"')
    names = ('"Background" Index="0"', '"Signal" Index="1"')
    text = text.replace(names[0], '"Signal" Index="0"').replace(names[1], '"Background" Index="1"')
    in_order = TMVA.load_string(text)
    np.testing.assert_array_equal(model.corrected().predict(events), in_order.predict(events))
    assert np.abs(model.predict(events) - in_order.predict(events)).max() > 0.1


def trained(folder, options, monkeypatch, n_targets=1):
    monkeypatch.chdir(folder)
    random = np.random.default_rng(7)
    x, y = random.normal(size=(2, 400))
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    for number in range(n_targets):
        loader.AddTarget(f"t{number}")
    loader.AddTree({"x": x, "y": y, "t0": 100 + 3 * x, "t1": y}, "Regression")
    loader.PrepareTrainingAndTestTree("", "nTrain_Regression=300:nTest_Regression=100:SplitMode=Block")
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:AnalysisType=Regression")
    method = factory.BookMethod(loader, "PDERS", "PDERS", options)
    factory.TrainAllMethods()
    return method, {"x": x, "y": y}, 100 + 3 * x


def test_regression_is_transformed_back(tmp_path, monkeypatch):
    method, events, target = trained(tmp_path, "VarTransform=N:NEventsMin=5:NEventsMax=10", monkeypatch)
    found = method.model.predict(events)[:, 0]
    assert np.corrcoef(found, target)[0, 1] > 0.95
    assert np.abs(found - target).mean() < 1.0
    np.testing.assert_array_equal(method.respond().test[:, 0], found[300:])


def test_several_targets_are_refused(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="PDERS: PDERS estimates one target, not 2"):
        trained(tmp_path, "", monkeypatch, n_targets=2)


def test_ranges_without_transformation_are_those_of_the_training_events(tmp_path, monkeypatch, caplog):
    method, *_ = trained(tmp_path, "VolumeRangeMode=MinMax:DeltaFrac=0.25", monkeypatch)
    assert "VolumeRangeMode=MinMax without VarTransform makes boxes of size 0 in TMVA" in caplog.text
    fitted = method.trained.fitted
    expected = np.ptp(method.dataset.training.variables, axis=0) * np.float32(0.25)
    np.testing.assert_array_equal(fitted.estimate.delta, expected)
    assert np.ptp(method.respond().training) > 5
    caplog.clear()
    trained(tmp_path, "VolumeRangeMode=MinMax:VarTransform=N", monkeypatch)
    assert "boxes of size 0" not in caplog.text


def test_log_and_description(method_case, caplog):
    caplog.set_level(logging.INFO, "pytmva_bnn.PDERS")
    model = TMVA.load(method_case("pders_rms").weights)
    scales = [np.float32(1 / total) for total in model.fitted.tree.statistics.sums]
    assert caplog.messages[0] == "signal and background scales: {:g} {:g}".format(*scales)
    assert repr(model) == "<Model 'PDERS': Classification, 700 events, Adaptive Box, without error bars>"
    assert model.fitted.describe() == [
        ("training events", "700 (300 signal, 400 background)"),
        ("levels of the tree", "20"),
        ("volume", "Adaptive, 40 to 60 events"),
        ("kernel", "Box"),
        ("first box", "1.94 2.01 6.03 2.54"),
        ("booked", "RMS, Teepee, which TMVA does not use for weight files"),
    ]
    rows = dict(TMVA.load(method_case("pders").weights).corrected().fitted.describe())
    assert rows["kernel"] == "Gauss, sigma 0.3"
    assert "booked" not in rows
    assert dict(TMVA.load(method_case("pders_reg").weights).fitted.describe())["training events"] == "600"
