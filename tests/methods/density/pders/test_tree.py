"""The search tree: how it grows, its statistics, sums in its order."""

import numpy as np
import pytest

from pytmva_bnn.methods.density.pders.tree import SearchTree


def sample(kind, n=200):
    random = np.random.default_rng(3)
    x = random.normal(size=(n, 3))
    if kind == "integers":
        x = random.integers(0, 3, size=(n, 2))
    elif kind == "sorted":
        x = np.sort(x[:, :1], axis=0)
    elif kind == "equal":
        x = np.ones((40, 2))
    return x.astype(np.float32)


def tree_of(x, *, balanced=False, weights=None):
    n = len(x)
    weights = np.random.default_rng(1).uniform(0.5, 2.0, n) if weights is None else weights
    return SearchTree.grown(x, x[:, :1], weights, np.arange(n) % 2, balanced=balanced)


@pytest.mark.parametrize("kind", ["continuous", "integers", "sorted", "equal"])
@pytest.mark.parametrize("balanced", [False, True])
def test_trees_grow_as_by_insertion_one_by_one(kind, balanced, naive_tree):
    x = sample(kind)
    tree = tree_of(x, balanced=balanced)
    expected = naive_tree(x, balanced)
    events = [event for event, _, _ in expected]
    np.testing.assert_array_equal(tree.variables, x[events])
    np.testing.assert_array_equal(tree.targets, x[events, :1])
    np.testing.assert_array_equal(tree.classes, np.array(events) % 2)
    assert tree.depths.tolist() == [depth for _, depth, _ in expected]
    assert tree.is_right.tolist() == [int(side == "r") for _, _, side in expected]
    assert tree.misplaced().size == 0
    if kind == "continuous":
        assert (tree.depths.max() < 10) == balanced


def test_misplaced_nodes_are_found():
    x = sample("continuous")
    tree = tree_of(x)
    for node in (5, 150):
        changed = tree.variables.copy()
        changed[node] = -99.0 if tree.is_right[node] else 99.0
        moved = SearchTree(changed, tree.targets, tree.weights, tree.classes, tree.depths, tree.is_right)
        assert node in moved.misplaced()


def test_sums_in_the_order_of_the_tree():
    tree = tree_of(sample("continuous", 7), weights=np.array([1e8, 1.0, -1e8, 3.0, 0.25, 1e-8, 7.0]))
    # a node, then the sum of all on its left, then that of all on its right

    def total(node, inside):
        below = np.flatnonzero(tree.parents == node)
        result = float(tree.weights[node]) if inside[node] else 0.0
        for side in (0, 1):
            for child in below[tree.is_right[below] == side]:
                result += total(child, inside)
        return result

    random = np.random.default_rng(2)
    inside = random.random((50, 7)) < 0.7
    np.testing.assert_array_equal(tree.ordered_sums(inside), [total(0, one) for one in inside])


def test_statistics_of_both_classes():
    x = sample("continuous")
    tree = tree_of(x)
    for number in (0, 1):
        chosen = tree.classes == number
        w = tree.weights[chosen].astype(float)
        mean = w @ tree.variables[chosen] / w.sum()
        rms = np.sqrt(w @ (tree.variables[chosen] - mean) ** 2 / w.sum())
        assert tree.statistics.sums[number] == pytest.approx(w.sum(), rel=1e-12)
        np.testing.assert_allclose(tree.statistics.rms[number], rms, rtol=1e-5)
    alone = SearchTree.grown(x, x[:, :1], np.ones(200), np.zeros(200, dtype=int), balanced=False)
    assert alone.statistics.sums.tolist() == [200.0, 0.0]
    assert alone.statistics.rms[1].tolist() == [0.0, 0.0, 0.0]


def test_a_constant_variable_has_no_width():
    x = np.full((50, 1), 0.1, dtype=np.float32)
    assert tree_of(x, weights=np.full(50, 0.3)).statistics.rms.tolist() == [[0.0], [0.0]]
