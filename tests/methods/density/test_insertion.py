"""Trees that grow by insertion, and points in buckets."""

import numpy as np
import pytest

from pytmva_bnn.methods.density.buckets import CAPACITY, EMPTY, Buckets
from pytmva_bnn.methods.density.insertion import grow


def test_a_tree_by_hand():
    x = np.float32([[5, 5], [3, 7], [8, 1], [5, 9], [3, 7], [4, 2]])
    tree = grow(x, equal_goes_left=True)
    # 5 is the root; 3 and the second 5 are not larger: left; then the second variable decides
    assert tree.children.tolist() == [[1, 2], [4, 3], [-1, -1], [-1, -1], [-1, 5], [-1, -1]]
    assert tree.splits.tolist() == [5, 7, 1, 5, 3, 2]
    assert tree.depths.tolist() == [0, 1, 1, 2, 2, 3]
    assert tree.sizes()[:-1].tolist() == [6, 4, 1, 1, 2, 1]
    assert tree.pre_order().tolist() == [0, 1, 5, 4, 2, 3]


def test_equal_values_may_go_right():
    tree = grow(np.float32([[1], [1], [0]]), equal_goes_left=False)
    assert tree.children.tolist() == [[2, 1], [-1, -1], [-1, -1]]


def test_below_levels_without_events():
    tree = grow(np.float32([[1, 9], [4, 2], [3, 9]]), equal_goes_left=False, top=np.float32([2, 5, 5]))
    # node 0 splits at 2, nodes 1 and 2 at 5 in the second variable; the events are nodes 3 to 5
    assert tree.children.tolist() == [[1, 2], [-1, 3], [4, 5], [-1, -1], [-1, -1], [-1, -1]]
    assert tree.depths.tolist() == [0, 1, 1, 2, 2, 2]
    assert tree.splits[3:].tolist() == [1, 4, 3]


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 700])
def test_every_point_is_in_one_bucket_within_its_boxes(n):
    x = np.random.default_rng(n).normal(size=(n, 3)).astype(np.float32)
    buckets = Buckets.of(x)
    used = buckets.numbers[buckets.numbers != EMPTY]
    assert sorted(used.tolist()) == list(range(n))
    n_buckets = len(buckets.points)
    assert n_buckets == 1 or n_buckets < 2 * n / CAPACITY + 1
    for place, number in enumerate(buckets.numbers):
        bucket, column = divmod(place, CAPACITY)
        point = buckets.points[bucket, :, column]
        if number == EMPTY:
            assert np.isinf(point).all()
            continue
        np.testing.assert_array_equal(point, x[number])
        box = bucket + n_buckets - 1
        while True:
            assert (buckets.lower[box] <= point).all()
            assert (point <= buckets.upper[box]).all()
            if box == 0:
                break
            box = (box - 1) // 2


def test_only_chosen_points_are_in_buckets():
    x = np.arange(300, dtype=np.float32)[:, None]
    buckets = Buckets.of(x, np.arange(0, 300, 3))
    assert sorted(buckets.numbers[buckets.numbers != EMPTY].tolist()) == list(range(0, 300, 3))
