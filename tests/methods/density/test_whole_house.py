"""KNN and PDERS in the rest of the package: other formats, copies, command line, cross-validation, output file."""

import copy
import pickle

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError
from pytmva_bnn.methods.density.kept_events import EVENTS_BY_NUMPY

CASES = ["knn_gaus", "knn_reg", "pders", "pders_reg"]


@pytest.fixture(params=CASES)
def record(request, method_case):
    return method_case(request.param)


@pytest.mark.parametrize("ending", ["json", "npz"])
def test_other_formats(record, ending, tmp_path):
    convert(record.weights, tmp_path / f"weights.{ending}")
    again = load_any(tmp_path / f"weights.{ending}")
    assert again.to_xml() == record.weights_text
    events = record.expected["inputs"][:10]
    np.testing.assert_array_equal(again.predict(events), TMVA.load(record.weights).predict(events))


@pytest.mark.parametrize("ending", ["C", "onnx"])
def test_formats_without_training_events_are_refused(record, ending, tmp_path):
    with pytest.raises(InputError, match=r"training events, which .*; use the weight file"):
        convert(record.weights, tmp_path / f"weights.{ending}")
    assert not list(tmp_path.iterdir())


def test_copies(record):
    model = TMVA.load(record.weights)
    events = record.expected["inputs"][:10]
    expected = model.predict(events)
    assert len(pickle.dumps(model)) < 200_000
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # noqa: S301
        np.testing.assert_array_equal(again.predict(events), expected)
    np.testing.assert_array_equal(copy.deepcopy(model.corrected()).predict(events), model.corrected().predict(events))


def test_inspect_and_compare(record, capsys):
    assert main(["inspect", str(record.weights)]) == 0
    shown = capsys.readouterr().out
    for name, value in TMVA.load(record.weights).fitted.describe():
        assert name in shown
        assert value in shown
    assert main(["compare", str(record.weights), str(record.weights)]) == 0


def test_no_error_bars(record):
    with pytest.raises(ErrorsNotAvailableError, match="this method has none"):
        TMVA.load(record.weights).predict(record.expected["inputs"], errors=True)


def test_the_user_decides_on_compiled_code(record, monkeypatch):
    pytest.importorskip("numba")
    assert TMVA.load(record.weights, compiled=True).is_compiled(1)
    assert not TMVA.load(record.weights, compiled=False).is_compiled(10**9)
    assert TMVA.load(record.weights).is_compiled(10**7)
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")
    assert not TMVA.load(record.weights).is_compiled(10**9)


@pytest.mark.parametrize("name", ["knn_poln", "pders_swapped"])
def test_a_loop_goes_over_to_compiled_code_with_the_same_numbers(name, method_case, loop_responses):
    pytest.importorskip("numba")
    record = method_case(name)
    events, expected = record.expected["inputs"], record.expected["mva"]
    repeats = -(-(EVENTS_BY_NUMPY + 50) // len(events))
    found = loop_responses(record.weights, np.tile(events, (repeats, 1)))
    np.testing.assert_array_equal(found, np.tile(expected, repeats))


def test_a_loop_with_other_transformations(edited, method_case, mode, loop_responses, tmp_path):
    """Compiled code gets the event after any chain of transformations."""
    record = method_case("knn_poln")
    events = record.expected["inputs"][:40]
    text = record.weights_text
    start, end = text.index("<Transform "), text.index("</Transformations>")
    step = text[start:end]
    (tmp_path / "twice.xml").write_text(
        text.replace('NTransformations="1"', 'NTransformations="2"').replace(step, step + step)
    )
    model = TMVA.load(tmp_path / "twice.xml")
    np.testing.assert_array_equal(loop_responses(tmp_path / "twice.xml", events), model.predict(events))


@pytest.mark.parametrize("name", ["knn", "pders_swapped"])
def test_a_loop_over_bad_events(name, method_case, mode, caplog):
    reader = TMVA.Reader("!Color:Silent")
    record = method_case(name)
    model = TMVA.load(record.weights)
    memory = [reader.AddVariable(variable.expression, np.zeros(1, np.float64)) for variable in model.variables]
    assert memory == [None] * len(model.variables)
    reader = TMVA.Reader("!Color:Silent")
    memory = [np.zeros(1) for _ in model.variables]
    for variable, one in zip(model.variables, memory, strict=True):
        reader.AddVariable(variable.expression, one)
    reader.BookMVA("method", record.weights)
    for value, expected in ((0.25, None), (np.nan, -999.0), (np.inf, -999.0), (1e300, -999.0), (0.25, None)):
        memory[0][0] = value
        event = np.zeros((1, len(memory)), np.float32)
        event[0, 0] = 0.25
        assert reader.EvaluateMVA("method") == (model.predict(event)[0] if expected is None else expected)


@pytest.mark.parametrize(("kind", "options"), [("KNN", "nkNN=10:!H"), ("PDERS", "NEventsMin=20:NEventsMax=40")])
def test_training_evaluation_cross_validation(kind, options, tmp_path, monkeypatch):
    import uproot

    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(4)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    for add, mean in ((loader.AddSignalTree, 1.0), (loader.AddBackgroundTree, -1.0)):
        add({"x": random.normal(mean, 1, 500), "y": random.normal(0, 1, 500)})
    loader.PrepareTrainingAndTestTree("", "nTrain_Signal=250:nTrain_Background=250:SplitMode=Block")
    factory = TMVA.Factory("job", "out.root", "Silent:!DrawProgressBar:AnalysisType=Classification")
    method = factory.BookMethod(loader, kind, kind, f"{options}:CreateMVAPdfs")
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    assert factory.GetROCIntegral("dataset", kind) > 0.88
    with uproot.open("out.root") as file:
        found = file["dataset/TestTree"][kind].array(library="np")
        np.testing.assert_array_equal(found, method.respond().test[:, 0])
        assert f"MVA_{kind}_S" in file[f"dataset/Method_{kind}/{kind}"].keys(cycle=False)
    cv = TMVA.CrossValidation("cv", loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod(kind, kind, options)
    cv.Evaluate()
    assert cv.GetResults()[0].GetROCAverage() > 0.88
