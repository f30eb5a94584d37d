"""Cuts against the records of TMVA: files, responses, cuts, trainings and evaluations."""

import logging
from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA

EXACT = ("cuts_mc", "cuts_mc_range", "cuts_mc_int", "cuts_mc_deco", "cuts_sa", "cuts_mcevents")


def names_of(record):
    return [name if isinstance(name, str) else name[0] for name in record.booked["variables"]]


def test_files_are_written_byte_for_byte(record):
    assert TMVA.load(record.weights).to_xml() == record.weights_text


def test_event_loop_vectors_and_arrays_give_tmvas_responses(record):
    reader = TMVA.Reader("Silent")
    memory = [reader.AddVariable(name) for name in names_of(record)]
    method = reader.BookMVA("Cuts", record.weights)
    x, expected = record.expected["inputs"], record.expected["mva"]
    assert 0 < expected.mean() < 1
    for efficiency, responses in zip(record.expected["effs"].tolist(), expected, strict=True):
        found = []
        for event in x:
            for place, value in zip(memory, event, strict=True):
                place[0] = value
            found.append(reader.EvaluateMVA("Cuts", efficiency))
            assert (reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()) == (-1.0, -1.0)
        np.testing.assert_array_equal(found, responses)
        np.testing.assert_array_equal([reader.EvaluateMVA(event, "Cuts", efficiency) for event in x], responses)
        np.testing.assert_array_equal(reader.EvaluateMVA(x, "Cuts", efficiency), responses)
        np.testing.assert_array_equal(method.model.at_efficiency(efficiency).predict(x), responses)


def test_get_cuts_fills_vectors_with_tmvas_cuts(record):
    reader = TMVA.Reader("Silent")
    reader.BookMVA("Cuts", record.weights)
    method = reader.FindCutsMVA("Cuts")
    numbers = (record.expected[name] for name in ("effs", "cuts_true", "cuts_min", "cuts_max"))
    for efficiency, true, lower, upper in zip(*numbers, strict=True):
        low, high = [99.0], np.full(len(lower), np.nan)
        assert method.GetCuts(efficiency, low, high) == true
        np.testing.assert_array_equal(low, lower)
        np.testing.assert_array_equal(high, upper)


def assert_same_cuts(fitted, expected):
    for key in ("background", "lower", "upper", "fit_method", "optimisation"):
        np.testing.assert_array_equal(getattr(fitted, key), getattr(expected, key))


@pytest.mark.parametrize("name", EXACT)
def test_trainings_are_exact(name, method_case, trained_case):
    record = method_case(name)
    method = trained_case(record)[0].GetMethod("dataset", "Cuts")
    assert_same_cuts(method.trained.fitted, TMVA.load(record.weights).fitted)
    # TMVA: the options of MCEvents are written after their memory was freed: any number may stand there
    options = [
        replace(one, value={"SampleSize": "2000", "Seed": "100"}.get(one.name, one.value))
        for one in TMVA.load(record.weights).file.options
    ]
    assert list(method.booked.records()) == options


@pytest.mark.parametrize("name", ["cuts_mc", "cuts_mc_range", "cuts_mc_int", "cuts_sa"])
def test_trainings_by_compiled_code_are_exact(name, method_case, train_as, compiled, tmp_path, monkeypatch):
    record = method_case(name)
    monkeypatch.chdir(tmp_path)
    fitted = train_as(record).GetMethod("dataset", "Cuts").trained.fitted
    assert_same_cuts(fitted, TMVA.load(record.weights).fitted)


def test_the_genetic_training_finds_nearly_tmvas_cuts(method_case, trained_case):
    # TMVA: the last cycle begins with a population that differs in every run
    record = method_case("cuts_ga")
    fitted, expected = (
        trained_case(record)[0].GetMethod("dataset", "Cuts").trained.fitted,
        TMVA.load(record.weights).fitted,
    )
    same = (fitted.lower == expected.lower).all(axis=1) & (fitted.upper == expected.upper).all(axis=1)
    assert np.count_nonzero(same) >= 80
    reached = fitted.is_reached & expected.is_reached
    assert np.abs(fitted.background - expected.background)[reached].max() <= 0.02


@pytest.mark.parametrize("name", EXACT)
def test_evaluations_are_exact(name, method_case, trained_case, caplog):
    record, booked = method_case(name), method_case(name).booked
    method = trained_case(record)[0].GetMethod("dataset", "Cuts")
    with caplog.at_level(logging.WARNING):
        result = method.evaluate()
    assert result.area == pytest.approx(booked["area"], rel=1e-14)
    np.testing.assert_allclose(result.efficiencies, booked["eff_test"], rtol=1e-14)
    np.testing.assert_allclose(result.training_efficiencies, booked["eff_train"], rtol=1e-14)
    assert result.roc_integral == pytest.approx(booked["roc_integral"], rel=1e-14)
    assert (method.GetSeparation(), method.GetSignificance(), method.GetSignalReferenceCut()) == (-1.0, -1.0, 0.5)
    assert method.GetEfficiency("") == result.area
    assert method.GetEfficiency("Efficiency:0.10") == result.efficiencies[1]
    assert method.GetTrainingEfficiency("Efficiency:0.30") == result.training_efficiencies[2]
    n_missing = {"cuts_mc_range": 6, "cuts_sa": 1, "cuts_mcevents": 76}.get(name, 0)
    assert ([f" unable to fill {n_missing} efficiency bins "] if n_missing else []) == caplog.messages
