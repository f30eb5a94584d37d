"""The response of a classifier for signal and background, and the probability and rarity made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, Histogram1D, kolmogorov
from pytmva_bnn.show.plots.checks import check_result
from pytmva_bnn.show.plots.superimposed import superimposed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_RMS = 10.0


def response(result: BinaryResult, *, training: bool = True, ax: Axes | None = None) -> Axes:
    """Draw the response of test events; with ``training`` that of training events too, as points (overtraining check).

    The legend has the probabilities of Kolmogorov and Smirnov that both are of one distribution.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.response(method.evaluate())  # doctest: +SKIP
    """
    result = check_result(result, BinaryResult, "response")
    tested = {"Signal": result.responses.signal, "Background": result.responses.background}
    trained = {"Signal": result.training.response_signal, "Background": result.training.response_background}
    return response_of(tested, trained if training else None, title=result.title, ax=ax)


def response_of(
    test: Mapping[str, Histogram1D],
    training: Mapping[str, Histogram1D] | None = None,
    *,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw responses given as histograms by class name; see :func:`response`.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.response_of({"Signal": s, "Background": b}, title="MLP")  # doctest: +SKIP
    """
    what = "Overtraining check" if training else "Response"
    named = {f"{name} (test)": h for name, h in test.items()} if training else test
    points = {f"{name} (training){_agreement(test.get(name), h)}": h for name, h in (training or {}).items()}
    return superimposed(
        named,
        points=points,
        xlabel=f"{title} response".strip(),
        title=f"{what}: {title}" if title else what,
        x_range=_visible_range(test),
        ax=ax,
    )


def probability(result: BinaryResult, *, ax: Axes | None = None) -> Axes:
    """Draw the signal probability of test events (needs CreateMVAPdfs).

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.probability(method.evaluate())  # doctest: +SKIP
    """
    result = check_result(result, BinaryResult, "probability")
    if result.probabilities is None:
        raise InputError(f"{result.title} has no signal probability: train it with CreateMVAPdfs")
    made = {"Signal": result.probabilities.signal, "Background": result.probabilities.background}
    return superimposed(made, xlabel="Signal probability", title=f"Probability: {result.title}", ax=ax)


def rarity(result: BinaryResult, *, ax: Axes | None = None) -> Axes:
    """Draw the rarity of test events, which is flat for background (needs CreateMVAPdfs).

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.rarity(method.evaluate())  # doctest: +SKIP
    """
    result = check_result(result, BinaryResult, "rarity")
    if result.probabilities is None:
        raise InputError(f"{result.title} has no rarity: train it with CreateMVAPdfs")
    made = {"Signal": result.probabilities.rarity_signal, "Background": result.probabilities.rarity_background}
    return superimposed(made, xlabel="Signal rarity", title=f"Rarity: {result.title}", ax=ax)


def _agreement(test: Histogram1D | None, training: Histogram1D) -> str:
    if test is None:
        return ""
    try:
        return f", KS p = {kolmogorov(test, training).probability:.2g}"
    except InputError:
        return ""


def _visible_range(histograms: Mapping[str, Histogram1D]) -> tuple[float, float] | None:
    """Return the mean ± 10 RMS of all, cut to the axis, as TMVA shows it."""
    lows, highs = [], []
    for h in histograms.values():
        weights = np.clip(h.values.astype(np.float64), 0.0, None)
        if not weights.sum() > 0:
            return None
        mean = float(np.average(h.centres, weights=weights))
        rms = float(np.sqrt(np.average((h.centres - mean) ** 2, weights=weights)))
        lows.append(max(h.x_min, mean - N_RMS * rms))
        highs.append(min(h.x_max, mean + N_RMS * rms))
    low, high = min(lows, default=0.0), max(highs, default=0.0)
    return (low, high) if low < high else None
