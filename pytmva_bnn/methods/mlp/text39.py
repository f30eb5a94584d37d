"""The weights of a network in the text files of TMVA up to 3.9."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.option_table import hidden_layer_sizes
from pytmva_bnn.weights import WeightFile
from pytmva_bnn.xmlio.words import Words

_SYNAPSE = re.compile(r"\(layer(\d{1,9}),neuron(\d{1,9})\)-\(layer(\d{1,9}),neuron(\d{1,9})\):?")


def read_text_matrices(words: Words, head: WeightFile) -> tuple[FloatArray, ...]:
    """Read the weight matrices from the section #WGT."""
    value = {option.name.lower(): option.value for option in head.options}
    n_inputs = len(head.variables)
    # TMVA 3.9: what its default was
    hidden = hidden_layer_sizes(value.get("hiddenlayers", "N-1,N-2"), n_inputs)
    return _matrices(words, [n_inputs, *hidden, 1])


def _matrices(words: Words, layers: list[int]) -> tuple[FloatArray, ...]:
    words.expect("Weights")
    needed = sum((n_from + 1) * n_to for n_from, n_to in pairwise(layers))
    if words.n_left < 2 * needed:
        described = "-".join(map(str, layers))
        words.fail(f"the network {described} has {needed} weights, but the file has {words.n_left // 2}")
    matrices = []
    for layer, (n_from, n_to) in enumerate(pairwise(layers)):
        matrix = np.empty((n_from + 1, n_to))
        for j in range(n_from + 1):
            for k in range(n_to):
                label = words.next("a synapse")
                expected = (layer, j, layer + 1, k)
                found = _SYNAPSE.fullmatch(label)
                if found is None or tuple(map(int, found.groups())) != expected:
                    words.fail(
                        f"the synapse (layer{layer},neuron{j})-(layer{layer + 1},neuron{k}) is expected, not {label!r}"
                    )
                matrix[j, k] = words.number("a weight")
        matrices.append(matrix)
    if not words.at_end():
        words.fail("there are more weights than the network has synapses")
    return tuple(matrices)
