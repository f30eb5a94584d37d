"""The weight file of a cross-validation, which stands for those of the folds."""

import shutil

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError, TMVAError, WeightFileError

BY_EVENT = "SplitType=Deterministic:SplitExpr=int(fabs([eventID]))%int([NumFolds])"
NETWORK = "TrainingMethod=BFGS:NCycles=8:HiddenLayers=3:NeuronType=tanh:VarTransform=N"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def loader_of(analysis="Classification"):
    rng = np.random.default_rng(2)
    made = TMVA.DataLoader("dataset")
    made.AddVariable("x")
    made.AddVariable("y")
    made.AddSpectator("z", "F")
    made.AddSpectator("eventID", "event", "", "I")
    classes = ("Signal", "Background", "other")[: 3 if analysis == "Multiclass" else 2]
    for place, name in enumerate(["Regression"] if analysis == "Regression" else classes):
        events = {"x": rng.normal(place, 1, 150), "y": rng.normal(0, 1, 150), "z": rng.normal(size=150)}
        events["eventID"] = np.arange(150) + 1000 * place
        if analysis == "Regression":
            events["t"] = 3 * events["x"] + events["y"]
        made.AddTree(events, name)
    if analysis == "Regression":
        made.AddTarget("t")
    made.PrepareTrainingAndTestTree("", "!V")
    return made


def validated(loader, options=BY_EVENT, kind="MLP", text=NETWORK, output=None, analysis="Classification"):
    cv = TMVA.CrossValidation("job", loader, output, f"Silent:NumFolds=3:AnalysisType={analysis}:{options}")
    cv.BookMethod(kind, "M", text)
    cv.Evaluate()
    (result,) = cv.GetResults()
    return result


@pytest.mark.parametrize(
    ("analysis", "kind", "text"),
    [
        ("Classification", "MLP", NETWORK),
        ("Classification", "PDEFoam", "nActiveCells=20:nSampl=50"),
        ("Regression", "MLP", NETWORK),
        ("Multiclass", "BDT", "NTrees=5:BoostType=Grad"),
    ],
)
def test_the_model_of_the_file_evaluates_events_by_the_fold_that_has_not_seen_them(analysis, kind, text):
    loader = loader_of(analysis)
    result = validated(loader, kind=kind, text=text, analysis=analysis)
    events = loader.training
    model = TMVA.load(result.weight_file)
    assert (model.kind, model.title) == ("CrossValidation", "M")
    assert model.analysis_type == analysis
    assert int(model.info["Training events"]) == len(events)
    found = model.predict(events.variables, spectators=events.spectators).reshape(len(events), -1)
    expected = np.empty_like(found)
    for fold in result.folds:
        single = TMVA.load(fold.weight_file)
        here = events.spectators[:, 1].astype(int) % 3 == fold.fold
        expected[here] = single.predict(events.variables[here]).reshape(here.sum(), -1)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(found, result.responses, rtol=1e-5, atol=1e-5)


def test_its_element_weights_is_tmvas():
    result = validated(loader_of())
    text = result.weight_file.read_text()
    assert result.weight_file.as_posix() == "dataset/weights/job_M.weights.xml"
    assert '<MethodSetup Method="CrossValidation::M">' in text
    assert (
        '<Weights JobName="job" SplitExpr="int(fabs([eventID]))%int([NumFolds])" NumFolds="3" '
        'EncapsulatedMethodName="M" EncapsulatedMethodTypeName="MLP" OutputEnsembling="None"/>'
    ) in text
    assert '<Transformations NTransformations="0"/>' in text


def test_the_mean_of_all_folds_needs_no_expression():
    loader = loader_of()
    result = validated(loader, "SplitType=Random:OutputEnsembling=Avg")
    events = loader.training
    model = TMVA.load(result.weight_file)
    folds = [TMVA.load(fold.weight_file).predict(events.variables) for fold in result.folds]
    found = model.predict(events.variables, spectators=events.spectators)
    np.testing.assert_allclose(found, np.mean(folds, axis=0), rtol=1e-14)
    assert not np.allclose(found, folds[0])
    reader = TMVA.Reader("!V:Silent")
    memory = [np.zeros(1, np.float32) for _ in range(4)]
    for add, name, one in zip(
        (reader.AddVariable, reader.AddVariable, reader.AddSpectator, reader.AddSpectator),
        ("x", "y", "z", "eventID"),
        memory,
        strict=True,
    ):
        add(name, one)
    reader.BookMVA("M", str(result.weight_file))
    memory[0][0], memory[1][0] = events.variables[5]
    assert reader.EvaluateMVA("M") == pytest.approx(found[5], rel=1e-13)
    assert reader.GetMVAErrorUpper() == -1


def test_error_bars_are_those_of_the_fold():
    loader = loader_of()
    result = validated(loader, text=f"{NETWORK}:UseRegulator:CalculateErrors")
    events = loader.training
    model = TMVA.load(result.weight_file)
    value, lower, upper = model.predict(events.variables, spectators=events.spectators, errors=True)
    here = events.spectators[:, 1].astype(int) % 3 == 2
    expected = TMVA.load(result.folds[2].weight_file).predict(events.variables[here], errors=True)
    for found, wanted in zip((value, lower, upper), expected, strict=True):
        np.testing.assert_allclose(found[here], wanted, rtol=1e-12)
    with pytest.raises(ErrorsNotAvailableError, match="distribution"):
        model.predict(events.variables, spectators=events.spectators, quantiles=[0.5])
    with pytest.raises(ErrorsNotAvailableError, match="folds"):
        model.predict_sum(events.variables, spectators=events.spectators)
    averaged = validated(loader, "OutputEnsembling=Avg", text=f"{NETWORK}:UseRegulator:CalculateErrors")
    assert not TMVA.load(averaged.weight_file).has_errors


def test_the_reader_takes_the_fold_from_the_spectator_and_the_errors_too():
    loader = loader_of()
    result = validated(loader, text=f"{NETWORK}:UseRegulator:CalculateErrors")
    reader = TMVA.Reader("!V:Silent:Error")
    memory = {name: np.zeros(1, np.float32) for name in ("x", "y", "z", "eventID")}
    for name in ("x", "y"):
        reader.AddVariable(name, memory[name])
    for name in ("z", "eventID"):
        reader.AddSpectator(name, memory[name])
    reader.BookMVA("M", str(result.weight_file))
    memory["x"][0], memory["y"][0] = 0.3, -0.2
    for event in range(4):
        memory["eventID"][0] = event
        single = TMVA.load(result.folds[event % 3].weight_file)
        value, lower, upper = single.predict(np.float32([[0.3, -0.2]]), errors=True)
        assert reader.EvaluateMVA("M") == pytest.approx(value[0], rel=1e-13)
        assert reader.GetMVAErrorLower() == pytest.approx(lower[0], rel=1e-12)
        assert reader.GetMVAErrorUpper() == pytest.approx(upper[0], rel=1e-12)
    assert reader.EvaluateMVA([0.3, -0.2, 0.0, 3.0], "M") == pytest.approx(value[0], rel=1e-13)


def test_without_an_expression_nobody_knows_the_fold():
    result = validated(loader_of(), "SplitType=Random")
    with pytest.raises(WeightFileError, match="supports XML reading only for deterministic splitting"):
        TMVA.load(result.weight_file)


def test_a_fold_that_is_missing_or_of_another_training_is_named():
    result = validated(loader_of())
    second = result.folds[1].weight_file
    moved = second.with_name("elsewhere.xml")
    second.rename(moved)
    with pytest.raises(TMVAError, match=r"job_M_fold2\.weights\.xml"):
        TMVA.load(result.weight_file)
    second.write_text(moved.read_text().replace('Expression="y"', 'Expression="other"'))
    with pytest.raises(WeightFileError, match=r"job_M_fold2\.weights\.xml: its variables"):
        TMVA.load(result.weight_file)
    second.write_text(result.weight_file.read_text())
    with pytest.raises(WeightFileError, match="CrossValidation::M"):
        TMVA.load(result.weight_file)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('JobName="job"', 'JobName="../job"', "cannot have a /"),
        ('NumFolds="3"', 'NumFolds="1"', "at least 2"),
        ('NumFolds="3"', 'NumFolds="4"', "fold4"),
        ('TypeName="MLP"', 'TypeName="BDT"', "the method is a MLP"),
        ('OutputEnsembling="None"', 'OutputEnsembling="Sum"', "must be None or Avg"),
    ],
)
def test_a_damaged_file_says_what_is_wrong(old, new, message):
    file = validated(loader_of(), kind="MLP").weight_file
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(WeightFileError, match=message):
        TMVA.load(file)


def test_an_event_outside_of_all_folds_is_refused():
    loader = loader_of()
    result = validated(loader, "SplitType=Deterministic:SplitExpr=int([event])%3")
    model = TMVA.load(result.weight_file)
    with pytest.raises(InputError, match="non-negative"):
        model.predict({"x": [0.0], "y": [0.0], "z": [0.0], "eventID": [-1.0]})


@pytest.mark.parametrize("kind", ["MLP", "PDEFoam"])
@pytest.mark.parametrize("ending", ["copy.xml", "copy.json", "copy.npz"])
def test_a_copy_holds_all_folds(tmp_path, kind, ending):
    loader = loader_of()
    result = validated(loader, kind=kind, text=NETWORK if kind == "MLP" else "nActiveCells=20:nSampl=50")
    model = TMVA.load(result.weight_file)
    folder = tmp_path / "other"
    folder.mkdir()
    convert(result.weight_file, folder / ending)
    shutil.rmtree(tmp_path / "dataset")
    copy = load_any(folder / ending)
    events = loader.training
    np.testing.assert_array_equal(
        copy.predict(events.variables, spectators=events.spectators),
        model.predict(events.variables, spectators=events.spectators),
    )


def test_the_output_file_names_the_weight_file(tmp_path):
    result = validated(loader_of(), output=tmp_path / "out.root")
    with uproot.open(tmp_path / "out.root") as file:
        folder = file["dataset/Method_CrossValidation/M"]
        assert folder.keys(recursive=False, cycle=False)[:2] == ["TrainingPath", "WeightFileName"]
        assert str(folder["WeightFileName"]) == str(result.weight_file)
        assert str(folder["TrainingPath"]) == str(tmp_path)


def test_it_is_not_booked():
    factory = TMVA.Factory("job", "Silent:AnalysisType=Classification")
    with pytest.raises(InputError, match="book methods in CrossValidation"):
        factory.BookMethod(loader_of(), "CrossValidation", "CV", "")
