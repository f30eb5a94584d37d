"""The search for options: which are tried, how they are scored, and what the result says."""

from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.dataset import stratified_folds
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.factory.sampled import chosen
from pytmva_bnn.factory.trial import Setting
from pytmva_bnn.options import with_choice
from pytmva_bnn.show import plots
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.tuning import SearchResult, Trial
from pytmva_bnn.tuning.space import all_choices, checked, random_choices
from pytmva_bnn.tuning.strategy import _mixed

SMALL = "NTrees=5:MaxDepth=2:nCuts=10"


def events(seed, shift, n=400):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(shift, 1.0, n), rng.normal(0.0, 1.0, n)
    return {"x": x, "y": y, "t": x * x + 0.3 * y}


def made(shift=0.8, n=400):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    loader.AddSignalTree(events(1, shift, n))
    loader.AddBackgroundTree(events(2, 0.0, n))
    return loader


@pytest.fixture(scope="module")
def loader():
    return made()


def trained(loader, kind, options):
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    method = factory.BookMethod(loader, kind, "method", options)
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    return method


def test_a_grid_has_the_scores_of_the_factory(loader):
    found = TMVA.search(loader, {"NTrees": [3, 12], "MaxDepth": [1, 3]}, "BDT", "NTrees=999:nCuts=10")
    assert {tuple(one.choice.items()) for one in found} == {
        (("NTrees", n), ("MaxDepth", d)) for n in (3, 12) for d in (1, 3)
    }
    for one in found:
        assert one.score == trained(loader, "BDT", one.options).evaluation.roc_integral
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1]
    assert found.best.options == "nCuts=10:" + ":".join(f"{name}={value}" for name, value in found.best.choice.items())
    assert found.score_name == "ROC integral"


def test_a_list_of_choices_is_tried_as_it_is(loader):
    choices = [{"NTrees": 12, "MaxDepth": 3}, {"NTrees": 3}]
    found = TMVA.search(loader, choices, "BDT", "nCuts=10")
    assert sorted(one.options for one in found) == ["nCuts=10:NTrees=12:MaxDepth=3", "nCuts=10:NTrees=3"]
    assert found.best.score == trained(loader, "BDT", found.best.options).evaluation.roc_integral
    with pytest.raises(OptionError, match="all choices of a list are tried"):
        TMVA.search(loader, choices, "BDT", how="random")
    with pytest.raises(OptionError, match="nothing to try"):
        TMVA.search(loader, [], "BDT")


def test_folds_leave_the_test_events_alone(loader, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = TMVA.search(loader, {"NTrees": [2, 8]}, TMVA.Types.kBDT, SMALL, folds=3)
    cv = TMVA.CrossValidation("job", loader, "Silent:NumFolds=3:SplitType=RandomStratified")
    expected = {}
    for n in (2, 8):
        cv.BookMethod("BDT", f"BDT{n}", f"MaxDepth=2:nCuts=10:NTrees={n}")
    cv.Evaluate()
    for n, result in zip((2, 8), cv.GetResults(), strict=True):
        expected[n] = result.GetROCValues()
    for one in found:
        assert one.scores == pytest.approx(expected[one.choice["NTrees"]], rel=1e-6)  # TMVA's are in single precision
    for one in found:
        assert one.score == np.mean(one.scores)
        assert one.spread == pytest.approx(np.std(one.scores, ddof=1) / np.sqrt(3))


def test_processes_give_the_same(loader):
    space = {"NTrees": [2, 4], "BoostType": ["AdaBoost", "Grad"]}
    here, there = (TMVA.search(loader, space, "BDT", SMALL, executor=one) for one in ("serial", "processes:2"))
    assert [(one.choice, one.scores) for one in here] == [(one.choice, one.scores) for one in there]


def test_halving_takes_the_best_to_more_events():
    loader = made(n=640)  # 320 training events of each class
    found = TMVA.search(loader, {"NTrees": [1, 2, 4], "MaxDepth": [1, 2]}, "BDT", "nCuts=10", how="halving")
    assert [one.n_events for one in found] == [640] * 2 + [213] * 6
    first = sorted(found.trials[2:], key=lambda one: -one.score)
    assert {tuple(one.choice.items()) for one in found.trials[:2]} == {tuple(one.choice.items()) for one in first[:2]}
    assert found.best.score == trained(loader, "BDT", found.best.options).evaluation.roc_integral
    in_folds = TMVA.search(loader, {"NTrees": [1, 2, 4]}, "BDT", "nCuts=10", how="halving", folds=2)
    assert [one.n_events for one in in_folds] == [640, 213, 213, 213]


def test_few_events_have_the_classes_in_their_proportions():
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSignalTree(events(1, 1.0, 600))
    loader.AddBackgroundTree(events(2, 0.0, 200))
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:MixMode=Block")  # class after class
    dataset = loader.built()
    folds = stratified_folds(dataset.training.class_index, 2)
    order = _mixed(dataset.training, seed=1)
    assert sorted(order) == list(range(400))
    setting = Setting(dataset, AnalysisType.CLASSIFICATION, "BDT", "ROC integral", folds, order)
    assert np.bincount(dataset.training.class_index[order[:40]]).tolist() == [30, 10]
    for fold in (None, 0, 1):
        few = setting.events(fold, 40)
        others = range(400) if fold is None else folds[1 - fold]
        expected = [number for number in others if number in order[:40]]
        np.testing.assert_array_equal(few.training.variables, dataset.training.variables[expected])
        tested = dataset.test if fold is None else chosen(dataset.training, folds[fold])
        np.testing.assert_array_equal(few.test.variables, tested.variables)
    assert list(order) != list(_mixed(dataset.training, seed=2))


def test_a_regression_has_small_deviations_first():
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    loader.AddTarget("t")
    loader.AddRegressionTree(events(3, 0.0))
    found = TMVA.search(loader, {"NTrees": [1, 30]}, "BDT", "BoostType=Grad:MaxDepth=3")
    assert [one.choice["NTrees"] for one in found] == [30, 1]
    assert found.best.score < found.trials[1].score
    assert found.score_name == "RMS deviation"
    assert len(TMVA.search(loader, {"NTrees": [1]}, "BDT", "BoostType=Grad", folds=2).best.scores) == 2


def test_several_classes_have_the_mean_of_their_integrals():
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    for number, name in enumerate(("a", "b", "c")):
        loader.AddTree(events(number, 1.5 * number), name)
    best = TMVA.search(loader, {"NTrees": [5]}, "BDT", "BoostType=Grad").best
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Multiclass")
    method = factory.BookMethod(loader, "BDT", "BDT", best.options)
    factory.TrainAllMethods()
    assert best.score == pytest.approx(method.evaluate().test.aucs.mean(), abs=1e-12)


def test_the_evidence_of_regulated_networks(loader):
    options = "TrainingMethod=BFGS:NCycles=30:VarTransform=N:UseRegulator"
    found = TMVA.search(loader, {"HiddenLayers": [1, 6]}, "MLP", options, score="evidence")
    for one in found:
        assert one.score == trained(loader, "MLP", one.options).evidence.log_evidence
    assert found.best.score == max(one.score for one in found)
    with pytest.raises(InputError, match="has no evidence: only networks"):
        TMVA.search(loader, {"NTrees": [2]}, "BDT", score="evidence")


def test_wrong_options_are_refused_before_the_first_training(loader, monkeypatch):
    monkeypatch.setattr("pytmva_bnn.tuning.strategy.run", None)
    with pytest.raises(OptionError, match="did you mean MaxDepth"):
        TMVA.search(loader, {"NTrees": [2], "MaxDept": [1]}, "BDT")
    with pytest.raises(OptionError, match="did you mean AdaBoost"):
        TMVA.search(loader, {"BoostType": ["Grad", "AdaBost"]}, "BDT")


def test_a_training_that_fails_does_not_stop_the_others(loader, caplog):
    found = TMVA.search(loader, {"nkNN": [9999, 20]}, "KNN")
    assert [one.choice["nkNN"] for one in found] == [20, 9999]
    assert "9999" in found.trials[1].error
    assert np.isnan(found.trials[1].score)
    assert "nkNN=9999: the training failed" in caplog.text
    assert found.trials[1].error in str(found)
    with pytest.raises(InputError, match="no training succeeded; the first:"):
        TMVA.search(loader, {"nkNN": [9999]}, "KNN")


@pytest.mark.parametrize(
    ("space", "more", "message"),
    [
        ({}, {}, "nothing to try"),
        ({"NTrees": 5}, {}, "is not a list of values"),
        ({"NTrees": []}, {}, "is not a list of values"),
        ({"VarTransform": ["N:G"]}, {}, "cannot have a colon"),
        ({"NTrees": [5]}, {"how": "gird"}, "did you mean grid"),
        ({"NTrees": [5]}, {"n": 3}, "how='random'"),
        ({"NTrees": [5]}, {"how": "random", "n": 0}, "at least 1"),
        ({"NTrees": [5]}, {"score": "rocs"}, "did you mean roc"),
        ({"NTrees": [5]}, {"score": "rms"}, "not available in classification"),
        ({"NTrees": [5]}, {"score": "evidence", "folds": 2}, "leave out folds"),
        ({"NTrees": [5]}, {"folds": 200}, "too few for 200 folds"),
        ({"NTrees": [5]}, {"how": "halving", "factor": 1}, "at least 2"),
    ],
)
def test_what_makes_no_search(loader, space, more, message):
    with pytest.raises((OptionError, InputError), match=message):
        TMVA.search(loader, space, "BDT", **more)


def test_choices_at_random():
    space = checked({"a": [1, 2, 3], "b": np.arange(4)})
    found = random_choices(space, 7, seed=3)
    assert found == random_choices(space, 7, seed=3) != random_choices(space, 7, seed=4)
    assert len({tuple(one.items()) for one in found}) == 7
    every = {tuple(one.items()) for one in all_choices(space)}
    assert {tuple(one.items()) for one in random_choices(space, 99, seed=1)} == every

    class Uniform:
        def rvs(self, random_state):
            return np.float64(random_state.uniform(0.1, 0.2))

    drawn = random_choices(checked({"a": [1, 2], "s": Uniform()}), 5, seed=1)
    assert len({one["s"] for one in drawn}) == 5
    assert all(isinstance(one["s"], float) and 0.1 <= one["s"] <= 0.2 for one in drawn)
    with pytest.raises(OptionError, match="s is a distribution"):
        all_choices({"s": Uniform()})


def test_a_choice_takes_the_place_of_what_the_options_say():
    assert (
        with_choice("!H:UseRegulator:NCycles=5", {"NCYCLES": 7, "useregulator": False}) == "!H:NCYCLES=7:!useregulator"
    )


@pytest.fixture
def result():
    first = Trial({"NTrees": 20, "MaxDepth": 3}, "NTrees=20:MaxDepth=3", (0.9, 0.92), 300, 1.25)
    trials = (first, replace(first, choice={"NTrees": 5, "MaxDepth": 2}, scores=(0.8, 0.9), n_events=100))
    return SearchResult("BDT", "ROC integral", trials)


def test_the_result_is_a_table(result):
    assert str(result).splitlines() == [
        "NTrees  MaxDepth  ROC integral     ±  training events  seconds",
        "    20         3          0.91  0.01              300     1.25  <-- best",
        "     5         2          0.85  0.05              100     1.25",
        "best: BDT, NTrees=20:MaxDepth=3",
    ]
    assert repr(result) == "<SearchResult: 2 trials of BDT, best ROC integral 0.91>"
    frame = result.to_pandas()
    assert list(frame.columns) == ["NTrees", "MaxDepth", "ROC integral", "±", "training events", "seconds"]
    assert frame["ROC integral"].tolist() == pytest.approx([0.91, 0.85])
    shown = result._repr_html_()
    assert shown.index("0.91") < shown.index("best", shown.index("0.91")) < shown.index("0.85")


def test_the_plot_shows_the_scores(result):
    ax = plots.search_scores(result)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["NTrees=20, MaxDepth=3", "NTrees=5, MaxDepth=2"]
    points = [line.lines[0].get_xydata().tolist() for line in ax.containers]
    assert points == [[[pytest.approx(0.91), 0.0]], [[pytest.approx(0.85), 1.0]]]
    (bar,) = ax.containers[1].lines[2]
    assert bar.get_segments()[0][:, 0] == pytest.approx([0.80, 0.90])
    assert ax.get_xlabel() == "ROC integral"
    with pytest.raises(InputError, match="search_scores draws"):
        plots.search_scores([0.9])
