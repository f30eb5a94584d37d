"""What ``pytmva-bnn inspect`` shows of a forest: its size, which variables it cuts on, its quirks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.methods.answers import Inspection
from pytmva_bnn.methods.bdt.drawing import drawn_tree, tree_data
from pytmva_bnn.methods.bdt.option_table import BDT_OPTIONS
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.fitted import FittedBDT

COMBINATIONS = {
    "mean": "mean, weighted with the trees' weights",
    "logistic": "2/(1 + exp(-2 sum)) - 1",
    "softmax": "softmax of the sums of each class's trees",
    "sum": "sum, and an offset",
    "median": "mean around the weighted median",
}
_DRAWN_LEVELS = 4
_TMVA_4_2 = 0x040200
_LINEAR = "(linear combinations)"
_ABOUT_CUTS = (
    "  The percentages count every cut with the weight of its tree. TMVA's variable importance is known only after a",
    "  training: it needs the gains of the cuts, which are not in the file.",
)


def inspection(fitted: FittedBDT, head: WeightFile) -> Inspection:
    """Return what the forest is."""
    cuts = cuts_by_variable(fitted, [variable.label for variable in head.variables])
    preselection = _preselection(fitted, head)
    notes = list(_notes(fitted, head))
    separation = _separation(fitted, head)
    rows = [*fitted.describe(), *separation.items()]
    width = max(len(name) for name, _ in rows)
    sections = [
        ("Forest", [f"  {name:<{width}}  {value}" for name, value in rows]),
        ("Variables in the cuts", _cut_lines(cuts)),
    ]
    if preselection:
        sections.append(("Preselection", [f"  {one['cut']}: {one['class']}" for one in preselection]))
    sections.append((f"Tree 0 of {fitted.forest.n_trees}", drawn_tree(fitted, head, 0, levels=_DRAWN_LEVELS)))
    if notes:
        sections.append(("Notes", [f"  {note}" for note in notes]))
    return Inspection(
        headline=f"{fitted.summary}, {fitted.forest.n_nodes} nodes",
        data={
            "forest": {**_data(fitted), **separation},
            "cuts": cuts,
            "preselection": preselection,
            "notes": notes,
        },
        sections=sections,
    )


def tree_inspection(fitted: FittedBDT, head: WeightFile, number: int) -> Inspection:
    """Return one tree, all of it."""
    title = f"Tree {number} of {fitted.forest.n_trees}"
    data = {"tree": number, "weight": float(fitted.effective_weights[number]), "nodes": tree_data(fitted, head, number)}
    return Inspection(title, data, [(title, drawn_tree(fitted, head, number))])


def describe(fitted: FittedBDT) -> list[tuple[str, str]]:
    """Return number and sizes of the trees, and what becomes of their answers."""
    forest, data = fitted.forest, _data(fitted)
    depth = " to ".join(map(str, dict.fromkeys((data["smallest_depth"], data["largest_depth"]))))
    per_class = f", {forest.n_trees // fitted.n_outputs} for each class" if fitted.n_outputs > 1 else ""
    rows = [
        ("trees", f"{forest.n_trees}{per_class}; {forest.n_nodes} nodes, depth {depth}"),
        ("boosting", fitted.boost_type),
        ("leaves answer", data["leaves"]),
        ("response", COMBINATIONS[fitted.combination]),
    ]
    if "offset" in data:
        rows.append(("offset", f"{data['offset']:g}"))
    if "smallest_weight" in data:
        rows.append(("weights of trees", f"{data['smallest_weight']:g} to {data['largest_weight']:g}"))
    if fitted.active_preselection is not None:
        rows.append(("preselection", f"{fitted.active_preselection.is_on.sum()} cuts"))
    return rows


def cuts_by_variable(fitted: FittedBDT, labels: Sequence[str]) -> list[dict[str, Any]]:
    """Return how many nodes cut on each variable, and the sum of the weights of their trees; most cuts first.

    TMVA's variable importance needs the separation gained by every cut, which a weight file does not hold.
    """
    forest = fitted.forest
    inner = forest.right_node >= 0
    column = np.where(forest.fisher_row >= 0, len(labels), forest.variable)[inner]
    weights = np.repeat(fitted.effective_weights, np.diff(forest.starts))[inner]
    counts = np.bincount(column, minlength=len(labels) + 1)
    sums = np.bincount(column, weights=weights, minlength=len(labels) + 1)
    total = sums.sum()
    order = np.lexsort((np.arange(len(counts)), -counts, -sums))
    return [
        {
            "variable": [*labels, _LINEAR][number],
            "cuts": int(counts[number]),
            "weight": float(sums[number]),
            "fraction": float(sums[number] / total) if total > 0 else 0.0,
        }
        for number in order.tolist()
        if number < len(labels) or counts[number]
    ]


def _cut_lines(cuts: Sequence[Mapping[str, Any]]) -> list[str]:
    width = max(len(one["variable"]) for one in cuts)
    lines = [f"  {one['variable']:<{width}}  {one['cuts']:5d} cuts  {one['fraction']:7.2%}" for one in cuts]
    return [*lines, *_ABOUT_CUTS]


def _data(fitted: FittedBDT) -> dict[str, Any]:
    forest, depths = fitted.forest, fitted.forest.tree_depths
    data = {
        "trees": forest.n_trees,
        "nodes": forest.n_nodes,
        "smallest_depth": int(depths.min(initial=2**31 - 1)),
        "largest_depth": int(depths.max(initial=0)),
        "boost_type": fitted.boost_type,
        "leaves": leaves_answer(fitted),
        "combination": fitted.combination,
    }
    if fitted.combination == "sum":
        data["offset"] = float(fitted.tree_weights[0])
    elif fitted.combination in ("mean", "median"):
        data["smallest_weight"] = float(fitted.tree_weights.min())
        data["largest_weight"] = float(fitted.tree_weights.max())
    return data


def leaves_answer(fitted: FittedBDT) -> str:
    """Return what the leaves answer."""
    if fitted.regression_trees:
        return "a response of their own"
    return "1 (signal) or -1 (background)" if fitted.yes_no_leaf else "their purity"


def _preselection(fitted: FittedBDT, head: WeightFile) -> list[dict[str, str]]:
    if fitted.preselection is None:
        return []
    return [
        {
            "cut": f"{head.variables[variable].label} {'>' if is_upper else '<'} {cut:g}",
            "class": "signal" if answer > 0 else "background",
        }
        for variable, is_upper, cut, answer in fitted.preselection.applied()
    ]


def _separation(fitted: FittedBDT, head: WeightFile) -> dict[str, str]:
    """Return what the cuts of classification trees were to improve."""
    if fitted.regression_trees:
        return {}
    option = next(option for option in BDT_OPTIONS if option.name == "SeparationType")
    given = next((record.value for record in head.options if record.name == option.name), str(option.default))
    return {"separation": option.canonical(given) or given}


def _notes(fitted: FittedBDT, head: WeightFile) -> Iterator[str]:
    """Yield what a user should know of this file."""
    given = {record.name.lower(): record.value for record in head.options}
    n_rounds = fitted.forest.n_trees // fitted.n_outputs
    asked = given.get("ntrees", "")
    if asked.isdecimal() and int(asked) > n_rounds:
        yield f"Boosting ended early: {n_rounds} of {asked} trees."
    if 0 < head.tmva_version < _TMVA_4_2:
        yield (
            "Trained by a TMVA before 4.2 with x > cut, but applied with x >= cut, as in current TMVA: only events "
            "exactly on a cut differ."
        )
    if given.get("useweightedtrees", "").lower() in ("false", "f", "0"):
        yield "UseWeightedTrees=False has no effect, as in current TMVA: the trees count with their weights."
    if not fitted.rounded:
        yield (
            "A text file: weights of trees count in float64. As XML they are rounded to float32, which changes "
            "responses by about 1e-8."
        )
        if not (fitted.yes_no_leaf or fitted.regression_trees):
            yield "Text files have no purities: as in TMVA, every response is -99. Only UseYesNoLeaf=True makes sense."
    if fitted.combination == "mean" and not fitted.sum_of_weights:
        yield "The weights of the trees add up to 0, so every response is 0."
    if fitted.preselection is not None and fitted.do_preselection and fitted.analysis == AnalysisType.MULTICLASS:
        yield "Preselection was used only in the training: as in TMVA, multiclass responses ignore it."
