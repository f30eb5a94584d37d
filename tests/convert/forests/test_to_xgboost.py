"""TMVA's forests as models of XGBoost, and back again."""

import json
import sys

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import convert, load_any, to_xgboost, xgboost_document
from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.methods.bdt.response import leaf_numbers

#: case, objective, and XGBoost's prediction from TMVA's response
CASES = {
    "bdt_grad": ("binary:logistic", lambda response: (1 + response) / 2),
    "bdt_multi": ("multi:softprob", lambda response: response),
    "bdt_grad_reg": ("reg:squarederror", lambda response: response[:, 0]),
    "bdt_reg_bagging": ("reg:squarederror", lambda response: response[:, 0]),
    "bdt_ada": ("reg:squarederror", lambda response: response),
    "bdt_rf": ("reg:squarederror", lambda response: response),
    "bdt_s2b": ("reg:squarederror", lambda response: response),  # some trees are one leaf
    "bdt_stop": ("reg:squarederror", lambda response: response),  # a forest without weight
}


@pytest.fixture(params=CASES)
def case(request, method_case):
    return method_case(request.param)


def model_of(case):
    return TMVA.load(case.weights)


def inputs_of(case, model):
    """Events of the record, and some with a variable at a cut."""
    x, forest = case.expected["inputs"].astype(np.float32), model.fitted.forest
    nodes = np.flatnonzero(forest.node_type == 0)[:200]
    more = x[np.arange(len(nodes)) % len(x)].copy()
    more[np.arange(len(nodes)), forest.variable[nodes]] = forest.cut[nodes]
    return np.concatenate([x, more])


def test_xgboost_gives_the_same(case, tmp_path):
    xgb = pytest.importorskip("xgboost", reason="the extra bridges is not installed")
    model = model_of(case)
    objective, expected = CASES[case.name]
    for ending in ("xgb.json", "ubj"):
        convert(case.weights, tmp_path / f"forest.{ending}")
        booster = xgb.Booster(model_file=tmp_path / f"forest.{ending}")
        x = inputs_of(case, model)
        data = xgb.DMatrix(x, feature_names=[variable.expression for variable in model.variables])
        prediction, response = booster.predict(data), expected(model.predict(x).astype(np.float64))
        np.testing.assert_allclose(prediction, response, rtol=2e-6, atol=1e-6)
        found = json.loads(booster.save_raw("json"))["learner"]
        assert found["objective"]["name"] == objective
        theirs = booster.predict(data, pred_leaf=True).reshape(len(x), -1)
        ours = leaf_numbers(model.fitted.forest, x)
        for tree in range(ours.shape[1]):  # the numbers differ
            pairs = {*zip(ours[:, tree].tolist(), theirs[:, tree].tolist(), strict=True)}
            assert len(pairs) == len({*ours[:, tree]}) == len({*theirs[:, tree]})


def test_right_daughters_follow_left_ones(case):
    # XGBoost relies on it, and crashes or gives wrong leaves otherwise
    for tree in xgboost_document(model_of(case))["learner"]["gradient_booster"]["model"]["trees"]:
        left, right, parents = (np.array(tree[name]) for name in ("left_children", "right_children", "parents"))
        inner = np.flatnonzero(left >= 0)
        np.testing.assert_array_equal(right[inner], left[inner] + 1)
        np.testing.assert_array_equal(parents[left[inner]], inner)
        np.testing.assert_array_equal(parents[right[inner]], inner)
        assert parents[0] == 2147483647


def test_the_file_can_be_read_back(case, tmp_path):
    model = model_of(case)
    to_xgboost(model, tmp_path / "forest.xgb.json")
    again = load_any(tmp_path / "forest.xgb.json")
    x = inputs_of(case, model)
    assert (again.title, again.classes, again.analysis_type) == (model.title, model.classes, model.analysis_type)
    assert [(one.label, one.expression) for one in again.variables] == [
        (one.label, one.expression) for one in model.variables
    ]
    assert [one.expression for one in again.targets] == [one.expression for one in model.targets]
    if model.fitted.combination == "mean":
        np.testing.assert_allclose(again.predict(x), model.predict(x), rtol=2e-7, atol=5e-8)
    else:
        np.testing.assert_array_equal(again.predict(x), model.predict(x))


def test_events_with_nan_go_the_way_they_go_in_tmva(method_case):
    xgb = pytest.importorskip("xgboost", reason="the extra bridges is not installed")
    model = TMVA.load(method_case("bdt_rf").weights)  # cuts of both types
    assert {*model.fitted.forest.cut_type} == {0, 1}
    text = json.dumps(xgboost_document(model)).encode()
    booster = xgb.Booster(model_file=bytearray(text))
    x = method_case("bdt_rf").expected["inputs"].astype(np.float32)
    x[:, 1] = np.nan
    prediction = booster.inplace_predict(x, validate_features=False)
    np.testing.assert_allclose(prediction, model.fitted.respond(x)[:, 0], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bdt_d", r"it transforms the variables \(VarTransform\), which XGBoost does not have"),
        ("bdt_fisher2", "cuts on linear combinations"),
        ("bdt_presel", "it has a preselection"),
        ("bdt_reg", "AdaBoostR2 takes the mean of trees around the median"),
    ],
)
def test_what_xgboost_does_not_have_is_refused(name, message, method_case, tmp_path):
    with pytest.raises(InputError, match=message):
        convert(method_case(name).weights, tmp_path / "forest.xgb.json")
    assert not list(tmp_path.iterdir())


def test_networks_are_no_forests(case_named, tmp_path):
    with pytest.raises(InputError, match="a MLP is not a forest"):
        convert(case_named("bfgs_n").weights, tmp_path / "network.xgb.json")


def test_without_xgboost_only_json_is_written(method_case, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "xgboost", None)
    convert(method_case("bdt_grad").weights, tmp_path / "forest.xgb.json")
    with pytest.raises(MissingDependencyError, match=r"pip install 'pytmva-bnn\[bridges\]'"):
        convert(method_case("bdt_grad").weights, tmp_path / "forest.ubj")


def test_names_that_xgboost_refuses_are_replaced_and_come_back(method_case, tmp_path):
    text = method_case("bdt_grad").weights_text
    first = TMVA.load_string(text).variables[0].expression
    changed = text.replace(f'Expression="{first}" Label="{first}"', 'Expression="jet[0]" Label="lead"')
    model = TMVA.load_string(changed)
    assert xgboost_document(model)["learner"]["feature_names"][0] == first  # the internal name
    to_xgboost(model, tmp_path / "forest.xgb.json")
    again = load_any(tmp_path / "forest.xgb.json").variables[0]
    assert (again.label, again.expression) == ("lead", "jet[0]")
