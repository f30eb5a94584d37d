"""What a fitted method answers to the rest of the package; the questions are in :mod:`pytmva_bnn.methods.protocol`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray

NO_ERROR = -1.0  # TMVA: what a method without errors gives as its errors


class Link(Protocol):
    """The function from the latent quantity of a method with error bars to its output."""

    @property
    def name(self) -> str:
        """Return its name, e.g. sigmoid."""

    def value(self, z: FloatArray) -> FloatArray:
        """Return the output."""


class EventBlock(NamedTuple):
    """What is known of a block of events, all ``(n_outputs, n_events)``.

    Error bars come from a Gaussian of the latent ``h`` with the standard deviation ``sigma``, seen through
    :attr:`Fitted.link`; ``sigma`` is left out where nothing needs it.  ``error_bars`` are those of the first output, if
    they are known already; without ``h`` they have the form and the units of the responses.  ``is_checked``: events
    with a NaN or an infinity have NaN as outputs already.
    """

    outputs: FloatArray
    h: FloatArray | None = None
    sigma: FloatArray | None = None
    error_bars: tuple[FloatArray, FloatArray] | None = None
    is_checked: bool = False


class Wanted(NamedTuple):
    """What :meth:`Fitted.block` is to compute.

    ``errors``: the uncertainty too; ``variances``: that of the latent quantity, not only error bars; ``memory``: where
    outputs, lower and upper errors ``(n_events, 1)`` may be written at once; ``compiled``: by compiled code;
    ``single``: in float32 where :attr:`Fitted.has_single` and the code is compiled.
    """

    errors: bool = False
    variances: bool = False
    memory: tuple[FloatArray, FloatArray | None, FloatArray | None] | None = None
    compiled: bool = False
    single: bool = False


class LinkedEvent(Protocol):
    """An event in linked memory that is evaluated again and again, as in a macro's event loop."""

    def evaluate(self) -> float:
        """Return the response to what the memory holds now; NaN where the ordinary way has to be taken."""

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return lower and upper error of the event that was evaluated last; ``name`` is for messages."""


class ResponseSum(Protocol):
    """Adds up responses, and how they react to the parameters, block by block."""

    def add(self, x: Float32Array, weights: FloatArray, groups: IntArray) -> None:
        """Add transformed events with their weights and the numbers of their groups (-1: none)."""

    def finished(self) -> tuple[FloatArray, FloatArray]:
        """Return the sums ``(n_groups, n_outputs)`` and their covariance, in the order of ``sums.ravel()``."""


@dataclass(frozen=True)
class Inspection:
    """A fitted method for ``inspect``: a few words, ``data`` for JSON, and sections (title, lines) for people.

    The first section stands before the options, the others behind them.
    """

    headline: str
    data: Mapping[str, Any]
    sections: Sequence[tuple[str, list[str]]]


@dataclass(frozen=True)
class OnnxOutputs:
    """Names of tensors ``(n_events, n_outputs)`` in float64: the outputs and, for error bars, the latent quantity
    and its standard deviation with the link that makes outputs of them, or the ``error_bars`` themselves."""

    outputs: str
    h: str | None = None
    sigma: str | None = None
    link: Callable[[str], str] | None = None
    error_bars: tuple[str, str] | None = None


class WorkingPoints(NamedTuple):
    """Signal and background efficiencies ``(n_points,)`` of the choices that a method offers instead of responses.

    They stand in the order of the signal efficiencies that they are meant for: point k for the k-th bin of [0, 1].
    ``bins`` are the numbers of the bins, from 1, that the signal efficiencies really fall into, ``trained`` the
    background efficiencies that the training found.
    """

    signal: FloatArray
    background: FloatArray
    bins: IntArray
    trained: Float32Array
