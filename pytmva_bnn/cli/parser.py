"""The parser of the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from typing import NoReturn

from pytmva_bnn._version import __version__
from pytmva_bnn.cli.commands import COMMANDS
from pytmva_bnn.cli.console import PROGRAM, complain

DESCRIPTION = "TMVA's neural network with Bayesian error bars, without ROOT."
EPILOGUE = f"""\
examples:
  {PROGRAM} inspect job_MLP.weights.xml
  {PROGRAM} apply job_MLP.weights.xml data.root --tree Events --errors -o responses.root
  {PROGRAM} train --signal data.root:TreeS --background data.root:TreeB -v var1 -v var2 -o out

'{PROGRAM} COMMAND --help' tells more about a command.
exit codes: 0 all went well, 1 error, 2 wrong usage, 4 (compare) the files differ, 130 interrupted"""


class Parser(argparse.ArgumentParser):
    """A parser whose messages look like all others of the command.

    >>> Parser(prog="pytmva-bnn").prog
    'pytmva-bnn'
    """

    def error(self, message: str) -> NoReturn:
        """Write the usage and what is wrong; the exit code is 2."""
        self.print_usage(sys.stderr)
        complain("error", message)
        raise SystemExit(2)


def build_parser(complete: Iterable[str] | None = None) -> Parser:
    """Return the parser; only the commands in ``complete`` have their arguments (None: all have).

    Declaring the arguments of a command loads what it needs, and a user wants one command only.

    >>> build_parser([]).prog
    'pytmva-bnn'
    """
    wanted = set(COMMANDS if complete is None else complete)
    everywhere = _common_options(argparse.SUPPRESS)
    parser = Parser(
        prog=PROGRAM,
        description=DESCRIPTION,
        epilog=EPILOGUE,
        parents=[_common_options(False)],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in COMMANDS.values():
        examples = "\n".join("  " + line for line in command.examples.splitlines())
        one = commands.add_parser(
            command.name,
            help=command.purpose,
            description=command.purpose[0].upper() + command.purpose[1:] + ".",
            epilog=f"examples:\n{examples}",
            parents=[everywhere],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if command.name in wanted:
            command.add_arguments(one)
    return parser


def _common_options(default: object) -> Parser:
    """Return the options that may stand before or after the command.

    >>> _common_options(False).parse_args(["--debug"]).debug
    True
    """
    parser = Parser(add_help=False)
    parser.add_argument("--debug", action="store_true", default=default, help="show where an error comes from")
    parser.add_argument("--verbose", action="store_true", default=default, help="show the library's messages")
    return parser


def commands_of(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """Return the parsers of the commands.

    >>> "apply" in commands_of(build_parser([]))
    True
    """
    found = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    choices: Mapping[str, argparse.ArgumentParser] = found.choices
    return choices


def options_of(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the options of a parser by their names.

    >>> list(options_of(build_parser([])))
    ['-h', '--help', '--debug', '--verbose', '--version']
    """
    return {option: action for action in parser._actions for option in action.option_strings}
