"""A trained network as the rest of the package sees it: responses, error bars, what a weight file holds of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import ErrorsNotAvailableError
from pytmva_bnn.histograms.entries import Entry
from pytmva_bnn.methods import latent
from pytmva_bnn.methods.answers import EventBlock, Inspection, OnnxOutputs, Wanted
from pytmva_bnn.methods.mlp import laplace
from pytmva_bnn.methods.mlp.cpp import class_part
from pytmva_bnn.methods.mlp.inspection import inspection
from pytmva_bnn.methods.mlp.kernels import responses
from pytmva_bnn.methods.mlp.kernels.factor import Factors
from pytmva_bnn.methods.mlp.kernels.responses import Memory
from pytmva_bnn.methods.mlp.linked_event import LinkedNetwork
from pytmva_bnn.methods.mlp.monitoring import monitoring
from pytmva_bnn.methods.mlp.multiclass import class_logit, multiclass_probabilities
from pytmva_bnn.methods.mlp.network import Activation, Network, Propagation, activation, output_sensitivities, propagate
from pytmva_bnn.methods.mlp.network.layout import NeuronInput
from pytmva_bnn.methods.mlp.onnx import onnx_outputs, onnx_probabilities
from pytmva_bnn.methods.mlp.ranking import importance_ranking
from pytmva_bnn.methods.mlp.rounding import rounded_like_tmva
from pytmva_bnn.methods.mlp.sums import SumOfOutputs
from pytmva_bnn.methods.mlp.xml import weights_lines
from pytmva_bnn.methods.output_scale import OutputScale
from pytmva_bnn.methods.protocol import Fitted, MethodEvents
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.options import OptionSet
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.transform.compiled import Steps, steps_of
from pytmva_bnn.weights import Dialect, WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.mlp.training import TrainingResult
    from pytmva_bnn.methods.ranking import Ranking

log = logging.getLogger("pytmva_bnn.MLP")

# Values of one layer, or sensitivities, of a block of events: small enough to stay in the cache
_BLOCK_NUMBERS = 1 << 18
_BLOCK_EVENTS = (256, 8192)
# The same for compiled code, which cuts it into blocks of its own and shares these between threads
_COMPILED_BLOCK = 1 << 18
_SINGLE = np.dtype(np.float32)
_CACHES = ("network", "_factors", "_known_steps", "_warned")


@dataclass(frozen=True, eq=False)
class FittedMLP(Fitted):
    """A network with its weights as the file has them, or as they were trained.

    ``matrices[l]`` is ``(n_l + 1, n_{l+1})``, bias row last; the inverse Hessians, none, that of the first output or
    one for each output, have the order of :meth:`Network.flat_weights`.  ``rounded``: weights count as TMVA reads them
    from XML, in float32.  ``strict``: error bars are NaN where TMVA's are.  ``result`` is how the training went, if it
    was just trained.
    """

    matrices: tuple[FloatArray, ...]
    hidden: str
    output: str
    neuron_input: NeuronInput = "sum"
    inverse_hessians: tuple[FloatArray, ...] = ()
    rounded: bool = True
    is_multiclass: bool = False
    is_softmax: bool = False  # Multiclass=Softmax: the matrix, if there is one, is that of all outputs together
    layout_element: bool = True  # False up to TMVA 4.0.4: layers directly below <Weights>
    error_factor: float | None = None  # what toys have given, contained in the matrices
    strict: bool = field(default=False, metadata={"stored": False})
    result: TrainingResult | None = field(default=None, metadata={"stored": False})
    epochs: tuple[Entry, ...] = field(default=(), metadata={"stored": False})  # option EpochMonitoring

    printed_names = "internal"
    noun = "neural network"
    precision = "the weights are those of the weight file rounded to float32; the rest is float64"
    has_single = True
    uncertainty_fields: ClassVar[tuple[str, ...]] = ("inverse_hessians",)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _CACHES}

    @cached_property
    def network(self) -> Network:
        """Return the network that is evaluated."""
        matrices = tuple(map(rounded_like_tmva, self.matrices)) if self.rounded else self.matrices
        return Network.from_matrices(matrices, hidden=self.hidden, output=self.output, neuron_input=self.neuron_input)

    @property
    def n_outputs(self) -> int:  # type: ignore[override]
        """Return the number of output neurons."""
        return int(self.matrices[-1].shape[1])

    @property
    def inverse_hessian(self) -> FloatArray | None:
        """Return the inverse Hessian of the first output, or None."""
        return self.inverse_hessians[0] if self.inverse_hessians else None

    # -- responses

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the outputs ``(n_events, n_outputs)``."""
        return np.ascontiguousarray(self.propagate(x).values[-1].T)

    def propagate(self, x: Float32Array) -> Propagation:
        """Run transformed events through the network."""
        return propagate(self.network, x)

    def multiclass(self, outputs: Float32Array) -> Float32Array:
        """Return the probabilities of the classes."""
        return multiclass_probabilities(outputs)

    def is_compiled(self, n_events: int, *, errors: bool, compiled: bool | None) -> bool:
        """Return whether compiled code is used for this number of events."""
        n_weights = self.network.n_weights
        return fast.pays(n_events * n_weights * (n_weights / 5.0 if errors else 1.0), compiled)

    def block_events(self, *, errors: bool, compiled: bool) -> int:
        """Return how many events to take at a time."""
        if compiled:
            return _COMPILED_BLOCK
        per_event = self.network.n_weights if errors else max(self.network.layer_sizes)
        return int(np.clip(_BLOCK_NUMBERS // max(per_event, 1) // 16 * 16, *_BLOCK_EVENTS))

    def block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        """Return outputs and uncertainties; compiled code transforms the events on the way where it can."""
        if wanted.compiled:
            return self._compiled_block(x, chain, spectators, wanted)
        passed = self.propagate(chain.forward(x, spectators))
        if not wanted.errors:
            return EventBlock(passed.values[-1])
        return EventBlock(passed.values[-1], *self._latent(passed))

    def _compiled_block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        steps = self.steps(chain)
        is_checked = steps is not None
        if steps is None:
            x, steps = chain.forward(x, spectators), Steps.none()
        if not wanted.errors:
            into = None if wanted.memory is None else wanted.memory[0]
            outputs = responses.outputs(self.network, x, steps, into, _SINGLE if wanted.single else None)
            return EventBlock(outputs.T, None, None, None, is_checked)
        memory = None if wanted.memory is None else Memory(*wanted.memory)
        variances = wanted.variances or not self._factors.are_positive  # a negative one is reported
        found = responses.with_errors(
            self.network, x, steps, self._factors, memory, variances=variances, is_softmax=self.is_softmax
        )
        return EventBlock(
            found.value.T,
            found.h.T,
            laplace.roots_of_variances(found.variance.T) if variances else None,
            (found.lower[:, 0], found.upper[:, 0]),
        )

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedNetwork | None:
        """Return the short way for an event loop; None if only the long way knows the transformations or the memory."""
        return LinkedNetwork.of(self, chain, memory)

    def steps(self, chain: TransformationChain) -> Steps | None:
        """Return the transformations as compiled code wants them, None if it does not know them."""
        known: tuple[TransformationChain, Steps | None] | None = self.__dict__.get("_known_steps")
        if known is None or known[0] is not chain:
            known = (chain, steps_of(chain))
            self.__dict__["_known_steps"] = known
        return known[1]

    # -- error bars

    @property
    def has_errors(self) -> bool:  # type: ignore[override]
        """Tell whether error bars can be computed: there is an inverse Hessian for each output, one for a softmax."""
        if self.is_multiclass:
            return self.is_softmax and len(self.inverse_hessians) == 1
        return len(self.inverse_hessians) == self.n_outputs

    def why_no_errors(self) -> str:
        """Return why there are none."""
        if self.is_multiclass and not self.is_softmax:
            return "TMVA's scores of several classes have none; train with Multiclass=Softmax"
        if not self.inverse_hessians:
            return "the weight file has no inverse Hessian; train with CalculateErrors=True"
        return (
            f"the network has {self.n_outputs} outputs, and TMVA's inverse Hessian is that of the first only; train "
            "with HessianPerOutput"
        )

    @property
    def link(self) -> Activation:  # type: ignore[override]
        """Return the activation of the output neurons; that from the logits to the probabilities of classes."""
        return activation("sigmoid" if self.is_softmax else self.output)

    @property
    def is_probability(self) -> bool:  # type: ignore[override]
        """Tell whether the output is a probability: that of a sigmoid is, and classes trained with a softmax."""
        return self.is_softmax or self.output == "sigmoid"

    @cached_property
    def _factors(self) -> Factors:
        return Factors.of(self.inverse_hessians)

    def latent(self, x: Float32Array) -> tuple[FloatArray, FloatArray]:
        """Return the inputs of the output neurons, or the logits of the classes, and their standard deviations."""
        return self._latent(self.propagate(x))

    def _latent(self, passed: Propagation) -> tuple[FloatArray, FloatArray]:
        h, outputs = passed.neuron_inputs[-1], range(self.n_outputs)
        if not self.is_softmax:
            return h, np.stack([self.standard_deviations(passed, output) for output in outputs])
        logits, derivatives = zip(*(class_logit(h, number) for number in outputs), strict=True)
        s = (output_sensitivities(self.network, passed, of_class) for of_class in derivatives)
        return np.stack(logits), np.stack([laplace.standard_deviations(one, self._factors) for one in s])

    def standard_deviations(self, passed: Propagation, output: int = 0) -> FloatArray:
        """Return σ of an output neuron's input for events that went through the network."""
        if output >= len(self.inverse_hessians):
            raise ErrorsNotAvailableError("no error bars: the weight file has no inverse Hessian for this output")
        return laplace.standard_deviations(output_sensitivities(self.network, passed, output), self._factors, output)

    def error_bars(self, x: Float32Array, name: str) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper error of the first output neuron, as TMVA's Reader defines them."""
        return self.errors_of(self.propagate(x), name)

    def errors_of(self, passed: Propagation, name: str) -> tuple[FloatArray, FloatArray]:
        """Return the same of events that went through the network."""
        if not self.inverse_hessians:
            self._warn_once("%s has no inverse Hessian: its errors are 0, as in TMVA", name)
            nothing = np.zeros(passed.values[0].shape[1])
            return nothing, nothing
        if self.n_outputs > 1 and (self.is_multiclass or not self.has_errors):
            self._warn_once("%s has several outputs: the errors that TMVA computes for the first are meaningless", name)
        h, response = passed.neuron_inputs[-1][0], passed.values[-1][0]
        if self.is_compiled(h.size, errors=True, compiled=None) and len(self.inverse_hessians) == self.n_outputs:
            inputs = np.ascontiguousarray(passed.values[0].T, dtype=np.float32)
            found = responses.with_errors(self.network, inputs, Steps.none(), self._factors)
            laplace.roots_of_variances(found.variance[:, 0])  # reports negative ones
            lower, upper = found.lower[:, 0].copy(), found.upper[:, 0].copy()
        else:
            lower, upper = latent.error_bars(h, self.standard_deviations(passed), activation(self.output))
        if self.strict:
            lower[self.is_saturated(response)] = upper[self.is_saturated(response)] = np.nan
        return lower, upper

    def is_saturated(self, response: FloatArray) -> NDArray[np.bool_]:
        """Tell which responses TMVA has no errors for.

        TMVA: divides by the derivative of the output neuron, 0 where the response is exactly 0 or 1: errors are NaN.
        """
        return np.asarray(activation(self.output).derivative(response, response) == 0.0)

    def _warn_once(self, text: str, name: str) -> None:
        if "_warned" not in self.__dict__:
            self.__dict__["_warned"] = True
            log.warning(text, name)

    def response_sum(self, scale: OutputScale, n_groups: int) -> SumOfOutputs:
        """Return what adds up responses with the covariance of the sums."""
        return SumOfOutputs(self.network, self.inverse_hessians, scale, n_groups)

    # -- weight file, people

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        return weights_lines(
            self.matrices, self.inverse_hessians, layout_element=self.layout_element, error_factor=self.error_factor
        )

    def modernised(self) -> FittedMLP:
        """Return the same in the form that current TMVA reads."""
        return replace(self, layout_element=True)

    @property
    def summary(self) -> str:
        """Return the neurons of the layers, e.g. 4-9-1."""
        return "-".join(map(str, self.network.layer_sizes))

    def describe(self) -> list[tuple[str, str]]:
        """Return layers, neurons and what is known of errors."""
        return [
            ("layers", f"{self.summary} ({self.network.n_weights} weights)"),
            ("hidden neurons", f"{self.hidden}, {self.neuron_input}"),
            ("output neurons", f"{self.output}, trained with a softmax" if self.is_softmax else self.output),
            ("error bars", self._error_bars_in_words()),
        ]

    def _error_bars_in_words(self) -> str:
        if not self.has_errors:
            return f"no: {self.why_no_errors()}"
        return "yes" if self.error_factor is None else f"yes, made {self.error_factor:.3g} times as large by toys"

    def cpp(self, head: WeightFile) -> Part:
        """Return the network in C++."""
        return class_part(self, head)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the network to an ONNX graph."""
        return onnx_outputs(graph, self.network, x, self.inverse_hessians if errors else (), is_softmax=self.is_softmax)

    def onnx_multiclass(self, graph: Graph, outputs: str) -> str:
        """Append the probabilities of the classes."""
        return onnx_probabilities(graph, outputs, self.n_outputs)

    def inspection(self, head: WeightFile) -> Inspection:
        """Return a drawing of the network, and how good its inverse Hessian is."""
        return inspection(self, head)

    @property
    def interrupted_after(self) -> str:  # type: ignore[override]
        """Return the epoch after which Ctrl-C has ended the training."""
        interrupted = self.result is not None and self.result.stopped_by == "interrupt"
        return f"epoch {self.result.n_epochs}" if self.result is not None and interrupted else ""

    @property
    def n_iterations(self) -> int | None:
        """Return the number of epochs, if the network was just trained."""
        return None if self.result is None else self.result.n_epochs

    def monitoring(self, options: OptionSet, number: int, dataset: str) -> Iterator[Entry]:
        """Yield the estimators by epoch and the weights."""
        del dataset
        return monitoring(self, options, number)

    def ranking(self, events: MethodEvents, weights: FloatArray, names: Sequence[str]) -> Ranking:
        """Return the variables by their importance for the network."""
        return importance_ranking(events.inputs, weights, events.is_signal, self.network.matrices[0][:-1], names)
