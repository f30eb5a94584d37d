"""One event after the other through the Reader: the numbers of arrays, to the last bit."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.bdt import linked_event
from pytmva_bnn.transform import Quantity, TransformationChain


def reader_for(model, memory_type="float32"):
    reader = TMVA.Reader("!Color:!Silent")
    memory = []
    for variable in model.variables:
        memory.append(np.zeros(1, dtype=memory_type))
        reader.AddVariable(variable.expression, memory[-1])
    reader._methods["bdt"] = reader._book(model)
    return reader, memory


def loop(reader, memory, events, tag="bdt"):
    values = []
    for event in events:
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        values.append(reader.EvaluateMVA(tag))
    return np.array(values)


def test_an_event_alone_gives_its_number_among_others(mode, subject):
    model, events = subject.model, subject.events
    reader, memory = reader_for(model, "float64")
    with np.errstate(over="ignore"):
        x = events.astype(np.float32)
    expected = model.fitted.mva_values(model.transformations.forward(x))
    expected = np.where(np.isfinite(x).all(axis=1), expected, -999.0)
    found = loop(reader, memory, events)
    np.testing.assert_array_equal(found, expected)
    loop(reader, memory, events[:1])
    assert (reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()) == (-1.0, -1.0)


@pytest.mark.parametrize("memory_type", ["float32", "float64", ">f4", "float16"])
def test_memory_of_any_type(mode, method_case, memory_type):
    case = method_case("bdt_ada")
    model = TMVA.load(case.weights)
    reader, memory = reader_for(model, memory_type)
    events = case.expected["inputs"][:20].astype(np.float16)
    np.testing.assert_array_equal(loop(reader, memory, events), model.predict(events.astype(np.float32)))


def test_events_given_as_vectors(mode, method_case):
    case = method_case("bdt_ada")
    reader, _ = reader_for(TMVA.load(case.weights))
    for event, value in zip(case.expected["inputs"][:20], case.expected["mva"], strict=False):
        assert reader.EvaluateMVA(event.tolist(), "bdt") == value


def test_nan_and_infinite_variables_are_treated_as_always(mode, method_case, caplog):
    case = method_case("bdt_ada")
    reader, memory = reader_for(TMVA.load(case.weights))
    good = case.expected["inputs"][0].tolist()
    assert loop(reader, memory, [good, good])[1] == case.expected["mva"][0]
    assert loop(reader, memory, [[np.nan, *good[1:]]])[0] == -999.0
    assert "0-th variable of the event is NaN" in caplog.text
    assert loop(reader, memory, [[good[0], np.inf, *good[2:]]])[0] == -999.0
    assert "1-th variable of the event is infinite" in caplog.text
    assert loop(reader, memory, [good])[0] == case.expected["mva"][0]


def test_variables_that_a_transformation_makes_nan(mode, method_case):
    """They take the long way: TMVA looks at the transformed variables, the trees would let a NaN pass."""
    model = TMVA.load(method_case("bdt_d").weights)
    step = model.transformations.steps[0]
    quantities = [Quantity("Variable", one.label, one.expression) for one in model.variables]
    chain = TransformationChain([step] * 60, quantities)  # infinite somewhere, and from then on NaN
    memory = np.zeros(len(quantities), dtype=np.float32)
    linked = model.fitted.linked_event(chain, [memory[i : i + 1] for i in range(len(memory))])
    assert linked.evaluate() == model.fitted.respond(chain.forward(memory[np.newaxis]))[0, 0]
    memory[:] = 2e37 * np.resize([1, -1], len(memory))
    with np.errstate(all="ignore"):
        assert np.isnan(chain.forward(memory[np.newaxis])).any()
        assert np.isnan(linked.evaluate())


def test_compiled_code_takes_over_in_a_long_loop(monkeypatch, method_case):
    pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "auto")
    assert linked_event.EVENTS_BY_NUMPY > 100  # loading numba pays in a long loop only
    monkeypatch.setattr(linked_event, "EVENTS_BY_NUMPY", 10)
    case = method_case("bdt_ada")
    reader, memory = reader_for(TMVA.load(case.weights))
    np.testing.assert_array_equal(loop(reader, memory, case.expected["inputs"]), case.expected["mva"])
    assert type(reader._linked["bdt"].evaluate.__self__).__name__ == "SingleEvent"


def test_transformations_that_compiled_code_does_not_know(mode, method_case, case_named):
    """The event goes through numpy then, whatever was asked for."""
    model = TMVA.load(method_case("bdt_ada").weights)
    gauss = TMVA.load(case_named("trans_g").weights)
    chain, memory = gauss.transformations, np.zeros(4, dtype=np.float32)
    linked = model.fitted.linked_event(chain, [memory[i : i + 1] for i in range(4)])
    for event in case_named("trans_g").expected["inputs"][:10].astype(np.float32):
        memory[:] = event
        assert linked.evaluate() == model.fitted.respond(chain.forward(event[np.newaxis]))[0, 0]


def test_no_short_way_without_memory(method_case):
    model = TMVA.load(method_case("bdt_ada").weights)
    assert model.fitted.linked_event(model.transformations, [None] * 4) is None
