"""The event in the linked memory, evaluated again and again: what a macro's event loop spends its time on.

What does not change from event to event is prepared once.  The first events go through numpy; when there are more of
them, compiled code takes over if it is available (see :mod:`pytmva_bnn.fast`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn._typing import FloatArray
from pytmva_bnn.fast.switch import is_forced
from pytmva_bnn.methods.mlp import laplace
from pytmva_bnn.methods.mlp.kernels.single_event import SingleEvent
from pytmva_bnn.methods.mlp.network import Network, Propagation, activation, propagate
from pytmva_bnn.transform.compiled import NORMALISE, Steps

if TYPE_CHECKING:
    from pytmva_bnn.methods.mlp.fitted import FittedMLP
    from pytmva_bnn.transform import TransformationChain

#: events after which compiled code takes over
EVENTS_BY_NUMPY = 500
#: beyond this, and near it, arithmetic may overflow: such events take the long way, which expects that
_MODERATE = 1e15


class LinkedNetwork:
    """The linked memory seen through a network; the response is NaN where the long way has to be taken."""

    def __init__(self, fitted: FittedMLP, steps: Steps, memory: Sequence[NDArray[Any]]) -> None:
        self._fitted = fitted
        self._steps = steps
        self._memory = memory
        self._compiled: SingleEvent | None = None
        self._factor: tuple[FloatArray, bool] | None = None
        self._plain = PlainEvent(fitted.network, steps, memory)
        self._n_events = 0
        #: return the first output of the network for what the memory holds now
        self.evaluate: Callable[[], float] = self._by_numpy
        if is_forced():
            self._compile()

    @classmethod
    def of(
        cls, fitted: FittedMLP, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
    ) -> LinkedNetwork | None:
        """Return the event, or None if only the long way knows the transformations or can read the memory."""
        if chain.needs_spectators or min(fitted.network.layer_sizes) == 0:
            return None
        known = [one for one in memory if one is not None]
        steps = fitted.steps(chain)
        if steps is None or len(known) != fitted.network.n_inputs or not SingleEvent.can_read(known):
            return None
        return cls(fitted, steps, known)

    def passed(self) -> Propagation:
        """Return the pass of the event that was evaluated last through the network, with all layers."""
        if self._compiled is None:
            return self._plain.passed()
        return propagate(self._fitted.network, self._compiled.inputs())

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return lower and upper error of the event that was evaluated last."""
        fitted = self._fitted
        if self._compiled is None or len(fitted.inverse_hessians) != 1 or fitted.n_outputs != 1:
            lower, upper = fitted.errors_of(self.passed(), name)
            return float(lower[0]), float(upper[0])
        if self._factor is None:
            factors = fitted._factors
            self._factor = (factors.transposed[0], bool(factors.triangular[0]))
        variance, low, high = self._compiled.errors(*self._factor)
        if variance < 0.0:
            laplace.roots_of_variances(np.array([variance]))  # reports it
        if fitted.strict and fitted.is_saturated(self._compiled.outputs())[0]:
            return math.nan, math.nan
        return low, high

    def _by_numpy(self) -> float:
        self._n_events += 1
        if self._n_events == EVENTS_BY_NUMPY and fast.available():
            self._compile()
            return self.evaluate()
        return self._plain.evaluate()

    def _compile(self) -> None:
        self._compiled = SingleEvent(self._fitted.network, self._steps, self._memory)
        self.evaluate = self._compiled.evaluate


class PlainEvent:
    """The event by numpy, with as few calls as possible."""

    def __init__(self, network: Network, steps: Steps, memory: Sequence[NDArray[Any]]) -> None:
        n = len(memory)
        self._reads = [one.item for one in memory]
        self._row = np.zeros(n, dtype=np.float32)
        self._output = network.output
        self._is_normalised = steps.kinds.tolist() == [NORMALISE]
        self._low, self._inverse = np.split(
            (steps.parameters if self._is_normalised else np.empty(0)).astype(np.float32), 2
        )
        extremes = np.abs(steps.parameters)
        #: whether this class can do it at all
        self._able = (
            (not steps.kinds.size or self._is_normalised)
            and network.neuron_input == "sum"
            and network.output in ("sigmoid", "linear")
            and bool((extremes < _MODERATE).all())
        )
        self._is_sigmoid = network.output == "sigmoid"
        self._hidden = activation(network.hidden).value
        self._is_tanh = network.hidden == "tanh"
        # per layer: the values with the bias neuron's 1 behind them, the weights, and memory for their products
        values = [np.ones((matrix.shape[0], 1)) for matrix in network.matrices]
        self._first = values[0][:-1, 0]
        self._layers = []
        for number, (value, matrix) in enumerate(zip(values, network.matrices, strict=True)):
            following = values[number + 1][:-1, 0] if number + 1 < len(values) else None
            products = np.empty_like(matrix)
            self._layers.append((value, matrix, products, products[-1], following))

    def passed(self) -> Propagation:
        """Return the pass of the event that was evaluated last through the network."""
        values = [value.copy() for value, *_ in self._layers]
        return Propagation(
            tuple(z[:, np.newaxis].copy() for _, _, _, z, _ in self._layers),
            (*values, activation(self._output).value(self._layers[-1][3][:, np.newaxis])),
        )

    def evaluate(self) -> float:
        """Return the first output of the network; NaN if the event is not for this class."""
        x = [read() for read in self._reads]
        for one in x:
            if not -_MODERATE < one < _MODERATE or not self._able:
                return math.nan
        row = self._row
        row[:] = x
        if self._is_normalised:
            np.subtract(row, self._low, row)
            np.multiply(row, self._inverse, row)
            # twice the number minus one: doubling is exact
            np.add(row, row, row)
            np.subtract(row, _ONE, row)
        self._first[:] = row
        for value, matrix, products, z, following in self._layers:
            # one after the other, bias last, as `propagate` adds
            np.multiply(value, matrix, products)
            np.add.accumulate(products, 0, None, products)
            if following is not None:
                if self._is_tanh:
                    np.tanh(z, following)
                else:
                    following[:] = self._hidden(z)
        h = float(z[0])
        if not self._is_sigmoid:
            return h
        # not math.exp, which may round otherwise than the exponential of arrays
        return 1.0 / (1.0 + float(np.exp(-h))) if h > -700.0 else math.nan


_ONE = np.float32(1)
