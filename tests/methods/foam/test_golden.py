"""Weight files of TMVA: the same responses, errors and text."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import ErrorsNotAvailableError


def test_responses_are_tmvas_to_the_last_bit(foam_case):
    model, expected = TMVA.load(foam_case.weights), foam_case.expected
    key = {"Classification": "mva", "Regression": "regression", "Multiclass": "multiclass"}[model.analysis_type]
    np.testing.assert_array_equal(model.predict(expected["inputs"]), expected[key])


def test_errors_are_tmvas_to_the_last_bit(foam_case):
    model, expected = TMVA.load(foam_case.weights), foam_case.expected
    if foam_case.name in ("foam_mt", "foam_multi"):  # TMVA throws, or has none
        assert not model.has_errors
        return
    lower, upper = model.fitted.error_bars(expected["inputs"], "foam")
    np.testing.assert_array_equal(lower, expected["err_lower"])
    np.testing.assert_array_equal(upper, expected["err_upper"])


@pytest.mark.parametrize("name", ["foam", "foam_lin", "foam_sep"])
def test_predict_has_error_bars_but_no_quantiles(method_case, name):
    case = method_case(name)
    model = TMVA.load(case.weights)
    value, lower, upper = model.predict(case.expected["inputs"], errors=True)
    np.testing.assert_array_equal(value, case.expected["mva"])
    np.testing.assert_array_equal(lower, case.expected["err_lower"])
    np.testing.assert_array_equal(upper, case.expected["err_upper"])
    for more in ({"quantiles": [0.5]}, {"moderated": True}):
        with pytest.raises(ErrorsNotAvailableError, match="no distribution of the response"):
            model.predict(case.expected["inputs"], **more)
    with pytest.raises(ErrorsNotAvailableError, match="for single cells only"):
        model.predict_sum(case.expected["inputs"])


def test_why_there_are_no_errors(model_of):
    for name, words in (("foam_dt", "UseYesNoCell"), ("foam_multi", "classes"), ("foam_reg", "is not one")):
        with pytest.raises(ErrorsNotAvailableError, match=words):
            model_of(name).predict([[0.0] * len(model_of(name).variables)], errors=True)


def test_reader_loop(foam_case):
    expected, model = foam_case.expected, TMVA.load(foam_case.weights)
    reader = TMVA.Reader("!V:Silent:Error")
    memory = [reader.AddVariable(variable.expression) for variable in model.variables]
    reader.BookMVA("foam", foam_case.weights)
    for number, event in enumerate(expected["inputs"][::4]):
        number *= 4
        for place, value in zip(memory, event, strict=True):
            place[0] = value
        if "multiclass" in expected:
            assert reader.EvaluateMulticlass("foam") == expected["multiclass"][number].tolist()
            continue
        if "regression" in expected:
            assert reader.EvaluateRegression("foam") == expected["regression"][number].tolist()
        if foam_case.name != "foam_mt":  # TMVA throws
            assert reader.EvaluateMVA("foam") == expected["mva"][number]
            assert reader.GetMVAErrorLower() == expected["err_lower"][number]
            assert reader.GetMVAErrorUpper() == expected["err_upper"][number]
    memory[0][0] = np.nan
    assert reader.EvaluateMVA("foam") == -999.0


def test_short_and_long_way_of_a_reader_agree(method_case):
    case = method_case("foam")
    model = TMVA.load(case.weights)
    memory = [np.zeros(1, dtype=np.float32) for _ in range(4)]
    linked = model.fitted.linked_event(model.transformations, memory)
    for event, response in zip(case.expected["inputs"], case.expected["mva"], strict=True):
        for place, value in zip(memory, event, strict=True):
            place[0] = value
        assert linked.evaluate() == response
    memory[2][0] = np.inf
    assert np.isnan(linked.evaluate())
    doubles = [np.zeros(1) for _ in range(4)]
    assert model.fitted.linked_event(model.transformations, doubles) is None
    lin = TMVA.load(method_case("foam_lin").weights)
    assert lin.fitted.linked_event(lin.transformations, memory[:2]) is None


def test_text_is_written_as_it_was_read(foam_case):
    assert TMVA.load(foam_case.weights).to_xml() == foam_case.weights_text


def test_description(model_of):
    assert "97 cells" in repr(model_of("foam"))
    assert dict(model_of("foam_sep").describe()) == {
        "foams": "SignalFoam (Event, 40 active cells), BgFoam (Event, 40 active cells)",
        "cells hold": "densities of signal and background",
        "depth": "14, 14",
        "kernel": "Gauss",
    }
    assert dict(model_of("foam_mt").describe())["targets"] == "of the densest cell"
    assert dict(model_of("foam_dt").describe())["response"] == "-1 or +1 (UseYesNoCell)"


def test_ranking_is_tmvas(model_of, method_case):
    ranking = model_of("foam").fitted.ranking(None, None, ["var1", "var2", "var3", "var4"])
    lines = (method_case("foam").folder / "log.txt").read_text().splitlines()
    rows = [line.split(":") for line in lines if line.count(":") == 3 and "var" in line]
    assert ranking.discriminator == "Variable Importance"
    shown = [(name, f"{value:.3e}") for name, value in ranking.entries]
    assert shown == [(row[2].strip(), row[3].strip()) for row in rows][-4:]
