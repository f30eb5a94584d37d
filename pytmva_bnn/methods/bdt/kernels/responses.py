"""Responses of many events: the typed way to the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.bdt.descent import Descent
from pytmva_bnn.methods.bdt.kernels.plan import KINDS, ForestPlan

#: whole numbers up to here are exact in float32
_EXACT = 1 << 24


@dataclass(frozen=True, eq=False)
class CompiledForest:
    """A forest for the kernels: its plan, and how the trees are combined.

    ``weights`` are those of the trees, and ``constant`` is what their sum is divided by, or what is added to it.  For
    medians the leaves of the plan are their places in the order of their answers; ``weights`` and ``answers`` stand in
    that order, and ``constant`` is half the sum of the weights.
    """

    plan: ForestPlan
    kind: int
    weights: FloatArray
    constant: float
    answers: FloatArray
    n_outputs: int

    @classmethod
    def of(
        cls,
        descent: Descent,
        answers: FloatArray,
        weights: FloatArray,
        combination: str,
        constant: float,
        n_outputs: int = 1,
    ) -> CompiledForest | None:
        """Return the forest with these answers of its nodes; None if they are not exact in float32, as TMVA's are."""
        kind, ordered = KINDS.index(combination), np.empty(0)
        values = answers[descent.node]
        if combination == "median":
            leaves = np.flatnonzero(descent.child == np.arange(len(descent.child)))
            if len(leaves) > _EXACT:
                return None
            leaves = leaves[np.argsort(values[leaves], kind="stable")]
            ordered = values[leaves]
            weights = np.repeat(weights, np.diff(descent.roots))[leaves]
            values = np.zeros(len(values))
            values[leaves] = np.arange(len(leaves))
        narrow = values.astype(np.float32)
        if not np.array_equal(narrow.astype(np.float64), values, equal_nan=True):
            return None
        return cls(ForestPlan.of(descent, narrow), kind, weights, constant, ordered, n_outputs)

    @cached_property
    def _work(self) -> int:
        return self.plan.work

    def outputs(self, x: Float32Array, into: FloatArray | None = None) -> FloatArray:
        """Return the outputs ``(n_events, n_outputs)`` of events ``(n_events, n_variables)``; ``into`` is memory."""
        from pytmva_bnn.methods.bdt.kernels import response_kernels  # lazy: numba

        x = np.ascontiguousarray(x)
        y = np.empty((len(x), self.n_outputs)) if into is None else into

        def do(start: int, stop: int) -> None:
            response_kernels.respond(
                x, start, stop, *self.plan, self.kind, self.weights, self.constant, self.answers, y
            )

        in_parts(do, len(x), response_kernels.BLOCK, len(x) * self._work)
        return y
