"""What a network says of many events: responses with their uncertainties, put together block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp import laplace as bayes
from pytmva_bnn.methods.mlp.kernels.responses import Memory
from pytmva_bnn.methods.mlp.multiclass import multiclass_probabilities
from pytmva_bnn.methods.mlp.network import Network, activation
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain


@dataclass(frozen=True, eq=False)
class Prediction:
    """Responses with their uncertainties; unpacks as ``value, lower, upper`` and what else was asked for.

    ``lower`` and ``upper`` are the sizes of the asymmetric error bar (one standard deviation), as wanted by
    matplotlib's ``errorbar(yerr=[lower, upper])``; ``low`` and ``high`` are its ends.
    """

    value: NDArray[np.floating]
    lower: FloatArray
    upper: FloatArray
    quantiles: FloatArray | None = None
    moderated: FloatArray | None = None

    @property
    def low(self) -> FloatArray:
        """Return the lower ends of the error bars."""
        return np.asarray(self.value - self.lower, dtype=np.float64)

    @property
    def high(self) -> FloatArray:
        """Return the upper ends of the error bars."""
        return np.asarray(self.value + self.upper, dtype=np.float64)

    def __iter__(self) -> Iterator[NDArray[Any]]:
        yield from (self.value, self.lower, self.upper)
        yield from (more for more in (self.quantiles, self.moderated) if more is not None)


@dataclass(frozen=True, eq=False)
class Meaning:
    """How the outputs of a network are to be understood: the analysis, the output neurons, the targets' transformation.

    >>> network = Network.from_matrices([np.ones((2, 1))])
    >>> meaning = Meaning("Classification", network, TransformationChain([], variables=[]))
    >>> meaning.responses(np.array([[0.25, 0.75]]))
    array([0.25, 0.75])
    """

    analysis_type: AnalysisType
    network: Network
    transformations: TransformationChain

    @property
    def is_classification(self) -> bool:
        """Whether a response is one number, the output as it is."""
        return self.analysis_type == AnalysisType.CLASSIFICATION

    def shape(self, n_events: int) -> tuple[int, ...]:
        """Return the shape of the responses of so many events."""
        return (n_events,) if self.is_classification else (n_events, self.network.n_outputs)

    def responses(self, outputs: FloatArray) -> NDArray[Any]:
        """Return the responses for the outputs ``(n_outputs, n_events)``."""
        if self.is_classification:
            return np.asarray(outputs[0])
        with np.errstate(over="ignore"):
            rounded = np.ascontiguousarray(outputs.T, dtype=np.float32)
        if self.analysis_type == AnalysisType.REGRESSION:
            return self.transformations.inverse_targets(rounded)
        return multiclass_probabilities(rounded)

    def error_bars(self, h: FloatArray, sigma: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper errors for the inputs ``(n_outputs, n_events)`` of the output neurons."""
        if self.is_classification:
            return bayes.error_bars(h[0], sigma[0], activation(self.network.output))
        low, middle, high = (self._targets_at(z) for z in (h - sigma, h, h + sigma))
        with np.errstate(invalid="ignore"):
            return middle - low, high - middle

    def quantiles(self, h: FloatArray, sigma: FloatArray, levels: FloatArray) -> FloatArray:
        """Return the quantiles of the responses, in a last axis more."""
        if self.is_classification:
            return bayes.quantiles(h[0], sigma[0], activation(self.network.output), levels)
        shifts = bayes.standard_quantiles(levels)
        return np.stack([self._targets_at(h + shift * sigma) for shift in shifts], axis=-1)

    def _targets_at(self, h: FloatArray) -> FloatArray:
        outputs = activation(self.network.output).value(h)
        return self.transformations.inverse_targets64(np.ascontiguousarray(outputs.T))


@dataclass(frozen=True, eq=False)
class EventBlock:
    """What is known of a block of events, all ``(n_outputs, n_events)``.

    ``outputs`` are the network's, ``h`` the inputs of the output neurons (right only if there is ``sigma``, their
    standard deviation, which is left out where nothing needs it); ``error_bars`` are those of the first output, if they
    are known already.  ``nan_is_told``: an input that is NaN makes the outputs NaN.
    """

    outputs: FloatArray
    h: FloatArray
    sigma: FloatArray | None = None
    error_bars: tuple[FloatArray, FloatArray] | None = None
    nan_is_told: bool = False


class Accumulator:
    """The results of :meth:`pytmva_bnn.model.Model.predict`, filled block by block.

    >>> network = Network.from_matrices([np.ones((2, 1))])
    >>> meaning = Meaning("Classification", network, TransformationChain([], variables=[]))
    >>> results = Accumulator(meaning, 1, errors=False, levels=None, moderated=False)
    >>> results.add(0, 1, np.float32([[1.0]]), EventBlock(np.array([[0.25]]), np.array([[-1.1]])))
    >>> results.finished()
    array([0.25])
    """

    def __init__(
        self, meaning: Meaning, n_events: int, *, errors: bool, levels: FloatArray | None, moderated: bool
    ) -> None:
        self._meaning = meaning
        self._levels = levels
        if moderated and not meaning.is_classification:
            raise InputError("the moderated response is a probability: it exists in classification only")
        shape = meaning.shape(n_events)
        self._value = np.empty(shape, dtype=np.float64 if meaning.is_classification else np.float32)
        self._lower = np.empty(shape) if errors else None
        self._upper = np.empty(shape) if errors else None
        self._quantiles = None if levels is None else np.empty((*shape, len(levels)))
        self._moderated = np.empty(n_events) if moderated else None

    @property
    def needs_variances(self) -> bool:
        """Whether error bars of the outputs, if they are wanted at all, are not all that is wanted."""
        return self._levels is not None or self._moderated is not None or not self._meaning.is_classification

    def memory(self, start: int, stop: int) -> Memory | None:
        """Return the memory for the responses of some events, if they are outputs of the network as they are."""
        if not self._meaning.is_classification:
            return None
        part = (slice(start, stop), np.newaxis)
        if self._lower is None or self._upper is None:
            return Memory(self._value[part])
        return Memory(self._value[part], self._lower[part], self._upper[part])

    def add(self, start: int, stop: int, x: Float32Array, block: EventBlock) -> None:
        """Take in a block with the inputs ``x``."""
        meaning = self._meaning
        part = slice(start, stop)
        value = meaning.responses(block.outputs)
        if not np.may_share_memory(value, self._value):
            self._value[part] = value
        filled: list[NDArray[Any]] = [self._value]
        h, sigma = block.h, block.sigma
        if self._lower is not None and self._upper is not None:
            known = block.error_bars if meaning.is_classification else None
            if known is None and sigma is not None:
                known = meaning.error_bars(h, sigma)
            if known is not None and not np.may_share_memory(known[0], self._lower):
                self._lower[part], self._upper[part] = known
            filled += [self._lower, self._upper]
        if sigma is not None:
            if self._quantiles is not None and self._levels is not None:
                self._quantiles[part] = meaning.quantiles(h, sigma, self._levels)
                filled.append(self._quantiles)
            if self._moderated is not None:
                self._moderated[part] = bayes.moderated(h[0], sigma[0], activation(meaning.network.output))
                filled.append(self._moderated)
        if block.nan_is_told and meaning.is_classification:
            return
        # G and U map NaN into their range, so a response alone does not tell
        bad = np.isnan(x).any(axis=1)
        if bad.any():
            for array in filled:
                array[part][bad] = np.nan

    def finished(self) -> NDArray[Any] | Prediction:
        """Return what was asked for."""
        if self._lower is not None and self._upper is not None:
            return Prediction(self._value, self._lower, self._upper, self._quantiles, self._moderated)
        if self._quantiles is not None and self._moderated is not None:
            raise InputError("ask for quantiles and moderated together with errors=True: one Prediction has all")
        if self._quantiles is not None:
            return self._quantiles
        return self._value if self._moderated is None else self._moderated
