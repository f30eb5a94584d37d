"""Signal probability and rarity of events, and their histograms (option CreateMVAPdfs)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.histograms import Histogram1D, fill_1d, normalised
from pytmva_bnn.evaluation.response_histograms import BINS
from pytmva_bnn.evaluation.samples import BinarySample
from pytmva_bnn.histograms import PDF, probability, rarity

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

EVENTS_PER_BIN = 50


@dataclass(frozen=True, eq=False)
class ProbabilityHistograms:
    """``MVA_T_Proba_S/B`` and ``MVA_T_Rarity_S/B``: 40 bins in [0, 1], of area 1.

    >>> from pytmva_bnn.evaluation.histograms import from_contents
    >>> from pytmva_bnn.evaluation.separation import response_density
    >>> flat = response_density(from_contents([1.0, 1.0, 1.0], 0.0, 1.0))
    >>> sample = BinarySample([0.2, 0.7], None, [False, True])
    >>> found = probability_histograms(sample, flat, flat)
    >>> int(found.signal.values.argmax()), int(found.rarity_signal.values.argmax())
    (20, 28)
    """

    signal: Histogram1D
    background: Histogram1D
    rarity_signal: Histogram1D
    rarity_background: Histogram1D


def stored_probabilities(signal: PDF, background: PDF, response: ArrayLike) -> NDArray[np.float32]:
    """Return ``prob_T`` (n_events,) for equal shares of signal and background.

    >>> from pytmva_bnn.evaluation.histograms import from_contents
    >>> from pytmva_bnn.evaluation.separation import response_density
    >>> flat = response_density(from_contents([1.0, 1.0, 1.0], 0.0, 1.0))
    >>> stored_probabilities(flat, flat, [0.2, 0.7]).tolist()
    [0.5, 0.5]
    """
    found = probability(signal, background, response).astype(np.float32)
    undefined = np.flatnonzero(found < 0)
    if len(undefined):
        # TMVA: the loop over the events stops here, those that follow keep 0
        found[undefined[0] :] = 0.0
    return found


def probability_histograms(sample: BinarySample, signal: PDF, background: PDF) -> ProbabilityHistograms:
    """Return the histograms of the test sample.

    >>> from pytmva_bnn.evaluation.histograms import from_contents
    >>> from pytmva_bnn.evaluation.separation import response_density
    >>> flat = response_density(from_contents([1.0, 1.0, 1.0], 0.0, 1.0))
    >>> probability_histograms(BinarySample([0.2], None, [True]), flat, flat).signal.entries
    1.0
    """
    w, is_signal = sample.weight32, sample.is_signal
    p = stored_probabilities(signal, background, sample.response)
    r = rarity(background, sample.response)

    def filled(x: NDArray[np.floating], chosen: NDArray[np.bool_]) -> Histogram1D:
        return normalised(fill_1d(x[chosen], w[chosen], BINS, 0.0, 1.0))

    return ProbabilityHistograms(
        filled(p, is_signal), filled(p, ~is_signal), filled(r, is_signal), filled(r, ~is_signal)
    )


def training_response_histograms(
    sample: BinarySample, n_bins: int = 0, *, events_per_bin: int = EVENTS_PER_BIN, kernels: bool = False
) -> tuple[Histogram1D, Histogram1D]:
    """Return ``MLP_tr_S`` and ``MLP_tr_B``: the training responses of signal and background, to make densities of.

    With ``n_bins`` 0 there are as many bins as ``events_per_bin`` asks for, five times that for kernel densities.

    >>> sample = BinarySample(np.linspace(0.0, 1.0, 200), None, np.arange(200) % 2 == 0)
    >>> signal, background = training_response_histograms(sample)
    >>> signal.n_bins, round(signal.x_max, 6)
    (4, 1.0)
    """
    if sample.n_events == 0:
        raise InputError("densities of the response need training events, but there are none")
    n = n_bins if n_bins > 0 else sample.n_events // events_per_bin * (5 if kernels else 1)
    if n < 1:
        raise InputError(
            f"{sample.n_events} training events are too few for {events_per_bin} in a bin: set NbinsMVAPdf, "
            "or a smaller NAvEvtPerBinMVAPdf"
        )
    # TMVA: the largest response itself is in the overflow
    low, high = float(sample.response.min()), float(sample.response.max())
    signal, background = (
        normalised(fill_1d(sample.response[chosen], sample.weight[chosen], n, low, high))
        for chosen in (sample.is_signal, ~sample.is_signal)
    )
    return signal, background
