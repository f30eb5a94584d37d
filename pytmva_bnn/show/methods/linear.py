"""How linear methods are shown: their coefficients."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pytmva_bnn.methods.linear.coefficients import FittedCoefficients
from pytmva_bnn.show.plots.coefficients import coefficients
from pytmva_bnn.show.plots.content import Content, MethodContent, drawings
from pytmva_bnn.show.plots.plot import Plot


@drawings.register
def _(fitted: FittedCoefficients, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    for k in range(fitted.n_outputs):
        of_target = f" for {content.output_names[k]}" if fitted.n_outputs > 1 else ""
        title = f"{m.title}{of_target.replace(' for', ',')}"
        draw = partial(coefficients, fitted, content.input_names, output=k, title=title)
        name = f"coefficients_{m.title}" + (f"_target{k}" if fitted.n_outputs > 1 else "")
        words = f"Coefficients of {m.title}{of_target}, of the variables as transformed"
        yield "Coefficients", Plot(name, words, draw)
