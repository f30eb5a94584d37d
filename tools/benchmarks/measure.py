"""How things are timed, and how tables are written."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def within(fast: str, threads: int, function: Function) -> Function:
    """Return the function, to be run in that mode."""

    def run() -> object:
        with mode(fast, threads):
            return function()

    return run


def best(contenders: Contenders, rounds: int) -> dict[str, float]:
    """Return the seconds of each contender's best round, after one that does not count.

    They take turns: what else the machine does meanwhile hits all of them alike.
    """
    found = dict.fromkeys(contenders, float("inf"))
    for number in range(rounds + 1):
        for name, function in contenders.items():
            start = time.perf_counter()
            function()
            if number:
                found[name] = min(found[name], time.perf_counter() - start)
    return found


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
