"""Draws of the network's weights, and what they predict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.events.columns import Columns
from pytmva_bnn.files import atomic_writer, read_archive
from pytmva_bnn.methods.latent import PredictedSum
from pytmva_bnn.methods.mlp.network import propagate
from pytmva_bnn.methods.mlp.training.regulators import RegulatorGroups
from pytmva_bnn.model import Model, load_string
from pytmva_bnn.posterior.bands import ONE_SIGMA, checked_levels, factors_of, with_band
from pytmva_bnn.posterior.diagnostics import Diagnostics, arviz, data_set
from pytmva_bnn.prediction import Prediction
from pytmva_bnn.tmva_types import AnalysisType

_BLOCK_NUMBERS = 1 << 22
_ARRAYS = ("weights", "regulators", "noise_variances", "log_posterior", "acceptance", "diverging", "step_sizes")


@dataclass(frozen=True, eq=False)
class PosteriorSamples:
    """Draws from the posterior of a network's weights, made by :func:`~pytmva_bnn.sample_posterior`.

    ``print`` shows how the sampling went and the regulators.

    Parameters
    ----------
    weights
        ``(n_chains, n_samples, n_weights)``, in TMVA's order of synapses
    regulators, noise_variances
        ``(n_chains, n_samples, n_groups)`` and ``(n_chains, n_samples, n_outputs)``, all the same if they were fixed
    log_posterior
        ``(n_chains, n_samples)``, of weights and sampled hyperparameters together, without its norm
    acceptance, diverging
        ``(n_chains, n_samples)``: probability that the path was accepted; whether its integration failed (never, if all
        is well)
    step_sizes
        of each chain
    """

    model: Model
    weights: FloatArray
    regulators: FloatArray
    noise_variances: FloatArray
    log_posterior: FloatArray
    acceptance: FloatArray
    diverging: NDArray[np.bool_]
    step_sizes: FloatArray

    @property
    def acceptances(self) -> FloatArray:
        """Return the mean acceptance of each chain."""
        return np.asarray(self.acceptance.mean(axis=1))

    @property
    def n_divergent(self) -> NDArray[np.int64]:
        """Return the number of paths of each chain whose integration failed."""
        return np.asarray(self.diverging.sum(axis=1), dtype=np.int64)

    def __repr__(self) -> str:
        n_chains, n_samples, n_weights = self.weights.shape
        return f"<PosteriorSamples of {self.model.title!r}: {n_chains} chains of {n_samples}, {n_weights} weights>"

    def __str__(self) -> str:
        quantities = np.concatenate([self.regulators, self.noise_variances], axis=2)
        names = [f"regulator of {name}" for name in self.regulator_names]
        names += [f"noise variance {k + 1}" for k in range(self.noise_variances.shape[2])]
        width = max(len(name) for name in names)
        try:
            known = Diagnostics.of(quantities)
            checks = [f"{r:8.3f}{n:8.0f}" for r, n in zip(known.r_hat, known.ess, strict=True)]
            missing = []
        except MissingDependencyError as error:
            checks, missing = [""] * len(names), [str(error)]
        # the distributions have long tails: quantiles say more than mean and deviation
        rows = np.quantile(quantities, [0.5, *ONE_SIGMA], axis=(0, 1)).T
        return "\n".join(
            [
                repr(self).strip("<>"),
                f"acceptance {self.acceptance.mean():.2f}, {self.n_divergent.sum()} divergent paths",
                f"{'':{width}}{'median':>12}{'16%':>12}{'84%':>12}" + ("" if missing else f"{'R-hat':>8}{'ESS':>8}"),
                *(
                    f"{name:{width}}" + "".join(f"{value:12.4g}" for value in row) + check
                    for name, row, check in zip(names, rows, checks, strict=True)
                ),
                *missing,
            ]
        )

    @property
    def regulator_names(self) -> tuple[str, ...]:
        """Return the names of the regulators."""
        labels = tuple(variable.label for variable in self.model.variables)
        groups = RegulatorGroups.of(self.model.network)
        return groups.names(labels if len(labels) == groups.n_inputs else ())

    # -- predictions

    @overload
    def predict(
        self, events: Any, *, errors: Literal[False] = False, quantiles: ArrayLike | None = None
    ) -> FloatArray: ...
    @overload
    def predict(self, events: Any, *, errors: Literal[True], quantiles: ArrayLike | None = None) -> Prediction: ...
    def predict(
        self, events: Any, *, errors: bool = False, quantiles: ArrayLike | None = None
    ) -> FloatArray | Prediction:
        """Return the responses of many events, which are given as to :meth:`Model.predict <pytmva_bnn.Model.predict>`.

        A response is the mean over the posterior: the probability marginalised over the weights.  With ``errors`` there
        is a :class:`~pytmva_bnn.Prediction` with the central 68% band around it, and with ``quantiles`` the quantiles
        of the response at these levels, in one more axis behind those of the responses.
        """
        levels = None if quantiles is None else checked_levels(quantiles)
        wanted = [*ONE_SIGMA, *([] if levels is None else levels)]
        means, bands = [], []
        for draws in self._responses(events):
            means.append(draws.mean(axis=0))
            if errors or levels is not None:
                bands.append(np.moveaxis(np.quantile(draws, wanted, axis=0), 0, -1))
        value = np.concatenate(means)
        if not bands:
            return value
        band = np.concatenate(bands)
        if errors:
            return with_band(value, band[..., :2], None if levels is None else band[..., 2:])
        return np.ascontiguousarray(band[..., 2:])

    def predict_sum(self, events: Any, weights: ArrayLike | None = None) -> PredictedSum:
        """Return the sum of the (weighted) responses of many events: its mean over the posterior and its deviation.

        It is what :meth:`Model.predict_sum <pytmva_bnn.Model.predict_sum>` gives in the Laplace approximation.
        """
        if self.model.analysis_type != AnalysisType.CLASSIFICATION:
            raise InputError("predict_sum is for probabilities: it exists in classification only")
        factors = factors_of(weights, Columns(events, self.model.variables).n_events)
        totals, start = np.zeros(self._flat.shape[0]), 0
        for draws in self._responses(events):
            totals += draws @ factors[start : start + draws.shape[1]]
            start += draws.shape[1]
        return PredictedSum(float(totals.mean()), float(totals.std(ddof=1)))

    # -- diagnostics

    def diagnostics(self, events: Any) -> Diagnostics:
        """Return R-hat and effective sample size of the responses of some events: what predictions depend on.

        Those of the weights themselves (:attr:`r_hat`, :attr:`ess`) are often bad although the predictions are well
        sampled: hidden neurons can change places and signs without any consequence.  They need ArviZ: ``pip install
        'pytmva-bnn[sampling]'``.
        """
        return Diagnostics.of(self._of_chains(events))

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

    def to_arviz(self, events: Any = None) -> Any:
        """Return the draws for ArviZ: an InferenceData (before version 1), or a tree of xarray data sets.

        ``posterior`` has weights, regulators and noise variances, and with ``events`` the responses of these;
        ``sample_stats`` how the sampling went.
        """
        module = arviz("to_arviz")
        draws: dict[str, NDArray[Any]] = {
            "weights": self.weights,
            "regulators": self.regulators,
            "noise_variances": self.noise_variances,
        }
        if events is not None:
            draws["responses"] = self._of_chains(events)
        dimensions = {
            "weights": "weight",
            "regulators": "regulator",
            "noise_variances": "output",
            "responses": "response",
        }
        steps = np.broadcast_to(self.step_sizes[:, np.newaxis], self.log_posterior.shape)
        how: dict[str, NDArray[Any]] = {
            "lp": self.log_posterior,
            "acceptance_rate": self.acceptance,
            "diverging": self.diverging,
            "step_size": steps,
        }
        groups = {
            "posterior": data_set(draws, dimensions, {"regulator": list(self.regulator_names)}),
            "sample_stats": data_set(how, {}, {}),
        }
        if module.__version__.startswith("0."):
            return module.InferenceData(**groups)
        import xarray as xr  # ArviZ needs it itself

        return xr.DataTree.from_dict(groups)

    # -- files

    def save(self, path: str | Path) -> None:
        """Write the draws and the model to an npz file, for :meth:`load`."""
        with atomic_writer(path) as stream:
            np.savez_compressed(
                stream, model=np.array(self.model.to_xml()), **{name: getattr(self, name) for name in _ARRAYS}
            )

    @classmethod
    def load(cls, path: str | Path) -> PosteriorSamples:
        """Read what :meth:`save` has written."""
        try:
            found = read_archive(path)
            arrays = {name: found[name] for name in _ARRAYS}
            text = str(found["model"])
        except (ValueError, KeyError) as error:
            raise InputError(f"{path} does not hold draws of a posterior: {error}") from error
        return cls(load_string(text), **arrays)

    # -- responses

    @property
    def _flat(self) -> FloatArray:
        return self.weights.reshape(-1, self.weights.shape[-1])

    def _of_chains(self, events: Any) -> FloatArray:
        """Return the responses ``(n_chains, n_samples, n_events * n_outputs)``."""
        draws = np.concatenate([block.reshape(len(block), -1) for block in self._responses(events)], axis=1)
        return draws.reshape(*self.weights.shape[:2], -1)

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
