"""Compiled code where it pays: any number of events and threads, with little memory."""

import math
import subprocess
import sys
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.bdt import c_library
from pytmva_bnn.methods.bdt import fitted as fitted_module
from pytmva_bnn.methods.bdt.kernels.plan import KINDS
from pytmva_bnn.methods.bdt.kernels.responses import CompiledForest
from pytmva_bnn.transform import Quantity, TransformationChain


@pytest.fixture
def ada(method_case):
    return TMVA.load(method_case("bdt_ada").weights)


def events(n, n_variables=4, seed=1):
    return np.random.default_rng(seed).normal(size=(n, n_variables)).astype(np.float32)


@pytest.mark.parametrize("n", [0, 1, 15, 16, 17, 495, 496, 497, 1000])
def test_any_number_of_events(both_ways, ada, n):
    x = events(n)
    by_numpy, compiled = both_ways(lambda: ada.predict(x))
    assert by_numpy.shape == (n,)
    np.testing.assert_array_equal(compiled, by_numpy)


@pytest.mark.parametrize("name", ["bdt_ada", "bdt_multi", "bdt_reg", "bdt_fisher2"])
def test_the_number_of_threads_changes_nothing(compiled, monkeypatch, method_case, name):
    model = TMVA.load(method_case(name).weights)
    x = events(9_001, len(model.variables))
    results = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("PYTMVA_BNN_THREADS", threads)
        results.append(model.predict(x))
    np.testing.assert_array_equal(results[1], results[0])
    np.testing.assert_array_equal(results[2], results[0])


@pytest.mark.parametrize("name", ["bdt_norm", "bdt_d"])
def test_transformed_events(both_ways, method_case, name):
    case = method_case(name)
    model = TMVA.load(case.weights)
    assert model.transformations.steps
    by_numpy, compiled = both_ways(lambda: model.predict(case.expected["inputs"]))
    np.testing.assert_array_equal(compiled, by_numpy)
    np.testing.assert_array_equal(compiled, case.expected["mva"])


def test_columns_in_any_memory_order(compiled, ada):
    x = events(700)
    expected = ada.predict(x)
    for other in (np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2], x.astype(np.float64), x[:, ::-1].copy()[:, ::-1]):
        np.testing.assert_array_equal(ada.predict(other), expected)
        np.testing.assert_array_equal(ada.fitted.respond(other.astype(np.float32))[:, 0], expected)


def test_exponentials_are_those_of_the_c_library(compiled):
    from pytmva_bnn.methods.bdt.kernels import response_kernels

    rng = np.random.default_rng(1)
    sums = np.concatenate([rng.normal(size=20_000) * 3, rng.uniform(-800, 800, 20_000), [0.0, -0.0, 354.9, -354.9]])
    for s in sums.tolist():
        memory = np.array([s])
        response_kernels.finish(KINDS.index("logistic"), 0.0, memory)
        power = math.exp(-2.0 * s) if -2.0 * s < 709.78 else math.inf
        assert memory[0] == 2.0 / (1.0 + power) - 1.0
    np.testing.assert_array_equal(c_library.exp(sums), [math.exp(s) if s < 709.78 else math.inf for s in sums])


def test_overflowing_classes_have_no_probability(both_ways, method_case):
    model = TMVA.load(method_case("bdt_multi_plain").weights)
    large = replace(model.fitted.forest, response=model.fitted.forest.response * np.float32(5000))
    fitted = replace(model.fitted, forest=large)
    by_numpy, compiled = both_ways(lambda: fitted.respond(events(50)))
    assert np.isnan(by_numpy).any()
    np.testing.assert_array_equal(compiled, by_numpy)


def test_answers_that_float32_cannot_hold_are_left_to_numpy(compiled, ada):
    forest = ada.fitted.forest
    odd = replace(forest, node_type=np.where(forest.node_type == 1, 2**24 + 1, forest.node_type).astype(np.int32))
    fitted = replace(ada.fitted, forest=odd)
    assert fitted.compiled_forest is None
    assert not fitted.is_compiled(10**9, errors=False, compiled=True)
    usual = ada.fitted.respond(events(300))
    assert (fitted.respond(events(300)) > usual).any()


@pytest.mark.parametrize(("shape", "is_gone_down"), [("three levels", 0), ("five levels", 0), ("eight levels", 1)])
def test_trees_of_few_cuts_are_compared_side_by_side_and_others_gone_down(random_subject, shape, is_gone_down):
    plan = random_subject(1, "Grad", shape).model.fitted.compiled_forest.plan
    assert (np.diff(plan.starts) == 0).any() == is_gone_down


# -- which way


def test_few_events_do_not_load_numba(method_case):
    script = f"""
import sys, numpy as np, pytmva_bnn as TMVA
model = TMVA.load({str(method_case("bdt_ada").weights)!r})
x = np.zeros((1000, 4), dtype=np.float32)
assert not model.is_compiled(len(x))
model.predict(x)
reader = TMVA.Reader("!Color:Silent")
for name in ("var1", "var2", "var3", "var4"): reader.AddVariable(name)
reader.BookMVA("BDT", {str(method_case("bdt_ada").weights)!r})
for _ in range(20): reader.EvaluateMVA("BDT")
print("numba" in sys.modules, model.is_compiled(50_000_000))
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)  # noqa: S603
    assert result.stdout.split()[:1] == ["False"], result.stderr


def test_without_numba(method_case):
    script = f"""
import sys, numpy as np
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numba", "llvmlite"):
            raise ImportError(name)
sys.meta_path.insert(0, Missing())
import pytmva_bnn as TMVA
from pytmva_bnn.fast import switch
switch._installed = lambda: False
from pytmva_bnn.methods.bdt import linked_event
linked_event.EVENTS_BY_NUMPY = 5
record = np.load({str(method_case("bdt_ada").folder / "expected.npz")!r})
model = TMVA.load({str(method_case("bdt_ada").weights)!r})
assert not model.is_compiled(10**9)
assert (model.predict(np.tile(record["inputs"], (9, 1))) == np.tile(record["mva"], 9)).all()
reader = TMVA.Reader("!Color:Silent")
memory = [reader.AddVariable(variable.expression) for variable in model.variables]
reader.BookMVA("BDT", {str(method_case("bdt_ada").weights)!r})
for event, value in list(zip(record["inputs"], record["mva"]))[:20]:
    for cell, x in zip(memory, event): cell[0] = x
    assert reader.EvaluateMVA("BDT") == value
print("fine")
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)  # noqa: S603
    assert result.stdout == "fine\n", result.stderr


def test_the_size_of_the_job_decides(monkeypatch, ada):
    pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "auto")
    assert ada.is_compiled(10_000_000)
    monkeypatch.setattr(fitted_module.sys, "modules", {})
    assert not ada.is_compiled(100_000)  # 0.07 s by numpy
    monkeypatch.setattr(fitted_module.sys, "modules", {"numba": None})
    assert ada.is_compiled(100_000)
    assert not ada.is_compiled(1_000)


def test_the_users_wish_comes_before_the_size(monkeypatch, method_case):
    pytest.importorskip("numba")
    path = method_case("bdt_ada").weights
    monkeypatch.setenv("PYTMVA_BNN_FAST", "auto")
    assert TMVA.load(path, compiled=True).is_compiled(1)
    assert not TMVA.load(path, compiled=False).is_compiled(10**9)
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")
    assert not TMVA.load(path).is_compiled(10**9)


@pytest.mark.parametrize("name", ["bdt_ada", "bdt_reg"])
def test_memory_is_bounded(mode, method_case, name):
    """Beside the responses there are some blocks, however many events there are."""
    model = TMVA.load(method_case(name).weights)
    x = events(60_000, len(model.variables))
    model.predict(x[:10])
    if mode == "numpy":
        x = x[:20_000] if name == "bdt_ada" else x[:3_000]
    tracemalloc.start()
    model.predict(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    blocks = 1 << 16 if mode == "numba" else 1 << 14
    leaves = (1 << 20) * 8 * 6 if name == "bdt_reg" and mode == "numpy" else 0
    assert peak < 8 * len(x) + 16 * blocks * 4 * len(model.variables) + leaves + 10_000_000


def test_a_plan_is_made_once(compiled, monkeypatch, method_case):
    model = TMVA.load(method_case("bdt_reg").weights)
    count = []
    make = CompiledForest.of.__func__
    monkeypatch.setattr(CompiledForest, "of", classmethod(lambda *args: count.append(1) or make(*args)))
    for _ in range(3):
        model.predict(events(10, 2))
        model.fitted.mva_values(events(10, 2))
    assert len(count) == 2  # that of the regression, and that of EvaluateMVA


def test_another_chain_counts_at_once(compiled, method_case):
    case = method_case("bdt_norm")
    model = TMVA.load(case.weights)
    before = model.predict(case.expected["inputs"])
    model.transformations = TransformationChain([], [Quantity("Variable", v.label, v.label) for v in model.variables])
    assert (model.predict(case.expected["inputs"]) != before).any()
