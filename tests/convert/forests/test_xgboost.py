"""Models of XGBoost: the same leaves for every event; values agree as far as XGBoost's sums in float32 allow."""

import gzip
import json
import sys

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import foreign_file
from pytmva_bnn.errors import InputError, MissingDependencyError, WeightFileError

xgb = pytest.importorskip("xgboost", reason="the extra bridges is not installed")

NAMES = ["pt", "eta", "mass", "n"]
FEW = {"n_estimators": 12, "max_depth": 4, "n_jobs": 1, "random_state": 1}
BOOSTERS = [
    {},
    {"booster": "dart", "rate_drop": 0.3},
    {"num_parallel_tree": 3, "subsample": 0.5},
    {"tree_method": "exact", "base_score": 0.3},
]


def document(model):
    return json.loads(getattr(model, "get_booster", lambda: model)().save_raw("json"))


@pytest.fixture
def saved(tmp_path):
    """Return the file that a changed document is saved in."""

    def save(content, name="model.json"):
        path = tmp_path / name
        path.write_text(json.dumps(content))
        return path

    return save


# ---- values


@pytest.mark.parametrize("settings", BOOSTERS)
def test_classification_gives_2p_minus_1(settings, sample, conversion):
    model = xgb.XGBClassifier(**FEW, **settings).fit(sample.x, sample.binary)
    found = conversion(model, sample)
    found.assert_same_leaves(model.apply(found.x))
    found.assert_close(2 * model.predict_proba(found.x)[:, 1].astype(np.float64) - 1, 1e-6)
    # float64 events: XGBoost and TMVA round them to float32
    rounded = 2 * model.predict_proba(sample.x)[:, 1].astype(np.float64) - 1
    np.testing.assert_allclose(found.model.predict(sample.x), rounded, rtol=0, atol=1e-6)


@pytest.mark.parametrize("settings", BOOSTERS[:3])
def test_multiclass_gives_the_probabilities(settings, sample, conversion):
    model = xgb.XGBClassifier(**FEW, **settings).fit(sample.x, sample.three)
    found = conversion(model, sample)
    found.assert_close(model.predict_proba(found.x), 1e-6)
    n_parallel = settings.get("num_parallel_tree", 1)
    leaves = model.apply(found.x).reshape(len(found.x), -1, 3, n_parallel)
    found.assert_same_leaves(leaves.swapaxes(2, 3))


@pytest.mark.parametrize("settings", BOOSTERS)
def test_regression_gives_the_prediction(settings, sample, conversion):
    model = xgb.XGBRegressor(**FEW, **settings).fit(sample.x, sample.target)
    found = conversion(model, sample)
    found.assert_same_leaves(model.apply(found.x))
    found.assert_close(model.predict(found.x), 2e-6 * np.abs(sample.target).max())


@pytest.mark.parametrize(
    "objective",
    [
        *("reg:absoluteerror", "reg:pseudohubererror", "reg:squaredlogerror", "reg:logistic", "binary:logitraw"),
        *("binary:hinge", "count:poisson", "reg:gamma", "reg:tweedie", "rank:pairwise"),
    ],
)
def test_margins_of_every_objective(objective, small, conversion):
    data = xgb.DMatrix(small.x, small.binary + (0.1 if "gamma" in objective else 0.0))
    model = xgb.train({"objective": objective, "max_depth": 3, "nthread": 1}, data, 5)
    found = conversion(model, small)
    margin = model.predict(xgb.DMatrix(found.x), output_margin=True)
    is_class = found.model.analysis_type == "Classification"
    found.assert_close(margin, 3e-6, 2 * np.arctanh(found.response) if is_class else found.response)
    assert is_class == objective.startswith(("binary", "reg:logistic"))


def test_random_forests_of_xgboost(small, conversion):
    model = xgb.XGBRFClassifier(**FEW).fit(small.x, small.three)
    found = conversion(model, small)
    found.assert_close(model.predict_proba(found.x), 1e-6)


# ---- iterations


def test_iterations_end_with_the_best_one_of_early_stopping(sample, conversion):
    half = len(sample.x) // 2
    model = xgb.XGBClassifier(**FEW | {"n_estimators": 80}, early_stopping_rounds=4)
    model.fit(sample.x[:half], sample.binary[:half], eval_set=[(sample.x[half:], sample.binary[half:])], verbose=False)
    found = conversion(model, sample)
    assert found.forest.n_trees - 1 == model.best_iteration + 1 < model.get_booster().num_boosted_rounds()
    found.assert_close(2 * model.predict_proba(found.x)[:, 1].astype(np.float64) - 1, 1e-6)


def test_iterations_can_be_given(small, conversion):
    model = xgb.XGBClassifier(**FEW, num_parallel_tree=2).fit(small.x, small.three)
    found = conversion(model, small, iterations=4)
    assert found.forest.n_trees == 3 * (1 + 4 * 2)
    found.assert_close(model.predict_proba(found.x, iteration_range=(0, 4)), 1e-6)
    with pytest.raises(InputError, match="there are 12 iterations, not 13"):
        TMVA.from_forest(model, NAMES, iterations=13)
    with pytest.raises(InputError, match="iterations=0 must be at least 1"):
        TMVA.from_forest(model, NAMES, iterations=0)


def test_a_model_without_trees_is_its_base_score(small, conversion, saved):
    for kind, labels, expected in ((xgb.XGBRegressor, small.target, 2.5), (xgb.XGBClassifier, small.binary, -0.5)):
        content = document(kind(**FEW).fit(small.x, labels))
        booster = content["learner"]["gradient_booster"]["model"]
        booster["trees"], booster["tree_info"], booster["iteration_indptr"] = [], [], [0]
        content["learner"]["learner_model_param"]["base_score"] = "2.5E0" if expected > 0 else "[2.5E-1]"
        found = conversion(saved(content), small)
        found.assert_close(np.full(len(found.x), expected), 1e-7)


# ---- files


def test_files_are_read_without_xgboost(small, conversion, tmp_path, monkeypatch):
    model = xgb.XGBClassifier(**FEW).fit(small.x, small.binary)
    for name in ("model.json", "model.ubj"):
        model.save_model(tmp_path / name)
    expected = TMVA.from_forest(model, NAMES).to_xml()
    assert TMVA.from_forest(tmp_path / "model.ubj", NAMES).to_xml() == expected
    (tmp_path / "model.json.gz").write_bytes(gzip.compress((tmp_path / "model.json").read_bytes()))
    monkeypatch.setitem(sys.modules, "xgboost", None)
    assert TMVA.from_forest(str(tmp_path / "model.json"), NAMES).to_xml() == expected
    assert TMVA.from_forest(tmp_path / "model.json.gz", NAMES).to_xml() == expected
    with pytest.raises(MissingDependencyError, match=r"pip install 'pytmva-bnn\[bridges\]'"):
        TMVA.from_forest(tmp_path / "model.ubj", NAMES)


def test_scalar_base_scores_of_older_releases(small, conversion, saved):
    model = xgb.XGBClassifier(**FEW).fit(small.x, small.three)
    content = document(model)
    parameters = content["learner"]["learner_model_param"]
    shift = np.array(json.loads(parameters["base_score"])) - 0.5
    parameters["base_score"] = "5E-1"
    del parameters["num_target"], content["learner"]["gradient_booster"]["model"]["iteration_indptr"]
    found = conversion(saved(content), small)
    odds = model.predict_proba(found.x).astype(np.float64) * np.exp(-shift)
    found.assert_close(odds / odds.sum(axis=1, keepdims=True), 1e-6)


def test_names_of_features_are_the_default(small):
    names = ["pt", "eta", "mass", "njets"]
    data = xgb.DMatrix(small.x, small.binary, feature_names=names)
    model = xgb.train({"objective": "binary:logistic"}, data, 2)
    assert [one.expression for one in TMVA.from_forest(model).variables] == names


def damage(content, path, value):
    *way, last = path
    for step in way:
        content = content[step]
    if value is None:
        del content[last]
    else:
        content[last] = value


TREE = ("learner", "gradient_booster", "model", "trees", 0)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("learner", "objective"), None, "there is no 'objective'"),
        ((*TREE, "left_children", 0), 99, "a daughter that does not exist"),
        ((*TREE, "left_children", 0), 0, "a daughter that does not exist"),
        ((*TREE, "right_children", 0), 1, "a node has two parents"),
        ((*TREE, "split_conditions", 0), float("nan"), "not a number"),
        ((*TREE, "split_indices"), [0], "lists of different lengths"),
        ((*TREE, "split_indices", 0), 17, "a feature beyond the 4 features"),
        (("learner", "gradient_booster", "model", "tree_info"), [0], "argument"),
        (("learner", "learner_model_param", "base_score"), "many", "damaged"),
    ],
)
def test_damaged_files_say_what_is_wrong(path, value, message, small, saved):
    content = document(xgb.XGBClassifier(**FEW).fit(small.x, small.binary))
    damage(content, path, value)
    with pytest.raises((WeightFileError, InputError), match=message):
        TMVA.from_forest(saved(content), NAMES)


# ---- what there is not


def test_categorical_splits_are_refused(small):
    data = xgb.DMatrix(
        np.abs(small.x).round(), small.binary, feature_types=["c", "q", "q", "q"], enable_categorical=True
    )
    model = xgb.train({"objective": "binary:logistic", "max_cat_to_onehot": 1, "nthread": 1}, data, 8)
    with pytest.raises(InputError, match=r"categorical splits \(feature number 0\)"):
        TMVA.from_forest(model, NAMES)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"booster": "gblinear"}, "the booster gblinear has no trees"),
        ({"missing": -999.0}, r"a number for missing values \(missing=-999.0\)"),
        ({"objective": "survival:cox"}, "TMVA has no equivalent of this objective; supported: binary:logistic"),
    ],
)
def test_models_that_cannot_be_written_say_why(settings, message, small):
    model = xgb.XGBRegressor(n_estimators=2, **settings).fit(small.x, small.target)
    with pytest.raises(InputError, match=message):
        TMVA.from_forest(model, NAMES)


@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
def test_several_targets_are_refused(strategy, small):
    model = xgb.XGBRegressor(n_estimators=2, multi_strategy=strategy, tree_method="hist")
    model.fit(small.x, small.x[:, :2])
    with pytest.raises(InputError, match="2 targets, which TMVA's forests do not have"):
        TMVA.from_forest(model, NAMES)


def test_vector_leaves_are_refused(small):
    model = xgb.XGBClassifier(n_estimators=2, multi_strategy="multi_output_tree", tree_method="hist")
    model.fit(small.x, small.three)
    with pytest.raises(InputError, match="trees with several outputs"):
        TMVA.from_forest(model, NAMES)


def test_a_dump_and_what_is_not_fitted(small, tmp_path):
    model = xgb.XGBClassifier(**FEW)
    with pytest.raises(InputError, match="XGBClassifier is not fitted"):
        TMVA.from_forest(model, NAMES)
    model.fit(small.x, small.binary)
    for name, form in (("dump.json", "json"), ("dump.txt", "text")):
        model.get_booster().dump_model(tmp_path / name, dump_format=form)
        assert foreign_file(tmp_path / name) == "XGBoost (dump)"
        with pytest.raises(InputError, match="use save_model, not dump_model"):
            TMVA.from_forest(tmp_path / name, NAMES)
