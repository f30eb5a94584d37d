"""Events as a training needs them: inputs, desired outputs and weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError


@dataclass(frozen=True, eq=False)
class Block:
    """Some consecutive events, laid out for matrix products: one row of memory per input or output.

    ``inputs`` is ``(n_inputs + 1, m)``, its last row being the bias neuron's ones; ``desired`` is ``(n_outputs, m)``
    and ``weights`` is ``(m,)``.
    """

    inputs: FloatArray
    desired: FloatArray
    weights: FloatArray

    def parts(self, size: int) -> Iterator[Block]:
        """Cut the block into blocks of at most ``size`` events."""
        for start in range(0, self.weights.size, size):
            part = slice(start, start + size)
            yield Block(self.inputs[:, part], self.desired[:, part], self.weights[part])


@dataclass(frozen=True, eq=False)
class Sample:
    """Events with transformed inputs, the outputs that are desired of the network, and weights.

    ``inputs`` is float32 ``(n, n_inputs)``, ``desired`` float64 ``(n, n_outputs)``: 1 for signal and 0 for background,
    1 or 0 per class, or the transformed targets; ``weights`` is float64 ``(n,)``.

    >>> sample = Sample.of([[0.5], [1.5]], desired=[1, 0])
    >>> sample.n_events, sample.inputs.dtype, sample.weights
    (2, dtype('float32'), array([1., 1.]))
    """

    inputs: NDArray[np.float32]
    desired: FloatArray
    weights: FloatArray

    def __post_init__(self) -> None:
        n = len(self.inputs)
        if self.inputs.ndim != 2 or self.desired.ndim != 2 or self.weights.ndim != 1:
            raise InputError(
                "a sample has inputs (n, n_inputs), desired (n, n_outputs) and weights (n,), got the shapes "
                f"{self.inputs.shape}, {self.desired.shape} and {self.weights.shape}"
            )
        if len(self.desired) != n or len(self.weights) != n:
            raise InputError(
                f"a sample has inputs of {n} events, but desired outputs of {len(self.desired)} "
                f"and weights of {len(self.weights)}"
            )

    def __getstate__(self) -> dict[str, object]:
        # without the blocks that are remembered
        return {"inputs": self.inputs, "desired": self.desired, "weights": self.weights}

    @classmethod
    def of(cls, inputs: object, desired: object, weights: object = None) -> Sample:
        """Return a sample from anything like arrays; one desired output may be ``(n,)``, no weights means 1."""
        x = np.ascontiguousarray(inputs, dtype=np.float32)
        t = np.array(desired, dtype=np.float64, ndmin=1)
        w = np.ones(len(x)) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        return cls(x, t[:, np.newaxis] if t.ndim == 1 else np.ascontiguousarray(t), w)

    @property
    def n_events(self) -> int:
        """Return the number of events."""
        return len(self.inputs)

    @cached_property
    def float32_sum_of_weights(self) -> float:
        """Return the sum of the weights, added one by one in float32."""
        # TMVA: single precision; the monitored estimator is divided by it
        if not self.n_events:
            return 0.0
        return float(np.add.accumulate(self.weights.astype(np.float32), dtype=np.float32)[-1])

    def select(self, events: NDArray[np.integer] | NDArray[np.bool_]) -> Sample:
        """Return the sample of some events, given by their numbers or by flags."""
        return Sample(self.inputs[events], self.desired[events], self.weights[events])

    def without_negative_weights(self) -> Sample:
        """Return the sample of the events whose weight is not negative (itself if that is all)."""
        kept = self.weights >= 0.0
        return self if kept.all() else self.select(kept)

    @property
    def effective_scale(self) -> float:
        """Return ``sum w / sum w^2``: scaled by it, the weights add up to the effective number of events.

        >>> Sample.of(np.zeros((4, 1)), np.zeros(4), [2, 2, 2, 2]).effective_scale
        0.5
        """
        squares = float(np.square(self.weights).sum())
        return float(self.weights.sum()) / squares if squares > 0.0 else 1.0

    def scaled(self, factor: float) -> Sample:
        """Return the sample with all weights multiplied by ``factor``."""
        return self if factor == 1.0 else Sample(self.inputs, self.desired, factor * self.weights)

    def blocks(self, size: int) -> tuple[Block, ...]:
        """Return the events in blocks of ``size``; those of the last size are remembered."""
        if size not in self._remembered:
            self._remembered.clear()
            self._remembered[size] = self._in_blocks(size)
        return self._remembered[size]

    @cached_property
    def _remembered(self) -> dict[int, tuple[Block, ...]]:
        return {}

    def _in_blocks(self, size: int) -> tuple[Block, ...]:
        blocks = []
        for start in range(0, self.n_events, size):
            part = slice(start, start + size)
            x = self.inputs[part]
            inputs = np.ones((x.shape[1] + 1, len(x)))
            inputs[:-1] = x.T
            blocks.append(Block(inputs, np.ascontiguousarray(self.desired[part].T), self.weights[part]))
        return tuple(blocks)

    def check(self, name: str, n_inputs: int, n_outputs: int) -> None:
        """Raise InputError if the sample does not fit the network or has values that are not finite."""
        if self.inputs.shape[1] != n_inputs or self.desired.shape[1] != n_outputs:
            raise InputError(
                f"the network has {n_inputs} inputs and {n_outputs} outputs, but the {name} sample has "
                f"{self.inputs.shape[1]} inputs and {self.desired.shape[1]} desired outputs"
            )
        for what, values in (
            ("input", self.inputs),
            ("desired output", self.desired),
            ("weight", self.weights[:, None]),
        ):
            bad = np.argwhere(~np.isfinite(values))
            if bad.size:
                event, column = bad[0]
                place = "weight" if what == "weight" else f"{what} {column}"
                raise InputError(
                    f"the {name} sample has a value {values[event, column]} as {place} of event {event}: remove such "
                    "events with a cut, or check the expressions and transformations"
                )
