"""Models of LightGBM: the same leaves for events of float32, values to the rounding of the leaves."""

import sys

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, WeightFileError

lgb = pytest.importorskip("lightgbm", reason="the extra bridges is not installed")

NAMES = ["pt", "eta", "mass", "n"]
FEW = {"n_estimators": 12, "num_leaves": 9, "min_child_samples": 5, "verbose": -1, "n_jobs": 1, "random_state": 1}
BOOSTERS = [
    {},
    {"boosting_type": "dart"},
    {"boosting_type": "rf", "subsample": 0.5, "subsample_freq": 1},
]
pytestmark = pytest.mark.filterwarnings("ignore:X does not have valid feature names")


def leaves(model, x):
    return model.predict(x, pred_leaf=True)


@pytest.mark.parametrize("settings", [*BOOSTERS, {"sigmoid": 0.4}])
def test_classification_gives_2p_minus_1(settings, sample, conversion):
    model = lgb.LGBMClassifier(**FEW, **settings).fit(sample.x, sample.binary)
    found = conversion(model, sample)
    found.assert_same_leaves(leaves(model, found.x))
    found.assert_close(2 * model.predict_proba(found.x)[:, 1] - 1, 5e-8)


def test_float64_events_can_go_another_way_only_next_to_a_threshold(small, conversion):
    model = lgb.LGBMClassifier(**FEW).fit(small.x, small.binary)
    found = conversion(model, small)
    x = np.repeat(small.x, 10, axis=0) + np.random.default_rng(1).normal(scale=1e-9, size=(1000, 4))
    differs = np.abs(found.model.predict(x) - (2 * model.predict_proba(x)[:, 1] - 1)) > 5e-8
    same_when_rounded = found.model.predict(x) - (2 * model.predict_proba(x.astype(np.float32))[:, 1] - 1)
    assert np.abs(same_when_rounded).max() < 5e-8
    for event in x[differs]:
        distance = [
            np.abs(found.forest.cut[found.forest.variable == number] - value).min() / np.abs(value)
            for number, value in enumerate(event)
            if (found.forest.variable == number).any() and value
        ]
        assert min(distance) < 2e-7


@pytest.mark.parametrize("settings", BOOSTERS)
def test_multiclass_gives_the_probabilities(settings, sample, conversion):
    model = lgb.LGBMClassifier(**FEW, **settings).fit(sample.x, sample.three)
    found = conversion(model, sample)
    found.assert_same_leaves(leaves(model, found.x))
    found.assert_close(model.predict_proba(found.x), 1e-7)


@pytest.mark.parametrize("settings", BOOSTERS)
def test_regression_gives_the_prediction(settings, sample, conversion):
    model = lgb.LGBMRegressor(**FEW, **settings).fit(sample.x, sample.target)
    found = conversion(model, sample)
    found.assert_same_leaves(leaves(model, found.x))
    found.assert_close(model.predict(found.x), 5e-7 * np.abs(sample.target).max())
    assert model.booster_.feature_name() == [f"Column_{number}" for number in range(4)]


@pytest.mark.parametrize(
    "objective",
    ["regression_l1", "huber", "fair", "quantile", "mape", "cross_entropy", "poisson", "gamma", "tweedie"],
)
def test_raw_scores_of_every_objective(objective, small, conversion, caplog):
    labels = small.binary + (0.1 if objective == "gamma" else 0.0)
    model = lgb.LGBMRegressor(**FEW, objective=objective).fit(small.x, labels)
    found = conversion(model, small)
    is_class = found.model.analysis_type == "Classification"
    score = model.predict(found.x, raw_score=True)
    found.assert_close(score, 5e-7, 2 * np.arctanh(found.response) if is_class else found.response)
    assert is_class == (objective == "cross_entropy")
    assert ("logarithm" in caplog.text) == (objective in ("poisson", "gamma", "tweedie"))


def test_ranges_are_those_of_the_training_events(small):
    converted = TMVA.from_forest(lgb.LGBMClassifier(**FEW).fit(small.x, small.binary), NAMES)
    ranges = [(one.minimum, one.maximum) for one in converted.variables]
    np.testing.assert_array_equal(ranges, np.column_stack([small.x.min(axis=0), small.x.max(axis=0)]))


# ---- iterations


def test_iterations_end_with_the_best_one_of_early_stopping(sample, conversion):
    half = len(sample.x) // 2
    training = lgb.Dataset(sample.x[:half], sample.binary[:half], params={"verbose": -1})
    validation = lgb.Dataset(sample.x[half:], sample.binary[half:], reference=training)
    settings = {"objective": "binary", "verbose": -1, "num_threads": 1, "min_data_in_leaf": 5}
    stop = lgb.early_stopping(4, verbose=False)
    model = lgb.train(settings, training, 80, valid_sets=[validation], callbacks=[stop], keep_training_booster=True)
    found = conversion(model, sample)
    assert found.forest.n_trees == model.best_iteration < model.current_iteration()
    found.assert_close(2 * model.predict(found.x) - 1, 5e-8)


@pytest.mark.parametrize("settings", BOOSTERS)
def test_iterations_can_be_given(settings, small, conversion, tmp_path):
    model = lgb.LGBMClassifier(**FEW, **settings).fit(small.x, small.three)
    model.booster_.save_model(tmp_path / "model.txt")
    for source in (model, model.booster_, tmp_path / "model.txt"):
        found = conversion(source, small, iterations=4)
        assert found.forest.n_trees == 3 * 4
        found.assert_close(model.predict_proba(found.x, num_iteration=4), 1e-7)
        with pytest.raises(InputError, match="there are 12 iterations, not 13"):
            TMVA.from_forest(source, NAMES, iterations=13)


def test_a_tree_that_is_one_leaf(small, conversion):
    model = lgb.LGBMRegressor(**FEW | {"min_child_samples": 1000}).fit(small.x, small.target)
    found = conversion(model, small)
    assert found.forest.n_nodes == found.forest.n_trees
    found.assert_close(model.predict(found.x), 1e-5)


# ---- files, names


def test_files_are_read_without_lightgbm(small, tmp_path, monkeypatch):
    data = lgb.Dataset(small.x, small.binary, feature_name=["pt", "eta", "mass", "njets"])
    model = lgb.train({"objective": "binary", "verbose": -1, "num_threads": 1}, data, 3)
    model.save_model(tmp_path / "model.txt")
    expected = TMVA.from_forest(model).to_xml()
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    converted = TMVA.from_forest(tmp_path / "model.txt")
    assert converted.to_xml() == expected
    assert [one.expression for one in converted.variables] == ["pt", "eta", "mass", "njets"]


def test_names_of_classes(small):
    model = lgb.LGBMClassifier(**FEW).fit(small.x, np.array(["qcd", "top"])[small.binary])
    assert TMVA.from_forest(model, NAMES).classes == ("top", "qcd")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("max_feature_idx=3", "", "there is no 'max_feature_idx'"),
        ("left_child=", "left_child=77 ", "lists of different lengths"),
        ("num_leaves=9", "num_leaves=12", "different lengths"),
        ("leaf_value=", "leaf_value=x", "could not convert"),
        ("threshold=", "threshold=nan ", "different lengths"),
    ],
)
def test_damaged_files_say_what_is_wrong(old, new, message, small, tmp_path):
    text = lgb.LGBMClassifier(**FEW).fit(small.x, small.binary).booster_.model_to_string()
    assert old in text
    (tmp_path / "model.txt").write_text(text.replace(old, new))
    with pytest.raises(WeightFileError, match=message):
        TMVA.from_forest(tmp_path / "model.txt", NAMES)


# ---- what there is not


def missing(x):
    x = x.copy()
    x[::3, 0] = np.nan
    return x


@pytest.mark.parametrize(
    ("settings", "change", "message"),
    [
        ({}, missing, r"missing values \(feature Column_0\).*replace them by a number"),
        ({"zero_as_missing": True}, np.round, "zeros that count as missing values"),
        ({"categorical_feature": [3]}, np.abs, r"categorical splits \(feature Column_3\)"),
        ({"linear_tree": True}, np.asarray, r"linear functions in the leaves \(linear_tree\)"),
        ({"objective": "multiclassova", "num_class": 2}, np.asarray, "no equivalent of this objective"),
        ({"objective": "regression", "reg_sqrt": True}, np.asarray, "reg_sqrt=True"),
    ],
)
def test_models_that_cannot_be_written_say_why(settings, change, message, small):
    data = lgb.Dataset(change(small.x), small.binary, params={"verbose": -1})
    settings = {"objective": "binary", "verbose": -1, "num_threads": 1, "min_data_in_leaf": 3} | settings
    categorical = settings.pop("categorical_feature", "auto")
    data.categorical_feature = categorical
    model = lgb.train(settings | {"cat_smooth": 1, "min_data_per_group": 1}, data, 5)
    with pytest.raises(InputError, match=message):
        TMVA.from_forest(model, NAMES)


def test_a_model_that_is_not_fitted():
    with pytest.raises(InputError, match="LGBMClassifier is not fitted"):
        TMVA.from_forest(lgb.LGBMClassifier(), NAMES)
