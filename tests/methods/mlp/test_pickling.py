"""Networks, trainings and what is prepared for kernels can be pickled and copied, and work afterwards."""

import copy
import pickle

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.kernels.factor import Factors
from pytmva_bnn.methods.mlp.kernels.single_event import SingleEvent
from pytmva_bnn.methods.mlp.network import ACTIVATIONS, Network, forward
from pytmva_bnn.methods.mlp.training import Sample, TrainingSettings, initial_network, train
from pytmva_bnn.random import TRandom3
from pytmva_bnn.transform.compiled import Steps


@pytest.fixture(params=["pickle", "deepcopy"])
def copied(request):
    return copy.deepcopy if request.param == "deepcopy" else lambda thing: pickle.loads(pickle.dumps(thing))  # noqa: S301


def sample(n=50):
    x = np.random.default_rng(1).normal(size=(n, 2)).astype(np.float32)
    return Sample.of(x, (x[:, 0] > 0).astype(float))


@pytest.mark.parametrize("hidden", ACTIVATIONS)
def test_a_network(copied, mode, hidden):
    network = initial_network([2, 3, 1], TRandom3(1), hidden=hidden)
    x = sample().inputs
    expected, weights = forward(network, x), network.flat_weights()
    other = copied(network)
    assert (other.layer_sizes, other.hidden, other.n_weights) == ((2, 3, 1), hidden, 13)
    np.testing.assert_array_equal(forward(other, x), expected)
    other.matrices[0][0, 0] += 1.0
    np.testing.assert_array_equal(forward(network, x), expected)
    np.testing.assert_array_equal(network.flat_weights(), weights)
    weights[0] += 1.0
    np.testing.assert_array_equal(other.flat_weights(), weights)


def test_the_result_of_a_training(copied, mode):
    events = sample()
    settings = TrainingSettings(n_cycles=12, use_regulator=True)
    result = train(initial_network([2, 3, 1], TRandom3(1)), events, events, settings)
    other = copied(result)
    np.testing.assert_array_equal(other.network.flat_weights(), result.network.flat_weights())
    np.testing.assert_array_equal(other.inverse_hessian, result.inverse_hessian)
    np.testing.assert_array_equal(other.history.test, result.history.test)
    assert str(other.evidence) == str(result.evidence)
    assert (other.stopped_by, other.n_epochs) == (result.stopped_by, result.n_epochs)
    assert copied(settings) == settings


def test_a_sample_leaves_its_remembered_blocks_behind(copied):
    events = sample()
    events.blocks(10)
    other = copied(events)
    assert not other._remembered
    assert len(pickle.dumps(events)) == len(pickle.dumps(sample()))
    np.testing.assert_array_equal(other.inputs, events.inputs)


def test_factors_and_activations(copied):
    factors = Factors.of((np.array([[4.0, 2.0], [2.0, 5.0]]), -np.eye(2)))
    s = np.array([[1.0, 3.0]])
    for output in range(2):
        np.testing.assert_array_equal(copied(factors).variances(s, output), factors.variances(s, output))
    assert all(copied(one) is one for one in ACTIVATIONS.values())


def test_a_single_event_reads_the_memory_of_its_copy(compiled, copied):
    memory = np.float32([2.0])
    network = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    event = SingleEvent(network, Steps.none(), [memory])
    other, others_memory = copied((event, memory))
    others_memory[0] = 4.0
    assert (event.evaluate(), other.evaluate()) == (2.5, 4.5)
