"""The command ``pytmva-bnn``: from its arguments to an exit code."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import TextIO

from pytmva_bnn.cli.commands import COMMANDS
from pytmva_bnn.cli.console import complain, shown_log
from pytmva_bnn.cli.error_words import words
from pytmva_bnn.cli.parser import build_parser, commands_of, options_of
from pytmva_bnn.errors import TMVAError, suggestion

OK, USER_ERROR, USAGE_ERROR, DIFFERENT, INTERRUPTED = 0, 1, 2, 4, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (those of the process if None) and return the exit code.

    >>> main(["inspect", "no_such_file.xml"])
    1
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    position = next((number for number, one in enumerate(arguments) if not one.startswith("-")), len(arguments))
    before, name = arguments[:position], "".join(arguments[position : position + 1])
    command = COMMANDS.get(name)
    if command is not None and command.passed_on and set(before) <= {"--debug", "--verbose"}:
        rest = arguments[position + 1 :]
        return _run(lambda: command.run(rest), debug="--debug" in before, verbose="--verbose" in before)
    try:
        parsed = _parsed(arguments, name)
    except SystemExit as stop:  # argparse has written help, version or what is wrong
        return stop.code if isinstance(stop.code, int) else USAGE_ERROR
    except KeyboardInterrupt:  # while the modules of the command are loaded
        complain("error", "interrupted")
        return INTERRUPTED
    return _run(lambda: COMMANDS[parsed.command].run(parsed), debug=parsed.debug, verbose=parsed.verbose)


def _parsed(arguments: list[str], name: str) -> argparse.Namespace:
    parser = build_parser([name])
    if name and name not in COMMANDS:
        parser.error(f"there is no command {name!r}: {suggestion(name, COMMANDS) or 'see --help'}")
    parsed, rest = parser.parse_known_args(arguments)
    if parsed.command is None:
        parser.error("which command? See --help")
    # argparse takes files in one row only: those behind an option are left over
    if rest and hasattr(parsed, "files") and not any(one.startswith("-") for one in rest):
        parsed.files += rest
    elif rest:
        own = commands_of(parser)[parsed.command]
        unknown = next((one.partition("=")[0] for one in rest if one.startswith("-")), "")
        hint = suggestion(unknown, options_of(own)) if unknown else ""
        own.error(f"unrecognized arguments: {' '.join(rest)}" + (f": {hint}" if hint else ""))
    return parsed


def _run(run: Callable[[], int], *, debug: bool, verbose: bool) -> int:
    with shown_log(logging.INFO if verbose else logging.WARNING), warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = _show_warning
        return _guarded(run, debug=debug)


def _guarded(run: Callable[[], int], *, debug: bool) -> int:
    """Run a command; what goes wrong becomes one line and an exit code."""
    try:
        code = run()
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
    except (TMVAError, OSError) as error:
        if debug:
            traceback.print_exc()
        complain("error", words(error))
        return USER_ERROR
    except Exception as error:
        if debug:
            traceback.print_exc()
        hint = "" if debug else " (this should not happen; --debug shows where)"
        complain("error", f"{type(error).__name__}: {error}{hint}")
        return USER_ERROR


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    del category, filename, lineno, file, line  # of no use to someone at a command line
    complain("warning", str(message))
