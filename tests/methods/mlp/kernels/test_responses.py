from itertools import pairwise

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.mlp.kernels.factor import Factors
from pytmva_bnn.methods.mlp.kernels.responses import outputs, with_errors
from pytmva_bnn.methods.mlp.kernels.single_event import SingleEvent
from pytmva_bnn.methods.mlp.network import Network, forward, propagate
from pytmva_bnn.transform import Quantity, TransformationChain
from pytmva_bnn.transform.compiled import Steps, steps_of

KINDS = ["linear", "sigmoid", "tanh", "ReLU", "radial", "fast tanh"]
SHAPES = [(2, 10, 1), (1, 1), (3, 5, 1), (2, 4, 3, 2), (5, 7, 6, 4, 3), (9, 13, 1), (2, 0, 1)]


def network(sizes, seed=1, **kind):
    rng = np.random.default_rng(seed)
    return Network.from_matrices([rng.normal(size=(a + 1, b)) for a, b in pairwise(sizes)], **kind)


def events(n, n_inputs, seed=2):
    return np.random.default_rng(seed).normal(size=(n, n_inputs)).astype(np.float32)


def matrices(net, seed=3):
    a = np.random.default_rng(seed).normal(size=(net.n_outputs, net.n_weights, net.n_weights))
    return tuple(a @ a.transpose(0, 2, 1))


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("hidden", KINDS)
@pytest.mark.parametrize("neuron_input", ["sum", "sqsum", "abssum"])
def test_outputs_are_those_of_numpy(compiled, by_numpy, sizes, hidden, neuron_input):
    net = network(sizes, hidden=hidden, output="linear", neuron_input=neuron_input)
    x = events(300, sizes[0])
    np.testing.assert_allclose(outputs(net, x, Steps.none()), by_numpy(forward, net, x), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("hidden", KINDS)
@pytest.mark.parametrize("neuron_input", ["sum", "sqsum", "abssum"])
def test_outputs_in_float32_are_those_of_float64_to_seven_digits(compiled, sizes, hidden, neuron_input):
    net = network(sizes, hidden=hidden, output="linear", neuron_input=neuron_input)
    x = events(521, sizes[0])
    exact, found = outputs(net, x), outputs(net, x, number="float32")
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, exact, rtol=1e-6, atol=2e-6 * np.abs(exact).max())
    for i in (0, 7, 130, 520):  # the same bits alone
        np.testing.assert_array_equal(outputs(net, x[i : i + 1], number="float32")[0], found[i])


@pytest.mark.parametrize("number", ["float64", "float32"])
@pytest.mark.parametrize("name", ["fakerate_bnn", "reg_two_targets", "multi_n", "trans_d", "trans_p", "trans_chain"])
def test_transformations_are_those_of_numpy_to_the_last_bit(compiled, case_named, name, number):
    model = TMVA.load(case_named(name).weights)
    steps = steps_of(model.transformations)
    if steps is None:
        assert name == "trans_chain"
        return
    x = case_named(name).expected["inputs"].astype(np.float32)
    identity = Network.from_matrices([np.eye(x.shape[1] + 1, x.shape[1])], output="linear")
    np.testing.assert_array_equal(outputs(identity, x, steps, number=number), model.transformations.forward(x))


def test_chains_that_the_kernels_do_not_know_are_left_to_numpy(case_named):
    for name in ("trans_g", "trans_u", "trans_select"):
        assert steps_of(TMVA.load(case_named(name).weights).transformations) is None


@pytest.mark.parametrize("errors", [False, True])
def test_a_model_that_was_told_to_gives_what_the_environment_variable_gives(monkeypatch, case_named, errors):
    pytest.importorskip("numba")
    path, x = case_named("fakerate_bnn").weights, case_named("fakerate_bnn").expected["inputs"][:50]
    monkeypatch.setenv("PYTMVA_BNN_FAST", "1")
    forced = TMVA.load(path).predict(x, errors=errors)
    monkeypatch.setenv("PYTMVA_BNN_FAST", "auto")
    np.testing.assert_array_equal(list(TMVA.load(path, compiled=True).predict(x, errors=errors)), list(forced))


def test_a_changed_weight_changes_the_next_response(compiled, case_named):
    model, x = TMVA.load(case_named("fakerate_bnn").weights), case_named("fakerate_bnn").expected["inputs"][:50]
    before = model.predict(x)
    model.network.matrices[-1][-1] += 1.0
    after = model.predict(x)
    np.testing.assert_allclose(np.log(after / (1 - after)) - np.log(before / (1 - before)), 1.0, rtol=1e-9)
    model.transformations = TransformationChain([], variables=[Quantity("Variable", n, n) for n in ("pt", "ht")])
    assert not np.allclose(model.predict(x), after)


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("hidden", ["tanh", "radial", "ReLU"])
@pytest.mark.parametrize("positive", [True, False])
def test_variances_are_the_quadratic_form(compiled, sizes, hidden, positive):
    from pytmva_bnn.methods.mlp.network import output_sensitivities

    net = network(sizes, hidden=hidden, output="sigmoid")
    x = events(150, sizes[0])
    inverse = matrices(net) if positive else tuple(m - 100 * np.eye(net.n_weights) for m in matrices(net))
    factors = Factors.of(inverse)
    assert factors.triangular.all() == positive
    found = with_errors(net, x, Steps.none(), factors)
    passed = propagate(net, x)
    for k, matrix in enumerate(inverse):
        s = output_sensitivities(net, passed, k)
        expected = np.einsum("ij,jk,ik->i", s, matrix, s)
        np.testing.assert_allclose(found.variance[:, k], expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max())
        np.testing.assert_allclose(found.h[:, k], passed.neuron_inputs[-1][k], rtol=1e-12, atol=1e-13)


def test_a_triangular_factor_is_more_exact_than_the_matrix(compiled, case_named):
    from pytmva_bnn.methods.mlp.network import output_sensitivities

    if np.finfo(np.longdouble).eps == np.finfo(np.float64).eps:
        pytest.skip("no extended precision to compare with")
    model = TMVA.load(case_named("fakerate_bnn").weights)
    inputs = model.transformations.forward(case_named("fakerate_bnn").expected["inputs"])
    s = output_sensitivities(model.network, propagate(model.network, inputs)).astype(np.longdouble)
    expected = np.einsum("ij,jk,ik->i", s, model.inverse_hessian.astype(np.longdouble), s)
    found = with_errors(model.network, inputs, Steps.none(), Factors.of(model.inverse_hessians)).variance[:, 0]
    np.testing.assert_allclose(found, expected.astype(np.float64), rtol=1e-9)


@pytest.mark.parametrize("sizes", SHAPES)
def test_an_event_alone_gives_the_very_number_it_gives_in_a_block(compiled, sizes):
    net, x = network(sizes), events(521, sizes[0])
    factors = Factors.of(matrices(net))
    whole = with_errors(net, x, Steps.none(), factors)
    np.testing.assert_array_equal(whole.value, outputs(net, x, Steps.none()))
    for i in (0, 7, 130, 520):
        alone = with_errors(net, x[i : i + 1], Steps.none(), factors)
        for one, many in zip(vars(alone).values(), vars(whole).values(), strict=True):
            np.testing.assert_array_equal(one[0], many[i])


@pytest.mark.parametrize("name", ["fakerate_bnn", "bp_sigmoid", "relu_two_layers", "radial", "trans_chain", "reg_n"])
def test_an_event_has_the_same_numbers_alone_and_among_others_wherever_it_stands(mode, case_named, name):
    model, inputs = TMVA.load(case_named(name).weights), case_named(name).expected["inputs"]
    errors = model.has_errors
    x = np.tile(inputs, (4, 1))[:530]

    def numbers(events):
        return np.stack(list(model.predict(events, errors=True))[:3] if errors else [model.predict(events)])

    whole = numbers(x)
    random = np.random.default_rng(1)
    for n in (1, 1, 2, 3, 7, 15, 16, 17, 31, 33, 120, 249, 500):
        chosen = random.integers(0, len(x), n)
        np.testing.assert_array_equal(numbers(x[chosen]), whole[:, chosen])
    others = x.copy()
    others[1::2] *= random.uniform(-30.0, 30.0, others[1::2].shape)
    np.testing.assert_array_equal(numbers(others)[:, ::2], whole[:, ::2])


def test_numpy_and_compiled_code_give_the_same_responses_and_errors_nearly(both_ways, case):
    model = TMVA.load(case.weights)
    inputs = case.expected["inputs"]
    if model.analysis_type == "Classification":
        np.testing.assert_allclose(*both_ways(lambda: model.predict(inputs)), rtol=1e-14)
    if model.has_errors:
        for bar in ("lower", "upper"):
            by_numpy, by_numba = both_ways(lambda bar=bar: getattr(model.predict(inputs, errors=True), bar))
            np.testing.assert_allclose(by_numpy, by_numba, rtol=1e-11)


@pytest.mark.parametrize("sizes", [(2, 10, 1), (1, 1), (3, 5, 1), (2, 4, 3, 2), (9, 13, 1)])
@pytest.mark.parametrize("hidden", KINDS)
def test_the_kernel_for_one_event_gives_the_very_numbers_of_that_for_many(compiled, sizes, hidden):
    net, x = network(sizes, hidden=hidden), events(40, sizes[0])
    factors = Factors.of(matrices(net))
    many = with_errors(net, x, Steps.none(), factors)
    memory = np.zeros(sizes[0], dtype=np.float32)
    event = SingleEvent(net, Steps.none(), [memory[i : i + 1] for i in range(sizes[0])])
    for i, one in enumerate(x):
        memory[:] = one
        assert event.evaluate() == many.value[i, 0]
        found = event.errors(np.ascontiguousarray(factors.matrices[0].T), bool(factors.triangular[0]))
        assert found == (many.variance[i, 0], many.lower[i, 0], many.upper[i, 0])


@pytest.mark.parametrize("number", ["float64", "float32"])
@pytest.mark.parametrize("threads", ["2", "3"])
def test_the_number_of_threads_changes_nothing(compiled, monkeypatch, threads, number):
    net, x = network((4, 30, 1)), events(60_001, 4)
    monkeypatch.setenv("PYTMVA_BNN_THREADS", "1")
    expected = outputs(net, x, number=number)
    monkeypatch.setenv("PYTMVA_BNN_THREADS", threads)
    np.testing.assert_array_equal(outputs(net, x, number=number), expected)


@pytest.mark.parametrize("hidden", KINDS)
def test_events_with_a_nan_or_an_infinity_give_nan_and_large_ones_what_numpy_gives(compiled, by_numpy, hidden):
    net = network((2, 5, 1), hidden=hidden)
    x = np.float32([[np.nan, 0], [0, np.nan], [np.inf, 0], [0, -np.inf], [1e30, 1], [0, 0]])
    expected = by_numpy(lambda: propagate(net, x).values[-1].T)
    expected[:4] = np.nan
    np.testing.assert_allclose(outputs(net, x, Steps.none()), expected, rtol=1e-12, atol=1e-300)


def test_a_nan_stays_with_its_event(mode, case_named):
    for name in ("fakerate_bnn", "trans_g", "trans_u"):
        model = TMVA.load(case_named(name).weights)
        x = case_named(name).expected["inputs"][:3].copy()
        x[1, 0] = np.nan
        for array in (model.predict(x), *model.predict(x, errors=True, quantiles=[0.1], moderated=True)):
            np.testing.assert_array_equal(np.isnan(array.reshape(3, -1)[:, 0]), [False, True, False])


def test_named_columns_doubles_and_no_events(compiled, case_named):
    record = case_named("fakerate_bnn")
    model, inputs = TMVA.load(record.weights), record.expected["inputs"]
    expected = model.predict(inputs)
    for x in (inputs.astype(np.float64), np.asfortranarray(inputs), {"ht": inputs[:, 1], "pt": inputs[:, 0]}):
        np.testing.assert_array_equal(model.predict(x), expected)
    assert model.predict(inputs[:0]).shape == (0,)
    assert [array.shape for array in model.predict(inputs[:0], errors=True)] == [(0,)] * 3


def test_negative_variances_are_told(compiled, case_named, caplog, changed):
    model = TMVA.load(case_named("fakerate_bnn").weights)
    model = changed(model, fitted={"inverse_hessians": (-model.inverse_hessians[0],)})
    _, lower, upper = model.predict(case_named("fakerate_bnn").expected["inputs"], errors=True)
    assert not lower.any()
    assert not upper.any()
    assert "Negative variance" in caplog.text
