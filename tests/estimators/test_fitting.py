"""The training behind an estimator is the Factory's, its model TMVA's."""

import numpy as np
import pytest
from sklearn.base import is_classifier

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.estimators import (
    BDTClassifier,
    BDTRegressor,
    BNNClassifier,
    BNNRegressor,
    FisherClassifier,
    HMatrixClassifier,
    KNNClassifier,
    LDRegressor,
    PDEFoamClassifier,
    PDEFoamRegressor,
)
from pytmva_bnn.estimators.fitting import usable_features
from pytmva_bnn.tmva_types import AnalysisType

TMVA_DEFAULTS = {"boost_type": "AdaBoost", "shrinkage": 1.0}


def by_factory(x, y, estimator, weights, **changed):
    """Return the model that the Factory trains with the same events and options."""
    loader = TMVA.DataLoader("dataset")
    for name in ("x0", "x1"):
        loader.AddVariable(name)
    columns = {"x0": x[:, 0], "x1": x[:, 1], "w": weights, "y": y}
    if not is_classifier(estimator):
        analysis, parts = "Regression", {"Regression": y == y}
    elif len(np.unique(y)) == 2:
        analysis, parts = "Classification", {"Signal": y == 1, "Background": y == 0}
    else:
        analysis, parts = "Multiclass", {str(label): y == label for label in np.unique(y)}
    for name, part in parts.items():
        for kind in (TMVA.Types.kTraining, TMVA.Types.kTesting):
            loader.AddTree({key: values[part] for key, values in columns.items()}, name, 1.0, "", kind)
        loader.SetWeightExpression("w", name)
    if analysis == "Regression":
        loader.AddTarget("y")
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:NormMode=None:!V")
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType={analysis}")
    method = factory.BookMethod(loader, estimator.kind, "method", estimator.option_string(**changed))
    factory.TrainAllMethods()
    return method.model


@pytest.mark.parametrize(
    "estimator",
    [
        BDTClassifier(n_trees=850, max_depth=3, **TMVA_DEFAULTS),
        BDTClassifier(n_trees=30),
        BDTRegressor(n_trees=30),
        BNNClassifier(n_cycles=40),
        BNNRegressor(n_cycles=20, hidden_layers=4, hessian_per_output=False),
        FisherClassifier(),
        KNNClassifier(),
    ],
    ids=repr,
)
def test_estimator_factory_and_reader_give_the_same_numbers(two_classes, tmp_path, estimator):
    x, y = two_classes
    y = y if is_classifier(estimator) else x[:, 0] ** 2 + y
    weights = np.random.default_rng(3).uniform(0.5, 1.5, size=len(x))
    estimator.fit(x, y, weights)
    response = estimator.model_.predict(x)
    changed = estimator._changed(AnalysisType.CLASSIFICATION)
    np.testing.assert_array_equal(response, by_factory(x, y, estimator, weights, **changed).predict(x))

    estimator.save(tmp_path / "weights.xml")
    reader = TMVA.Reader("!Color:Silent")
    memory = [np.zeros(1, dtype=np.float32) for _ in range(2)]
    for name, place in zip(("x0", "x1"), memory, strict=True):
        reader.AddVariable(name, place)
    reader.BookMVA("method", str(tmp_path / "weights.xml"))
    for event, expected in zip(x[:5], response[:5], strict=True):
        memory[0][0], memory[1][0] = event
        found = reader.EvaluateMVA("method") if is_classifier(estimator) else reader.EvaluateRegression("method")[0]
        assert found == pytest.approx(np.ravel(expected)[0], abs=2e-6)


@pytest.mark.parametrize(
    "estimator",
    [
        BDTClassifier(n_trees=20),
        BNNClassifier(n_cycles=20, hidden_layers=3),
        BNNClassifier(n_cycles=20, hidden_layers=3, multiclass="TMVA"),
    ],
    ids=repr,
)
def test_the_same_with_several_classes(three_classes, estimator):
    x, y = three_classes
    weights = np.random.default_rng(3).uniform(0.5, 1.5, size=len(x))
    response = estimator.fit(x, y, weights).model_.predict(x)
    assert response.shape == (300, 3)
    changed = estimator._changed(AnalysisType.MULTICLASS)
    np.testing.assert_array_equal(response, by_factory(x, y, estimator, weights, **changed).predict(x))


def test_the_second_class_is_the_signal(two_classes):
    x, y = two_classes
    fisher = FisherClassifier().fit(x, np.where(y == 1, "b", "c"))
    assert list(fisher.classes_) == ["b", "c"]
    np.testing.assert_allclose(fisher.model_.predict(x), -FisherClassifier().fit(x, y).model_.predict(x), rtol=1e-6)


def test_nothing_is_written(two_classes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    BDTClassifier(n_trees=3).fit(*two_classes)
    BNNClassifier(n_cycles=3, hidden_layers=2).fit(*two_classes)
    assert list(tmp_path.iterdir()) == []


def test_events_of_weight_zero_are_not_there(two_classes):
    x, y = two_classes
    half = np.arange(len(x)) % 2
    with_zeros = KNNClassifier().fit(x, y, half).predict_proba(x)
    np.testing.assert_array_equal(with_zeros, KNNClassifier().fit(x[1::2], y[1::2]).predict_proba(x))


def test_negative_weights_count_with_their_sign(two_classes):
    x, y = two_classes
    weights = np.where(np.arange(len(x)) % 5, 1.0, -0.3)
    fisher = FisherClassifier().fit(x, y, weights)
    assert abs(fisher.predict_proba(x) - FisherClassifier().fit(x, y).predict_proba(x)).max() > 1e-3


def test_constant_features_are_left_out(two_classes):
    x, y = two_classes
    wide = np.column_stack([x[:, 0], np.full(len(x), 7.0), x[:, 1]])
    bnn = BNNClassifier(n_cycles=5, hidden_layers=2).fit(wide, y)
    assert [one.expression for one in bnn.model_.variables] == ["x0", "x2"]
    np.testing.assert_array_equal(bnn.used_features_, [True, False, True])
    plain = BNNClassifier(n_cycles=5, hidden_layers=2).fit(x, y)
    np.testing.assert_array_equal(bnn.predict_proba(wide), plain.predict_proba(x))
    bdt = BDTClassifier(n_trees=5).fit(wide, y)
    assert bdt.feature_importances_[1] == 0.0
    assert bdt.feature_importances_.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("estimator", [FisherClassifier(), HMatrixClassifier(), LDRegressor()], ids=repr)
def test_linear_methods_leave_out_what_follows_from_other_features(two_classes, estimator):
    x, y = two_classes
    wide = np.column_stack([x, x[:, 0] - 2 * x[:, 1] + 5])
    estimator.fit(wide, y)
    np.testing.assert_array_equal(estimator.used_features_, [True, True, False])
    assert estimator.score(wide, y) > 0.1


def test_features_that_depend_on_each_other_within_a_class():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(20, 2)).astype(np.float32)
    label = np.repeat([0, 1], 10)
    shifted = np.column_stack([x[:, 0], x[:, 0] + 3 * label])
    np.testing.assert_array_equal(usable_features(shifted, label, "no"), [True, True])
    np.testing.assert_array_equal(usable_features(shifted, label, "in all"), [True, False])
    mixed = np.column_stack([x[:, 0], np.where(label, x[:, 0], x[:, 1])])
    np.testing.assert_array_equal(usable_features(mixed, label, "in all"), [True, True])
    np.testing.assert_array_equal(usable_features(mixed, label, "in each class"), [True, False])


def test_a_constant_target_is_fitted(two_classes):
    x, _ = two_classes
    targets = np.column_stack([x[:, 0], np.full(len(x), 3.0)])
    fitted = BNNRegressor(n_cycles=60, hidden_layers=2).fit(x, targets)
    assert fitted.model_.options.string("VarTransform") == "N(_V0_,_V1_,_T0_)"
    assert fitted.predict(x).shape == (400, 2)
    np.testing.assert_allclose(fitted.predict(x)[:, 1], 3.0, atol=0.1)


def test_few_events_have_few_neighbours_and_large_boxes(two_classes):
    x, y = two_classes
    assert KNNClassifier().fit(x, y).model_.options.integer("nkNN") == 20
    few = KNNClassifier().fit(x[:10], y[:10])
    assert few.model_.options.integer("nkNN") == 8
    assert few.nknn == 20
    foam = PDEFoamClassifier(n_active_cells=20)
    assert foam.fit(x, y).model_.options.real("VolFrac") == pytest.approx(1 / 15)
    wide = np.random.default_rng(1).normal(size=(20, 5))
    # the boxes have to meet events of every class
    several = np.repeat([0, 1, 2], [3, 7, 10])
    assert foam.fit(wide, several).model_.options.real("VolFrac") == pytest.approx((0.5 / 3) ** (1 / 5))
    regressor = PDEFoamRegressor(n_active_cells=20).fit(wide, wide[:, 0])
    assert regressor.model_.options.real("VolFrac") == pytest.approx((0.5 / 20) ** (1 / 5))


def test_targets_must_fit_into_float32(two_classes):
    x, _ = two_classes
    with pytest.raises(ValueError, match="y contains infinity or a value too large"):
        LDRegressor().fit(x, np.full(len(x), 1e300))
    with pytest.raises(InputError, match="LDRegressor needs at least two events whose weights are not 0, got 1"):
        LDRegressor().fit(x, x[:, 0], np.arange(len(x)) == 3)


def test_one_class_is_not_enough(two_classes):
    x, y = two_classes
    with pytest.raises(InputError, match="at least two classes, but there is 1 class"):
        FisherClassifier().fit(x, y, (y == 1).astype(float))
