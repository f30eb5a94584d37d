"""OptimizeAllMethods: what is tuned, which values are found, and how the methods are booked with them."""

import logging

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.dataset import stratified_folds
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.evaluation.figures_of_merit import figure_of_merit
from pytmva_bnn.factory import optimization
from pytmva_bnn.factory.evaluation_run import responses_in
from pytmva_bnn.factory.sampled import fold_of
from pytmva_bnn.factory.training_run import train_method
from pytmva_bnn.factory.trial import Scored, run
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.tuned_option import TunedOption
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType

SMALL = [TunedOption("NTrees", 2, 12, 3, is_integer=True), TunedOption("AdaBoostBeta", 0.2, 1.0, 2)]
TRIED = [(n, beta) for n in (2, 7, 12) for beta in (0.2, 1.0)]


def made(n=150):
    rng = np.random.default_rng(3)
    loader = TMVA.DataLoader("dataset")
    for name in ("x", "y"):
        loader.AddVariable(name)
    for add, shift in ((loader.AddSignalTree, 0.7), (loader.AddBackgroundTree, 0.0)):
        add({"x": rng.normal(shift, 1.0, n), "y": rng.normal(0.0, 1.0 + shift, n)})
    return loader


def booked(*methods, loader=None, analysis="Classification"):
    factory = TMVA.Factory("job", f"!V:!DrawProgressBar:!ModelPersistence:AnalysisType={analysis}")
    loader = loader or made()
    for kind, options in methods:
        factory.BookMethod(loader, kind, kind, options)
    return factory


def parsed(kind, text):
    options = OptionSet(method_of(kind).options, owner=kind)
    options.parse(text)
    return options


@pytest.fixture
def few(monkeypatch):
    """A BDT with six points to try."""
    monkeypatch.setattr(type(method_of("BDT")), "tuned", lambda *_: tuple(SMALL))


@pytest.fixture
def scores(few, monkeypatch):
    """Scores instead of trainings, by NTrees and AdaBoostBeta; the list of what was tried comes back."""
    tried = []

    def scored(setting, job):
        values = dict(word.split("=") for word in job.options.split(":") if "=" in word)
        tried.append((int(values["NTrees"]), float(values["AdaBoostBeta"])))
        score = scored.scores.get(tried[-1], 0.5)
        if isinstance(score, BaseException):
            raise score
        return Scored(score, 0.0)

    scored.scores = {}
    scored.tried = tried
    monkeypatch.setattr(optimization, "run", scored)
    return scored


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("BDT", "", {"AdaBoostBeta": [0.2, 0.4, 0.6, 0.8, 1.0]}),
        ("BDT", "BoostType=Grad", {"Shrinkage": [0.05, 0.1625, 0.275, 0.3875, 0.5]}),
        ("BDT", "BoostType=Bagging", {}),
        ("BDT", "BoostType=Bagging:UseRandomisedTrees", {"UseNvars": [1, 2, 3, 4]}),
        ("BDT", "BoostType=AdaBoost:UseRandomisedTrees", {"AdaBoostBeta": [0.2, 0.4, 0.6, 0.8, 1.0]}),
        ("SVM", "Tune=Gamma", {"Gamma": [0.01, 0.0316228, 0.1, 0.316228, 1, 3.16228, 10, 31.6228, 100]}),
        ("SVM", "Kernel=Polynomial:Tune=Theta,Order", {"Order": [1, 2, 3, 4, 5], "Theta": [0, 0.5, 1, 1.5, 2]}),
        ("MLP", "", {}),
    ],
)
def test_ranges(kind, text, expected):
    method = method_of(kind)
    options = parsed(kind, text)
    found = {one.name: one.values() for one in method.tuned(options, 5)}
    if kind == "BDT":
        assert found.pop("NTrees") == [10, 257, 505, 752, 1000]
        assert found.pop("MaxDepth") == [2, 3, 4]
        sizes = found.pop("MinNodeSize")
        assert len(sizes) == 30
        assert (sizes[0], sizes[-1]) == (1.0, 30.0)
        assert np.diff(np.log(sizes)) == pytest.approx(np.log(30.0) / 29, rel=1e-4)
    assert found == expected


def test_tune_names_parameters_of_the_kernel():
    options = parsed("SVM", "Kernel=Sum:KernelList=RBF+Polynomial")
    assert [one.name for one in method_of("SVM").tuned(options, 2)] == ["C", "Gamma", "Order", "Theta"]
    with pytest.raises(OptionError, match=r"Theta is not a parameter.*with Kernel=RBF these are C, Gamma"):
        method_of("SVM").tuned(parsed("SVM", "Tune=C,Theta"), 2)


@pytest.mark.parametrize("merit", ["SigEffAtBkgEff01", "Separation"])
def test_a_scan_finds_the_best_on_training_events_held_out(few, merit, monkeypatch):
    scored = []
    monkeypatch.setattr(optimization, "run", lambda *job: scored.append(run(*job)) or scored[-1])
    loader = made()
    factory = booked(("BDT", "nCuts=10:NTrees=999:MaxDepth=2"), loader=loader)
    dataset = loader.built()
    held_out = fold_of(dataset, stratified_folds(dataset.training.class_index, 3), 0)
    assert (len(held_out.training), len(held_out.test)) == (100, 50)
    figures = {}
    for n_trees, beta in TRIED:
        text = f"nCuts=10:MaxDepth=2:NTrees={n_trees}:AdaBoostBeta={beta}"
        booking = Booking.parse(method_of("BDT"), text, AnalysisType.CLASSIFICATION, "BDT")
        trained = train_method(held_out, "BDT", booking, AnalysisType.CLASSIFICATION, quiet=True)
        responses = responses_in(held_out, held_out.test, trained.model())[:, 0]
        figures[n_trees, beta] = figure_of_merit(merit)(responses, held_out.test.of_class(0), held_out.test.weights)
    assert len(set(figures.values())) > 1
    n_trees, beta = max(figures, key=figures.__getitem__)
    assert factory.OptimizeAllMethods(merit, "Scan") == {"NTrees": n_trees, "AdaBoostBeta": beta}
    assert [one.score for one in scored] == list(figures.values())
    (method,) = factory.methods
    assert method.option_string == f"nCuts=10:MaxDepth=2:NTrees={n_trees}:AdaBoostBeta={beta}"
    factory.TrainAllMethods()
    assert method.trained.fitted.forest.n_trees == n_trees


@pytest.mark.parametrize("fit", ["Scan", "FitGA", "FitMC", "FitSA"])
def test_each_fit_finds_the_best_and_trains_no_point_twice(scores, fit, caplog):
    scores.scores = {(12, 0.2): 0.8, (2, 1.0): 0.7}
    with caplog.at_level(logging.INFO):
        assert booked(("BDT", "")).OptimizeAllMethods("ROCIntegral", fit) == {"NTrees": 12, "AdaBoostBeta": 0.2}
    assert scores.tried == TRIED or fit != "Scan"
    assert len(scores.tried) == len(set(scores.tried))
    said = [(one.levelname, one.getMessage()) for one in caplog.records if one.name.endswith("Factory")]
    assert said[-4:] == [
        ("INFO", "Optimize method: BDT for Classification"),
        ("WARNING", "NTrees = 12"),
        ("WARNING", "AdaBoostBeta = 0.2"),
        ("INFO", "Optimization of tuning parameters finished for Method:BDT"),
    ]


def test_the_values_returned_are_those_of_the_last_method(scores, caplog):
    factory = booked(("BDT", ""), ("MLP", "NCycles=3"))
    scores.scores = {(7, 1.0): 0.9}
    assert factory.OptimizeAllMethodsForClassification(fitType="Scan") == {}
    assert [method.option_string for method in factory.methods] == ["NTrees=7:AdaBoostBeta=1.0", "NCycles=3"]
    assert "Dataset[dataset] : Parameter optimization is not yet implemented for method MLP" in caplog.text
    assert "Currently we need to set hardcoded which parameter is tuned in which ranges" in caplog.text


def test_failed_trainings_are_passed_over(scores, caplog):
    scores.scores = {(12, 0.2): InputError("no room"), (2, 1.0): np.nan, (7, 0.2): 0.6}
    assert booked(("BDT", "")).OptimizeAllMethods("ROCIntegral", "Scan") == {"NTrees": 7, "AdaBoostBeta": 0.2}
    assert "BDT: 1 trainings failed; the first: NTrees=12:AdaBoostBeta=0.2: no room" in caplog.text
    scores.scores = {place: InputError("no room") for place in TRIED}
    with pytest.raises(InputError, match="no training of the tuning succeeded"):
        booked(("BDT", "")).OptimizeAllMethods("ROCIntegral", "Scan")


@pytest.mark.parametrize("fit", ["Scan", "FitGA"])
def test_an_interrupt_keeps_the_best_so_far(scores, fit, caplog):
    class Scores(dict):
        def get(self, *_):
            return (0.6, 0.7, 0.5, KeyboardInterrupt())[len(scores.tried) - 1]

    scores.scores = Scores()
    factory = booked(("BDT", ""), ("SVM", "VarTransform=N"))
    n_trees, beta = (found := factory.OptimizeAllMethods("ROCIntegral", fit)).values()
    assert (n_trees, beta) == scores.tried[1]
    assert len(scores.tried) == 4
    assert [method.option_string for method in factory.methods] == [
        ":".join(f"{name}={value}" for name, value in found.items()),
        "VarTransform=N",
    ]
    assert "Interrupted: BDT has the best parameters so far" in caplog.text
    assert logging.getLogger("pytmva_bnn").level != logging.CRITICAL


def test_an_interrupt_before_the_first_result_goes_on(scores):
    scores.scores = {(2, 0.2): KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        booked(("BDT", "")).OptimizeAllMethods("ROCIntegral", "Scan")


def test_regression_is_tuned_by_its_deviation(scores, caplog):
    rng = np.random.default_rng(4)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("t")
    loader.AddRegressionTree({"x": rng.normal(size=60), "t": rng.normal(size=60)})
    factory = booked(("BDT", "BoostType=Grad"), loader=loader, analysis="Regression")
    scores.scores = {(7, 0.2): 0.9, (12, 1.0): 0.1}
    assert factory.OptimizeAllMethodsForRegression("SigEffAtBkg0.01", "Scan") == {"NTrees": 12, "AdaBoostBeta": 1.0}
    assert "BDT: SigEffAtBkg0.01 is for signal and background; here it is not used" in caplog.text


def test_too_few_events_are_skipped(scores, caplog):
    assert booked(("BDT", ""), loader=made(n=6)).OptimizeAllMethods() == {}
    assert not scores.tried
    assert "training tree has less entries [6] than required [10]" in caplog.text


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [(("ROC", "Scan"), "figure of merit 'ROC' is not known"), (("Separation", "GA"), "fit type 'GA' is not known")],
)
def test_wrong_names_are_refused_before_the_first_training(scores, arguments, problem):
    with pytest.raises(OptionError, match=problem):
        booked(("BDT", "")).OptimizeAllMethods(*arguments)
    assert not scores.tried
