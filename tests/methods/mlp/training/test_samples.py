"""What a sample accepts and refuses."""

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.training import Sample


@pytest.mark.parametrize(
    ("inputs", "desired", "weights", "message"),
    [
        ([0.0], [1.0], [1.0], r"got the shapes \(1,\)"),
        ([[0.0], [1.0]], [1.0], None, "inputs of 2 events, but desired outputs of 1"),
        ([[0.0]], [1.0], [1.0, 1.0], "weights of 2"),
    ],
)
def test_shapes_must_fit_each_other(inputs, desired, weights, message):
    with pytest.raises(InputError, match=message):
        Sample.of(inputs, desired, weights)


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        (Sample.of([[0.0], [np.inf]], [1.0, 0.0]), "value inf as input 0 of event 1"),
        (Sample.of([[0.0]], [np.nan]), "value nan as desired output 0 of event 0"),
        (Sample.of([[0.0]], [1.0], [np.nan]), "value nan as weight of event 0"),
        (Sample.of([[0.0, 1.0]], [1.0]), "has 1 inputs and 1 outputs, but the training sample has 2 inputs"),
    ],
)
def test_values_must_be_finite_and_fit_the_network(sample, message):
    with pytest.raises(InputError, match=message):
        sample.check("training", 1, 1)


def test_blocks_hold_all_events_in_order():
    sample = Sample.of(np.arange(10.0).reshape(5, 2), np.arange(5.0), np.arange(5.0) + 1.0)
    blocks = sample.blocks(2)
    assert sample.blocks(2) is blocks
    np.testing.assert_array_equal(np.concatenate([b.inputs for b in blocks], axis=1)[:2].T, sample.inputs)
    assert all((b.inputs[-1] == 1.0).all() for b in blocks)
    np.testing.assert_array_equal(np.concatenate([b.weights for b in blocks]), sample.weights)


def test_events_of_negative_weight_can_be_left_out():
    sample = Sample.of([[0.0], [1.0], [2.0]], [0, 1, 0], [1.0, -1.0, 0.0])
    assert sample.without_negative_weights().inputs.ravel().tolist() == [0.0, 2.0]
    assert Sample.of([[0.0]], [1.0]).float32_sum_of_weights == 1.0
