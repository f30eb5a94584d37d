"""Responses, errors, regression and multiclass results against the records of the real TMVA."""

import warnings

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import ErrorsNotAvailableError


def test_predict_gives_tmvas_responses(mode, case):
    model = TMVA.load(case.weights)
    inputs = case.expected["inputs"]
    if model.analysis_type == "Classification":
        np.testing.assert_allclose(model.predict(inputs), case.expected["mva"], rtol=1e-13)
    elif model.analysis_type == "Regression":
        np.testing.assert_array_equal(model.predict(inputs), case.expected["regression"])
        outputs = model.fitted.respond(model.transformations.forward(inputs, None))
        np.testing.assert_allclose(outputs[:, 0], case.expected["mva"], rtol=1e-12)
    else:
        np.testing.assert_allclose(model.predict(inputs), case.expected["multiclass"], rtol=2e-7)


def test_predict_gives_tmvas_errors(mode, case):
    model = TMVA.load(case.weights)
    if not model.has_errors:
        with pytest.raises(ErrorsNotAvailableError):
            model.predict(case.expected["inputs"], errors=True)
        return
    if case.name == "regulator_only":  # TMVA gives 0, although the matrix is there
        assert not case.expected["err_lower"].any()
        assert (model.predict(case.expected["inputs"], errors=True).lower > 0).all()
        return
    inputs = model.transformations.forward(case.expected["inputs"], None)
    lower, upper = model.fitted.error_bars(inputs, model.name)
    np.testing.assert_allclose(lower, case.expected["err_lower"], rtol=2e-7)
    np.testing.assert_allclose(upper, case.expected["err_upper"], rtol=2e-7)
    if model.analysis_type == "Classification":
        prediction = model.predict(case.expected["inputs"], errors=True)
        np.testing.assert_array_equal(prediction.lower, lower)
        np.testing.assert_array_equal(prediction.upper, upper)


def test_reader_gives_tmvas_numbers_event_by_event(case):
    expected, model = case.expected, TMVA.load(case.weights)
    reader = TMVA.Reader("!Color:!Silent:Error=True", compat="strict")
    buffers = [np.zeros(1, dtype=np.float32) for _ in model.variables]
    for variable, buffer in zip(model.variables, buffers, strict=True):
        reader.AddVariable(variable.expression, buffer)
    for spectator in model.spectators:
        reader.AddSpectator(spectator.expression, np.zeros(1, dtype=np.float32))
    reader.BookMVA("mlp", case.weights)
    for number, event in enumerate(expected["inputs"]):
        for buffer, value in zip(buffers, event, strict=True):
            buffer[0] = value
        if "multiclass" in expected:
            np.testing.assert_allclose(reader.EvaluateMulticlass("mlp"), expected["multiclass"][number], rtol=2e-7)
            continue
        if "regression" in expected:
            np.testing.assert_array_equal(np.float32(reader.EvaluateRegression("mlp")), expected["regression"][number])
        assert reader.EvaluateMVA("mlp") == pytest.approx(expected["mva"][number], rel=1e-12)
        assert reader.GetMVAErrorLower() == pytest.approx(expected["err_lower"][number], rel=2e-7)
        assert reader.GetMVAErrorUpper() == pytest.approx(expected["err_upper"][number], rel=2e-7)
        if "proba_03" in expected:
            assert reader.GetProba("mlp", 0.3) == pytest.approx(expected["proba_03"][number], rel=1e-7)
            assert reader.GetRarity("mlp") == pytest.approx(expected["rarity"][number], rel=1e-7)


def test_one_event_at_a_time_and_in_a_batch_are_the_same_numbers(case):
    model = TMVA.load(case.weights)
    inputs = case.expected["inputs"]
    alone = np.concatenate([model.predict(inputs[i : i + 1]) for i in range(len(inputs))])
    np.testing.assert_array_equal(alone, model.predict(inputs))
    if model.has_errors:
        batch = model.predict(inputs, errors=True)
        for i in range(0, len(inputs), 7):
            one = model.predict(inputs[i : i + 1], errors=True)
            np.testing.assert_allclose(
                [*one.lower, *one.upper], [*batch.lower[i : i + 1], *batch.upper[i : i + 1]], rtol=1e-15
            )


def test_fast_tanh_changes_the_responses_a_little(case_named):
    record = case_named("bfgs_n")
    inputs = record.expected["inputs"]
    fast = TMVA.load(record.weights, tanh="fast").predict(inputs)
    difference = np.abs(fast - record.expected["mva"])
    assert 1e-10 < difference.max() < 1e-3


def test_reading_the_records_gives_no_warning(case):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TMVA.load(case.weights)
