"""KNN as a method: options, log, defects of TMVA, what people see."""

import logging

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, OptionError, WeightFileError
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.density.knn.method import KNN
from pytmva_bnn.tmva_types import AnalysisType


def booked(options):
    return Booking.parse(KNN(), options, AnalysisType.CLASSIFICATION, "KNN")


@pytest.mark.parametrize(
    ("options", "name", "value", "message"),
    [
        ("nkNN=0", "nkNN", 10, "kNN must be a positive integer: set kNN = 10"),
        ("BalanceDepth=-1", "BalanceDepth", 6, "Optimize must be a positive integer: set Optimize = 6"),
        ("ScaleFrac=-0.5", "ScaleFrac", 0.0, "ScaleFrac can not be negative: set ScaleFrac = 0"),
        ("ScaleFrac=1.5", "ScaleFrac", 1.0, ""),
        ("UseKernel:Kernel=Box", "Kernel", "Box", "Kernel=Box is neither Gaus nor Poln, so no kernel is used"),
    ],
)
def test_impossible_options_are_replaced_with_a_warning(options, name, value, message, caplog):
    booking = booked(options)
    assert booking.options[name] == value
    assert caplog.messages == ([f"KNN: {message}"] if message else [])
    assert booking.settings.kernel == ""


def test_settings_of_options():
    settings = booked("nkNN=30:BalanceDepth=4:ScaleFrac=0.5:SigmaFact=2:Kernel=Poln:UseKernel:Trim:!UseWeight").settings
    assert settings == type(settings)(30, 4, 0.5, 2.0, "Poln", True, False)
    assert booked("Kernel=Gaus").settings.kernel == ""


def test_the_local_discriminant_that_crashes_tmva_is_refused(edited):
    with pytest.raises(OptionError, match="KNN: UseLDA=True cannot be evaluated"):
        booked("UseLDA")
    text = edited("knn", ('"UseLDA" modified="No">False', '"UseLDA" modified="Yes">True'))
    with pytest.raises(WeightFileError, match="<Options>: UseLDA=True cannot be evaluated"):
        TMVA.load_string(text)


def test_multiclass_is_refused():
    with pytest.raises(InputError, match="KNN cannot do AnalysisType=Multiclass; it can do Classification, Regression"):
        Booking.parse(KNN(), "", AnalysisType.MULTICLASS, "KNN")


def test_log_of_reading(method_case, caplog):
    caplog.set_level(logging.INFO, "pytmva_bnn.KNN")
    TMVA.load(method_case("knn_gaus").weights)
    assert caplog.messages[:-1] == [
        "Creating kd-tree with 800 events",
        "Computing scale factor for 1d distributions: (ifrac, bottom, top) = (60%, 20%, 80%)",
        "<Fill> Will trim all event types to 300 events",
        "<Fill> Erased 200 events",
        "Optimizing tree for 4 variables with 600 values",
        "<Fill> Class 1 has      300 events",
        "<Fill> Class 2 has      300 events",
    ]
    assert "Gaussian kernel" in caplog.messages[-1]
    assert caplog.records[-1].levelno == logging.WARNING


def sample(n=400):
    random = np.random.default_rng(7)
    x = random.normal(size=(n, 2)) * [1.0, 20.0]
    return {"x": x[:, 0], "y": x[:, 1], "t": 100 + 3 * x[:, 0], "w": random.normal(1, 0.8, n)}


def trained(folder, options, analysis="Regression", monkeypatch=None):
    monkeypatch.chdir(folder)
    loader = TMVA.DataLoader("dataset")
    for name in ("x", "y"):
        loader.AddVariable(name)
    if analysis == "Regression":
        loader.AddTarget("t")
        loader.AddTree(sample(), "Regression")
        split = "nTrain_Regression=300:nTest_Regression=100:SplitMode=Block"
    else:
        events = sample()
        loader.AddSignalTree({name: values[:200] for name, values in events.items()})
        loader.AddBackgroundTree({name: values[200:] for name, values in events.items()})
        loader.SetWeightExpression("w")
        split = "nTrain_Signal=150:nTrain_Background=150:SplitMode=Block:NormMode=None"
    loader.PrepareTrainingAndTestTree("", split)
    factory = TMVA.Factory("job", f"Silent:!DrawProgressBar:AnalysisType={analysis}")
    method = factory.BookMethod(loader, "KNN", "KNN", options)
    factory.TrainAllMethods()
    return factory, method


def test_targets_are_transformed_back_only_if_corrected(tmp_path, monkeypatch, caplog):
    _, method = trained(tmp_path, "VarTransform=N:nkNN=5:ScaleFrac=0.8", monkeypatch=monkeypatch)
    (warning,) = [message for message in caplog.messages if "transform the targets back" in message]
    assert warning.endswith("the results are transformed targets; Model.corrected() gives them in the original units")
    events = sample()
    model = method.model
    as_tmva, right = (one.predict(events)[:, 0] for one in (model, model.corrected()))
    assert np.abs(as_tmva).max() <= 1.0
    np.testing.assert_allclose(right, events["t"], atol=4.0)
    np.testing.assert_array_equal(right, model.transformations.inverse_targets(as_tmva[:, None])[:, 0])
    np.testing.assert_array_equal(method.respond().test[:, 0], as_tmva[300:])
    np.testing.assert_array_equal(method.respond().training[:, 0], as_tmva[:300])


def test_events_of_negative_weight_are_left_out_if_wanted(tmp_path, monkeypatch, caplog):
    for options, expected in (("", 300), ("IgnoreNegWeightsInTraining", None)):
        _, method = trained(tmp_path, options, "Classification", monkeypatch)
        weights = method.dataset.training.weights
        assert len(method.trained.fitted.variables) == (expected or np.count_nonzero(weights > 0))
        assert np.count_nonzero(weights <= 0) > 10
    assert "Number of signal events" not in caplog.text  # a quiet level by default


def test_too_few_events_stop_the_training(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="KNN: kNN result list is empty: nkNN=299 needs 301 training events"):
        trained(tmp_path, "nkNN=299", monkeypatch=monkeypatch)
    with pytest.raises(
        InputError, match=r"KNN: Optimization depth exceeds number of events: BalanceDepth=10 needs 2\^10"
    ):
        trained(tmp_path, "BalanceDepth=10", monkeypatch=monkeypatch)


def test_no_standalone_class_and_no_ranking(tmp_path, monkeypatch, caplog):
    _, method = trained(tmp_path, "", monkeypatch=monkeypatch)
    assert "no standalone class is written: a KNN consists of its training events" in caplog.text
    assert not list(tmp_path.rglob("*.class.C"))
    assert method.ranking is None


def test_description(method_case):
    model = TMVA.load(method_case("knn_gaus").weights)
    assert repr(model) == "<Model 'KNN': Classification, 25 neighbours of 800 events, without error bars>"
    assert dict(model.fitted.describe()) == {
        "training events": "800 (300 signal, 500 background), of which 600 are used (Trim)",
        "neighbours": "25",
        "widths of variables": "1.8 1.74 5.12 1.69",
        "kernel": "Gaus",
        "neighbours count": "by event weight",
    }
    rows = dict(TMVA.load(method_case("knn_reg").weights).fitted.describe())
    assert rows["training events"] == "600"
    assert "kernel" not in rows
    rows = dict(TMVA.load(method_case("knn_int").weights).fitted.describe())
    assert (rows["neighbours count"], rows["kernel"]) == ("one each", "none")
    assert dict(TMVA.load(method_case("knn_poln").weights).fitted.describe())["widths of variables"] == "not scaled"
