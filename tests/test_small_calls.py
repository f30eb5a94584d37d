"""Responses in float32, and the short way that small calls take."""

import pickle
import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError


@pytest.mark.parametrize("name", ["fakerate_bnn", "trans_g", "trans_chain", "bp_sigmoid", "multi_n", "reg_two_targets"])
def test_float32_gives_seven_digits_and_leaves_the_rest_in_float64(compiled, case_named, name):
    record = case_named(name)
    exact, model = TMVA.load(record.weights), TMVA.load(record.weights, precision="float32")
    x = record.expected["inputs"].astype(np.float32)
    found, expected = model.predict(x), exact.predict(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=3e-6, atol=3e-7 * np.abs(expected).max())
    assert np.any(found != expected.astype(np.float32))
    for events in (x.astype(np.float64), np.asfortranarray(x), x.tolist()):
        np.testing.assert_array_equal(model.predict(events), found)
    if model.has_errors:
        for one, other in zip(model.predict(x, errors=True), exact.predict(x, errors=True), strict=True):
            np.testing.assert_array_equal(one, other)
        assert model.predict_sum(x) == exact.predict_sum(x)


def test_float32_is_kept_by_what_is_made_of_a_model(compiled, case_named):
    record = case_named("fakerate_bnn")
    model, x = TMVA.load(record.weights, precision="float32"), record.expected["inputs"][:9]
    expected = model.predict(x)
    for other in (pickle.loads(pickle.dumps(model)), model.corrected(), model.modernised()):  # noqa: S301
        np.testing.assert_array_equal(other.predict(x), expected)
    text = record.weights.read_text(encoding="utf-8")
    np.testing.assert_array_equal(TMVA.load_string(text, precision="float32").predict(x), expected)


def test_float32_without_compiled_code_is_float64_rounded(monkeypatch, case_named):
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")
    record = case_named("fakerate_bnn")
    x = record.expected["inputs"][:9]
    expected = TMVA.load(record.weights).predict(x).astype(np.float32)
    model = TMVA.load(record.weights, precision="float32")
    for events in (x, x.tolist()):
        found = model.predict(events)
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("name", "how", "problem"),
    [
        ("fakerate_bnn", {"precision": "single"}, "precision='single' is neither 'float64' nor 'float32'"),
        ("fakerate_bnn", {"precision": "float32", "compiled": False}, "float32' needs compiled code: leave out"),
        ("bdt_prune_cc", {"precision": "float32"}, "a BDT computes in float64 only"),
    ],
)
def test_float32_is_refused_where_there_is_none(case_named, method_case, name, how, problem):
    weights = (method_case if name.startswith("bdt") else case_named)(name).weights
    with pytest.raises(InputError, match=re.escape(problem)):
        TMVA.load(weights, **how)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_small_calls_see_every_change_of_the_model(compiled, case_named, precision):
    """The short way of small calls gives no number of the weights, transformations or settings before."""
    record = case_named("bfgs_errors")
    x = record.expected["inputs"][:20].astype(np.float32)
    model, exact = TMVA.load(record.weights, precision=precision), TMVA.load(record.weights)

    def add_to_bias(one):
        one.network.matrices[0][-1] += 0.5

    def scale_output(one):
        one.network.matrices[-1][...] *= 0.5

    def replace_network(one):
        one.fitted = TMVA.load(case_named("bnn_020").weights).fitted

    def replace_transformations(one):
        one.transformations = TMVA.load(case_named("trans_d").weights).transformations

    for change in (add_to_bias, scale_output, replace_network, replace_transformations):
        before = model.predict(x)
        for one in (model, exact):
            change(one)
        after = exact.predict(x.tolist())  # the long way
        assert not np.allclose(before, after, rtol=1e-3)
        np.testing.assert_allclose(model.predict(x), after, rtol=1e-5)


@pytest.mark.parametrize(
    "name", ["fakerate_bnn", "trans_g", "bdt_prune_cc", "likelihood_kde", "fisher", "svm_poly", "cuts_mc", "tmlpann"]
)
def test_small_calls_give_what_the_long_way_gives(mode, case_named, method_case, name):
    weights = (case_named if name in ("fakerate_bnn", "trans_g") else method_case)(name).weights
    model = TMVA.load(weights)
    low, high = (np.array([getattr(one, end) for one in model.variables]) for end in ("minimum", "maximum"))
    x = (low + np.random.default_rng(1).random((40, len(low))) * (high - low)).astype(np.float32)
    x[3, 0], x[5, -1] = np.nan, -np.inf
    expected = model.predict({one.expression: x[:, i] for i, one in enumerate(model.variables)})
    np.testing.assert_array_equal(np.isnan(expected[:7]), [False, False, False, True, False, True, False])
    found = model.predict(x)
    assert found.dtype == np.float64
    assert found.flags.writeable
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(model.predict(x.astype(">f4")), expected)
    np.testing.assert_array_equal(model.predict(x[::-1])[::-1], expected)
    assert model.predict(x[:0]).shape == (0,)
