"""Weight files, responses and trainings of the real TMVA: the same text, and the same bits."""

import numpy as np

import pytmva_bnn as TMVA

OWN_INFO = ('"Creator"', '"Date"', '"Host"', '"Dir"', '"TrainingTime"')


def without_own_info(text):
    return [line for line in text.splitlines() if not any(word in line for word in OWN_INFO)]


def test_a_file_is_written_as_it_was_read(record):
    assert TMVA.load(record.weights).to_xml() == record.weights_text


def test_arrays_give_the_bits_of_tmvas_reader(record):
    (name,) = {"mva", "regression", "multiclass"} & record.expected.keys()
    found = TMVA.load(record.weights).predict(record.expected["inputs"])
    np.testing.assert_array_equal(found, record.expected[name])
    assert found.dtype == record.expected[name].dtype


def test_the_event_loop_gives_the_bits_of_tmvas_reader(record):
    reader = TMVA.Reader("!V:Silent:Error")
    memory = [reader.AddVariable(name) for name in record.booked["variables"]]
    reader.BookMVA("tag", record.weights)
    (name,) = {"mva", "regression", "multiclass"} & record.expected.keys()
    evaluate = {
        "mva": reader.EvaluateMVA,
        "regression": reader.EvaluateRegression,
        "multiclass": reader.EvaluateMulticlass,
    }[name]
    found = []
    for event in record.expected["inputs"]:
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        found.append(evaluate("tag"))
    np.testing.assert_array_equal(found, record.expected[name])


def test_training_writes_tmvas_file(training_record, trained_case):
    factory, folder = trained_case(training_record)
    found = (folder / factory.methods[0].weight_file).read_text()
    assert without_own_info(found) == without_own_info(training_record.weights_text)
