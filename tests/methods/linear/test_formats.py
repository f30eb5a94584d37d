"""The methods in C++, ONNX, JSON and npz, in copies, and for people."""

import copy
import json
import pickle

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.standalone import class_source


@pytest.fixture(scope="session")
def compiled_responses(cpp_responses, method_case, record_names):
    """The responses of the C++ classes of all records, and to an event of NaN."""
    records = {name: method_case(name) for name in record_names}
    inputs = {name: record.expected["inputs"] for name, record in records.items()}
    events = {name: np.vstack([x, np.full_like(x[:1], np.nan)]) for name, x in inputs.items()}
    return cpp_responses({name: (TMVA.load(record.weights), events[name]) for name, record in records.items()})


def test_the_cpp_class_gives_the_bits_of_tmvas_reader(record, compiled_responses):
    *found, of_nan = compiled_responses[record.name]
    expected = record.expected
    np.testing.assert_array_equal(found, np.ravel(expected.get("regression", expected["mva"])))
    assert np.isnan(of_nan)


def test_the_cpp_class_says_how_it_computes(method_case):
    fisher, ld = (class_source(TMVA.load(method_case(name).weights)) for name in ("fisher", "ld"))
    assert 'ReadFisher: the response of the linear function "Fisher" in plain C++17' in fisher
    assert "transformations work in float32 and the rest in float64. So" in fisher.replace("\n// ", " ")
    assert "each sum is rounded to float32 after every term" in ld.replace("\n// ", " ")


TOLERANCES = {"ld": 0.0, "ld_neg": 0.0, "ld_reg": 0.0, "ld_reg_n": 0.0, "fisher_g": 1e-6}


def test_onnx_gives_the_same_responses(record, tmp_path):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx

    convert(record.weights, tmp_path / "method.onnx")
    x = record.expected["inputs"]
    events = np.vstack([x, np.full_like(x[:1], np.nan)])
    found = run_onnx(tmp_path / "method.onnx", events)["response"]
    expected = TMVA.load(record.weights).predict(events)
    assert np.isnan(found[-1]).all()
    tolerance = TOLERANCES.get(record.name, 1e-13)
    np.testing.assert_allclose(found[:-1], expected[:-1], rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", ["method.json", "method.npz", "method.json.gz"])
def test_json_and_npz_hold_everything(record, tmp_path, name):
    convert(record.weights, tmp_path / name)
    again = load_any(tmp_path / name)
    assert again.to_xml() == record.weights_text
    x = record.expected["inputs"]
    np.testing.assert_array_equal(again.predict(x), TMVA.load(record.weights).predict(x))


def test_damaged_json_is_refused(method_case, tmp_path):
    convert(method_case("fisher").weights, tmp_path / "method.json")
    content = json.loads((tmp_path / "method.json").read_text())
    assert content["method"]["class"] == "FittedFisher"
    (tmp_path / "bad.json").write_text(json.dumps(content).replace("FittedFisher", "FittedLD"))
    with pytest.raises(TMVA.TMVAError, match=r"bad\.json"):
        load_any(tmp_path / "bad.json")


def test_copies_give_the_same_numbers(record):
    model, x = TMVA.load(record.weights), record.expected["inputs"]
    expected = model.predict(x)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # noqa: S301
        np.testing.assert_array_equal(again.predict(x), expected)
        assert again.to_xml() == record.weights_text


INSPECTED = {
    "fisher": """\
Coefficients of the variables
  (offset)  -0.0381656
  var1      +0.137455
  var2      +0.108984
""",
    "fisher_g": "Coefficients of the transformed variables\n",
    "hmatrix": """\
Means and widths of the variables
                          signal                background
  var1         0.34911 ± 0.95975         -0.37776 ± 1.0294
""",
}


@pytest.mark.parametrize("name", INSPECTED)
def test_inspect_shows_the_numbers_by_variable(name, method_case, capsys):
    path = str(method_case(name).weights)
    assert main(["inspect", path]) == 0
    assert INSPECTED[name] in capsys.readouterr().out
    assert main(["inspect", "--json", path]) == 0
    found, model = json.loads(capsys.readouterr().out), TMVA.load(path)
    if name == "hmatrix":
        assert found["classes"]["background"]["var2"]["mean"] == model.means[1, 1]
        assert found["classes"]["signal"]["var3"]["width"] == pytest.approx(
            np.linalg.inv(model.inverses[0])[2, 2] ** 0.5
        )
    else:
        assert list(found["coefficients"].values()) == model.coefficients[0].tolist()
        assert list(found["coefficients"]) == ["(offset)", "var1", "var2", "var3", "var4"]


def test_models_describe_themselves(method_case):
    fisher, hmatrix = (TMVA.load(method_case(name).weights) for name in ("fisher", "hmatrix"))
    assert repr(fisher) == "<Model 'Fisher': Classification, linear in 4 variables, without error bars>"
    assert dict(fisher.describe())["constant"] == "-0.0381656"
    assert dict(fisher.describe())["coefficients"].startswith("0.137455 ")
    assert dict(hmatrix.describe())["means of signal"].startswith("0.349114 ")
