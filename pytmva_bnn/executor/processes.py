"""Jobs in processes of this machine.

Each process has a pipe of its own, so that one knows which job a process that dies has taken with it: it is that job
which is tried again, and the others do not notice.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import sys
import traceback
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from pytmva_bnn.errors import InputError
from pytmva_bnn.executor.executor import ATTEMPTS, Executor, Failure, Item, Jobs

log = logging.getLogger("pytmva_bnn.executor")

_PATIENCE = 10.0
"""Seconds in which a process may tidy up before it is killed."""


# ---- in the process


def serve(pipe: Connection, threads: int) -> None:
    """Do the jobs that come through the pipe, until it is closed."""
    os.environ.setdefault("PYTMVA_BNN_THREADS", str(threads))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the one who started the processes
    signal.signal(signal.SIGTERM, _leave)
    text, function = b"", None
    with suppress(EOFError, OSError):
        pipe.send_bytes(pickle.dumps("ready"))
        while True:
            sent, item = pipe.recv()
            try:
                if sent is not None:
                    text, function = sent, None
                if function is None:
                    function = pickle.loads(text)  # noqa: S301 - from the process that started this one
                answer = pickle.dumps(function(pickle.loads(item)))  # noqa: S301
            except Exception as error:
                answer = pickle.dumps(_portable(error))
            pipe.send_bytes(answer)


def _leave(*_: object) -> None:
    # unlike the signal itself this lets files be tidied up
    sys.exit(1)


def _portable(error: Exception) -> Failure:
    """Return the error as one that can be sent, with the lines where it happened."""
    where = "".join(traceback.format_exception(error))
    try:
        error = pickle.loads(pickle.dumps(error))  # noqa: S301
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(f"in another process:\n{where}")
    return Failure(error)


@dataclass(frozen=True)
class _Lost:
    """Instead of an answer: the process has ended, with this exit code."""

    code: int | None


# ---- where the jobs come from


class _Worker:
    """A process, the end of its pipe that is here, and the job it has."""

    def __init__(self, threads: int) -> None:
        context = get_context("spawn")  # a fork of a process with threads, which numpy and uproot have, can hang
        self.pipe, other = context.Pipe()
        # not a daemon: jobs may start processes of their own
        self.process = context.Process(target=serve, args=(other, threads), name="pytmva_bnn worker")
        with _interrupts_later():
            self.process.start()
        other.close()
        self.ready = False
        self.jobs: Jobs[Any] | None = None
        self.job: int | None = None
        self._has_function = False

    @property
    def busy(self) -> bool:
        return not self.ready or self.job is not None

    def take(self, jobs: Jobs[Any]) -> None:
        """Work for these jobs from now on."""
        self.jobs, self._has_function = jobs, False

    def give(self, index: int, function: bytes, item: bytes) -> None:
        """Send a job, and the function if it is not there yet."""
        self.job = index
        with suppress(OSError):  # a process that is dead shows when its answer is read
            self.pipe.send((None if self._has_function else function, item))
        self._has_function = True

    def end(self) -> int | None:
        """End the process, at once if it is busy, and return its exit code."""
        self.pipe.close()  # one that waits for a job ends by itself
        if self.busy:
            self.process.terminate()
        self.process.join(_PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        code = self.process.exitcode
        self.process.close()
        return code


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Hold interrupts back; a process started meanwhile never gets one, not even while it imports modules."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _pickled(thing: object, what: str) -> bytes:
    try:
        return pickle.dumps(thing)
    except Exception as error:
        raise InputError(
            f"{what} cannot be sent to another process ({error}): define functions and classes at the top of a "
            "module, or use 'serial'"
        ) from error


class Processes(Executor):
    """Up to ``n_workers`` processes, started when there are jobs for them, and kept for the next jobs."""

    def __init__(self, n_workers: int) -> None:
        self._n_workers = n_workers
        self._workers: list[_Worker] = []

    def _finished(self, jobs: Jobs[Item]) -> Iterator[tuple[int, Any]]:
        function = _pickled(jobs.function, "the function")
        waiting = deque(range(len(jobs.items)))
        attempts: Counter[int] = Counter()
        left = len(jobs.items)
        try:
            while left:
                workers = self._workers_of(jobs, min(self._n_workers, left))
                for worker in workers:
                    if waiting and not worker.busy:
                        index = waiting.popleft()
                        worker.give(index, function, _pickled(jobs.items[index], jobs.names[index]))
                busy = {one.pipe: one for one in workers if one.busy}
                for pipe in wait(list(busy)):
                    job, answer = self._answer(busy[cast("Connection", pipe)])
                    if job is None:
                        continue
                    if isinstance(answer, _Lost):
                        attempts[job] += 1
                        how = f"the process that ran it has ended (exit code {answer.code})"
                        if attempts[job] < ATTEMPTS:
                            log.warning("%s: %s; trying again", jobs.names[job], how)
                            waiting.appendleft(job)
                            continue
                        answer = jobs.lost(job, f"{how}, {ATTEMPTS} times")
                    left -= 1
                    yield job, answer
        finally:
            mine = [one for one in self._workers if one.jobs is jobs]
            self._end([one for one in mine if one.busy])
            for worker in mine:
                worker.jobs = None

    def _workers_of(self, jobs: Jobs[Any], number: int) -> list[_Worker]:
        """Return the processes for some jobs, up to ``number``: those that have nothing to do, or new ones."""
        mine = [one for one in self._workers if one.jobs is jobs]
        for worker in self._workers:
            if worker.jobs is None and len(mine) < number:
                worker.take(jobs)
                mine.append(worker)
        while len(mine) < number:
            worker = _Worker(max(1, (os.cpu_count() or 1) // self._n_workers))
            worker.take(jobs)
            mine.append(worker)
            self._workers.append(worker)
        return mine

    def _answer(self, worker: _Worker) -> tuple[int | None, Any]:
        """Return the job of a process and what has become of it; no job if the process has only just started."""
        index = worker.job
        try:
            answer = pickle.loads(worker.pipe.recv_bytes())  # noqa: S301 - from a process that was started here
        except (EOFError, OSError):
            worker.process.join(_PATIENCE)
            (code,) = self._end([worker])
            if not worker.ready:
                raise InputError(
                    f"a worker process ended before its first job (exit code {code}). Each worker imports the script "
                    "that "
                    'started it: put code that must run only once under  if __name__ == "__main__":  , or use one '
                    "worker"
                ) from None
            return index, _Lost(code)
        worker.ready, worker.job = True, None
        return index, answer

    def _end(self, workers: list[_Worker]) -> list[int | None]:
        for one in workers:
            self._workers.remove(one)
            if one.busy:
                one.process.terminate()  # all of them now: they need not wait for each other
        return [one.end() for one in workers]

    def close(self) -> None:
        """End the processes."""
        self._end(self._workers[:])
