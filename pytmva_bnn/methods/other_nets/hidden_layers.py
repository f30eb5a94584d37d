"""The sizes of hidden layers from the option HiddenLayers."""

from __future__ import annotations

import logging

from pytmva_bnn.methods.mlp.option_table import hidden_layer_sizes

log = logging.getLogger("pytmva_bnn.options")


def hidden_sizes(text: str, n_variables: int, *, least: int) -> tuple[int, ...]:
    """Return the neurons of each hidden layer, at least ``least``.

    >>> hidden_sizes("N+1,n,1", 4, least=2)
    (5, 4, 2)
    """
    found = hidden_layer_sizes(text, n_variables)
    sizes = tuple(max(size, least) for size in found)
    if sizes != found:
        log.warning(
            "HiddenLayers=%s: a layer has at least %d neurons here: %s", text, least, ", ".join(map(str, sizes))
        )
    return sizes
