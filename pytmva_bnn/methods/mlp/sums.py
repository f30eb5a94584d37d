"""Sums of responses over many events, with the uncertainty that the network's parameters give them.

The responses of different events share the same uncertain weights, so their errors are correlated and do not add in
quadrature.  With ``J = Σ u_i dy_i/dw`` for each sum, the covariance of two sums is ``J A⁻¹ J'ᵀ``.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.methods.mlp.multiclass import softmax
from pytmva_bnn.methods.mlp.network import Network, activation, output_sensitivities, propagate
from pytmva_bnn.methods.output_scale import OutputScale
from pytmva_bnn.tmva_types import AnalysisType

#: step of the numerical derivative of the targets' transformation, compared with 1 + |h|
_STEP = 1e-5


class SumOfOutputs:
    """Adds up the responses of a network and their derivatives, for each group of events, block by block.

    ``inverse_hessians`` are one matrix for all outputs, or one for each.
    """

    def __init__(
        self, network: Network, inverse_hessians: tuple[FloatArray, ...], scale: OutputScale, n_groups: int
    ) -> None:
        self._network = network
        self._inverse_hessians = inverse_hessians
        self._scale = scale
        self._values = np.zeros((n_groups, network.n_outputs))
        self._jacobian = np.zeros((n_groups, network.n_outputs, network.n_weights))

    def add(self, x: Float32Array, weights: FloatArray, groups: IntArray) -> None:
        """Add transformed events ``(n_events, n_inputs)`` with their weights and groups (-1: none)."""
        if len(self._values) > 1 or (groups < 0).any():  # one group after the other
            order = np.argsort(groups, kind="stable")[np.count_nonzero(groups < 0) :]
            x, weights, groups = x[order], weights[order], groups[order]
        passed = propagate(self._network, x)
        responses, slopes = self._responses(passed.neuron_inputs[-1])
        present, starts = np.unique(groups, return_index=True)
        parts = [slice(start, stop) for start, stop in pairwise([*starts.tolist(), len(x)])]
        for output, (response, slope) in enumerate(zip(responses, slopes, strict=True)):
            sensitivities = output_sensitivities(self._network, passed, slope)
            for group, part in zip(present, parts, strict=True):
                self._values[group, output] += weights[part] @ response[part]
                self._jacobian[group, output] += weights[part] @ sensitivities[part]

    def _responses(self, h: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the responses ``(n_outputs, n_events)`` and their derivatives by all outputs, in the second axis."""
        if self._scale.analysis_type == AnalysisType.MULTICLASS:
            p = softmax(h)
            return p, p[:, np.newaxis] * (np.eye(len(p))[:, :, np.newaxis] - p)
        if self._scale.is_classification:
            y = activation(self._network.output).value(h)
            return y, activation(self._network.output).derivative(h, y)[np.newaxis]
        slopes = np.empty((len(h), *h.shape))
        for output in range(len(h)):
            step = np.zeros_like(h)
            step[output] = _STEP * (1.0 + np.abs(h[output]))
            difference = self._scale.responses_at(h + step) - self._scale.responses_at(h - step)
            slopes[:, output] = difference.T / (2.0 * step[output])
        return self._scale.responses_at(h).T, slopes

    def finished(self) -> tuple[FloatArray, FloatArray]:
        """Return the sums ``(n_groups, n_outputs)`` and their covariance, in the order of ``sums.ravel()``.

        Where each output has a matrix of its own, nothing is known of the covariance between outputs: it is NaN.
        """
        first = self._inverse_hessians[0]
        n_groups, n_outputs, n_weights = self._jacobian.shape
        if all(np.array_equal(first, other) for other in self._inverse_hessians[1:]):
            j = self._jacobian.reshape(-1, n_weights)
            covariance = j @ first @ j.T
        else:
            blocks = np.full((n_groups, n_outputs, n_groups, n_outputs), np.nan)
            for output, matrix in enumerate(self._inverse_hessians):
                j = self._jacobian[:, output]
                blocks[:, output, :, output] = j @ matrix @ j.T
            covariance = blocks.reshape(n_groups * n_outputs, -1)
        return self._values, np.asarray(0.5 * (covariance + covariance.T))
