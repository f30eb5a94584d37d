"""The plots of a training as parts of a page."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from io import BytesIO

from pytmva_bnn.errors import TMVAError
from pytmva_bnn.show.plots.content import Content
from pytmva_bnn.show.plots.gallery import Plot, sections
from pytmva_bnn.show.plots.save import image
from pytmva_bnn.show.report.html import element, folded, note, picture
from pytmva_bnn.show.report.page import Part
from pytmva_bnn.show.report.tlatex import titled
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.show.report")

RESOLUTION = 130
SCREEN = 96
MOST_FOLDED = 24


def plot_parts(content: Content) -> Iterator[Part]:
    """Yield a part for each group of plots; what cannot be drawn is replaced by a note."""
    for section in sections(content):
        drawn = section.plots[:MOST_FOLDED] if section.folded else section.plots
        inside = element("div", "".join(map(_drawn, drawn)), class_="plots")
        left = len(section.plots) - len(drawn)
        if left:
            inside += note(f"{left} more plots of this kind are left out.")
        if section.folded:
            inside = folded(f"{len(drawn)} plots", inside)
        yield Part(section.title, inside)


def missing_plots(content: Content) -> Sequence[str]:
    """Return what one would look for in vain, in words."""
    wanted: list[tuple[str, bool]] = [
        ("input variables", bool(content.inputs)),
        ("correlation matrices", bool(content.matrices)),
        ("methods", bool(content.methods)),
    ]
    for m in content.methods:
        wanted.append((f"{m.title}: estimators by epoch", m.history is not None))
        wanted.append((f"{m.title}: weights of the network", bool(len(m.matrices))))
        if content.analysis == AnalysisType.CLASSIFICATION:
            wanted.append((f"{m.title}: responses", bool(m.response)))
            wanted.append((f"{m.title}: responses of training events", bool(m.training_response)))
            wanted.append((f"{m.title}: efficiencies", m.efficiencies is not None))
            wanted.append((f"{m.title}: ROC curve", m.roc is not None))
        elif content.analysis == AnalysisType.REGRESSION:
            wanted.append((f"{m.title}: deviations", bool(m.deviations)))
        else:
            wanted.append((f"{m.title}: responses", bool(m.class_responses)))
            wanted.append((f"{m.title}: ROC curves", bool(m.rest_curves)))
    return [what for what, there in wanted if not there]


def _drawn(plot: Plot) -> str:
    try:
        figure = plot.figure()
        png = _smaller(image(figure, "png", dpi=RESOLUTION))
    except (TMVAError, ValueError, TypeError, ArithmeticError, LookupError, RuntimeError) as error:
        # one odd histogram must not cost the whole page
        log.warning("%s could not be drawn: %s", plot.name, error)
        return note(f"{plot.caption}: could not be drawn ({error})")
    return picture(png, plot.caption, round(float(figure.get_size_inches()[0]) * SCREEN), titled(plot.caption))


def _smaller(png: bytes) -> bytes:
    """Return the image with 256 colours, a third of the size and the same to the eye."""
    from PIL import Image  # comes with matplotlib

    buffer = BytesIO()
    with Image.open(BytesIO(png)) as full:
        full.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(buffer, "png", optimize=True)
    return buffer.getvalue()
