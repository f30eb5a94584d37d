"""Growing of one tree by numpy; the compiled twin (``kernels``) gives the same nodes, to the last bit."""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn._typing import BoolArray
from pytmva_bnn.methods.bdt.forest import INNER
from pytmva_bnn.methods.bdt.response import fisher_values
from pytmva_bnn.methods.bdt.training import separation
from pytmva_bnn.methods.bdt.training.fisher_cut import correlated_variables, fisher_coefficients
from pytmva_bnn.methods.bdt.training.grown import GrownTree, NodeList, leaf_type
from pytmva_bnn.methods.bdt.training.node_search import Best, NodeEvents, full_search, grid_search
from pytmva_bnn.methods.bdt.training.randomness import VariableSubsets
from pytmva_bnn.methods.bdt.training.settings import TreeSettings

#: a node is divided only if that gains at least this
LEAST_GAIN = 2.220446049250313e-16
_ROUNDING = 4 * LEAST_GAIN


def grow(
    events: NodeEvents, settings: TreeSettings, is_integer: BoolArray, subsets: VariableSubsets | None
) -> GrownTree:
    """Grow a tree on a list of events; ``subsets`` draws the variables of a randomised one."""
    return _Growing(events, settings, is_integer, subsets).tree()


class _Growing:
    def __init__(
        self, events: NodeEvents, settings: TreeSettings, is_integer: BoolArray, subsets: VariableSubsets | None
    ) -> None:
        self.events = events
        self.settings = settings
        self.is_integer = is_integer
        self.subsets = subsets
        self.min_size = settings.node_percent / 100.0 * len(events)
        self.nodes = NodeList()
        self.importance = np.zeros(len(events.columns))

    def tree(self) -> GrownTree:
        leaf = np.zeros(len(self.events), dtype=np.int32)
        waiting = [(np.arange(len(self.events)), 0, -1)]
        while waiting:
            positions, depth, mother = waiting.pop()
            events = self.events.at(positions)
            sums = events.sums
            node = self.nodes.add(sums[0], sums[1], self._separation(*sums))
            if mother >= 0:
                self.nodes.daughters[mother].append(node)
            to_right = self._division(node, events, sums, depth)
            if to_right is None:
                leaf[positions] = node
                self._make_leaf(node, sums)
                continue
            # the right side first: that is the order of the random numbers
            waiting += [(positions[~to_right], depth + 1, node), (positions[to_right], depth + 1, node)]
        return self.nodes.grown(leaf, self.importance)

    def _separation(self, s: float, b: float, t: float, t2: float) -> float:
        if self.settings.is_regression:
            return float(separation.variance(s + b, t, t2)) if s + b else 0.0
        return float(separation.index_of(self.settings.separation, s, b))

    def _division(
        self, node: int, events: NodeEvents, sums: tuple[float, float, float, float], depth: int
    ) -> BoolArray | None:
        """Return which events go to the right, None if the node is a leaf."""
        s, b = sums[:2]
        two_sizes = 2.0 * self.min_size
        divisible = s + b != 0.0 if self.settings.is_regression else s != 0.0 and b != 0.0
        if not (len(events) >= two_sizes and s + b >= two_sizes and depth < self.settings.max_depth and divisible):
            return None
        best, coefficients = self._best(events, sums)
        if best is None:
            return None
        cut = np.float32(best.cut)
        self.nodes.set(node, variable=best.variable, cut=float(cut), cut_type=best.cut_type)
        linear = coefficients is not None and best.variable == len(events.columns)
        if linear and coefficients is not None:
            self.nodes.coefficients[node] = coefficients
            self.importance += coefficients[:-1] * coefficients[:-1] * best.gain * best.gain * (s + b) * (s + b)
            passes = fisher_values(coefficients, events.columns) > float(cut)
        else:
            self.importance[best.variable] += best.gain * best.gain * (s + b) * (s + b)
            passes = events.columns[best.variable] >= cut
        if self.settings.is_regression:
            self._describe(node, s + b, *best.inner_sums)
        if not best.gain >= LEAST_GAIN:
            return None
        to_right: BoolArray = passes == bool(best.cut_type)
        # TMVA: an error if all events go to one side, when rounding moves the cut to the end of the range
        if to_right.all() or not to_right.any():
            return None
        self.nodes.set(node, node_type=INNER)
        return to_right

    def _best(
        self, events: NodeEvents, sums: tuple[float, float, float, float]
    ) -> tuple[Best | None, np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None]:
        settings = self.settings
        n_variables = len(events.columns)
        full = settings.n_cuts <= 0
        candidates = [True] * n_variables if self.subsets is None else self.subsets.draw(full_scan=full)
        if full:
            return full_search(events, settings.separation, self.min_size, candidates), None
        coefficients = extra = None
        if settings.fisher_cuts:
            chosen = correlated_variables(events, candidates, settings.min_correlation)
            coefficients = fisher_coefficients(events, chosen)
            extra = fisher_values(coefficients, events.columns)
            candidates = [*candidates, bool(len(chosen) and np.isfinite(coefficients).all())]
            if settings.exclusive_variables:
                for variable in chosen:
                    candidates[variable] = False
        best = grid_search(
            events, sums, settings.separation, settings.n_cuts, self.min_size, candidates, self.is_integer, extra
        )
        return best, coefficients

    def _make_leaf(self, node: int, sums: tuple[float, float, float, float]) -> None:
        s, b, t, t2 = sums
        if self.settings.is_regression:
            self._describe(node, s + b, t, t2)
        else:
            purity = np.float32(self.nodes.values["purity"][node])
            self.nodes.set(node, node_type=leaf_type(purity, self.settings.purity_limit))

    def _describe(self, node: int, n: float, t: float, t2: float) -> None:
        """Set response, rms and separation index of a node of a regression tree."""
        response, rms = mean_and_rms(n, t, t2)
        index = float(separation.variance(n, t, t2)) if n else 0.0
        self.nodes.set(node, response=response, rms=rms, separation=index)


def mean_and_rms(n: float, t: float, t2: float) -> tuple[float, float]:
    """Return mean and standard deviation of a target from the sums of weights, targets and squared targets."""
    if n == 0.0:
        return 0.0, 0.0
    a, b = t2 / n, t / n * t / n
    if abs(a - b) < _ROUNDING * abs(a + b) or abs(a - b) < 2.2e-308:
        return t / n, 0.0
    return t / n, math.sqrt(a - b) if a > b else -math.nan
