"""Networks and transformations as the flat arrays that the kernels take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.transform.decorrelate import Decorrelation
from pytmva_bnn.transform.normalise import Normalisation
from pytmva_bnn.transform.principal import PrincipalComponents
from pytmva_bnn.transform.selection import VARIABLE, Column

#: the numbers that the kernels know these by, see rows.py and propagation.py
ACTIVATION_NUMBERS = {"linear": 0, "sigmoid": 1, "tanh": 2, "ReLU": 3, "radial": 4, "fast tanh": 5}
INPUT_NUMBERS = {"sum": 0, "sqsum": 1, "abssum": 2}
NORMALISE, SCALE, LINEAR_MAP = range(3)


class NetworkLike(Protocol):
    """What the kernels ask of a :class:`~pytmva_bnn.methods.mlp.network.Network`."""

    @property
    def hidden(self) -> str: ...  # noqa: D102
    @property
    def output(self) -> str: ...  # noqa: D102
    @property
    def neuron_input(self) -> str: ...  # noqa: D102
    @property
    def layer_sizes(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def n_outputs(self) -> int: ...  # noqa: D102
    @property
    def n_weights(self) -> int: ...  # noqa: D102
    def flat_weights(self) -> FloatArray: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class NetworkPlan:
    """A network: flat weights, neurons per layer, and how the neurons work."""

    weights: FloatArray
    sizes: IntArray
    kinds: IntArray

    @classmethod
    def of(cls, network: NetworkLike) -> NetworkPlan:
        """Return the plan of a network."""
        return cls(
            network.flat_weights(),
            _integers(*network.layer_sizes),
            _integers(
                ACTIVATION_NUMBERS[network.hidden],
                ACTIVATION_NUMBERS[network.output],
                INPUT_NUMBERS[network.neuron_input],
            ),
        )

    @property
    def work(self) -> int:
        """Return what an event costs, in multiplications; an activation function costs as much as 20 of them.

        >>> from pytmva_bnn.methods.mlp.network import Network
        >>> NetworkPlan.of(Network.from_matrices([np.ones((3, 10)), np.ones((11, 1))])).work
        261
        """
        return int(self.weights.size + 20 * sum(self.sizes.tolist()[1:]))


@lru_cache(maxsize=64)
def _integers(*numbers: int) -> IntArray:
    """Return the numbers as an array that nobody changes; kept, as small calls take no longer than to make them."""
    return np.array(numbers, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Steps:
    """Transformations: their kinds, and their parameters one after the other.

    =============  =====================================================
    normalise      minima, 1 / (maxima - minima)
    scale          largest absolute values
    linear map     means to subtract, matrix row by row
    =============  =====================================================
    """

    kinds: IntArray
    parameters: FloatArray

    @classmethod
    def none(cls) -> Steps:
        """Return the steps that change nothing.

        >>> Steps.none().kinds
        array([], dtype=int64)
        """
        return cls(np.empty(0, dtype=np.int64), np.empty(0))


def steps_of(chain: TransformationChain) -> Steps | None:
    """Return the chain for the kernels, or None if it has steps that they do not know.

    They know normalisation, decorrelation and principal components of all variables, not the Gaussianisation with its
    tables, nor steps that move variables or act on some of them only.

    >>> steps_of(TransformationChain([], variables=[]))
    Steps(kinds=array([], dtype=int64), parameters=array([], dtype=float64))
    """
    kinds: list[int] = []
    parameters: list[FloatArray] = []
    for placed in chain.placed:
        step, n = placed.step, placed.columns.n_present
        if not n:
            continue
        if placed.columns.get[:n] != placed.columns.put[:n] or not _are_all(placed.columns.get[:n], chain):
            return None
        if isinstance(step, Normalisation):
            low, high = step.minima[-1][:n], step.maxima[-1][:n]
            with np.errstate(all="ignore"):
                if step.offset:
                    numbers = [low, (1.0 / (high - low).astype(np.float64)).astype(np.float32)]
                else:
                    numbers = [np.where(np.abs(high) > np.abs(low), np.abs(high), np.abs(low))]
            kinds.append(NORMALISE if step.offset else SCALE)
        elif isinstance(step, Decorrelation):
            numbers = [np.zeros(n), step.matrices[-1].ravel()]
            kinds.append(LINEAR_MAP)
        elif isinstance(step, PrincipalComponents):
            numbers = [step.means[-1], step.eigenvectors[-1].T.ravel()]
            kinds.append(LINEAR_MAP)
        else:
            return None
        parameters += [np.asarray(one, dtype=np.float64) for one in numbers]
    if not kinds:
        return Steps.none()
    return Steps(np.array(kinds, dtype=np.int64), np.concatenate(parameters))


def _are_all(columns: tuple[Column, ...], chain: TransformationChain) -> bool:
    return columns == tuple(Column(VARIABLE, index) for index in range(chain.n_variables))
