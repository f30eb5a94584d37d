"""``pytmva-bnn plots``: the figures of TMVA's GUI, from an output file of TMVA or of this package."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytmva_bnn.cli.console import progress, say
from pytmva_bnn.cli.delegation import function_of
from pytmva_bnn.cli.output_file import check_output_file

FORMATS = ("png", "pdf", "svg", "eps", "jpg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("file", metavar="TMVA.root", help="output file of a training")
    add("--dataset", metavar="NAME", help="data set in the file (not needed if there is only one)")
    add("--format", dest="formats", action="append", choices=FORMATS, help="format of the files (default: png)")
    add("-o", "--output", metavar="FOLDER", default="plots", help="folder of the plots (default: plots)")


def run(arguments: argparse.Namespace) -> int:
    """Draw the plots."""
    # found when called: matplotlib is optional, and takes long to load
    function_of("pytmva_bnn.show.plots.canvas", "require_matplotlib", "plots")()
    read_output_file = function_of("pytmva_bnn.show.report.output_file", "read_output_file", "plots")
    sections = function_of("pytmva_bnn.show.plots.gallery", "sections", "plots")
    save = function_of("pytmva_bnn.show.plots.save", "save", "plots")
    file_name = function_of("pytmva_bnn.show.plots.save", "file_name", "plots")
    check_output_file(arguments.file)
    content = read_output_file(arguments.file, arguments.dataset).content
    plots = [plot for section in sections(content) for plot in section.plots]
    formats = arguments.formats or ["png"]
    with progress(len(plots), "plots", "plot") as advance:
        for plot in plots:
            figure = plot.figure()
            for one in formats:
                save(figure, Path(arguments.output) / f"{file_name(plot.name)}.{one}", one)
            advance(1)
    say(f"{len(plots)} plots written to {arguments.output}")
    return 0
