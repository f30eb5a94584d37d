"""A tree as text, and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.methods.bdt.forest import Tree
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.fitted import FittedBDT


def drawn_tree(fitted: FittedBDT, head: WeightFile, number: int, levels: int | None = None) -> list[str]:
    """Return lines that draw a tree, down to so many levels; what passes a cut comes first."""
    tree, labels = fitted.forest[number], [variable.label for variable in head.variables]
    is_inner, depths = tree.is_inner, tree.depths()
    lines = [f"  {_title(fitted, head, number)}"]
    waiting = [(0, "", "  ", "  ")]  # node, condition to get there, beginnings of its line and of those below
    while waiting:
        node, condition, beginning, below = waiting.pop()
        if not is_inner[node]:
            lines.append(f"{beginning}{condition}{': ' if condition else ''}{leaf_words(fitted, tree, node)}")
            continue
        if condition:
            lines.append(f"{beginning}{condition}")
        if levels is not None and depths[node] >= levels:
            lines.append(f"{below}+- ... {_n_below(depths, node)} more nodes")
            continue
        (passed, failed), (if_passed, if_not) = cut_words(tree, node, labels), daughters(tree, node)
        waiting.append((if_not, failed, f"{below}+- ", f"{below}   "))
        waiting.append((if_passed, passed, f"{below}+- ", f"{below}|  "))
    return lines


def _title(fitted: FittedBDT, head: WeightFile, number: int) -> str:
    words = [f"weight {fitted.effective_weights[number]:g}"]
    if fitted.analysis == AnalysisType.MULTICLASS and head.classes:
        words.append(f"class {head.classes[number % fitted.n_classes]}")
    if head.transformations:
        words.append("cuts on the transformed variables")
    return ", ".join(words)


def daughters(tree: Tree, node: int) -> tuple[int, int]:
    """Return the daughter for events that pass the cut, and the other one."""
    left, right = node + 1, int(tree.right[node])
    return (right, left) if tree.cut_type[node] else (left, right)


def cut_words(tree: Tree, node: int, labels: Sequence[str]) -> tuple[str, str]:
    """Return what holds for events that pass the cut of a node, and for those that do not."""
    cut, variable = f"{tree.cut[node]:g}", int(tree.variable[node])
    row = tree.coefficients_of().get(node)
    if row is None or variable != len(row) - 1:
        name = labels[variable] if variable < len(labels) else f"variable {variable}"
        return f"{name} >= {cut}", f"{name} < {cut}"
    terms = [f"{value:+g}*{label}" for value, label in zip(row[:-1], labels, strict=False) if value]
    combination = " ".join([*terms, f"{row[-1]:+g}"]).removeprefix("+")
    return f"{combination} > {cut}", f"{combination} <= {cut}"


def leaf_words(fitted: FittedBDT, tree: Tree, node: int) -> str:
    """Return what a leaf answers."""
    if fitted.regression_trees:
        return f"{tree.response[node]:g}, rms {tree.rms[node]:g}"
    purity = f"purity {tree.purity[node]:g}"
    if not fitted.yes_no_leaf:
        return purity
    name = {1: "signal", -1: "background"}.get(int(tree.node_type[node]), str(tree.node_type[node]))
    return f"{name} ({purity})" if 0.0 <= tree.purity[node] <= 1.0 else name


def tree_data(fitted: FittedBDT, head: WeightFile, number: int) -> list[dict[str, Any]]:
    """Return the nodes of a tree in the order of the file, for JSON; daughters are numbers of nodes."""
    tree, labels = fitted.forest[number], [variable.label for variable in head.variables]
    answers = fitted.leaf_answers[fitted.forest.starts[number] : fitted.forest.starts[number + 1]]
    is_inner = tree.is_inner
    nodes: list[dict[str, Any]] = []
    for node, depth in enumerate(tree.depths().tolist()):
        data: dict[str, Any] = {"node": node, "depth": depth}
        if is_inner[node]:
            data |= {"condition": cut_words(tree, node, labels)[0], "cut": float(tree.cut[node])}
            data["if_passed"], data["if_not"] = daughters(tree, node)
        else:
            data["answer"] = float(answers[node])
        nodes.append(data)
    return nodes


def _n_below(depths: np.ndarray[Any, np.dtype[np.int32]], node: int) -> int:
    """Return how many nodes are below one: in pre-order all that follow until one is as high again."""
    outside = np.flatnonzero(depths[node + 1 :] <= depths[node])
    return int(outside[0]) if len(outside) else len(depths) - node - 1
