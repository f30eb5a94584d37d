"""Adding a method is adding its two classes and registering it: a toy of a few lines goes through the whole house."""

import copy
import json
import logging
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn import methods
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError, WeightFileError
from pytmva_bnn.factory.variable_tables import log_ranking
from pytmva_bnn.methods import Fitted, Method
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionType
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.xmlio import reading, writing


@dataclass(frozen=True, eq=False)
class FittedToy(Fitted):
    """Projects an event on a direction."""

    direction: np.ndarray

    def respond(self, x):
        return (x.astype(np.float64) @ self.direction)[:, np.newaxis]

    def write(self, dialect) -> Iterator[str]:  # noqa: ARG002
        return writing.numbers(1, "Weights", [("NVar", len(self.direction))], self.direction, "%.16e")

    def describe(self):
        return [("direction", " ".join(f"{one:.3g}" for one in self.direction))]


class Toy(Method):
    """The difference of the means of signal and background."""

    kind = "Toy"
    analyses = frozenset({AnalysisType.CLASSIFICATION})
    options = (*METHOD_BASE_OPTIONS, Option("Scale", OptionType.DOUBLE, 1.0, "factor on the response"))
    records = (FittedToy,)

    def train(self, job):
        x, is_signal = job.training.inputs, job.training.is_signal
        return FittedToy(job.options.real("Scale") * (x[is_signal].mean(axis=0) - x[~is_signal].mean(axis=0)))

    def read(self, section, head, how):  # noqa: ARG002
        return FittedToy(reading.numbers(section.element, len(head.variables), "numbers"))


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(methods, "_METHODS", dict(methods._METHODS))
    methods.register(Toy)


def book(folder: Path, options: str = "Scale=2:VarTransform=N", kind: str = "Toy"):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("pt")
    loader.AddVariable("ht")
    loader.AddSignalTree(f"{DATA}/fakerate.root:pass")
    loader.AddBackgroundTree(f"{DATA}/fakerate.root:fail")
    loader.PrepareTrainingAndTestTree(
        "", "nTrain_Signal=300:nTrain_Background=300:nTest_Signal=200:nTest_Background=200"
    )
    factory = TMVA.Factory("job", str(folder / "TMVA.root"), "!DrawProgressBar:AnalysisType=Classification")
    return factory, loader, factory.BookMethod(loader, kind, "Toy", options)


@pytest.fixture
def trained(toy, tmp_path):
    factory, _, method = book(tmp_path)
    method.weight_file = tmp_path / "toy.weights.xml"
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    return factory, method


DATA = Path(__file__).resolve().parents[2] / "xml_fixtures" / "data"
EVENTS = np.float32([[15.0, 80.0], [40.0, 120.0], [np.nan, 60.0]])


def test_training_and_weight_file(trained, tmp_path):
    _, method = trained
    inputs, is_signal = method.trained.training.inputs, method.trained.training.is_signal
    expected = 2.0 * (inputs[is_signal].mean(axis=0) - inputs[~is_signal].mean(axis=0))
    np.testing.assert_allclose(method.trained.fitted.direction, expected)
    text = (tmp_path / "toy.weights.xml").read_text()
    assert '<MethodSetup Method="Toy::Toy">' in text
    assert '<Option name="Scale" modified="Yes">2.000000e+00</Option>' in text
    assert TMVA.load_string(text).to_xml() == text


def test_arrays_and_reader(trained, tmp_path):
    _, method = trained
    model = TMVA.load(tmp_path / "toy.weights.xml")
    expected = model.transformations.forward(EVENTS, None).astype(np.float64) @ method.trained.fitted.direction
    found = model.predict({"ht": EVENTS[:, 1], "pt": EVENTS[:, 0]})
    np.testing.assert_allclose(found[:2], expected[:2], rtol=1e-14)
    assert np.isnan(found[2])
    reader = TMVA.Reader("!V")
    memory = [reader.AddVariable(name) for name in ("pt", "ht")]
    assert reader.BookMVA("toy", tmp_path / "toy.weights.xml").GetMethodTypeName() == "Toy"
    memory[0][0], memory[1][0] = EVENTS[0]
    assert reader.EvaluateMVA("toy") == found[0]
    assert (reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()) == (-1.0, -1.0)  # what TMVA has for no errors
    memory[0][0] = np.nan
    assert reader.EvaluateMVA("toy") == -999.0
    np.testing.assert_array_equal(reader.EvaluateMVA(EVENTS[:2], "toy"), found[:2])
    with pytest.raises(ErrorsNotAvailableError, match="this method has none"):
        model.predict(EVENTS, errors=True)


def test_tables_ranking_and_log(trained, caplog):
    factory, method = trained
    assert "Toy" in factory.tables[0]
    assert 0.5 < factory.GetROCIntegral("dataset", "Toy") <= 1.0
    assert method.ranking is None
    caplog.set_level(logging.INFO)
    log_ranking(logging.getLogger("pytmva_bnn"), method.title, method.ranking)
    assert "No variable ranking supplied by classifier: Toy" in caplog.text


def test_output_file_and_report(trained, tmp_path):
    import uproot

    factory, method = trained
    with uproot.open(tmp_path / "TMVA.root") as file:
        assert "Method_Toy" in file["dataset"].keys(cycle=False, recursive=False)
        found = file["dataset/Method_Toy/Toy"].keys(cycle=False)
        assert "MVA_Toy_S" in found
        assert not any("weights_hist" in name for name in found)
        np.testing.assert_array_equal(file["dataset/TestTree"]["Toy"].array(library="np"), method.respond().test[:, 0])
    from pytmva_bnn.show.report import report_from_output_file, write_report

    write_report(factory, tmp_path / "training.html")
    report_from_output_file(tmp_path / "TMVA.root", tmp_path / "file.html")
    for name in ("training.html", "file.html"):
        assert "Toy" in (tmp_path / name).read_text()


def test_inspect_compare_and_convert(trained, tmp_path, capsys):
    path = str(tmp_path / "toy.weights.xml")
    assert main(["inspect", path]) == 0
    text = capsys.readouterr().out
    assert "direction" in text
    assert "Scale" in text
    assert main(["compare", path, path]) == 0
    for name in ("toy.json", "toy.npz"):
        convert(path, tmp_path / name)
        again = load_any(tmp_path / name)
        assert again.to_xml() == Path(path).read_text()
        np.testing.assert_array_equal(again.predict(EVENTS), TMVA.load(path).predict(EVENTS))
    assert json.loads((tmp_path / "toy.json").read_text())["method"]["class"] == "FittedToy"
    for name in ("toy.onnx", "toy.C"):
        with pytest.raises(InputError, match="Toy"):
            convert(path, tmp_path / name)
        assert not (tmp_path / name).exists()


def test_copies(trained, tmp_path):
    model = TMVA.load(tmp_path / "toy.weights.xml")
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # noqa: S301
        np.testing.assert_array_equal(again.predict(EVENTS), model.predict(EVENTS))


def test_cross_validation(toy, tmp_path, monkeypatch):
    loader = book(tmp_path)[1]
    monkeypatch.chdir(tmp_path)
    cv = TMVA.CrossValidation("cv", loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod("Toy", "Toy", "Scale=1")
    cv.Evaluate()
    assert len(cv.GetResults()[0].folds) == 2
    assert sorted(path.name for path in (tmp_path / "dataset" / "weights").iterdir()) == [
        "cv_Toy.weights.xml",
        "cv_Toy_fold1.weights.xml",
        "cv_Toy_fold2.weights.xml",
    ]


def test_wrong_use(toy, tmp_path):
    with pytest.raises(TMVA.TMVAError, match="Scael"):
        book(tmp_path, "Scael=2")
    with pytest.raises(InputError, match="the method Tyo is not available here: did you mean Toy"):
        book(tmp_path, "", "Tyo")
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("pt")
    with pytest.raises(InputError, match="the method Toy cannot do AnalysisType=Regression; it can do Classification"):
        TMVA.Factory("job", "AnalysisType=Regression").BookMethod(loader, "Toy", "Toy", "")
    with pytest.raises(InputError, match="the method Toy is already registered"):
        methods.register(Toy)


def test_without_it_the_file_is_refused(trained, tmp_path, monkeypatch):
    monkeypatch.delitem(methods._METHODS, "Toy")
    with pytest.raises(
        WeightFileError, match=r"toy\.weights\.xml.*the method is .Toy::Toy.; only .*MLP::<title>.* can be read"
    ):
        TMVA.load(tmp_path / "toy.weights.xml")
