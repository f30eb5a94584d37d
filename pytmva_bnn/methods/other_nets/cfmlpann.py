"""CFMlpANN, the Clermont-Ferrand network: inputs scaled to [-1, 1], neurons (1 - e^-u)/(1 + e^-u), two outputs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import OptionError, WeightFileError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.option_table import check_hidden_layers
from pytmva_bnn.methods.other_nets.scaled import FittedScaled, Scaling
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionSet, OptionType
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Dialect, Section, WeightFile
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

log = logging.getLogger("pytmva_bnn.CFMlpANN")
N_OUTPUTS = 2
_FORM = "%.16e"


@dataclass(frozen=True, eq=False)
class FittedCFMlpANN(FittedScaled):
    """A trained Clermont-Ferrand network.

    ``ranges`` ``(n_variables, 2)`` are minimum and maximum of the training events; ``layers[l]`` is ``(n_{l+1}, 1 +
    n_l)``, a row for each neuron, its bias first; ``temperatures`` has one number for each layer, inputs included.
    """

    ranges: FloatArray
    layers: tuple[FloatArray, ...]
    temperatures: FloatArray
    interrupted_after: str = field(default="", metadata={"stored": False})

    hidden = "(1 - exp(-u))/(1 + exp(-u))"
    output = "the same; the response is (1 + first)/2"
    is_probability = False

    @cached_property
    def layer_sizes(self) -> tuple[int, ...]:
        """Return the neurons of the layers."""
        return (len(self.ranges), *map(len, self.layers))

    @cached_property
    def scaling(self) -> Scaling:
        """Return the limits of the inputs, and their scaling to [-1, 1]."""
        low, high = self.ranges.T
        width = (high - low) / 2.0
        # TMVA: refuses every event if a variable was constant; here such a variable counts as 0
        return Scaling(low, high, (high + low) / 2.0, np.where(width == 0.0, np.inf, width))

    @cached_property
    def network(self) -> Network:
        """Return the network from scaled inputs to the response, with tanh(u/2) for the function of the neurons."""
        # (1 + tanh(u/2))/2 is the sigmoid of u, so the output neuron needs no half
        halves = [*[0.5] * (len(self.layers) - 1), 1.0]
        # the second output is the background's, which the response does not use
        layers = (*self.layers[:-1], self.layers[-1][:1])
        matrices = [
            np.roll(layer, -1, axis=1).T * (half / temperature)
            for layer, half, temperature in zip(layers, halves, self.temperatures[1:], strict=True)
        ]
        return Network.from_matrices(matrices, hidden="tanh", output="sigmoid")

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        sizes = self.layer_sizes
        attributes = [("NVars", sizes[0]), ("NClasses", N_OUTPUTS), ("NLayers", len(sizes))]
        yield writing.start(1, "Weights", attributes)
        yield from writing.numbers(2, "VarMinMax", [], self.ranges, _FORM)
        yield from writing.element(2, "NNeurons", [], ["      " + "".join(f"{size} " for size in sizes)])
        for number, layer in enumerate(self.layers, start=1):
            yield from writing.element(2, f"Layer{number}", [("NNeurons", len(layer))], _neurons(layer))
        yield from writing.numbers(2, "LayerTemp", [], self.temperatures, _FORM)
        yield "  </Weights>"


def _neurons(layer: FloatArray) -> Iterator[str]:
    for number, row in enumerate(layer.tolist()):
        line = " ".join(writing.number(_FORM, value) for value in row)
        yield from writing.element(3, f"Neuron{number}", [], [f"        {line}"])


class CFMlpANN(Method):
    """TMVA's CFMlpANN."""

    kind: ClassVar[str] = "CFMlpANN"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION})
    options: ClassVar[tuple[Option, ...]] = (
        *METHOD_BASE_OPTIONS,
        Option("NCycles", OptionType.INT, 3000, "number of training cycles"),
        Option("HiddenLayers", OptionType.STRING, "N,N-1", "neurons of the hidden layers (N: number of variables)"),
    )
    records: ClassVar[tuple[type, ...]] = (FittedCFMlpANN,)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> None:
        """Check the options."""
        del analysis
        if options.integer("NCycles") < 1:
            raise OptionError(f"{title}: NCycles={options.integer('NCycles')}: it must be at least 1")

    def check_values(self, options: OptionSet, n_variables: int) -> None:
        """Check the hidden layers; one with too few neurons gets more."""
        del n_variables
        check_hidden_layers(options.string("HiddenLayers"), options.owner)

    def train(self, job: TrainingJob) -> FittedCFMlpANN:
        """Train a network."""
        from pytmva_bnn.methods.other_nets.cfmlpann_training import train_cfmlpann  # lazy: reading needs no training

        return train_cfmlpann(job)

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedCFMlpANN:
        """Read the network."""
        del how
        if section.words is not None:
            raise WeightFileError("text files of a CFMlpANN cannot be read; train it again, or write XML with TMVA 4")
        return _fitted(section.element, [variable.label for variable in head.variables])


def _fitted(weights: Element, variables: list[str]) -> FittedCFMlpANN:
    n_variables, n_layers = len(variables), xml.count(weights, "NLayers")
    if xml.count(weights, "NVars") != n_variables:
        xml.fail(weights, f"NVars={weights.get('NVars')} for {n_variables} variables")
    if xml.count(weights, "NClasses") != N_OUTPUTS or n_layers < 2:
        xml.fail(weights, f"a CFMlpANN has NClasses={N_OUTPUTS} and NLayers of at least 2")
    # TMVA: goes by the order of the elements, not by their names
    elements = list(xml.children(weights))
    if len(elements) != n_layers + 2:
        xml.fail(weights, f"NLayers={n_layers} needs {n_layers + 2} elements, there are {len(elements)}")
    ranges = xml.readable_numbers(elements[0], 2 * n_variables, "numbers").reshape(n_variables, 2)
    if (ranges[:, 1] < ranges[:, 0]).any():
        xml.fail(elements[0], "a maximum is below its minimum")
    for name in [variables[i] for i in np.flatnonzero(ranges[:, 0] == ranges[:, 1])]:
        log.warning(
            "the variable %s was constant in the training: TMVA refuses every event, here it has no effect", name
        )
    sizes = xml.numbers(elements[1], n_layers, "numbers of neurons").tolist()
    if sizes[0] != n_variables or sizes[-1] != N_OUTPUTS or not all(size >= 1 and size.is_integer() for size in sizes):
        xml.fail(elements[1], f"the layers must begin with {n_variables} neurons and end with {N_OUTPUTS}")
    layers = [_layer(element, int(n)) for element, n in zip(elements[2:-1], sizes[:-1], strict=True)]
    for element, layer, size in zip(elements[2:-1], layers, sizes[1:], strict=True):
        if len(layer) != size:
            xml.fail(element, f"{len(layer)} neurons where <{elements[1].tag}> says {size:g}")
    temperatures = xml.readable_numbers(elements[-1], n_layers, "temperatures")
    if not (temperatures > 0.0).all():
        xml.fail(elements[-1], "temperatures must be positive")
    return FittedCFMlpANN(ranges, tuple(layers), temperatures)


def _layer(element: Element, n_from: int) -> FloatArray:
    neurons = list(xml.children(element))
    if xml.count(element, "NNeurons") != len(neurons):
        xml.fail(element, f"NNeurons={element.get('NNeurons')}, but there are {len(neurons)} neurons")
    return np.array([xml.readable_numbers(neuron, 1 + n_from, "weights") for neuron in neurons]).reshape(-1, 1 + n_from)
