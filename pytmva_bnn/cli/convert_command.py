"""``pytmva-bnn convert``."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytmva_bnn.cli.console import say
from pytmva_bnn.convert import convert, largest_difference, load_any
from pytmva_bnn.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", metavar="FROM", help="weight file (.xml, .xml.gz, .txt, .json, .npz)")
    parser.add_argument(
        "target", metavar="TO", help="new file (.xml, .xml.gz, .json, .npz, .onnx, .C or another of C++)"
    )
    parser.add_argument("--check", action="store_true", help="run the new file on random events (.onnx)")


def run(arguments: argparse.Namespace) -> int:
    """Convert, and if asked for compare the responses."""
    is_onnx = Path(arguments.target).suffix == ".onnx"
    if arguments.check and not is_onnx:
        raise InputError("--check is for .onnx; compare other weight files with: pytmva-bnn compare")
    convert(arguments.source, arguments.target)
    say(f"written: {arguments.target}")
    if arguments.check:
        difference = largest_difference(arguments.target, load_any(arguments.source))
        say(f"largest difference of the responses of 1000 random events: {difference:.2g}")
    return 0
