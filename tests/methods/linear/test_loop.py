"""Event loops over linked memory: the bits of arrays, whatever the transformations, by numbers and by compiled code."""

import copy

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods import linked_response
from pytmva_bnn.methods.linear.fisher import FittedFisher
from pytmva_bnn.methods.linear.hmatrix import FittedHMatrix
from pytmva_bnn.methods.linear.ld import FittedLD
from pytmva_bnn.transform import Quantity, TransformationChain, fit_step

N = 3
VARIABLES = [Quantity("Variable", name, name) for name in "abc"]


def random_events(n=60):
    random = np.random.default_rng(5)
    return (random.normal(size=(n, N)) @ random.normal(size=(N, N)) * 3.0 + 1.0).astype(np.float32)


def chain_of(letters, sets=()):
    x = random_events(200)
    classes = np.arange(len(x)) % 2
    x[classes == 1] *= 2.0
    return TransformationChain([fit_step(letter, x, classes, 2) for letter in letters], VARIABLES, sets=sets)


def fitted_of(kind):
    random = np.random.default_rng(6)
    if kind == "HMatrix":
        roots = random.normal(size=(2, N, N))
        return FittedHMatrix(random.normal(size=(2, N)), roots @ roots.transpose(0, 2, 1))
    return {"Fisher": FittedFisher, "LD": FittedLD}[kind](random.normal(size=(1, N + 1)))


def memory_of(dtype):
    return [np.zeros(1, dtype) for _ in range(N)]


def put(memory, event):
    for cell, value in zip(memory, event, strict=True):
        cell[0] = value


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("letters", ["", "N", "S", "D", "P", "PN", "NDS"])
@pytest.mark.parametrize("kind", ["Fisher", "LD", "HMatrix"])
def test_a_linked_event_has_the_response_of_an_array(kind, letters, dtype, mode, monkeypatch):
    monkeypatch.setattr(linked_response, "EVENTS_BY_NUMBERS", 30)
    chain, fitted = chain_of(letters, (0, 1) if kind == "HMatrix" else ()), fitted_of(kind)
    memory, events = memory_of(dtype), random_events()
    linked = fitted.linked_event(chain, memory)
    expected = fitted.respond(chain.forward(events))[:, 0]
    for event, response in zip(events, expected.tolist(), strict=True):
        put(memory, event.astype(dtype) * (1.0 if dtype == "f4" else 1.0 + 1e-12))  # rounded to the same float32
        assert linked.evaluate() == response, mode
    assert linked.error_bars("") == (-1.0, -1.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("letters", ["", "D", "S"])
@pytest.mark.parametrize("kind", ["Fisher", "LD", "HMatrix"])
def test_what_is_not_finite_is_left_to_the_long_way(kind, letters, bad, mode):
    chain, memory = chain_of(letters), memory_of("f4")
    linked = fitted_of(kind).linked_event(chain, memory)
    put(memory, [1.0, bad, 2.0])
    assert np.isnan(linked.evaluate()), mode


def test_numbers_too_large_for_float32(mode):
    linked = FittedFisher(np.array([[0.0, 1.0, 1.0, 1.0]])).linked_event(chain_of(""), memory := memory_of("f8"))
    put(memory, [1e300, 1.0, 2.0])
    assert np.isnan(linked.evaluate()), mode


def test_there_is_no_short_way_for_tables_and_other_memory():
    fitted = fitted_of("Fisher")
    assert fitted.linked_event(chain_of("G"), memory_of("f4")) is None
    assert fitted.linked_event(chain_of(""), memory_of(">f4")) is None
    assert fitted.linked_event(chain_of(""), [None, *memory_of("f4")[1:]]) is None
    assert fitted_of("HMatrix").linked_event(chain_of("DG", (0, 1)), memory_of("f4")) is None


@pytest.mark.parametrize("kind", ["Fisher", "HMatrix"])
def test_a_copy_reads_its_own_memory(kind, mode):
    fitted, memory = fitted_of(kind), memory_of("f4")
    linked = fitted.linked_event(chain_of("D"), memory)
    put(memory, [1.0, 2.0, 3.0])
    before = linked.evaluate()
    again, own = copy.deepcopy((linked, memory))
    put(memory, [4.0, 5.0, 6.0])
    assert again.evaluate() == before != linked.evaluate(), mode
    put(own, [4.0, 5.0, 6.0])
    assert again.evaluate() == linked.evaluate()


def test_negative_chi_squares_are_reported(mode, caplog):
    """TMVA stops there."""
    fitted = FittedHMatrix(np.zeros((2, 2)), np.array([np.diag([1.0, -1.0]), np.eye(2)]))
    found = fitted.respond(np.float32([[2.0, 1.0], [1.0, 2.0], [0.0, 0.0]]))[:, 0]
    assert found[0] == (5.0 - 3.0) / (5.0 + 3.0)
    assert np.isnan(found[1:]).all()
    assert "negative chi2 of 1 of 3 events: their response is NaN" in caplog.text
    chain = TransformationChain([], VARIABLES[:2], sets=(0, 1))
    memory = memory_of("f4")[:2]
    linked = fitted.linked_event(chain, memory)
    put(memory, [1.0, 2.0])
    assert np.isnan(linked.evaluate()), mode


def test_events_with_nan_give_tmvas_answer(method_case):
    for name in ("fisher", "ld", "hmatrix"):
        reader = TMVA.Reader("!V:Silent")
        memory = [reader.AddVariable(f"var{i}") for i in range(1, 5)]
        reader.BookMVA("tag", method_case(name).weights)
        put(memory, [1.0, 2.0, np.nan, 0.0])
        assert reader.EvaluateMVA("tag") == -999.0
        assert reader.EvaluateMVA([1.0, 2.0, np.nan, 0.0], "tag") == -999.0
        assert np.isnan(TMVA.load(method_case(name).weights).predict(np.float32([[1.0, 2.0, np.nan, 0.0]]))[0])
