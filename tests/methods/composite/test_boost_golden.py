"""Boosted methods of the real TMVA: the same text, the same responses, the same trainings, to the last bit."""

import gzip

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods import linked_response

CASES = ("boost_fisher", "boost_bagging")
OWN_INFO = ('"Creator"', '"Date"', '"Host"', '"Dir"', '"TrainingTime"')


@pytest.fixture(scope="module", params=CASES)
def record(request, method_case):
    return method_case(request.param)


def without_own_info(text):
    return [line for line in text.splitlines() if not any(word in line for word in OWN_INFO)]


def test_a_file_is_written_as_it_was_read(record):
    assert TMVA.load(record.weights).to_xml() == record.weights_text


def test_arrays_give_tmvas_responses(record):
    found = TMVA.load(record.weights).predict(record.expected["inputs"])
    # the logarithm is numpy's, which may differ in the last digit from the C library's
    np.testing.assert_allclose(found, record.expected["mva"], rtol=0, atol=1e-15)


def test_the_event_loop_gives_tmvas_responses(record, mode, monkeypatch):
    monkeypatch.setattr(linked_response, "EVENTS_BY_NUMBERS", 20)  # the way changes in the middle
    reader = TMVA.Reader("!V:Silent:Error")
    memory = [reader.AddVariable(name) for name in record.booked["variables"]]
    reader.BookMVA("tag", record.weights)
    for event, response in zip(record.expected["inputs"], record.expected["mva"], strict=True):
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        assert reader.EvaluateMVA("tag") == response
        assert reader.GetMVAErrorLower() == reader.GetMVAErrorUpper() == -1.0
    assert mode


def test_training_writes_tmvas_file(record, trained_case):
    factory, folder = trained_case(record)
    method = factory.methods[0]
    assert method.kind == method.GetMethodTypeName() == "Boost"
    found = (folder / method.weight_file).read_text()
    assert without_own_info(found) == without_own_info(record.weights_text)


def test_the_roc_integral_is_tmvas(record, trained_case):
    found = trained_case(record)[0].GetROCIntegral("dataset", record.booked["title"])
    assert found == pytest.approx(record.booked["roc_integral"], abs=1e-12)


def test_a_compressed_file_is_the_same(record, tmp_path):
    path = tmp_path / "weights.xml.gz"
    path.write_bytes(gzip.compress(record.weights_text.encode()))
    assert TMVA.load(path).to_xml() == record.weights_text
