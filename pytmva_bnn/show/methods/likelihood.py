"""How Likelihood is shown: the densities of its variables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from pytmva_bnn.methods.density.likelihood_fitted import FittedLikelihood
from pytmva_bnn.show.plots.content import Content, MethodContent, drawings
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.plot import Plot
from pytmva_bnn.show.plots.references import Reference, draw_references, references_of

if TYPE_CHECKING:
    from pytmva_bnn.show.report.root_file import Directory

PANELS_PER_FIGURE = 6


@drawings.register
def _(fitted: FittedLikelihood, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    is_transformed = m.model is not None and bool(m.model.transformations.placed)
    labels = [f"{text(name)} (transformed)" if is_transformed else text(name) for name in content.input_names]
    yield from drawings(tuple(references_of(fitted, labels)), content, m)


@drawings.register(tuple)
def _(references: tuple[Reference, ...], content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    del content
    for number, start in enumerate(range(0, len(references), PANELS_PER_FIGURE), start=1):
        words = f"Densities of the variables of {m.title} (lines) and the training events they were made from"
        draw = partial(draw_references, references[start : start + PANELS_PER_FIGURE])
        yield "Reference distributions", Plot(f"likelihoodrefs_{m.title}_c{number}", words, draw)


def read_folder(folder: Directory, title: str) -> tuple[tuple[Reference, ...] | None, None]:
    """Return the densities of the variables that the folder has."""
    del title
    made = []
    for label in [n.removesuffix("_additional_check") for n in folder.names if n.endswith("_additional_check")]:
        found = []
        for name, ending in (("Signal", "sig"), ("Background", "bgd")):
            # the shortest: another variable's name may end in this one's
            source = min((n for n in folder.names if n.endswith(f"_{label}_{ending}")), key=len, default="")
            found.append(folder.density(source, name))
        densities = [one for one in found if one is not None]
        if len(densities) == 2:
            made.append(Reference(text(label), densities))
    return tuple(made) or None, None
