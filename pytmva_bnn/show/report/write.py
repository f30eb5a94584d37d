"""Writing the page of a training, or of an output file; TMVA's GUIs, which open a window, write it too."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn.errors import TMVAError
from pytmva_bnn.factory import Factory
from pytmva_bnn.files import atomic_writer, expanded
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots import gallery
from pytmva_bnn.show.plots.content import Content, MethodContent
from pytmva_bnn.show.plots.from_training import Trained, contents_of
from pytmva_bnn.show.plots.plot import Plot, Section
from pytmva_bnn.show.plots.save import file_name
from pytmva_bnn.show.plots.style import require_matplotlib
from pytmva_bnn.show.report.html import counted, element, folded, note, picture
from pytmva_bnn.show.report.output_file import read_output_file
from pytmva_bnn.show.report.page import Part, page
from pytmva_bnn.show.report.tables import events_tables, headline, method_tables, ranked, result_tables, summary_table
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.show.report")

RESOLUTION = 120
SCREEN = 96
MOST_FOLDED = 24


def write_report(trained: Trained, path: str | Path, *, title: str | None = None) -> Path:
    """Write one HTML page with all tables and plots of trained methods, and return its path.

    The page needs nothing else: no network, no other files.  Of a model, read from a weight file, it has what can be
    said and drawn without events.

    >>> from pytmva_bnn.show.report import write_report
    >>> write_report(factory, "dataset/report.html")  # doctest: +SKIP
    PosixPath('dataset/report.html')
    """
    require_matplotlib()
    given = list(trained) if isinstance(trained, Iterable) else trained
    contents = contents_of(given)
    if isinstance(given, Model):
        return _write(path, contents, f"weight file {given.name}", title or f"{given.kind} {given.title}")
    job = f"Job “{given.job_name}”, data set" if isinstance(given, Factory) else "Data set"
    return _write(path, contents, f"{job} {', '.join(f'“{c.dataset}”' for c in contents)}", title)


def report_from_output_file(file: str | Path, path: str | Path, dataset: str | None = None) -> Path:
    """Write one HTML page from an output file that TMVA or this package wrote, and return its path.

    What the file lacks is left out, with a note.

    >>> from pytmva_bnn.show.report import report_from_output_file
    >>> report_from_output_file("TMVA.root", "report.html")  # doctest: +SKIP
    PosixPath('report.html')
    """
    require_matplotlib()
    return _from_file(file, path, read_output_file(file, dataset))


def _from_file(file: str | Path, path: str | Path, content: Content) -> Path:
    return _write(path, [content], Path(file).name + (f", data set “{content.dataset}”" if content.dataset else ""))


def _write(path: str | Path, contents: Sequence[Content], subtitle: str, title: str | None = None) -> Path:
    parts: list[Part] = []
    for content in contents:
        before = f"{content.dataset}: " if len(contents) > 1 else ""
        parts += [Part(before + name, inside) for name, inside in page_parts(content)]
    names = ", ".join(m.title for content in contents for m in content.methods) or "no method"
    path = Path(expanded(path))
    with atomic_writer(path) as stream:
        stream.write(page(title or f"Training of {names}", subtitle, parts).encode("utf-8"))
    log.info("Report written: %s", path)
    return path


def page_parts(content: Content) -> Iterator[tuple[str, str]]:
    """Yield titles and HTML: how the methods compare, each of them, then the events; last what is missing."""
    sections = list(gallery.sections(content))
    if content.methods and content.has_events:
        compared = "".join(_pictures(section, section.plots) for section in sections if section.compares)
        yield "Results", result_tables(content) + compared
    if content.methods:
        each = "".join(_method(m, sections, is_open=len(content.methods) == 1) for m in ranked(content.methods))
        yield "Methods", summary_table(content.methods) + each
    data = element("div", events_tables(content.data, counted=content.has_events), class_="tables")
    yield ("Data set" if content.has_events else "Variables"), data
    for section in sections:
        shared = [plot for plot in section.plots if not plot.method]
        if shared and not section.compares:
            yield section.title, _pictures(section, shared)
    notes = _notes(content)
    if notes:
        yield "Notes", notes


def _method(m: MethodContent, sections: Sequence[Section], *, is_open: bool) -> str:
    """Return all of one method, to be opened: its tables and its plots."""
    made = element("div", method_tables(m), class_="tables")
    plots: list[Plot] = []
    for section in sections:
        own = [plot for plot in section.plots if plot.method == m.title and not plot.is_repeated]
        if section.folded and own:
            made += _pictures(section, own)
        else:
            plots += own
    made += _pictures(Section(m.title, plots), plots) if plots else ""
    return folded(headline(m), made, class_="method", **({"open": ""} if is_open else {}))


# ---- plots --------------------------------------------------------------------------------------------------


def _pictures(section: Section, plots: Sequence[Plot]) -> str:
    """Return plots of a section; what cannot be drawn is replaced by a note."""
    drawn = plots[:MOST_FOLDED] if section.folded else plots
    inside = element("div", "".join(map(_drawn, drawn)), class_="plots")
    left = len(plots) - len(drawn)
    if left:
        inside += note(f"{counted(left, 'more plot')} of this kind left out.")
    return folded(f"{section.title}: {counted(len(drawn), 'plot')}", inside) if section.folded else inside


def _drawn(plot: Plot) -> str:
    try:
        figure = plot.figure(dpi=RESOLUTION)
        png = _png(figure)
    except (TMVAError, ValueError, TypeError, ArithmeticError, LookupError, RuntimeError) as error:
        # one odd histogram must not cost the whole page
        log.warning("%s could not be drawn: %s", plot.name, error)
        return note(f"{plot.caption}: could not be drawn ({error})")
    return picture(png, plot.caption, round(float(figure.get_size_inches()[0]) * SCREEN))


def _png(figure: Any) -> bytes:
    """Return a figure as a PNG of 256 colours, a third of the size and the same to the eye."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # heavy and optional
    from PIL import Image  # comes with matplotlib

    canvas: Any = FigureCanvasAgg(figure)
    buffer = BytesIO()
    canvas.draw()
    full = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    # others find the colours a little better and take ten times as long
    full.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(buffer, "png")
    return buffer.getvalue()


def _notes(content: Content) -> str:
    missing = [what for what, there in _wanted(content) if not there] if content.has_events else []
    words = [f"Missing, so left out: {', '.join(missing)}."] if missing else []
    words += content.notes
    return "".join(map(note, words))


def _wanted(content: Content) -> Iterator[tuple[str, bool]]:
    """Yield what every training has, and whether it is there."""
    yield "input variables", bool(content.inputs)
    yield "correlation matrices", bool(content.matrices)
    yield "methods", bool(content.methods)
    for m in content.methods:
        if content.analysis == AnalysisType.CLASSIFICATION:
            yield f"{m.title}: responses", bool(m.response)
            yield f"{m.title}: responses of training events", bool(m.training_response)
            yield f"{m.title}: efficiencies", m.efficiencies is not None
            yield f"{m.title}: ROC curve", m.roc is not None
        elif content.analysis == AnalysisType.REGRESSION:
            yield f"{m.title}: deviations", bool(m.deviations)
        else:
            yield f"{m.title}: responses", bool(m.class_responses)
            yield f"{m.title}: ROC curves", bool(m.rest_curves)


# ---- TMVA's GUIs --------------------------------------------------------------------------------------------


def TMVAGui(file: str | Path = "TMVA.root", dataset: str = "") -> Path:  # noqa: N802 - TMVA's name
    """Write ``<dataset>/plots/report.html`` beside the output file of a classification and return its path.

    ``TMVAGui("TMVA.root", "dataset")`` and ``TMVAGui("dataset", "TMVA.root")`` are the same.

    >>> import pytmva_bnn as TMVA
    >>> TMVA.TMVAGui("TMVA.root")  # doctest: +SKIP
    PosixPath('dataset/plots/report.html')
    """
    return _gui("TMVAGui", str(file), str(dataset))


def TMVARegGui(file: str | Path = "TMVAReg.root", dataset: str = "") -> Path:  # noqa: N802 - TMVA's name
    """Do the same for a regression; see :func:`TMVAGui`."""
    return _gui("TMVARegGui", str(file), str(dataset))


def TMVAMultiClassGui(file: str | Path = "TMVAMulticlass.root", dataset: str = "") -> Path:  # noqa: N802
    """Do the same for several classes; see :func:`TMVAGui`."""
    return _gui("TMVAMultiClassGui", str(file), str(dataset))


def _gui(name: str, file: str, dataset: str) -> Path:
    if dataset.endswith(".root") and not file.endswith(".root"):
        file, dataset = dataset, file
    require_matplotlib()
    content = read_output_file(file, dataset)
    # files of ROOT before 6.08 have no data set of their own
    folder = (
        Path(expanded(file)).parent / file_name(content.dataset) if content.dataset else Path(expanded(file)).parent
    )
    written = _from_file(file, folder / "plots" / "report.html", content)
    log.info("--- %s: open %s in a browser", name, written.resolve())
    return written
