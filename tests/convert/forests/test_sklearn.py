"""Forests of scikit-learn: the same leaves for every event, the same values by the formulas of docs/bridges.md."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError

pytest.importorskip("sklearn", reason="the extra bridges is not installed")
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, RobustScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

NAMES = ["pt", "eta", "mass", "n"]
MEANS = (RandomForestClassifier, ExtraTreesClassifier)
FEW = {"n_estimators": 15, "max_depth": 4, "random_state": 1}


# ---- classification


@pytest.mark.parametrize("settings", [{}, {"loss": "exponential"}, {"init": "zero"}, {"max_leaf_nodes": 6}])
def test_gradient_boosting_gives_2p_minus_1(settings, sample, conversion):
    model = GradientBoostingClassifier(**FEW, **settings).fit(sample.x, sample.binary)
    found = conversion(model, sample)
    found.assert_same_leaves(model.apply(found.x))
    found.assert_close(2 * model.predict_proba(found.x)[:, 1] - 1, 5e-8)
    # it rounds events to float32 as TMVA does
    np.testing.assert_allclose(
        found.model.predict(sample.x), 2 * model.predict_proba(sample.x)[:, 1] - 1, rtol=0, atol=5e-8
    )


@pytest.mark.parametrize("settings", [{}, {"early_stopping": True, "max_iter": 60, "n_iter_no_change": 2}])
def test_histogram_gradient_boosting_gives_2p_minus_1(settings, sample, conversion):
    model = HistGradientBoostingClassifier(**{"max_iter": 15, "random_state": 1} | settings)
    model.fit(sample.x, sample.binary)
    found = conversion(model, sample)
    assert found.forest.n_trees == model.n_iter_ + 1
    found.assert_close(2 * model.predict_proba(found.x)[:, 1] - 1, 5e-8)


def test_early_stopping_of_gradient_boosting(sample, conversion):
    model = GradientBoostingClassifier(n_estimators=200, n_iter_no_change=2, random_state=1)
    model.fit(sample.x, sample.binary)
    found = conversion(model, sample)
    assert found.forest.n_trees == model.n_estimators_ + 1 < 201
    found.assert_close(2 * model.predict_proba(found.x)[:, 1] - 1, 5e-8)


def test_adaboost_gives_half_of_the_decision_function(sample, conversion):
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=12, random_state=1)
    model.fit(sample.x, sample.binary)
    found = conversion(model, sample)
    found.assert_same_leaves(np.column_stack([tree.apply(found.x) for tree in model.estimators_]))
    found.assert_close(model.decision_function(found.x) / 2, 1e-7)
    found.assert_close(model.predict_proba(found.x)[:, 1], 1e-7, 1 / (1 + np.exp(-2 * found.response)))
    assert (found.model.options.string("BoostType"), found.model.options.flag("UseYesNoLeaf")) == ("AdaBoost", True)


def test_a_leaf_with_equal_classes_votes_as_in_scikit_learn(conversion, small):
    x = np.zeros((64, 4))
    x[32:, 0] = 1.0
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=1)
    model.fit(x, np.where(np.arange(64) < 32, 1, np.arange(64) % 2))
    assert (model.estimators_[0].tree_.value[2] == 0.5).all()
    found = conversion(model, small)
    found.assert_close(model.decision_function(found.x) / 2, 1e-7)
    assert found.model.predict([[1.0, 0.0, 0.0, 0.0]]) == -1.0


def test_a_majority_of_one_bit_is_a_majority(small, conversion):
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=1).fit(small.x, small.binary)
    value = model.estimators_[0].tree_.value
    value[1, 0], value[2, 0] = (np.nextafter(2, 0), 2.0), (2.0, np.nextafter(2, 0))
    assert value[1, 0, 1] / value[1, 0].sum() == 0.5  # a division would lose it
    found = conversion(model, small)
    found.assert_close(model.decision_function(found.x) / 2, 1e-7)
    assert {*found.response.tolist()} == {-1.0, 1.0}


@pytest.mark.parametrize("kind", [*MEANS, DecisionTreeClassifier])
def test_means_of_trees_give_the_probability(kind, sample, conversion):
    model = kind(random_state=1, **({"n_estimators": 12} if kind in MEANS else {})).fit(sample.x, sample.binary)
    found = conversion(model, sample)
    found.assert_same_leaves(model.apply(found.x))
    found.assert_close(model.predict_proba(found.x)[:, 1], 5e-8)
    assert (found.model.options.string("BoostType"), found.model.options.flag("UseYesNoLeaf")) == ("Bagging", False)


# ---- multiclass


@pytest.mark.parametrize(
    "model",
    [
        GradientBoostingClassifier(**FEW),
        HistGradientBoostingClassifier(max_iter=15),
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=12, random_state=1),
        DecisionTreeClassifier(max_depth=6),
        RandomForestClassifier(n_estimators=1, random_state=1),
    ],
    ids=lambda model: type(model).__name__,
)
def test_multiclass_gives_the_probabilities(model, sample, conversion):
    model.fit(sample.x, sample.three)
    found = conversion(model, sample, classes=["low", "middle", "high"])
    found.assert_close(model.predict_proba(found.x), 1e-7)
    assert found.model.classes == ("low", "middle", "high")


@pytest.mark.parametrize("kind", MEANS)
def test_multiclass_of_means_gives_the_probabilities_by_a_formula(kind, sample, conversion):
    model = kind(n_estimators=12, random_state=1).fit(sample.x, sample.three)
    found = conversion(model, sample)
    logarithms = np.log(found.response.astype(np.float64))
    found.assert_close(model.predict_proba(found.x), 3e-7, logarithms + (1 - logarithms.sum(axis=1, keepdims=True)) / 3)
    found.assert_same_leaves(np.repeat(model.apply(found.x), 3, axis=1))


# ---- regression


@pytest.mark.parametrize(
    "model",
    [
        GradientBoostingRegressor(**FEW),
        GradientBoostingRegressor(loss="huber", **FEW),
        GradientBoostingRegressor(loss="quantile", init="zero", **FEW),
        HistGradientBoostingRegressor(max_iter=15),
        RandomForestRegressor(n_estimators=12, random_state=1),
        ExtraTreesRegressor(n_estimators=12, random_state=1),
        DecisionTreeRegressor(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_regression_gives_the_prediction(model, sample, conversion):
    model.fit(sample.x, sample.target)
    found = conversion(model, sample, target="energy")
    found.assert_close(model.predict(found.x), 1e-6 * np.abs(sample.target).max())
    assert [one.expression for one in found.model.targets] == ["energy"]


@pytest.mark.parametrize("loss", ["poisson", "gamma"])
def test_a_log_link_gives_the_logarithm_and_a_warning(loss, small, conversion, caplog):
    model = HistGradientBoostingRegressor(loss=loss, max_iter=5).fit(small.x, np.abs(small.target) + 0.1)
    found = conversion(model, small)
    found.assert_close(np.log(model.predict(found.x)), 1e-6)
    assert "the response in TMVA is the logarithm of the prediction" in caplog.text
    assert found.model.info["Response"] == "logarithm of the prediction"


# ---- pipelines


@pytest.mark.parametrize(
    ("scalers", "last"),
    [
        ((StandardScaler(),), GradientBoostingClassifier(**FEW)),
        ((MinMaxScaler(), "passthrough"), RandomForestClassifier(**FEW)),
        ((RobustScaler(), StandardScaler()), HistGradientBoostingClassifier(max_iter=8)),
    ],
)
def test_scalers_go_into_the_cuts(scalers, last, sample, conversion):
    pipeline = make_pipeline(*scalers, last).fit(sample.x, sample.binary)
    found = conversion(pipeline, sample)
    expected = pipeline.predict_proba(found.x.astype(np.float64))[:, 1]
    found.assert_close(expected if "RandomForest" in repr(last) else 2 * expected - 1, 5e-8)


def test_other_steps_of_a_pipeline_are_refused(small):
    pipeline = make_pipeline(PolynomialFeatures(), DecisionTreeClassifier()).fit(small.x, small.binary)
    with pytest.raises(InputError, match="a Pipeline with PolynomialFeatures: only StandardScaler, MinMaxScaler"):
        TMVA.from_forest(pipeline, NAMES)


# ---- what there is not


def test_categorical_features_are_refused_by_number(small):
    model = HistGradientBoostingClassifier(max_iter=2, categorical_features=[3])
    model.fit(np.abs(small.x), small.binary)
    with pytest.raises(InputError, match=r"categorical features \(number 3\), which TMVA's forests do not have"):
        TMVA.from_forest(model, NAMES)


def test_splits_on_missing_values_are_refused(small):
    x = small.x.copy()
    x[small.binary == 1, 2] = np.nan
    model = DecisionTreeClassifier(max_depth=1).fit(x, small.binary)
    with pytest.raises(InputError, match="a tree asks whether the feature number 2 is missing"):
        TMVA.from_forest(model, NAMES)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (AdaBoostRegressor(n_estimators=3), "the weighted median of the trees"),
        (AdaBoostClassifier(GaussianNB(), n_estimators=2), "boosts GaussianNB"),
        (GradientBoostingClassifier(init=DecisionTreeClassifier(), n_estimators=2), "the initial estimator"),
        (IsolationForest(n_estimators=2), "IsolationForest cannot be written .* supported: AdaBoostClassifier"),
        (GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1]}), "give its best_estimator_"),
    ],
)
def test_models_that_cannot_be_written_say_why(model, message, small):
    model.fit(small.x, small.binary)
    with pytest.raises(InputError, match=message):
        TMVA.from_forest(model, NAMES)


def test_several_outputs_are_refused(small):
    model = DecisionTreeRegressor(max_depth=2).fit(small.x, small.x[:, :2])
    with pytest.raises(InputError, match="2 outputs, which TMVA's forests do not have; train one model for each"):
        TMVA.from_forest(model, NAMES)


@pytest.mark.parametrize("model", [DecisionTreeClassifier(), GradientBoostingClassifier()])
def test_a_model_that_is_not_fitted_is_refused(model):
    with pytest.raises(InputError, match="not fitted"):
        TMVA.from_forest(model, NAMES)


def test_iterations_are_for_other_libraries(small):
    with pytest.raises(InputError, match="iterations= is for XGBoost and LightGBM"):
        TMVA.from_forest(DecisionTreeClassifier().fit(small.x, small.binary), NAMES, iterations=3)


# ---- names


def test_names_of_columns_and_of_classes_are_the_default(small):
    pandas = pytest.importorskip("pandas", reason="the extra pandas is not installed")
    frame = pandas.DataFrame(small.x, columns=NAMES)
    labels = np.array(["qcd", "top"])[small.binary]
    model = GradientBoostingClassifier(**FEW).fit(frame, labels)
    converted = TMVA.from_forest(model)
    assert [one.expression for one in converted.variables] == NAMES
    assert converted.classes == ("top", "qcd")  # TMVA's signal comes first
    np.testing.assert_allclose(converted.predict(frame), 2 * model.predict_proba(frame)[:, 1] - 1, rtol=0, atol=5e-8)


def test_converted_file_in_a_reader(small, conversion):
    model = GradientBoostingClassifier(**FEW).fit(small.x, small.binary)
    found = conversion(model, small)
    reader = TMVA.Reader("!Color:Silent")
    memory = [reader.AddVariable(name) for name in NAMES]
    reader.BookMVA("BDT", found.path)
    for event, expected in zip(found.x[:20], found.response, strict=False):
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        assert reader.EvaluateMVA("BDT") == expected
