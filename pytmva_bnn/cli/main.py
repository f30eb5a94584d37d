"""The command ``pytmva-bnn``: from its arguments to an exit code."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any

from pytmva_bnn.cli import commands
from pytmva_bnn.cli.console import complain, error_message, shown_log
from pytmva_bnn.cli.parser import COMMANDS, build_parser, commands_of, options_of
from pytmva_bnn.cli.usage import UsageError, in_words_of_the_command
from pytmva_bnn.errors import TMVAError, suggestion
from pytmva_bnn.files import expanded

USER_ERROR, USAGE_ERROR, INTERRUPTED = 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (those of the process if None) and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    position = next((number for number, text in enumerate(arguments) if not text.startswith("-")), len(arguments))
    before, name = arguments[:position], "".join(arguments[position : position + 1])
    if name in COMMANDS and COMMANDS[name].add_arguments is None and set(before) <= {"--debug", "--verbose"}:
        rest = arguments[position + 1 :]
        return _run(name, rest, debug="--debug" in before, verbose="--verbose" in before)
    try:
        parsed = _parsed(arguments, name)
    except SystemExit as stop:  # argparse has written help, version or what is wrong
        return stop.code if isinstance(stop.code, int) else USAGE_ERROR
    return _run(name, parsed, debug=parsed.debug, verbose=parsed.verbose)


def _parsed(arguments: list[str], name: str) -> argparse.Namespace:
    parser = build_parser()
    if name and name not in COMMANDS:
        parser.error(f"there is no command {name!r}: {suggestion(name, COMMANDS) or 'see --help'}")
    parsed, rest = parser.parse_known_args(arguments)
    if parsed.command is None:
        parser.error("which command? See --help")
    # argparse takes files in one row only: those behind an option are left over
    if rest and hasattr(parsed, "files") and not any(text.startswith("-") for text in rest):
        parsed.files += rest
    elif rest:
        own = commands_of(parser)[parsed.command]
        unknown = next((text.partition("=")[0] for text in rest if text.startswith("-")), "")
        hint = suggestion(unknown, options_of(own)) if unknown else ""
        own.error(f"unrecognized arguments: {' '.join(rest)}" + (f": {hint}" if hint else ""))
    for name in ("output", "config", "file"):  # a shell leaves --output=~/out as it is; events and weights see to it
        if isinstance(getattr(parsed, name, None), str):
            setattr(parsed, name, expanded(getattr(parsed, name)))
    return parsed


def _run(name: str, arguments: Any, *, debug: bool, verbose: bool) -> int:
    """Run a command; what goes wrong becomes one line and an exit code."""
    with shown_log(logging.INFO if verbose else logging.WARNING), warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = lambda message, *_: complain("warning", str(message))
        try:
            code = commands.run(name, arguments)
            sys.stdout.flush()
            return code
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else USER_ERROR
        except KeyboardInterrupt as stop:
            complain("error", str(stop) or "interrupted")
            return INTERRUPTED
        except BrokenPipeError:
            # the reader of a pipe has seen enough: nothing more may be written, also not at the end of the process
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return USER_ERROR
        except Exception as error:
            if debug:
                traceback.print_exc()
            complain("error", in_words_of_the_command(_in_words(error, name, debug=debug)))
            return USAGE_ERROR if isinstance(error, UsageError) else USER_ERROR


def _in_words(error: Exception, command: str, *, debug: bool) -> str:
    if isinstance(error, TMVAError | OSError):
        return error_message(error)
    if isinstance(error, ImportError) and error.name is not None:
        if error.name.startswith("pytmva_bnn."):
            missing = f"{error.name} is missing" if isinstance(error, ModuleNotFoundError) else str(error)
            return f"the command {command!r} is not part of this installation ({missing})"
        return f"the command {command!r} needs {error.name}: install it with  pip install 'pytmva-bnn[all]'"
    hint = "" if debug else " (this is a bug; --debug shows where)"
    return f"{type(error).__name__}: {error}{hint}"
