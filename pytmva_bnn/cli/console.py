"""All that the command prints: results to standard output, messages and progress bars to standard error."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pytmva_bnn.errors import TMVAError

PROGRAM = "pytmva-bnn"


def say(text: str = "") -> None:
    """Write a line of the result."""
    sys.stdout.write(text + "\n")


def complain(kind: str, text: str) -> None:
    """Write a message of one line: ``pytmva-bnn: error: ...``."""
    sys.stdout.flush()
    sys.stderr.write(f"{PROGRAM}: {kind}: {one_line(text)}\n")
    sys.stderr.flush()


def one_line(text: str) -> str:
    """Return a message on one line, without the line whose caret points into an expression."""
    lines = [line.strip() for line in text.splitlines()]
    return ": ".join(line for line in lines if line and line != "^")


@contextmanager
def progress(total: int, description: str, unit: str) -> Iterator[Callable[[int], object]]:
    """Give a function that takes the progress made; it moves a bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda number: number
        return
    from tqdm import tqdm  # lazy: only for people at a terminal

    with tqdm(total=total, desc=description, unit=unit, unit_scale=total > 100_000, dynamic_ncols=True) as bar:
        yield bar.update


class ConsoleHandler(logging.Handler):
    """Shows the library's log on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record: warnings as messages of the command, the rest as it is."""
        if record.levelno >= logging.WARNING:
            complain("warning", record.getMessage())
        else:
            sys.stderr.write(record.getMessage() + "\n")


@contextmanager
def shown_log(level: int) -> Iterator[None]:
    """Show the library's log from ``level`` on, as long as the command runs."""
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
def only_errors() -> Iterator[None]:
    """Show no warnings of the library for a while: those of a trial are of no use to anyone."""
    logger = logging.getLogger("pytmva_bnn")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def without_words_on_interrupts() -> Iterator[None]:
    """Keep back what the library says about an interrupt: the command says itself what is written after one."""

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


# ---- errors of other packages and of the system, in words for someone at a command line

_PARTIAL = re.compile(
    r"expected Chunk of length \d+,\s*received \d+ bytes from \w+\s*for file path (.*?)\s*$", re.DOTALL
)
_PICKLED = re.compile(r"[^:]*\bpickled?\b.*", re.DOTALL)


def error_message(error: BaseException) -> str:
    """Return the message of an error: it names what the user knows, and gives no advice that is none.

    >>> error_message(PermissionError(13, "Permission denied", "out/r.root"))
    'out/r.root: Permission denied'
    """
    if isinstance(error, OSError) and not isinstance(error, TMVAError) and error.strerror:
        return _of_system(error)
    text = str(error) or type(error).__name__
    partial = _PARTIAL.search(text)
    if partial:
        return _of_part(partial[1])
    if "cannot mmap an empty file" in text:
        return text.replace("cannot mmap an empty file", "it is empty")
    if "allow_pickle" in text:
        return _PICKLED.sub(" it is not a numpy archive", text).strip()
    return text


def _of_part(path: str) -> str:
    """Return what to say about a file that ends too early: one that was never a ROOT file may seem to."""
    with suppress(OSError), Path(path).open("rb") as stream:
        if stream.read(4) != b"root":
            return f"{path} cannot be opened as a ROOT file: it is not one"
    return f"{path}: the file is truncated or damaged"


def _of_system(error: OSError) -> str:
    if not error.filename:
        return str(error.strerror)
    path = Path(os.fsdecode(error.filename))
    return f"{path}: {error.strerror}"
