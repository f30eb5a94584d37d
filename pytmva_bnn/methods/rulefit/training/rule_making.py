"""Rules from the nodes of trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.rulefit.rules import Cut
from pytmva_bnn.random import TRandom3

Step = tuple[int, float, bool]
"""Variable and cut of a node, and whether the way goes to the right."""
RuleCuts = tuple[Cut, ...]


def rules_of_trees(trees: Iterable[GrownTree]) -> list[RuleCuts]:
    """Return one rule for each node but the roots."""
    return [cuts_of(path) for tree in trees for path in _paths(tree)]


def _paths(tree: GrownTree) -> Iterator[tuple[Step, ...]]:
    """Yield the way to every node but the root: each before those below it, the right side before the left one."""
    variable, cut, right = tree.variable.tolist(), tree.cut.tolist(), tree.right.tolist()
    waiting: list[tuple[int, tuple[Step, ...]]] = [(0, ())]
    while waiting:
        node, path = waiting.pop()
        if path:
            yield path
        if right[node]:
            step = variable[node], cut[node]
            waiting += [(node + 1, (*path, (*step, False))), (right[node], (*path, (*step, True)))]


def cuts_of(path: Iterable[Step]) -> RuleCuts:
    """Return the cuts of a rule, by variable.

    TMVA: to the right always means x > cut, also where that is the side below the cut; and of several cuts on the same
    side of a variable the loosest one counts.  So the rule is not the region of its node.
    """
    ends: dict[int, tuple[float, float]] = {}
    for variable, cut, to_right in path:
        low, high = ends.get(variable, (-np.inf, np.inf))
        if to_right:
            low = cut if low == -np.inf else min(low, cut)
        else:
            high = cut if high == np.inf else max(high, cut)
        ends[variable] = low, high
    return tuple(Cut(variable, *ends[variable]) for variable in sorted(ends))


def without_similar(rules: list[RuleCuts], min_distance: float) -> list[RuleCuts]:
    """Return the rules without those that are similar to another one; chance decides which of two is dropped.

    TMVA: the differences of cuts are to be divided by the widths of the variables, but these are never computed and 0,
    for which a difference counts as 0: so rules are similar if they cut on the same sides of the same variables.
    """
    if min_distance == 0.0:
        return rules
    random = TRandom3()
    kinds = [tuple((cut.variable, cut.low > -np.inf, cut.high < np.inf) for cut in rule) for rule in rules]
    kept = np.ones(len(rules), dtype=bool)
    alike: dict[object, list[int]] = {}
    for number, kind in enumerate(kinds):
        alike.setdefault(kind, []).append(number)
    for i, kind in enumerate(kinds):
        if not kept[i]:
            continue
        for k in alike[kind]:
            # TMVA: continues with i even if i was dropped
            if k > i and kept[k]:
                kept[k if random.rndm() > 0.5 else i] = False
    return [rule for rule, is_kept in zip(rules, kept, strict=True) if is_kept]
