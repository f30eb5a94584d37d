"""The commands ``pytmva-bnn port macro.C`` and ``pytmva-bnn run macro.C``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.port.run import run_translation, split_call
from pytmva_bnn.port.translate import Translation, translate

DONE = 0
FAILED = 1
USAGE = 2
LEFT = 3


def parser(prog: str = "pytmva-bnn port") -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    result = argparse.ArgumentParser(prog=prog, description="Translate a C++ macro that uses TMVA to Python.")
    result.add_argument("macro", help="the macro; - reads it from standard input")
    result.add_argument("-o", "--output", help="the Python file to write (default: standard output)")
    result.add_argument(
        "--vectorise", action="store_true", help="evaluate Readers on whole columns instead of event by event"
    )
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command port: 0 if all was translated, 3 if something was left, 2 if it was called wrongly."""
    try:
        arguments = parser().parse_args(argv)
    except SystemExit as stop:  # argparse has said why
        return int(stop.code or 0)
    try:
        source = _read(arguments.macro)
        name = "macro.C" if arguments.macro == "-" else arguments.macro
        translation = translate(source, filename=name, vectorise=arguments.vectorise)
        if arguments.output:
            with atomic_writer(arguments.output) as file:
                file.write(translation.text.encode())
        else:
            sys.stdout.write(translation.text)
    except (OSError, MissingDependencyError) as error:
        sys.stderr.write(f"pytmva-bnn port: {error}\n")
        return USAGE
    sys.stderr.write(summary(translation, arguments.macro))
    return LEFT if translation.n_left else DONE


def run_parser(prog: str = "pytmva-bnn run") -> argparse.ArgumentParser:
    """Return the parser of the command run."""
    result = argparse.ArgumentParser(
        prog=prog, description="Run a C++ macro without ROOT: it is translated to Python in memory."
    )
    result.add_argument("macro", help="""the macro, with arguments as in ROOT if it takes any: 'macro.C("BDT", 3)'""")
    result.add_argument("arguments", nargs=argparse.REMAINDER, help="words for main(argc, argv)")
    return result


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command run: the macro's own exit code, 1 if it failed, 2 if it was called wrongly."""
    try:
        arguments = run_parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        path, given = split_call(arguments.macro)
        translation = translate(_read(path), filename=path)
        for note in translation.notes if translation.n_left else ():
            sys.stderr.write(f"{path}: {note}\n")
        return run_translation(translation, path, given if given is not None else arguments.arguments or None)
    except (OSError, MissingDependencyError, InputError) as error:
        sys.stderr.write(f"pytmva-bnn run: {error}\n")
        return USAGE if isinstance(error, (OSError, MissingDependencyError)) else FAILED
    except NotImplementedError as error:
        sys.stderr.write(f"pytmva-bnn run: {arguments.macro}: {error}; this part of the macro is not translated\n")
        return FAILED


def _read(macro: str) -> str:
    data = sys.stdin.buffer.read() if macro == "-" else Path(macro).read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # older macros: names with accents


def summary(translation: Translation, macro: str) -> str:
    """Return what the user is told on the standard error stream."""
    left = f"{translation.n_left} left" + (" (search for TODO(port))" if translation.n_left else "")
    lines = [f"{translation.n_translated} lines translated, {left}"]
    if translation.n_stops:
        lines.append(f"the program stops with NotImplementedError at {translation.n_stops} of the places that are left")
    return "".join(f"{macro}: {line}\n" for line in [*lines, *translation.notes])
