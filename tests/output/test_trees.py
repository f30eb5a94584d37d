"""Branches of TestTree and TrainTree: order, types, arrays, equal names."""

from __future__ import annotations

import logging

import numpy as np
import pytest
import uproot

from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.output import DataSetOutput, write, write_datasets


@pytest.fixture
def tree(tmp_path):
    """Write a file and return the tree of the training events."""
    opened = []

    def of(dataset, *methods):
        write_datasets(tmp_path / "a.root", [DataSetOutput(dataset, methods, "Classification")])
        opened.append(uproot.open(tmp_path / "a.root"))
        return opened[-1]["dataset/TrainTree"]

    yield of
    for file in opened:
        file.close()


def test_branches_are_in_tmvas_order(small_loader, method_of, tree):
    loader = small_loader(variables=["v12 := x+y", "x-y"])
    loader.AddSpectator("n")
    dataset = loader.built()
    found = tree(dataset, method_of(dataset, "Z"), method_of(dataset, "A"))
    assert [branch.title for branch in found.branches] == [
        "classID/I", "className/C", "v12/F", "x_M_y/F", "n/F", "weight/F", "A/F", "Z/F",
    ]  # fmt: skip


def test_class_names_are_cut_as_tmva_cuts_them(method_of, tree):
    loader = DataLoader("dataset")
    loader.AddVariable("x")
    for name, shift in (("Signal", 0.0), ("a" * 39 + "bcd", 0.5)):
        loader.AddTree({"x": np.arange(60) % 7 + shift}, name)
    dataset = loader.built()
    names = tree(dataset, method_of(dataset))["className"].array(library="np")
    assert set(names) == {"Signal", "a" * 39}


def test_variables_are_those_before_any_transformation(small_loader, method_of, tree):
    dataset = small_loader().built()
    found = tree(dataset, method_of(dataset, chain="Norm", test_variables=dataset.test.variables * 0))
    np.testing.assert_array_equal(found["y"].array(library="np"), dataset.training.variables[:, 1])


def test_an_array_of_variables_is_one_branch(small_loader, method_of, tree):
    loader = small_loader()
    loader.AddVariablesArray("jets", 3)
    dataset = loader.built()
    found = tree(dataset, method_of(dataset))
    assert found["jets"].title == "jets[3]/F"
    np.testing.assert_array_equal(found["jets"].array(library="np"), dataset.training.variables[:, 2:])


def test_of_equal_names_the_first_is_kept_and_the_user_told(small_loader, method_of, tree, caplog):
    loader = small_loader()
    loader.AddSpectator("x")
    dataset = loader.built()
    with caplog.at_level(logging.WARNING):
        found = tree(dataset, method_of(dataset))
    assert found.keys().count("x") == 1
    assert "more than one 'x'" in caplog.text


def test_a_method_without_result_has_no_branch(small_loader, method_of, tree):
    dataset = small_loader().built()
    found = tree(dataset, method_of(dataset, "A"), method_of(dataset, "B", result=None))
    assert found.keys()[-1] == "A"


def test_many_events_are_written_in_parts(small_loader, method_of, tree, monkeypatch):
    monkeypatch.setattr(write, "ENTRIES_PER_BASKET", 7)
    dataset = small_loader().built()
    found = tree(dataset, method_of(dataset))
    assert found["x"].num_baskets == 9
    np.testing.assert_array_equal(found["x"].array(library="np"), dataset.training.variables[:, 0])
    assert list(found["className"].array()) == [dataset.class_names[i] for i in dataset.training.class_index]
