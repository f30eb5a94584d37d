"""The element <Weights> of PDERS, which is its search tree, and the same tree in text files.

The nodes are nested as deep as the tree is, which may be thousands of levels: more than XML parsers for trees bear.  So
the bytes of the tree are cut out of the file, and parsed node by node.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.parsers import expat

import numpy as np

from pytmva_bnn._typing import IntArray
from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.methods.density.event_rows import EventRows
from pytmva_bnn.methods.density.pders.tree import SearchTree
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing
from pytmva_bnn.xmlio.words import Words

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

_BEGIN = re.compile(rb"<BinaryTree\b[^<>]*(?<!/)>")
_END = re.compile(rb"</BinaryTree\s*>")
_ATTRIBUTES = ("pos", "depth", "selector", "weight", "type", "NVars")
_CLASSES = {"0": 0, "1": 1, "Signal": 0, "Background": 1}
_SIDES = {"s": 0, "l": 0, "r": 1}


class NodeStream:
    """Takes the nodes of the tree while a file streams in."""

    tags = ("BinaryTree",)

    def __init__(self) -> None:
        self.rows = EventRows("Node")
        self.sides: list[str] = []
        self.depths: list[int] = []
        self.classes: list[str] = []
        self.numbers: list[tuple[str, str, str]] = []
        """Depth, selector and number of variables, as the file has them."""
        self.texts_in_line = True
        self._parser: Any = None
        self._rest = b""
        self._line = 1
        self._level = 0
        self._node: tuple[dict[str, str], int] | None = None
        self._text = ""

    def take(self, element: Element) -> None:
        """Take nothing: the nodes are cut out before."""

    def cut(self, chunk: bytes) -> bytes:
        """Take the nodes out of the next bytes of the file, and return the rest with all line ends."""
        chunk = self._rest + chunk
        # a tag that is not complete waits for its end
        complete = chunk.rfind(b">") + 1
        hold = chunk.find(b"<", complete)
        self._rest = chunk[hold:] if hold >= 0 else b""
        chunk = chunk[:hold] if hold >= 0 else chunk
        kept = []
        while chunk:
            found = (_BEGIN if self._parser is None else _END).search(chunk)
            if self._parser is None:
                end = found.end() if found else len(chunk)
                kept.append(chunk[:end])
                if found:
                    self._begin(self._line + chunk.count(b"\n", 0, end))
            else:
                end = found.start() if found else len(chunk)
                self._parse(chunk[:end])
                kept.append(b"\n" * chunk.count(b"\n", 0, end))
                if found:
                    self._parse(b"</BinaryTree>", is_last=True)
                    self._parser = None
                    kept.append(found[0])
                    end = found.end()
            self._line += chunk.count(b"\n", 0, end)
            chunk = chunk[end:]
        return b"".join(kept)

    @classmethod
    def of(cls, weights: Element) -> NodeStream:
        """Return the nodes of an element that is parsed already."""
        from lxml import etree  # lazy: keeps the import of the package fast

        stream = cls()
        stream.cut(etree.tostring(weights))
        return stream

    def _begin(self, line: int) -> None:
        if self.sides:
            raise WeightFileError("there is more than one tree", element="BinaryTree", line=line)
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        self._parser, self._first_line = parser, line - 1
        self._parse(b"<BinaryTree>")

    def _parse(self, data: bytes, *, is_last: bool = False) -> None:
        try:
            self._parser.Parse(data, is_last)
        except expat.ExpatError as error:
            problem = f"not well-formed XML ({expat.errors.messages[error.code]}); the file is truncated or damaged"
            raise WeightFileError(problem, line=self._first_line + error.lineno) from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "BinaryTree":
            return
        line = self._first_line + self._parser.CurrentLineNumber
        if name != "Node":
            raise WeightFileError(f"the element <{name}> does not belong in a tree", element="BinaryTree", line=line)
        if self._node is not None:
            self.texts_in_line &= not self._text.lstrip(" ").startswith("\n")
            self._finish()
        self._node = (attributes, line)
        self._level += 1

    def _end(self, name: str) -> None:
        if name == "Node":
            if self._node is not None:
                self._finish()
            self._level -= 1

    def _characters(self, text: str) -> None:
        if self._node is not None:
            self._text += text

    def _finish(self) -> None:
        """Take the node whose numbers are complete."""
        attributes, line = self._node  # type: ignore[misc]
        try:
            side, depth, selector, weight, kind, n_variables = [attributes[name] for name in _ATTRIBUTES]
        except KeyError as error:
            raise WeightFileError(f"the attribute {error} is missing", element="Node", line=line) from None
        self.rows.add(weight, self._text, line)
        self.sides.append(side)
        self.depths.append(self._level - 1)
        self.classes.append(kind)
        self.numbers.append((depth, selector, n_variables))
        self._node, self._text = None, ""


class ReadTree(NamedTuple):
    """A tree of a weight file, and the form that it has there."""

    tree: SearchTree
    named_classes: bool = False
    texts_in_line: bool = False


def read_tree(weights: Element, stream: NodeStream, n_variables: int, n_targets: int, *, strict: bool) -> ReadTree:
    """Return the tree whose nodes the stream has taken; ``strict``: classes as current TMVA reads them."""
    element = xml.child(weights, "BinaryTree")
    if not stream.sides:
        xml.fail(element, "the tree has no nodes")
    sides = stream.rows.codes(stream.sides, _SIDES, "pos")
    classes = stream.rows.codes(stream.classes, _CLASSES, "type")
    is_named = stream.classes[0] in ("Signal", "Background")
    if strict and is_named:
        # TMVA: since 4.1.1 every name counts as signal
        classes = np.zeros_like(classes)
    tree = _tree(stream.rows, n_variables, n_targets, classes, np.array(stream.depths, dtype=np.int64), sides)
    expected = [(str(depth), str(depth % n_variables), str(n_variables)) for depth in stream.depths]
    for number, (given, right) in enumerate(zip(stream.numbers, expected, strict=True)):
        if given != right:
            texts = [
                ", ".join(f"{n}={v}" for n, v in zip(("depth", "selector", "NVars"), one, strict=True))
                for one in (given, right)
            ]
            stream.rows.fail(number, f"{texts[0]} where {texts[1]} was expected")
    _check(tree, stream.rows, stream.sides)
    return ReadTree(tree, is_named, stream.texts_in_line)


def _tree(
    rows: EventRows, n_variables: int, n_targets: int, classes: IntArray, depths: IntArray, sides: IntArray
) -> SearchTree:
    numbers, weights = rows.finished(n_variables + n_targets)
    with np.errstate(over="ignore"):
        weights32 = weights.astype(np.float32)
    return SearchTree(numbers[:, :n_variables], numbers[:, n_variables:], weights32, classes, depths, sides)


def _check(tree: SearchTree, rows: EventRows, sides: list[str]) -> None:
    """Raise a WeightFileError if a search would not find all nodes of the tree."""
    for number in np.flatnonzero((tree.depths == 0) != np.array([side == "s" for side in sides])):
        rows.fail(int(number), f"pos={sides[number]!r} is not possible here")
    places = tree.parents * 2 + tree.is_right
    if len(np.unique(places[1:])) != len(tree) - 1:
        _, first = np.unique(places, return_index=True)
        rows.fail(int(np.setdiff1d(np.arange(len(tree)), first)[0]), "there is already a node on this side")
    misplaced = tree.misplaced()
    if misplaced.size:
        rows.fail(int(misplaced[0]), "the node is on the wrong side of an ancestor: its numbers are damaged")


def read_text_tree(words: Words, n_variables: int) -> ReadTree:
    """Return the tree of the section #WGT: the nodes in pre-order, ended by -1."""
    rows, sides, depths, classes = EventRows("#WGT"), [], [], []
    while words.peek() != "-1":
        depths.append(words.count("the depth of a node"))
        sides.append(words.expect("s", "l", "r"))
        words.count("the selector of a node")
        if words.count("the number of variables") != n_variables:
            words.fail(f"the number of variables in a node differs from the method's {n_variables}")
        numbers = " ".join(words.next("a variable") for _ in range(n_variables))
        words.next("a word before the weight")
        rows.add(words.next("a weight"), numbers, words.line)
        classes.append("0" if words.next("a class") in ("S", "Signal") else "1")
    codes = rows.codes(sides, _SIDES, "pos")
    depth = np.array(depths, dtype=np.int64)
    for number in np.flatnonzero(np.diff(depth) > 1):
        rows.fail(int(number) + 1, "a level of the tree is missing above this node")
    tree = _tree(rows, n_variables, 0, rows.codes(classes, _CLASSES, "class"), depth, codes)
    _check(tree, rows, sides)
    return ReadTree(tree)


def weights_lines(tree: SearchTree, *, named_classes: bool, texts_in_line: bool) -> writing.Lines:
    """Yield the element <Weights>."""
    yield "  <Weights>"
    yield '    <BinaryTree type="BinarySearchTree">'
    numbers = np.hstack([tree.variables, tree.targets]).astype(np.float64)
    text = " %.16e" * numbers.shape[1]
    n_variables = tree.variables.shape[1]
    depths, sides = tree.depths.tolist(), np.where(tree.depths == 0, "s", np.where(tree.is_right, "r", "l")).tolist()
    kinds = np.where(tree.classes == 0, "Signal", "Background") if named_classes else tree.classes
    events = zip(tree.weights.tolist(), kinds.tolist(), numbers.tolist(), strict=True)
    for number, (weight, kind, row) in enumerate(events):
        depth = depths[number]
        following = depths[number + 1] if number + 1 < len(depths) else 0
        indent = "  " * (depth + 3)
        start = (
            f'{indent}<Node pos="{sides[number]}" depth="{depth}" selector="{depth % n_variables}" '
            f'weight="{weight:.16e}" type="{kind}" NVars="{n_variables}">'
        )
        values = text % tuple(row)
        if following > depth:
            if texts_in_line:
                yield start + values
            else:
                yield start
                yield f"{indent}  {values}"
            continue
        yield f"{start}{values}</Node>"
        for level in range(depth - 1, following - 1, -1):
            yield f"{'  ' * (level + 3)}</Node>"
    yield "    </BinaryTree>"
    yield "  </Weights>"
