"""The element <Weights> of a forest: preselection, trees, nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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

_ATTRIBUTES = ("NCoef", "IVar", "Cut", "cType", "res", "rms", "purity", "nType", "nS", "nB")
_DAUGHTERS = "a node has two daughters, pos='l' and pos='r', or none"
_INTEGER = re.compile(r"\s*[-+]?[0-9]{1,9}\s*", re.ASCII)
_IN_NUMBERS = b"+-0123456789.eE \t\r\n"
_NOT_FINITE = re.compile(r"\s*[-+]?(nan|inf|infinity)\s*", re.IGNORECASE)


class TreeStream:
    """Takes the trees while a file streams in: their text is a hundred times as large as their numbers."""

    tags = ("BinaryTree",)

    def __init__(self) -> None:
        self.trees: dict[Element, tuple[Tree, float]] = {}

    def take(self, element: Element) -> None:
        """Take a tree."""
        parent = element.getparent()
        if parent is None or not xml.is_weights(parent):
            return
        self.trees[element] = _tree(element)
        element.clear()


def read_forest(weights: Element, stream: TreeStream | None, n_variables: int) -> tuple[Forest, bool]:
    """Return the forest, and whether its trees are regression trees."""
    xml.count(weights, "NTrees")  # TMVA: it must be there, the children are what counts
    kind = xml.integer(weights, "TreeType" if weights.get("TreeType") is not None else "AnalysisType")
    trees: list[tuple[Tree, float]] = []
    for number, element in enumerate(xml.children(weights)):
        taken = None if stream is None else stream.trees.get(element)
        tree = _tree(element) if taken is None else taken
        _check_variables(tree[0], n_variables, element, number)
        trees.append(tree)
    if not trees:
        xml.fail(weights, "it has no trees")
    return Forest.of([tree for tree, _ in trees], [weight for _, weight in trees]), kind == 1


def _tree(element: Element) -> tuple[Tree, float]:
    weight = _weight(element)
    roots = list(xml.children(element))
    if len(roots) != 1:
        xml.fail(element, f"a tree has one root, not {len(roots)} nodes")
    nodes, right = _pre_order(roots[0])
    texts = _attributes(nodes)
    linear = [number for number, text in enumerate(texts.get("NCoef", ())) if text not in (None, "0")]
    coefficients = [_coefficients(nodes[number]) for number in linear]
    if len(set(map(len, coefficients))) > 1:
        xml.fail(element, "nodes of this tree have different numbers of Fisher coefficients")
    tree = Tree(
        variable=_integers(nodes, texts, "IVar"),
        cut=_floats(nodes, texts, "Cut"),
        cut_type=_integers(nodes, texts, "cType"),
        right=np.array(right, dtype=np.int32),
        node_type=_integers(nodes, texts, "nType"),
        response=_floats(nodes, texts, "res", "-99"),
        rms=_floats(nodes, texts, "rms", "0"),
        purity=_floats(nodes, texts, "purity") if _is_complete(texts, "purity") else _old_purities(nodes, texts),
        fisher_nodes=np.array(linear, dtype=np.int32),
        coefficients=np.array(coefficients) if coefficients else np.empty((0, 0)),
    )
    for number in np.flatnonzero((tree.node_type == INNER) & (tree.right == 0)):
        xml.fail(nodes[number], "nType=0 says that the node has daughters, but there are none")
    if len(nodes) > 1 and (np.abs(tree.cut_type) > 1).any():
        xml.fail(nodes[int(np.argmax(np.abs(tree.cut_type) > 1))], "cType must be 0 or 1")
    return tree, weight


def _weight(element: Element) -> float:
    text = xml.attribute(element, "boostWeight")
    if _NOT_FINITE.fullmatch(text):
        # TMVA: writes it after a perfect tree, and cannot read it: the tree counts as if it had no weight
        xml.warn_not_finite(f"line {element.sourceline}: the weight of a tree is {text.strip()}: it counts")
        return 0.0
    weight = xml.number(element, "boostWeight")
    if abs(weight) > xml.LARGEST_FLOAT32:
        xml.fail(element, f"the attribute boostWeight={text!r} does not fit into a 32-bit float")
    return weight


def _pre_order(root: Element) -> tuple[list[Element], list[int]]:
    """Return the nodes, left daughters first, and the numbers of the right daughters (0: none)."""
    nodes: list[Element] = list(root.iter())
    right = _right_daughters(nodes)
    places = [node.get("pos") for node in nodes]
    mothers = [(number, second) for number, second in enumerate(right) if second]
    swapped = set()
    for number, second in mothers:
        found = places[number + 1], places[second]
        if found == ("r", "l"):
            swapped.add(number)
        elif found != ("l", "r"):
            xml.fail(nodes[number], _DAUGHTERS)
    if not swapped:
        return nodes, right
    order, waiting = [], [0]
    while waiting:
        number = waiting.pop()
        order.append(number)
        if right[number]:
            pair = (right[number], number + 1)
            waiting += pair[::-1] if number in swapped else pair
    nodes = [nodes[number] for number in order]
    return nodes, _right_daughters(nodes)


def _right_daughters(nodes: Sequence[Element]) -> list[int]:
    """Return the number of each node's second daughter, 0 if it has none; a node stands before those below it."""
    right = [0] * len(nodes)
    waiting: list[int] = []  # the nodes whose second daughter is still to come
    for number, n_daughters in enumerate(map(len, nodes)):
        if n_daughters == 2:
            waiting.append(number)
        elif n_daughters:
            xml.fail(nodes[number], _DAUGHTERS)
        elif waiting:
            right[waiting.pop()] = number + 1
    return right


def _attributes(nodes: Sequence[Element]) -> Mapping[str, Sequence[str | None]]:
    """Return the attributes of all nodes by name."""
    names: list[str] = nodes[0].keys()  # type: ignore[assignment]
    if all(node.keys() == names for node in nodes):
        return dict(zip(names, zip(*(node.values() for node in nodes), strict=True), strict=True))
    return {name: [node.get(name) for node in nodes] for name in _ATTRIBUTES}


def _is_complete(texts: Mapping[str, Sequence[str | None]], name: str) -> bool:
    return name in texts and None not in texts[name]


def _integers(nodes: Sequence[Element], texts: Mapping[str, Sequence[str | None]], name: str) -> Int32Array:
    given = texts.get(name) or [None]
    values = {text: int(text) for text in set(given) if text is not None and _INTEGER.fullmatch(text)}
    for text in set(given) - set(values):
        node = nodes[given.index(text)]
        xml.integer(node, name)
        xml.fail(node, f"the attribute {name}={text!r} is too large")
    return np.array([values[text] for text in given], dtype=np.int32)  # type: ignore[index]


def _floats(
    nodes: Sequence[Element], texts: Mapping[str, Sequence[str | None]], name: str, default: str | None = None
) -> Float32Array:
    given = texts.get(name) or [None] * len(nodes)
    try:
        if " ".join(given).encode().translate(None, _IN_NUMBERS):  # type: ignore[arg-type]
            raise ValueError
        values = np.array(list(map(float, given)))  # type: ignore[arg-type]
    except (ValueError, TypeError):  # nan, inf, nothing, or something else
        values = np.array([_float(node, name, default) for node in nodes])
    if np.abs(values).max() > xml.LARGEST_FLOAT32:
        worst = nodes[int(np.argmax(np.abs(values)))]
        xml.fail(worst, f"the attribute {name}={worst.get(name)!r} does not fit into a 32-bit float")
    return values.astype(np.float32)


def _float(node: Element, name: str, default: str | None) -> float:
    text = node.get(name, default)
    if text is not None and _NOT_FINITE.fullmatch(text):
        return 0.0  # TMVA: C++ streams cannot read what C++ streams have written
    return float(default) if default is not None and node.get(name) is None else xml.number(node, name)


def _old_purities(nodes: Sequence[Element], texts: Mapping[str, Sequence[str | None]]) -> Float32Array:
    """Return the purities of TMVA 4.0, which wrote the sums of weights instead."""
    signal, background = (_floats(nodes, texts, name) for name in ("nS", "nB"))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
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
