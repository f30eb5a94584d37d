"""``pytmva-bnn report``: one HTML page, from an output file of TMVA or of this package."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytmva_bnn.cli.console import say
from pytmva_bnn.cli.delegation import function_of
from pytmva_bnn.cli.output_file import check_output_file

REPORT = "report.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("file", metavar="TMVA.root", help="output file of a training")
    add("--dataset", metavar="NAME", help="data set in the file (not needed if there is only one)")
    add("-o", "--output", metavar="PATH", help="the report, or its folder (default: report.html beside the file)")


def run(arguments: argparse.Namespace) -> int:
    """Make the report."""
    make = function_of("pytmva_bnn.show.report", "report_from_output_file", "report")
    check_output_file(arguments.file)
    target = Path(arguments.output or Path(arguments.file).with_name(REPORT))
    if target.is_dir() or str(arguments.output).endswith("/"):
        target /= REPORT
    say(f"written: {make(arguments.file, target, arguments.dataset)}")
    return 0
