"""Recurrent layers: states of sequences ``(n_events, n_steps, n_inputs)``, each event beginning with state 0.

A gate is three matrices: weights of the inputs, weights of the state, biases.
"""

# ruff: noqa: N806 - the notation of the method

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network import activation

Gate: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]

_sigmoid = activation("sigmoid").value


def _inputs(x: FloatArray, gate: Gate) -> FloatArray:
    """Return what the inputs and the bias give to the gate, for all steps at once."""
    return np.asarray(x @ gate[0].T + gate[2][:, 0])


def rnn(x: FloatArray, state: Gate) -> FloatArray:
    """Return h_t = tanh(W x_t + U h_{t-1} + b) for all steps t."""
    given, U = _inputs(x, state), state[1].T
    h = np.zeros((len(x), len(state[1])))
    states = np.empty_like(given)
    for t in range(x.shape[1]):
        h = states[:, t] = np.tanh(given[:, t] + h @ U)
    return states


def lstm(x: FloatArray, input: Gate, forget: Gate, candidate: Gate, output: Gate) -> FloatArray:  # noqa: A002
    """Return the states of long short-term memory."""
    gates = (input, forget, output, candidate)
    given = [_inputs(x, gate) for gate in gates]
    h = c = np.zeros((len(x), len(input[1])))
    states = np.empty_like(given[0])
    for t in range(x.shape[1]):
        *sums, g = (one[:, t] + h @ gate[1].T for one, gate in zip(given, gates, strict=True))
        i, f, o = map(_sigmoid, sums)
        c = f * c + i * np.tanh(g)
        h = states[:, t] = o * np.tanh(c)
    return states


def gru(x: FloatArray, reset: Gate, update: Gate, candidate: Gate, *, reset_after: bool) -> FloatArray:
    """Return the states of gated recurrent units; ``reset_after``: the reset gate acts behind the state's weights."""
    r_given, u_given, g_given = (_inputs(x, gate) for gate in (reset, update, candidate))
    U = candidate[1].T
    h = np.zeros((len(x), len(reset[1])))
    states = np.empty_like(r_given)
    for t in range(x.shape[1]):
        r, u = (_sigmoid(given[:, t] + h @ gate[1].T) for given, gate in ((r_given, reset), (u_given, update)))
        g = np.tanh(g_given[:, t] + (r * (h @ U) if reset_after else (r * h) @ U))
        h = states[:, t] = u * h + (1.0 - u) * g
    return states
