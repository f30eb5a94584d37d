"""The element <Weights> of a forest: preselection, trees, nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.methods.bdt.forest import INNER, Forest, Int32Array, Tree
from pytmva_bnn.methods.bdt.preselection import SIDES, Preselection
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

_FLOATS = ("Cut", "res", "rms", "purity")
_DEFAULTS = {"res": "-99", "rms": "0"}  # files of TMVA 4.0.0 may lack them
_INTEGER = re.compile(r"\s*[-+]?[0-9]{1,9}\s*", re.ASCII)
_NUMBERS = re.compile(r"[-+0-9.eE\s]*", re.ASCII)
_NOT_FINITE = re.compile(r"\s*[-+]?(nan|inf|infinity)\s*", re.IGNORECASE)


class TreeStream:
    """Takes the trees while a file streams in: their text is a hundred times as large as their numbers."""

    tags = ("BinaryTree",)

    def __init__(self) -> None:
        self.trees: list[tuple[Tree, float]] = []

    def take(self, element: Element) -> None:
        """Take a tree."""
        parent = element.getparent()
        if parent is None or parent.tag != "Weights" or _depth(parent) != 1:
            return
        self.trees.append(_tree(element))
        element.clear()
        element.set("taken", str(len(self.trees) - 1))


def _depth(element: Element) -> int:
    return sum(1 for _ in element.iterancestors())


def read_forest(weights: Element, stream: TreeStream | None, n_variables: int) -> tuple[Forest, bool]:
    """Return the forest, and whether its trees are regression trees."""
    xml.count(weights, "NTrees")  # TMVA: it must be there, the children are what counts
    kind = xml.integer(weights, "TreeType" if weights.get("TreeType") is not None else "AnalysisType")
    trees: list[tuple[Tree, float]] = []
    for number, element in enumerate(xml.children(weights)):
        taken = element.get("taken") if stream is not None else None
        tree = _tree(element) if stream is None or taken is None else stream.trees[int(taken)]
        _check_variables(tree[0], n_variables, element, number)
        trees.append(tree)
    if not trees:
        xml.fail(weights, "there is no tree in it")
    return Forest.of([tree for tree, _ in trees], [weight for _, weight in trees]), kind == 1


def _tree(element: Element) -> tuple[Tree, float]:
    weight = _weight(element)
    roots = list(xml.children(element))
    if len(roots) != 1:
        xml.fail(element, f"a tree has one root, not {len(roots)} nodes")
    nodes, right = _pre_order(roots[0])
    count = len(nodes)
    variable = _integers(nodes, "IVar")
    coefficients = [(number, _coefficients(node)) for number, node in enumerate(nodes) if node.get("NCoef", "0") != "0"]
    if len({len(row) for _, row in coefficients}) > 1:
        xml.fail(element, "nodes of this tree have different numbers of Fisher coefficients")
    values = {name: _floats(nodes, name) for name in _FLOATS}
    tree = Tree(
        variable=variable,
        cut=values["Cut"],
        cut_type=_integers(nodes, "cType"),
        right=np.array(right, dtype=np.int32),
        node_type=_integers(nodes, "nType"),
        response=values["res"],
        rms=values["rms"],
        purity=values["purity"],
        fisher_nodes=np.array([number for number, _ in coefficients], dtype=np.int32),
        coefficients=np.array([row for _, row in coefficients]) if coefficients else np.empty((0, 0)),
    )
    for number in np.flatnonzero((tree.node_type == INNER) & (tree.right == 0)):
        xml.fail(nodes[number], "nType=0 says that the node has daughters, but there are none")
    if count > 1 and (np.abs(tree.cut_type) > 1).any():
        xml.fail(nodes[int(np.argmax(np.abs(tree.cut_type) > 1))], "cType must be 0 or 1")
    return tree, weight


def _weight(element: Element) -> float:
    text = xml.attribute(element, "boostWeight")
    if _NOT_FINITE.fullmatch(text):
        # TMVA: writes it after a perfect tree, and cannot read it: the tree counts as if it had no weight
        xml.warn_not_finite(f"line {element.sourceline}: the weight of a tree is {text.strip()}: it counts")
        return 0.0
    return xml.number(element, "boostWeight")


def _pre_order(root: Element) -> tuple[list[Element], list[int]]:
    """Return the nodes, left daughters first, and the numbers of the right daughters (0: none)."""
    nodes: list[Element] = []
    right: list[int] = []
    waiting: list[tuple[Element, int]] = [(root, -1)]  # with the number of the mother of a right daughter
    while waiting:
        node, mother = waiting.pop()
        if mother >= 0:
            right[mother] = len(nodes)
        number = len(nodes)
        nodes.append(node)
        right.append(0)
        if len(node):
            daughters = {child.get("pos"): child for child in node}
            if len(node) != 2 or set(daughters) != {"l", "r"}:
                xml.fail(node, "a node has two daughters, pos='l' and pos='r', or none")
            waiting.append((daughters["r"], number))
            waiting.append((daughters["l"], -1))
    return nodes, right


def _integers(nodes: list[Element], name: str) -> Int32Array:
    texts = [node.get(name) for node in nodes]
    for node, text in zip(nodes, texts, strict=True):
        if text is None or not _INTEGER.fullmatch(text):
            xml.integer(node, name)
            xml.fail(node, f"the attribute {name}={text!r} is too large")
    return np.array([int(text) for text in texts if text is not None], dtype=np.int32)


def _floats(nodes: list[Element], name: str) -> Float32Array:
    default = _DEFAULTS.get(name)
    texts = [node.get(name, default) for node in nodes]
    if name == "purity" and None in texts:
        return _purities(nodes)
    try:
        if not _NUMBERS.fullmatch(" ".join(text or "?" for text in texts)):
            raise ValueError
        values = np.array([float(text or "") for text in texts])
    except ValueError:
        values = np.array([_float(node, name, default) for node in nodes])
    if values.size and np.abs(values).max() > xml.LARGEST_FLOAT32:
        worst = nodes[int(np.argmax(np.abs(values)))]
        xml.fail(worst, f"the attribute {name}={worst.get(name)!r} does not fit into a 32-bit float")
    return values.astype(np.float32)


def _float(node: Element, name: str, default: str | None) -> float:
    text = node.get(name, default)
    if text is not None and _NOT_FINITE.fullmatch(text):
        return 0.0  # TMVA: C++ streams cannot read what C++ streams have written
    return xml.number(node, name)


def _purities(nodes: list[Element]) -> Float32Array:
    """Return the purities of TMVA 4.0, which wrote the sums of weights instead."""
    signal, background = (_floats(nodes, name) for name in ("nS", "nB"))
    with np.errstate(invalid="ignore", divide="ignore"):
        return (signal / (signal + background)).astype(np.float32)


def _coefficients(node: Element) -> list[float]:
    return [xml.number(node, f"fC{number}") for number in range(xml.count(node, "NCoef"))]


def _check_variables(tree: Tree, n_variables: int, element: Element, number: int) -> None:
    inner = tree.is_inner
    linear = np.zeros(len(tree), dtype=bool)
    linear[tree.fisher_nodes] = True
    bad = inner & ~(((tree.variable >= 0) & (tree.variable < n_variables)) | (linear & (tree.variable == n_variables)))
    if bad.any():
        worst = int(tree.variable[int(np.argmax(bad))])
        raise WeightFileError(
            f"a node of tree {number} cuts on variable number {worst}, but there are {n_variables} variables",
            element=str(element.tag),
            line=element.sourceline,  # type: ignore[arg-type]
        )
    if len(tree.coefficients) and tree.coefficients.shape[1] != n_variables + 1:
        raise WeightFileError(
            f"tree {number} has linear cuts with {tree.coefficients.shape[1]} coefficients; {n_variables} variables "
            f"and an offset need {n_variables + 1}",
            element=str(element.tag),
            line=element.sourceline,  # type: ignore[arg-type]
        )


def read_preselection(weights: Element, n_variables: int) -> Preselection:
    """Return the preselection, of files with DoPreselection=True."""
    is_on = np.zeros((len(SIDES), n_variables), dtype=bool)
    cuts = np.zeros((len(SIDES), n_variables))
    for side, name in enumerate(SIDES):
        for variable in range(n_variables):
            attribute = f"Preselection{name}Var{variable}"
            is_on[side, variable] = xml.integer(weights, attribute) != 0
            cuts[side, variable] = xml.number(weights, f"{attribute}Value")
    return Preselection(is_on, cuts)


def weights_lines(forest: Forest, *, regression: bool, preselection: Preselection | None) -> writing.Lines:
    """Yield the element <Weights>."""
    attributes: list[tuple[str, object]] = []
    if preselection is not None:
        for variable in range(preselection.cuts.shape[1]):
            for side, name in enumerate(SIDES):
                is_on, cut = preselection.is_on[side, variable], preselection.cuts[side, variable]
                attributes.append((f"Preselection{name}Var{variable}", int(is_on)))
                attributes.append((f"Preselection{name}Var{variable}Value", "%.16e" % (cut if is_on else 0.0)))
    attributes += [("NTrees", forest.n_trees), ("AnalysisType", int(regression))]
    yield writing.start(1, "Weights", attributes)
    for number, (tree, weight) in enumerate(zip(forest, forest.boost_weights.tolist(), strict=True)):
        text = writing.number("%.16e", weight)
        yield f'    <BinaryTree type="DecisionTree" boostWeight="{text}" itree="{number}">'
        yield from _node_lines(tree)
        yield "    </BinaryTree>"
    yield "  </Weights>"


def _node_lines(tree: Tree) -> Iterator[str]:
    coefficients = tree.coefficients_of()
    columns = [
        getattr(tree, name).tolist()
        for name in ("variable", "cut", "cut_type", "response", "rms", "purity", "node_type", "right")
    ]
    finite = all(np.isfinite(values).all() for values in (tree.cut, tree.response, tree.rms, tree.purity))
    closing: list[tuple[int, int]] = []  # the last node below an open one is known by counting daughters
    waiting: list[tuple[str, int]] = [("s", 0)]
    for number, (variable, cut, cut_type, res, rms, purity, node_type, right) in enumerate(zip(*columns, strict=True)):
        pos, depth = waiting.pop()
        row = coefficients.get(number)
        linear = "0"
        if row is not None:
            linear = f'{len(row)}" ' + " ".join(f'fC{k}="{value:.16e}"' for k, value in enumerate(row.tolist()))
            linear = linear[:-1]
        numbers: tuple[object, ...] = (cut, res, rms, purity)
        form = "%.16e"
        if not finite:
            numbers = tuple(writing.number(form, float(value)) for value in (cut, res, rms, purity))
            form = "%s"
        indentation = "  " * (3 + depth)
        content = (
            f'{indentation}<Node pos="{pos}" depth="{depth}" NCoef="{linear}" IVar="{variable}" Cut="{form}" '
            f'cType="{cut_type}" res="{form}" rms="{form}" purity="{form}" nType="{node_type}"'
        ) % numbers
        if right:
            yield f"{content}>"
            waiting += [("r", depth + 1), ("l", depth + 1)]
            closing.append((depth, 2))
            continue
        yield f"{content}/>"
        while closing:
            open_depth, left = closing.pop()
            if left > 1:
                closing.append((open_depth, left - 1))
                break
            yield f"{'  ' * (3 + open_depth)}</Node>"
