"""What is told before, and about, a training that cannot give what the user expects."""

from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError

QUICK = "TrainingMethod=BFGS:NCycles=8:HiddenLayers=2:VarTransform=N"


def train(loader, options=QUICK, output=None):
    factory = TMVA.Factory("job", output, "Silent:!DrawProgressBar:AnalysisType=Classification")
    method = factory.BookMethod(loader, "MLP", "MLP", options)
    factory.TrainAllMethods()
    if output is not None:
        factory.TestAllMethods()
        factory.EvaluateAllMethods()
    return method


def loader_of(*variables, weights=None, n=200, prepare="SplitMode=Random:NormMode=None"):
    random = np.random.default_rng(3)
    loader = TMVA.DataLoader("dataset")
    for variable in variables:
        loader.AddVariable(variable)
    for add, mean in ((loader.AddSignalTree, 0.5), (loader.AddBackgroundTree, -0.5)):
        columns = {"x": random.normal(mean, 1, n), "y": random.normal(0, 1, n), "c": np.full(n, 3.0)}
        add(columns | {"w": np.ones(n) if weights is None else weights})
    if weights is not None:
        loader.SetSignalWeightExpression("w")
        loader.SetBackgroundWeightExpression("w")
    loader.PrepareTrainingAndTestTree("", prepare)
    return loader


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("variables", [("y := x", "y"), ("a := x", "a := y"), ("x", "x")])
def test_two_variables_of_one_label_cannot_be_transformed(variables):
    with pytest.raises(InputError, match=r"more than one variable is called [xya].*could not distinguish them"):
        train(loader_of(*variables))


def test_without_transformation_they_can_be_used():
    method = train(loader_of("a := x", "a := y"), QUICK.replace("VarTransform=N", "VarTransform=None"))
    training = method.dataset.training
    np.testing.assert_allclose(
        method.model.predict(training.variables),
        method.trained.fitted.respond(method.trained.training.inputs)[:, 0],
        rtol=1e-5,
    )


@pytest.mark.parametrize("definition", ["I", "N(c)", "N(_V2_),I"])
def test_a_transformation_of_others_does_not_mind_them(definition):
    loader = loader_of("a := x", "a := y", "c := x + y")
    assert train(loader, QUICK.replace("VarTransform=N", f"VarTransform={definition}")).is_trained


def test_elements_of_an_array_are_told_how_to_be_named():
    loader = TMVA.DataLoader("dataset")
    loader.AddVariablesArray("m", 2)
    random = np.random.default_rng(1)
    loader.AddSignalTree({"m": random.normal(size=(50, 2))})
    loader.AddBackgroundTree({"m": random.normal(size=(50, 2))})
    with pytest.raises(InputError, match=r"more than one variable is called m.* m0 := m\[0\]"):
        train(loader)
    assert train(loader, QUICK.replace("VarTransform=N", "VarTransform=None")).is_trained


@pytest.mark.parametrize(
    ("analysis", "definition"), [("Classification", "N(_R_,_T_,_V0_)"), ("Regression", "N(_R_,_T_,_V0_)")]
)
def test_a_selection_that_cannot_be_read_back_is_told_before_the_training(analysis, definition, monkeypatch):
    def trained(*_arguments, **_keywords):
        raise AssertionError("it was trained")

    monkeypatch.setattr("pytmva_bnn.methods.mlp.training_job.train", trained)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("y")
    random = np.random.default_rng(3)
    for name in ("Regression",) if analysis == "Regression" else ("Signal", "Background"):
        loader.AddTree({"x": random.normal(size=50), "y": random.normal(size=50)}, name)
    factory = TMVA.Factory("job", f"!V:Silent:AnalysisType={analysis}")
    factory.BookMethod(loader, "MLP", "MLP", QUICK.replace("VarTransform=N", f"VarTransform={definition}"))
    with pytest.raises(InputError, match=r"VarTransform=N\(_R_,_T_,_V0_\): its weight file would be unusable: "):
        factory.TrainAllMethods()


def test_pdfs_that_cannot_be_made_are_told_before_the_training():
    options = QUICK + ":CreateMVAPdfs:PDFInterpolMVAPdfSig=Spline5:NAvEvtPerBinMVAPdf=100"
    with pytest.raises(
        InputError, match="Spline5 needs a histogram of at least 3 bins, but 200 training events give 2"
    ):
        train(loader_of("x"), options)
    assert train(loader_of("x"), options + ":NbinsMVAPdf=20").is_trained


def test_a_variable_that_follows_from_others_is_thought_of():
    with pytest.raises(InputError, match=r"VarTransform=N,D makes the variable . NaN .*; c is constant: remove it"):
        train(loader_of("x", "y", "c"), QUICK.replace("VarTransform=N", "VarTransform=N,D"))


def test_a_constant_variable_is_named():
    with pytest.raises(InputError, match=r"VarTransform=N makes the variable c NaN or infinite; it is constant \(3\)"):
        train(loader_of("x", "c"))


@pytest.mark.parametrize(("weight", "told"), [(1.0, False), (0.01, True), (100.0, True)])
def test_error_bars_of_weighted_events_are_warned_of(caplog, weight, told):
    train(loader_of("x", weights=np.full(200, weight)), QUICK + ":UseRegulator:CalculateErrors:Hessian=Paper")
    assert ("error bars treat the weight of an event as a number of events" in caplog.text) == told


def test_regulators_that_had_no_time_to_settle_are_warned_of(caplog):
    train(loader_of("x"), QUICK + ":UseRegulator")
    assert "The regulators were updated" in caplog.text
    caplog.clear()
    train(loader_of("x"), QUICK.replace("NCycles=8", "NCycles=150") + ":UseRegulator")
    assert "The regulators were updated" not in caplog.text


def test_no_standard_deviation_is_zero_where_events_determine_nothing(caplog):
    weights = np.random.default_rng(1).choice([1.0, -0.3], 200)
    options = QUICK.replace("NCycles=8", "NCycles=60") + ":CalculateErrors:Hessian=Posterior"
    model = train(loader_of("x", "y", weights=weights), options).model
    grid = np.stack(np.meshgrid(np.linspace(-3, 3, 7), np.linspace(-3, 3, 7)), -1).reshape(-1, 2).astype(np.float32)
    passed = model.propagate(grid)
    assert (model.standard_deviations(passed) > 0).all()
    assert "Negative variance" not in caplog.text
    assert "MLP: The events do not determine" in caplog.text


def test_a_class_without_test_events_has_an_output_file(caplog):
    loader = loader_of("x", prepare="nTrain_Signal=200:nTrain_Background=100:NormMode=None")
    train(loader, output=Path("TMVA.root"))
    assert Path("TMVA.root").exists()
    assert caplog.text.count("no cut between") <= 3
