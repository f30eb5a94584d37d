"""A progress bar for long reads, shown only to people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONG = 1_000_000
"""Entries below which reading is over before a bar is of use."""


@contextmanager
def reading_progress(n_entries: int) -> Iterator[Callable[[int], object]]:
    """Give a function to be told of each number of entries read.

    There is a bar only for many entries, if the standard error output is a terminal, and if tqdm is installed.

    >>> with reading_progress(10) as advance:
    ...     _ = advance(10)
    """
    if n_entries < LONG or not sys.stderr.isatty():
        yield _nothing
        return
    try:
        from tqdm import tqdm  # optional
    except ImportError:
        yield _nothing
        return
    with tqdm(total=n_entries, desc="Reading events", unit="entries", unit_scale=True, leave=False) as bar:
        yield bar.update


def _nothing(number: int) -> object:
    return number
