"""How cuts are shown: their efficiencies, and the cuts themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pytmva_bnn.methods.cuts.bins import bin_of, lower_edges
from pytmva_bnn.methods.cuts.fitted import INFINITE, FittedCuts
from pytmva_bnn.show.plots.content import Content, MethodContent, Numbers, drawings, tabulated
from pytmva_bnn.show.plots.cuts import cut_efficiency, cut_values
from pytmva_bnn.show.plots.plot import Plot


@drawings.register
def _(fitted: FittedCuts, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    words = f"Background efficiency of the cuts of {m.title} against their signal efficiency, training events"
    yield "Optimal cuts", Plot(f"cuts_{m.title}", words, partial(cut_efficiency, fitted, title=m.title))
    words = f"Cuts of {m.title} on each variable, as transformed, for each signal efficiency"
    yield "Optimal cuts", Plot(f"cutvalues_{m.title}", words, partial(cut_values, fitted, content.input_names))


@tabulated.register
def _(fitted: FittedCuts, names: Sequence[str] = ()) -> Iterator[Numbers]:
    rows = []
    for tenth in range(1, 10):
        k = bin_of(tenth / 10 + 1e-4, fitted.n_bins) - 1
        if fitted.is_reached[k]:
            cuts = zip(fitted.lower[k].tolist(), fitted.upper[k].tolist(), strict=True)
            rows.append([f"{lower_edges(fitted.n_bins)[k]:.2f}", float(fitted.background[k]), *map(_words, cuts)])
    labels = list(names) or [f"variable {i}" for i in range(fitted.lower.shape[1])]
    yield Numbers((), ["Signal efficiency", "Background efficiency", *labels], rows)


def _words(cut: tuple[float, float]) -> str:
    low, high = cut
    if high >= INFINITE:
        return "" if low <= -INFINITE else f"> {low:.4g}"
    return f"≤ {high:.4g}" if low <= -INFINITE else f"{low:.4g} to {high:.4g}"
