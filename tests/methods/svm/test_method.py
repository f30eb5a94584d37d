"""SVM as a method: options, defects of TMVA, odd trainings, what people see."""

import logging

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.svm.kernel import Kernel
from pytmva_bnn.methods.svm.method import SVM
from pytmva_bnn.methods.svm.training import job as training_job
from pytmva_bnn.methods.svm.training.smo import Optimiser
from pytmva_bnn.methods.training_errors import TrainingError
from pytmva_bnn.tmva_types import AnalysisType


def booked(options):
    return Booking.parse(SVM(), options, AnalysisType.CLASSIFICATION, "SVM")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("Kernel=RFB", "SVM: Kernel=RFB: RFB is not a recognised kernel function: did you mean RBF"),
        ("Kernel=rbf", "rbf is not a recognised kernel function"),
        (
            "Kernel=Sum",
            r"KernelList=None: None is not a kernel; Kernel=Sum needs some of RBF, MultiGauss, Polynomial, sep",
        ),
        (r"Kernel=Prod:KernelList=RBF+Polynomial", r"RBF\+Polynomial is not a kernel; Kernel=Prod .* separated by \*"),
        ("C=0", "SVM: C=0 must be larger than 0"),
        ("Tol=-1", "SVM: Tol=-1 must not be negative"),
        ("Gamma=-1", "SVM: Gamma=-1 must not be negative"),
        ("IgnoreNegWeightsInTraining", "not yet available for method SVM"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        booked(options)


def test_settings_of_options():
    options = (
        "Kernel=Sum:KernelList=MultiGauss+Polynomial:Gamma=0.1:GammaList=0.1,2:Theta=0.3:Order=4:C=7:Tol=0.2:MaxIter=5"
    )
    settings = booked(options).settings
    float32 = [float(np.float32(one)) for one in (0.1, 2, 0.3, 7, 0.2)]
    assert (settings.cost, settings.tolerance, settings.max_passes) == (float32[3], float32[4], 5)
    expected = Kernel(("MultiGauss", "Polynomial"), False, float32[0], (float32[0], 2.0), float32[2], 4)
    assert settings.kernel(2) == (expected, "0.1,2")
    assert booked("Kernel=Prod:KernelList=RBF*MultiGauss").settings.kernel(3) == (
        Kernel(("RBF", "MultiGauss"), True, gammas=(1.0, 1.0, 1.0)),
        "1,1,1",
    )
    assert booked("").settings.kernel(2) == (Kernel(), "")


@pytest.mark.parametrize(
    ("gammas", "message"),
    [
        ("0.5,1,2", "SVM: GammaList=0.5,1,2: More gammas than input variables! #Gammas= 3 #Input variables= 2"),
        ("0.5", "Fewer gammas than input variables"),
        ("0.5,x", "its parts must be numbers"),
        ("0.5,inf", "its numbers must be finite"),
    ],
)
def test_gammas_must_fit_the_variables(gammas, message, tmp_path, monkeypatch):
    with pytest.raises(OptionError, match=message):
        trained(tmp_path, monkeypatch, f"Kernel=MultiGauss:GammaList={gammas}")


@pytest.mark.parametrize("fast", ["0", "1"])
def test_a_kernel_that_overflows_is_an_error_of_the_training(fast, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTMVA_BNN_FAST", fast)
    with pytest.raises(TrainingError, match=r"kernel of some training events is infinite.*GammaList"):
        trained(tmp_path, monkeypatch, "Kernel=MultiGauss:GammaList=-50,-50")
    assert not list(tmp_path.rglob("*.xml"))


def test_regression_is_refused_as_a_training():
    with pytest.raises(InputError, match=r"SVM cannot be trained for regression \(TMVA crashes"):
        Booking.parse(SVM(), "", AnalysisType.REGRESSION, "SVM")
    with pytest.raises(InputError, match="the method SVM cannot do AnalysisType=Multiclass; it can do Classification"):
        Booking.parse(SVM(), "", AnalysisType.MULTICLASS, "SVM")
    costs = {one.name: one.default for one in SVM().options_for(AnalysisType.REGRESSION)}
    assert costs["C"] == 0.002


# -- trainings


def trained(folder, monkeypatch, options="VarTransform=Norm", n=(60, 90), weight=None):
    monkeypatch.chdir(folder)
    random = np.random.default_rng(2)
    loader = TMVA.DataLoader("dataset")
    for name in ("x", "y"):
        loader.AddVariable(name)
    for add, mean, size in ((loader.AddSignalTree, 0.7, n[0]), (loader.AddBackgroundTree, -0.7, n[1])):
        x = random.normal(mean, 1, 2 * size)
        add({"x": x, "y": random.normal(0, 1, 2 * size), "w": random.uniform(0.5, 1.5, 2 * size)})
    if isinstance(weight, tuple):
        for expression, name in zip(weight, ("Signal", "Background"), strict=True):
            loader.SetWeightExpression(expression, name)
    elif weight:
        loader.SetWeightExpression(weight)
    split = f"nTrain_Signal={n[0]}:nTrain_Background={n[1]}:SplitMode=Block:NormMode=None"
    loader.PrepareTrainingAndTestTree("", split)
    factory = TMVA.Factory("job", "out.root", "Silent:!DrawProgressBar:AnalysisType=Classification")
    method = factory.BookMethod(loader, "SVM", "SVM", options)
    factory.TrainAllMethods()
    return factory, method


def test_training_evaluation_cross_validation(tmp_path, monkeypatch):
    import uproot

    factory, method = trained(tmp_path, monkeypatch, "VarTransform=Norm:CreateMVAPdfs", n=(200, 200))
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    assert factory.GetROCIntegral("dataset", "SVM") > 0.8
    with uproot.open("out.root") as file:
        found = file["dataset/TestTree"]["SVM"].array(library="np")
        np.testing.assert_array_equal(found, method.respond().test[:, 0])
    assert method.ranking is None
    cv = TMVA.CrossValidation("cv", method.loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod("SVM", "SVM", "VarTransform=Norm")
    cv.Evaluate()
    assert cv.GetResults()[0].GetROCAverage() > 0.8


@pytest.mark.parametrize(("n", "costs"), [((60, 90), (2.0, 2.0 * 60 / 90)), ((90, 60), (2.0 * 90 / 60, 2.0))])
def test_costs_of_the_classes(n, costs, tmp_path, monkeypatch):
    """The larger class costs less; TMVA raises the cost of signal if there is more of it."""
    fitted = trained(tmp_path, monkeypatch, "C=2:VarTransform=Norm", n)[1].trained.fitted
    flags, alphas = fitted.weights.table[:, 1], fitted.weights.table[:, 2]
    for flag, cost in zip((-1, 1), costs, strict=True):
        assert alphas[flags == flag].max() == np.float32(cost)


def test_event_weights_scale_the_bounds(tmp_path, monkeypatch):
    _, method = trained(tmp_path, monkeypatch, "VarTransform=Norm", (60, 60), "w")
    fitted, weights = method.trained.fitted, method.dataset.training.weights
    numbers = fitted.weights.table[:, 0].astype(int)
    bound = weights.astype(np.float32)[numbers].astype(np.float64)
    alphas = fitted.weights.table[:, 2]
    np.testing.assert_array_equal(alphas == bound, ~fitted.free)
    assert (alphas <= bound).all()
    assert 5 < np.count_nonzero(~fitted.free) < len(alphas)
    rows = dict(fitted.describe())
    assert "at the bound (up to" in rows["  signal"]
    read_back = dict(method.model.fitted.describe())
    assert read_back["  signal"].endswith("the bounds differ by event weight")


def test_events_without_weight_are_left_out(tmp_path, monkeypatch, caplog):
    _, method = trained(tmp_path, monkeypatch, "VarTransform=Norm", (60, 60), "(w > 0.9) - (w < 0.6)")
    weights = method.dataset.training.weights
    n_negative = np.count_nonzero(weights < 0)
    assert n_negative > 3
    assert f"SVM: {n_negative} training events of negative weight are left out" in caplog.messages
    numbers = method.trained.fitted.weights.table[:, 0].astype(int)
    kept = np.flatnonzero(weights > 0)
    inputs = method.trained.training.inputs
    np.testing.assert_array_equal(method.trained.fitted.vectors, inputs[kept[numbers]])


def test_a_class_without_events_is_told(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"60 training events of class Signal add up to -55\.7"):
        trained(tmp_path, monkeypatch, "", weight=("-w", "w"))


def test_too_large_a_tolerance_is_told(tmp_path, monkeypatch):
    with pytest.raises(TrainingError, match="no training event became a support vector; set a smaller Tol"):
        trained(tmp_path, monkeypatch, "Tol=5")


def test_too_few_passes_are_told(tmp_path, monkeypatch, caplog):
    trained(tmp_path, monkeypatch, "MaxIter=2:VarTransform=Norm")
    assert any(message.startswith("SVM: Max number of iterations exceeded") for message in caplog.messages)


@pytest.mark.parametrize("n_complete", [0, 2])
def test_an_interrupted_training_keeps_the_last_complete_pass(n_complete, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")
    states = []
    sweep = Optimiser.sweep

    def interrupted(self, *, everything):
        if len(states) == n_complete:
            self.state.alpha[:] = 99
            raise KeyboardInterrupt
        n_changed = sweep(self, everything=everything)
        states.append(self.state.copy())
        return n_changed

    monkeypatch.setattr(Optimiser, "sweep", interrupted)
    if not n_complete:
        with pytest.raises(KeyboardInterrupt, match=training_job.NOTHING_TRAINED):
            trained(tmp_path, monkeypatch)
        return
    fitted = trained(tmp_path, monkeypatch)[1].trained.fitted
    assert fitted.interrupted_after == "pass 2"
    assert "SVM: interrupted after pass 2, whose multipliers are kept" in caplog.messages
    alphas = states[-1].alpha[states[-1].alpha > 0].astype(np.float64)
    np.testing.assert_array_equal(fitted.weights.table[:, 2], alphas)
    assert fitted.b == states[-1].b


# -- TMVA's defect


def test_the_product_is_evaluated_as_tmva_does_unless_corrected(method_case, caplog, naive_kernel):
    record = method_case("svm_prod")
    model = TMVA.load(record.weights)
    (warning,) = caplog.messages
    assert warning.startswith(
        "SVM: TMVA trains with the product RBF*Polynomial, but evaluates weight files with the sum"
    )
    right = model.corrected()
    event = record.expected["inputs"][:1]
    (x,) = model.transformations.forward(event, None)
    table = model.fitted.weights.table.astype(np.float32)
    m = 0.0
    for _, flag, alpha, _, *vector in table:
        m += float(alpha * flag * naive_kernel(right.fitted.kernel, np.array(vector), x))
    assert right.predict(event)[0] == 1 / (1 + np.exp(m - model.fitted.b))
    assert abs(right.predict(event)[0] - model.predict(event)[0]) > 0.01
    assert right.to_xml() == record.weights_text
    others = TMVA.load(method_case("svm_sum").weights)
    np.testing.assert_array_equal(others.corrected().predict(event), others.predict(event))


def test_a_product_is_trained_as_a_product(tmp_path, monkeypatch):
    method = trained(tmp_path, monkeypatch, "Kernel=Prod:KernelList=RBF*RBF:Gamma=0.5:C=100:Tol=0.001")[1]
    events = method.dataset.training
    as_booked = method.model.corrected().predict(events.variables)
    # exp(-s/2)^2 = exp(-s)
    single = trained(tmp_path, monkeypatch, "Gamma=1:C=100:Tol=0.001")[1]
    np.testing.assert_allclose(as_booked, single.model.predict(events.variables), atol=0.01)
    assert np.abs(method.model.predict(events.variables) - as_booked).max() > 0.1
    np.testing.assert_array_equal(method.trained.model().predict(events.variables), as_booked)


# -- evaluation, people


def test_odd_events(method_case, mode):
    record = method_case("svm")
    model, event = TMVA.load(record.weights), record.expected["inputs"][:3].copy()
    event[1, 0] = np.nan
    event[2, 0] = 3e38
    found = model.predict(event)
    assert found[0] == record.expected["mva"][0]
    assert np.isnan(found[1])
    assert found[2] == 1 / (1 + np.exp(-model.fitted.b))  # far from all support vectors


@pytest.mark.parametrize(("value", "response"), [(1e4, 0.0), (-1e4, 1.0)])
def test_responses_stay_between_0_and_1(edited, method_case, mode, value, response):
    text = edited("svm", ('fBparm="-2.2367572784423828e+00"', f'fBparm="{-value}"'))
    model, events = TMVA.load_string(text), method_case("svm").expected["inputs"]
    assert (model.predict(events) == response).all()
    assert model.fitted.single(np.zeros((1, 4), np.float32))() == response if mode == "numba" else True


DESCRIBED = {
    "svm": {
        "kernel": "RBF",
        "Gamma": "0.25",
        "threshold b": "-2.23676",
        "support vectors": "1255",
        "  signal": "626, of which 625 at the bound (up to 1), 1 free",
        "  background": "629, of which 621 at the bound (up to 1), 8 free",
    },
    "svm_prod": {
        "kernel": "RBF*Polynomial",
        "evaluated as": "RBF+Polynomial (TMVA's defect)",
        "Gamma": "0.7",
        "Order": "2",
        "Theta": "1",
        "threshold b": "-0.240665",
        "support vectors": "551",
        "  signal": "147, of which 138 at the bound (up to 1), 9 free",
        "  background": "404, of which 388 at the bound (up to 0.36), 16 free",
    },
    "svm_reg_read": {"kernel": "RBF", "Gamma": "0.7", "threshold b": "0.123457", "support vectors": "12"},
}


@pytest.mark.parametrize("name", DESCRIBED)
def test_description(name, method_case, capsys):
    weights = method_case(name).weights
    assert dict(TMVA.load(weights).fitted.describe()) == DESCRIBED[name]
    assert main(["inspect", str(weights)]) == 0
    shown = capsys.readouterr().out
    for value in DESCRIBED[name].values():
        assert value in shown


def test_repr_and_log(method_case, tmp_path, monkeypatch, caplog):
    model = TMVA.load(method_case("svm_sum").weights)
    expected = "<Model 'SVM': Classification, 558 support vectors, kernel RBF+Polynomial, without error bars>"
    assert repr(model) == expected
    caplog.set_level(logging.INFO, "pytmva_bnn.SVM")
    fitted = trained(tmp_path, monkeypatch)[1].trained.fitted
    assert any(message.endswith(f" passes, {len(fitted.vectors)} support vectors") for message in caplog.messages)
