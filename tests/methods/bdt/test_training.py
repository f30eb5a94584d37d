"""Trainings of forests: what users see when all goes well, and when it does not."""

import logging
import signal

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.bdt.monitoring import shown_weights
from pytmva_bnn.methods.bdt.training import job as training_job
from pytmva_bnn.methods.training_errors import CheckpointError

NAMES = ("x", "y", "z")


def sample(n=600, seed=1, shift=0.8, n_classes=2):
    random = np.random.default_rng(seed)
    kind = np.arange(n) % n_classes
    x = random.normal(size=(n, len(NAMES))).astype(np.float32)
    x[:, 0] += shift * kind
    x[:, 1] -= 0.5 * shift * (kind == 1)
    return x, kind, random.uniform(0.5, 1.5, n)


def train(options, analysis="Classification", events=None, weight=None, types=("F", "F", "F"), prepare="", **how):
    x, kind, weights = sample(**how) if events is None else events
    weights = weights if weight is None else weight
    loader = TMVA.DataLoader("dataset")
    for name, type_ in zip(NAMES, types, strict=True):
        loader.AddVariable(name, type_)
    columns = dict(zip(NAMES, x.T, strict=True)) | {"w": weights}
    if analysis == "Regression":
        loader.AddTarget("t")
        target = (x[:, 0] + 0.3 * x[:, 1] ** 2).astype(np.float32)
        loader.AddRegressionTree(columns | {"t": target})
        loader.SetWeightExpression("w", "Regression")
    else:
        names = ("Signal", "Background") if analysis == "Classification" else ("a", "b", "c")
        for number, name in enumerate(names):
            loader.AddTree({key: values[kind == number] for key, values in columns.items()}, name)
            loader.SetWeightExpression("w", name)
    loader.PrepareTrainingAndTestTree("", prepare or "SplitMode=Block:NormMode=NumEvents:!V")
    factory = TMVA.Factory("job", f"!V:Silent:!ModelPersistence:!DrawProgressBar:AnalysisType={analysis}")
    method = factory.BookMethod(loader, "BDT", "BDT", "NTrees=20:" + options)
    factory.TrainAllMethods()
    return method


def forest(method):
    return method.model.to_xml().split("<Weights")[1]


@pytest.mark.parametrize(
    ("options", "analysis"),
    [
        ("MaxDepth=4:MinNodeSize=1%", "Classification"),
        ("MaxDepth=2:UseYesNoLeaf=False:SeparationType=CrossEntropy", "Classification"),
        ("BoostType=AdaCost:Cts_sb=2:Cbb=0.5", "Classification"),
        ("BoostType=Bagging:UseRandomisedTrees:UseNvars=2", "Classification"),
        ("UseBaggedBoost:BaggedSampleFraction=1.5:SeparationType=SDivSqrtSPlusB", "Classification"),
        ("BoostType=Grad:Shrinkage=0.2:UseBaggedBoost", "Classification"),
        ("BoostType=Grad:MaxDepth=5:MinNodeSize=0.5%:nCuts=40", "Classification"),
        ("BoostType=Grad:Shrinkage=0.3:MaxDepth=2", "Multiclass"),
        ("BoostType=Grad:Shrinkage=0.3:UseBaggedBoost:RegressionLossFunctionBDTG=Huber:MaxDepth=4", "Regression"),
        ("MinNodeSize=1%:MaxDepth=8:nCuts=15:AdaBoostR2Loss=Exponential", "Regression"),
        ("BoostType=Bagging:MaxDepth=6:MinNodeSize=2%", "Regression"),
        ("PruneMethod=CostComplexity:PruneStrength=30:MaxDepth=5:MinNodeSize=1%", "Classification"),
    ],
)
def test_compiled_code_gives_numpys_bits(options, analysis, both_ways):

    how = {"n_classes": 3 if analysis == "Multiclass" else 2, "types": ("F", "I", "F")}
    by_numpy, by_numba = both_ways(lambda: forest(train(options, analysis, **how)))
    assert by_numba == by_numpy


def test_negative_weights_give_the_same_forest_both_ways(both_ways):
    x, kind, weights = sample()
    weights[::7] *= -0.5
    for treatment in ("InverseBoostNegWeights", "Pray", "IgnoreNegWeightsInTraining"):
        options = f"NegWeightTreatment={treatment}:UseBaggedBoost:BaggedSampleFraction=1"
        one, other = both_ways(lambda options=options: forest(train(options, events=(x, kind, weights))))
        assert one == other


def test_negative_weights_make_spreads_minus_nan(mode):
    x, kind, weights = sample()
    rms = train("BoostType=Grad:MaxDepth=5", events=(x, kind, weights * np.where(np.arange(600) % 5, 1.0, -0.9)))
    rms = rms.trained.fitted.forest.rms
    assert 0.0 < np.isnan(rms).mean() < 1.0
    assert np.signbit(rms[np.isnan(rms)]).all()


@pytest.mark.parametrize(
    ("options", "analysis"),
    [
        ("PruneMethod=ExpectedError:PruneStrength=2:MaxDepth=5:MinNodeSize=1%", "Classification"),
        ("UseFisherCuts:MinLinCorrForFisher=0.01:MaxDepth=5:MinNodeSize=1%:NegWeightTreatment=Pray", "Classification"),
        ("BoostType=Grad:NegWeightTreatment=PairNegWeightsGlobal", "Multiclass"),
    ],
)
def test_negative_weights_do_not_break_a_training(options, analysis):
    events = sample(n_classes=3 if analysis == "Multiclass" else 2)
    weights = events[2] * np.where(np.arange(600) % 5 == 0, -0.9, 1.0)
    model = train(options, analysis, events=events, weight=weights).model
    assert np.isfinite(model.predict(events[0])).all()


@pytest.mark.parametrize(
    ("options", "analysis"),
    [
        ("MaxDepth=3", "Classification"),
        ("BoostType=Grad:UseBaggedBoost", "Classification"),
        ("BoostType=Grad", "Multiclass"),
        ("BoostType=Grad:UseBaggedBoost", "Regression"),
        ("MaxDepth=4:MinNodeSize=2%", "Regression"),
    ],
)
def test_a_training_goes_on_from_its_checkpoint(options, analysis, tmp_path, monkeypatch):
    how = {"n_classes": 3 if analysis == "Multiclass" else 2}
    whole = train(options, analysis, **how)
    grown = []
    original = training_job._Training._next_tree

    def die_after_some(self):
        grown.append(len(self.trees))
        if len(self.trees) == 13:
            raise MemoryError
        original(self)

    path = tmp_path / "state.npz"
    monkeypatch.setattr(training_job._Training, "_next_tree", die_after_some)
    with pytest.raises(MemoryError):
        train(f"{options}:Checkpoint={path}:3", analysis, **how)
    monkeypatch.setattr(training_job._Training, "_next_tree", original)
    resumed = train(f"{options}:Checkpoint={path}:3", analysis, **how)
    assert forest(resumed) == forest(whole)
    ours, theirs = resumed.trained.fitted.result, whole.trained.fitted.result
    for name in ("monitored_weights", "error_fractions", "nodes_before_pruning", "importance"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    np.testing.assert_array_equal(ours.boost_histogram.cells, theirs.boost_histogram.cells)
    assert max(grown) == 13


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    path = tmp_path / "state.npz"
    train(f"MaxDepth=2:Checkpoint={path}:5")
    with pytest.raises(CheckpointError, match=r"different max_depth \(2 then, 3 now\)"):
        train(f"MaxDepth=3:Checkpoint={path}:5")
    with pytest.raises(CheckpointError, match="different training events"):
        train(f"MaxDepth=2:Checkpoint={path}:5", seed=2)
    kept = dict(np.load(path))
    np.savez(path, **kept | {"boost_weights": kept["boost_weights"][:-1]})
    with pytest.raises(CheckpointError, match=r"state\.npz: it .*content has been changed.*; delete it to start again"):
        train(f"MaxDepth=2:Checkpoint={path}:5")
    path.write_bytes(b"nothing")
    with pytest.raises(CheckpointError, match=r"state\.npz: it .*; delete it to start again"):
        train(f"MaxDepth=2:Checkpoint={path}:5")


@pytest.mark.parametrize("analysis", ["Classification", "Multiclass"])
def test_ctrl_c_keeps_the_whole_trees(analysis, monkeypatch, caplog):
    original = training_job._Training._next_tree

    def interrupted(self):
        if len(self.trees) == 8:
            signal.raise_signal(signal.SIGINT)
        original(self)

    how = {"n_classes": 3 if analysis == "Multiclass" else 2}
    whole = train("BoostType=Grad", analysis, **how)
    monkeypatch.setattr(training_job._Training, "_next_tree", interrupted)
    method = train("BoostType=Grad", analysis, **how)
    n_trees = 6 if analysis == "Multiclass" else 8
    assert method.model.forest.n_trees == n_trees
    assert method.trained.fitted.result.stopped_by == "interrupt"
    assert f"interrupted after {n_trees} trees" in caplog.text
    assert method.trained.fitted.interrupted_after == f"tree {n_trees}"
    np.testing.assert_array_equal(method.model.forest.cut, whole.model.forest.cut[: method.model.forest.n_nodes])


def test_ctrl_c_before_the_first_tree_ends_the_training(monkeypatch):
    monkeypatch.setattr(training_job._Training, "_next_tree", lambda _self: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt, match="before the first tree"):
        train("")


@pytest.mark.parametrize(
    ("options", "analysis", "message"),
    [
        ("MinNodeSize=0%", "Classification", "MinNodeSize must be above 0% and below 50%"),
        ("MinNodeSize=60", "Classification", "minimal node size of 60%"),
        ("MinNodeSize=some", "Classification", "now reads some"),
        ("HuberQuantile=2", "Classification", r"Huber Quantile must be in range \[0,1\]"),
        ("NTrees=-3", "Classification", "NTrees=-3 must be positive"),
        ("SigToBkgFraction=0", "Classification", "SigToBkgFraction"),
        ("BaggedSampleFraction=-1", "Classification", "BaggedSampleFraction"),
        ("BoostType=AdaBoostR2", "Classification", "regression boost method for a classification job"),
        ("BoostType=AdaCost", "Regression", "BoostType=AdaCost is for classification"),
        ("BoostType=AdaBoost", "Multiclass", "only supported by gradient boost"),
        ("SeparationType=RegressionVariance", "Classification", "is for regression"),
        ("PruneMethod=CostComplexity", "Classification", "without an independent validation sample"),
        ("PruneMethod=ExpectedError:PruneStrength=-1", "Classification", "not implemented yet for ExpectedError"),
        (
            "PruneMethod=CostComplexity:PruneStrength=-1:PruningValFraction=0.8",
            "Classification",
            "leaves no event for the training",
        ),
        ("UseFisherCuts:BoostType=Grad", "Classification", "UseFisherCuts does not work with BoostType=Grad"),
        ("BoostTyp=Grad", "Classification", "did you mean BoostType"),
        ("BoostType=Gard", "Classification", "did you mean Grad"),
    ],
)
def test_impossible_options_are_refused_at_booking(options, analysis, message):
    with pytest.raises(OptionError, match=message):
        train(options, analysis, n_classes=3 if analysis == "Multiclass" else 2)


def test_two_targets_are_refused():
    x, _, _ = sample(60)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    for name in ("t", "u"):
        loader.AddTarget(name)
    loader.AddRegressionTree({"x": x[:, 0], "t": x[:, 1], "u": x[:, 2]})
    factory = TMVA.Factory("job", "!V:Silent:!ModelPersistence:AnalysisType=Regression")
    factory.BookMethod(loader, "BDT", "BDT", "NTrees=2")
    with pytest.raises(InputError, match="regression with 2 targets; book one BDT for each"):
        factory.TrainAllMethods()


def test_cross_validation_of_forests(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    x, kind, _ = sample()
    loader = TMVA.DataLoader("dataset")
    for name in NAMES:
        loader.AddVariable(name)
    for number, name in enumerate(("Signal", "Background")):
        loader.AddTree(dict(zip(NAMES, x[kind == number].T, strict=True)), name)
    cv = TMVA.CrossValidation("cv", loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod("BDT", "BDT", "NTrees=15:MaxDepth=2")
    cv.Evaluate()
    integrals = cv.GetResults()[0].GetROCValues()
    assert len(integrals) == 2
    assert all(0.6 < value < 1.0 for value in integrals)


def test_a_class_without_events_is_named():
    x, kind, weights = sample()
    weights[kind == 1] = 0.0
    with pytest.raises(TMVA.TMVAError, match="Background"):
        train("", events=(x, kind, weights), prepare="SplitMode=Block:NormMode=None:!V")


@pytest.mark.parametrize("boost_type", ["AdaBoostR2", "AdaBoost"])
def test_a_regression_with_weights_that_cancel_cannot_be_boosted_by_its_mean_loss(boost_type):
    x, kind, _ = sample(100)
    with pytest.raises(InputError, match="the weights of the training events add up to 0"):
        train(
            f"BoostType={boost_type}",
            "Regression",
            (x, kind, 1.0 - 2.0 * kind),
            prepare="SplitMode=Block:NormMode=None",
        )


def test_an_empty_bag_is_refused():
    with pytest.raises(InputError, match=r"the bag of tree \d+ is empty: BaggedSampleFraction=1e-07"):
        train("UseBaggedBoost:BaggedSampleFraction=1e-7")


def test_an_integer_variable_of_huge_range_is_refused():
    x, kind, weights = sample()
    x[0, 0] = 1e9
    with pytest.raises(InputError, match=r"variable number 0 is of type I .* declare it with type F"):
        train("", events=(x, kind, weights), types=("I", "F", "F"))


def test_a_perfect_tree_ends_the_boosting_with_a_finite_weight(caplog, mode):
    """TMVA goes on with infinite weights, and its responses are NaN."""
    caplog.set_level(logging.WARNING)
    x, kind, weights = sample(shift=100.0)
    for options in ("", "UseYesNoLeaf=False"):
        method = train(options, events=(x, kind, weights))
        assert method.model.forest.n_trees == 1
        assert np.isfinite(method.model.forest.boost_weights).all()
        assert "separates its events without error" in caplog.text
        trained = slice(0, 300)
        best, worst = (1.0, -1.0) if not options else (1.0, 0.0)
        np.testing.assert_array_equal(method.model.predict(x[trained]), np.where(kind[trained] == 0, best, worst))


@pytest.mark.parametrize(("costs", "n_trees"), [("Css=9:Cbb=9", 1), ("Css=1.1:Cbb=1.1", 20)])
def test_costs_that_make_the_logarithm_nan_end_the_boosting(costs, n_trees, caplog):
    boost_weights = train(f"BoostType=AdaCost:{costs}").model.forest.boost_weights
    assert len(boost_weights) == n_trees
    assert (boost_weights > 0.0).tolist() == [n_trees > 1] * n_trees
    assert ("stopped boosting at itree=0" in caplog.text) == (n_trees == 1)


def test_a_regression_tree_that_fits_all_events_ends_the_boosting(caplog):
    caplog.set_level(logging.WARNING)
    x, kind, weights = sample(60)
    x[:, 0] = np.round(x[:, 0])
    x[:, 1:] = 0.0
    x[0, 1:] = 1e-3
    method = train("MinNodeSize=0.2%:MaxDepth=50:nCuts=100", "Regression", events=(x, kind, weights))
    assert "fits all its events exactly" in caplog.text
    # β of a tree with the smallest error that counts: the weight of the tree is -ln β, and its histogram has 1/β
    (beta,) = method.result.monitored_weights
    assert -np.log(beta) == method.model.forest.boost_weights[0] == pytest.approx(52 * np.log(2))
    np.testing.assert_array_equal(shown_weights(method.trained.fitted, method.result), [2.0**52])
    np.testing.assert_allclose(method.model.predict(x[1:30])[:, 0], x[1:30, 0], atol=1e-6)


def test_randomised_forests_can_be_repeated():
    options = "BoostType=Bagging:UseRandomisedTrees:UseNvars=2"
    assert forest(train(options)) == forest(train(options))


def test_the_result_tells_tree_by_tree():
    method = train("MaxDepth=3")
    result, trees = method.trained.fitted.result, method.model.forest
    assert len(result.monitored_weights) == trees.n_trees == 20
    np.testing.assert_array_equal(result.nodes_after_pruning, np.diff(trees.starts))
    np.testing.assert_allclose(result.monitored_weights, trees.boost_weights)
    assert ((result.error_fractions > 0.0) & (result.error_fractions < 0.5)).all()
    assert result.importance.sum() == pytest.approx(1.0)
    assert result.importance[0] > result.importance[2]  # x separates, z does not


def test_log_lines(caplog):
    caplog.set_level(logging.INFO)
    train(
        "", prepare="nTrain_Signal=100:nTrain_Background=200:SplitMode=Block:NormMode=NumEvents:!V", weight=np.ones(600)
    )
    assert "#events: (reweighted) sig: 150 bkg: 150" in caplog.text
    assert "#events: (unweighted) sig: 100 bkg: 200" in caplog.text
    assert "Training 20 Decision Trees ... patience please" in caplog.text
