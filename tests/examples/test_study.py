"""The study of the errors: tasks, resuming, processes and a dask cluster."""

import json
import shutil

import numpy as np
import pytest

SMALL = ("--muons", 1500, "--cycles", 15, "--output", "study")
BATCH = (*SMALL, "--batch-only")


def predictions(folder, number):
    with np.load(folder / "study" / "networks" / f"network_{number:04d}.npz") as file:
        return file["predictions"]


@pytest.fixture(scope="module")
def finished(run_example, tmp_path_factory):
    """Return a folder where three networks were trained one after the other, and what was printed."""
    folder = tmp_path_factory.mktemp("study")
    return folder, run_example("study.py", "--networks", 3, *SMALL, folder=folder)


def test_study_makes_figures_table_and_summary(finished):
    folder, output = finished
    assert "0 of 3 networks are there, 3 to train" in output
    assert "| muons of pairs | 30768 | 30764 |" in output
    for name in ("kinematics", "map", "sigma_ratio", "sigma_correlation", "sigma_ratio_posterior"):
        assert (folder / "study" / f"{name}.png").exists()
        assert (folder / "study" / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    summary = json.loads((folder / "study" / "summary.json").read_text())
    assert summary["n_networks"] == 3
    assert summary["TMVA"]["batch_error"] > 0


def test_networks_of_the_batch_differ(finished):
    folder, _ = finished
    assert np.abs(predictions(folder, 0) - predictions(folder, 1)).max() > 1e-3


@pytest.fixture
def copied(finished, tmp_path):
    """Return a copy of that folder, to be changed."""
    return shutil.copytree(finished[0], tmp_path / "copied")


def test_a_stopped_study_trains_only_what_is_missing_or_damaged(copied, run_example):
    folder = copied
    networks = folder / "study" / "networks"
    kept = (networks / "network_0000.npz").stat().st_mtime_ns
    expected = predictions(folder, 1)
    (networks / "network_0001.npz").unlink()
    damaged = networks / "network_0002.npz"
    damaged.write_bytes(damaged.read_bytes()[:1000])
    output = run_example("study.py", "--networks", 3, "--jobs", 2, *BATCH, folder=folder)
    assert "1 of 3 networks are there, 2 to train" in output
    assert (networks / "network_0000.npz").stat().st_mtime_ns == kept
    assert (predictions(folder, 1) == expected).all()
    assert not list(networks.glob("*.part"))


def test_results_of_other_settings_are_not_taken_for_these(copied, run_example):
    output = run_example(
        "study.py", "--networks", 2, "--muons", 1500, "--cycles", 10, "--output", "study", "--batch-only", folder=copied
    )
    assert "0 of 2 networks are there, 2 to train" in output


def test_study_on_a_dask_cluster_gives_the_same_networks(copied, run_example, tmp_path):
    distributed = pytest.importorskip("distributed", reason="dask[distributed] is not installed")
    networks = copied / "study" / "networks"
    expected = predictions(copied, 1)
    for number in (1, 2):
        (networks / f"network_{number:04d}.npz").unlink()
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", local_directory=str(tmp_path)
    ) as cluster:
        output = run_example("study.py", "--networks", 3, "--dask", cluster.scheduler_address, *BATCH, folder=copied)
    assert "1 of 3 networks are there, 2 to train" in output
    assert (predictions(copied, 1) == expected).all()
