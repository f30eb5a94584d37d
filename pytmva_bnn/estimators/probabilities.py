"""From the responses of a classifier to the probabilities of its classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.model import Model

Meaning = Literal["probability", "gradient boosting", "equal priors", "calibrated"]
"""What a response r says of the probability p of signal.

``probability``: p = r; ``gradient boosting``: p = (1 + r)/2, since r = 2/(1 + exp(-2F)) - 1 of the sum F of the trees,
whose log-odds are 2F; ``equal priors``: r is the probability for as much signal as background, p that for the mixture
of the training; ``calibrated``: p = 1/(1 + exp(-(a r + b))), a and b fitted to the responses of the training events.
"""
ClassMeaning = Literal["probabilities", "softmax of fractions"]
"""What TMVA's class values q say of the probabilities p: p = q, or q is the softmax of p, which adds up to 1."""

RIDGE = 1e-4
"""Keeps the slope finite where a cut separates the classes: RIDGE a'²/2 is added to the mean cross entropy, with a'
the slope in units of the spread of the responses."""
_LARGEST_LOGIT = 36.0  # beyond, p is 1 in float64
_MOST_STEPS = 50
_LONGEST_STEP = 4.0  # in the log-odds: where p is flat, Newton's step is far too long


@dataclass(frozen=True)
class Probability:
    """The probability of signal as a function of the response."""

    meaning: Meaning
    signal_fraction: float = 0.5
    slope: float = 1.0
    offset: float = 0.0

    @classmethod
    def fit(
        cls, model: Model, declared: Meaning, x: Float32Array, is_signal: BoolArray, weights: FloatArray
    ) -> Probability:
        """Return what the responses of a trained model mean; negative weights do not count here."""
        counted = np.maximum(weights, 0.0)
        meaning = meaning_of(model, declared)
        fraction = float(counted[is_signal].sum() / counted.sum())
        if meaning != "calibrated":
            return cls(meaning, fraction)
        return cls(meaning, fraction, *logistic_fit(model.predict(x), is_signal, counted))

    def of(self, response: FloatArray) -> FloatArray:
        """Return the probabilities of signal."""
        match self.meaning:
            case "probability":
                return np.clip(response, 0.0, 1.0)
            case "gradient boosting":
                return (1.0 + response) / 2.0
            case "equal priors":
                r = np.clip(response, 0.0, 1.0)
                signal, background = r * self.signal_fraction, (1.0 - r) * (1.0 - self.signal_fraction)
                return signal / (signal + background)
            case "calibrated":
                return _logistic(self.decision(response))

    def decision(self, response: FloatArray) -> FloatArray:
        """Return the response, shifted to 0 where both classes are as probable; for calibrated ones the log-odds."""
        match self.meaning:
            case "probability":
                return response - 0.5
            case "gradient boosting":
                return response
            case "equal priors":
                return response - (1.0 - self.signal_fraction)
            case "calibrated":
                return self.slope * response + self.offset


def meaning_of(model: Model, declared: Meaning) -> Meaning:
    """Return what the responses mean: ``declared``, unless the fitted method or its options say otherwise."""
    if model.fitted.is_probability:
        return "probability"
    if getattr(model.fitted, "combination", "") == "logistic":
        return "gradient boosting"
    is_stretched = "TransformOutput" in model.options and model.options.flag("TransformOutput")
    return "calibrated" if is_stretched else declared


def class_meaning_of(model: Model) -> ClassMeaning:
    """Return what the values of several classes mean: trained as probabilities, or with the squares of fractions."""
    is_probability = model.fitted.is_probability or getattr(model.fitted, "combination", "") == "softmax"
    return "probabilities" if is_probability else "softmax of fractions"


def logistic_fit(response: FloatArray, is_signal: BoolArray, weights: FloatArray) -> tuple[float, float]:
    """Return slope and offset of the log-odds that maximise the likelihood of the events, by Newton's method."""
    w = weights / weights.sum()
    centre = float(w @ response)
    spread = float(np.sqrt(w @ np.square(response - centre))) or 1.0
    design = np.column_stack([(response - centre) / spread, np.ones(len(response))])
    penalty = np.array([RIDGE, 0.0])
    fraction = float(np.clip(w[is_signal].sum(), 1e-9, 1.0 - 1e-9))
    parameters = np.array([0.0, np.log(fraction / (1.0 - fraction))])
    for _ in range(_MOST_STEPS):
        p = _logistic(design @ parameters)
        gradient = design.T @ (w * (p - is_signal)) + penalty * parameters
        curvature = (design.T * (w * p * (1.0 - p))) @ design + np.diag(penalty + 1e-12)
        step = np.linalg.solve(curvature, gradient)
        length = float(np.abs(step).max())
        parameters -= step * min(1.0, _LONGEST_STEP / max(length, _LONGEST_STEP))
        if length < 1e-12:
            break
    slope = parameters[0] / spread
    return float(slope), float(parameters[1] - slope * centre)


def class_probabilities(values: FloatArray, meaning: ClassMeaning) -> FloatArray:
    """Return the probabilities for TMVA's class values ``(n_events, n_classes)``."""
    if meaning == "softmax of fractions":
        logarithms = np.log(np.maximum(values, np.finfo(np.float32).tiny))
        values = logarithms + (1.0 - logarithms.sum(axis=1, keepdims=True)) / values.shape[1]
        values = np.maximum(values, 0.0)
    return np.asarray(values / values.sum(axis=1, keepdims=True))


def _logistic(z: FloatArray) -> FloatArray:
    return 1.0 / (1.0 + np.exp(-np.clip(z, -_LARGEST_LOGIT, _LARGEST_LOGIT)))
