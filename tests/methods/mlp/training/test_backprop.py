"""Back-propagation: order, steps, batches and the learning rate."""

import math

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.training import (
    BPMode,
    Cost,
    Estimator,
    Sample,
    TrainingError,
    TrainingMethod,
    TrainingSettings,
    kernels,
    train,
)
from pytmva_bnn.methods.mlp.training.backprop import BPState, bp_epoch, late_epoch, shuffled
from pytmva_bnn.random import TRandom3

BATCH = TrainingSettings(method=TrainingMethod.BP, bp_mode=BPMode.BATCH, batch_size=4, n_cycles=100)


def test_the_shuffle_swaps_in_order_with_targets_below_the_last_place():
    numbers = TRandom3(5).rndm(20)
    expected = list(range(20))
    for i in range(20):
        j = int(numbers[i] * 19)
        expected[i], expected[j] = expected[j], expected[i]
    assert shuffled(20, TRandom3(5)) == expected
    assert shuffled(1, TRandom3(5)) == [0]


@pytest.mark.parametrize(("estimator", "n_outputs"), [(Estimator.CE, 1), (Estimator.MSE, 1), (Estimator.MSE, 2)])
def test_a_sequential_step_follows_the_gradient_of_the_event(make_problem, start, estimator, n_outputs):
    sample = make_problem(n_events=3, n_outputs=n_outputs)
    network = start(sample, 3, 2, estimator=estimator)
    expected = network.flat_weights()
    for i in (2, 0, 1):
        cost = Cost(network, sample.select(np.array([i])), estimator, np.zeros(network.n_weights))
        expected = expected - 0.1 * cost.error_and_gradient(expected)[1]
    (block,) = sample.blocks(3)
    found = kernels.sequential_pass(network, block, [2, 0, 1], estimator, 0.1, multiclass=False)
    np.testing.assert_allclose(found.flat_weights(), expected, rtol=1e-12)


def test_a_sequential_step_of_a_class_follows_the_entropy_of_the_softmax(make_problem, start):
    sample = make_problem(n_events=1, n_outputs=3)
    network = start(sample, 3, estimator=Estimator.MSE)
    (block,) = sample.blocks(1)

    def entropy(w):
        y = kernels.softmax(kernels.propagate(network.with_flat_weights(w), block).values[-1])
        t = block.desired / block.desired.sum()
        return float(-(t * np.log(y)).sum() * block.weights[0])

    # exactly one class
    block.desired[:] = [[0.0], [1.0], [0.0]]
    w = network.flat_weights()
    gradient = np.array([(entropy(w + s) - entropy(w - s)) / 2e-6 for s in 1e-6 * np.eye(w.size)])
    found = kernels.sequential_pass(network, block, [0], Estimator.MSE, 0.1, multiclass=True).flat_weights()
    np.testing.assert_allclose(found, w - 0.1 * gradient, atol=1e-8)
    passed = kernels.propagate(network, block)
    deltas = kernels.output_deltas(network, passed, block, Estimator.MSE, multiclass=True)
    np.testing.assert_allclose(kernels.back_propagated(network, passed, deltas), gradient, atol=1e-7)


def test_a_batch_of_all_events_is_a_step_along_the_gradient(make_problem, start):
    sample = make_problem(n_events=10)
    network = start(sample)
    whole = TrainingSettings(method=TrainingMethod.BP, bp_mode=BPMode.BATCH, batch_size=11)
    state = bp_epoch(0, BPState.start(network.flat_weights(), whole), network, sample, whole, TRandom3(1))
    gradient = Cost(network, sample, Estimator.CE, np.zeros(network.n_weights)).error_and_gradient(
        network.flat_weights()
    )[1]
    np.testing.assert_allclose(state.weights, network.flat_weights() - 0.02 * gradient, rtol=1e-12)


def test_what_is_left_over_at_the_end_of_an_epoch_counts_in_the_next(make_problem, start):
    sample = make_problem(n_events=10)
    network = start(sample)
    first = bp_epoch(0, BPState.start(network.flat_weights(), BATCH), network, sample, BATCH, TRandom3(1))
    assert first.n_pending == 2
    assert np.abs(first.pending).max() > 0.0
    random = TRandom3(1)
    random.skip(10)
    order = shuffled(10, random)
    zero = np.zeros(network.n_weights)
    of_batch = Cost(network, sample.select(np.array(order[:4])), Estimator.CE, zero)
    step = (first.pending + 4 * of_batch.error_and_gradient(first.weights)[1]) / 6
    after_first_batch = first.weights - first.rate * step
    second_batch = Cost(network, sample.select(np.array(order[4:8])), Estimator.CE, zero)
    expected = after_first_batch - first.rate * second_batch.error_and_gradient(after_first_batch)[1]
    random = TRandom3(1)
    random.skip(10)
    second = bp_epoch(1, first, network, sample, BATCH, random)
    np.testing.assert_allclose(second.weights, expected, rtol=1e-12)


def test_the_rate_decays_faster_in_the_last_epochs(make_problem, start):
    sample = make_problem(n_events=4)
    network = start(sample)
    assert late_epoch(100) == 94
    for epoch, factor in ((93, 0.99), (94, 1.0 - math.sqrt(0.01))):
        state = bp_epoch(epoch, BPState.start(network.flat_weights(), BATCH), network, sample, BATCH, TRandom3(1))
        assert state.rate == pytest.approx(0.02 * factor)


@pytest.mark.parametrize("mode", list(BPMode))
def test_events_of_negative_weight_can_be_ignored(make_problem, start, mode):
    sample = make_problem(n_events=20)
    mixed = Sample(sample.inputs, sample.desired, np.where(np.arange(20) % 3 == 0, -1.0, 1.0))
    zeroed = Sample(sample.inputs, sample.desired, np.maximum(mixed.weights, 0.0))
    settings = TrainingSettings(method=TrainingMethod.BP, bp_mode=mode, n_cycles=1, ignore_negative_weights=True)
    network = start(sample)
    ignored, none = (train(network, s, sample, settings).network.flat_weights() for s in (mixed, zeroed))
    if mode is BPMode.SEQUENTIAL:
        np.testing.assert_array_equal(ignored, none)
    else:
        # the mean is over the events that are used
        start_weights = network.flat_weights()
        np.testing.assert_allclose((ignored - start_weights) * 13, (none - start_weights) * 20, rtol=1e-9)


def test_regression_learns_its_targets(make_problem, start):
    sample = make_problem(n_events=300, binary=False)
    settings = TrainingSettings(
        method=TrainingMethod.BP, estimator=Estimator.MSE, analysis="Regression", n_cycles=15, learning_rate=0.05
    )
    result = train(start(sample, estimator=Estimator.MSE), sample, sample, settings)
    assert result.training_estimator < 0.35


def test_too_large_a_learning_rate_is_reported_with_advice(make_problem, start):
    sample = make_problem(binary=False)
    network = start(sample, estimator=Estimator.MSE, hidden="linear")
    settings = TrainingSettings(
        method=TrainingMethod.BP, estimator=Estimator.MSE, analysis="Regression", learning_rate=10.0
    )
    with pytest.raises(TrainingError, match=r"epoch \d+: weights have become infinite or NaN; use a smaller Learning"):
        train(network, sample, sample, settings)
