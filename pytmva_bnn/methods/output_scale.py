"""How the outputs of a method become responses: by the analysis, the method, and the targets' transformation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods import latent
from pytmva_bnn.methods.answers import EventBlock
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain


@dataclass(frozen=True, eq=False)
class OutputScale:
    """How the outputs of a method become responses: by the analysis, the method, and the targets' transformation."""

    analysis_type: AnalysisType
    fitted: Fitted
    transformations: TransformationChain

    @property
    def is_classification(self) -> bool:
        """Whether a response is one number, the output as it is."""
        return self.analysis_type == AnalysisType.CLASSIFICATION

    def shape(self, n_events: int) -> tuple[int, ...]:
        """Return the shape of the responses of this number of events."""
        return (n_events,) if self.is_classification else (n_events, self.fitted.n_outputs)

    def responses(self, outputs: FloatArray) -> NDArray[Any]:
        """Return the responses for the outputs ``(n_outputs, n_events)``."""
        if self.is_classification:
            return np.asarray(outputs[0])
        with np.errstate(over="ignore"):
            rounded = np.ascontiguousarray(outputs.T, dtype=np.float32)
        if self.analysis_type == AnalysisType.MULTICLASS:
            return self.fitted.multiclass(rounded)
        return self.transformations.inverse_targets(rounded) if self.fitted.targets_are_transformed else rounded

    def bars_of(self, block: EventBlock) -> tuple[FloatArray, FloatArray] | None:
        """Return lower and upper errors in the form of the responses; None if the block has no uncertainties."""
        if block.error_bars is not None and (self.is_classification or block.h is None):
            return block.error_bars
        if block.h is None or block.sigma is None:
            return None
        return self.error_bars(block.h, block.sigma)

    def error_bars(self, h: FloatArray, sigma: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper errors for the inputs ``(n_outputs, n_events)`` of the output neurons."""
        if self.is_classification:
            return latent.error_bars(h[0], sigma[0], self.fitted.link)
        low, middle, high = (self.responses_at(z) for z in (h - sigma, h, h + sigma))
        with np.errstate(invalid="ignore"):
            return middle - low, high - middle

    def quantiles(self, h: FloatArray, sigma: FloatArray, levels: FloatArray) -> FloatArray:
        """Return the quantiles of the responses, in a last axis more."""
        if self.is_classification:
            return latent.quantiles(h[0], sigma[0], self.fitted.link, levels)
        shifts = latent.standard_quantiles(levels)
        return np.stack([self.responses_at(h + shift * sigma) for shift in shifts], axis=-1)

    def moderated(self, h: FloatArray, sigma: FloatArray) -> FloatArray:
        """Return the probabilities averaged over the Gaussian; those of several classes are scaled to add up to 1."""
        if self.is_classification:
            return latent.moderated(h[0], sigma[0], self.fitted.link)
        found = np.stack([latent.moderated(*of_class, self.fitted.link) for of_class in zip(h, sigma, strict=True)])
        return np.ascontiguousarray((found / found.sum(axis=0)).T)

    def responses_at(self, h: FloatArray) -> FloatArray:
        """Return the responses ``(n_events, n_outputs)``, in float64, at values of the latent quantity."""
        outputs = self.fitted.link.value(h)
        if self.analysis_type == AnalysisType.MULTICLASS:
            return np.ascontiguousarray(outputs.T)
        return self.transformations.inverse_targets64(np.ascontiguousarray(outputs.T))
