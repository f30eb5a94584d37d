"""``pytmva-bnn inspect``."""

from __future__ import annotations

import argparse
import json

from pytmva_bnn.cli.console import say
from pytmva_bnn.cli.summary import summary, summary_text
from pytmva_bnn.convert import load_any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", metavar="WEIGHTS", nargs="+", help="weight file (.xml, .xml.gz, .txt, .json, .npz)")
    parser.add_argument("--json", action="store_true", help="for programs: JSON, one object for each file")


def run(arguments: argparse.Namespace) -> int:
    """Print a summary of each file."""
    for number, path in enumerate(arguments.files):
        found = summary(load_any(path))
        if arguments.json:
            say(json.dumps(found, indent=None if len(arguments.files) > 1 else 1))
            continue
        if len(arguments.files) > 1:
            say(f"{'' if number == 0 else chr(10)}{path}")
        say(summary_text(found))
    return 0
