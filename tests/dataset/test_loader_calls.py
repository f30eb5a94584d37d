"""Every call of DataLoader in every form, and what it records."""

import numpy as np
import pytest

from pytmva_bnn.dataset import DataLoader, DatasetError
from pytmva_bnn.tmva_types import Types

BIG = 3.4028234663852886e38
X = {"x": [1.0, 2.0, 3.0, 4.0]}


@pytest.fixture
def loader():
    return DataLoader("dataset")


# ---- variables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("x",), ("x", "x", "x", "", "F", BIG, -BIG)),
        (("x", "F"), ("x", "x", "x", "", "F", BIG, -BIG)),
        (("x", "I"), ("x", "x", "x", "", "I", BIG, -BIG)),
        (("x", "I", -5, 7), ("x", "x", "x", "", "I", -5.0, 7.0)),
        (("x", "F", 3, 3), ("x", "x", "x", "", "F", BIG, -BIG)),
        (("x", "a title", "GeV"), ("x", "x", "a title", "GeV", "F", BIG, -BIG)),
        (("x", "a title", "GeV", "I", -5, 7), ("x", "x", "a title", "GeV", "I", -5.0, 7.0)),
        (("x", "F", "GeV"), ("x", "x", "F", "GeV", "F", BIG, -BIG)),
        (("x", "", "GeV", "F"), ("x", "x", "x", "GeV", "F", BIG, -BIG)),
        (("x", "a title"), ("x", "x", "a title", "", "F", BIG, -BIG)),
        (("a label := x + y", "I"), ("x+y", "alabel", "alabel", "", "I", BIG, -BIG)),
        (("a := b := c",), ("b:=c", "a", "a", "", "F", BIG, -BIG)),
    ],
)
def test_add_variable(loader, arguments, expected):
    loader.AddVariable(*arguments)
    record = loader.description.variables[0].record
    found = (record.expression, record.label, record.title, record.unit, record.type, record.minimum, record.maximum)
    assert found == expected


def test_add_variable_by_keywords(loader):
    loader.AddVariable("x", title="a title", unit="GeV", type="I", min=-1, max=1)
    record = loader.description.variables[0].record
    assert (record.title, record.unit, record.type, record.minimum, record.maximum) == ("a title", "GeV", "I", -1, 1)


def test_an_unknown_type_is_reported_once(loader, caplog):
    for name, kind in (("a", "D"), ("b", "F"), ("c", "D"), ("d", "L")):
        loader.AddVariable(name, kind)
    assert [v.record.type for v in loader.description.variables] == ["D", "F", "D", "L"]
    assert [caplog.text.count(f"the type '{kind}' is neither F nor I") for kind in "DFL"] == [1, 0, 1]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(("x", "t", "u", "F", 0, 1, 2), {}), (("x", "F"), {"type": "I"}), (("x",), {"titel": "a"})],
)
def test_add_variable_refuses_arguments_it_does_not_know(loader, arguments, named):
    with pytest.raises(DatasetError, match="AddVariable"):
        loader.AddVariable(*arguments, **named)


def test_duplicates_are_kept(loader):
    loader.SetInputVariables(["x", "x"])
    assert loader.GetDefaultDataSetInfo().GetListOfVariables() == ["x", "x"]


def test_add_variables_array(loader):
    loader.AddVariablesArray("jet pt[]", 2, "I", -1, 1)
    found = [
        (v.record.expression, v.record.title, v.record.internal, v.record.type) for v in loader.description.variables
    ]
    assert found == [("jetpt[]", "[0]", "jetpt__[0]", "I[]"), ("jetpt[]", "[1]", "jetpt__[1]", "I[]")]


@pytest.mark.parametrize(("size", "kind", "problem"), [(2, "D", "'D' variable type"), (0, "F", "at least 1")])
def test_add_variables_array_refuses(loader, size, kind, problem):
    with pytest.raises(DatasetError, match=problem):
        loader.AddVariablesArray("v", size, kind)


@pytest.mark.parametrize("call", ["AddTarget", "AddRegressionTarget", "AddSpectator"])
def test_targets_and_spectators_are_always_of_type_f(loader, call):
    getattr(loader, call)("l := x", "title", "GeV", -1, 2)
    (one,) = loader.description.spectators if call == "AddSpectator" else loader.description.targets
    record = one.record
    assert (record.expression, record.label, record.title, record.unit, record.type) == ("x", "l", "title", "GeV", "F")
    assert (record.minimum, record.maximum) == (-1, 2)


# ---- trees -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("AddTree", (X, "A"), [("A", 1.0, 2, 4)]),
        ("AddTree", (X, "A", 2.0, "x > 2"), [("A", 2.0, 2, 2)]),
        ("AddTree", (X, "A", 2.0, "", Types.kTraining), [("A", 2.0, 0, 4)]),
        ("AddTree", (X, "A", 2.0, "", "testing"), [("A", 2.0, 1, 4)]),
        ("AddTree", (X, "A", 2.0, "", 1), [("A", 2.0, 1, 4)]),
        ("AddTree", (X, "A", 2.0, "", "Training and Test"), [("A", 2.0, 2, 4)]),
        ("AddSignalTree", (X,), [("Signal", 1.0, 2, 4)]),
        ("AddSignalTree", (X, 3.0, "TRAIN"), [("Signal", 3.0, 0, 4)]),
        ("AddSignalTree", (X, 3.0, Types.kTesting), [("Signal", 3.0, 1, 4)]),
        ("AddBackgroundTree", (X, 3.0, Types.kMaxTreeType), [("Background", 3.0, 2, 4)]),
        ("AddRegressionTree", (X, 3.0), [("Regression", 3.0, 2, 4)]),
        ("SetSignalTree", (X, 3.0), [("Signal", 3.0, 2, 4)]),
        ("SetBackgroundTree", (X,), [("Background", 1.0, 2, 4)]),
        ("SetTree", (X, "A", 3.0), [("A", 3.0, 2, 4)]),
        ("SetInputTrees", (X, X), [("Signal", 1.0, 2, 4), ("Background", 1.0, 2, 4)]),
        ("SetInputTrees", (X, X, 2.0, np.int64(3)), [("Signal", 2.0, 2, 4), ("Background", 3.0, 2, 4)]),
        ("SetInputTrees", (X, "x < 2", "x >= 2"), [("Signal", 1.0, 2, 1), ("Background", 1.0, 2, 3)]),
    ],
)
def test_tree_calls(loader, call, arguments, expected):
    getattr(loader, call)(*arguments)
    found = [(t.class_name, t.weight, int(t.type), t.source.n_entries) for t in loader.description.trees]
    assert found == expected
    assert [one.name for one in loader.description.classes] == [entry[0] for entry in expected]


@pytest.mark.parametrize(("call", "name"), [("AddSignalTree", "TreeS"), ("AddBackgroundTree", "TreeB")])
def test_text_files_of_signal_and_background(loader, tmp_path, call, name):
    path = tmp_path / "events.dat"
    path.write_text("x/F\n1\n2\n")
    getattr(loader, call)(str(path), 2.0, "Training")
    (tree,) = loader.description.trees
    assert (tree.source.name, tree.weight, tree.source.n_entries) == (name, 2.0, 2)


def test_two_text_files_get_their_classes_at_the_build_and_lose_the_cut(loader, tmp_path):
    for name in ("s", "b"):
        (tmp_path / f"{name}.txt").write_text("x/F\n1\n2\n3\n4\n")
    loader.AddVariable("x")
    loader.SetInputTrees(str(tmp_path / "s.txt"), str(tmp_path / "b.txt"), 2.0, 3.0)
    loader.PrepareTrainingAndTestTree("x > 2", "")
    assert loader.description.classes == []
    assert [tree.source.name for tree in loader.description.trees] == ["TreeSignal", "TreeBackground"]
    assert loader.dataset.class_names == ("Background", "Signal")
    assert [counters.n_after for counters in loader.dataset.counters] == [4, 4]


@pytest.mark.parametrize(
    ("call", "arguments", "problem"),
    [
        ("AddTree", (None, "A"), r"Tree does not exist \(empty pointer\)"),
        ("AddTree", ({"x": []}, "A"), "Encountered empty TTree or TChain of class A"),
        ("AddSignalTree", (X, 1.0, "both"), 'cannot interpret tree type: "both" should be "Training" or "Test"'),
        ("AddTree", (X, "A", 1.0, "", 7), 'cannot interpret tree type: "7"'),
        ("AddTree", (X, "A", 1.0, "y > 2"), "the cut of AddTree cannot be used: there is no branch 'y'"),
        ("AddTree", (X, "A", 1.0, "x >"), "the cut of AddTree cannot be used"),
        ("SetInputTrees", ("a.txt", "b.txt"), "Could not open file: a.txt"),
    ],
)
def test_trees_that_cannot_be_added(loader, call, arguments, problem):
    with pytest.raises(DatasetError, match=problem):
        getattr(loader, call)(*arguments)
    assert loader.description.trees == []
    assert loader.description.classes == []


def test_an_undecided_tree_after_one_with_a_type_is_refused_but_not_the_reverse(loader):
    loader.AddTree(X, "A", 1.0, "", "Training")
    with pytest.raises(DatasetError, match="For the tree dict of class A you did not specify a type"):
        loader.AddTree(X, "A")
    loader.AddTree(X, "B")
    loader.AddTree(X, "B", 1.0, "", "Training")
    assert len(loader.description.trees) == 3


# ---- classes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([("AddSignalTree", X), ("AddBackgroundTree", X)], ["Signal", "Background"]),
        ([("SetBackgroundWeightExpression", "w"), ("AddSignalTree", X)], ["Background", "Signal"]),
        ([("SetWeightExpression", "w")], ["Signal", "Background"]),
        ([("SetWeightExpression", "w", "A")], ["A"]),
        ([("AddCut", "x", "B"), ("SetCut", "x", "A")], ["B", "A"]),
        ([("AddCut", "x")], []),
        (
            [("AddRegressionTree", X), ("PrepareTrainingAndTestTree", "", "", "")],
            ["Regression", "Signal", "Background"],
        ),
    ],
)
def test_classes_are_numbered_by_their_first_mention(loader, calls, expected):
    for name, *arguments in calls:
        getattr(loader, name)(*arguments)
    info = loader.GetDataSetInfo()
    assert [info.GetClassInfo(i).GetName() for i in range(info.GetNClasses())] == expected


def test_an_unknown_class_is_an_error_with_the_nearest_name(loader):
    loader.AddSignalTree(X)
    with pytest.raises(DatasetError, match="there is no class 'Singal'; did you mean Signal"):
        loader.GetDefaultDataSetInfo().GetClassInfo("Singal")


# ---- weights and cuts ------------------------------------------------------------------------------------


class TCut:
    """What PyROOT's TCut looks like."""

    def __init__(self, text):
        self.text = text

    def GetTitle(self):
        return self.text


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([("AddCut", "a")], ("a", "a")),
        ([("AddCut", TCut("a||b")), ("AddCut", "c", "Signal")], ("(a||b)&&(c)", "a||b")),
        ([("AddCut", "a"), ("AddCut", "")], ("a", "a")),
        ([("AddCut", ""), ("AddCut", None)], ("", "")),
        ([("AddCut", "a"), ("SetCut", "b", "Background")], ("a", "b")),
        ([("AddCut", "a"), ("SetCut", "")], ("", "")),
        ([("PrepareTrainingAndTestTree", "a", ""), ("PrepareTrainingAndTestTree", "b", "")], ("(a)&&(b)",) * 2),
        ([("PrepareTrainingAndTestTree", "a", TCut("b"), "")], ("a", "b")),
        ([("PrepareTrainingAndTestTree", TCut("a"), "b", "")], ("a", "b")),
    ],
)
def test_cuts_are_combined(loader, calls, expected):
    loader.AddSignalTree(X)
    loader.AddBackgroundTree(X)
    for name, *arguments in calls:
        getattr(loader, name)(*arguments)
    assert tuple(one.cut for one in loader.description.classes) == expected


def test_the_last_weight_expression_counts(loader):
    loader.SetSignalWeightExpression("a")
    loader.SetWeightExpression("b")
    loader.SetBackgroundWeightExpression("c")
    assert [one.weight for one in loader.description.classes] == ["b", "c"]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (("",), ""),
        (("", "SplitMode=Block"), "SplitMode=Block"),
        (("", "", "SplitMode=Block"), "SplitMode=Block"),
        (
            ("", 1, 2, 3, 4),
            "nTrain_Signal=1:nTrain_Background=2:nTest_Signal=3:nTest_Background=4:SplitMode=Random:!V",
        ),
        (("", 1, 2, 3, 4, "V"), "nTrain_Signal=1:nTrain_Background=2:nTest_Signal=3:nTest_Background=4:V"),
        (("", 5), "nTrain_Signal=5:nTrain_Background=5:nTest_Signal=0:nTest_Background=0:SplitMode=Random:!V"),
        (("", 5, -1), "nTrain_Signal=5:nTrain_Background=5:nTest_Signal=0:nTest_Background=0:SplitMode=Random:!V"),
        (
            ("", np.int64(5), 6.0),
            "nTrain_Signal=5:nTrain_Background=5:nTest_Signal=6:nTest_Background=6:SplitMode=Random:!V",
        ),
    ],
)
def test_prepare_sets_the_options(loader, arguments, options):
    loader.PrepareTrainingAndTestTree(*arguments)
    assert loader.GetDefaultDataSetInfo().GetSplitOptions() == options


@pytest.mark.parametrize(
    ("keywords", "cuts"),
    [
        ({"Cut": "a"}, ("a", "a")),
        ({"SigCut": "a", "BkgCut": "b"}, ("a", "b")),
        ({"BkgCut": "b"}, ("", "b")),
    ],
)
def test_cuts_may_be_keywords(keywords, cuts):
    loader = DataLoader("dataset")
    loader.AddSignalTree(X)
    loader.AddBackgroundTree(X)
    loader.PrepareTrainingAndTestTree(**keywords, nTrain_Signal=5, V=False)
    assert tuple(one.cut for one in loader.description.classes) == cuts
    assert loader.description.options == "nTrain_Signal=5:!V"


@pytest.mark.parametrize("cuts", [{}, {"Cut": "a", "SigCut": "b"}])
def test_one_cut_is_needed(cuts):
    with pytest.raises(DatasetError, match=r"needs one cut, which may be empty.*; got (none|Cut, SigCut)$"):
        DataLoader("dataset").PrepareTrainingAndTestTree(**cuts)


def test_weights_of_classes_that_a_regression_does_not_have_are_told(caplog):
    loader = DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("y")
    loader.AddRegressionTree({"x": np.arange(9.0), "y": np.arange(9.0) ** 2, "w": np.ones(9)})
    loader.SetWeightExpression("w")
    assert len(loader.training)
    assert (
        'for Signal and Background, but they have no events; write SetWeightExpression("...", "Regression")'
        in caplog.text
    )


def test_prepare_refuses_other_arguments(loader):
    with pytest.raises(DatasetError, match=r"PrepareTrainingAndTestTree takes .* got \(str, int, int, int\)"):
        loader.PrepareTrainingAndTestTree("", 1, 2, 3)


# ---- events one by one -----------------------------------------------------------------------------------


def with_events(loader, *, n=3):
    loader.AddVariable("x")
    loader.AddTarget("t")
    loader.AddSpectator("s")
    for i in range(n):
        loader.AddSignalTrainingEvent([i, 10 + i, 20 + i], 0.5)
        loader.AddSignalTestEvent([100 + i, 110 + i, 120 + i])
        loader.AddBackgroundTrainingEvent([-i, -10 - i, -20 - i])
        loader.AddBackgroundTestEvent(np.array([-100 - i, -110 - i, -120 - i]), 3.0)
    return loader


def test_events_given_one_by_one_keep_their_kind_values_and_weights(loader):
    with_events(loader).SetSignalWeightExpression("overridden")
    loader.PrepareTrainingAndTestTree("", "NormMode=None:SplitMode=Block")
    training, test = loader.training, loader.test
    assert training.variables[:, 0].tolist() == [0, 1, 2, 0, -1, -2]
    assert training.targets[:, 0].tolist() == [10, 11, 12, -10, -11, -12]
    assert training.spectators[:, 0].tolist() == [20, 21, 22, -20, -21, -22]
    assert training.weights.tolist() == [0.5] * 3 + [1.0] * 3
    assert test.variables[:, 0].tolist() == [100, 101, 102, -100, -101, -102]
    assert test.weights.tolist() == [1.0] * 3 + [3.0] * 3
    names = [tree.source.name for tree in loader.description.trees]
    assert names == [f"{kind}AssignTree_{name}" for name in ("Signal", "Background") for kind in ("Train", "Test")]


def test_a_shorter_event_keeps_the_last_values_of_the_one_before(loader):
    loader.AddVariable("x")
    loader.AddVariable("y")
    for event in ([1.0], [2.0, 5.0], [3.0]):
        loader.AddTrainingEvent("A", event)
    loader.AddTestEvent("A", [])
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block")
    assert loader.training.variables.tolist() == [[1, 0], [2, 5], [3, 5]]
    assert loader.test.variables.tolist() == [[3, 5]]


def test_a_longer_event_is_refused(loader):
    loader.AddVariable("x")
    with pytest.raises(DatasetError, match=r"AddVariable \(1\) is inconsistent with .* \(2\)"):
        loader.AddEvent("A", Types.kTraining, [1.0, 2.0])


def test_an_event_that_is_to_be_split_is_refused(loader):
    loader.AddVariable("x")
    with pytest.raises(DatasetError, match="must be for training or for test"):
        loader.AddEvent("A", Types.kMaxTreeType, [1.0])


def test_a_class_needs_training_and_test_events(loader):
    loader.AddVariable("x")
    loader.AddSignalTrainingEvent([1.0])
    with pytest.raises(DatasetError, match="empty TTree or TChain of class Signal: no test events"):
        loader.PrepareTrainingAndTestTree("", "")


def test_preparing_twice_adds_the_events_twice(loader):
    with_events(loader)
    loader.PrepareTrainingAndTestTree("", "")
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block")
    assert len(loader.training) == 12


def test_expressions_cannot_be_computed_from_given_events(loader):
    loader.AddVariable("a+b")
    loader.AddSignalTrainingEvent([1.0])
    loader.AddSignalTestEvent([1.0])
    loader.PrepareTrainingAndTestTree("", "")
    with pytest.raises(DatasetError, match=r"Input expression a\+b could not be resolved.*there is no branch 'a'"):
        _ = loader.dataset
