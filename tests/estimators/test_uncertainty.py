"""Error bars of the Bayesian network."""

import numpy as np
import pytest

from pytmva_bnn.errors import ErrorsNotAvailableError, InputError
from pytmva_bnn.estimators import BNNClassifier, BNNRegressor

SHORT = {"n_cycles": 40, "hidden_layers": 3}


def test_a_probability_has_an_error(two_classes):
    x, y = two_classes
    bnn = BNNClassifier(**SHORT).fit(x, y)
    value, lower, upper = bnn.model_.predict(x, errors=True)
    deviation = bnn.predict_proba_std(x)
    np.testing.assert_allclose(deviation, np.column_stack([(lower + upper) / 2] * 2))
    interval = bnn.predict_interval(x)
    np.testing.assert_allclose(interval, np.column_stack([value - lower, value + upper]), rtol=1e-6)
    wide = bnn.predict_interval(x, level=0.95)
    assert (wide[:, 0] < interval[:, 0]).all()
    assert (wide[:, 1] > interval[:, 1]).all()
    np.testing.assert_allclose(wide, bnn.model_.predict(x, quantiles=[0.025, 0.975]))


def test_a_regression_has_an_error(two_classes):
    x, _ = two_classes
    y = 100.0 * x[:, 0] + np.random.default_rng(1).normal(size=len(x))
    bnn = BNNRegressor(**SHORT).fit(x, y)
    value, deviation = bnn.predict(x, return_std=True)
    assert value.shape == deviation.shape == (400,)
    np.testing.assert_allclose(value, bnn.predict(x))
    found = bnn.model_.predict(x, errors=True)
    np.testing.assert_allclose(deviation, found.lower[:, 0])
    low, high = bnn.predict_interval(x, level=0.6827).T
    np.testing.assert_allclose((high - low) / 2, deviation, rtol=1e-3)
    # in the units of the target, and far below the scatter of single events
    assert 0.02 < np.median(deviation) < 5.0


def test_several_targets_have_errors(two_classes):
    x, _ = two_classes
    y = np.column_stack([x[:, 0], 1000.0 * x[:, 1]])
    bnn = BNNRegressor(**SHORT).fit(x, y)
    value, deviation = bnn.predict(x, return_std=True)
    assert value.shape == deviation.shape == (400, 2)
    assert bnn.predict_interval(x).shape == (400, 2, 2)
    assert (deviation > 0).all()


def test_several_classes_have_errors(three_classes):
    x, y = three_classes
    bnn = BNNClassifier(**SHORT).fit(x, y)
    p, deviation = bnn.predict_proba(x), bnn.predict_proba_std(x)
    np.testing.assert_allclose(p, bnn.model_.predict(x), atol=1e-6)
    assert deviation.shape == (300, 3)
    interval = bnn.predict_interval(x)
    assert interval.shape == (300, 3, 2)
    np.testing.assert_allclose((interval[..., 1] - interval[..., 0]) / 2, deviation, rtol=1e-4)


def test_what_has_no_error_says_why(two_classes, three_classes):
    x, y = two_classes
    plain = BNNClassifier(n_cycles=3, hidden_layers=2, calculate_errors=False, use_regulator=False).fit(x, y)
    with pytest.raises(ErrorsNotAvailableError, match="CalculateErrors"):
        plain.predict_proba_std(x)
    with pytest.raises(ErrorsNotAvailableError, match="several classes have none; train with Multiclass=Softmax"):
        BNNClassifier(n_cycles=3, hidden_layers=2, multiclass="TMVA").fit(*three_classes).predict_interval(x)
    with pytest.raises(InputError, match="level=68"):
        BNNClassifier(n_cycles=3, hidden_layers=2).fit(x, y).predict_interval(x, level=68)
