"""TMlpANN, ROOT's TMultiLayerPerceptron as a method: inputs of mean 0 and rms 1, sigmoids, a linear output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
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

LEARNING_METHODS = ("Stochastic", "Batch", "SteepestDescent", "RibierePolak", "FletcherReeves", "BFGS")
_HIDDEN = re.compile(r"[1-9][0-9]{0,5}")


@dataclass(frozen=True, eq=False)
class FittedTMlpANN(FittedScaled):
    """A trained TMultiLayerPerceptron, its numbers as the file has them: with six digits.

    ``normalisation`` ``(n_variables, 2)`` are rms and mean; ``neurons`` the biases of all neurons, those of the inputs
    without effect; ``synapses`` the weights, neuron by neuron, each from all neurons of the layer before.
    """

    build_options: str
    normalisation: FloatArray
    neurons: FloatArray
    synapses: FloatArray
    interrupted_after: str = field(default="", metadata={"stored": False})

    hidden = "sigmoid"
    output = "linear"
    precision = "rms and mean of the inputs are rounded to float32; the rest is float64"

    @cached_property
    def layer_sizes(self) -> tuple[int, ...]:
        """Return the neurons of the layers."""
        return layer_sizes_of(self.build_options)

    @cached_property
    def scaling(self) -> Scaling:
        """Return the normalisation of the inputs."""
        # TMVA: reads both as float32
        rms, mean = self.normalisation.T.astype(np.float32).astype(np.float64)
        return Scaling(np.full(len(rms), -np.inf), np.full(len(rms), np.inf), mean, rms)

    @cached_property
    def network(self) -> Network:
        """Return the network behind the normalisation."""
        matrices, first, bias = [], 0, self.layer_sizes[0]
        for n_from, n_to in pairwise(self.layer_sizes):
            weights = self.synapses[first : first + n_from * n_to].reshape(n_to, n_from)
            matrices.append(np.vstack([weights.T, self.neurons[bias : bias + n_to]]))
            first, bias = first + n_from * n_to, bias + n_to
        return Network.from_matrices(matrices, hidden="sigmoid", output="linear")

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        yield "  <Weights>"
        yield writing.empty(2, "Architecture", [("BuildOptions", self.build_options)])
        parts = (self.normalisation, np.array([1.0, 0.0]), self.neurons, self.synapses)
        for name, values in zip(("input", "output", "neurons", "synapses"), parts, strict=True):
            yield from writing.numbers(2, name, [], values, writing.SHORT)
        yield "  </Weights>"


def layer_sizes_of(build_options: str) -> tuple[int, ...]:
    """Return the neurons of the layers, the single output included; ValueError if it is not of TMVA's form.

    >>> layer_sizes_of("@var1,@var2:5:4:type")
    (2, 5, 4, 1)
    """
    # names of variables have no colon and no comma: TMVA replaces what is not a letter or a digit
    inputs, *hidden, output = build_options.split(":")
    if output != "type" or not inputs or not all(map(_HIDDEN.fullmatch, hidden)):
        raise ValueError(f"BuildOptions={build_options!r} is not of the form '@var1,@var2:5:4:type'")
    return (inputs.count(",") + 1, *map(int, hidden), 1)


class TMlpANN(Method):
    """TMVA's TMlpANN."""

    kind: ClassVar[str] = "TMlpANN"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION})
    options: ClassVar[tuple[Option, ...]] = (
        *METHOD_BASE_OPTIONS,
        Option("NCycles", OptionType.INT, 200, "number of training epochs"),
        Option("HiddenLayers", OptionType.STRING, "N,N-1", "neurons of the hidden layers (N: number of variables)"),
        Option("ValidationFraction", OptionType.DOUBLE, 0.5, "fraction of the training events used for validation"),
        Option("LearningMethod", OptionType.STRING, "Stochastic", "how the weights are found", LEARNING_METHODS),
    )
    more_options: ClassVar[tuple[Option, ...]] = (
        Option("RandomSeed", OptionType.INT, 1, "seed of the initial weights; TMVA takes the time of day"),
    )
    records: ClassVar[tuple[type, ...]] = (FittedTMlpANN,)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> None:
        """Check the options."""
        del analysis
        fraction = options.real("ValidationFraction")
        if not 0.0 <= fraction < 1.0:
            raise OptionError(f"{title}: ValidationFraction={fraction:g} must be at least 0 and below 1")
        if options.integer("NCycles") < 1:
            raise OptionError(f"{title}: NCycles={options.integer('NCycles')}: it must be at least 1")

    def check_values(self, options: OptionSet, n_variables: int) -> None:
        """Check the hidden layers; one with too few neurons gets more."""
        del n_variables
        check_hidden_layers(options.string("HiddenLayers"), options.owner)

    def train(self, job: TrainingJob) -> FittedTMlpANN:
        """Train a network."""
        from pytmva_bnn.methods.other_nets.tmlpann_training import train_tmlpann  # lazy: reading needs no training code

        # TMVA: the file has the value in lower case
        job.options.set_value("LearningMethod", job.options.string("LearningMethod").lower())
        return train_tmlpann(job)

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedTMlpANN:
        """Read the network."""
        del how
        if section.words is not None:
            raise WeightFileError("text files of a TMlpANN cannot be read; train it again, or write XML with TMVA 4")
        return _fitted(section.element, len(head.variables))


def _fitted(weights: Element, n_variables: int) -> FittedTMlpANN:
    architecture = xml.child(weights, "Architecture")
    build_options = xml.attribute(architecture, "BuildOptions")
    try:
        sizes = layer_sizes_of(build_options)
    except ValueError as error:
        xml.fail(architecture, str(error))
    if sizes[0] != n_variables:
        xml.fail(architecture, f"BuildOptions={build_options!r} has {sizes[0]} inputs for {n_variables} variables")
    counts = {
        "input": 2 * n_variables,
        "output": 2,
        "neurons": sum(sizes),
        "synapses": sum(n * m for n, m in pairwise(sizes)),
    }
    found = {name: xml.readable_numbers(xml.child(weights, name), n, "numbers") for name, n in counts.items()}
    if found["output"].tolist() != [1.0, 0.0]:
        xml.fail(xml.child(weights, "output"), "an output other than '1 0' is not supported: TMVA writes no other")
    normalisation = found["input"].reshape(n_variables, 2)
    if not (normalisation[:, 0].astype(np.float32) > 0.0).all():
        xml.fail(xml.child(weights, "input"), "the rms of an input must be positive")
    return FittedTMlpANN(build_options, normalisation, found["neurons"], found["synapses"])
