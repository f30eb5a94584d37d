"""Likelihood's ranking of its variables: how much worse signal and background separate without each of them."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.events.variables import internal_name
from pytmva_bnn.histograms import Axis, Histogram1D, histogram_separation
from pytmva_bnn.methods.density.likelihood_response import PDFPairs, ratio, variable_densities
from pytmva_bnn.methods.protocol import MethodEvents
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.reductions.summation import blocks

LOGGER = logging.getLogger("pytmva_bnn.Likelihood")

BINS = Axis(80, 0.0, 1.0)


def delta_separation(
    events: MethodEvents, weights: FloatArray, names: Sequence[str], pdfs: PDFPairs, *, transformed: bool
) -> Ranking:
    """Rank the variables by the separation of the responses with all of them minus that without each."""
    if transformed:
        # TMVA: the histograms end at 0 and 1, but transformed outputs do not
        LOGGER.info("With TransformOutput the ranking sees only the events whose output is between 0 and 1")
    left_out = [None, *range(len(pdfs))]
    histograms = [[Histogram1D.empty(BINS, dtype=np.float32) for _ in range(2)] for _ in left_out]
    for block in blocks(len(events)):
        x, w = events.inputs[block], weights[block]
        classes = (events.is_signal[block], ~events.is_signal[block])
        densities = list(variable_densities(x, pdfs))
        for number, pair in zip(left_out, histograms, strict=True):
            products = np.ones((2, len(x)))
            for i, of_variable in enumerate(densities):
                if i != number:
                    products *= of_variable
            r = ratio(*products, transformed=transformed)
            for histogram, chosen in zip(pair, classes, strict=True):
                histogram.fill(r[chosen], weights=w[chosen])
    whole, *without = (histogram_separation(*pair) for pair in histograms)
    return Ranking.of("Delta Separation", [internal_name(name) for name in names], [whole - one for one in without])
