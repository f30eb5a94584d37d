"""The forest in the text files of TMVA 3.9, which TMVA 4.0 could write too."""

from __future__ import annotations

import numpy as np

from pytmva_bnn.methods.bdt.forest import INNER, Forest, Tree
from pytmva_bnn.xmlio.reading import LARGEST_FLOAT32
from pytmva_bnn.xmlio.words import Words

_FIRST = ("seq:", "ivar:", "cut:", "cType:", "s:", "b:", "nEv:", "suw:", "buw:", "nEvuw:", "sepI:", "sepG:")
_MAX_TREES = 1_000_000
_MAX_INTEGER = 1 << 30
#: TMVA: neither purity nor response is restored from a text file; so these trees can only say yes or no
_NOT_RESTORED = -99.0


def read_text_forest(words: Words, n_variables: int) -> Forest:
    """Read the trees from the section #WGT."""
    words.expect("NTrees=")
    n_trees = words.count("the number of trees", _MAX_TREES)
    trees, weights = [], []
    for number in range(n_trees):
        words.expect("Tree")
        if words.count("the number of a tree", _MAX_TREES) != number:
            words.fail(f"tree {number} is expected")
        words.expect("boostWeight")
        weights.append(words.number("the weight of a tree"))
        trees.append(_tree(words, n_variables))
    if not trees:
        words.fail("there is no tree")
    return Forest.of(trees, weights)


def _tree(words: Words, n_variables: int) -> Tree:
    columns: dict[str, list[float]] = {name: [] for name in ("ivar:", "cut:", "cType:", "nType:")}
    right: list[int] = []
    mothers: list[int] = []  # the nodes on the way down to the node that is due
    while words.peek() != "-1":
        depth = words.count("the depth of a node, or -1 at the end of the tree")
        position = words.expect("l", "r", "s")
        number = len(right)
        if depth > len(mothers) or (depth == 0) != (number == 0):
            words.fail(f"a node of depth {depth} has no parent")
        del mothers[depth:]
        if position == "r" and depth:
            right[mothers[-1]] = number
        elif depth and mothers[-1] != number - 1:
            words.fail("a left daughter must follow its parent directly")
        mothers.append(number)
        right.append(0)
        _node(words, columns)
    words.next("-1")
    if not right:
        words.fail("a tree has at least one node")
    node_type = np.array(columns["nType:"], dtype=np.int32)
    variable = np.array(columns["ivar:"], dtype=np.int32)
    daughters = np.array(right, dtype=np.int32)
    if ((node_type == INNER) & (daughters == 0)).any():
        words.fail("a node with nType: 0 has no daughters")
    if ((node_type == INNER) & ((variable < 0) | (variable >= n_variables))).any():
        words.fail(f"a node cuts on a variable beyond the {n_variables} of the file")
    nothing = np.full(len(right), _NOT_RESTORED, dtype=np.float32)
    return Tree(
        variable=variable,
        cut=np.array(columns["cut:"], dtype=np.float32),
        cut_type=np.array(columns["cType:"], dtype=np.int32),
        right=daughters,
        node_type=node_type,
        response=nothing,
        rms=np.zeros(len(right), dtype=np.float32),
        purity=nothing,
    )


def _node(words: Words, columns: dict[str, list[float]]) -> None:
    for name in _FIRST:
        words.expect(name)
        _keep(words, columns, name)
    if words.expect("nType:", "res:") == "res:":  # since TMVA 4.0
        words.number("the response")
        # TMVA: its own reader does not expect the pair that its writer has put here
        if words.expect("nType:", "rms:") == "rms:":
            words.number("the rms")
            words.expect("nType:")
    _keep(words, columns, "nType:")
    for name in ("rms:", "CC:"):
        if words.peek() == name:
            words.next(name)
            words.number(f"the number after {name!r}")


def _keep(words: Words, columns: dict[str, list[float]], name: str) -> None:
    value = words.number(f"the number after {name!r}")
    if name not in columns:
        return
    if abs(value) > (LARGEST_FLOAT32 if name == "cut:" else _MAX_INTEGER) or (
        name != "cut:" and not value.is_integer()
    ):
        words.fail(f"the number {value:g} is not possible after {name!r}")
    columns[name].append(value)
