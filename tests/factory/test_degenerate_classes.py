"""Classes that nothing can be learnt from stop every method before its training, in one sentence."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import DatasetError, InputError
from pytmva_bnn.methods import kinds

OPTIONS = {
    "FDA": "Formula=(0)+(1)*x0:ParRanges=(-1,1);(-1,1):FitMethod=MC:SampleSize=20",
    "Cuts": "FitMethod=MC:SampleSize=20",
    "BDT": "NTrees=2",
    "RuleFit": "nTrees=3",
    "SVM": "MaxIter=2",
    "MLP": "NCycles=2",
}
KINDS = [kind for kind in kinds(trainable=True) if kind not in ("Category", "Boost")]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")  # nothing is so large that it would have to be compiled


def book(kind, *, cuts=("", ""), weight="", norm="EqualNumEvents", variables="xy", extra=""):
    random = np.random.default_rng(1)
    loader = TMVA.DataLoader("data")
    for variable in variables:
        loader.AddVariable(variable)
    for add, mean in ((loader.AddSignalTree, 1), (loader.AddBackgroundTree, 0)):
        columns = {name: random.normal(mean, 1, 60) for name in "xy"} | {"c": np.full(60, 3.0)}
        add(columns | {"zero": np.zeros(60), "minus": np.where(np.arange(60) % 3, -1.0, 0.5)})
    if weight:
        loader.SetBackgroundWeightExpression(weight)
    loader.PrepareTrainingAndTestTree(*cuts, f"SplitMode=Alternate:NormMode={norm}")
    factory = TMVA.Factory("job", "Silent:!ModelPersistence:AnalysisType=Classification")
    options = ":".join(part for part in (OPTIONS.get(kind, ""), extra) if part)
    return factory, factory.BookMethod(loader, kind, kind, options)


def trouble(kind, caplog, **how):
    factory, method = book(kind, **how)
    with pytest.raises(DatasetError) as caught:
        factory.TrainAllMethods()
    assert not method.is_trained
    assert [record for record in caplog.records if record.levelname != "INFO"] == []
    return str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("norm", ["None", "EqualNumEvents"])
def test_a_class_without_events(kind, norm, caplog):
    message = trouble(kind, caplog, cuts=("", "x > 100"), norm=norm)
    assert message == (
        "Dataset[data] : class Background has no training events after the cut x > 100; check the cut, its trees and "
        "nTrain_Background"
    )
    assert "class Signal has no training events after the cut" in trouble(kind, caplog, cuts=("x > 100", ""), norm=norm)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("weight", "total"), [("zero", "0"), ("minus", "-15")])
def test_a_class_without_weight(kind, weight, total, caplog):
    message = trouble(kind, caplog, weight=weight)
    assert message == (
        f"Dataset[data] : the weights of the 30 training events of class Background add up to {total}, but their sum "
        f"must be positive; check the weight expression {weight}"
    )


def test_a_data_set_that_was_looked_at_before_is_checked_too():
    factory, method = book("BDT", cuts=("", "x > 100"))
    assert len(method.loader.dataset.training) == 30
    with pytest.raises(DatasetError, match="class Background has no training events after the cut x > 100"):
        factory.TrainAllMethods()


def test_regression_and_looking_at_a_data_set_need_no_weights():
    loader = TMVA.DataLoader("data")
    loader.AddVariable("x")
    loader.AddSignalTree({"x": np.arange(20.0)})
    loader.AddBackgroundTree({"x": np.arange(20.0)})
    loader.SetSignalWeightExpression("-1")
    assert len(loader.dataset.training) == 20


@pytest.mark.parametrize("kind", ["BDT", "MLP", "PDERS", "SVM"])
def test_what_tmva_trains_with_a_constant_variable_is_trained(kind):
    factory, method = book(kind, variables="xyc")
    factory.TrainAllMethods()
    assert method.is_trained


@pytest.mark.parametrize("kind", ["Fisher", "LD", "HMatrix", "Likelihood", "PDEFoam", "Cuts", "TMlpANN"])
def test_other_methods_say_which_variable_is_constant(kind):
    factory, _ = book(kind, variables="xyc")
    with pytest.raises(InputError, match=r"\bc\b|variable 3"):
        factory.TrainAllMethods()
