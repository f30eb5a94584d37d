"""Forests of other libraries on the command line."""

import json

import numpy as np
import pytest

import pytmva_bnn as TMVA

XGBOOST = {
    "learner": {
        "attributes": {},
        "feature_names": [],
        "gradient_booster": {
            "name": "gbtree",
            "model": {
                "gbtree_model_param": {"num_parallel_tree": "1"},
                "tree_info": [0, 0],
                "trees": [
                    {
                        "tree_param": {},
                        "left_children": [1, -1, -1],
                        "right_children": [2, -1, -1],
                        "split_conditions": [0.5, -1.0, value],
                        "split_indices": [0, 0, 0],
                    }
                    for value in (1.0, 2.0)
                ],
            },
        },
        "learner_model_param": {"base_score": "5E-1", "num_class": "0", "num_feature": "2"},
        "objective": {"name": "binary:logistic"},
    },
    "version": [2, 0, 0],
}


@pytest.fixture
def xgboost_file(tmp_path):
    (tmp_path / "model.json").write_text(json.dumps(XGBOOST))
    return tmp_path / "model.json"


def test_a_model_of_xgboost_becomes_a_weight_file(command, xgboost_file, tmp_path):
    target = tmp_path / "job_Higgs.weights.xml"
    names = ("--variables", "max(pt1,pt2), abs(eta[0])", "--classes", "qcd,higgs", "--title", "Higgs")
    finished = command("convert", xgboost_file, target, *names, "--iterations", 1)
    assert (finished.code, finished.out, finished.err) == (0, f"written: {target}\n", "")
    model = TMVA.load(target)
    assert [one.expression for one in model.variables] == ["max(pt1,pt2)", "abs(eta[0])"]
    assert (model.title, model.classes) == ("Higgs", ("higgs", "qcd"))
    np.testing.assert_allclose(model.predict([[1.0, 0.0]]), np.tanh(0.5))


def test_a_regression_has_a_target(command, xgboost_file, tmp_path):
    content = json.loads(xgboost_file.read_text())
    content["learner"]["objective"]["name"] = "reg:squarederror"
    xgboost_file.write_text(json.dumps(content))
    assert command("convert", xgboost_file, tmp_path / "w.xml", "--variables", "a,b", "--target", "mass").code == 0
    assert TMVA.load(tmp_path / "w.xml").targets[0].expression == "mass"


def test_and_back(command, xgboost_file, tmp_path):
    assert command("convert", xgboost_file, tmp_path / "w.xml", "--variables", "a,b").code == 0
    assert command("convert", tmp_path / "w.xml", tmp_path / "w.xgb.json").code == 0
    assert "BDT: Classification" in command("inspect", tmp_path / "w.xgb.json").out
    assert command("compare", tmp_path / "w.xml", tmp_path / "w.xgb.json").code == 0


def test_mistakes_are_explained(fails, xgboost_file, tmp_path):
    target = tmp_path / "w.xml"
    assert "does not name its 2 features" in fails("convert", xgboost_file, target)
    assert "2 features, but 3 variables are given" in fails("convert", xgboost_file, target, "--variables", "a,b,c")
    own = "xml_fixtures/cases/bfgs_n/weights.xml"
    assert "not a model of another library, so variables cannot be" in fails("convert", own, target, "--variables", "a")
    assert "the ending of the name identifies no format" in fails("convert", xgboost_file, tmp_path / "w.yaml", code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_pickles_are_read_only_if_asked_for(command, fails, tmp_path):
    joblib = pytest.importorskip("joblib", reason="the extra bridges is not installed")
    tree = pytest.importorskip("sklearn.tree", reason="the extra bridges is not installed")
    x = np.random.default_rng(1).normal(size=(40, 2))
    model = tree.DecisionTreeClassifier(max_depth=2).fit(x, x[:, 0] > 0.2)
    joblib.dump(model, tmp_path / "tree.joblib")
    joblib.dump(model, tmp_path / "small.joblib", compress=3)
    target = tmp_path / "w.xml"
    for name in ("tree.joblib", "small.joblib"):
        assert "is a pickle, and reading one runs the code" in fails("convert", tmp_path / name, target)
        finished = command("convert", tmp_path / name, target, "--unpickle", "--variables", "a,b")
        assert finished.code == 0, finished.err
        np.testing.assert_allclose(TMVA.load(target).predict(x), model.predict_proba(x)[:, 1], atol=1e-7)
    assert "unable to open the file" in fails("convert", tmp_path / "none.pkl", target, "--unpickle")
    (tmp_path / "broken.pkl").write_bytes(b"\x80\x04nothing")
    assert "cannot be unpickled" in fails("convert", tmp_path / "broken.pkl", target, "--unpickle")
