"""What KNN and PDERS have in common: they keep their training events, and look among them for each event."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn._typing import Float32Array
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.switch import is_forced
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.methods.answers import NO_ERROR, EventBlock, OnnxOutputs, Wanted
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.transform.compiled import NORMALISE, steps_of
from pytmva_bnn.weights import WeightFile

EVENTS_BY_NUMPY = 300
"""Events of an event loop after which compiled code takes over."""

_ONE = np.float32(1)
_CALL = 15
"""Events that take numpy as long as a call."""

Single: TypeAlias = Callable[[], float]


class FittedEvents(Fitted):
    """A method that keeps its training events.  Compiled code and numpy give the same numbers, so that it chooses."""

    n_seen = 0
    """Events evaluated so far, and calls counted as events: a loop over single events is a large job too."""

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: self.__dict__[one.name] for one in fields(self)}  # type: ignore[arg-type]

    @abstractmethod
    def seconds(self, n_events: int) -> float:
        """Return approximately how long numpy takes for this number of events."""

    @abstractmethod
    def outputs(self, x: Float32Array, *, compiled: bool) -> NDArray[np.floating]:
        """Return the outputs ``(n_events, n_outputs)`` for transformed events."""

    @abstractmethod
    def single(self, row: Float32Array) -> Single:
        """Return what evaluates the transformed event in ``row`` ``(1, n_variables)`` by compiled code.

        It gives NaN where the ordinary way has to be taken.
        """

    def respond(self, x: Float32Array) -> NDArray[np.floating]:
        """Return the outputs ``(n_events, n_outputs)``."""
        self.__dict__["n_seen"] = self.n_seen + len(x) + _CALL
        return self.outputs(x, compiled=compiled_pays(self.seconds(self.n_seen)))

    def is_compiled(self, n_events: int, *, errors: bool, compiled: bool | None) -> bool:
        """Return whether compiled code is used for this number of events."""
        del errors
        return compiled_pays(self.seconds(n_events)) if compiled is None else fast.pays(0.0, compiled)

    def block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        """Return the outputs of events that ``chain`` has still to transform."""
        outputs = self.outputs(chain.forward(x, spectators), compiled=wanted.compiled)
        return EventBlock(np.asarray(outputs, dtype=np.float64).T)

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedQuery | None:
        """Return the fast path for an event loop, which only compiled code has."""
        known = [one for one in memory if one is not None]
        if chain.needs_spectators or len(known) != chain.n_variables or not fast.available():
            return None
        return LinkedQuery(self, chain, known)

    def cpp(self, head: WeightFile) -> Part:
        """Refuse to write a C++ class."""
        raise InputError(
            f"a {head.kind} consists of its training events, which a C++ class would have to contain; use the weight "
            "file"
        )

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Refuse to write ONNX."""
        del graph, x, errors
        raise InputError("KNN and PDERS search among their training events, which ONNX cannot do; use the weight file")


class LinkedQuery:
    """The event in linked memory; the first ones take the ordinary way, since loading compiled code takes longer."""

    def __init__(self, fitted: FittedEvents, chain: TransformationChain, memory: Sequence[NDArray[Any]]) -> None:
        self._fitted = fitted
        self._chain = chain
        steps = steps_of(chain)
        is_normalised = steps is not None and steps.kinds.tolist() == [NORMALISE]
        #: minima and inverse widths, for what is most often the only transformation
        self._normalisation = np.split(steps.parameters.astype(np.float32), 2) if steps and is_normalised else None
        self._row = np.zeros((1, len(memory)), dtype=np.float32)
        self._memory = tuple(memory)
        self._n_events = EVENTS_BY_NUMPY if is_forced() else 0
        self._single: Single | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return LinkedQuery, (self._fitted, self._chain, self._memory)

    def evaluate(self) -> float:
        """Return the response to what the memory holds now; NaN where the ordinary way has to be taken."""
        if self._single is None:
            self._n_events += 1
            if self._n_events < EVENTS_BY_NUMPY:
                return float("nan")
            self._single = self._fitted.single(self._row)
        values = [one.item() for one in self._memory]
        total = sum(values)
        if not -1e30 < total < 1e30:  # NaN, infinite, or not for float32
            return float("nan")
        row = self._row
        row[0] = values
        if self._normalisation is not None:
            low, inverse = self._normalisation
            np.subtract(row, low, row)
            np.multiply(row, inverse, row)
            np.add(row, row, row)  # doubling is exact
            np.subtract(row, _ONE, row)
        elif self._chain.placed:
            row[:] = self._chain.forward(row)
        return self._single()

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return what TMVA has for no errors."""
        del name
        return NO_ERROR, NO_ERROR
