"""Where a training stands between two epochs, and what comes out of it at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray, IntArray
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.backprop import BPState
from pytmva_bnn.methods.mlp.training.bfgs import BFGSState
from pytmva_bnn.methods.mlp.training.convergence import Convergence
from pytmva_bnn.methods.mlp.training.evidence import Evidence
from pytmva_bnn.methods.mlp.training.verdict import ConvergenceVerdict

#: why a training ended: all cycles done, converged, interrupted by the user, or nothing left to gain
StoppedBy = Literal["cycles", "convergence", "interrupt", "floor"]


@dataclass(frozen=True)
class Monitored:
    """The monitored estimators at the end of an epoch, counted from 1."""

    epoch: int
    training: float
    test: float


@dataclass(frozen=True, eq=False)
class RunState:
    """The whole state of a training between two epochs; an epoch makes a new one of it.

    ``epoch`` is the next one, counted from 0; convergence may skip some, so ``n_epochs`` counts those done.
    ``training_events`` and ``test_events`` are the sampled ones (None: all), ``n_sampled`` counts the random numbers
    they took.
    """

    step: BFGSState | BPState
    convergence: Convergence
    epoch: int = 0
    n_epochs: int = 0
    history: tuple[Monitored, ...] = ()
    training_events: IndexArray | None = None
    test_events: IndexArray | None = None
    n_sampled: int = 0
    stopped_by: StoppedBy | None = None


@dataclass(frozen=True, eq=False)
class History:
    """The monitored estimators at the test epochs, as arrays of equal length; epochs count from 1."""

    epochs: IntArray
    training: FloatArray
    test: FloatArray

    @classmethod
    def of(cls, points: tuple[Monitored, ...]) -> History:
        """Return the history of these points."""
        return cls(
            np.array([point.epoch for point in points], dtype=np.int64),
            np.array([point.training for point in points], dtype=np.float64),
            np.array([point.test for point in points], dtype=np.float64),
        )


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """A trained network and how it came about.

    ``convergence`` says how near the minimum it is (None if nothing was trained, or the end was interrupted).
    ``training_estimator`` and ``test_estimator`` are those of the final weights (NaN without test events).
    ``regulators`` (one per group, see :class:`RegulatorGroups`) and ``evidence`` are
    there with UseRegulator, ``inverse_hessians`` (one per output) with UseRegulator or CalculateErrors: TMVA's
    matrices, or that of the posterior if ``settings.hessian`` asks for it, which is the same for all outputs.
    """

    network: Network
    stopped_by: StoppedBy
    n_epochs: int
    history: History
    training_estimator: float
    test_estimator: float
    regulators: FloatArray | None = None
    inverse_hessians: tuple[FloatArray, ...] | None = None
    evidence: Evidence | None = None
    convergence: ConvergenceVerdict | None = None
    #: the factor on all error bars that toys have given, if they were asked
    error_factor: float | None = None

    @property
    def inverse_hessian(self) -> FloatArray | None:
        """Return the matrix of the first output, which is the one that a weight file holds."""
        return self.inverse_hessians[0] if self.inverse_hessians else None
