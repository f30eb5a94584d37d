"""Is a response of 0.7 right in 70% of the cases? The reliability of probabilities, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn.evaluation.calibration import reliability
from pytmva_bnn.show.plots.canvas import SQUARE, canvas, legend_below
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import FAINT, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARE_OF_HEIGHT = 0.16


def calibration(
    responses: ArrayLike,
    is_signal: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    bins: int = 10,
    errors: tuple[ArrayLike, ArrayLike] | None = None,
    signal_fraction: float | None = None,
    in_training: bool = False,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the observed fraction of signal against the mean response, with the distribution of responses below.

    The bands are where the points of a calibrated response lie in 68% and 95% of the cases.  Vertical bars are of
    counting; horizontal ones, with ``errors`` = (lower, upper), those of the network.  ``signal_fraction`` and
    ``in_training`` as in :func:`reliability`, whose numbers are in the legend: the statistic of Hosmer and Lemeshow
    with its p-value, and the expected calibration error (ECE).

    >>> from pytmva_bnn.show import plots
    >>> p = model.predict(events, errors=True)  # doctest: +SKIP
    >>> ax = plots.calibration(p.value, is_signal, errors=(p.lower, p.upper))  # doctest: +SKIP
    """
    r = reliability(
        responses,
        is_signal,
        weights,
        bins=bins,
        errors=errors,
        signal_fraction=signal_fraction,
        in_training=in_training,
    )
    p = np.asarray(responses, dtype=np.float64)
    counts, edges = np.histogram(p, bins=40, range=(0.0, 1.0), weights=weights)
    with canvas(ax, SQUARE) as ax:
        heights = np.clip(counts, 0.0, None) / max(float(np.max(counts)), 1e-300) * SHARE_OF_HEIGHT
        ax.stairs(heights, edges, fill=True, color=FAINT, alpha=0.35, label="responses", zorder=0)
        outer, inner = r.band[:, [0, 3]], r.band[:, [1, 2]]
        for ends, alpha, label in ((outer, 0.25, "calibrated: 68% and 95% bands"), (inner, 0.35, None)):
            ax.fill_between(r.mean, *ends.T, color=PALETTE[2], alpha=alpha, lw=1.0, label=label, zorder=1)
        ax.plot([0, 1], [0, 1], color=FAINT, ls="--", lw=1.0, zorder=2)
        horizontal = (
            None if r.model_lower is None or r.model_upper is None else np.stack([r.model_lower, r.model_upper])
        )
        vertical = np.clip(np.stack([r.observed - r.lower, r.upper - r.observed]), 0.0, None)
        ax.errorbar(
            r.mean,
            r.observed,
            yerr=vertical,
            xerr=horizontal,
            fmt="o",
            color=PALETTE[0],
            mec="black",
            mew=0.6,
            ecolor=PALETTE[0],
            ms=6,
            label=f"events: χ² = {r.chi2:.1f}/{r.degrees_of_freedom}, p = {r.p_value:.2g}, "
            f"ECE = {r.expected_calibration_error:.2g}",
            zorder=3,
        )
        ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), xlabel="Mean response", ylabel="Observed fraction of signal")
        ax.set_title(f"Calibration: {text(title)}" if title else "Calibration")
        legend_below(ax)
    return ax
