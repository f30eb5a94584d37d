"""How two forests differ: for ``pytmva-bnn compare``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.methods.bdt.drawing import cut_words, leaf_words
from pytmva_bnn.methods.bdt.forest import Tree
from pytmva_bnn.methods.bdt.inspection import COMBINATIONS, leaves_answer
from pytmva_bnn.methods.protocol import Agree
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.fitted import FittedBDT

_NUMBERS = ("cut", "response", "rms", "purity")
_KINDS = ("right", "node_type", "variable", "cut_type")


def differences(a: FittedBDT, b: FittedBDT, head: WeightFile, agree: Agree) -> tuple[list[str], str]:
    """Return the differences of two forests, and how many trees agree."""
    labels = [variable.label for variable in head.variables]
    settings = zip(_settings(a), _settings(b), strict=True)
    found = [f"{name}: {first} | {second}" for (name, first), (_, second) in settings if first != second]
    if not _same_preselection(a, b, agree):
        found.append("the preselection cuts differ")
    if a.forest.n_trees != b.forest.n_trees:
        found.append(f"trees: {a.forest.n_trees} | {b.forest.n_trees}")
    n_common = min(a.forest.n_trees, b.forest.n_trees)
    weights = [one.tree_weights[:n_common] for one in (a, b)]
    if not agree(*weights):
        number = next(k for k, pair in enumerate(zip(*weights, strict=True)) if not agree(*pair))
        first, second = (one[number] for one in weights)
        found.append(f"weights of trees, first that of tree {number}: {first:.9g} | {second:.9g}")
    differing = [k for k in range(n_common) if not _same_tree(a.forest[k], b.forest[k], agree)]
    if differing:
        number = differing[0]
        what = next(_node_differences((a, a.forest[number]), (b, b.forest[number]), labels, agree))
        found.append(f"nodes of {len(differing)} trees, first of tree {number}: {what}")
    return found, f"{n_common - len(differing)} of {n_common} trees have the same nodes"


def _settings(fitted: FittedBDT) -> list[tuple[str, str]]:
    return [
        ("boosting", fitted.boost_type),
        ("leaves answer", leaves_answer(fitted)),
        ("response", COMBINATIONS[fitted.combination]),
        ("number of outputs", str(fitted.n_outputs)),
        ("preselection is used", "yes" if fitted.active_preselection is not None else "no"),
    ]


def _same_preselection(a: FittedBDT, b: FittedBDT, agree: Agree) -> bool:
    if a.preselection is None or b.preselection is None:
        return a.preselection is b.preselection
    same = np.array_equal(a.preselection.is_on, b.preselection.is_on)
    return same and agree(a.preselection.cuts, b.preselection.cuts)


def _same_tree(a: Tree, b: Tree, agree: Agree) -> bool:
    return (
        all(np.array_equal(getattr(a, name), getattr(b, name)) for name in (*_KINDS, "fisher_nodes"))
        and all(agree(getattr(a, name), getattr(b, name)) for name in _NUMBERS)
        and agree(a.coefficients, b.coefficients)
    )


def _node_differences(
    a: tuple[FittedBDT, Tree], b: tuple[FittedBDT, Tree], labels: Sequence[str], agree: Agree
) -> Iterator[str]:
    """Yield in words how the nodes of two trees differ, one after the other."""
    (_, first), (_, second) = a, b
    depths = first.depths()
    for node in range(min(len(first), len(second))):
        words = [_words(*one, node, labels) for one in (a, b)]
        place = f"node {node} (depth {depths[node]})"
        if words[0] != words[1]:
            yield f"{place}: {words[0]} | {words[1]}"
        for name in (*_KINDS, *_NUMBERS):
            pair = getattr(first, name)[node], getattr(second, name)[node]
            if not agree(*pair):
                yield f"{place}: {words[0]}, {name.replace('_', ' ')} {pair[0]:.9g} | {pair[1]:.9g}"
    if len(first) != len(second):
        yield f"{len(first)} nodes | {len(second)} nodes"
    yield "coefficients of linear combinations"


def _words(fitted: FittedBDT, tree: Tree, node: int, labels: Sequence[str]) -> str:
    if not tree.is_inner[node]:
        return f"leaf, {leaf_words(fitted, tree, node)}"
    passed, failed = cut_words(tree, node, labels)
    return f"{passed if tree.cut_type[node] else failed} to the right"
