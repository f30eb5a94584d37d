"""RuleFit in C++, ONNX, JSON and npz, in copies, and for people."""

import copy
import json
import pickle
import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.errors import InputError
from pytmva_bnn.standalone import class_source


@pytest.fixture(scope="session")
def compiled_responses(cpp_responses, method_case, record_names):
    """The responses of the C++ classes of all records, to an event of NaN and to one of infinities."""
    cases = {}
    for name in record_names:
        record = method_case(name)
        x = record.expected["inputs"]
        events = np.vstack([x, np.full_like(x[:1], np.nan), np.full_like(x[:1], np.inf)])
        cases[name] = TMVA.load(record.weights), events
    return cpp_responses(cases)


def test_the_cpp_class_gives_the_bits_of_tmvas_reader(record, compiled_responses):
    *found, of_nan, of_infinity = compiled_responses[record.name]
    np.testing.assert_array_equal(found, record.expected["mva"])
    assert np.isnan([of_nan, of_infinity]).all()


def test_the_cpp_class_has_the_terms_of_tmvas(method_case):
    """Offset, rules, linear terms and importances with the ten digits that TMVA's own class has."""
    ours = class_source(TMVA.load(method_case("rulefit").weights))
    rounded = re.sub(r"-?\d\.\d{16}e[-+]\d\d", lambda number: f"{float(number[0]):.10g}", ours)
    assert "double y = 0.1030098778;" in rounded
    assert "if (x0 > -0.1108113825 && x3 > -1.038627744)\n         y += 0.233306691; // 0.496\n" in rounded
    condition = "x1 > -0.3569609523 && x1 < 0.3461982906 && x2 < 1.787579298 && x3 > 0.711899519"
    assert f"if ({condition})\n         y += -0.08040517616; // 0.053\n" in rounded
    line = re.search(r"std::min\(std::max\(-2.966341734, x3\), 2.748840332\) \* (\S+) \* (\S+); // 0.912", rounded)
    assert float(line[1]) * float(line[2]) == pytest.approx(0.1951113591, rel=1e-9)


def test_onnx_gives_the_same_responses(record, tmp_path):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx

    convert(record.weights, tmp_path / "method.onnx")
    x = record.expected["inputs"]
    found = run_onnx(tmp_path / "method.onnx", np.vstack([x, np.full_like(x[:1], np.nan)]))["response"]
    np.testing.assert_allclose(found[:-1].ravel(), record.expected["mva"], rtol=1e-14, atol=1e-15)
    assert np.isnan(found[-1]).all()


@pytest.mark.parametrize("name", ["method.json", "method.npz"])
def test_json_and_npz_hold_everything(record, tmp_path, name):
    convert(record.weights, tmp_path / name)
    again = load_any(tmp_path / name)
    assert again.to_xml() == record.weights_text
    np.testing.assert_array_equal(again.predict(record.expected["inputs"]), record.expected["mva"])


def test_copies_give_the_same_numbers(record, mode):
    model, x = TMVA.load(record.weights), record.expected["inputs"]
    model.predict(x)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # noqa: S301
        np.testing.assert_array_equal(again.predict(x), record.expected["mva"], err_msg=mode)


INSPECTED = """\
Rules by importance
   #  importance  coefficient  support  purity  the response gets the coefficient where
   0       0.496      +0.2333    46.8%   69.5%  var1 > -0.1108, var4 > -1.039
   1       0.401      +0.1959    35.9%   76.4%  var1 > -0.5491, var2 > 0.04707
"""


def test_inspect_shows_rules_and_linear_terms(method_case, capsys):
    path = str(method_case("rulefit").weights)
    assert main(["inspect", path]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("RuleFit: Classification, 35 rules and 4 linear terms, without error bars")
    assert INSPECTED in shown
    assert "  and 15 less important ones: see --part or --json\n" in shown
    assert "  var4  importance 0.912  slope +0.1951 from -2.966 to 2.749\n" in shown
    assert "Importance of the variables\n  var3  1.000\n  var4  0.957\n" in shown
    assert main(["inspect", "--json", path]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["offset"] == 1.0300987775860805e-01
    assert len(found["rules"]) == 35
    assert found["rules"][0]["cuts"] == [
        {"variable": "var1", "min": -1.1081138253211975e-01},
        {"variable": "var4", "min": -1.0386277437210083e00},
    ]
    both = next(one for one in found["rules"] if one["rule"].startswith("-0.357 < var2 < 0.3462, "))
    assert both["cuts"][0] == {
        "variable": "var2",
        "min": pytest.approx(-0.3569609523),
        "max": pytest.approx(0.34619829),
    }


def test_inspect_shows_one_rule(method_case, capsys):
    path = str(method_case("rulefit").weights)
    assert main(["inspect", "--part", "6", path]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Rule 6 of 35, by importance",
        "  var1 < -0.5491, var2 > 0.04707",
        "  coefficient  -0.214793, speaks for background",
        "  importance   0.301 of the largest",
        "  support      12.35% of the training events, by weight",
        "  purity       29.15% of them are signal",
    ]
    for name, problem in (("rulefit", "counted from 0 to 34"), ("rulefit_linear", "it has no rules")):
        model = TMVA.load(method_case(name).weights)
        with pytest.raises(InputError, match=f"there is no rule 35; .*{problem}"):
            model.fitted.part(35, model.file)


def test_models_describe_themselves(method_case):
    models = {name: TMVA.load(method_case(name).weights) for name in ("rulefit", "rulefit_linear", "rulefit_rule")}
    assert models["rulefit_linear"].fitted.summary == "4 linear terms"
    assert models["rulefit_rule"].fitted.summary == "15 rules"
    assert dict(models["rulefit_rule"].describe())["response"] == "offset + rules that hold; signal is positive"
