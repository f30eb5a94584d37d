"""Writing the page of a training, or of an output file."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from pytmva_bnn.factory import Factory, MethodMLP
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.show.plots.content import Content
from pytmva_bnn.show.plots.from_training import contents_of, trained_methods
from pytmva_bnn.show.plots.style import require_matplotlib
from pytmva_bnn.show.report.file_tables import file_tables
from pytmva_bnn.show.report.html import note
from pytmva_bnn.show.report.output_file import read_output_file
from pytmva_bnn.show.report.page import Part, page
from pytmva_bnn.show.report.plot_parts import missing_plots, plot_parts
from pytmva_bnn.show.report.training_tables import training_tables

log = logging.getLogger("pytmva_bnn.show.report")


def write_report(
    trained: Factory | MethodMLP | Iterable[MethodMLP], path: str | Path, *, title: str | None = None
) -> Path:
    """Write one HTML page with all tables and plots of trained methods, and return its path.

    The page needs nothing else: no network, no other files.

    >>> from pytmva_bnn.show.report import write_report
    >>> write_report(factory, "dataset/report.html")  # doctest: +SKIP
    PosixPath('dataset/report.html')
    """
    require_matplotlib()
    given = trained if isinstance(trained, Factory | MethodMLP) else list(trained)
    methods = trained_methods(given)
    contents = contents_of(given)
    parts: list[Part] = []
    for content in contents:
        before = f"{content.dataset}: " if len(contents) > 1 else ""
        of_dataset = [method for method in methods if method.dataset.name == content.dataset]
        made = [*training_tables(of_dataset), *plot_parts(content), *_notes(content)]
        parts += [Part(before + part.title, part.inside) for part in made]
    job = f"job {given.job_name}, " if isinstance(given, Factory) else ""
    names = ", ".join(method.title for method in methods)
    return _write(
        path, title or f"Training of {names}", f"{job}data set {', '.join(c.dataset for c in contents)}", parts
    )


def report_from_output_file(file: str | Path, path: str | Path, dataset: str | None = None) -> Path:
    """Write one HTML page from an output file that TMVA or this package wrote, and return its path.

    What the file lacks is left out, with a note.

    >>> from pytmva_bnn.show.report import report_from_output_file
    >>> report_from_output_file("TMVA.root", "report.html")  # doctest: +SKIP
    PosixPath('report.html')
    """
    require_matplotlib()
    found = read_output_file(file, dataset)
    content = found.content
    parts = [*file_tables(found), *plot_parts(content), *_notes(content)]
    names = ", ".join(m.title for m in content.methods) or "no method"
    where = f"{Path(file).name}, data set {content.dataset}" if content.dataset else Path(file).name
    return _write(path, f"Training of {names}", where, parts)


def _notes(content: Content) -> list[Part]:
    missing = missing_plots(content)
    words = [f"Not there, and so left out: {', '.join(missing)}."] if missing else []
    words += content.notes
    return [Part("Notes", "".join(note(one) for one in words))] if words else []


def _write(path: str | Path, title: str, subtitle: str, parts: list[Part]) -> Path:
    path = Path(path)
    with atomic_writer(path) as stream:
        stream.write(page(title, subtitle, parts).encode("utf-8"))
    log.info("Report written: %s", path)
    return path
