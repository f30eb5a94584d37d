import sys
from dataclasses import replace

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.dataset import random_folds
from pytmva_bnn.errors import InputError, OptionError

QUICK = "TrainingMethod=BFGS:NCycles=8:HiddenLayers=3:NeuronType=tanh:VarTransform=N"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def loader():
    rng = np.random.default_rng(2)
    made = TMVA.DataLoader("dataset")
    made.AddVariable("x")
    made.AddVariable("y")
    made.AddSpectator("eventID", "I")
    for name, shift in (("Signal", 0.8), ("Background", -0.8)):
        made.AddTree({"x": rng.normal(shift, 1, 300), "y": rng.normal(0, 1, 300), "eventID": np.arange(300)}, name)
    made.PrepareTrainingAndTestTree("", "nTest_Signal=1:nTest_Background=1:SplitMode=Random:!V")
    return made


@pytest.mark.parametrize(
    "split",
    [
        "SplitType=Random",
        "SplitType=RandomStratified",
        "SplitType=Deterministic:SplitExpr=int(fabs([eventID]))%int([NumFolds])",
    ],
)
def test_every_event_is_tested_once_by_a_network_that_has_not_seen_it(loader, split, tmp_path):
    cv = TMVA.CrossValidation("job", loader, f"!V:Silent:NumFolds=3:{split}:AnalysisType=Classification")
    cv.BookMethod(TMVA.Types.kMLP, "MLP", QUICK)
    cv.Evaluate()
    (result,) = cv.GetResults()
    values = result.GetROCValues()
    assert len(values) == 3
    assert all(0.8 < value < 1 for value in values)
    assert result.GetROCAverage() == pytest.approx(np.mean(values))
    assert result.GetROCStandardDeviation() == pytest.approx(np.std(values, ddof=1))
    files = sorted(path.name for path in (tmp_path / "dataset" / "weights").iterdir())
    folds = [f"job_MLP_fold{k}.{end}" for k in (1, 2, 3) for end in ("class.C", "weights.xml")]
    assert files == ["job_MLP.weights.xml", *folds]
    assert result.responses.shape == (len(loader.training), 1)
    assert sum(len(fold.test_responses) for fold in result.folds) == len(loader.training)
    model = TMVA.load(tmp_path / "dataset" / "weights" / "job_MLP_fold1.weights.xml")
    assert int(model.info["Training events"]) == len(loader.training) - len(result.folds[0].test_responses)
    assert "Average ROC integral" in str(result)
    assert len(result.to_pandas()) == 3
    for call in (
        "GetSigValues",
        "GetSepValues",
        "GetEff01Values",
        "GetEff10Values",
        "GetEff30Values",
        "GetEffAreaValues",
    ):
        assert len(getattr(result, call)()) == 3


def test_folds_in_parallel_give_the_same(loader):
    found = []
    for workers in (1, 2):
        cv = TMVA.CrossValidation(
            "job", loader, f"Silent:NumFolds=2:NumWorkerProcs={workers}:AnalysisType=Classification"
        )
        cv.BookMethod("MLP", "MLP", QUICK)
        cv.Evaluate()
        found.append(cv.GetResults()[0].responses)
    np.testing.assert_array_equal(found[0], found[1])


def test_average_of_the_folds(loader):
    cv = TMVA.CrossValidation("job", loader, NumFolds=2, OutputEnsembling="Avg", Silent=True)
    cv.BookMethod("MLP", "MLP", QUICK)
    cv.Evaluate()
    result = cv.GetResults()[0]
    models = [TMVA.load(fold.weight_file) for fold in result.folds]
    expected = np.mean([model.predict(loader.training.variables) for model in models], axis=0)
    np.testing.assert_allclose(result.responses[:, 0], expected, rtol=1e-6)


def test_folds_are_evaluated_as_they_were_trained_not_as_their_files_round_them(loader):
    cv = TMVA.CrossValidation("job", loader, NumFolds=2, Silent=True)
    cv.BookMethod("MLP", "MLP", QUICK)
    cv.Evaluate()
    folds = random_folds(len(loader.training), 2)
    for fold, events in zip(cv.GetResults()[0].folds, folds, strict=True):
        model = TMVA.load(fold.weight_file)
        variables = loader.training.variables[events]
        exact = replace(model.fitted, rounded=False)
        np.testing.assert_allclose(
            fold.test_responses[:, 0],
            exact.respond(model.transformations.forward(variables))[:, 0],
            rtol=1e-13,
        )
        assert np.abs(fold.test_responses[:, 0] - model.predict(variables)).max() > 1e-10


@pytest.mark.parametrize("ensembling", ["None", "Avg"])
def test_the_output_file_has_all_events_with_the_responses_of_the_folds(loader, tmp_path, ensembling):
    options = f"Silent:NumFolds=3:AnalysisType=Classification:Transformations=I;N:OutputEnsembling={ensembling}"
    cv = TMVA.CrossValidation("job", loader, tmp_path / "TMVACV.root", options)
    cv.BookMethod("MLP", "MLP", QUICK)
    cv.BookMethod("Fisher", "Fisher", "")
    cv.Evaluate()
    order = np.concatenate(random_folds(len(loader.training), 3))
    events = loader.training
    with uproot.open(tmp_path / "TMVACV.root") as file:
        assert file["dataset"].keys(recursive=False, cycle=False) == [
            "CorrelationMatrixS",
            "CorrelationMatrixB",
            "InputVariables_Id",
            "InputVariables_Norm",
            "Method_CrossValidation",
            "TestTree",
            "TrainTree",
        ]
        folder = file["dataset/Method_CrossValidation"]
        assert folder.keys(recursive=False, cycle=False) == ["MLP", "Fisher"]
        names = folder["Fisher"].keys(recursive=False, cycle=False)
        assert names[:4] == ["TrainingPath", "WeightFileName", "MVA_Fisher_S", "MVA_Fisher_B"]
        assert names[-1] == "CorrelationPlots"
        assert len(names) == 2 + 15 + 4 + 1
        for tree in ("TestTree", "TrainTree"):
            found = file[f"dataset/{tree}"].arrays(library="np")
            np.testing.assert_array_equal(found["x"], events.variables[order, 0])
            np.testing.assert_array_equal(found["classID"], events.class_index[order])
            for result in cv.GetResults():
                np.testing.assert_array_equal(found[result.title], result.responses[order, 0].astype(np.float32))
        signal = folder["MLP/MVA_MLP_S"]
        assert signal.member("fEntries") == np.count_nonzero(events.class_index == 0)


def test_without_an_output_file_none_is_written(loader, tmp_path):
    cv = TMVA.CrossValidation("job", loader, None, "Silent:NumFolds=2")
    cv.BookMethod("Fisher", "Fisher", "")
    cv.Evaluate()
    assert not list(tmp_path.glob("*.root"))


@pytest.mark.parametrize("kind", ["Regression", "Multiclass", "Cuts"])
def test_other_analyses_have_output_files_too(kind, tmp_path):
    rng = np.random.default_rng(1)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    analysis = "Classification" if kind == "Cuts" else kind
    if kind == "Regression":
        loader.AddTarget("t")
        loader.AddRegressionTree({"x": rng.normal(size=90), "t": rng.normal(size=90)})
    else:
        for place, name in enumerate(("Signal", "Background", "other")[: 2 if kind == "Cuts" else 3]):
            loader.AddTree({"x": rng.normal(place, 1.0, 60)}, name)
    cv = TMVA.CrossValidation("job", loader, tmp_path / "out.root", f"Silent:NumFolds=2:AnalysisType={analysis}")
    method = {"Regression": "LD", "Multiclass": "MLP", "Cuts": "Cuts"}[kind]
    cv.BookMethod(method, "M", {"MLP": QUICK, "Cuts": "FitMethod=MC:SampleSize=50"}.get(method, ""))
    cv.Evaluate()
    with uproot.open(tmp_path / "out.root") as file:
        assert ("TestTree" in file["dataset"]) == (kind != "Cuts")
        assert "Method_CrossValidation/M" in file["dataset"]


def test_the_average_is_in_single_precision(loader):
    cv = TMVA.CrossValidation("job", loader, NumFolds=3, Silent=True)
    cv.BookMethod("MLP", "MLP", QUICK)
    cv.Evaluate()
    result = cv.GetResults()[0]
    assert all(value == np.float32(value) for value in result.GetROCValues())
    average = result.GetROCAverage()
    assert average == np.float32(average)
    assert average == pytest.approx(np.mean(result.GetROCValues()), rel=1e-6)


def test_folds_and_expression_can_be_set_later(loader):
    cv = TMVA.CrossValidation("job", loader, "Silent:AnalysisType=Classification")
    cv.SetNumFolds(3)
    assert (cv.GetNumFolds(), cv.options.string("SplitType")) == (3, "RandomStratified")
    cv.SetSplitExpr("int([eventID])%4/2+1")
    cv.BookMethod("MLP", "MLP", QUICK)
    with pytest.raises(InputError, match="fold"):
        cv.Evaluate()  # no event is in fold 0
    with pytest.raises(OptionError, match="NumFolds must be at least 2"):
        cv.SetNumFolds(1)


def test_a_script_that_starts_itself_again_is_told_what_to_do(tmp_path, run_process):
    script = tmp_path / "cv.py"
    script.write_text(
        "import numpy as np, pytmva_bnn as TMVA\n"
        "loader = TMVA.DataLoader('dataset')\n"
        "loader.AddVariable('x')\n"
        "loader.AddSignalTree({'x': np.linspace(0, 1, 60)})\n"
        "loader.AddBackgroundTree({'x': np.linspace(-1, 0.5, 60)})\n"
        "cv = TMVA.CrossValidation('job', loader, 'Silent:NumFolds=2:NumWorkerProcs=2')\n"
        f"cv.BookMethod('MLP', 'MLP', '{QUICK}')\n"
        "cv.Evaluate()\n"
    )
    found = run_process([sys.executable, script])
    assert found.returncode == 1
    assert "InputError: a worker process ended before its first job" in found.stderr
    assert 'if __name__ == "__main__":' in found.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("NumFolds=1", "NumFolds must be at least 2"),
        ("SplitExpr=int([eventID])%2", "only be used with SplitType=Deterministic"),
        ("NumFold=3", "did you mean NumFolds"),
        ("FoldFileOutput", "not available"),
    ],
)
def test_wrong_options_are_told(loader, options, message):
    with pytest.raises(OptionError, match=message):
        TMVA.CrossValidation("job", loader, options)


def test_wrong_bookings_and_expressions_are_told(loader):
    cv = TMVA.CrossValidation("job", loader, "SplitType=Deterministic:SplitExpr=int([evtID])%2:Silent")
    with pytest.raises(InputError, match="PyKeras is not available"):
        cv.BookMethod(TMVA.Types.kPyKeras, "Keras", "")
    with pytest.raises(OptionError, match="did you mean NCycles"):
        cv.BookMethod("MLP", "MLP", "NCycle=5")
    cv.BookMethod("MLP", "MLP", QUICK)
    with pytest.raises(InputError, match="already booked"):
        cv.BookMethod("MLP", "MLP", QUICK)
    with pytest.raises(InputError, match='Spectator "evtID" not found: did you mean eventID'):
        cv.Evaluate()
