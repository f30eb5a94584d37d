"""Events as they are, for methods that choose among variables and spectators themselves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.transform.chain import TransformationChain
from pytmva_bnn.transform.selection import SPECTATOR, Quantity


class WholeEvents(TransformationChain):
    """A chain without steps that gives variables and spectators side by side.

    >>> quantities = [Quantity(kind, name, name) for kind, name in (("Variable", "x"), ("Spectator", "eta"))]
    >>> events = WholeEvents(quantities[:1], (), quantities[1:])
    >>> events.forward(np.float32([[1.0], [2.0]]), np.float32([[0.5], [0.7]])).shape
    (2, 2)
    """

    def __init__(
        self, variables: Sequence[Quantity], targets: Sequence[Quantity], spectators: Sequence[Quantity]
    ) -> None:
        super().__init__((), variables, targets, spectators)

    @cached_property
    def needs_spectators(self) -> bool:
        """Whether there are spectators at all."""
        return bool(self._known[SPECTATOR])

    def forward(self, variables: Float32Array, spectators: Float32Array | None = None) -> Float32Array:
        """Return variables and spectators, float32 (n_events, n_variables + n_spectators)."""
        x = super().forward(variables, spectators)  # checks the shapes
        return x if spectators is None else np.hstack([x, spectators.astype(np.float32, copy=False)])
