"""How things are timed, and how tables are written."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

from pytmva_bnn.fast.threads import n_threads

Function = Callable[[], object]
Contenders = dict[str, Function]


@contextmanager
def mode(fast: str, threads: int | None = None) -> Iterator[None]:
    """Compute by numpy (``"0"``), by compiled code (``"1"``) or as the package chooses, with so many threads."""
    wanted = {"PYTMVA_BNN_FAST": fast, "PYTMVA_BNN_THREADS": None if threads is None else str(threads)}
    before = {name: os.environ.get(name) for name, value in wanted.items() if value is not None}
    os.environ.update({name: value for name, value in wanted.items() if value is not None})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@dataclass(frozen=True)
class Within:
    """A function that is to be run in a mode; entering the mode is not part of its time."""

    fast: str
    threads: int
    function: Function

    def __call__(self) -> object:
        """Run the function in its mode."""
        with mode(self.fast, self.threads):
            return self.function()


def within(fast: str, threads: int, function: Function) -> Function:
    """Return the function, to be run in that mode."""
    return Within(fast, threads, function)


#: seconds between rounds: threads of the contender before, which wait actively for more work, fall asleep
PAUSE = 0.05
#: seconds that a round takes at least: functions that take less are called several times
ROUND = 0.003

#: rounds at most of functions that take longer
_ROUNDS_OF_LONG_JOBS = 9


def best(contenders: Contenders, rounds: int, clock: Callable[[], float] = time.perf_counter) -> dict[str, float]:
    """Return the seconds of each contender in its best round, after one that does not count.

    They take turns: what else the machine does meanwhile hits all of them alike.  The clock ``time.thread_time`` does
    not count it at all, but knows the calling thread only.
    """
    found = dict.fromkeys(contenders, float("inf"))
    calls = {name: _calls_in_a_round(function, clock) for name, function in contenders.items()}
    for number in range(rounds):
        for name, function in contenders.items():
            if number >= _ROUNDS_OF_LONG_JOBS and found[name] > ROUND:
                continue
            time.sleep(PAUSE)
            found[name] = min(found[name], _seconds(function, calls[name], clock))
    return found


def _calls_in_a_round(function: Function, clock: Callable[[], float]) -> int:
    _seconds(function, 1, clock)  # what is done only once does not count
    return max(1, min(1000, int(ROUND / _seconds(function, 1, clock))))


def _seconds(function: Function, calls: int, clock: Callable[[], float]) -> float:
    """Return the seconds of a call, the mean of so many."""
    with mode(function.fast, function.threads) if isinstance(function, Within) else nullcontext():
        call = function.function if isinstance(function, Within) else function
        start = clock()
        for _ in range(calls):
            call()
        return (clock() - start) / calls


def thread_counts() -> list[int]:
    """Return the numbers of threads to measure with: 1, 2, 4, … and all."""
    most = n_threads()
    return sorted({1, most, *(2**i for i in range(1, most.bit_length()) if 2**i <= most)})


def threads_text(n: int) -> str:
    """Return "1 thread", "2 threads", …"""
    return "1 thread" if n == 1 else f"{n} threads"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown, with columns of equal width so that it can be read as text."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]

    def line(cells: list[str]) -> str:
        first, *others = (
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(cells, widths, strict=True))
        )
        return "| " + " | ".join([first, *others]) + " |"

    rule = "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    return "\n".join([line(head), rule, *map(line, rows)])


@dataclass(frozen=True)
class Curve:
    """Times that grow with something: one line of a figure for each contender."""

    name: str
    x_label: str
    y_label: str
    x: list[float]
    lines: dict[str, list[float]]
    x_names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Section:
    """A part of the page: a title, its text in Markdown, and what its figure shows."""

    title: str
    text: str
    curve: Curve | None = None
    bars: dict[str, float] = field(default_factory=dict)
    name: str = ""
