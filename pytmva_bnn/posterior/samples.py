"""Draws of the network's weights, and what they predict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.columns import Columns
from pytmva_bnn.methods.latent import PredictedSum
from pytmva_bnn.methods.mlp.network import propagate
from pytmva_bnn.model import Model
from pytmva_bnn.posterior.diagnostics import Diagnostics
from pytmva_bnn.tmva_types import AnalysisType

ONE_SIGMA = (0.15865525393145707, 0.8413447460685429)
_BLOCK_NUMBERS = 1 << 22


@dataclass(frozen=True, eq=False)
class PosteriorPrediction:
    """The mean of the response over the posterior, and its quantiles; unpacks as ``mean, quantiles``.

    ``quantiles`` has one more axis than ``mean``, behind the others: one entry for each level.
    """

    mean: FloatArray
    quantiles: FloatArray

    def __iter__(self) -> Iterator[FloatArray]:
        yield from (self.mean, self.quantiles)


@dataclass(frozen=True, eq=False)
class PosteriorSamples:
    """Draws from the posterior of a network's weights, made by :func:`~pytmva_bnn.sample_posterior`.

    ``weights`` is ``(n_chains, n_samples, n_weights)``, in TMVA's order of synapses; ``log_posterior`` (without its
    norm) is ``(n_chains, n_samples)``.  Of each chain: ``step_sizes``, mean ``acceptances``, and ``n_divergent``, the
    number of paths whose integration failed (should be 0).
    """

    model: Model
    weights: FloatArray
    log_posterior: FloatArray
    step_sizes: FloatArray
    acceptances: FloatArray
    n_divergent: NDArray[np.int64]

    def __repr__(self) -> str:
        n_chains, n_samples, n_weights = self.weights.shape
        return f"<PosteriorSamples of {self.model.title!r}: {n_chains} chains of {n_samples}, {n_weights} weights>"

    def predict(self, events: Any, *, quantiles: ArrayLike = ONE_SIGMA) -> PosteriorPrediction:
        """Return mean and quantiles of the responses of many events.

        Events are given as to :meth:`Model.predict <pytmva_bnn.Model.predict>`.

        The mean is the response marginalised over the weights; by default the quantiles are the ends of the central
        68% band.
        """
        levels = np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
        if not ((levels >= 0.0) & (levels <= 1.0)).all():
            raise InputError(f"quantiles are asked for at levels between 0 and 1, got {levels.tolist()}")
        means, bands = [], []
        for draws in self._responses(events):
            means.append(draws.mean(axis=0))
            bands.append(np.moveaxis(np.quantile(draws, levels, axis=0), 0, -1))
        return PosteriorPrediction(np.concatenate(means), np.concatenate(bands))

    def predict_sum(self, events: Any, weights: ArrayLike | None = None) -> PredictedSum:
        """Return the sum of the (weighted) responses of many events: its mean over the posterior and its deviation.

        It is what :meth:`Model.predict_sum <pytmva_bnn.Model.predict_sum>` gives in the Laplace approximation.
        """
        if self.model.analysis_type != AnalysisType.CLASSIFICATION:
            raise InputError("predict_sum is for probabilities: it exists in classification only")
        n_events = Columns(events, self.model.variables).n_events
        factors = np.ones(n_events) if weights is None else np.asarray(weights, dtype=np.float64)
        if factors.shape != (n_events,):
            raise InputError(f"{n_events} events need as many weights, got an array of shape {factors.shape}")
        totals, start = np.zeros(self._flat.shape[0]), 0
        for draws in self._responses(events):
            totals += draws @ factors[start : start + draws.shape[1]]
            start += draws.shape[1]
        return PredictedSum(float(totals.mean()), float(totals.std(ddof=1)))

    def diagnostics(self, events: Any) -> Diagnostics:
        """Return R-hat and effective sample size of the responses of some events: what predictions depend on.

        Those of the weights themselves (:attr:`r_hat`, :attr:`ess`) are often bad although the predictions are well
        sampled: hidden neurons can change places and signs without any consequence.
        """
        n_chains, n_samples, _ = self.weights.shape
        draws = np.concatenate([block.reshape(len(block), -1) for block in self._responses(events)], axis=1)
        return Diagnostics.of(draws.reshape(n_chains, n_samples, -1))

    @property
    def r_hat(self) -> FloatArray:
        """Return R-hat of every weight."""
        return self._of_weights.r_hat

    @property
    def ess(self) -> FloatArray:
        """Return the effective sample size of every weight."""
        return self._of_weights.ess

    @cached_property
    def _of_weights(self) -> Diagnostics:
        return Diagnostics.of(self.weights)

    @property
    def _flat(self) -> FloatArray:
        return self.weights.reshape(-1, self.weights.shape[-1])

    def _responses(self, events: Any) -> Iterator[FloatArray]:
        """Return the responses of blocks of events for all draws: ``(n_draws, block[, n_outputs])``."""
        model = self.model
        if model.transformations.needs_spectators:
            raise InputError("networks whose transformations use spectators cannot be sampled")
        columns = Columns(events, model.variables)
        networks = [model.network.with_flat_weights(weights) for weights in self._flat]
        step = max(16, _BLOCK_NUMBERS // (len(networks) * model.network.n_outputs))
        for start in range(0, max(columns.n_events, 1), step):
            x = columns.block(start, min(start + step, columns.n_events))
            inputs = model.transformations.forward(x, None)
            outputs = (propagate(one, inputs).values[-1].T for one in networks)
            draws = np.stack([model.responses(one) for one in outputs]).astype(np.float64)
            draws[:, ~np.isfinite(x).all(axis=1)] = np.nan
            yield draws
