"""When the data set is built, what it knows, and what it tells."""

import logging
import sys

import numpy as np
import pytest

from pytmva_bnn.dataset import DataLoader, DatasetError, build
from pytmva_bnn.errors import OptionError
from pytmva_bnn.random import Library

BIG = 3.4028234663852886e38


def loader_with(n=20, options="SplitMode=Block", **columns):
    rng = np.random.default_rng(3)
    loader = DataLoader("ds")
    loader.AddVariable("x")
    loader.AddVariable("y")
    for shift, class_name in enumerate(("Signal", "Background")):
        events = {"x": rng.normal(size=n) + shift, "y": rng.normal(size=n), "c": np.ones(n), **columns}
        loader.AddTree(events, class_name)
    loader.PrepareTrainingAndTestTree("", options)
    return loader


# ---- when ------------------------------------------------------------------------------------------------


def test_nothing_is_read_before_the_data_set_is_asked_for():
    loader = DataLoader()
    loader.AddVariable("no such branch")
    loader.AddSignalTree({"x": [1.0]})
    loader.PrepareTrainingAndTestTree("", "")
    with pytest.raises(DatasetError, match="could not be resolved"):
        _ = loader.training


def test_the_data_set_is_built_once():
    loader = loader_with()
    assert loader.dataset is loader.dataset


@pytest.mark.parametrize(
    ("call", "arguments", "again"),
    [
        ("AddVariable", ("x*y",), True),
        ("AddTarget", ("x*y",), True),
        ("AddSpectator", ("x",), True),
        ("PrepareTrainingAndTestTree", ("", "SplitMode=Random"), True),
        ("AddSignalTree", ({"x": [1.0], "y": [1.0]},), False),
        ("AddCut", ("x > 0",), False),
        ("SetSignalWeightExpression", ("c",), False),
    ],
)
def test_variables_and_options_lead_to_another_build_but_trees_and_cuts_do_not(call, arguments, again):
    loader = loader_with()
    before = loader.dataset
    getattr(loader, call)(*arguments)
    assert (loader.dataset is not before) == again


@pytest.mark.parametrize("missing", ["trees", "variables"])
def test_without_trees_or_variables_there_is_no_data_set(missing):
    loader = DataLoader("ds")
    if missing == "trees":
        loader.AddVariable("x")
    else:
        loader.AddSignalTree({"x": [1.0]})
    with pytest.raises(DatasetError, match=r"Dataset\[ds\] : there are no (events|variables)"):
        _ = loader.dataset


def test_an_unknown_option_is_an_error():
    with pytest.raises(OptionError, match="EqualTrainSample"):
        _ = loader_with(options="EqualTrainSample").dataset


def test_equal_numbers_for_both_classes_work_although_they_do_not_in_tmva():
    loader = loader_with()
    loader.PrepareTrainingAndTestTree("", 5)
    assert (len(loader.training), len(loader.test)) == (10, 30)


# ---- what ------------------------------------------------------------------------------------------------


def test_arrays_have_the_types_of_tmvas_events():
    loader = loader_with()
    loader.AddTarget("x+y")
    loader.AddSpectator("y")
    events = loader.training
    assert (events.variables.dtype, events.targets.dtype, events.spectators.dtype) == (np.float32,) * 3
    assert (events.class_index.dtype, events.weights.dtype) == (np.int32, np.float64)
    assert (events.variables.shape, events.targets.shape, events.spectators.shape) == ((20, 2), (20, 1), (20, 1))
    np.testing.assert_array_equal(events.spectators[:, 0], events.variables[:, 1])


def test_ranges_are_those_of_the_training_events():
    dataset = loader_with().dataset
    x = dataset.training.variables[:, 0]
    assert (dataset.variables[0].minimum, dataset.variables[0].maximum) == (float(x.min()), float(x.max()))


def test_ranges_stay_as_given_without_calc_correlations():
    loader = loader_with(options="CalcCorrelations=False")
    loader.AddVariable("x*2", "F", -5, 7)
    dataset = loader.dataset
    assert [(v.minimum, v.maximum) for v in dataset.variables] == [(BIG, -BIG), (BIG, -BIG), (-5, 7)]
    assert dataset.correlations == {}


def test_correlations_are_weighted():
    loader = loader_with(n=400, options="NormMode=None", w=np.linspace(0.1, 2, 400))
    loader.SetWeightExpression("w")
    dataset = loader.dataset
    chosen = dataset.training.of_class(1)
    x, w = dataset.training.variables[chosen], dataset.training.weights[chosen]
    expected = np.cov(x.astype(np.float64).T, aweights=w, ddof=0)
    scale = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(dataset.correlations["Background"], expected / np.outer(scale, scale), rtol=1e-12)


def test_a_constant_variable_is_told_a_constant_target_is_refused(caplog):
    loader = loader_with()
    loader.AddVariable("c")
    assert loader.dataset.correlations["Signal"][0, 2] == 0
    assert "Dataset[ds] : Variable c is constant. Please remove the variable." in caplog.text
    assert "<GetCorrelationMatrix> Zero variances for variables (0, 2)" in caplog.text
    assert "(2, 2)" not in caplog.text  # that it is constant has been said
    loader.AddSpectator("c")
    _ = loader.dataset
    loader.AddTarget("c")
    with pytest.raises(DatasetError, match="Target c is constant"):
        _ = loader.dataset


def test_classes_without_events_are_harmless():
    loader = DataLoader()
    loader.AddVariable("x")
    loader.AddTarget("2*x")
    loader.AddRegressionTree({"x": np.arange(10.0)})
    loader.PrepareTrainingAndTestTree("", "", "SplitMode=Block")
    dataset = loader.dataset
    assert dataset.class_names == ("Regression", "Signal", "Background")
    assert (len(dataset.training), len(dataset.test), list(dataset.correlations)) == (5, 5, ["Regression"])


def test_the_signal_class_is_the_one_called_signal():
    loader = DataLoader()
    loader.AddVariable("x")
    loader.AddBackgroundTree({"x": np.arange(4.0)})
    loader.AddSignalTree({"x": np.arange(4.0)})
    assert (loader.dataset.signal_class, loader.dataset.is_binary) == (1, True)


def test_events_of_training_and_test_trees_stay_there():
    loader = DataLoader()
    loader.AddVariable("x")
    loader.AddTree({"x": np.arange(5.0)}, "Signal", 1.0, "", "Training")
    loader.AddTree({"x": np.arange(10.0, 13.0)}, "Signal", 1.0, "", "Test")
    assert sorted(loader.training.variables[:, 0]) == [0, 1, 2, 3, 4]
    assert sorted(loader.test.variables[:, 0]) == [10, 11, 12]


def test_the_result_does_not_depend_on_the_size_of_blocks():
    loader = loader_with(n=50, options="")
    loader.AddCut("y < 1")
    one, other = build(loader.description, block_size=7), build(loader.description)
    np.testing.assert_array_equal(one.training.variables, other.training.variables)
    np.testing.assert_array_equal(one.test.weights, other.test.weights)


def test_negative_weights_become_zero_if_the_method_in_training_ignores_them():
    loader = loader_with(w=np.where(np.arange(20) % 4 == 0, -1.0, 1.0))
    loader.SetWeightExpression("w")
    dataset = loader.built(ignore_negative_weights=True)
    assert dataset.training.weights.min() == 0
    assert dataset.test.weights.min() == -1


# ---- told ------------------------------------------------------------------------------------------------


def test_the_log_of_a_build_with_cuts(caplog):
    caplog.set_level(logging.INFO)
    loader = DataLoader("ds")
    loader.AddVariable("x")
    loader.AddVariable("y")
    rng = np.random.default_rng(1)
    for class_name in ("Signal", "Background"):
        loader.AddTree({"x": np.arange(100.0), "y": rng.normal(size=100)}, class_name)
    loader.PrepareTrainingAndTestTree("x < 52", "nTrain_Signal=30:nTrain_Background=30")
    _ = loader.dataset
    lines = [record.getMessage() for record in caplog.records]
    assert lines[:13] == [
        '[ds] : Added class "Signal"',
        "Add Tree dict of type Signal with 100 events",
        '[ds] : Added class "Background"',
        "Add Tree dict of type Background with 100 events",
        "Dataset[ds] : Class index : 0  name : Signal",
        "Dataset[ds] : Class index : 1  name : Background",
        "Rebuilding Dataset ds",
        "Building event vectors for type 2 Signal",
        "Dataset[ds] :  create input formulas for tree dict",
        "Building event vectors for type 2 Background",
        "Dataset[ds] :  create input formulas for tree dict",
        "[ds] : Number of events in input trees",
        'Dataset[ds] :     Signal     requirement: "x < 52"',
    ]
    assert "Dataset[ds] :     Signal          -- number of events passed: 52     / sum of weights: 52   " in lines
    assert "Dataset[ds] :     Signal          -- efficiency             : 0.52  " in lines
    assert "Signal     -- training events            : 30" in lines
    matrix = lines.index("Correlation matrix (Signal):")
    assert lines[matrix + 1] == "-" * 24
    assert lines[matrix + 2] == "               x       y"
    assert lines[matrix + 3].startswith("      x:  +1.000  ")
    assert lines[-2:] == ["[ds] :  ", ""]


def test_correlations_are_not_printed_if_not_wanted(caplog):
    caplog.set_level(logging.INFO)
    assert loader_with(options="!Correlations").dataset.correlations
    assert "Correlation matrix" not in caplog.text


def test_a_progress_bar_is_shown_only_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("pytmva_bnn.dataset.events.LONG", 10)
    _ = loader_with().dataset
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _ = loader_with().dataset
    assert "Reading events" in capsys.readouterr().err


def test_without_tqdm_there_is_no_bar(monkeypatch, capsys):
    monkeypatch.setattr("pytmva_bnn.dataset.events.LONG", 10)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    _ = loader_with().dataset
    assert capsys.readouterr().err == ""


def test_an_older_build_of_root_splits_otherwise():
    def split_by(library):
        loader = DataLoader("ds", library=library)
        loader.AddVariable("x")
        loader.AddSignalTree({"x": np.arange(20.0)})
        return loader.training.variables[:, 0].tolist()

    assert split_by("gcc11") == split_by(Library.GCC11) != split_by("gcc6")


# ---- what macros ask -------------------------------------------------------------------------------------


def test_the_info_of_a_data_set():
    loader = loader_with()
    loader.AddTarget("t := x", "a title", "GeV", -1, 1)
    loader.AddSpectator("y", "b title")
    loader.AddVariable("n", "I")
    loader.SetSignalWeightExpression("w")
    loader.AddCut("x>0", "Signal")
    info = loader.GetDefaultDataSetInfo()
    assert (info.GetName(), loader.GetName(), loader.name, repr(loader)) == ("ds", "ds", "ds", "DataLoader('ds')")
    assert (info.GetNVariables(), info.GetNTargets(), info.GetNSpectators(), info.GetNClasses()) == (3, 1, 1, 2)
    assert (info.GetVariableInfo(2).GetVarType(), info.GetSpectatorInfo(0).GetTitle()) == ("I", "b title")
    target = info.GetTargetInfo(0)
    assert (target.GetExpression(), target.GetLabel(), target.GetInternalName()) == ("x", "t", "t")
    assert (target.GetTitle(), target.GetUnit(), target.GetMin(), target.GetMax()) == ("a title", "GeV", -1, 1)
    signal = info.GetClassInfo("Signal")
    assert (signal.GetNumber(), signal.GetWeight(), signal.GetCut()) == (0, "w", "x>0")
    assert info.GetSignalClassIndex() == 0


def test_classes_without_training_events_are_told(caplog):
    loader = DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSignalTree({"x": np.arange(10.0)})
    loader.AddBackgroundTree({"x": -np.arange(10.0)})
    loader.SetWeightExpression("2", "signal")
    loader.AddCut("x > 0", "Background")
    assert len(loader.dataset.training) == 5
    assert "the class 'signal' has a weight or a cut, but no tree: did you mean Signal?" in caplog.text
    assert "the class 'Background' has no training events; check its cut" in caplog.text
