"""Threads share a Model, and each has a Reader of its own: the numbers are those of one thread, to the last bit."""

import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import pytmva_bnn as TMVA

N_THREADS = 32
NETWORKS = ["bfgs_errors", "trans_g", "multi_n"]
METHODS = ["bdt_prune_cc", "likelihood_kde", "knn_int", "foam_lin", "svm_poly", "category_fisher", "pders", "rulefit"]


@pytest.fixture(autouse=True)
def _quick_switches():
    """Let threads take turns so often that they meet inside everything that is kept for later."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(function):
    """Return the results of a function of the thread's number; all begin at the same time."""
    barrier = Barrier(N_THREADS)

    def begin(number):
        barrier.wait()
        return function(number)

    with ThreadPoolExecutor(N_THREADS) as pool:
        return list(pool.map(begin, range(N_THREADS)))


def events_of(model, n_events=20):
    low, high = (np.array([getattr(one, name) for one in model.variables]) for name in ("minimum", "maximum"))
    part = np.random.default_rng(1).random((n_events, len(low)))
    return (low + part * (high - low)).astype(np.float32)


def predicted(model, x):
    how = {"spectators": np.zeros((len(x), len(model.spectators)))}
    found = model.predict(x, errors=True, **how) if model.has_errors else (model.predict(x, **how),)
    return b"".join(np.asarray(part).tobytes() for part in found)


@pytest.mark.parametrize("name", [*NETWORKS, *METHODS])
def test_a_model_is_shared(name, case_named, method_case, monkeypatch):
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")
    weights = (method_case if name in METHODS else case_named)(name).weights
    x = events_of(TMVA.load(weights))
    expected = predicted(TMVA.load(weights), x)
    fresh = TMVA.load(weights)  # what it keeps for later is made by whichever thread comes first
    assert in_threads(lambda _: predicted(fresh, x)) == [expected] * N_THREADS


@pytest.mark.parametrize(
    ("name", "precision"),
    [("bfgs_errors", "float64"), ("trans_g", "float64"), ("bfgs_n", "float64"), ("bfgs_n", "float32")],
)
def test_a_model_is_shared_by_compiled_code(name, precision, case_named, compiled):
    weights = case_named(name).weights
    x = events_of(TMVA.load(weights), 1000)
    expected = predicted(TMVA.load(weights, precision=precision), x)
    fresh = TMVA.load(weights, precision=precision)
    assert in_threads(lambda _: predicted(fresh, x)) == [expected] * N_THREADS


@pytest.mark.parametrize("name", ["bfgs_errors", "bdt_prune_cc"])
def test_every_thread_has_a_reader(name, case_named, method_case, monkeypatch):
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")
    weights = (method_case if name in METHODS else case_named)(name).weights
    variables = [one.expression for one in TMVA.load(weights).variables]
    x = events_of(TMVA.load(weights))

    def loop(number):
        memory = [array("f", [0.0]) for _ in variables]
        reader = TMVA.Reader("!Color:Silent")
        for variable, value in zip(variables, memory, strict=True):
            reader.AddVariable(variable, value)
        reader.BookMVA("m", str(weights))
        found = []
        for event in np.roll(x, number, axis=0):  # each thread at another event
            for value, entry in zip(memory, event, strict=True):
                value[0] = entry
            found.append(reader.EvaluateMVA("m"))
        return np.roll(found, -number).tolist()

    assert in_threads(loop) == [loop(0)] * N_THREADS
