"""Weight files, responses and trainings of the real TMVA: the same text, and the same bits."""

import logging

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.factory.training_run import train_method
from pytmva_bnn.methods import linked_response

OWN_INFO = ('"Creator"', '"Date"', '"Host"', '"Dir"', '"TrainingTime"')


def without_own_info(text):
    return [line for line in text.splitlines() if not any(word in line for word in OWN_INFO)]


def reader_of(record, options="!V:Silent:Error"):
    reader = TMVA.Reader(options)
    memory = [reader.AddVariable(name) for name in record.booked["variables"]]
    reader.BookMVA("tag", record.weights)
    return reader, memory


def test_a_file_is_written_as_it_was_read(record):
    assert TMVA.load(record.weights).to_xml() == record.weights_text


def test_arrays_give_the_bits_of_tmvas_reader(record):
    expected, model = record.expected, TMVA.load(record.weights)
    responses = model.predict(expected["inputs"])
    np.testing.assert_array_equal(responses, expected.get("regression", expected["mva"]))
    assert responses.dtype == (np.float32 if "regression" in expected else np.float64)


def test_the_event_loop_gives_the_bits_of_tmvas_reader(record, mode, monkeypatch):
    monkeypatch.setattr(linked_response, "EVENTS_BY_NUMBERS", 20)  # the way changes in the middle
    expected = record.expected
    reader, memory = reader_of(record)
    found = []
    for event in expected["inputs"]:
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        row = [reader.EvaluateMVA("tag"), reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()]
        if "proba_03" in expected:
            row += [reader.GetProba("tag", 0.3), reader.GetRarity("tag")]
        found.append(row)
    names = ["mva", "err_lower", "err_upper", "proba_03", "rarity"]
    for name, values in zip(names, np.transpose(found), strict=False):
        np.testing.assert_array_equal(values, expected[name], err_msg=f"{name}, {mode}")


def test_vectors_and_regression_values(record):
    expected = record.expected
    reader, memory = reader_of(record)
    for event, response in zip(expected["inputs"][:5], expected["mva"], strict=False):
        assert reader.EvaluateMVA(event.tolist(), "tag") == response
    if "regression" in expected:
        for cell, value in zip(memory, expected["inputs"][7], strict=True):
            cell[0] = value
        assert reader.EvaluateRegression("tag") == expected["regression"][7].tolist()


def test_training_writes_tmvas_file(record, trained_case):
    factory, folder = trained_case(record)
    found = (folder / factory.methods[0].weight_file).read_text()
    assert without_own_info(found) == without_own_info(record.weights_text)


def test_training_and_test_events_have_tmvas_responses(record, trained_case):
    if "train_response" not in record.expected:
        pytest.skip("TMVA's trees of a regression are not recorded")
    method = trained_case(record)[0].methods[0]
    responses = method.respond()
    np.testing.assert_array_equal(responses.training[:, 0], record.expected["train_response"])
    np.testing.assert_array_equal(responses.test[:, 0], record.expected["test_response"])


def test_the_roc_integral_is_tmvas(record, trained_case):
    if "roc_integral" not in record.booked:
        pytest.skip("a regression has none")
    factory = trained_case(record)[0]
    found = factory.GetROCIntegral("dataset", record.booked["title"])
    assert found == pytest.approx(record.booked["roc_integral"], abs=1e-12)


# from the logs of TMVA's trainings
TABLES = {
    "fisher": """\
Results for Fisher coefficients:
-----------------------
Variable:  Coefficient:
-----------------------
    var1:       +0.137
    var2:       +0.109
    var3:       +0.038
    var4:       +0.097
(offset):       -0.038
-----------------------
""",
    "fisher_mahal": """\
Results for Fisher coefficients:
NOTE: The coefficients must be applied to TRANFORMED variables
  List of the transformation:\x20
  -- Norm
------------------------
 Variable:  Coefficient:
------------------------
var1+var2:       +0.571
var1-var2:       +0.082
     var3:       +0.260
     var4:       +0.598
       pt:       +0.475
 (offset):       +0.428
------------------------
""",
    "ld_neg": """\
Results for LD coefficients:
NOTE: The coefficients must be applied to TRANFORMED variables
      List of the transformation:\x20
  -- Deco
-----------------------
Variable:  Coefficient:
-----------------------
    var1:       +0.131
    var2:       +0.108
    var3:       +0.141
    var4:       +0.124
(offset):       -0.015
-----------------------
""",
}
RANKINGS = {
    "fisher": [("var1", "6.251e-02"), ("var4", "5.709e-02"), ("var3", "5.126e-02"), ("var2", "5.061e-02")],
    "fisher_mahal": [
        *(("var1+var2", "9.443e-02"), ("var4", "5.365e-02"), ("var3", "4.426e-02")),
        *(("pt", "2.509e-02"), ("var1-var2", "5.203e-04")),
    ],
    "ld_neg": [("var3", "1.409e-01"), ("var1", "1.309e-01"), ("var4", "1.239e-01"), ("var2", "1.077e-01")],
}


@pytest.mark.parametrize("name", TABLES)
def test_the_log_has_tmvas_table(name, method_case, trained_case, caplog):
    record = method_case(name)
    method = trained_case(record)[0].methods[0]
    caplog.set_level(logging.INFO, logger=f"pytmva_bnn.{method.kind}")
    train_method(method.dataset, method.title, method.booked, method.analysis_type)
    lines = [one.getMessage() for one in caplog.records if one.name == f"pytmva_bnn.{method.kind}"]
    first = next(number for number, line in enumerate(lines) if line.startswith("Results"))  # option H: options before
    assert "\n".join(lines[first:-1]) + "\n" == TABLES[name]
    assert lines[-1].startswith("Elapsed time for training with")


@pytest.mark.parametrize("name", RANKINGS)
def test_the_ranking_is_tmvas(name, method_case, trained_case):
    ranking = trained_case(method_case(name))[0].methods[0].ranking
    assert ranking.discriminator == "Discr. power"
    assert [(name, f"{value:.3e}") for name, value in ranking.entries] == RANKINGS[name]


def test_hmatrix_has_no_ranking(method_case, trained_case):
    assert trained_case(method_case("hmatrix"))[0].methods[0].ranking is None
