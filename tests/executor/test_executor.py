"""Jobs run here, in processes and on a dask cluster: the same results, and what happens when something goes wrong."""

import multiprocessing
import os
import signal
import sys
import threading
from contextlib import closing
from functools import partial

import pytest

from pytmva_bnn.errors import InputError, LostJobError, WeightFileError
from pytmva_bnn.executor import Failure, open_executor
from pytmva_bnn.executor.executor import _bar


def half(x):
    if x % 2:
        raise WeightFileError(f"{x} is odd", file="f.xml", line=x)
    return x // 2, os.getpid()


def scaled(factors, x):
    return factors["by"] * x


def die_once(folder, x):
    """End the process at the first attempt."""
    if x == 2 and not (folder / "died").exists():
        (folder / "died").touch()
        os._exit(7)
    return x * x


def die(x):
    if x == 1:
        os._exit(9)
    return x


def wait_for_ever(x):
    if x:
        signal.pause()


def unpicklable(x):
    class Odd(Exception):  # noqa: N818
        pass

    raise Odd(f"at {x}")


def nested(x):
    with open_executor("processes:1") as executor:
        return [result for _, result in executor.run(abs, [-x])]


@pytest.fixture(scope="module")
def processes():
    with open_executor("processes:2") as executor:
        yield executor


@pytest.fixture(scope="module")
def cluster():
    pytest.importorskip("distributed", reason="dask[distributed] is not installed")
    dask = pytest.importorskip("dask")
    # as on a slow machine, where a worker takes longer to start again than dask waits for it
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "1ms"}), open_executor("local:1") as executor:
        yield executor


@pytest.fixture(params=["serial", "processes", "cluster"])
def executor(request):
    if request.param == "serial":
        with open_executor() as opened:
            yield opened
    else:
        yield request.getfixturevalue(request.param)


def test_results_come_in_the_order_of_the_items(executor):
    assert list(executor.run(partial(scaled, {"by": 3}), iter(range(5)))) == [(i, 3 * i) for i in range(5)]
    assert list(executor.run(abs, [])) == []


def test_errors_come_back_as_they_are_and_name_the_job(executor):
    found = []
    with pytest.raises(WeightFileError, match="3 is odd") as raised:
        found.extend(executor.run(half, [4, 2, 3, 5], name="number {}".format))
    assert [(index, result) for index, (result, _) in found] == [(0, 2), (1, 1)]
    assert (raised.value.file, raised.value.line) == ("f.xml", 3)
    assert raised.value.__notes__[-1] == "in number 3"
    # and the next jobs are not disturbed
    assert [result for _, (result, _) in executor.run(half, [4, 6])] == [2, 3]


def test_other_jobs_go_on_if_one_fails(executor):
    found = [outcome for _, outcome in executor.outcomes(half, [2, 1, 4])]
    assert [found[0][0], found[2][0]] == [1, 2]
    assert isinstance(found[1], Failure)
    assert str(found[1].error) == "f.xml, line 1: 1 is odd"
    assert found[1].error.__notes__[-1] == "in job 2 of 3"


@pytest.mark.parametrize("engine", ["processes", "cluster"])
def test_a_job_whose_worker_dies_is_tried_again(engine, request, tmp_path, caplog):
    executor = request.getfixturevalue(engine)
    found = list(executor.run(partial(die_once, tmp_path), range(5), name="number {}".format))
    assert found == [(i, i * i) for i in range(5)]
    assert (tmp_path / "died").exists()
    if engine == "processes":
        assert "number 2: the process that ran it has ended (exit code 7); trying again" in caplog.text


@pytest.mark.parametrize("engine", ["processes", "cluster"])
def test_a_job_that_always_kills_its_worker_is_named(engine, request):
    executor = request.getfixturevalue(engine)
    found = [outcome for _, outcome in executor.outcomes(die, [0, 1], name="number {}".format)]
    assert found[0] == 0
    assert isinstance(found[1].error, LostJobError)
    assert str(found[1].error).startswith("number 1: the ")


def test_processes_are_kept_for_the_next_jobs(processes):
    first = {pid for _, (_, pid) in processes.run(half, [0] * 20)}
    second = {pid for _, (_, pid) in processes.run(half, [2] * 20)}
    assert os.getpid() not in first
    assert first & second


def test_jobs_may_be_run_between_the_results_of_others(processes):
    found = [
        (a, b) for _, a in processes.run(abs, [-1, -2, -3]) for _, b in processes.run(partial(scaled, {"by": a}), [4])
    ]
    assert found == [(1, 4), (2, 8), (3, 12)]


def test_what_cannot_be_sent_is_told(processes):
    with pytest.raises(InputError, match="the function cannot be sent to another process"):
        list(processes.run(lambda x: x, [1]))
    with pytest.raises(InputError, match=r"number <.*> cannot be sent to another process"):
        list(processes.run(abs, [threading.Lock()], name="number {}".format))
    with pytest.raises(RuntimeError, match="Odd: at 4"):
        list(processes.run(unpicklable, [4]))


def test_jobs_may_have_processes_of_their_own(processes):
    assert list(processes.run(nested, [5])) == [(0, [5])]


def own_workers():
    """Return the processes of executors; dask's come and go by themselves."""
    return {process for process in multiprocessing.active_children() if process.name == "pytmva_bnn worker"}


def test_no_process_is_left():
    before = own_workers()
    with open_executor("processes:2") as executor, closing(executor.run(wait_for_ever, [0, 1, 2])) as jobs:
        assert next(jobs) == (0, None)
        assert own_workers() - before
    assert own_workers() <= before


SCRIPT = """
import os, signal, sys, time
from pathlib import Path
from pytmva_bnn.executor import open_executor

def job(number):
    Path(f"started{number}").write_text(str(os.getpid()))
    try:
        if number == 1:
            while not Path("started0").exists():
                pass
            os.kill(os.getppid(), signal.SIGINT)
        signal.pause()
    finally:
        Path(f"tidied{number}").touch()

if __name__ == "__main__":
    with open_executor("processes:2") as executor:
        list(executor.run(job, range(2)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_the_workers(tmp_path, run_process):
    (tmp_path / "script.py").write_text(SCRIPT)
    found = run_process([sys.executable, "script.py"], cwd=tmp_path)
    assert found.stderr.count("Traceback") == 1
    assert found.stderr.endswith("KeyboardInterrupt\n")
    for number in range(2):
        assert (tmp_path / f"tidied{number}").exists()
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / f"started{number}").read_text()), 0)


def test_clients_and_executors_stay_open():
    distributed = pytest.importorskip("distributed", reason="dask[distributed] is not installed")
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as local,
        distributed.Client(local) as client,
    ):
        for _ in range(2):
            with open_executor(client) as executor, open_executor(executor) as same:
                assert same is executor
                assert list(same.run(partial(scaled, {"by": 2}), [1, 2])) == [(0, 2), (1, 4)]
        with open_executor(local.scheduler_address) as executor:
            assert list(executor.run(abs, [-1])) == [(0, 1)]


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("proceses", "did you mean processes?"),
        ("processes:0", "must be a positive integer, e.g. processes:4"),
        ("local:many", "must be a positive integer, e.g. local:4"),
        ("serial:2", "known: serial, processes"),
        (7, "7 is not an executor"),
    ],
)
def test_an_engine_that_is_none(engine, message):
    with pytest.raises(InputError, match=message), open_executor(engine):
        pass


def test_a_bar_shows_the_jobs(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with _bar(3, "folds") as advance:
        advance()
        advance()
    assert "folds" in capsys.readouterr().err
    with _bar(3, "") as advance:
        advance()
    assert capsys.readouterr().err == ""
