"""What predict_proba means for each kind of response."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.metrics import log_loss

from pytmva_bnn.errors import InputError
from pytmva_bnn.estimators import (
    BDTClassifier,
    BNNClassifier,
    FisherClassifier,
    KNNClassifier,
    LikelihoodClassifier,
    PDEFoamClassifier,
    PDERSClassifier,
    SVMClassifier,
)
from pytmva_bnn.estimators.probabilities import RIDGE, Probability, class_meaning_of, class_probabilities, logistic_fit

SHORT = {"n_cycles": 30, "hidden_layers": 3}


@pytest.mark.parametrize(
    ("estimator", "meaning"),
    [
        (BNNClassifier(**SHORT), "probability"),
        (KNNClassifier(), "probability"),
        (PDEFoamClassifier(n_active_cells=20), "probability"),
        (BDTClassifier(n_trees=20), "gradient boosting"),
        (BDTClassifier(n_trees=20, boost_type="AdaBoost"), "calibrated"),
        (LikelihoodClassifier(), "equal priors"),
        (LikelihoodClassifier(transform_output=True), "calibrated"),
        (PDERSClassifier(), "equal priors"),
        (FisherClassifier(), "calibrated"),
        (SVMClassifier(tol=0.1), "calibrated"),
    ],
    ids=repr,
)
def test_probabilities_decisions_and_classes_agree(two_classes, estimator, meaning):
    x, y = two_classes
    estimator.fit(x, y)
    assert estimator.probability_.meaning == meaning
    p = estimator.predict_proba(x)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(estimator.predict(x), p.argmax(axis=1))
    np.testing.assert_array_equal(estimator.predict(x), estimator.decision_function(x) > 0)
    # better than knowing the fractions of the classes only
    assert log_loss(y, np.clip(p, 1e-3, 1 - 1e-3)) < 0.97 * log_loss(y, np.full(len(y), y.mean()))


def test_gradient_boosting_inverts_the_response(two_classes):
    x, y = two_classes
    bdt = BDTClassifier(n_trees=20).fit(x, y)
    response = bdt.model_.predict(x)
    f = np.arctanh(response)  # the sum of the trees: response = 2/(1 + exp(-2F)) - 1 = tanh F
    np.testing.assert_allclose(bdt.predict_proba(x)[:, 1], 1.0 / (1.0 + np.exp(-2.0 * f)), rtol=1e-12)


def test_equal_priors_become_those_of_the_training():
    probability = Probability("equal priors", signal_fraction=0.2)
    r = np.array([0.0, 0.5, 0.8, 1.0])
    np.testing.assert_allclose(probability.of(r), [0.0, 0.2, 0.5, 1.0])
    np.testing.assert_allclose(probability.decision(r), [-0.8, -0.3, 0.0, 0.2], atol=1e-15)


def test_the_prior_of_a_likelihood_follows_the_weights(two_classes):
    x, y = two_classes
    few = LikelihoodClassifier().fit(x, y, np.where(y == 1, 0.1, 1.0))
    even = LikelihoodClassifier().fit(x, y, np.where(y == 1, 1.0 / y.sum(), 1.0 / (1 - y).sum()))
    np.testing.assert_allclose(even.predict_proba(x)[:, 1], np.clip(even.model_.predict(x), 0, 1), atol=1e-7)
    assert few.probability_.signal_fraction == pytest.approx(0.1 * y.sum() / (0.1 * y.sum() + (1 - y).sum()))
    assert few.predict_proba(x)[:, 1].mean() < 0.5 * even.predict_proba(x)[:, 1].mean()


def test_the_logistic_fit_is_the_most_likely_one():
    rng = np.random.default_rng(8)
    r = rng.normal(3.0, 0.1, size=500)
    is_signal = rng.random(500) < 1 / (1 + np.exp(-20.0 * (r - 3.05)))
    weights = rng.uniform(0.5, 2.0, size=500)
    w, spread = weights / weights.sum(), np.sqrt(np.cov(r, aweights=weights, ddof=0))

    def cost(parameters):
        z = parameters[0] * r + parameters[1]
        return w @ (np.logaddexp(0, z) - is_signal * z) + RIDGE / 2 * (parameters[0] * spread) ** 2

    slope, offset = logistic_fit(r, is_signal, weights)
    best = minimize(cost, [15.0, -45.0], method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-14, "maxiter": 4000})
    assert slope == pytest.approx(best.x[0], rel=1e-4)
    assert offset == pytest.approx(best.x[1], rel=1e-4)


def test_separated_classes_have_finite_odds():
    slope, offset = logistic_fit(np.array([-1.0, -0.5, 0.5, 1.0]), np.array([0, 0, 1, 1]) == 1, np.ones(4))
    assert 2.0 < slope < 100.0
    assert offset == pytest.approx(0.0, abs=1e-6)
    # responses that are all the same: the fraction of signal
    slope, offset = logistic_fit(np.zeros(4), np.array([0, 1, 1, 1]) == 1, np.ones(4))
    assert 1 / (1 + np.exp(-offset)) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("estimator", "meaning"),
    [
        (BNNClassifier(**SHORT), "probabilities"),
        (BNNClassifier(**SHORT, multiclass="TMVA"), "softmax of fractions"),
        (BDTClassifier(n_trees=10), "probabilities"),
        (PDEFoamClassifier(n_active_cells=20), "softmax of fractions"),
    ],
    ids=repr,
)
def test_several_classes(three_classes, estimator, meaning):
    x, y = three_classes
    labels = np.array(["top", "bottom", "charm"])[y]
    estimator.fit(x, labels)
    assert class_meaning_of(estimator.model_) == meaning
    p = estimator.predict_proba(x)
    assert p.shape == (300, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(p.argmax(axis=1), estimator.model_.predict(x).argmax(axis=1))
    np.testing.assert_array_equal(p.argmax(axis=1), estimator.decision_function(x).argmax(axis=1))
    assert estimator.model_.classes == ("bottom", "charm", "top")
    assert estimator.score(x, labels) > 0.7


def test_fractions_come_out_of_their_softmax():
    fractions = np.array([[0.7, 0.2, 0.1], [1.2, -0.1, -0.1]])
    powers = np.exp(fractions)
    softmax = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(
        class_probabilities(softmax, "softmax of fractions"), [[0.7, 0.2, 0.1], [1.0, 0.0, 0.0]], atol=1e-12
    )
    np.testing.assert_allclose(class_probabilities(softmax, "probabilities"), softmax)


def test_a_method_for_two_classes_says_so(three_classes):
    with pytest.raises(InputError, match=r"Only binary classification is supported\..*cannot tell 3 classes apart"):
        FisherClassifier().fit(*three_classes)
    with pytest.raises(InputError, match="Only binary classification"):
        BDTClassifier(boost_type="AdaBoost").fit(*three_classes)
