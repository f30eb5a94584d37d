"""What a macro shows on the screen: the library's messages in TMVA's form, and ROOT's Print calls."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

LOGGER = logging.getLogger("pytmva_bnn.compat")

LIBRARY = logging.getLogger("pytmva_bnn")
WIDTH = 25


HEADERS = {
    "Factory": re.compile(
        r"Booking method: |Train (all methods|method: )|Training finished|Test (all methods|method: )"
        r"|Evaluate (all methods|classifier: )"
        r"|Thank you for using "
    ),
    "DataSetFactory": re.compile(r"\[[^\]]*\] : (Number of events in input trees| *\Z)"),
    "DataSetInfo": re.compile(r"Correlation matrix \(|\[[^\]]*\] : Added class "),
    "CrossValidation": re.compile(r"Evaluate method: "),
}
"""The messages that TMVA marks as headers, by their sources."""

CREATED_TREE = re.compile(r"(?P<source>Dataset:\S+) : (?P<text>Created tree .*)")


class TMVAFormatter(logging.Formatter):
    """Lines as TMVA writes them without colours: the level, a field for the source, then a colon and the text."""

    def format(self, record: logging.LogRecord) -> str:
        """Return every line of the message with the prefix."""
        prefix, text = _prefix_and_text(record)
        return "\n".join(f"{prefix}: {line}" for line in text.splitlines() or [""])


def _prefix_and_text(record: logging.LogRecord) -> tuple[str, str]:
    text = record.getMessage()
    if record.levelno >= logging.ERROR:
        return f"<ERROR> {'':{WIDTH}}", text
    if record.levelno >= logging.WARNING:
        return f"<WARNING> {'<WARNING>':{WIDTH}}", text
    if record.levelno < logging.INFO:
        return f"<DEBUG> {'':{WIDTH}}", text
    source = record.name.rpartition(".")[2]
    created = CREATED_TREE.match(text)
    if created is not None:
        source, text = created["source"], created["text"]
    elif hasattr(record, "source"):  # the header of a table
        source = str(record.source)
    elif source not in HEADERS or HEADERS[source].match(text) is None:
        return " " * WIDTH, text
    shown = source if len(source) <= WIDTH else f"{source[: WIDTH - 3]}..."
    return f"<HEADER> {shown:{WIDTH}}", text


class StandardOutput(logging.StreamHandler[TextIO]):
    """A handler that writes to whatever standard output is at the time."""

    def __init__(self) -> None:
        super().__init__(sys.stdout)
        self.setFormatter(TMVAFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        """Write one message."""
        self.stream = sys.stdout
        super().emit(record)


def show_messages(*, silent: bool | None = None) -> None:
    """Let the library's messages appear on standard output, as TMVA's do, unless the user has set up logging.

    ``silent`` leaves warnings and errors, False all but debug messages; None changes nothing if they appear already.
    """
    ours = any(isinstance(handler, StandardOutput) for handler in LIBRARY.handlers)
    if not ours and (logging.getLogger().handlers or LIBRARY.handlers):
        return
    if not ours:
        LIBRARY.addHandler(StandardOutput())
        LIBRARY.propagate = False
    if not ours or silent is not None:
        LIBRARY.setLevel(logging.WARNING if silent else logging.INFO)


@contextmanager
def aloud() -> Iterator[None]:
    """Let all messages but those for debugging appear in spite of silence, if they go to standard output at all."""
    level = LIBRARY.level
    if any(isinstance(handler, StandardOutput) for handler in LIBRARY.handlers):
        LIBRARY.setLevel(min(level, logging.INFO))
    try:
        yield
    finally:
        LIBRARY.setLevel(level)


@contextmanager
def as_macro() -> Iterator[None]:
    """Show the library's messages as TMVA does as long as a macro runs, whatever logging is set up outside of it."""
    before = LIBRARY.handlers[:], LIBRARY.level, LIBRARY.propagate
    LIBRARY.handlers[:] = [StandardOutput()]
    LIBRARY.propagate = False
    LIBRARY.setLevel(logging.INFO)
    try:
        yield
    finally:
        LIBRARY.handlers[:], LIBRARY.propagate = before[0], before[2]
        LIBRARY.setLevel(before[1])


def show(text: str) -> None:
    """Write a line for the user: what ROOT's Print calls do."""
    sys.stdout.write(f"{text}\n")
