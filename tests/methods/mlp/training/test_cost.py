"""The monitored estimator and its peculiarities."""

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import Network, forward
from pytmva_bnn.methods.mlp.training import Cost, Estimator, Sample, monitored_estimator
from pytmva_bnn.methods.mlp.training.cost import check_desired


def constant(*values, output="linear"):
    """A network whose outputs do not depend on its input."""
    return Network.from_matrices([np.array([np.zeros(len(values)), values])], output=output)


def test_the_cross_entropy_counts_twice():
    found = monitored_estimator(constant(0.0, output="sigmoid"), Sample.of([[0.0]], [1.0]), Estimator.CE)
    assert found == pytest.approx(2.0 * np.log(2.0))


def test_squares_are_not_halved():
    assert monitored_estimator(constant(2.0), Sample.of([[0.0]], [0.0]), Estimator.MSE) == 4.0


def test_all_targets_count_but_only_the_last_class():
    sample = Sample.of([[0.0]], [[0.0, 0.0]])
    assert monitored_estimator(constant(1.0, 3.0), sample, Estimator.MSE) == 10.0
    assert monitored_estimator(constant(1.0, 3.0), sample, Estimator.MSE, multiclass=True) == 9.0


def test_the_sum_of_weights_is_single_precision():
    weights = np.full(1000, 0.1)
    total = np.float32(0.0)
    for weight in weights.astype(np.float32):
        total += weight
    found = monitored_estimator(constant(1.0), Sample.of(np.zeros((1000, 1)), np.zeros(1000), weights), Estimator.MSE)
    assert found == pytest.approx(weights.sum() / float(total), rel=1e-15)
    assert found != 1.0


def test_a_weight_range_keeps_the_events_of_smallest_deviation():
    sample = Sample.of(np.zeros((4, 1)), [0.0, 3.0, 1.0, 2.0], [1.0, 1.0, 1.0, 1.0])
    assert monitored_estimator(constant(0.0), sample, Estimator.MSE, weight_range=0.75) == pytest.approx(5.0 / 3.0)
    assert monitored_estimator(constant(0.0), sample, Estimator.MSE, weight_range=0.1) == 0.0


def test_without_events_there_is_no_estimator():
    empty = Sample.of(np.zeros((0, 1)), np.zeros((0, 1)))
    assert np.isnan(monitored_estimator(constant(1.0), empty, Estimator.MSE))


def test_an_output_at_the_wrong_end_costs_much_but_not_infinitely_much():
    cost = Cost(constant(0.0, output="sigmoid"), Sample.of([[0.0]], [0.0]), Estimator.CE, np.zeros(2))
    assert cost.error(np.array([0.0, 900.0])) == 900.0
    assert cost.error(np.array([0.0, 36.0])) == pytest.approx(36.0, abs=0.1)


def test_cross_entropy_wants_zeros_and_ones():
    with pytest.raises(InputError, match=r"event 1 has \[1.0, 0.5\]"):
        check_desired(Sample.of([[0.0], [0.0]], [[0.0, 1.0], [1.0, 0.5]]), Estimator.CE)


@pytest.mark.parametrize("neuron_input", ["sum", "sqsum", "abssum"])
def test_the_outputs_are_those_of_the_network(make_problem, neuron_input):
    sample = make_problem(n_events=10)
    random = np.random.default_rng(1)
    network = Network.from_matrices(
        [random.normal(size=(3, 4)), random.normal(size=(5, 1))], output="linear", neuron_input=neuron_input
    )
    expected = float(np.sum(0.5 * sample.weights * (forward(network, sample.inputs)[:, 0] - sample.desired[:, 0]) ** 2))
    found = Cost(network, sample, Estimator.MSE, np.zeros(17)).error(network.flat_weights())
    assert found == pytest.approx(expected, rel=1e-13)


def test_the_size_of_blocks_changes_no_more_than_rounding(make_problem, start, monkeypatch):
    sample = make_problem(n_events=700)
    network = start(sample)
    cost = Cost(network, sample, Estimator.CE, np.zeros(network.n_weights))
    error, gradient = cost.error_and_gradient(network.flat_weights())
    for size in (1, 7, 256, 1000):
        monkeypatch.setattr("pytmva_bnn.methods.mlp.training.kernels.block_size", lambda _, size=size: size)
        other_error, other_gradient = cost.error_and_gradient(network.flat_weights())
        assert other_error == pytest.approx(error, rel=1e-13)
        np.testing.assert_allclose(other_gradient, gradient, rtol=1e-11, atol=1e-15)
