"""Which events an entry gives, and with what values and weight: examples worked out by hand."""

import logging

import numpy as np
import pytest

from pytmva_bnn.dataset import DataLoader, DatasetError
from pytmva_bnn.dataset.events import read_events


def events_of(
    columns, variables=(), *, targets=(), spectators=(), array=None, weight="", cut="", tree_weight=1.0, block_size=100
):
    loader = DataLoader("dataset")
    for variable in variables:
        loader.AddVariable(variable)
    if array is not None:
        loader.AddVariablesArray(*array)
    for target in targets:
        loader.AddTarget(target)
    for spectator in spectators:
        loader.AddSpectator(spectator)
    loader.AddTree(columns, "Signal", tree_weight)
    if weight:
        loader.SetWeightExpression(weight, "Signal")
    loader.AddCut(cut)
    (events,) = read_events(loader.description, block_size)
    return events


def rows(events):
    return events.values.tolist()


JAGGED = {"j": [[1.0, 2.0, 3.0], [], [4.0], [5.0, 6.0]], "s": [10.0, 20.0, 30.0, 40.0]}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        # each element is an event, scalars are repeated, an empty array gives none
        ({"variables": ["j", "s"]}, [[1, 10], [2, 10], [3, 10], [4, 30], [5, 40], [6, 40]]),
        # one element of an array is a scalar; an entry that lacks it is dropped
        ({"variables": ["j[1]", "s"]}, [[2, 10], [6, 40]]),
        ({"variables": ["Alt$(j[1],-1)"]}, [[2], [-1], [-1], [6]]),
        ({"variables": ["Sum$(j)"]}, [[6], [0], [4], [11]]),
        # targets and spectators go along with the event's instance
        ({"variables": ["j"], "spectators": ["j*2"]}, [[1, 2], [2, 4], [3, 6], [4, 8], [5, 10], [6, 12]]),
        ({"variables": ["j"], "targets": ["s"]}, [[1, 10], [2, 10], [3, 10], [4, 30], [5, 40], [6, 40]]),
        # a cut by instance
        ({"variables": ["j"], "cut": "j > 1.5 && j < 5.5"}, [[2], [3], [4], [5]]),
        ({"variables": ["j"], "cut": "s > 15"}, [[4], [5], [6]]),
        # Alt$ is the alternate at every instance but the first
        ({"variables": ["j", "Alt$(j[0],9)"]}, [[1, 1], [2, 9], [3, 9], [4, 4], [5, 5], [6, 9]]),
    ],
)
def test_arrays_give_an_event_for_each_instance(arguments, expected):
    assert rows(events_of(JAGGED, **arguments)) == expected


def test_an_array_in_cut_or_weight_of_scalar_variables_counts_with_its_first_element():
    columns = {"j": [[1.0, 0.0], [0.0, 1.0]], "w": [[2.0, 5.0], [3.0, 7.0]], "s": [10.0, 20.0]}
    events = events_of(columns, ["s"], cut="j", weight="w")
    assert (rows(events), events.weights.tolist()) == ([[10]], [2])


def test_arrays_of_the_same_length_run_together_and_a_length_of_one_agrees_with_all():
    columns = {"a": [[1.0, 2.0], [3.0]], "b": [[5.0, 6.0], [7.0]]}
    assert rows(events_of(columns, ["a", "b"])) == [[1, 5], [2, 6], [3, 7]]


def test_arrays_of_different_lengths_are_an_error_that_names_them():
    columns = {"a": [[1.0], [1.0, 2.0]], "b": [[5.0], [7.0, 8.0, 9.0]]}
    with pytest.raises(DatasetError, match=r"different length.*entry 1 of dict \(a: 2, b: 3\)"):
        events_of(columns, ["a", "b"], block_size=1)


@pytest.mark.parametrize("block_size", [1, 2, 3, 100])
def test_the_size_of_blocks_does_not_matter(block_size):
    events = events_of(JAGGED, ["j", "s", "Entry$"], weight="s", block_size=block_size)
    everything = events_of(JAGGED, ["j", "s", "Entry$"], weight="s")
    assert rows(events) == rows(everything)
    assert events.counters == everything.counters


# ---- AddVariablesArray ----------------------------------------------------------------------------------


def test_an_array_of_variables_has_a_column_for_each_element():
    columns = {"v": [[1.0, 2.0], [3.0, 4.0]], "x": [5.0, 6.0]}
    assert rows(events_of(columns, ["x"], array=("v", 2))) == [[5, 1, 2], [6, 3, 4]]


def test_a_fixed_size_array_works_as_well():
    assert rows(events_of({"v": np.arange(6.0).reshape(2, 3)}, array=("v", 3))) == [[0, 1, 2], [3, 4, 5]]


def test_too_short_an_array_is_an_error():
    with pytest.raises(
        DatasetError, match="Size of array v in the current tree dict for the event 1 is 1 instead of 2"
    ):
        events_of({"v": [[1.0, 2.0], [3.0]]}, array=("v", 2))


def test_too_long_an_array_is_told_once_and_cut(caplog):
    events = events_of({"v": [[1.0, 2.0, 9.0], [3.0, 4.0, 9.0]]}, array=("v", 2), block_size=1)
    assert rows(events) == [[1, 2], [3, 4]]
    assert [r.message for r in caplog.records if "larger than 2" in r.message] == [
        "Size of array v in the current tree dict is 3, larger than 2. Some data will then be ignored."
    ]


def test_beside_an_array_valued_variable_all_elements_are_those_of_the_instance():
    # TMVA's quirk: the own index of the column is forgotten, but only in entries with several events
    columns = {"j": [[1.0, 2.0], [3.0]], "v": [[10.0, 20.0], [30.0, 40.0]]}
    assert rows(events_of(columns, ["j"], array=("v", 2))) == [[1, 10, 10], [2, 20, 20], [3, 30, 40]]


# ---- weights, cuts, counters ----------------------------------------------------------------------------


def test_weights_are_rounded_to_float32_before_and_after_the_multiplication():
    events = events_of({"x": [1.0], "w": [1 / 3]}, ["x"], weight="w", tree_weight=0.1)
    expected = np.float32(np.float64(np.float32(0.1)) * (1 / 3))
    assert events.weights.tobytes() == np.array([expected]).tobytes()


def test_values_are_computed_in_float64_and_kept_in_float32():
    events = events_of({"x": np.array([16777216.0])}, ["(x+1)-x"])
    assert rows(events) == [[1.0]]


def test_a_cut_needs_a_half():
    events = events_of({"x": [0.0, 0.4, 0.5, 1.0]}, ["x"], cut="x")
    assert rows(events) == [[0.5], [1.0]]


def test_negative_weights_are_kept():
    assert events_of({"x": [1.0, 2.0], "w": [-1.0, 1.0]}, ["x"], weight="w").weights.tolist() == [-1, 1]


def test_counters_count_instances_and_add_weights_in_float32():
    n = 20
    columns = {"x": np.arange(n), "w": np.full(n, 0.1)}
    counters = events_of(columns, ["x"], cut="x < 12", weight="w", block_size=7).counters
    assert (counters.n_before, counters.n_after) == (20, 12)
    total = np.float32(0)
    for _ in range(n):
        total = np.float32(total + np.float32(0.1))
    assert counters.weights_before == total


def test_trees_of_one_class_stand_in_the_order_training_test_undecided():
    loader = DataLoader()
    loader.AddVariable("x")
    loader.AddTree({"x": [1.0, 2.0]}, "Signal")
    loader.AddTree({"x": [3.0]}, "Signal", 1.0, "", "Test")
    loader.AddTree({"x": [4.0]}, "Signal", 1.0, "", "Training")
    loader.AddTree({"x": [5.0]}, "Signal", 3.0)
    (events,) = read_events(loader.description)
    assert (rows(events), events.numbers) == ([[4], [3], [1], [2], [5]], (1, 1, 3))
    assert events.weights.tolist() == [1, 1, 1, 1, 3]


# ---- NaN and infinities ---------------------------------------------------------------------------------

BAD = {
    "x": [1.0, np.nan, np.nan, 4.0, 5.0],
    "y": [1.0, 2.0, 3.0, np.inf, 1e39],
    "w": [1.0, 1.0, 1.0, 1.0, np.nan],
    "ok": [1.0, 0.0, 0.0, 0.0, 0.0],
}


def test_all_expressions_that_are_no_numbers_are_named_at_once_with_their_counts():
    with pytest.raises(DatasetError) as error:
        events_of(BAD, ["x", "2*y"], targets=["x+1"], spectators=["y"], weight="w", block_size=2)
    assert str(error.value).splitlines() == [
        "Dataset[dataset] : Found events with NaN and/or +-inf values (not removed by cut):",
        "  Input expression resolves to indeterminate value (NaN): x (2 times), first in entry 1 of dict",
        "  Input expression resolves to infinite value (+inf or -inf): 2*y (2 times), first in entry 3 of dict",
        "  Spectator expression resolves to infinite value (+inf or -inf): y (2 times), first in entry 3 of dict",
        "  Target expression resolves to indeterminate value (NaN): x+1 (2 times), first in entry 1 of dict",
        "  Weight expression resolves to indeterminate value (NaN): w, first in entry 4 of dict",
        "How am I supposed to train a NaN or +-inf?! Remove these events with a cut, or change the expressions.",
    ]


def test_what_the_cut_removes_is_only_told(caplog):
    events = events_of(BAD, ["x", "2*y"], weight="w", cut="ok")
    assert rows(events) == [[1, 2]]
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING] == [
        "Found events with NaN and/or +-inf values",
        "Dataset[dataset] : Input expression resolves to indeterminate value (NaN): x (2 times)",
        "Dataset[dataset] : Input expression resolves to infinite value (+inf or -inf): 2*y (2 times)",
        "Dataset[dataset] : Weight expression resolves to indeterminate value (NaN): w",
        "These NaN and/or +-infs were all removed by the specified cut, continuing.",
    ]


def test_counts_are_over_all_trees_and_classes():
    loader = DataLoader()
    loader.AddVariable("x")
    for class_name in ("Signal", "Background"):
        loader.AddTree({"x": [1.0, np.nan]}, class_name)
    with pytest.raises(DatasetError, match=r"x \(2 times\)"):
        read_events(loader.description)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_cut_that_is_no_number_is_an_error(value):
    with pytest.raises(DatasetError, match="Cut expression resolves to"):
        events_of({"x": [1.0, 2.0], "c": [1.0, value]}, ["x"], cut="c")


@pytest.mark.parametrize("where", ["cut", "weight"])
@pytest.mark.parametrize(
    "expression", ["j[1]", "j[1]>0", "!(j[1]>0)", "min(j[1],5)", "1+(j[1]>2)", "x>0 && j[1]>0", "x>5 || j[1]!=3"]
)
def test_a_missing_element_in_cut_or_weight_is_not_a_number(where, expression):
    columns = {"j": [[1.0, 1.0], [1.0]], "x": [1.0, 2.0]}
    with pytest.raises(DatasetError, match=r"indeterminate value \(NaN\): "):
        events_of(columns, ["x"], **{where: expression})


@pytest.mark.parametrize(
    "expression", ["Length$(j)>1 && j[1]>0", "Length$(j)<2 || j[1]>0", "Length$(j)>1 ? j[1] : 1", "Alt$(j[1],1)>0"]
)
def test_an_element_that_is_not_looked_at_is_not_missing(expression):
    columns = {"j": [[1.0, 1.0], [1.0]], "x": [1.0, 2.0]}
    events_of(columns, ["x"], weight=expression)


def test_a_first_entry_without_data_is_told(caplog):
    events_of({"j": [[], [1.0]], "x": [1.0, 2.0]}, ["j[0]"])
    assert "Expression: j[0] does not provide data for this event" in caplog.text


# ---- expressions that do not fit the tree ---------------------------------------------------------------


def test_an_unknown_branch_is_pointed_at_and_the_nearest_name_is_given():
    with pytest.raises(DatasetError) as error:
        events_of({"var1": [1.0], "pt": [2.0]}, ["pt + vra1"])
    first, *pointer = str(error.value).splitlines()
    assert first.startswith("Input expression pt+vra1 could not be resolved to a valid formula for the tree dict: ")
    assert first.endswith("there is no branch 'vra1': did you mean var1?")
    assert pointer == ["  pt+vra1", "     ^"]


def two_trees():
    loader = DataLoader()
    loader.AddVariable("x")
    loader.AddSignalTree({"x": [1.0, 2.0], "s": [1.0, 1.0]})
    loader.AddBackgroundTree({"x": [1.0, 2.0]})
    return loader


def test_the_cut_of_a_class_must_fit_the_trees_of_all_classes():
    loader = two_trees()
    loader.AddCut("s > 0", "Signal")
    with pytest.raises(DatasetError, match="Cut expression s > 0"):
        read_events(loader.description)


def test_the_weight_of_a_class_need_not_fit_the_trees_of_others():
    loader = two_trees()
    loader.SetSignalWeightExpression("2*s")
    assert read_events(loader.description)[0].weights.tolist() == [2, 2]
