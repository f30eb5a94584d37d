"""Category as the real TMVA trained, wrote and evaluated it."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods import kinds, linked_response

OWN_INFO = ('"Creator"', '"Date"', '"Host"', '"Dir"', '"TrainingTime"')
NUMBER = re.compile(r"-?\d\.\d+e[-+]\d+")
EXACT = {"category_fisher": True, "category_mlp": False}  # the MLP is equal to about 1e-12


@pytest.fixture(params=EXACT)
def record(request, method_case):
    case = method_case(request.param)
    missing = {kind for _, _, kind, *_ in case.booked["category"]} - set(kinds())
    if missing:
        pytest.skip(f"needs the method {', '.join(missing)}")
    return case


def lines_of(text):
    return [line for line in text.splitlines() if not any(word in line for word in OWN_INFO)]


def numbers_of(text):
    return [float(word) for line in lines_of(text) for word in NUMBER.findall(line)]


def reader_of(record):
    reader = TMVA.Reader("!V:Silent")
    memory = [reader.AddVariable(name) for name in record.booked["variables"]]
    memory += [reader.AddSpectator(name) for name in record.booked["spectators"]]
    reader.BookMVA("tag", record.weights)
    return reader, memory


def test_a_file_is_written_as_it_was_read(record):
    assert TMVA.load(record.weights).to_xml() == record.weights_text


def test_arrays_of_variables_and_spectators(record, mode):
    model, inputs, expected = TMVA.load(record.weights), record.expected["inputs"], record.expected["mva"]
    n = len(model.variables)
    names = [*record.booked["variables"], *record.booked["spectators"]]
    for found in (
        model.predict(inputs),
        model.predict(inputs[:, :n], spectators=inputs[:, n:]),
        model.predict(dict(zip(names[::-1], inputs.T[::-1], strict=True))),
        reader_of(record)[0].EvaluateMVA(inputs, "tag"),
    ):
        np.testing.assert_allclose(found, expected, rtol=0, atol=0 if EXACT[record.name] else 2e-16)


def test_the_event_loop(record, mode, monkeypatch):
    monkeypatch.setattr(linked_response, "EVENTS_BY_NUMBERS", 20)  # the way changes in the middle
    reader, memory = reader_of(record)
    for event, expected in zip(record.expected["inputs"], record.expected["mva"], strict=True):
        for place, value in zip(memory, event, strict=True):
            place[0] = value
        assert reader.EvaluateMVA("tag") == pytest.approx(expected, rel=0, abs=2e-16)
        assert reader.EvaluateMVA(list(event), "tag") == pytest.approx(expected, rel=0, abs=2e-16)


def test_training(record, trained_case):
    factory, folder = trained_case(record)
    title = record.booked["title"]
    text = (folder / "dataset" / "weights" / f"job_{title}.weights.xml").read_text()
    if EXACT[record.name]:
        assert lines_of(text) == lines_of(record.weights_text)
    else:
        texts = ["\n".join(lines_of(one)) for one in (text, record.weights_text)]
        assert NUMBER.sub("", texts[0]) == NUMBER.sub("", texts[1])
        np.testing.assert_allclose(numbers_of(text), numbers_of(record.weights_text), rtol=1e-10, atol=1e-12)
    assert factory.GetROCIntegral("dataset", title) == pytest.approx(record.booked["roc_integral"], rel=1e-14)
