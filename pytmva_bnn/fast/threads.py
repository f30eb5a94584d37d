"""Parts of a job on several threads; compiled code runs without Python's lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from pytmva_bnn.errors import InputError

#: multiplications that a thread must have to do, some 300 µs: waking it takes up to 100 µs on a virtual machine
_PER_THREAD = 4_000_000


class _Pool:
    """The threads beside the calling one; made at first use, and anew after a fork, which copies none."""

    executor: ThreadPoolExecutor | None = None
    size = 0

    @classmethod
    def of(cls, size: int) -> ThreadPoolExecutor:
        if cls.executor is None or cls.size < size:
            cls.executor = ThreadPoolExecutor(size, thread_name_prefix="pytmva_bnn")
            cls.size = size
        return cls.executor

    @classmethod
    def forget(cls) -> None:
        cls.executor = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Pool.forget)


def n_threads() -> int:
    """Return how many threads a job may use."""
    for name in ("PYTMVA_BNN_THREADS", "OMP_NUM_THREADS"):
        text = os.environ.get(name, "").split(",")[0].strip()
        if text.isdigit() and int(text) > 0:
            return int(text)
        if text and name == "PYTMVA_BNN_THREADS":
            raise InputError(f"the environment variable {name} must be a number of threads, got {text!r}")
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_parts(do: Callable[[int, int], object], n: int, size: int, multiplications: float) -> None:
    """Call ``do(start, stop)`` for ranges that cover 0 .. n-1 and begin at multiples of ``size``.

    As many threads share the ranges as the ``multiplications`` of the whole job are worth.
    """
    threads = 1
    if multiplications >= 2 * _PER_THREAD:
        threads = min(int(multiplications // _PER_THREAD), -(-n // size), n_threads())
    if threads <= 1:
        do(0, n)
        return
    # several ranges a thread, so that one that is held up does not hold up all
    step = -(-n // (4 * threads * size)) * size
    todo = deque((start, min(start + step, n)) for start in range(0, n, step))

    def work() -> None:
        while True:
            try:
                part = todo.popleft()
            except IndexError:
                return
            do(*part)

    others = [_Pool.of(threads - 1).submit(work) for _ in range(threads - 1)]
    try:
        work()
    finally:
        todo.clear()
        for other in others:
            other.result()
