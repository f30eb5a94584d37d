"""Decision trees of a forest as diagrams: cuts at the nodes, what the leaves answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.factory import MethodBase
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.forest import INNER, Tree
from pytmva_bnn.model import Model
from pytmva_bnn.output.chains import chain_name
from pytmva_bnn.show.plots.canvas import canvas, colour_bar
from pytmva_bnn.show.plots.labels import text, text_width
from pytmva_bnn.show.plots.style import (
    BACKGROUND,
    FAINT,
    FONT_SIZE,
    INK,
    PALETTE,
    SEQUENTIAL,
    SIGNAL,
    applied,
    require_matplotlib,
)
from pytmva_bnn.tmva_types import AnalysisType

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEAVES = 32
MOST_LEAVES_BELOW = 8
"""With more leaves the tree grows to the right instead of down: words are wide, not high."""
LONGEST_TITLE = 18
MOST_NAMES = 3
FONT = 8.0
LINE = 1.25 * FONT
GAP = 30.0  # between levels, in points
EDGE = 4.0
NARROWEST, HEADLINE = 4.2, 0.75
NEUTRAL = "#d9d9d9"
TINT = 0.5  # of the colour of a leaf in white
PALE = 0.22  # the same for a node


def decision_tree(
    model: Model | MethodBase, number: int = 0, *, max_depth: int | None = None, title: str = "", ax: Axes | None = None
) -> Axes:
    """Draw tree ``number`` (from 0) of a forest: an event goes on to "yes" where it fulfils the cut.

    Nodes have their cut and the purity S/(S+B) of the training events in them, if there is one, with the boost weights
    of this tree.  Leaves have what they answer: in the colour of signal or background, or of the response.  Large
    trees are drawn down to ``max_depth``, by default the depth that has at most 32 leaves; what is left out is said.

    >>> import pytmva_bnn as TMVA
    >>> from pytmva_bnn.show import plots
    >>> model = TMVA.load("xml_fixtures/methods/bdt_ada/weights.xml.gz")
    >>> ax = plots.decision_tree(model, 3)  # doctest: +SKIP
    """
    require_matplotlib()
    if isinstance(model, MethodBase):
        model = model.model
    fitted = getattr(model, "fitted", None)
    if not isinstance(fitted, FittedBDT):
        raise InputError(f"decision_tree draws a tree of a model that is a forest (BDT), not {model!r}")
    n_trees = fitted.forest.n_trees
    if not 0 <= number < n_trees:
        raise InputError(
            f"there is no tree {number}: the {n_trees} trees of {model.title} count from 0 to {n_trees - 1}"
        )
    if max_depth is not None and max_depth < 1:
        raise InputError(f"max_depth must be at least 1, got {max_depth}")
    tree = fitted.forest[number]
    shown = shown_nodes(tree, max_depth)
    words = NodeWords(fitted, tree, number, model.variables, model.classes)
    is_downward = sum(not node.daughters for node in shown) <= MOST_LEAVES_BELOW
    texts = [words.of(node, ", " if node.daughters == () and not is_downward else "\n") for node in shown]
    from matplotlib import rcParams  # heavy and optional

    with applied():
        x, y, size = _places(shown, texts, downward=is_downward)
    with canvas(ax, (max(size[0] / 72.0, NARROWEST), size[1] / 72.0 + HEADLINE)) as ax:
        colours = _Colours(fitted, tree, number, ax)
        # within the style, whose text may be larger than ours
        font = FONT * float(rcParams["font.size"]) / FONT_SIZE
        _edges(ax, shown, x, y, font)
        for place, node, one in zip(zip(x, y, strict=True), shown, texts, strict=True):
            _box(ax, place, one, colours.of(node.number), node, font)
        ax.set(xlim=(0.0, size[0]), ylim=(-size[1], 0.0))
        ax.set_axis_off()
        ax.set_title(_headline(model, tree, number, title, len(shown), _depth(shown)), fontsize="small")
    return ax


# ---- which nodes --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShownNode:
    """A node that is drawn, with the places of its daughters in the list; ``hidden`` nodes below it are left out."""

    number: int
    depth: int
    daughters: tuple[int, ...] = ()
    hidden: int = 0


def shown_nodes(tree: Tree, max_depth: int | None = None) -> list[ShownNode]:
    """Return the nodes to draw in pre-order; without ``max_depth`` so deep that there are not too many leaves."""
    depths = tree.depths()
    deepest = int(depths.max(initial=0)) if max_depth is None else max_depth
    if max_depth is None:
        inner = tree.is_inner
        while deepest > 1 and _leaves(depths, inner, deepest) > MOST_LEAVES:
            deepest -= 1
    ends = _ends(tree)
    found: list[ShownNode] = []

    def add(number: int) -> int:
        place, depth = len(found), int(depths[number])
        is_inner = bool(tree.node_type[number] == INNER)
        found.append(ShownNode(number, depth, hidden=int(ends[number]) - number - 1 if is_inner else 0))
        if is_inner and depth < deepest:
            daughters = add(number + 1), add(int(tree.right[number]))
            found[place] = ShownNode(number, depth, daughters)
        return place

    add(0)
    return found


def _leaves(depths: Any, inner: Any, deepest: int) -> int:
    return int(np.count_nonzero((depths == deepest) | ((depths < deepest) & ~inner)))


def _ends(tree: Tree) -> IndexArray:
    """Return for every node the number after its last one below."""
    ends = np.arange(1, len(tree) + 1, dtype=np.intp)
    for node in range(len(tree) - 1, -1, -1):
        if tree.node_type[node] == INNER:
            ends[node] = ends[tree.right[node]]
    return ends


def _depth(shown: Sequence[ShownNode]) -> int:
    return max(node.depth for node in shown)


# ---- words --------------------------------------------------------------------------------------------------


class NodeWords:
    """What is written on the nodes of a tree."""

    def __init__(
        self,
        fitted: FittedBDT,
        tree: Tree,
        number: int,
        variables: Sequence[VariableRecord],
        classes: Sequence[str] = (),
    ) -> None:
        self.fitted, self.tree = fitted, tree
        self.names = [one.title if len(one.title) <= LONGEST_TITLE else one.label for one in variables]
        self.coefficients = tree.coefficients_of()
        self.purity = "S/(S+B)"
        if fitted.analysis == AnalysisType.MULTICLASS:
            own = number % fitted.n_classes
            self.purity = f"share of {classes[own] if own < len(classes) else f'class {own}'}"

    def of(self, node: ShownNode, between: str = "\n") -> str:
        """Return the words of a node."""
        return between.join(self._lines(node))

    def _lines(self, node: ShownNode) -> Iterator[str]:
        number = node.number
        if node.daughters or node.hidden:
            yield self.condition(number)
            yield from self._purity(number)
            if node.hidden:
                yield f"… {node.hidden} nodes"
            return
        tree = self.tree
        if self.fitted.regression_trees:
            spread = tree.rms[number] if self.fitted.combination in ("mean", "median") else 0.0
            yield _number(tree.response[number]) + (f" ± {spread:.2g}" if spread > 0 else "")
        elif self.fitted.yes_no_leaf:
            yield "signal" if tree.node_type[number] > 0 else "background"
        yield from self._purity(number)

    def _purity(self, number: int) -> Iterator[str]:
        purity = float(self.tree.purity[number])
        # in regression all events are signal; text files have no purities
        if self.fitted.analysis != AnalysisType.REGRESSION and 0.0 <= purity <= 1.0:
            yield f"{text(self.purity)} = {purity:.2f}"

    def condition(self, number: int) -> str:
        """Return the condition on which an event goes to the first daughter."""
        tree = self.tree
        to_right = bool(tree.cut_type[number])
        variable = int(tree.variable[number])
        if variable < len(self.names):
            return f"{text(self.names[variable])} {'<' if to_right else '≥'} {_number(tree.cut[number])}"
        used = [text(self.names[k]) for k in np.flatnonzero(self.coefficients[number][:-1])]
        inside = ", ".join([*used[:MOST_NAMES], *(["…"] if len(used) > MOST_NAMES else [])])
        return f"F({inside}) {'≤' if to_right else '>'} {_number(tree.cut[number])}"


def _number(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}g}".replace("-", "−")


def _headline(model: Model, tree: Tree, number: int, title: str, n_shown: int, depth: int) -> str:
    fitted: Any = model.fitted
    parts = [f"{text(title or model.title)}: decision tree {number} (of 0 to {fitted.forest.n_trees - 1})"]
    if fitted.analysis == AnalysisType.MULTICLASS:
        own = number % fitted.n_classes
        name = model.classes[own] if own < len(model.classes) else f"class {own}"
        parts.append(f"round {number // fitted.n_classes}, {text(name)}")
    if fitted.combination in ("mean", "median"):
        parts.append(f"weight {_number(fitted.forest.boost_weights[number], 3)}")
    chain = chain_name(model.options.string("VarTransform"))
    more = [f"variables after {chain}"] if chain not in ("", "Id") else []
    if n_shown < len(tree):
        deepest = int(tree.depths().max(initial=0))
        more.append(f"drawn to depth {depth} of {deepest}: {n_shown} of {len(tree)} nodes")
    return "\n".join(filter(None, (", ".join(parts), "; ".join(more))))


# ---- where and how ------------------------------------------------------------------------------------------


def _places(
    shown: Sequence[ShownNode], texts: Sequence[str], *, downward: bool
) -> tuple[FloatArray, FloatArray, tuple[float, float]]:
    """Return x and y of the nodes in points, y from 0 downwards, and width and height of the whole."""
    widths = np.array([max(text_width(line, FONT) for line in one.split("\n")) + 1.4 * FONT for one in texts])
    heights = np.array([LINE * (one.count("\n") + 1) + 0.9 * FONT for one in texts])
    across, width = _across(shown, widths if downward else heights)
    depths = [node.depth for node in shown]
    levels = np.zeros(max(depths) + 1)
    np.maximum.at(levels, depths, heights if downward else widths)
    middles = EDGE + np.cumsum(levels) - 0.5 * levels + GAP * np.arange(len(levels))
    height = float(middles[-1] + 0.5 * levels[-1] + EDGE)
    return (across, -middles[depths], (width, height)) if downward else (middles[depths], -across, (height, width))


def _across(shown: Sequence[ShownNode], sizes: FloatArray) -> tuple[FloatArray, float]:
    """Return where leaves stand one after the other, with their mothers in the middle, and the size of it all."""
    is_leaf = np.array([not node.daughters for node in shown])
    # two nodes side by side are at least two leaves apart
    step = EDGE + max(float(sizes[is_leaf].max()), 0.5 * float(sizes[~is_leaf].max(initial=0.0)) + EDGE)
    places = np.cumsum(is_leaf) * step
    for number in range(len(shown) - 1, -1, -1):
        if shown[number].daughters:
            places[number] = np.mean(places[list(shown[number].daughters)])
    first, last = float((places - 0.5 * sizes).min()), float((places + 0.5 * sizes).max())
    return places - first + EDGE, last - first + 2 * EDGE


def _edges(ax: Axes, shown: Sequence[ShownNode], x: FloatArray, y: FloatArray, font: float) -> None:
    for number, node in enumerate(shown):
        for daughter, word in zip(node.daughters, ("yes", "no"), strict=False):
            ax.plot(x[[number, daughter]], y[[number, daughter]], color=FAINT, lw=1.0, zorder=1)
            if number == 0:
                middle = 0.5 * (x[number] + x[daughter]), 0.5 * (y[number] + y[daughter])
                looks: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
                ax.text(*middle, word, fontsize=font, color=INK, ha="center", va="center", bbox=looks, zorder=2)


def _box(ax: Axes, place: tuple[float, float], words: str, colour: Any, node: ShownNode, font: float) -> None:
    looks = {
        "boxstyle": "round,pad=0.35" if node.daughters or node.hidden else "square,pad=0.35",
        "facecolor": colour,
        "edgecolor": INK,
        "linewidth": 0.8,
        "linestyle": "--" if node.hidden else "-",
    }
    ax.text(*place, words, fontsize=font, ha="center", va="center", bbox=looks, zorder=3)


class _Colours:
    """The colours of nodes: of leaves that of their answer, of others a pale one of their purity."""

    def __init__(self, fitted: FittedBDT, tree: Tree, number: int, ax: Axes) -> None:
        from matplotlib.colors import Normalize, to_rgb  # heavy and optional

        self.fitted, self.tree = fitted, tree
        self.positive, self.negative = (to_rgb(colour) for colour in (SIGNAL, BACKGROUND))
        if fitted.analysis == AnalysisType.MULTICLASS:
            self.positive = to_rgb(PALETTE[number % fitted.n_classes % len(PALETTE)])
            self.negative = to_rgb(NEUTRAL)
        self.scale: Any = None
        if fitted.analysis == AnalysisType.REGRESSION:
            from matplotlib.cm import ScalarMappable

            answers = tree.response[~tree.is_inner]
            norm = Normalize(float(answers.min()), float(answers.max()))
            self.scale = ScalarMappable(norm, SEQUENTIAL)
            if len(answers) > 1:
                colour_bar(
                    ax, self.scale, label="Response of the leaf", alpha=TINT, fraction=0.04, pad=0.01, shrink=0.8
                )

    def of(self, node: int) -> Any:
        """Return the colour of a node."""
        tree, fitted = self.tree, self.fitted
        is_leaf = tree.node_type[node] != INNER
        if self.scale is not None:
            return _mixed(self.scale.to_rgba(float(tree.response[node]))[:3], TINT) if is_leaf else "white"
        purity = float(tree.purity[node])
        answer = 2.0 * purity - 1.0 if 0.0 <= purity <= 1.0 else 0.0
        if not is_leaf:
            return _mixed(self.positive if answer > 0 else self.negative, PALE * abs(answer))
        if fitted.regression_trees:
            answer = float(tree.response[node])
        elif fitted.yes_no_leaf:
            answer = float(tree.node_type[node])
        return _mixed(self.positive if answer > 0 else self.negative, TINT)


def _mixed(colour: Sequence[float], share: float) -> tuple[float, ...]:
    """Return a colour in so much white."""
    return tuple(1.0 - share * (1.0 - one) for one in colour)
