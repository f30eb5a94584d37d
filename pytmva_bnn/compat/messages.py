"""What a macro shows on the screen: the library's messages in TMVA's form, and ROOT's Print calls."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

LOGGER = logging.getLogger("pytmva_bnn.compat")

LIBRARY = logging.getLogger("pytmva_bnn")
WIDTH = 25


class TMVAFormatter(logging.Formatter):
    """Lines as TMVA writes them without colours: 25 blanks, or the level, then a colon and the text.

    >>> record = logging.makeLogRecord({"msg": "Training finished", "levelno": logging.INFO})
    >>> TMVAFormatter().format(record)
    '                         : Training finished'
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return every line of the message with the prefix."""
        source = ""
        if record.levelno >= logging.ERROR:
            source = "<ERROR>"
        elif record.levelno >= logging.WARNING:
            source = "<WARNING>"
        lines = record.getMessage().splitlines() or [""]
        return "\n".join(f"{source:{WIDTH}}: {line}" for line in lines)


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


def show(text: str) -> None:
    """Write a line for the user: what ROOT's Print calls do.

    >>> show("12 entries")
    12 entries
    """
    sys.stdout.write(f"{text}\n")
