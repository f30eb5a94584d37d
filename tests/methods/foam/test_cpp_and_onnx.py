"""Foams as C++ and as ONNX: the numbers of TMVA's Reader."""

import dataclasses
import shutil

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import convert, onnx_model, run_onnx
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.foam.evaluation import Kernel
from pytmva_bnn.standalone import class_source

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Werror"]
VALUES = {
    "Classification": "foam.GetMvaValue(event)",
    "Regression": "foam.GetRegressionValues(event)",
    "Multiclass": "foam.GetMulticlassValues(event)",
}


def with_attributes(model, changed, **attributes):
    given = tuple((name, attributes.get(name, value)) for name, value in model.fitted.attributes)
    return changed(model, fitted={"attributes": given})


@pytest.fixture
def subjects(model_of, changed):
    """Models by name: those of the records, and what these do not have."""
    reg, mt = model_of("foam_reg"), model_of("foam_mt")
    elements = reg.fitted.foams[0].elements.copy()
    elements[reg.fitted.foams[0].active[::3]] = [0.0, -1.0]
    empty = changed(reg, fitted={"foams": (dataclasses.replace(reg.fitted.foams[0], elements=elements),)})
    mean = changed(mt, fitted={"foams": (dataclasses.replace(mt.fitted.foams[0], role=0),)})
    return {
        "dt": model_of("foam_dt"),
        "lin": model_of("foam_lin"),
        "multi": model_of("foam_multi"),
        "mpv": mt,
        "mean": mean,
        "sep": model_of("foam_sep"),
        "sep_yes_no": with_attributes(model_of("foam_sep"), changed, UseYesNoCell="1", Kernel="0"),
        "empty": empty,
        "empty_lin": with_attributes(empty, changed, Kernel="2"),
        "empty_gauss": with_attributes(empty, changed, Kernel="1"),
    }


def test_compiled_classes(subjects, run_process, tmp_path):
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    random = np.random.default_rng(1)
    program, expected = [], []
    for name, model in subjects.items():
        low, high = (
            model.fitted.foams[0].x_min[: len(model.variables)],
            model.fitted.foams[0].x_max[: len(model.variables)],
        )
        events = random.uniform(low - 0.1 * (high - low), high + 0.1 * (high - low), (25, len(low))).astype(np.float32)
        responses = model.predict(events).astype(float).reshape(len(events), -1)
        calls = [VALUES[model.analysis_type]]
        if model.has_errors:
            responses = np.column_stack([responses, *model.fitted.error_bars(events, "")])
            calls.append("foam.GetMvaErrors(event)")
        expected.append(responses.ravel())
        rows = ", ".join("{" + ", ".join(repr(float(x)) for x in event) + "}" for event in events)
        names = ", ".join(f'"{variable.expression}"' for variable in model.variables)
        puts = " ".join(f"Put({call});" for call in calls)
        header = tmp_path / f"{name}.h"
        header.write_text(class_source(model, class_name=f"Foam_{name}"))
        program.append(
            f"{{ Foam_{name} foam({{{names}}}); const std::vector<std::vector<double>> events = {{{rows}}};"
            f" for (const auto& event : events) {{ {puts} }} }}"
        )
    includes = "".join(f'#include "{name}.h"\n' for name in subjects)
    put = """#include <cstdio>
static void Put(double x) { std::printf("%.17g\\n", x); }
static void Put(const std::pair<double, double>& x) { Put(x.first); Put(x.second); }
static void Put(const std::vector<double>& all) { for (double x : all) Put(x); }
"""
    nan = '{ Foam_lin foam({"var1", "var2"}); Put(foam.GetMvaValue({std::nan(""), 1.0})); }'
    (tmp_path / "main.cpp").write_text(includes + put + "int main() {\n" + "\n".join([*program, nan]) + "\n}\n")
    made = run_process([compiler, "-std=c++17", *WARNINGS, "main.cpp", "-o", "main"], cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    found = [float(line) for line in run_process([tmp_path / "main"]).stdout.split()]
    np.testing.assert_array_equal(found, [*np.concatenate(expected), np.nan])


@pytest.mark.parametrize("name", ["foam", "foam_dt", "foam_multi"])
def test_onnx_gives_the_same_numbers(method_case, name, tmp_path):
    pytest.importorskip("onnxruntime")
    case = method_case(name)
    convert(case.weights, tmp_path / "a.onnx")
    found = run_onnx(tmp_path / "a.onnx", case.expected["inputs"])
    np.testing.assert_array_equal(found["response"], case.expected["multiclass" if name == "foam_multi" else "mva"])
    if name == "foam":
        np.testing.assert_array_equal(found["lower"], case.expected["err_lower"])
        np.testing.assert_array_equal(found["upper"], case.expected["err_upper"])


def test_onnx_of_separate_foams_and_of_targets(model_of, changed):
    pytest.importorskip("onnxruntime")
    plain = with_attributes(model_of("foam_sep"), changed, Kernel="0")
    events = np.random.default_rng(2).normal(size=(200, 4)).astype(np.float32) * 3
    found = run_onnx(onnx_model(plain).SerializeToString(), events)
    value, lower, _ = plain.predict(events, errors=True)
    np.testing.assert_array_equal(found["response"], value)
    np.testing.assert_array_equal(found["lower"], lower)
    reg = model_of("foam_reg")
    foam = reg.fitted.foams[0]
    full = np.where(foam.elements[:, 1:] == -1, [[1.0, 0.5]], foam.elements)
    reg = changed(reg, fitted={"foams": (dataclasses.replace(foam, elements=full),)})
    events = np.random.default_rng(3).uniform(-1, 6, (200, 2)).astype(np.float32)
    found = run_onnx(onnx_model(reg).SerializeToString(), events)
    np.testing.assert_array_equal(found["response"], reg.predict(events))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("foam_lin", f"Kernel={Kernel.LIN_NEIGHBORS}"),
        ("foam_sep", "Kernel=Gauss"),
        ("foam_mt", "several targets"),
        ("foam_reg", "empty cells"),
    ],
)
def test_what_onnx_cannot_do_is_said(method_case, name, words, tmp_path):
    pytest.importorskip("onnx")
    with pytest.raises(InputError, match=words):
        convert(method_case(name).weights, tmp_path / "a.onnx")
    assert not list(tmp_path.iterdir())


def test_class_file_of_a_training_names_the_foam(method_case):
    source = class_source(TMVA.load(method_case("foam").weights))
    assert 'the response of the foam "PDEFoam"' in source
    assert "static constexpr Cell kFoam0[193]" in source
