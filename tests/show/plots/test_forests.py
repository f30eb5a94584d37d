"""Plots of forests: what is drawn is what the trees do, and what the training has noted of them."""

import re
import sys
from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.histograms import Axis, Histogram1D
from pytmva_bnn.methods.bdt.response import leaf_numbers
from pytmva_bnn.methods.bdt.training.result import BoostSnapshot
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots.decision_tree import MOST_LEAVES, shown_nodes
from pytmva_bnn.show.plots.style import BACKGROUND, SIGNAL

CONDITION = re.compile(r"(\S+) ([<≥]) (\S+)")


@pytest.fixture(scope="module")
def forest(method_case):
    """Return the model of a record by its name."""
    return lambda name: TMVA.load(method_case(name).weights)


@pytest.fixture(scope="module")
def trained(method_case, trained_case):
    """Return the method that was trained as a record says."""
    return lambda name: trained_case(method_case(name))[0].methods[0]


# ---- trees --------------------------------------------------------------------------------------------------


class Diagram:
    """A tree as someone sees it who knows nothing but the picture."""

    def __init__(self, ax):
        self.title = ax.get_title(loc="left")
        place = {text.get_position(): text for text in ax.texts if text.get_text() not in ("yes", "no")}
        answers = {
            text.get_text(): np.array(text.get_position()) for text in ax.texts if text.get_text() in ("yes", "no")
        }
        edges = [tuple(map(tuple, line.get_xydata())) for line in ax.lines]
        ends = {end for _, end in edges}
        (self.root,) = (text for where, text in place.items() if where not in ends)
        where = self.root.get_position()
        below = sorted(
            (end for start, end in edges if start == where), key=lambda end: self._distance(answers, where, end)
        )
        # the daughter at "yes" shows which side it is on everywhere
        self.axis = int(abs(below[0][1] - below[1][1]) > 1e-9) if below else 0
        self.sign = np.sign(below[0][self.axis] - below[1][self.axis]) if below else 1
        self.daughters = {}
        for start, end in edges:
            self.daughters.setdefault(place[start], []).append(place[end])
        for both in self.daughters.values():
            both.sort(key=lambda text: -self.sign * text.get_position()[self.axis])

    @staticmethod
    def _distance(answers, start, end):
        middle = 0.5 * (np.array(start) + np.array(end))
        return np.abs(middle - answers["yes"]).sum()

    def leaf(self, event):
        """Follow the cuts; the event has the values of variables by name."""
        node = self.root
        while node in self.daughters:
            name, sign, cut = CONDITION.match(node.get_text()).groups()
            is_above = event[name] >= float(cut.replace("−", "-"))
            node = self.daughters[node][0 if is_above == (sign == "≥") else 1]
        return node


def colour_of(text):
    return np.array(text.get_bbox_patch().get_facecolor()[:3])


def looks_like(colour, of):
    from matplotlib.colors import to_rgb

    distances = [np.abs(1 - 2 * (1 - colour) - to_rgb(one)).sum() for one in (SIGNAL, BACKGROUND)]
    return bool((distances[0] < distances[1]) == (of == "signal")) and min(distances) < 0.01


@pytest.mark.parametrize(
    ("name", "number"),
    [("bdt_ada", 0), ("bdt_ada", 7), ("bdt_prune_cc", 2), ("bdt_real", 3), ("bdt_grad", 1), ("bdt_multi", 4)],
)
def test_who_follows_the_drawn_cuts_ends_at_the_leaf_of_the_forest(name, number, forest, method_case):
    model = forest(name)
    fitted, tree = model.fitted, model.forest[number]
    diagram = Diagram(plots.decision_tree(model, number))
    names = [variable.label for variable in model.variables]
    events = method_case(name).expected["inputs"]
    events = np.float32([event for event in events if np.isfinite(event).all()])
    leaves = leaf_numbers(model.forest, events)[:, number] - model.forest.starts[number]
    assert len(set(leaves.tolist())) > 2
    for event, leaf in zip(events.astype(float), leaves, strict=True):
        drawn = diagram.leaf(dict(zip(names, event, strict=True)))
        words = drawn.get_text()
        assert f"= {tree.purity[leaf]:.2f}" in words
        if fitted.regression_trees:
            assert words.startswith(f"{tree.response[leaf]:.4g}".replace("-", "−"))
            is_positive = tree.response[leaf] > 0
        else:
            is_positive = tree.node_type[leaf] > 0
        if fitted.yes_no_leaf and not fitted.regression_trees:
            assert words.startswith("signal" if is_positive else "background")
        if name == "bdt_multi":
            assert words.split("\n")[1].startswith("share of Signal")  # tree 4 is the first class's of the second round
        elif name != "bdt_real":
            assert looks_like(colour_of(drawn), "signal" if is_positive else "background")


def test_purity_leaves_have_the_colour_of_what_prevails(forest):
    model = forest("bdt_real")
    assert not model.fitted.yes_no_leaf
    diagram = Diagram(plots.decision_tree(model, 1))
    leaves = [one for both in diagram.daughters.values() for one in both if one not in diagram.daughters]
    assert len(leaves) > 2
    for leaf in leaves:
        purity = float(leaf.get_text().removeprefix("S/(S+B) = "))
        assert looks_like(colour_of(leaf), "signal" if purity > 0.5 else "background")


def test_leaves_of_a_regression_have_response_and_spread_and_a_scale(forest):
    model = forest("bdt_reg")
    ax = plots.decision_tree(model, 3)
    tree = model.forest[3]
    leaves = {node.number for node in shown_nodes(tree) if not node.daughters and not node.hidden}
    words = {f"{tree.response[leaf]:.4g} ± {tree.rms[leaf]:.2g}" for leaf in leaves if tree.rms[leaf] > 0}
    assert words <= {text.get_text() for text in ax.texts}
    assert len(words) > 3
    (bar,) = (other for other in ax.get_figure().axes if other is not ax)
    assert bar.get_ylabel() == "Response of the leaf"
    assert bar.get_ylim() == pytest.approx((tree.response[~tree.is_inner].min(), tree.response[~tree.is_inner].max()))


def test_large_trees_are_drawn_in_part_and_say_so(forest):
    model = forest("bdt_reg")
    tree = model.forest[0]
    shown = shown_nodes(tree)
    assert sum(not node.daughters for node in shown) <= MOST_LEAVES
    assert len(shown) + sum(node.hidden for node in shown) == len(tree)
    ax = plots.decision_tree(model)
    assert ax.get_title(loc="left").endswith(f"drawn to depth 5 of 8: {len(shown)} of {len(tree)} nodes")
    hidden = [int(found[1]) for text in ax.texts if (found := re.search(r"… (\d+) nodes", text.get_text()))]
    assert sorted(hidden) == sorted(node.hidden for node in shown if node.hidden)
    few = Diagram(plots.decision_tree(model, max_depth=1))
    assert len(few.daughters) == 1
    width, height = ax.get_figure().get_size_inches()
    assert width < 14
    assert height < 14


def test_the_title_tells_number_weight_class_and_transformation(forest):
    assert (
        "tree 3 (of 0 to 59), weight " + f"{forest('bdt_ada').forest.boost_weights[3]:.3g}"
        in Diagram(plots.decision_tree(forest("bdt_ada"), 3)).title
    )
    assert plots.decision_tree(forest("bdt_multi"), 6).get_title(loc="left").endswith("round 1, bg1")
    assert "variables after Deco" in plots.decision_tree(forest("bdt_d"), 1).get_title(loc="left")


def test_linear_cuts_name_their_variables(forest):
    model = forest("bdt_fisher2")
    tree = model.forest[0]
    (coefficients,) = tree.coefficients[:1]
    names = [variable.title for variable, c in zip(model.variables, coefficients[:-1], strict=True) if c != 0]
    root = Diagram(plots.decision_tree(model)).root.get_text()
    assert root.startswith(f"F({', '.join(names[:3])}")
    assert (">" in root) == (tree.cut_type[0] == 0)
    assert f"{tree.cut[0]:.4g}" in root


def test_a_tree_of_one_node_and_a_text_file_without_purities(forest, method_case, changed, rendered):
    model = TMVA.load(method_case("bdt_text39").folder / "weights.txt")
    texts = [text.get_text() for text in plots.decision_tree(model).texts]
    assert "signal" in texts
    assert not any("S/(S+B)" in one for one in texts)
    forest_of_one = forest("bdt_ada")
    tree = forest_of_one.forest[0]
    leaf = next(number for number in range(len(tree)) if not tree.is_inner[number])
    cut = {
        name: getattr(tree, name)[leaf : leaf + 1]
        for name in ("variable", "cut", "cut_type", "right", "node_type", "response", "rms", "purity")
    }
    single = type(forest_of_one.forest).of([type(tree)(**cut)], [1.0])
    ax = plots.decision_tree(changed(forest_of_one, fitted={"forest": single}))
    assert len(ax.texts) == 1
    rendered(ax)


@pytest.mark.parametrize("name", ["bdt_ada", "bdt_prune_cc", "bdt_grad_reg", "bdt_multi"])
def test_boxes_do_not_overlap(name, forest):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    ax = plots.decision_tree(forest(name), 2)
    FigureCanvasAgg(ax.get_figure()).draw()
    boxes = [text.get_bbox_patch().get_window_extent() for text in ax.texts]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])
        assert ax.get_figure().bbox.containsx(box.x0)
        assert ax.get_figure().bbox.containsx(box.x1)


# ---- boosting -----------------------------------------------------------------------------------------------


def lines(ax):
    return [line.get_ydata() for line in ax.get_lines()]


def test_weights_and_errors_of_the_trees(trained, forest, rendered):
    method = trained("bdt_out")
    figure = plots.boosting(method)
    rendered(figure)
    weights, errors = figure.axes
    assert (weights.get_ylabel(), errors.get_ylabel()) == ("Weight of the tree", "Error fraction")
    np.testing.assert_array_equal(lines(weights)[0], method.model.forest.boost_weights)
    np.testing.assert_array_equal(lines(errors)[0], method.result.error_fractions)
    np.testing.assert_array_equal(lines(errors)[1], [0.5, 0.5])
    (alone,) = plots.boosting(forest("bdt_out")).axes
    np.testing.assert_array_equal(lines(alone)[0], forest("bdt_out").forest.boost_weights)


def test_adacost_has_no_errors_to_draw(trained):
    assert not trained("bdt_adacost").result.error_fractions.any()  # TMVA: they are not filled
    assert len(plots.boosting(trained("bdt_adacost")).axes) == 1


def test_sizes_of_trees_before_and_after_pruning(trained, forest):
    def stairs(ax):
        return {patch.get_label(): patch.get_data().values for patch in ax.patches}

    method = trained("bdt_prune_cc")
    found = stairs(plots.tree_sizes(method))
    np.testing.assert_array_equal(found["before pruning"], method.result.nodes_before_pruning)
    np.testing.assert_array_equal(found["after pruning"], np.diff(method.model.forest.starts))
    assert found["before pruning"].sum() > found["after pruning"].sum()
    for given in (trained("bdt_out"), forest("bdt_out")):
        (nodes,) = stairs(plots.tree_sizes(given)).values()
        np.testing.assert_array_equal(nodes, np.diff(forest("bdt_out").forest.starts))


def test_the_boost_monitor(trained):
    fitted = trained("bdt_out").trained.fitted
    h = Histogram1D.empty(Axis(1, 0.0, 1.0))
    snapshots = tuple(BoostSnapshot(tree, roc, (h, h), ()) for tree, roc in ((0, 0.6), (5, 0.8), (24, 0.7)))
    ax = plots.boost_monitor(replace(fitted, result=replace(fitted.result, snapshots=snapshots)))
    curve, best = ax.get_lines()
    np.testing.assert_array_equal(curve.get_xydata(), [[1, 0.6], [6, 0.8], [25, 0.7]])
    np.testing.assert_array_equal(best.get_xydata(), [[6, 0.8]])
    assert best.get_label() == "largest: 0.800 with 6 trees"


# ---- variables ----------------------------------------------------------------------------------------------


def bars_of(ax):
    """Return what is drawn for each name, from the top: length and remark."""
    heights = [tick.get_text() for tick in ax.get_yticklabels()]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    (drawn,) = ax.containers
    return [(name, bar.get_width(), text.get_text()) for name, bar, text in zip(heights, drawn, ax.texts, strict=True)]


def test_a_ranking_as_bars(trained, rendered):
    method = trained("bdt_out")
    ax = plots.ranking(method.ranking, {"var4": "p_{T}"}, title="BDT")
    found = bars_of(ax)
    assert [(name, width) for name, width, _ in found[1:]] == list(method.ranking.entries[1:])
    assert found[0][:2] == (r"$\mathrm{p_{T}}$", method.result.importance[3])
    assert [remark for *_, remark in found] == ["0.310", "0.286", "0.206", "0.198"]
    assert ax.get_title(loc="left") == "Variable Importance: BDT"
    rendered(ax)
    assert [name for name, *_ in bars_of(plots.ranking({"a": 1.0, "b": 3.0}))] == ["b", "a"]


def test_cuts_are_those_of_the_file(forest, method_case):
    counted, weighted = dict.fromkeys(range(4), 0), dict.fromkeys(range(4), 0.0)
    for weight, tree in re.findall(
        r'boostWeight="(.*?)"(.*?)</BinaryTree>', method_case("bdt_ada").weights_text, re.DOTALL
    ):
        for variable in re.findall(r' IVar="(\d+)".* nType="0"', tree):
            counted[int(variable)] += 1
            weighted[int(variable)] += float(weight)
    found = bars_of(plots.cut_bars(forest("bdt_ada")))
    order = sorted(weighted, key=lambda variable: -weighted[variable])
    for variable, (name, width, remark) in zip(order, found, strict=True):
        share = weighted[variable] / sum(weighted.values())
        assert name == f"var{variable + 1}"
        assert width == pytest.approx(100 * share, rel=1e-6)
        assert remark == f"{share:.1%}, {counted[variable]} cuts"


def test_linear_combinations_count_as_one(forest):
    names = [name for name, *_ in bars_of(plots.cut_bars(forest("bdt_fisher2")))]
    assert "(linear combinations)" in names
    assert len(names) == len(forest("bdt_fisher2").variables) + 1


def test_very_many_variables_are_cut_short():
    ax = plots.ranking({f"x{k}": 1000.0 - k for k in range(500)})
    assert len(bars_of(ax)) == 40
    assert ax.get_title(loc="left") == "Importance (first 40 of 500)"


# ---- all of them --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", [plots.decision_tree, plots.tree_sizes, plots.cut_bars], ids=lambda one: one.__name__)
def test_they_are_drawn_on_the_axes_given(draw, forest):
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert draw(forest("bdt_ada"), ax=ax) is ax
    assert ax.has_data()


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (
            lambda f: plots.decision_tree(f("bdt_ada"), 60),
            "there is no tree 60: the 60 trees of BDT count from 0 to 59",
        ),
        (lambda f: plots.decision_tree(f("bdt_ada"), -1), "there is no tree -1"),
        (lambda f: plots.decision_tree(f("bdt_ada"), max_depth=0), "max_depth must be at least 1"),
        (lambda f: plots.boosting(f("bdt_grad")), "every tree has the same weight"),
        (lambda f: plots.boost_monitor(f("bdt_ada")), "with the option DoBoostMonitor"),
        (lambda f: plots.ranking(f("bdt_ada").fitted.ranking(None, None, [])), "there is no ranking to draw"),
    ],
)
def test_what_cannot_be_drawn_is_said(draw, words, forest):
    with pytest.raises(InputError, match=words):
        draw(forest)


@pytest.mark.parametrize("draw", [plots.decision_tree, plots.boosting, plots.cut_bars])
def test_other_methods_are_refused(draw, model):
    with pytest.raises(InputError, match=rf"{draw.__name__} draws .*forest.*, not <Model 'MLP'"):
        draw(model)


def test_without_matplotlib_they_say_what_to_install(forest, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for draw in (plots.decision_tree, plots.boosting, plots.tree_sizes, plots.cut_bars):
        with pytest.raises(MissingDependencyError, match=r"pytmva-bnn\[plot\]"):
            draw(forest("bdt_ada"))
