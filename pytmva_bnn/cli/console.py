"""All that the command prints: results to standard output, messages and progress bars to standard error."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PROGRAM = "pytmva-bnn"


def say(text: str = "") -> None:
    """Write a line of the result.

    >>> say("done")
    done
    """
    sys.stdout.write(text + "\n")


def complain(kind: str, text: str) -> None:
    """Write a message of one line: ``pytmva-bnn: error: ...``."""
    sys.stdout.flush()
    sys.stderr.write(f"{PROGRAM}: {kind}: {one_line(text)}\n")
    sys.stderr.flush()


def one_line(text: str) -> str:
    """Return a message on one line, without the line whose caret points into an expression.

    >>> one_line("')' is missing\\n  (pt+1\\n  ^")
    "')' is missing: (pt+1"
    """
    lines = [line.strip() for line in text.splitlines()]
    return ": ".join(line for line in lines if line and line != "^")


@contextmanager
def progress(total: int, description: str, unit: str) -> Iterator[Callable[[int], object]]:
    """Give a function to be told how much more is done; it moves a bar if standard error is a terminal.

    >>> with progress(10, "apply", "events") as advance:
    ...     _ = advance(10)
    """
    if not sys.stderr.isatty():
        yield lambda number: number
        return
    from tqdm import tqdm  # lazy: only for people at a terminal

    with tqdm(total=total, desc=description, unit=unit, unit_scale=total > 100_000, dynamic_ncols=True) as bar:
        yield bar.update


class ConsoleHandler(logging.Handler):
    """Shows the library's log on standard error.

    >>> ConsoleHandler().level
    0
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record: warnings as messages of the command, the rest as it is."""
        if record.levelno >= logging.WARNING:
            complain("warning", record.getMessage())
        else:
            sys.stderr.write(record.getMessage() + "\n")


@contextmanager
def shown_log(level: int) -> Iterator[None]:
    """Show the library's log from ``level`` on, as long as the command runs.

    >>> with shown_log(logging.WARNING):
    ...     logging.getLogger("pytmva_bnn").info("not shown")
    """
    logger, handler = logging.getLogger("pytmva_bnn"), ConsoleHandler()
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(level)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.level, logger.propagate = before


@contextmanager
def without_words_on_interrupts() -> Iterator[None]:
    """Keep back what the library says about an interrupt: the command says itself what is written after one.

    >>> with without_words_on_interrupts():
    ...     logging.getLogger("pytmva_bnn").warning("interrupted")
    """

    def is_other(record: logging.LogRecord) -> bool:
        return "nterrupted" not in record.getMessage()

    handlers = logging.getLogger("pytmva_bnn").handlers
    for handler in handlers:
        handler.addFilter(is_other)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(is_other)
