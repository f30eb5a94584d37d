"""The sizes of the hidden layers, from the option HiddenLayers."""

from __future__ import annotations

import logging
import re

from pytmva_bnn.options.conversion import c_atoi

LOGGER = logging.getLogger("pytmva_bnn.options")

_PLAIN = re.compile(r"[Nn]|[Nn][+-][0-9]+|[0-9]+")


def hidden_layer_sizes(text: str, n_inputs: int) -> tuple[int, ...]:
    """Return the number of neurons of each hidden layer, bias neurons not counted.

    A WARNING is logged where a piece is not of the form ``7``, ``N``, ``N+5`` or ``N-1``, and where a layer
    is left with its bias neuron only.

    >>> hidden_layer_sizes("N+5,N-1,7", n_inputs=4)
    (9, 3, 7)
    >>> hidden_layer_sizes("", n_inputs=4)
    ()
    """
    pieces = text.split(",")
    # TMVA: nothing follows the last comma, but an empty piece elsewhere is a layer of size 0
    if not pieces[-1]:
        pieces.pop()
    return tuple(_size(piece, n_inputs) for piece in pieces)


def _size(piece: str, n_inputs: int) -> int:
    relative = piece[:1] in ("N", "n")
    # TMVA: atoi ignores what it cannot read (N*2 is N, 2N is 2) and needs no sign (N5 is N+5)
    size = max((n_inputs if relative else 0) + c_atoi(piece[relative:]), 0)
    if size == 0 or not _PLAIN.fullmatch(piece):
        LOGGER.warning("HiddenLayers: the layer '%s' was read as %d neurons", piece, size)
    return size
