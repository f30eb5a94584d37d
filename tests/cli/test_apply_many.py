"""Applying a network to many files: folders, merging, processes, clusters, failures."""

import json
import os

import numpy as np
import pytest
import uproot

from pytmva_bnn.cli import apply
from pytmva_bnn.cli.apply import input_files, output_files, run_all
from pytmva_bnn.cli.apply_file import Outcome, Task
from pytmva_bnn.executor import open_executor

BNN = "xml_fixtures/cases/fakerate_bnn/weights.xml"


def contents(path):
    with np.load(path) as archive:
        return {name: archive[name] for name in archive.files}


def assert_same(a, b):
    assert list(a) == list(b)
    for name, values in a.items():
        np.testing.assert_array_equal(b[name], values)


@pytest.fixture(scope="module")
def expected(tmp_path_factory, small_files):
    """Each of the small files alone."""
    from pytmva_bnn.cli import main

    folder = tmp_path_factory.mktemp("expected")
    for number in range(3):
        arguments = [BNN, small_files / f"f{number}.root", "--errors", "--keep", "run", "-o", folder / f"f{number}.npz"]
        assert main(["apply", *map(str, arguments)]) == 0
    return [contents(folder / f"f{number}.npz") for number in range(3)]


def test_each_file_into_one_of_its_own(command, tmp_path, small_files, expected):
    finished = command(
        "apply", BNN, small_files / "*.root", "--errors", "--keep", "run", "--format", "npz", "-o", tmp_path / "out"
    )
    assert finished.code == 0, finished.err
    assert finished.out.splitlines()[-1] == "3 of 3 files done, 500 events"
    for number, one in enumerate(expected):
        assert_same(contents(tmp_path / f"out/f{number}.npz"), one)


def test_two_processes_give_what_one_gives(command, tmp_path, small_files, expected):
    arguments = ["apply", BNN, small_files / "*.root", "--errors", "--keep", "run", "--format", "npz"]
    finished = command(*arguments, "--jobs", 2, "-o", f"{tmp_path}/two/")
    assert finished.code == 0, finished.err
    for number, one in enumerate(expected):
        assert_same(contents(tmp_path / f"two/f{number}.npz"), one)


@pytest.mark.parametrize("ending", ["npz", "root"])
def test_many_into_one(ending, command, tmp_path, small_files, expected):
    target = tmp_path / f"all.{ending}"
    finished = command(
        "apply", BNN, small_files / "f*.root", "--errors", "--keep", "run", "--block-size", 70, "-o", target
    )
    assert finished.code == 0, finished.err
    assert finished.out.splitlines() == ["3 of 3 files done, 500 events", f"{target}: 500 events"]
    together = {name: np.concatenate([expected[0][name], expected[2][name]]) for name in expected[0]}
    if ending == "npz":
        found = contents(target)
    else:
        with uproot.open(f"{target}:events") as tree:
            found = tree.arrays(library="np")
    np.testing.assert_array_equal(found.pop("response"), together.pop("response"))
    for name, values in found.items():
        np.testing.assert_allclose(values, together[name], rtol=1e-9)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_files_may_stand_on_both_sides_of_options(command, tmp_path, small_files):
    first, second = small_files / "f0.root", small_files / "f2.root"
    finished = command("apply", BNN, first, "--tree", "events", second, "-o", tmp_path / "all.npz")
    assert finished.out.splitlines()[0] == "2 of 2 files done, 500 events"


def test_empty_files_can_be_merged(command, tmp_path, small_files):
    empty = small_files / "f1.root"
    finished = command("apply", BNN, empty, empty, "-o", tmp_path / "all.npz")
    assert finished.code == 0, finished.err
    assert contents(tmp_path / "all.npz")["response"].shape == (0,)


def test_what_fails_is_told_and_the_rest_is_kept(command, tmp_path, small_files):
    (tmp_path / "bad.root").write_bytes(b"no ROOT file")
    files = [small_files / "f0.root", tmp_path / "bad.root", "missing.root"]
    finished = command("apply", BNN, *files, "-o", tmp_path / "out")
    assert finished.code == 1
    assert "1 of 3 files done, 300 events" in finished.out
    assert [line.split(": ")[1] for line in finished.err.splitlines()] == ["error", "error"]
    assert "bad.root cannot be opened as a ROOT file" in finished.err
    assert "missing.root does not exist" in finished.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["f0.root"]


def test_if_all_fail_there_is_no_output(command, tmp_path):
    assert command("apply", BNN, "missing1.root", "missing2.root", "-o", tmp_path / "all.root").code == 1
    assert not list(tmp_path.iterdir())


def test_what_is_there_can_be_skipped(command, tmp_path, small_files):
    arguments = ["apply", BNN, small_files / "f*.root", "-o", tmp_path, "--skip-existing"]
    assert "3 of 3 files done" in command(*arguments).out
    (tmp_path / "f2.root").unlink()
    assert "1 of 1 files done, 200 events" in command(*arguments).out
    assert "0 of 0 files done" in command(*arguments).out


def test_failed_tasks_are_tried_again(monkeypatch):
    tasks = [Task(BNN, name, f"{name}.npz") for name in ("good", "flaky", "bad")]
    attempts = []

    def flaky(task):
        attempts.append(task.source)
        bad = task.source == "bad" or (task.source == "flaky" and attempts.count("flaky") < 3)
        return Outcome(task, n_events=1, error="no" if bad else "")

    monkeypatch.setattr(apply, "attempt", flaky)
    with open_executor("serial") as executor:
        outcomes = run_all(executor, tasks, 2)
    assert [one.task.source for one in outcomes] == ["good", "flaky", "bad"]
    assert [one.good for one in outcomes] == [True, True, False]
    assert attempts == ["good", "flaky", "bad", "flaky", "bad", "flaky", "bad"]


def die(task):
    if task.source == "a.root":
        os._exit(3)
    return Outcome(task)


def test_a_process_that_dies_is_a_failed_file(monkeypatch):
    monkeypatch.setattr(apply, "attempt", die)
    with open_executor("processes:1") as executor:
        outcomes = run_all(executor, [Task(BNN, name, "r.npz") for name in ("a.root", "b.root")], 0)
    assert [one.good for one in outcomes] == [False, True]
    assert outcomes[0].error.startswith("a.root: the process that ran it has ended (exit code 3), 3 times")


def test_names_of_outputs_never_collide():
    sources = ["a/x.root", "b/x.root", "b/y.root:t1", "b/y.root:t2", "c/b/y.root:t1"]
    names = output_files(sources, "out", ".root")
    assert len(set(names)) == len(names)
    assert names[:2] == ["out/a_x.root", "out/b_x.root"]


def test_inputs_may_name_their_trees(small_files):
    found = input_files([f"{small_files}/f[02].root", "root://host:1094//a.root", "b.root:other"], "events")
    assert found == [
        f"{small_files}/f0.root:events",
        f"{small_files}/f2.root:events",
        "root://host:1094//a.root:events",
        "b.root:other",
    ]


# ---- dask


class TestDask:
    def test_a_real_cluster_gives_what_one_process_gives(self, command, tmp_path, small_files, expected):
        distributed = pytest.importorskip("distributed", reason="--dask needs the extra dask")
        (tmp_path / "bad.root").write_bytes(b"no ROOT file")
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
            scheduler_file = tmp_path / "scheduler.json"
            scheduler_file.write_text(json.dumps({"address": cluster.scheduler_address}))
            arguments = ["apply", "--errors", "--keep", "run", "--format", "npz", BNN, small_files / "f*.root"]
            finished = command(*arguments, "--dask", cluster.scheduler_address, "-o", tmp_path / "out")
            assert finished.code == 0, finished.err
            finished = command(*arguments, tmp_path / "bad.root", "--dask", scheduler_file, "-o", tmp_path / "all.npz")
            assert finished.code == 1
            assert "bad.root cannot be opened as a ROOT file" in finished.err
            finished = command(*arguments, "--dask", scheduler_file, "-o", tmp_path / "all.npz")
            assert finished.code == 0, finished.err
        for number, one in enumerate(expected):
            assert_same(contents(tmp_path / f"out/f{number}.npz"), one)
        assert len(contents(tmp_path / "all.npz")["response"]) == 500

    def test_a_local_cluster_is_made_on_request(self, command, tmp_path, small_files):
        pytest.importorskip("distributed", reason="--dask needs the extra dask")
        finished = command("apply", BNN, small_files / "f0.root", "--dask", "local", "-o", tmp_path / "r.npz")
        assert finished.code == 0, finished.err
        assert len(contents(tmp_path / "r.npz")["response"]) == 300


def test_without_dask_the_message_tells_what_to_install(fails, tmp_path, small_files, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)
    message = fails("apply", BNN, small_files / "f0.root", "--dask", "local", "-o", tmp_path / "r.npz")
    assert "a dask cluster needs distributed: install it with  pip install 'pytmva-bnn[dask]'" in message
