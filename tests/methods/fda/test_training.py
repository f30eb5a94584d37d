"""Trainings of FDA that TMVA does not do, or does wrongly, and what is refused."""

import logging

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.fda.estimators import Model, SoftmaxLoss, SquaredDistance
from pytmva_bnn.methods.fda.formula import prepared
from pytmva_bnn.methods.fda.option_table import ranges_of
from pytmva_bnn.methods.fitters import MonteCarlo

N = 300


def sample(shift, seed):
    random = np.random.default_rng(seed)
    return {"x": random.normal(shift, 1, N), "y": random.normal(0, 1, N), "w": random.uniform(0.5, 1.5, N)}


def book(options, analysis="Classification", kind="FDA", events=None):
    loader = TMVA.DataLoader("dataset")
    for name in ("x", "y"):
        loader.AddVariable(name)
    if analysis == "Regression":
        for target in ("t", "u"):
            loader.AddTarget(target)
        loader.AddRegressionTree(events)
    else:
        shifts = {"Signal": 0.8, "Background": -0.8} if analysis == "Classification" else {"a": -2, "b": 0, "c": 2}
        for number, (name, shift) in enumerate(shifts.items()):
            loader.AddTree(sample(shift, number), name)
            loader.SetWeightExpression("w", name)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Alternate:NormMode=None:!V")
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:AnalysisType={analysis}")
    return factory, factory.BookMethod(loader, kind, "FDA", options)


def trained(*args, **kwargs):
    factory, method = book(*args, **kwargs)
    factory.TrainAllMethods()
    return method


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


LINEAR = "Formula=(0)+(1)*x0+(2)*x1:ParRanges=(-3,3);(-3,3);(-3,3)"


def least_squares(method):
    """The minimum of the estimator, computed directly."""
    events = method.trained.training
    s, w = events.is_signal, events.weights
    w = w / np.where(s, w[s].sum(), w[~s].sum())
    a = np.column_stack([np.ones(len(s)), events.inputs]).astype(float)
    return np.linalg.solve(a.T @ (w[:, None] * a), a.T @ (w * s))


@pytest.mark.parametrize(
    "fit",
    [
        "FitMethod=MINUIT",
        "FitMethod=MC:SampleSize=20:Converger=MINUIT",
        "FitMethod=GA:PopSize=20:Steps=2:Cycles=1:Converger=MINUIT",
        "FitMethod=SA:MaxCalls=300:Converger=MINUIT",
    ],
)
def test_minuit_really_fits(fit, caplog):
    method = trained(f"{LINEAR}:{fit}")
    np.testing.assert_allclose(method.trained.fitted.parameters[0], least_squares(method), atol=2e-4)
    assert "TMVA's own fit by MINUIT ignores the variables" in caplog.text


def test_a_formula_that_is_not_linear():
    method = trained("Formula=1/(1+exp((0)-(1)*x0)):ParRanges=(-5,5);(-10,10)")
    events = method.trained.training
    s, w, x = events.is_signal, events.weights, events.inputs[:, 0].astype(float)

    def estimator(a, b):
        y = 1 / (1 + np.exp(a - b * x))
        return np.average((y - 1)[s] ** 2, weights=w[s]) + np.average(y[~s] ** 2, weights=w[~s])

    a, b = method.trained.fitted.parameters[0]
    best = estimator(a, b)
    assert 0.5 < b < 5
    for da, db in ((0.02, 0), (-0.02, 0), (0, 0.02), (0, -0.02)):
        assert estimator(a + da, b + db) > best


def test_fixed_parameters_and_limits():
    method = trained("Formula=(0)+(1)*x0+(2)*x1:ParRanges=(0.25,0.25);(-3,3);(-3,-0.5):FitMethod=MINUIT")
    offset, _, slope = method.trained.fitted.parameters[0]
    assert offset == 0.25
    assert slope == pytest.approx(-0.5, abs=1e-3)


def test_multiclass_maximises_the_likelihood(caplog):
    ranges = "ParRanges=(-3,3);(-3,3);(0,0)"
    method = trained(f"Formula=(0)+(1)*x0+(2)*x1:{ranges}:FitMethod=MINUIT:MaxCalls=4000", "Multiclass")
    assert "TMVA's multiclass training of FDA drives the value of the true class to 0" in caplog.text
    probabilities = method.model.predict(np.float32([[-2, 0], [0, 0], [2, 0]]))
    assert probabilities.argmax(axis=1).tolist() == [0, 1, 2]
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-6)
    assert (method.trained.fitted.parameters[:, 2] == 0).all()


def test_each_target_has_a_fit_of_its_own(caplog):
    random = np.random.default_rng(5)
    x, y = random.normal(size=(2, 2 * N))
    events = {"x": x, "y": y, "t": 1 + 2 * x, "u": 0.5 * y - x}
    method = trained(f"{LINEAR}:FitMethod=MINUIT", "Regression", events=events)
    assert "here each has a fit of its own" in caplog.text
    np.testing.assert_allclose(method.trained.fitted.parameters, [[1, 2, 0], [0, -1, 0.5]], atol=2e-3)
    np.testing.assert_allclose(method.model.predict(np.float32([[1, 2]])), [[3, 0]], atol=5e-3)


def test_the_log_is_tmvas(caplog):
    caplog.set_level(logging.INFO)
    method = trained(f"{LINEAR}:FitMethod=MC:SampleSize=50")
    lines = [record.getMessage() for record in caplog.records]
    start = lines.index('Results for parameter fit using "Monte Carlo" fitter:')
    parameters = method.trained.fitted.parameters[0]
    assert lines[start + 2 : start + 6] == [
        *(f"   Par({i}): {value:g}" for i, value in enumerate(parameters)),
        'Discriminator expression: "(0)+(1)*x0+(2)*x1"',
    ]
    assert lines[start + 6].startswith("Value of estimator at minimum: 2.5")


def test_the_whole_house(tmp_path):
    import uproot

    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSignalTree(sample(1, 1))
    loader.AddBackgroundTree(sample(-1, 2))
    factory = TMVA.Factory("job", str(tmp_path / "out.root"), "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
    factory.BookMethod(
        loader, TMVA.Types.kFDA, "FDA", "Formula=(0)+(1)*x0:ParRanges=(-1,1);(0.1,3):FitMethod=GA:Steps=3"
    )
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    assert factory.GetROCIntegral("dataset", "FDA") > 0.85
    with uproot.open(tmp_path / "out.root") as file:
        assert "MVA_FDA_S" in file["dataset/Method_FDA/FDA"].keys(cycle=False)


def test_an_interrupt_keeps_the_best_parameters(monkeypatch, caplog):
    calls = []
    whole = SquaredDistance.__call__

    def interrupted(self, points):
        calls.append(len(points))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return whole(self, points)

    monkeypatch.setattr(SquaredDistance, "__call__", interrupted)
    method = trained(f"{LINEAR}:FitMethod=MC:SampleSize=100000")
    assert method.trained.fitted.interrupted_after == "sample 2048"
    assert "interrupted after sample 2048; the best parameters so far are kept" in caplog.text
    monkeypatch.undo()
    x = method.trained.training
    found = MonteCarlo(2048).minimise(
        SquaredDistance(
            Model(prepared("(0)+(1)*x0+(2)*x1", 3, 2), 3, x.inputs.astype(float)),
            x.weights / np.where(x.is_signal, *(x.weights[own].sum() for own in (x.is_signal, ~x.is_signal))),
            x.is_signal.astype(float),
        ),
        ranges_of("(-3,3);(-3,3);(-3,3)", "FDA"),
    )
    np.testing.assert_array_equal(method.trained.fitted.parameters[0], found.point)


# -- estimators


def direct(p, x):
    return p[0] + p[1] * x[:, 0] + p[2] * x[:, 1]


@pytest.mark.parametrize("formula", ["(0)+(1)*x0+(2)*x1", "(0)+(1)*x0+(2)*x1+sin((0)-(0))"])
def test_squared_distances(formula):
    random = np.random.default_rng(2)
    x, w, t, points = (random.normal(size=shape) for shape in ((500, 2), 500, 500, (70, 3)))
    found = SquaredDistance(Model(prepared(formula, 3, 2), 3, x), w, t)(points)
    np.testing.assert_allclose(found, [np.sum(w * (direct(p, x) - t) ** 2) for p in points], rtol=1e-10)


@pytest.mark.parametrize("formula", ["(0)+(1)*x0+(2)*x1", "(0)+(1)*x0+(2)*x1+sin((0)-(0))"])
def test_likelihoods(formula):
    random = np.random.default_rng(2)
    x, points, w = random.normal(size=(200, 2)), random.normal(size=(5, 9)), random.uniform(1, 2, 200)
    classes = random.integers(0, 3, 200)
    found = SoftmaxLoss(Model(prepared(formula, 3, 2), 3, x), w, classes, 3)(points)
    expected = []
    for point in points:
        values = np.array([direct(p, x) for p in point.reshape(3, 3)])
        probability = np.exp(values[classes, np.arange(200)]) / np.exp(values).sum(axis=0)
        expected.append(-np.average(np.log(probability), weights=w))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_formula_without_parameters_in_it():
    model = Model(prepared("(0)+2", 2, 1), 2, np.zeros((4, 1)))
    np.testing.assert_array_equal(model.values(np.array([[1.0, 5.0], [2.0, 6.0]])), [[3.0] * 4, [4.0] * 4])


# -- booking


def test_ranges():
    (first, second) = ranges_of(" ( -0.1 , 1e1 ) ; (2,2) ", "FDA")
    assert (first.low, first.high) == (float(np.float32(-0.1)), 10.0)
    assert (second.low, second.high) == (2.0, 2.0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            "Formula=(0)+(1)*x0:ParRanges=(-1,1)",
            r'"\(1\)", which cannot be attributed to a parameter; ParRanges gives 1',
        ),
        ("Formula=(0)*x2:ParRanges=(-1,1)", '"x2", which cannot be attributed to an input variable; there are 2'),
        ("Formula=(0)*exp(1):ParRanges=(-1,1);(1,2)", "could not be properly compiled"),
        ("Formula=(0)*:ParRanges=(-1,1)", "could not be properly compiled"),
        ("Formula=(0):ParRanges=(-1,1);", "Mismatch in parameter string"),
        ("Formula=(0):ParRanges=(-1,1)(2,3)", "Mismatch in parameter string"),
        ("Formula=(0)", r"ParRanges must be given, for example .*ParRanges=\(-1,1\)"),
        ("Formula=(0)+(1)*x0:ParRange=(0,1);(0,1)", "ParRange: did you mean ParRanges"),
        ("Formula=(0):ParRanges=(a,1)", r"'\(a,1\)' is not a range"),
        ("Formula=(0):ParRanges=(1,-1)", r"max > min in interval for parameter: \[0\] : \[1, -1\]"),
        ("Formula=(0):ParRanges=(-1,1):FitMethod=GA:SampleSize=3", "SampleSize"),
        ("Formula=(0):ParRanges=(-1,1):FitMethod=MC:SampleSize=0", "SampleSize=0: it must be at least 1"),
        ("Formula=(0):ParRanges=(-1,1):FitMethod=Foo", "does not have predefined value"),
    ],
)
def test_wrong_options_are_refused_at_booking(options, words):
    with pytest.raises(OptionError, match=words) as error:
        book(options)
    assert str(error.value).startswith("FDA: ")


def test_a_formula_that_is_nowhere_finite():
    with pytest.raises(InputError, match="not finite"):
        trained("Formula=(0)*log(-exp(x0)):ParRanges=(1,2):FitMethod=MC:SampleSize=5")


def test_a_converger_has_options_of_its_own():
    _, method = book(f"{LINEAR}:FitMethod=SA:MaxCalls=77:Tolerance=0.5:Eps=1e-5:Converger=MINUIT")
    settings = method.booked.settings
    assert (settings.fitter.max_calls, settings.fitter.eps) == (77, 1e-5)
    assert (settings.converger.max_calls, settings.converger.tolerance) == (77, 0.5)
