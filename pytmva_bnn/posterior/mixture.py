"""Predictions of several networks together: their equal mixture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError
from pytmva_bnn.methods.answers import Wanted
from pytmva_bnn.methods.latent import PredictedSum, standard_quantiles
from pytmva_bnn.methods.output_scale import OutputScale
from pytmva_bnn.model import Model
from pytmva_bnn.posterior.bands import ONE_SIGMA, checked_levels, with_band
from pytmva_bnn.prediction import Prediction

_HALVINGS = 60


@dataclass(frozen=True, eq=False)
class Mixture:
    """The equal mixture of networks for the same variables and outputs, as one model.

    Each network says that the input of the output neuron is a Gaussian; together they say that it is the mean of these
    Gaussians.  So bands are wide where the networks are unsure, and where they contradict each other.
    """

    models: tuple[Model, ...]

    def __post_init__(self) -> None:
        if not self.models:
            raise InputError("a mixture needs at least one network")

    def __repr__(self) -> str:
        return f"<Mixture of {len(self.models)} networks: {', '.join(model.title for model in self.models)}>"

    @overload
    def predict(
        self, events: Any, *, errors: Literal[False] = False, quantiles: ArrayLike | None = None
    ) -> FloatArray: ...
    @overload
    def predict(self, events: Any, *, errors: Literal[True], quantiles: ArrayLike | None = None) -> Prediction: ...
    def predict(
        self, events: Any, *, errors: bool = False, quantiles: ArrayLike | None = None
    ) -> FloatArray | Prediction:
        """Return the responses of many events, in the form of :meth:`Model.predict <pytmva_bnn.Model.predict>`.

        A response is the mean of the networks' responses.  With ``errors`` there is a :class:`~pytmva_bnn.Prediction`
        with the central 68% band of the mixture around it; ``quantiles`` are those of the mixture.
        """
        value = np.asarray(np.mean([model.predict(events) for model in self.models], axis=0, dtype=np.float64))
        if not errors and quantiles is None:
            return value
        levels = np.empty(0) if quantiles is None else checked_levels(quantiles)
        band = self._quantiles(events, np.concatenate([ONE_SIGMA, levels]))
        if errors:
            return with_band(value, band[..., :2], None if quantiles is None else band[..., 2:])
        return np.ascontiguousarray(band[..., 2:])

    def predict_sum(self, events: Any, weights: ArrayLike | None = None) -> PredictedSum:
        """Return the sum of the (weighted) responses of many events with its error; for networks of one response.

        The error has that of each network, with the correlations between events, and the spread of the networks.
        """
        if self.models[0].fitted.n_outputs > 1:
            raise InputError("the sum of a mixture exists only for networks with one response")
        values, errors = np.array([tuple(model.predict_sum(events, weights)) for model in self.models]).T
        return PredictedSum(float(values.mean()), float(np.sqrt(np.mean(errors**2) + values.var())))

    def _quantiles(self, events: Any, levels: FloatArray) -> FloatArray:
        """Return the quantiles of the responses at the levels, in a last axis more."""
        for model in self.models:
            if not model.has_errors:
                raise ErrorsNotAvailableError(f"no error bars for {model.name}: {model.fitted.why_no_errors()}")
        first = self.models[0]
        scale = OutputScale(first.analysis_type, first.fitted, first.transformations)
        n_events = first.columns(events)[0].n_events
        result = np.full((*scale.shape(n_events), levels.size), np.nan)
        step = first.fitted.block_events(errors=True, compiled=False)
        columns = [model.columns(events) for model in self.models]
        for start in range(0, n_events, step):
            stop = min(start + step, n_events)
            blocks, finite = [], np.ones(stop - start, dtype=bool)
            for model, (variables, spectators) in zip(self.models, columns, strict=True):
                x = variables.block(start, stop)
                more = None if spectators is None else spectators.block(start, stop)
                blocks.append(model.fitted.block(x, model.transformations, more, Wanted(errors=True, variances=True)))
                finite &= np.isfinite(x).all(axis=1)
            h, sigma = (np.stack([getattr(block, name) for block in blocks]) for name in ("h", "sigma"))
            for number, level in enumerate(levels):
                latent = mixture_quantile(h, sigma, level)
                part = scale.quantiles(latent, np.zeros_like(latent), np.array([0.5]))[..., 0]
                result[start:stop][finite, ..., number] = part[finite]
        return result


def mixture_quantile(means: FloatArray, deviations: FloatArray, level: float) -> FloatArray:
    """Return the quantile of the equal mixture of Gaussians, which are along the first axis.

    >>> mixture_quantile(np.array([[-1.0], [1.0]]), np.array([[1e-3], [1e-3]]), 0.25).round(3)
    array([-1.])
    """
    from scipy.special import ndtr  # lazy: keeps the import of the package fast

    own = means + deviations * standard_quantiles(level)[0]
    low, high = own.min(axis=0), own.max(axis=0)  # the quantile of the mixture is between those of its parts
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            below = ndtr((middle - means) / deviations).mean(axis=0) < level
            low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray(0.5 * (low + high))
