"""Trainings: the sums of the method written out, and what is said where it cannot work."""

# ruff: noqa: N806 - the notation of the method

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.linear.fisher import fit_fisher
from pytmva_bnn.methods.linear.ld import fit_classification, fit_regression
from pytmva_bnn.methods.linear.matrices import checked_inverse

NAMES = ["a", "b", "c"]
DATA = Path(__file__).resolve().parents[3] / "xml_fixtures" / "data"


def moments(x, w):
    """Sum of weights, mean and covariance, event by event."""
    W = sum(w.tolist())
    mean = sum(weight * row for weight, row in zip(w, x, strict=True)) / W
    return W, mean, sum(weight * np.outer(row - mean, row - mean) for weight, row in zip(w, x, strict=True)) / W


@pytest.mark.parametrize("mahalanobis", [False, True])
def test_fisher_is_the_formula(events, mahalanobis, mode):
    del mode
    x, w, signal = events.inputs.astype(float), events.weights, events.is_signal
    (W_S, m_S, T_S), (W_B, m_B, T_B) = (moments(x[chosen], w[chosen]) for chosen in (signal, ~signal))
    m = (W_S * m_S + W_B * m_B) / (W_S + W_B)
    B = (W_S * np.outer(m_S - m, m_S - m) + W_B * np.outer(m_B - m, m_B - m)) / (W_S + W_B)
    T = T_S + T_B
    f = np.sqrt(W_S * W_B) / (W_S + W_B)
    F = f * np.linalg.solve(T + B if mahalanobis else T, m_S - m_B)
    fitted = fit_fisher(events, NAMES, mahalanobis=mahalanobis)
    np.testing.assert_allclose(fitted.coefficients[0, 1:], F, rtol=1e-11)
    assert fitted.offset == pytest.approx(-0.5 * F @ (m_S + m_B), rel=1e-11)
    np.testing.assert_allclose(fitted.powers, np.diag(B) / np.diag(T + B), rtol=1e-11)
    middle = np.float32([(m_S + m_B) / 2])
    assert fitted.respond(middle)[0, 0] == pytest.approx(0.0, abs=1e-6)


def test_ld_is_the_regression_of_the_class_with_another_constant(events, mode):
    del mode
    x, w = events.inputs.astype(float), events.weights
    A = np.column_stack([np.ones(len(x)), x])
    c = np.linalg.solve(A.T @ (A * w[:, None]), A.T @ (w * events.is_signal))
    found = fit_classification(events, NAMES)
    np.testing.assert_allclose(found[0, 1:], c[1:], rtol=1e-5)  # products in float32
    mean = (w @ x) / w.sum()
    assert found[0, 0] == pytest.approx(-0.5 * found[0, 1:] @ mean, rel=1e-12)


def test_ld_fits_each_target(events):
    x, w, t = events.inputs.astype(float), events.weights, events.targets.astype(float)
    A = np.column_stack([np.ones(len(x)), x])
    expected = np.linalg.solve(A.T @ (A * w[:, None]), A.T @ (t * w[:, None])).T
    np.testing.assert_allclose(fit_regression(events, NAMES), expected, rtol=1e-4)
    for k in range(2):
        alone = fit_regression(replace(events, targets=events.targets[:, [k]]), NAMES)
        np.testing.assert_array_equal(alone[0], fit_regression(events, NAMES)[k])


def test_products_of_ld_are_rounded(events):
    """Shown by a variable of two values whose square float32 cannot hold."""
    x = np.where(np.arange(400) % 2 > 0, np.float32(1.0 + 2.0**-23), np.float32(-1.0))[:, np.newaxis]
    t = x.astype(float) * 3.0
    one = replace(events, inputs=x, targets=t.astype(np.float32), weights=np.ones(400))
    rounded = np.float32(x * x).astype(float)
    A = np.array([[400.0, x.sum(dtype=float)], [x.sum(dtype=float), rounded.sum()]])
    v = np.array([one.targets.sum(dtype=float), (x.astype(float) * one.targets).sum()])
    found = fit_regression(one, ["a"])
    np.testing.assert_allclose(found[0], np.linalg.solve(A, v), rtol=1e-13, atol=1e-13)
    assert abs(found[0, 1] - 3.0) > 1e-8  # what exact products would give


# -- what cannot be inverted


def test_dependent_and_constant_variables_are_named(events):
    x = events.inputs.copy()
    x[:, 2] = 0.0
    for fit in (lambda e: fit_fisher(e, NAMES, mahalanobis=False), lambda e: fit_classification(e, NAMES)):
        with pytest.raises(InputError, match=r"matrix is singular .* c is constant.*: remove such variables"):
            fit(replace(events, inputs=x))
    exact = np.round(events.inputs * 8)
    exact[:, 1] = 2 * exact[:, 0]
    with pytest.raises(InputError, match=r"a, b depend on each other .*: remove one of them"):
        fit_fisher(replace(events, inputs=exact * np.float32(1e-9)), NAMES, mahalanobis=False)
    with pytest.raises(InputError, match="not finite"):
        fit_classification(replace(events, inputs=events.inputs * np.float32(1e30)), NAMES)


def test_almost_singular_matrices_are_reported_and_inverted(caplog):
    matrix = np.diag([1e-15, 1e-14])
    message = "it is %s with determinant=%g did you use linear combinations%s?"
    inverse = checked_inverse(matrix, message, NAMES[:2], logging.getLogger("test"))
    np.testing.assert_allclose(inverse, np.diag([1e15, 1e14]))
    assert caplog.messages == [
        "it is almost singular with determinant=1e-29 did you use linear combinations or highly correlated?"
    ]


def test_small_units_are_no_reason_to_stop(events, caplog):
    """TMVA stops: it compares the determinant with a fixed number."""
    usual = fit_fisher(events, NAMES, mahalanobis=False)
    tiny = fit_fisher(replace(events, inputs=events.inputs * np.float32(2.0**-80)), NAMES, mahalanobis=False)
    assert "only the units of the variables are small" in caplog.text
    np.testing.assert_allclose(tiny.coefficients[0, 1:] * 2.0**-80, usual.coefficients[0, 1:], rtol=1e-11)
    assert tiny.offset == pytest.approx(usual.offset, rel=1e-11)


def test_classes_without_weight_are_refused(events):
    weights = np.where(events.is_signal, events.weights, 0.0)
    with pytest.raises(InputError, match="the weights of the background training events add up to 0"):
        fit_fisher(replace(events, weights=weights), NAMES, mahalanobis=False)


# -- from the booking to the file


def booked(kind, options="", *, variables=("var1", "var2"), swapped=False, analysis="Classification", targets=()):
    loader = TMVA.DataLoader("dataset")
    for name in variables:
        loader.AddVariable(name)
    for name in targets:
        loader.AddTarget(name)
    if analysis == "Regression":
        loader.AddRegressionTree(f"{DATA / 'reg.root'}:TreeR")
        loader.PrepareTrainingAndTestTree("", "nTrain_Regression=300:nTest_Regression=200:SplitMode=Block")
    else:
        trees = [("Signal", "TreeS"), ("Background", "TreeB")]
        for name, tree in trees[::-1] if swapped else trees:
            loader.AddTree(f"{DATA / 'class.root'}:{tree}", name)
        numbers = "nTrain_Signal=300:nTrain_Background=400:nTest_Signal=200:nTest_Background=200"
        loader.PrepareTrainingAndTestTree("", f"{numbers}:SplitMode=Block:NormMode=None")
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType={analysis}")
    return factory, factory.BookMethod(loader, kind, "title", options)


def trained(*args, **kwargs):
    factory, method = booked(*args, **kwargs)
    factory.TrainAllMethods()
    return method


@pytest.mark.parametrize("kind", ["Fisher", "HMatrix"])
@pytest.mark.parametrize("options", ["VarTransform=D", "VarTransform=P_Signal,N"])
def test_the_order_of_classes_does_not_matter(kind, options):
    one, two = (trained(kind, options, swapped=swapped) for swapped in (False, True))
    if kind == "Fisher" and "_Signal" not in options:
        np.testing.assert_allclose(two.model.coefficients, one.model.coefficients, rtol=1e-9)
    x = one.dataset.test.variables[:50]
    np.testing.assert_allclose(two.model.predict(x), one.model.predict(x), rtol=1e-5, atol=1e-6)


def test_hmatrix_transforms_each_class_with_its_own_parameters():
    method = trained("HMatrix", "VarTransform=D_Signal")
    fitted, training = method.trained.fitted, method.dataset.training
    matrices = method.trained.chain.steps[0].matrices
    for k, (mean, inverse) in enumerate(zip(fitted.means, fitted.inverses, strict=True)):
        own = training.variables[training.class_index == k]
        y = (own.astype(float) @ matrices[k].T).astype(np.float32).astype(float)
        np.testing.assert_allclose(mean, y.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(inverse, np.linalg.inv(np.cov(y.T, bias=True)), rtol=1e-9, atol=1e-9)
    # what was trained responds as what is read from its file
    again = TMVA.load_string(method.model.to_xml())
    x = method.dataset.test.variables
    np.testing.assert_allclose(method.model.predict(x), again.predict(x), rtol=1e-6, atol=1e-6)
    training_responses = fitted.respond(method.trained.training.inputs)[:, 0]
    np.testing.assert_allclose(training_responses, again.predict(training.variables), rtol=1e-6, atol=1e-6)


def test_hmatrix_without_a_class_in_its_option_is_the_same(caplog):
    one, two = trained("HMatrix", "VarTransform=D"), trained("HMatrix", "VarTransform=D_Background")
    np.testing.assert_array_equal(one.model.inverses, two.model.inverses)
    assert "does not keep the class" not in caplog.text
    trained("Fisher", "VarTransform=D_Background")
    assert "does not keep the class Background" in caplog.text


@pytest.mark.parametrize(
    ("options", "expected"), [("Fisher", "Fisher"), ("Mahalanobis", "Mahalanobis"), ("", "Fisher")]
)
def test_the_kind_of_fisher_may_be_a_word_alone(options, expected):
    assert booked("Fisher", options)[1].booked.options.string("Method") == expected


def test_wrong_bookings_are_refused():
    with pytest.raises(OptionError, match="Method"):
        booked("Fisher", "Method=Gini")
    with pytest.raises(OptionError, match="LD"):
        booked("LD", "LD")
    for kind, able in (
        ("Fisher", "Classification"),
        ("HMatrix", "Classification"),
        ("LD", "Classification, Regression"),
    ):
        with pytest.raises(InputError, match=f"the method {kind} cannot do AnalysisType=Multiclass; it can do {able}$"):
            TMVA.Factory("job", "AnalysisType=Multiclass").BookMethod(TMVA.DataLoader("d"), kind, "title", "")


@pytest.mark.parametrize("options", ["", "VarTransform=N"])
def test_regression_with_several_targets_is_that_of_each(options):
    """TMVA trains one target only, but reads a file with several."""
    targets = ("fvalue", "gvalue")
    both = trained("LD", options, analysis="Regression", targets=targets)
    assert both.model.coefficients.shape == (2, 3)
    x = both.dataset.test.variables
    for k, target in enumerate(targets):
        alone = trained("LD", options, analysis="Regression", targets=(target,))
        np.testing.assert_array_equal(both.model.predict(x)[:, k], alone.model.predict(x)[:, 0])
    assert TMVA.load_string(both.model.to_xml()).predict(x).tolist() == both.model.predict(x).tolist()


@pytest.mark.parametrize("kind", ["Fisher", "LD", "HMatrix"])
def test_cross_validation(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    loader = booked(kind)[1].loader
    cv = TMVA.CrossValidation("cv", loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod(kind, "title", "VarTransform=D")
    cv.Evaluate()
    (result,) = cv.GetResults()
    assert len(result.folds) == 2
    assert all(0.6 < area < 0.9 for area in result.GetROCValues())
    model = TMVA.load(tmp_path / "dataset" / "weights" / "cv_title_fold1.weights.xml")
    assert model.kind == kind
