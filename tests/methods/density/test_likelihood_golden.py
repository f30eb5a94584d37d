"""Likelihood: weight files, responses and trainings of the real TMVA, with the same text and the same bits."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods import linked_response

NAMES = (
    "likelihood",
    "likelihood_d",
    "likelihood_int",
    "likelihood_kde",
    "likelihood_kdeb",
    "likelihood_mix",
    "likelihood_p",
)
OWN_INFO = ('"Creator"', '"Date"', '"Host"', '"Dir"', '"TrainingTime"')


@pytest.fixture(scope="module", params=NAMES)
def record(request, method_case):
    """Each of TMVA's records in turn."""
    return method_case(request.param)


def without_own_info(text):
    return [line for line in text.splitlines() if not any(word in line for word in OWN_INFO)]


def test_a_file_is_written_as_it_was_read(record):
    assert TMVA.load(record.weights).to_xml() == record.weights_text


def test_arrays_give_the_bits_of_tmvas_reader(record, mode):
    model = TMVA.load(record.weights)
    found = model.predict(record.expected["inputs"])
    np.testing.assert_array_equal(found, record.expected["mva"], err_msg=mode)
    np.testing.assert_array_equal(model.predict(record.expected["inputs"][:1]), record.expected["mva"][:1])


def test_the_event_loop_gives_the_bits_of_tmvas_reader(record, mode, monkeypatch):
    monkeypatch.setattr(linked_response, "EVENTS_BY_NUMBERS", 20)  # the way changes in the middle
    expected = record.expected
    reader = TMVA.Reader("!V:Silent:Error")
    model = reader.BookMVA("tag", record.weights).model
    reader = TMVA.Reader("!V:Silent:Error")
    # one of the variables as a double, which is rounded
    memory = [np.zeros(1, np.float64 if i == 1 else np.float32) for i in range(len(model.variables))]
    for variable, cell in zip(model.variables, memory, strict=True):
        reader.AddVariable(variable.expression, cell)
    reader.BookMVA("tag", record.weights)
    found = []
    for event in expected["inputs"]:
        for cell, value in zip(memory, event, strict=True):
            cell[0] = float(value) * (1.0 + 1e-10) if cell.dtype == np.float64 else value
        row = [reader.EvaluateMVA("tag"), reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()]
        if "proba_03" in expected:
            row += [reader.GetProba("tag", 0.3), reader.GetRarity("tag")]
        found.append(row)
    for name, values in zip(["mva", "err_lower", "err_upper", "proba_03", "rarity"], np.transpose(found), strict=False):
        np.testing.assert_array_equal(values, expected[name], err_msg=f"{name}, {mode}")
    assert reader.EvaluateMVA(expected["inputs"][3].tolist(), "tag") == expected["mva"][3]


def test_training_writes_tmvas_file(record, trained_case):
    factory, folder = trained_case(record)
    found = (folder / factory.methods[0].weight_file).read_text()
    assert without_own_info(found) == without_own_info(record.weights_text)


def test_training_and_test_events_have_tmvas_responses(record, trained_case):
    responses = trained_case(record)[0].methods[0].respond()
    np.testing.assert_array_equal(responses.training[:, 0], record.expected["train_response"])
    np.testing.assert_array_equal(responses.test[:, 0], record.expected["test_response"])


def test_the_roc_integral_is_tmvas(record, trained_case):
    factory = trained_case(record)[0]
    found = factory.GetROCIntegral("dataset", record.booked["title"])
    assert found == pytest.approx(record.booked["roc_integral"], abs=1e-12)


def test_the_ranking_is_that_of_tmvas_log(method_case, trained_case):
    method = trained_case(method_case("likelihood"))[0].methods[0]
    assert method.ranking.discriminator == "Delta Separation"
    shown = [(name, f"{value:.3e}") for name, value in method.ranking.entries]
    assert shown == [("var2", "8.653e-02"), ("var4", "7.686e-02"), ("var3", "5.592e-02"), ("var1", "5.510e-02")]
