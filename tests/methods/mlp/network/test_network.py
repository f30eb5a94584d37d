from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import Network, activation, forward, output_sensitivities, propagate


def random_network(seed: int, sizes: tuple[int, ...], **kind: str) -> Network:
    rng = np.random.default_rng(seed)
    matrices = [rng.normal(size=(a + 1, b)) for a, b in pairwise(sizes)]
    return Network.from_matrices(matrices, **kind)


def naive_outputs(network: Network, event: list[float]) -> list[float]:
    """One event through the network in plain Python, in TMVA's order of additions."""
    values = list(event)
    for number, matrix in enumerate(network.matrices):
        last = number == len(network.matrices) - 1
        function = activation(network.output if last else network.hidden)
        values = [*values, 1.0]
        after = []
        for k in range(matrix.shape[1]):
            z = 0.0
            for j, a in enumerate(values):
                term = float(matrix[j, k]) * a
                z += {"sum": term, "sqsum": term * term, "abssum": abs(term)}[network.neuron_input]
            after.append(float(function.value(np.array([z]))[0]))
        values = after
    return values


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    sizes=st.lists(st.integers(1, 6), min_size=2, max_size=5),
    hidden=st.sampled_from(["linear", "sigmoid", "tanh", "ReLU", "radial", "fast tanh"]),
    output=st.sampled_from(["linear", "sigmoid"]),
    neuron_input=st.sampled_from(["sum", "sqsum", "abssum"]),
)
def test_forward_equals_plain_python_bit_for_bit(seed, sizes, hidden, output, neuron_input):
    network = random_network(seed, tuple(sizes), hidden=hidden, output=output, neuron_input=neuron_input)
    events = np.random.default_rng(seed + 1).normal(size=(7, sizes[0]))
    expected = [naive_outputs(network, event) for event in events.tolist()]
    np.testing.assert_array_equal(forward(network, events), expected)


def test_an_event_alone_gives_the_very_number_it_gives_in_a_batch():
    network = random_network(3, (4, 9, 5, 2), output="linear")
    events = np.random.default_rng(4).normal(size=(501, 4))
    alone = np.concatenate([forward(network, events[i : i + 1]) for i in range(len(events))])
    np.testing.assert_array_equal(alone, forward(network, events))


@pytest.mark.parametrize("hidden", ["linear", "sigmoid", "tanh", "ReLU", "radial"])
@pytest.mark.parametrize("sizes", [(2, 1), (3, 5, 1), (2, 4, 3, 2), (2, 0, 1)])
def test_sensitivities_agree_with_finite_differences(hidden, sizes):
    network = random_network(7, sizes, hidden=hidden, output="sigmoid")
    events = np.random.default_rng(8).normal(size=(20, sizes[0]))
    weights, step = network.flat_weights(), 1e-6
    for output in range(sizes[-1]):
        found = output_sensitivities(network, propagate(network, events), output)
        for number in range(network.n_weights):
            shift = np.zeros_like(weights)
            shift[number] = step
            high, low = (
                propagate(network.with_flat_weights(weights + s), events).neuron_inputs[-1][output]
                for s in (shift, -shift)
            )
            np.testing.assert_allclose(found[:, number], (high - low) / (2 * step), atol=1e-7)


def test_flat_weights_are_in_the_order_of_the_file_and_come_back():
    network = Network.from_matrices([np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0], [6.0], [7.0]])])
    np.testing.assert_array_equal(network.flat_weights(), [1, 2, 3, 4, 5, 6, 7])
    again = network.with_flat_weights(network.flat_weights() * 2)
    np.testing.assert_array_equal(again.matrices[1], [[10], [12], [14]])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Network.from_matrices([]), "at least one weight matrix"),
        (lambda: Network.from_matrices([np.zeros(3)]), "shape"),
        (lambda: Network.from_matrices([np.zeros((3, 4)), np.zeros((4, 1))]), "4 rows.*4 neurons and a bias"),
        (lambda: Network.from_matrices([np.zeros((3, 1))], hidden="Tanh"), "did you mean tanh"),
        (lambda: Network.from_matrices([np.zeros((3, 1))], neuron_input="product"), "not one of sum, sqsum, abssum"),
        (lambda: forward(Network.from_matrices([np.zeros((3, 1))]), np.zeros((5, 3))), r"2 inputs.*\(5, 3\)"),
        (lambda: Network.from_matrices([np.zeros((3, 1))]).with_flat_weights(np.zeros(2)), "3 weights are needed"),
    ],
)
def test_wrong_shapes_and_names_are_told(make, message):
    with pytest.raises(InputError, match=message):
        make()
