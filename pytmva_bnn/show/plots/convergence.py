"""How the estimators fell during training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.training.state import History
from pytmva_bnn.show.plots.canvas import WIDE, canvas
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def convergence(history: History | Mapping[str, History], *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the estimator of training and test events by epoch, of one training or of several by name.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.convergence(method.result.history)  # doctest: +SKIP
    """
    several = history if isinstance(history, Mapping) else {"": history}
    seen = [h for h in several.values() if len(h.epochs)]
    if not seen:
        raise InputError("there is no history to draw: the training had no epoch at which the estimator was tested")
    with canvas(ax, WIDE) as ax:
        for number, (name, one) in enumerate(several.items()):
            before = f"{text(name)}, " if name else ""
            first, second = (PALETTE[0], PALETTE[1]) if len(several) == 1 else (PALETTE[number % len(PALETTE)],) * 2
            marker = "o" if len(one.epochs) <= 60 else ""
            ax.plot(one.epochs, one.training, color=first, marker=marker, ms=3, label=f"{before}training events")
            ax.plot(one.epochs, one.test, color=second, ls="--", marker=marker, ms=3, label=f"{before}test events")
        values = np.concatenate([np.concatenate([h.training, h.test]) for h in seen])
        values = values[np.isfinite(values)]
        low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
        if low < high:
            ax.set_ylim(low - 0.1 * (high - low), high + 0.1 * (high - low))
        ax.set_xlim(0.0, max(float(h.epochs[-1]) for h in seen) * 1.02)
        ax.set_xlabel("Epoch")
        ax.set_ylabel("Estimator")
        ax.set_title(f"Convergence: {text(title)}" if title else "Convergence")
        # the curves fall: it is empty at the upper right
        ax.legend(loc="upper right")
    return ax
