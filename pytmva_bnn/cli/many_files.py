"""Many tasks: one after the other, in several processes, or on a dask cluster; those that fail are tried again."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeAlias

from pytmva_bnn.cli.apply_file import Outcome, Task, attempt
from pytmva_bnn.cli.console import progress
from pytmva_bnn.convert.optional import optional

Runner: TypeAlias = Callable[[Sequence[Task]], Iterable[Outcome]]
"""Does tasks and gives their outcomes, in any order."""


def run_all(
    tasks: Sequence[Task], runner: AbstractContextManager[Runner], retries: int, advance: Callable[[int], object]
) -> list[Outcome]:
    """Return the outcomes in the order of the tasks; failed ones are tried up to ``retries`` times more."""
    outcomes: dict[Task, Outcome] = {}
    with runner as run:
        for _ in range(1 + retries):
            left = [task for task in tasks if task not in outcomes or not outcomes[task].good]
            if not left:
                break
            for outcome in run(left):
                outcomes[outcome.task] = outcome
                if outcome.good:
                    advance(1)
    return [outcomes[task] for task in tasks]


@contextmanager
def serially() -> Iterator[Runner]:
    """Do the tasks one after the other; a single one shows its progress by events."""

    def run(tasks: Sequence[Task]) -> Iterator[Outcome]:
        for task in tasks:
            yield attempt(task)

    yield run


@contextmanager
def in_processes(jobs: int) -> Iterator[Runner]:
    """Do the tasks in ``jobs`` processes."""

    def run(tasks: Sequence[Task]) -> Iterator[Outcome]:
        # spawn: a fork of a process with threads, which numpy and uproot have, can hang
        pool = ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=multiprocessing.get_context("spawn"))
        try:
            futures = {pool.submit(in_worker, task): task for task in tasks}
            for future in as_completed(futures):
                yield _outcome(future, futures[future])
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    yield run


_interrupted = False
"""Of a worker process: it has been told to stop, and the tasks that wait for it are not to be started."""


def in_worker(task: Task) -> Outcome:
    """Do a task in a process of a pool; after an interrupt do nothing more."""
    global _interrupted
    if not _interrupted:
        try:
            return attempt(task)
        except KeyboardInterrupt:
            _interrupted = True
    return Outcome(task, error="interrupted")


def _outcome(future: Future[Outcome], task: Task) -> Outcome:
    error = future.exception()
    # an error here is one of the process, not of the task: it was killed, or ran out of memory
    return future.result() if error is None else Outcome(task, error=f"the process ended ({error})")


@contextmanager
def on_dask(scheduler: str, jobs: int = 1) -> Iterator[Runner]:
    """Do the tasks on a dask cluster.

    ``scheduler`` is an address, the name of a scheduler file (``.json``), or ``local`` for a cluster of ``jobs``
    workers on this machine.  The workers must see the files under the same names.
    """
    distributed = optional("distributed", "dask", "--dask")
    if scheduler == "local":
        cluster = distributed.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
        client = distributed.Client(cluster)
    else:
        cluster = None
        given = {"scheduler_file": scheduler} if scheduler.endswith(".json") else {"address": scheduler}
        client = distributed.Client(timeout="10s", **given)

    def run(tasks: Sequence[Task]) -> Iterator[Outcome]:
        futures = {client.submit(attempt, task, pure=False): task for task in tasks}
        for future in distributed.as_completed(list(futures)):
            yield _dask_outcome(future, futures[future])

    try:
        yield run
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _dask_outcome(future: Any, task: Task) -> Outcome:
    if future.status == "finished":
        found: Outcome = future.result()
        return found
    return Outcome(task, error=f"the dask worker failed ({future.exception()})")


def run_with_progress(tasks: Sequence[Task], runner: AbstractContextManager[Runner], retries: int) -> list[Outcome]:
    """Do the tasks with a bar that counts files."""
    with progress(len(tasks), "apply", "file") as advance:
        return run_all(tasks, runner, retries, advance)
