"""One event after the other, from memory that the user fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pytmva_bnn._typing import AnyArray
from pytmva_bnn.methods.bdt.kernels.responses import CompiledForest
from pytmva_bnn.methods.bdt.preselection import Preselection
from pytmva_bnn.transform.compiled import Steps


class SingleEvent:
    """A forest with its transformations and preselection, and the memory that its variables are in."""

    def __init__(
        self, forest: CompiledForest, steps: Steps, memory: Sequence[AnyArray], preselection: Preselection | None
    ) -> None:
        from pytmva_bnn.methods.bdt.kernels import event_kernels  # lazy: numba

        self._given = (
            forest,
            steps,
            tuple(memory),
            preselection,
        )  # keeps the memory alive: the plan has addresses only
        plan, n = forest.plan, len(memory)
        n_trees, n_slots, n_fisher = len(plan.depths), len(plan.slot_cut), len(plan.fisher_cuts)
        cuts = np.array([] if preselection is None else list(preselection.applied()), dtype=np.float64).reshape(-1, 4)
        parts = [
            np.array([forest.constant]),
            forest.weights,
            np.concatenate([plan.fisher_coefficients.T.ravel(), plan.fisher_cuts, np.zeros(n_fisher)]),
            cuts,
            steps.parameters,
            np.zeros(n),
            np.zeros(n),
            np.zeros(forest.n_outputs),
        ]
        places = np.cumsum([0, *(part.size for part in parts[:-1])])
        self._plan = np.array(
            [
                *(n, n_slots, n_trees, forest.n_outputs, n_fisher, len(cuts), forest.kind),
                *places,
                *(one.ctypes.data for one in memory),
                *(one.dtype == np.float64 for one in memory),
                *steps.kinds,
            ],
            dtype=np.int64,
        )
        self._slots = np.concatenate(
            [plan.slot_variable, plan.slot_child, plan.roots[:-1], plan.depths.astype(np.uint32)]
        )
        room = np.zeros(n + n_fisher, dtype=np.float32)
        self._numbers = np.concatenate([plan.slot_cut, plan.slot_value, room])
        self._state = np.concatenate([part.ravel() for part in parts])
        self._evaluate = event_kernels.evaluate

    def __reduce__(self) -> tuple[Any, ...]:
        # a copy has memory of its own, and so other addresses
        return SingleEvent, self._given

    def evaluate(self) -> float:
        """Return the response to what the variables hold now; NaN where the ordinary way has to be taken."""
        return self._evaluate(self._plan, self._slots, self._numbers, self._state)
