"""The data sets of the real TMVA: same events in the same order, same ranges, same correlations."""

import numpy as np
import pytest

from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.evaluation import correlation_histogram
from pytmva_bnn.weights import read

WITH_TREES = ("bfgs_n", "fakerate_bnn", "multi_n", "reg_n")


def loader_of(booked, more_options=""):
    """Drive a DataLoader as the macro that made the record did."""
    loader = DataLoader("dataset")
    for variable in booked["variables"]:
        loader.AddVariable(*([variable, "F"] if isinstance(variable, str) else variable))
    for target in booked.get("targets", []):
        loader.AddTarget(target)
    for spectator in booked.get("spectators", []):
        loader.AddSpectator(spectator)
    for class_name, tree, weight in booked["trees"]:
        loader.AddTree(f"xml_fixtures/data/{booked['data']}:{tree}", class_name, weight)
        if "weight" in booked:
            loader.SetWeightExpression(booked["weight"], class_name)
    loader.PrepareTrainingAndTestTree(booked.get("cut", ""), booked["prepare"] + more_options)
    return loader


def recorded(name):
    with np.load(f"xml_fixtures/dataset/{name}.npz") as file:
        return dict(file)


def same_events(dataset, record, which):
    events = dataset.training if which == "Train" else dataset.test
    columns = [
        *zip([one.internal for one in dataset.variables], events.variables.T, strict=True),
        *zip([one.internal for one in dataset.targets], events.targets.T, strict=True),
    ]
    return np.array_equal(record[f"{which}_classID"], events.class_index) and all(
        record[f"{which}_{name}"].tobytes() == values.tobytes() for name, values in columns
    )


@pytest.mark.parametrize("name", WITH_TREES)
@pytest.mark.parametrize("which", ["Train", "Test"])
def test_events_and_weights_are_those_of_tmvas_trees_bit_for_bit(case_named, name, which):
    dataset = loader_of(case_named(name).booked).dataset
    record = recorded(name)
    assert same_events(dataset, record, which)
    events = dataset.training if which == "Train" else dataset.test
    assert record[f"{which}_weight"].tobytes() == events.weights.astype(np.float32).tobytes()


@pytest.mark.parametrize("change", [":SplitSeed=101", ":SplitMode=Block", ":nTrain_Signal=999", ":MixMode=Block"])
def test_the_comparison_notices_another_split(case_named, change):
    dataset = loader_of(case_named("bfgs_n").booked, change).dataset
    assert not same_events(dataset, recorded("bfgs_n"), "Train")


@pytest.mark.parametrize("name", WITH_TREES)
def test_correlations_are_those_of_tmvas_histograms(case_named, name):
    dataset = loader_of(case_named(name).booked).dataset
    record = recorded(name)
    short = {"Signal": "S", "Background": "B"} if dataset.is_binary else {"Regression": ""}
    for class_name, matrix in dataset.correlations.items():
        expected = record[f"CorrelationMatrix{short.get(class_name, class_name)}"]
        np.testing.assert_array_equal(correlation_histogram(matrix).values, expected)


def test_records_of_variables_are_those_of_the_weight_file(case):
    dataset = loader_of(case.booked).dataset
    file = read(case.weights)
    for ours, theirs in (
        (dataset.variables, file.variables),
        (dataset.targets, file.targets),
        (dataset.spectators, file.spectators),
    ):
        assert [_as_written(one) for one in ours] == [_as_written(one) for one in theirs]
    assert dataset.class_names == file.classes
    assert len(dataset.training) == int(file.general_info["Training events"])


def _as_written(record):
    return (
        record.expression, record.label, record.title, record.unit, record.internal, record.type,
        f"{record.minimum:.8e}", f"{record.maximum:.8e}",
    )  # fmt: skip


def small(n_signal, n_background, options):
    loader = DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSignalTree({"x": np.arange(n_signal)})
    loader.AddBackgroundTree({"x": 100 + np.arange(n_background)})
    loader.PrepareTrainingAndTestTree("", options)
    return loader


def names(events):
    return " ".join(f"{'sb'[c]}{int(x) % 100}" for c, x in zip(events.class_index, events.variables[:, 0], strict=True))


@pytest.mark.parametrize(
    ("sizes", "options", "train", "test"),
    [
        ((10, 8), "", "b1 b7 s1 b2 s4 b3 s8 s3 s6", "b6 b4 b5 s9 s7 b0 s2 s0 s5"),
        (
            (10, 8),
            "nTrain_Signal=4:nTrain_Background=3:nTest_Signal=3:nTest_Background=2",
            "b3 b7 b2 s6 s4 s3 s1",
            "s2 s9 b0 s0 b5",
        ),
        ((9, 6), "SplitMode=Alternate", "s0 b0 s2 b2 s4 b4 s6", "s1 b1 s3 b3 s5 b5 s7"),
        ((9, 6), "SplitMode=Block", "s0 s1 s2 s3 b0 b1 b2", "s4 s5 s6 s7 b3 b4 b5"),
    ],
)
def test_vectors_of_the_specification(sizes, options, train, test):
    loader = small(*sizes, options)
    assert (names(loader.training), names(loader.test)) == (train, test)


def test_training_weights_are_renormalised_and_test_weights_are_not():
    # TMVA's TrainTrees of the records all have weight 1, so this vector is the one that shows it
    loader = small(10, 8, "")
    is_background = loader.training.of_class(1)
    np.testing.assert_array_equal(loader.training.weights, np.where(is_background, 1.25, 1.0))
    np.testing.assert_array_equal(loader.test.weights, 1.0)
