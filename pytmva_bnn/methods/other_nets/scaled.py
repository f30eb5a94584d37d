"""What TMlpANN and CFMlpANN have in common: inputs that are scaled, then a network like the MLP's."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from string import Template
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.answers import EventBlock, Inspection, OnnxOutputs, Wanted
from pytmva_bnn.methods.linked_response import LinkedResponse
from pytmva_bnn.methods.mlp.cpp import network_part
from pytmva_bnn.methods.mlp.inspection import draw_network
from pytmva_bnn.methods.mlp.kernels.plan import NetworkPlan
from pytmva_bnn.methods.mlp.network import Network, propagate
from pytmva_bnn.methods.mlp.onnx import layers
from pytmva_bnn.methods.other_nets.scaled_event import linked_network
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.transform.compiled import Steps, steps_of
from pytmva_bnn.weights import WeightFile

PROPAGATED = Template(
    """\
   static Neurons Propagated(const std::vector<double>& inputValues)
   {
      Neurons neurons{};
      const Event event = Prepared(inputValues);
      for (std::size_t i = 0; i < event.size(); ++i) {
         const double limited = std::min(std::max(static_cast<double>(event[i]), kLow[i]), kHigh[i]);
         neurons.a0[i] = (limited - kCentre[i]) / kWidth[i];
      }
$layers
      return neurons;
   }"""
)

_BLOCK, _COMPILED_BLOCK = 8192, 1 << 18


@dataclass(frozen=True, eq=False)
class Scaling:
    """Variables limited to [``low``, ``high``], then (x - ``centre``)/``width``; all ``(n_variables,)`` in float64."""

    low: FloatArray
    high: FloatArray
    centre: FloatArray
    width: FloatArray

    def __call__(self, x: FloatArray) -> FloatArray:
        """Return the scaled variables ``(n_variables, n_events)``."""
        column = np.newaxis
        with np.errstate(over="ignore", invalid="ignore"):
            limited = np.clip(x, self.low[:, column], self.high[:, column])
            return (limited - self.centre[:, column]) / self.width[:, column]

    @cached_property
    def table(self) -> FloatArray:
        """Return all of it ``(4, n_variables)``, as compiled code wants it."""
        return np.stack([self.low, self.high, self.centre, self.width])


class FittedScaled(Fitted):
    """A network behind scaled inputs; a subclass has both in the form of its weight file."""

    noun = "neural network"
    hidden: ClassVar[str]
    """What users call the activation of the hidden neurons."""
    output: ClassVar[str]

    @property
    @abstractmethod
    def scaling(self) -> Scaling:
        """Return how the inputs are scaled."""

    @property
    @abstractmethod
    def network(self) -> Network:
        """Return the network from scaled inputs to the response."""

    @property
    @abstractmethod
    def layer_sizes(self) -> tuple[int, ...]:
        """Return the neurons of the layers as they are in the file."""

    # -- responses

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the response."""
        y = np.empty((len(x), 1))
        for start in range(0, len(x), _BLOCK):
            block = x[start : start + _BLOCK]
            scaled = self.scaling(np.ascontiguousarray(block.T, dtype=np.float64))
            y[start : start + _BLOCK] = propagate(self.network, scaled.T).values[-1].T
        return y

    def is_compiled(self, n_events: int, *, errors: bool, compiled: bool | None) -> bool:
        """Return whether compiled code is used for this number of events."""
        del errors
        return fast.pays(n_events * self.network.n_weights, compiled)

    def block_events(self, *, errors: bool, compiled: bool) -> int:
        """Return how many events to take at a time."""
        del errors
        return _COMPILED_BLOCK if compiled else _BLOCK

    def block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        """Return the responses; compiled code transforms the events on the way where it can."""
        if not wanted.compiled:
            return super().block(x, chain, spectators, wanted)
        from pytmva_bnn.methods.other_nets import scaled_kernels  # lazy: numba

        steps = steps_of(chain)
        if steps is None:
            x, steps = chain.forward(x, spectators), Steps.none()
        plan, y = NetworkPlan.of(self.network), np.empty((len(x), 1)) if wanted.memory is None else wanted.memory[0]
        of_method = (steps.kinds, steps.parameters, self.scaling.table, plan.weights, plan.sizes, plan.kinds, y)

        def do(start: int, stop: int) -> None:
            scaled_kernels.respond(x, start, stop, *of_method)

        in_parts(do, len(x), scaled_kernels.LANES, len(x) * plan.work)
        return EventBlock(y.T)

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedResponse | None:
        """Return the short way for an event loop."""
        return linked_network(self, chain, memory)

    # -- people and other programs

    @property
    def summary(self) -> str:
        """Return the neurons of the layers, e.g. 4-5-4-1."""
        return "-".join(map(str, self.layer_sizes))

    @property
    def n_weights(self) -> int:
        """Return the number of weights, biases included."""
        return sum((n + 1) * m for n, m in zip(self.layer_sizes[:-1], self.layer_sizes[1:], strict=True))

    def describe(self) -> list[tuple[str, str]]:
        """Return layers and neurons."""
        return [
            ("layers", f"{self.summary} ({self.n_weights} weights)"),
            ("hidden neurons", self.hidden),
            ("output neurons", self.output),
        ]

    def inspection(self, head: WeightFile) -> Inspection:
        """Return a drawing of the network, and how its inputs are scaled."""
        inputs = [variable.label for variable in head.variables]
        outputs = ["signal", "background"] if self.layer_sizes[-1] == 2 else ["response"]
        drawing = draw_network(self.layer_sizes, inputs, outputs, "hidden", "output")
        width = max(map(len, inputs), default=0)
        rows = zip(inputs, self.scaling.centre.tolist(), self.scaling.width.tolist(), strict=True)
        scaled = [f"  {name:<{width}}  (x - {centre:.6g})/{scale:.6g}" for name, centre, scale in rows]
        data = {
            "layers": list(self.layer_sizes),
            "hidden": self.hidden,
            "output": self.output,
            "weights": self.n_weights,
        }
        sections = [
            ("Network (b: bias neuron)", ["  " + line for line in drawing.splitlines()]),
            ("Neurons", [f"  hidden  {self.hidden}", f"  output  {self.output}"]),
            ("Scaled inputs", scaled),
        ]
        return Inspection(f"{self.summary}, {self.n_weights} weights", {"network": data}, sections)

    def cpp(self, head: WeightFile) -> Part:
        """Return the network in C++."""
        part = network_part(self.network, head.analysis_type, PROPAGATED)
        names = ("kLow", "kHigh", "kCentre", "kWidth")
        table = tuple(literals.doubles(name, row) for name, row in zip(names, self.scaling.table, strict=True))
        return part + Part(constants=table)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the scaling and the network to an ONNX graph."""
        del errors
        low, high, centre, width = (graph.constant(row[np.newaxis]) for row in self.scaling.table)
        if np.isfinite(self.scaling.low).any():
            x = graph.op("Min", graph.op("Max", x, low), high)
        return OnnxOutputs(layers(graph, self.network, graph.op("Div", graph.op("Sub", x, centre), width)).a[-1])
