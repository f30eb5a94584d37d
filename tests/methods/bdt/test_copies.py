"""Forests can be pickled and copied, also after they were used, and go through JSON and npz, old ones too."""

import copy
import pickle

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import from_json, from_npz, to_json, to_npz


def used(subject):
    """Return the responses of a model that has then computed all it keeps."""
    with np.errstate(over="ignore"):
        values = subject.model.predict(subject.events)
    fitted = subject.model.fitted
    for name in ("tree_weights", "sum_of_weights", "leaf_answers", "leaf_values"):
        getattr(fitted, name)
    for name in ("right_node", "tree_depths", "fisher_row"):
        getattr(fitted.forest, name)
    return values


def assert_same(model, again, events, expected):
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(again.predict(events), expected)
    assert again.to_xml() == model.to_xml()
    assert again.fitted.rounded == model.fitted.rounded
    np.testing.assert_array_equal(again.fitted.tree_weights, model.fitted.tree_weights)


def test_pickles_and_copies(subject):
    expected = used(subject)
    for again in (
        pickle.loads(pickle.dumps(subject.model)),  # noqa: S301
        copy.deepcopy(subject.model),
        copy.copy(subject.model),
    ):
        assert_same(subject.model, again, subject.events, expected)


@pytest.mark.parametrize(("write", "read", "ending"), [(to_json, from_json, "json"), (to_npz, from_npz, "npz")])
def test_json_and_npz(subject, write, read, ending, tmp_path):
    expected = used(subject)
    write(subject.model, tmp_path / f"model.{ending}")
    again = read(tmp_path / f"model.{ending}")
    assert_same(subject.model, again, subject.events, expected)
    for name in ("cut", "purity", "response", "node_type", "starts", "boost_weights", "coefficients"):
        before, after = (getattr(one.fitted.forest, name) for one in (subject.model, again))
        np.testing.assert_array_equal(after, before)
        assert (after.dtype, after.shape) == (before.dtype, before.shape)


def test_a_pickle_holds_the_forest_and_nothing_more(method_case):
    model = TMVA.load(method_case("bdt_reg").weights)
    size = len(pickle.dumps(model.fitted))
    model.predict(method_case("bdt_reg").expected["inputs"])
    model.fitted.leaf_values  # noqa: B018
    assert len(pickle.dumps(model.fitted)) == size
