"""How PDEFoam is shown: maps of the cells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pytmva_bnn.methods.foam.fitted import FittedPDEFoam
from pytmva_bnn.show.plots.content import Content, MethodContent, drawings
from pytmva_bnn.show.plots.foams import foam_maps
from pytmva_bnn.show.plots.plot import Plot


@drawings.register
def _(fitted: FittedPDEFoam, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    labels = [*content.input_names, *content.output_names]
    for foam in fitted.foams:
        if foam.n_dimensions > 1:
            name = foam.name if len(content.methods) == 1 else f"{foam.name}_{m.title}"
            words = f"{foam.name} of {m.title} ({len(foam.active)} cells), seen along pairs of its dimensions"
            yield "Foam", Plot(name, words, partial(foam_maps, foam, labels=labels, title=f"{m.title}: {foam.name}"))
