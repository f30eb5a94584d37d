"""FDA in C++, ONNX, JSON and npz, in copies, and for people."""

import copy
import json
import pickle

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.errors import InputError
from pytmva_bnn.standalone import class_source

ODD = "(0)^2*x0-x1/(2)+(x2>(3)?sqrt(abs(x3)):max(x0,-x1))+pow((1),2)*(x0<x1&&!(x2>0))+TMath::Exp(-x3*x3)+sq((4))-pi"


@pytest.fixture
def odd(method_case, changed):
    """A formula with all that can occur in one."""
    return changed(TMVA.load(method_case("fda_mc").weights), fitted={"formula": ODD})


def test_cpp_classes_give_the_same_numbers(method_case, odd, cpp_responses):
    names = ("fda_mc", "fda_minuit", "fda_multi", "fda_sa_reg")
    models = {name: TMVA.load(method_case(name).weights) for name in names} | {"odd": odd}
    events = {name: method_case("fda_mc" if name == "odd" else name).expected["inputs"][-20:] for name in models}
    for name, found in cpp_responses({name: (model, events[name]) for name, model in models.items()}).items():
        np.testing.assert_allclose(np.ravel(found), np.ravel(models[name].predict(events[name])), rtol=1e-14)


def test_a_function_that_cpp_does_not_have(odd, changed):
    model = changed(odd, fitted={"formula": "(0)*TMath::Landau(x0)"})
    assert np.isfinite(model.predict(np.zeros((1, 4), np.float32))).all()
    with pytest.raises(InputError, match="TMath::Landau of the formula cannot be written as C"):
        class_source(model)


def test_onnx_gives_the_same_numbers(record, tmp_path):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx

    convert(record.weights, tmp_path / "method.onnx")
    x = record.expected["inputs"]
    found = run_onnx(tmp_path / "method.onnx", x)["response"]
    np.testing.assert_allclose(found, TMVA.load(record.weights).predict(x), rtol=1e-6 if len(x) != 160 else 1e-14)


def test_onnx_of_other_formulas(odd, changed, tmp_path):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx
    from pytmva_bnn.convert.onnx_format import onnx_model

    x = np.random.default_rng(1).normal(size=(30, 4)).astype(np.float32)
    for formula in ("(0)+1.5", "-x0^3*exp(-x1)/(1+fabs(x2))-pow(abs(x3),(1))*pi"):
        model = changed(odd, fitted={"formula": formula})
        found = run_onnx(onnx_model(model).SerializeToString(), x)["response"]
        np.testing.assert_allclose(np.ravel(found), model.predict(x), rtol=1e-13)
    with pytest.raises(InputError, match="cannot be written as ONNX"):
        onnx_model(odd)


@pytest.mark.parametrize("name", ["method.json", "method.npz"])
def test_json_and_npz_hold_everything(record, tmp_path, name):
    convert(record.weights, tmp_path / name)
    again = load_any(tmp_path / name)
    assert again.to_xml() == record.weights_text
    x = record.expected["inputs"]
    np.testing.assert_array_equal(again.predict(x), TMVA.load(record.weights).predict(x))


def test_copies(record):
    model, x = TMVA.load(record.weights), record.expected["inputs"]
    expected = model.predict(x)
    for again in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):  # noqa: S301
        np.testing.assert_array_equal(again.predict(x), expected)


def test_a_reader_in_use_can_be_copied(method_case):
    reader = TMVA.Reader("!V:Silent")
    memory = [reader.AddVariable(f"var{k}") for k in range(1, 5)]
    reader.BookMVA("FDA", method_case("fda_mc").weights)
    memory[0][0] = 1.0
    assert copy.deepcopy(reader).EvaluateMVA("FDA") == reader.EvaluateMVA("FDA")


def test_inspect(method_case, capsys):
    assert main(["inspect", str(method_case("fda_multi").weights)]) == 0
    text = capsys.readouterr().out
    assert "(0)+(1)*x0+(2)*x1" in text
    assert "x1 = var2" in text
    rows = [line.split() for line in text.splitlines()]
    assert ["Signal", "bg0", "bg1", "bg2"] in rows
    assert ["(1)", "0.0825853", "0.0870143", "0.0891322", "0.0523348"] in rows
    assert main(["inspect", "--json", str(method_case("fda_mc").weights)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["formula"].startswith("(0)+(1)*x0")
    assert data["parameters"][0][3] == -0.011976510852873882
