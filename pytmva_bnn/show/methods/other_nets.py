"""How TMlpANN and CFMlpANN are shown: their layers and weights."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pytmva_bnn.methods.other_nets.scaled import FittedScaled
from pytmva_bnn.show.methods.mlp import NETWORK
from pytmva_bnn.show.plots.content import Content, Facts, MethodContent, described, drawings
from pytmva_bnn.show.plots.plot import Plot
from pytmva_bnn.show.plots.training import network


@described.register
def _(fitted: FittedScaled) -> Facts:
    return [("Layers", fitted.summary), ("Weights", fitted.n_weights), ("Neurons", fitted.hidden)]


@drawings.register
def _(fitted: FittedScaled, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    draw = partial(network, fitted.network, inputs=content.input_names, outputs=["response"], title=m.title)
    caption = f"Architecture of {m.title}; colour and width of the lines show the weights"
    yield NETWORK, Plot(f"network_{m.title}", caption, draw)
