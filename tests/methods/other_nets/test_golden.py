"""TMlpANN and CFMlpANN against TMVA's records: files, responses, trainings."""

import copy
import pickle
import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.methods import linked_response

AGREEMENT = {"tmlpann": 2e-14, "cfmlpann": 3e-16}


@pytest.fixture(params=AGREEMENT)
def record(request, method_case):
    return method_case(request.param)


def test_files_are_written_byte_for_byte(record):
    assert TMVA.load(record.weights).to_xml() == record.weights_text


def test_responses_are_tmvas(record, mode):
    model = TMVA.load(record.weights)
    found = model.predict(record.expected["inputs"])
    np.testing.assert_allclose(found, record.expected["mva"], rtol=0, atol=AGREEMENT[record.name], err_msg=mode)


def test_event_loops_give_tmvas_responses(record, mode, monkeypatch):
    monkeypatch.setattr(linked_response, "EVENTS_BY_NUMBERS", 60)
    reader = TMVA.Reader("!V:Silent")
    memory = [reader.AddVariable(f"var{i}") for i in range(1, 5)]
    reader.BookMVA("net", record.weights)
    for event, expected in zip(record.expected["inputs"].tolist(), record.expected["mva"], strict=True):
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        assert reader.EvaluateMVA("net") == pytest.approx(expected, rel=0, abs=AGREEMENT[record.name]), mode
    assert reader.GetMVAErrorLower() == -1.0  # what TMVA has for no errors
    memory[1][0] = np.nan
    assert reader.EvaluateMVA("net") == -999.0


def test_single_events_in_compiled_code_have_the_bits_of_arrays(record, compiled):
    del compiled
    model, x = TMVA.load(record.weights), record.expected["inputs"][:50]
    memory = [np.zeros(1) for _ in range(4)]
    linked = model.fitted.linked_event(model.transformations, memory)
    again, own = copy.deepcopy((linked, memory))
    for event, expected in zip(x, model.predict(x), strict=True):
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        assert linked.evaluate() == expected
    for cell, value in zip(own, x[3], strict=True):
        cell[0] = value
    assert again.evaluate() == model.predict(x[3:4])[0]


@pytest.mark.parametrize("transform", ["N", "D,N", "G"])
def test_transformations_come_first(transform, mode, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(2)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    for name, mean in (("Signal", 1.0), ("Background", -1.0)):
        loader.AddTree({"x": random.normal(mean, 1, 100), "y": random.normal(0, 2, 100)}, name)
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
    method = factory.BookMethod(loader, "TMlpANN", "net", f"NCycles=3:LearningMethod=BFGS:VarTransform={transform}")
    factory.TrainAllMethods()
    model = method.model
    x = random.normal(size=(20, 2)).astype(np.float32)
    transformed = model.transformations.forward(x, None).astype(float)
    rms, mean = model.fitted.normalisation.T.astype(np.float32).astype(float)
    a = (transformed - mean) / rms
    for matrix in model.fitted.network.matrices[:-1]:
        a = 1.0 / (1.0 + np.exp(-(a @ matrix[:-1] + matrix[-1])))
    last = model.fitted.network.matrices[-1]
    np.testing.assert_allclose(model.predict(x), (a @ last[:-1] + last[-1])[:, 0], rtol=1e-12, atol=1e-14, err_msg=mode)


def envelope_without_origin(text):
    """A weight file without who made it, when and where."""
    return re.sub(r'<Info name="(TMVA Release|ROOT Release|Creator|Date|Host|Dir|TrainingTime)".*\n', "", text)


def test_the_training_of_cfmlpann_is_tmvas(method_case, trained_case):
    record = method_case("cfmlpann")
    factory, folder = trained_case(record)
    written = (folder / "dataset/weights/job_CFMlpANN.weights.xml").read_text()
    assert envelope_without_origin(written) == envelope_without_origin(record.weights_text)
    assert factory.methods[0].trained.fitted.interrupted_after == ""


def test_the_training_of_tmlpann_is_as_good_as_tmvas(method_case, trained_case):
    record = method_case("tmlpann")
    factory, folder = trained_case(record)
    written = (folder / "dataset/weights/job_TMlpANN.weights.xml").read_text()
    numbers = r"<(neurons|synapses)>(.|\n)*?</\1>"
    same = (re.sub(numbers, "", envelope_without_origin(text)) for text in (written, record.weights_text))
    assert next(same) == next(same)  # options, architecture, normalisation of the inputs
    assert TMVA.load_string(written).to_xml() == written
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    assert factory.GetROCIntegral("dataset", "TMlpANN") == pytest.approx(record.booked["roc_integral"], abs=0.02)


@pytest.mark.parametrize("name", ["net.json", "net.npz"])
def test_other_formats_and_copies(record, name, tmp_path):
    convert(record.weights, tmp_path / name)
    model, x = TMVA.load(record.weights), record.expected["inputs"]
    for again in (load_any(tmp_path / name), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):  # noqa: S301
        assert again.to_xml() == record.weights_text
        np.testing.assert_array_equal(again.predict(x), model.predict(x))


def test_onnx(record, tmp_path):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx

    convert(record.weights, tmp_path / "net.onnx")
    found = run_onnx(tmp_path / "net.onnx", record.expected["inputs"])["response"]
    np.testing.assert_allclose(np.ravel(found), record.expected["mva"], rtol=1e-12)


def test_the_cpp_class_gives_the_same_responses(record, cpp_responses):
    x = record.expected["inputs"][::20]
    found = cpp_responses({record.name: (TMVA.load(record.weights), x)})[record.name]
    np.testing.assert_allclose(found, record.expected["mva"][::20], rtol=2e-14)


SHOWN = {
    "tmlpann": ["4-5-4-1", "hidden  sigmoid", "output  linear", "var3  (x - 1.01125)/3.15747"],
    "cfmlpann": ["4-5-4-2", "hidden  (1 - exp(-u))/(1 + exp(-u))", "signal", "background"],
}


def test_inspection(record, capsys):
    from pytmva_bnn.cli import main

    assert main(["inspect", str(record.weights)]) == 0
    shown = capsys.readouterr().out
    for text in SHOWN[record.name]:
        assert text in shown
    model = TMVA.load(record.weights)
    assert model.fitted.n_weights == {"tmlpann": 54, "cfmlpann": 59}[record.name]
    assert repr(model) == f"<Model '{model.file.title}': Classification, {SHOWN[record.name][0]}, without error bars>"


def test_the_network_is_drawn_with_its_weights(record):
    from types import SimpleNamespace

    from matplotlib import pyplot as plt

    from pytmva_bnn.show import methods  # noqa: F401 - registers what is drawn
    from pytmva_bnn.show.plots.content import described, drawings

    model = TMVA.load(record.weights)
    assert dict(described(model.fitted))["Layers"] == SHOWN[record.name][0]
    content = SimpleNamespace(input_names=["a", "b", "c", "d"], methods=(1,))
    ((section, plot),) = drawings(model.fitted, content, SimpleNamespace(title="net"))
    ax = plot.draw()
    assert section == "Network"
    assert {"a", "d", "response"} <= {one.get_text() for one in ax.texts}
    plt.close(ax.figure)
