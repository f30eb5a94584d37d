"""The multi-layer perceptron as plain arrays and pure functions.

>>> import numpy as np
>>> from pytmva_bnn.methods.mlp.network import Network, forward
>>> net = Network.from_matrices([np.array([[1.0], [0.5]]), np.array([[2.0], [0.0]])], hidden="tanh", output="linear")
>>> forward(net, np.array([[0.5]]))
array([[1.52318831]])
"""

from pytmva_bnn.methods.mlp.network.activations import ACTIVATIONS, Activation, activation
from pytmva_bnn.methods.mlp.network.forward import Propagation, forward, propagate
from pytmva_bnn.methods.mlp.network.layout import Network
from pytmva_bnn.methods.mlp.network.sensitivities import output_sensitivities

__all__ = [
    "ACTIVATIONS",
    "Activation",
    "Network",
    "Propagation",
    "activation",
    "forward",
    "output_sensitivities",
    "propagate",
]
