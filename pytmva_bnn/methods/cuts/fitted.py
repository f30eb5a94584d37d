"""The trained cuts: a table with a box for each signal efficiency."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.answers import Inspection, OnnxOutputs, WorkingPoints
from pytmva_bnn.methods.cuts import cpp_text
from pytmva_bnn.methods.cuts.bins import bin_of, bins_of, lower_edges
from pytmva_bnn.methods.cuts.boxes import Boxes
from pytmva_bnn.methods.cuts.linked_event import LinkedCuts
from pytmva_bnn.methods.cuts.option_table import FitMethod
from pytmva_bnn.methods.cuts.printing import cut_lines
from pytmva_bnn.methods.cuts.xml import weights_element
from pytmva_bnn.methods.protocol import Fitted, MethodEvents
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.reductions.summation import blocks
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Dialect, WeightFile

INFINITE = 1e30
"""The cut on a side that is left open."""


@dataclass(frozen=True, eq=False)
class FittedCuts(Fitted):
    """Cuts for each bin of the signal efficiency: ``lower < x <= upper``, both ``(n_bins, n_variables)``.

    ``background`` (n_bins,) are the background efficiencies of the training, -0.1 where no cuts were found.
    ``signal_efficiency`` is the one wanted of responses; without it, and for 0, they are 0 for every event.
    ``is_corrected`` lets responses apply the cuts of :meth:`GetCuts`, where TMVA has those of the next bin.
    """

    background: Float32Array
    lower: FloatArray
    upper: FloatArray
    fit_method: int
    optimisation: int = 0
    signal_efficiency: float | None = field(default=None, metadata={"stored": False})
    is_corrected: bool = field(default=False, metadata={"stored": False})
    interrupted_after: str = field(default="", metadata={"stored": False})

    noun = "set of cuts"
    has_working_points = True

    @property
    def n_bins(self) -> int:
        """Return the number of bins."""
        return len(self.background)

    @property
    def is_reached(self) -> BoolArray:
        """Return for which bins there are cuts."""
        return np.asarray(self.background >= 0.0)

    # -- responses

    def at_efficiency(self, signal_efficiency: float) -> FittedCuts:
        """Return the cuts with another wanted signal efficiency."""
        return replace(self, signal_efficiency=float(signal_efficiency))

    def corrected(self) -> FittedCuts:
        """Return the same with responses that apply the cuts of the bin that was asked for."""
        return replace(self, is_corrected=True)

    @property
    def response_note(self) -> str:
        """Return that responses need a signal efficiency, or that it is none."""
        if self.signal_efficiency is not None:
            if self.signal_efficiency <= 1.0:
                return ""
            return (
                f"a signal efficiency of {self.signal_efficiency:g} cannot be: it is a fraction, such as 0.7. The last "
                "cuts are applied, as in TMVA"
            )
        return (
            "the response of cuts is 0 for every event unless a signal efficiency is given: EvaluateMVA(tag, 0.7), or "
            "model.at_efficiency(0.7).predict(events)"
        )

    @property
    def box(self) -> tuple[FloatArray, FloatArray] | None:
        """Return the cuts that responses apply, None if no signal efficiency is set."""
        if self.signal_efficiency is None or not self.signal_efficiency > 0.0:
            return None
        # TMVA: the index is one too high: those of the next bin; GetCuts has the right ones
        index = min(bin_of(self.signal_efficiency, self.n_bins) - self.is_corrected, self.n_bins - 1)
        return self.lower[index], self.upper[index]

    def respond(self, x: Float32Array) -> FloatArray:
        """Return 1 for the events that pass, 0 for the others."""
        outputs = np.zeros((len(x), 1))
        if self.box is None:
            return outputs
        for block in blocks(len(x)):
            outputs[block, 0] = _passing(x[block], *self.box)
        return outputs

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedCuts | None:
        """Return the short way for an event loop."""
        return LinkedCuts.of(self.box, chain, memory)

    def working_points(self, events: MethodEvents) -> WorkingPoints:
        """Return the efficiencies of all bins for these events."""
        signal, background = Boxes.of(events).efficiencies(self.lower, self.upper)
        return WorkingPoints(signal, background, bins_of(signal, self.n_bins), self.background)

    # -- TMVA's calls

    def GetCuts(self, head: WeightFile, effS: float, cutMin: Any = None, cutMax: Any = None) -> Any:  # noqa: N802, N803
        """Fill the vectors with the cuts for a signal efficiency, and return the lower edge of its bin.

        Lists and vectors get an element for each variable; an array must have as many.  Without both of them the
        result is (edge, lower cuts, upper cuts).
        """
        del head
        k = bin_of(effS, self.n_bins)
        index = min(max(k - 1, 0), self.n_bins - 1)
        edge = float(k - 1) * (1.0 / self.n_bins)
        found = self.lower[index], self.upper[index]
        if cutMin is None and cutMax is None:
            return edge, *(values.copy() for values in found)
        for vector, values in zip((cutMin, cutMax), found, strict=True):
            _fill(vector, values)
        return edge

    def PrintCuts(self, head: WeightFile, effS: float) -> list[str]:  # noqa: N802, N803
        """Log the cuts for a signal efficiency, and return the lines."""
        definition = next((one.value for one in head.options if one.name == "VarTransform"), "None")
        lines = self.cut_lines([variable.label for variable in head.variables], definition, effS)
        for line in lines:
            logging.getLogger("pytmva_bnn.Cuts").info("%s", line)
        return lines

    def cut_lines(self, labels: Sequence[str], definition: str, effS: float) -> list[str]:  # noqa: N803
        """Return what PrintCuts shows; ``definition`` is VarTransform."""
        k = bin_of(effS, self.n_bins)
        index = min(max(k - 1, 0), self.n_bins - 1)
        numbers = (float(self.background[index]), self.lower[index], self.upper[index])
        return cut_lines(labels, definition, (k - 1) * (1.0 / self.n_bins), *numbers)

    # -- files and people

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        head = (self.optimisation, self.fit_method)
        return weights_element(head, lower_edges(self.n_bins), self.background, self.lower, self.upper)

    def cpp(self, head: WeightFile) -> Part:
        """Return the table and its use in C++."""
        del head
        n = self.n_bins
        constants = (
            literals.matrix("kLower", self.lower),
            literals.matrix("kUpper", self.upper),
        )
        return Part((cpp_text.METHODS.substitute(),), (cpp_text.INDEX.substitute(n_bins=n),), constants)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the comparison with the cuts of the signal efficiency that is set."""
        del errors
        if self.box is None:
            raise InputError(
                "cuts are written as ONNX for one signal efficiency: to_onnx(model.at_efficiency(0.7), ...)"
            )
        lower, upper = (graph.constant(cut[np.newaxis]) for cut in self.box)
        above = graph.cast(graph.op("Greater", x, lower), np.float64)
        below = graph.cast(graph.op("LessOrEqual", x, upper), np.float64)
        return OnnxOutputs(graph.op("ReduceMin", graph.op("Mul", above, below), axes=[1], keepdims=1))

    @property
    def summary(self) -> str:
        """Return the number of variables."""
        return f"cuts on {self.lower.shape[1]} variables"

    def describe(self) -> list[tuple[str, str]]:
        """Return how the cuts were found, and for how many efficiencies there are some."""
        names = {int(method): method.name for method in FitMethod}
        return [
            ("response", "1 for events that pass the cuts of the wanted signal efficiency, 0 for others"),
            ("optimised by", names.get(self.fit_method, f"FitMethod {self.fit_method}")),
            ("signal efficiencies", f"{np.count_nonzero(self.is_reached)} of {self.n_bins} bins have cuts"),
        ]

    def inspection(self, head: WeightFile) -> Inspection:
        """Return the cuts at a few efficiencies by the names of their variables."""
        labels = [variable.label for variable in head.variables]
        rows = []
        for edge, b, lower, upper in zip(
            lower_edges(self.n_bins), self.background, self.lower, self.upper, strict=True
        ):
            cuts = {label: [low, high] for label, low, high in zip(labels, lower.tolist(), upper.tolist(), strict=True)}
            rows.append({"signal efficiency": float(edge), "background efficiency": float(b), "cuts": cuts})
        width = max(map(len, labels))
        lines = []
        for k in (bin_of(tenth / 10 + 1e-4, self.n_bins) - 1 for tenth in range(1, 10)):
            edge, b = rows[k]["signal efficiency"], rows[k]["background efficiency"]
            if not self.is_reached[k]:
                lines.append(f"  signal efficiency {edge:.2f}: no cuts")
                continue
            lines.append(f"  signal efficiency {edge:.2f}, background efficiency {b:.4g}")
            for label, low, high in zip(labels, self.lower[k].tolist(), self.upper[k].tolist(), strict=True):
                below = "" if low <= -INFINITE else f"{low:.6g} < "
                above = "" if high >= INFINITE else f" <= {high:.6g}"
                lines.append(f"    {below:>16}{label:<{width}}{above}" if below or above else f"    {'':>16}{label}")
        rows_of = self.describe()
        wide = max(len(name) for name, _ in rows_of)
        return Inspection(
            self.summary,
            {"method": {"type": head.kind, **dict(rows_of)}, "cuts": rows},
            [(head.kind, [f"  {name:<{wide}}  {value}" for name, value in rows_of]), ("Cuts", lines)],
        )


def _passing(x: Float32Array, lower: FloatArray, upper: FloatArray) -> BoolArray:
    passing = np.ones(len(x), dtype=bool)
    for column, low, high in zip(x.T, lower, upper, strict=True):
        # float32 variables are compared with the float64 cuts, without a copy in float64
        passing &= (column > _round_down(low)) & (column <= _round_down(high))
    return passing


def _round_down(cut: float) -> np.float32:
    """Return the largest float32 that is not above the cut: x > cut and x <= cut mean the same for it."""
    with np.errstate(over="ignore"):
        near = np.float32(cut)
    return np.nextafter(near, np.float32(-np.inf)) if float(near) > cut else near


def _fill(vector: Any, values: FloatArray) -> None:
    if isinstance(vector, list):
        vector[:] = values.tolist()
        return
    try:
        if len(vector) < len(values):
            raise InputError(f"GetCuts: there are {len(values)} variables, the array has room for {len(vector)}")
        for i, value in enumerate(values.tolist()):
            vector[i] = value
    except TypeError:
        raise InputError(
            "GetCuts fills two vectors: give lists, std.vector('double')() or arrays with an element a variable"
        ) from None
