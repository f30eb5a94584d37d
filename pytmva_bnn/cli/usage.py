"""Wrong usage: what is wrong with the arguments themselves, not with the files that they name."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pytmva_bnn.errors import InputError, OptionError

# what someone at a command line does instead of a call
_CALLS = {
    r"call AddTarget": "give --target",
    r"with AddTree or a similar method": "with --signal, --background, --regression or --class",
    r"the cut of AddTree": "--cut",
    r"with AddVariable": "with -v",
    r"DataLoader::AddVariable": "-v",
    r"by a cut in PrepareTrainingAndTestTree": "with --cut",
    r'write SetWeightExpression\("\.\.\.", "(\w+)"\)': r"write --weight \1=...",
    r"e\.g\. BookMethod\([^,]*, TMVA\.Types\.k(\w+), \"\w*\", \"(.*?)\"\)": r"e.g. --method \1:\2",
    r"\(TMVA\.Types\.k(\w+), '\w*', '(.*?)'\)": r"--method \1:\2",
    r"BookMethod": "--method",
}


class UsageError(InputError):
    """The command was called in a wrong way; its exit code is 2."""


def in_words_of_the_command(text: str) -> str:
    """Return a message of the library with the options of the command in the place of calls.

    >>> in_words_of_the_command("there are no variables; declare them with AddVariable")
    'there are no variables; declare them with -v'
    """
    for call, instead in _CALLS.items():
        text = re.sub(call, instead, text)
    return text


@contextmanager
def usage() -> Iterator[None]:
    """Turn what is wrong with what is looked at here into wrong usage."""
    try:
        yield
    except InputError as error:
        raise UsageError(str(error)) from error


@contextmanager
def options_of(name: str) -> Iterator[None]:
    """Turn what is wrong with an option string into wrong usage of the option ``name`` of the command.

    The option engine warns where TMVA reads something else than was written (``nTrain_Signal=1e9`` is 1 there); on the
    command line this is an error too.
    """

    def refuse(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING:
            raise OptionError(record.getMessage().replace("was read as", "would be read as"))
        return True

    logger = logging.getLogger("pytmva_bnn.options")
    logger.addFilter(refuse)
    try:
        yield
    except OptionError as error:
        raise UsageError(f"{name}: {error}") from error
    finally:
        logger.removeFilter(refuse)
