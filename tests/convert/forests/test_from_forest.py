"""Names of variables and classes, and which files hold a model of another library.  No library is needed here."""

import gzip
import json
import pickle

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import convert, foreign_file, load_any, to_json, to_xgboost
from pytmva_bnn.errors import InputError, WeightFileError, WeightFileNotFoundError


def tree(left_value, right_value, feature=0, threshold=0.5):
    """Return one of XGBoost's trees with one cut."""
    return {
        "tree_param": {"size_leaf_vector": "1"},
        "left_children": [1, -1, -1],
        "right_children": [2, -1, -1],
        "split_conditions": [threshold, left_value, right_value],
        "split_indices": [feature, 0, 0],
    }


def document(objective="binary:logistic", base="5E-1", names=(), n_classes=0, **attributes):
    trees = [tree(-1.0, 2.0), tree(0.25, -0.5, feature=1, threshold=-1.0), tree(0.0, 1.0)]
    return {
        "learner": {
            "attributes": attributes,
            "feature_names": list(names),
            "gradient_booster": {
                "name": "gbtree",
                "model": {
                    "gbtree_model_param": {"num_parallel_tree": "1"},
                    "tree_info": [number % max(1, n_classes) for number in range(3)],
                    "trees": trees,
                },
            },
            "learner_model_param": {"base_score": base, "num_class": str(n_classes), "num_feature": "2"},
            "objective": {"name": objective},
        },
        "version": [1, 7, 0],
    }


@pytest.fixture
def saved(tmp_path):
    def save(name="model.json", **settings):
        path = tmp_path / name
        path.write_text(json.dumps(document(**settings), indent=2))
        return path

    return save


EVENTS = np.array([[0.0, 0.0], [0.5, -2.0], [0.49999997, -1.0]])


# ---- numbers one can do by hand


def test_classification_by_hand(saved):
    model = TMVA.from_forest(saved(base="2E-1"), ["x", "y"])
    margins = np.log(0.2 / 0.8) + np.array([-1.0 - 0.5 + 0.0, 2.0 + 0.25 + 1.0, -1.0 - 0.5 + 0.0])
    np.testing.assert_allclose(model.predict(EVENTS), 2 / (1 + np.exp(-margins)) - 1, rtol=1e-7)
    assert model.classes == ("Signal", "Background")
    assert (model.title, model.kind, model.fitted.boost_type) == ("BDT", "BDT", "Grad")


def test_multiclass_by_hand(saved):
    path = saved(objective="multi:softprob", n_classes=3, base="[1,0,2]")
    model = TMVA.from_forest(path, ["x", "y"], title="multi", classes=["a", "b", "c"])
    sums = np.array([[-1.0 + 1.0, -0.5, 0.0 + 2.0], [2.0 + 1.0, 0.25, 1.0 + 2.0], [-1.0 + 1.0, -0.5, 0.0 + 2.0]])
    np.testing.assert_allclose(model.predict(EVENTS), np.exp(sums) / np.exp(sums).sum(axis=1)[:, None], rtol=1e-6)
    assert (model.title, model.classes) == ("multi", ("a", "b", "c"))
    assert model.options.integer("NTrees") == 2


def test_regression_by_hand(saved):
    model = TMVA.from_forest(saved(objective="reg:squarederror", base="3.5E0"), ["x", "y"], target="mass")
    np.testing.assert_array_equal(model.predict(EVENTS)[:, 0], [2.0, 6.75, 2.0])
    assert ([one.expression for one in model.targets], model.classes) == (["mass"], ("Regression",))


def test_best_iteration_is_the_last_that_counts(saved):
    model = TMVA.from_forest(saved(objective="reg:squarederror", base="0E0", best_iteration="1"), ["x", "y"])
    np.testing.assert_array_equal(model.predict(EVENTS)[:, 0], [-1.5, 2.25, -1.5])
    assert TMVA.from_forest(saved(best_iteration="1"), ["x", "y"], iterations=3).fitted.forest.n_trees == 3


def test_thresholds_that_no_float_reaches_leave_a_node_out(saved, tmp_path):
    content = document(objective="reg:squarederror", base="0E0")
    content["learner"]["gradient_booster"]["model"]["trees"][0] = tree(7.0, -7.0, threshold=-3.5e38)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    with np.errstate(over="ignore"):
        model = TMVA.from_forest(path, ["x", "y"])
    lowest = np.finfo(np.float32).min
    np.testing.assert_array_equal(model.predict([[0.0, 0.0], [lowest, lowest]])[:, 0], [-7.5, -6.75])


def test_sums_that_may_overflow_the_softmax_are_warned_about(tmp_path, caplog):
    content = document(objective="multi:softprob", n_classes=3, base="0E0")
    (tmp_path / "model.json").write_text(json.dumps(content))
    TMVA.from_forest(tmp_path / "model.json", ["x", "y"])
    assert not caplog.text
    content["learner"]["gradient_booster"]["model"]["trees"][2] = tree(0.0, -800.0)
    (tmp_path / "model.json").write_text(json.dumps(content))
    TMVA.from_forest(tmp_path / "model.json", ["x", "y"])
    assert "sums of trees may reach 800 in size; TMVA's softmax gives NaN beyond 709" in caplog.text


# ---- names


@pytest.mark.parametrize(
    ("settings", "names", "message"),
    [
        ({}, {}, "the model does not name its 2 features: give the variables in the order of the columns"),
        ({}, {"variables": ["x"]}, "the model has 2 features, but 1 variables are given$"),
        ({"names": ["pt", "eta"]}, {"variables": ["x"]}, "1 variables are given; those of the model are pt, eta"),
        ({"names": ["pt", "eta"]}, {"variables": ["eta", "pt"]}, "not in the order of the model; .* are pt, eta"),
        ({}, {"variables": "xy"}, "give a list of names"),
        ({}, {"variables": ["x", "x "]}, "the variable 'x' appears twice"),
        ({}, {"variables": ["x", ""]}, "the variable '' is empty"),
        ({"names": ["jet pt", "eta"]}, {}, "'jet pt' has a blank in its name"),
        (
            {},
            {"variables": ["x", "y"], "classes": ["a"]},
            "the model has 2 classes, but a are given; .* the signal last",
        ),
        ({}, {"variables": ["x", "y"], "classes": "ab"}, "give a list of names, one for each class"),
        ({}, {"variables": ["x", "y"], "target": "t"}, "only a regression has a target"),
        (
            {"objective": "reg:squarederror"},
            {"variables": ["x", "y"], "classes": ["a", "b"]},
            "a regression has no classes",
        ),
    ],
)
def test_wrong_names_are_explained(settings, names, message, saved):
    with pytest.raises(InputError, match=message):
        TMVA.from_forest(saved(**settings), **names)


def test_names_may_be_expressions_and_replace_those_of_the_model(saved):
    path = saved(names=["pt", "eta"])
    assert [one.expression for one in TMVA.from_forest(path).variables] == ["pt", "eta"]
    model = TMVA.from_forest(path, ["lead := jet_pt/1000", "abs(eta)"], classes=["qcd", "top"])
    assert [(one.label, one.expression) for one in model.variables] == [
        ("lead", "jet_pt/1000"),
        ("abs(eta)", "abs(eta)"),
    ]
    assert model.classes == ("top", "qcd")
    events = {"jet_pt": np.array([600.0, 400.0]), "eta": np.array([-2.0, 0.5])}
    expected = TMVA.from_forest(path).predict(np.array([[0.6, 2.0], [0.4, 0.5]]))
    np.testing.assert_array_equal(model.predict(events), expected)


def test_ranges_reach_beyond_the_cuts(saved):
    ranges = [(one.minimum, one.maximum) for one in TMVA.from_forest(saved(), ["x", "y"]).variables]
    assert ranges == [(-0.5, 1.5), (-2.0, 0.0)]


def test_the_file_says_where_it_comes_from(saved):
    info = TMVA.from_forest(saved(), ["x", "y"]).info
    assert info["Converted from"] == "XGBoost's model (binary:logistic)"
    assert info["Response"] == "2p-1 of the probability p of the signal class"
    assert info["TMVA Release"] == "4.2.1 [262657]"


def test_what_is_no_forest_is_refused(tmp_path):
    with pytest.raises(InputError, match="dict is neither a forest of scikit-learn, XGBoost or LightGBM"):
        TMVA.from_forest({})


# ---- which file is what


def test_files_are_known_by_their_content(saved, tmp_path, method_case):
    case = method_case("bdt_grad")
    assert foreign_file(saved("xgboost.weights")) == "XGBoost"
    (tmp_path / "reordered.json").write_text(json.dumps(dict(reversed(document().items()))))
    assert foreign_file(tmp_path / "reordered.json") == "XGBoost"
    (tmp_path / "lightgbm.json").write_text("tree\nversion=v4\nnum_class=1\n")
    assert foreign_file(tmp_path / "lightgbm.json") == "LightGBM"
    (tmp_path / "estimator").write_bytes(pickle.dumps([1, 2]))
    assert foreign_file(tmp_path / "estimator") == "pickle"
    own = TMVA.load(case.weights)
    to_json(own, tmp_path / "own.json")
    content = json.loads((tmp_path / "own.json").read_text())
    (tmp_path / "sorted.json").write_text(json.dumps(content, sort_keys=True))
    (tmp_path / "reversed.json").write_text(json.dumps(dict(reversed(content.items()))))
    for name in ("own.json", "sorted.json", "reversed.json"):
        assert foreign_file(tmp_path / name) is None
        assert load_any(tmp_path / name).to_xml() == case.weights_text
    assert foreign_file(case.weights) is None
    assert foreign_file(method_case("bdt_text39").folder / "weights.txt") is None
    assert foreign_file(tmp_path / "not there") is None
    assert foreign_file(tmp_path) is None


def test_load_any_and_convert_take_the_names(saved, tmp_path):
    path = saved(names=["pt", "eta"])
    assert load_any(path).to_xml() == TMVA.from_forest(path).to_xml()
    convert(path, tmp_path / "w.xml", title="other", variables=["a", "b"])
    model = TMVA.load(tmp_path / "w.xml")
    assert (model.title, [one.label for one in model.variables]) == ("other", ["a", "b"])


def test_names_are_only_for_other_libraries(method_case, tmp_path):
    with pytest.raises(InputError, match="is not a model of another library, so title cannot be given"):
        load_any(method_case("bdt_grad").weights, title="other")
    with pytest.raises(WeightFileNotFoundError, match="unable to open"):
        load_any(tmp_path / "none.json", title="other")


def test_other_files_are_refused(tmp_path, method_case):
    with pytest.raises(InputError, match="neither a model of XGBoost"):
        TMVA.from_forest(method_case("bdt_grad").weights)
    with pytest.raises(WeightFileNotFoundError):
        TMVA.from_forest(tmp_path / "none.json")
    (tmp_path / "e.pkl").write_bytes(pickle.dumps([1, 2]))
    with pytest.raises(InputError, match="is a pickle, and reading one runs the code in it"):
        TMVA.from_forest(tmp_path / "e.pkl")
    (tmp_path / "cut.json").write_text(json.dumps(document())[:300])
    with pytest.raises(WeightFileError, match="a damaged model of XGBoost"):
        TMVA.from_forest(tmp_path / "cut.json", ["x", "y"])
    packed = gzip.compress(json.dumps(document(names=[str(k) * 100 for k in range(2000)])).encode(), mtime=0)
    (tmp_path / "cut.json.gz").write_bytes(packed[:-20])
    with pytest.raises(WeightFileError, match="the file cannot be read to its end"):
        TMVA.from_forest(tmp_path / "cut.json.gz", ["x", "y"])


def test_a_converted_forest_can_go_everywhere(saved, tmp_path):
    model = TMVA.from_forest(saved(), ["x", "y"])
    for name in ("w.json", "w.npz", "w.xml.gz"):
        convert(saved(), tmp_path / name, variables=["x", "y"])
        assert load_any(tmp_path / name).to_xml() == model.to_xml()
    to_xgboost(model, tmp_path / "w.xgb.json")
    np.testing.assert_array_equal(load_any(tmp_path / "w.xgb.json").predict(EVENTS), model.predict(EVENTS))
