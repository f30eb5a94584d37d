"""KNN and PDERS against the records of the real TMVA, to the last bit: reading, writing, Reader, training."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA

CLASSIFICATION = ["knn", "knn_gaus", "knn_int", "knn_poln", "pders", "pders_knn", "pders_rms", "pders_swapped"]
CASES = [*CLASSIFICATION, "knn_reg", "pders_reg"]


@pytest.fixture(params=CASES)
def record(request, method_case):
    return method_case(request.param)


def test_a_weight_file_is_written_back_byte_for_byte(record):
    assert TMVA.load(record.weights).to_xml() == record.weights_text


def test_responses(mode, record):
    model, expected = TMVA.load(record.weights), record.expected
    inputs = expected["inputs"]
    name = "regression" if "regression" in expected else "mva"
    np.testing.assert_array_equal(model.predict(inputs), expected[name])
    np.testing.assert_array_equal(model.fitted.mva_values(model.transformations.forward(inputs, None)), expected["mva"])


def test_reader_event_by_event(mode, record, loop_responses):
    events = record.expected["inputs"][::3]
    np.testing.assert_array_equal(loop_responses(record.weights, events), record.expected["mva"][::3])


def test_reader_has_no_errors(record):
    reader = TMVA.Reader("Error:Silent")
    memory = [reader.AddVariable(variable.expression) for variable in TMVA.load(record.weights).variables]
    reader.BookMVA("method", record.weights)
    for one, value in zip(memory, record.expected["inputs"][0], strict=True):
        one[0] = value
    reader.EvaluateMVA("method")
    assert (reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()) == (-1.0, -1.0)
    if "regression" in record.expected:
        assert reader.EvaluateRegression("method") == record.expected["regression"][0].tolist()


def test_training_gives_the_same_weight_file(record, trained_case):
    (written,) = (trained_case(record)[1] / "dataset" / "weights").glob("*.xml")
    parts = [
        re.sub(r"<GeneralInfo>.*</GeneralInfo>", "", text, flags=re.DOTALL)
        for text in (written.read_text(), record.weights_text)
    ]
    assert parts[0] == parts[1]


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_responses_of_training_and_test_events(name, method_case, train_case):
    record = method_case(name)
    responses = train_case(record).GetMethod("dataset", record.booked["title"]).respond()
    np.testing.assert_array_equal(responses.training[:, 0], record.expected["train_response"])
    np.testing.assert_array_equal(responses.test[:, 0], record.expected["test_response"])
