"""The hand-made ports on the native API run on the toys."""

import numpy as np
import pytest
import uproot


@pytest.fixture(scope="module")
def folder(folder_with_toys):
    return folder_with_toys("examples")


def test_classification_and_application(run_example, folder):
    shown = run_example("classification", folder, "10")
    assert "MLPBNN: area under the ROC curve 0." in shown
    assert "dataset/TestTree" in uproot.open(folder / "TMVA.root")
    shown = run_example("application", folder)
    assert "600 events" in shown
    difference = float(shown.partition("event loop:")[2])
    assert difference < 1e-6
    assert uproot.open(folder / "TMVApp.root")["MVA_MLPBNN"].values().sum() == 600


def test_regression(run_example, folder):
    assert "mean deviation" in run_example("regression", folder, "10")


def test_multiclass(run_example, folder):
    shown = run_example("multiclass", folder, "10")
    assert shown.count("of its events have the largest output") == 4


def test_root5_style(run_example, folder):
    run_example("root5_style", folder, "10")
    assert (folder / "weights/TMVAClassification_MLPBFGS.weights.xml").exists()


def test_notebook_style(run_example, folder):
    shown = run_example("notebook_style", folder, "10")
    area = float(shown.split("area under the ROC curve: ")[1].split()[0])
    assert 0.7 < area < 1
    assert "first event: " in shown


def test_the_toys_are_the_same_for_the_same_seed(run_example, tmp_path, toys):
    run_example("make_toys", tmp_path, "again")
    for name in ("tmva_class_example.root:TreeB", "runs/run_3.root:events"):
        first, second = (uproot.open(f"{folder}/{name}").arrays(library="np") for folder in (toys, tmp_path / "again"))
        assert all(np.array_equal(first[key], second[key]) for key in first)
