"""The commands ``pytmva-bnn port macro.C`` and ``pytmva-bnn run macro.C``."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from pytmva_bnn.errors import MissingDependencyError
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.port.run import run_translation, split_call, translated_call
from pytmva_bnn.port.translate import Translation, translate

LOGGER = logging.getLogger("pytmva_bnn.port")

DONE = 0
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


def run(macro: str, words: Sequence[str] = ()) -> int:
    """Run the command run: ``macro`` is a file with the arguments of its function, if any; ``words`` are for ``main``.

    Returns
    -------
    The exit code of the macro.
    """
    path, arguments = split_call(macro)
    source, name = _read(path), "macro.C" if path == "-" else path
    translation = translated_call(source, name, arguments)
    for note in translation.notes if translation.n_left and translation.entry else ():
        LOGGER.warning("%s: %s", name, note)
    return run_translation(translation, name, arguments, words)


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
