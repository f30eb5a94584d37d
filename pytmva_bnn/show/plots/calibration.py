"""Is a response of 0.7 right in 70% of the cases? The reliability of probabilities, with uncertainties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.show.plots.canvas import SQUARE, canvas, legend_below
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import FAINT, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARE_OF_HEIGHT = 0.16


@dataclass(frozen=True, eq=False)
class Reliability:
    """In bins of the response: mean response, observed fraction of signal with its 68% interval, effective events.

    Only bins with events are there.  ``model_lower`` and ``model_upper`` are the mean errors of the responses, None if
    they were not given.
    """

    mean: FloatArray
    observed: FloatArray
    lower: FloatArray
    upper: FloatArray
    events: FloatArray
    model_lower: FloatArray | None
    model_upper: FloatArray | None

    @property
    def chi2(self) -> float:
        """Return Σ (observed − mean)² / σ² over the bins, σ being that of counting (at the mean response)."""
        variance = np.clip(self.mean * (1.0 - self.mean), 1e-12, None) / self.events
        return float(np.sum((self.observed - self.mean) ** 2 / variance))


def reliability(
    responses: ArrayLike,
    is_signal: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    bins: int = 10,
    errors: tuple[ArrayLike, ArrayLike] | None = None,
    signal_fraction: float | None = None,
) -> Reliability:
    """Compare responses (n_events,) with what the events are; ``errors`` are (lower, upper) of each response.

    A network learns the probability at the mixture of its training events: ``signal_fraction`` scales the weights to
    that share of signal, if the events are mixed in another way.  The intervals are Wilson's for the effective number
    of events, (Σw)²/Σw².

    >>> r = reliability([0.1, 0.2, 0.8, 0.9], [False, False, True, True], bins=2)
    >>> r.mean.round(3).tolist(), r.observed.tolist(), r.events.tolist()
    ([0.15, 0.85], [0.0, 1.0], [2.0, 2.0])
    """
    p, signal = np.asarray(responses, dtype=np.float64), np.asarray(is_signal, dtype=bool)
    w = np.ones(p.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if p.ndim != 1 or signal.shape != p.shape or w.shape != p.shape:
        raise InputError(
            "responses, classes and weights must be lists of the same length, "
            f"got shapes {p.shape}, {signal.shape} and {w.shape}"
        )
    for values, what in ((p, "responses"), (w, "weights")):
        bad = int(np.count_nonzero(~np.isfinite(values)))
        if bad:
            raise InputError(f"{bad} of {len(values)} {what} are not finite: leave these events out")
    if np.any((p < 0) | (p > 1)):
        raise InputError("calibration is for probabilities: some responses are not between 0 and 1")
    if signal_fraction is not None:
        w = mixed(signal, w, signal_fraction)
    number = np.clip((p * bins).astype(int), 0, bins - 1)

    def summed(values: FloatArray) -> FloatArray:
        return np.bincount(number, weights=values, minlength=bins)[:bins].astype(np.float64)

    total, squares = summed(w), summed(w * w)
    used = total > 0
    n = total[used] ** 2 / squares[used]
    observed = np.clip(summed(w * signal)[used] / total[used], 0.0, 1.0)
    lower, upper = _wilson(observed, n)
    own = None if errors is None else [summed(w * np.asarray(e, dtype=np.float64))[used] / total[used] for e in errors]
    mean = summed(w * p)[used] / total[used]
    return Reliability(mean, observed, lower, upper, n, own[0] if own else None, own[1] if own else None)


def mixed(is_signal: NDArray[np.bool_], weights: FloatArray, signal_fraction: float) -> FloatArray:
    """Return weights with this share of signal, their sum being the same."""
    s, b = float(weights[is_signal].sum()), float(weights[~is_signal].sum())
    if not (0 < signal_fraction < 1 and s > 0 and b > 0):
        raise InputError(f"signal_fraction={signal_fraction} needs to be between 0 and 1, with events of both classes")
    return np.where(is_signal, signal_fraction / s, (1.0 - signal_fraction) / b) * weights * (s + b)


def _wilson(share: FloatArray, n: FloatArray) -> tuple[FloatArray, FloatArray]:
    middle = (share + 0.5 / n) / (1.0 + 1.0 / n)
    half = np.sqrt(share * (1.0 - share) / n + 0.25 / n**2) / (1.0 + 1.0 / n)
    return np.clip(middle - half, 0.0, 1.0), np.clip(middle + half, 0.0, 1.0)


def calibration(
    responses: ArrayLike,
    is_signal: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    bins: int = 10,
    errors: tuple[ArrayLike, ArrayLike] | None = None,
    signal_fraction: float | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the observed fraction of signal against the mean response, with the distribution of responses below.

    Vertical bars are of counting; horizontal ones, with ``errors`` = (lower, upper), those of the network.
    ``signal_fraction`` as in :func:`reliability`.

    >>> from pytmva_bnn.show import plots
    >>> p = model.predict(events, errors=True)  # doctest: +SKIP
    >>> ax = plots.calibration(p.value, is_signal, errors=(p.lower, p.upper))  # doctest: +SKIP
    """
    r = reliability(responses, is_signal, weights, bins=bins, errors=errors, signal_fraction=signal_fraction)
    if len(r.mean) == 0:
        raise InputError("there are no events with a positive weight to compare")
    p = np.asarray(responses, dtype=np.float64)
    counts, edges = np.histogram(p, bins=40, range=(0.0, 1.0), weights=weights)
    with canvas(ax, SQUARE) as ax:
        heights = np.clip(counts, 0.0, None) / max(float(np.max(counts)), 1e-300) * SHARE_OF_HEIGHT
        ax.stairs(heights, edges, fill=True, color=FAINT, alpha=0.35, label="responses", zorder=0)
        ax.plot([0, 1], [0, 1], color=FAINT, ls="--", lw=1.0, label="perfect", zorder=1)
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
            label=f"events, χ²/bins = {r.chi2:.1f}/{len(r.mean)}",
            zorder=3,
        )
        ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), xlabel="Mean response", ylabel="Observed fraction of signal")
        ax.set_title(f"Calibration: {text(title)}" if title else "Calibration")
        legend_below(ax)
    return ax
