"""Foams as C++ and as ONNX: the numbers of TMVA's Reader."""

import dataclasses

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import convert, onnx_model, run_onnx
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.foam.evaluation import Kernel
from pytmva_bnn.standalone import class_source


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


def test_compiled_classes(subjects, cpp_responses):
    random = np.random.default_rng(1)
    cases, expected = {}, {}
    for name, model in subjects.items():
        foam, n = model.fitted.foams[0], len(model.variables)
        low, high = foam.x_min[:n], foam.x_max[:n]
        events = random.uniform(low - 0.1 * (high - low), high + 0.1 * (high - low), (25, n)).astype(np.float32)
        cases[name] = model, events
        expected[name] = model.predict(events).astype(float).reshape(len(events), -1)
        if model.has_errors:
            expected[name] = np.column_stack([expected[name], *model.fitted.error_bars(events, "")])
    cases["of_nan"] = subjects["lin"], np.array([[np.nan, 1.0]])
    calls = {"Regression": "GetRegressionValues", "Multiclass": "GetMulticlassValues"}
    found = cpp_responses(
        cases,
        lambda model: [calls.get(model.analysis_type, "GetMvaValue"), *["GetMvaErrors"] * model.has_errors],
    )
    assert np.isnan(np.ravel(found.pop("of_nan"))[0])
    for name, values in found.items():
        np.testing.assert_array_equal(values.reshape(25, -1), expected[name], err_msg=name)


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
