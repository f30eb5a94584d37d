"""TMVA's searches written out for single events, node by node."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pytmva_bnn as TMVA

F = np.float32


@pytest.fixture(scope="session")
def edited(method_case):
    """Return ``edited(name, (old, new), ...)``: the text of a record's weight file with changes."""

    def edit(name, *changes):
        text = method_case(name).weights_text
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        return text

    return edit


@pytest.fixture
def loop_responses():
    """Return the responses of a Reader's event loop."""

    def responses(weights, events):
        model = TMVA.load(weights)
        reader = TMVA.Reader("!Color:Silent")
        memory = [reader.AddVariable(variable.expression) for variable in model.variables]
        reader.BookMVA("method", weights)
        found = []
        for event in events:
            for one, value in zip(memory, event, strict=True):
                one[0] = value
            found.append(reader.EvaluateMVA("method"))
        return np.array(found)

    return responses


@pytest.fixture(scope="session")
def naive_neighbours():
    """Return ``search(x, weights, q, k, balance_depth)``: the neighbours in the order of TMVA's depth-first search."""

    def tree_of(x, balance_depth):
        n_events, n = x.shape
        ordered = np.sort(x, axis=0)
        nodes = [[0, ordered[n_events // 2, 0], None, None, None]]  # variable, split, left, right, event
        level = [nodes[0]]
        for depth in range(1, balance_depth):
            number, below = 1, []
            for node in level:
                for side in (2, 3):
                    split = ordered[n_events * number // (2**depth + 1), depth % n]
                    node[side] = [depth % n, split, None, None, None]
                    below.append(node[side])
                    number += 1
            level = below
        for event in range(n_events):
            node = nodes[0]
            while True:
                side = 2 if x[event, node[0]] < node[1] else 3
                if node[side] is None:
                    variable = (node[0] + 1) % n
                    node[side] = [variable, x[event, variable], None, None, event]
                    break
                node = node[side]
        return nodes[0]

    def search(x, weights, q, k, balance_depth):
        found: list[tuple[np.float32, int]] = []
        stack = [tree_of(x, balance_depth)]
        while stack:
            variable, split, left, right, event = stack.pop()
            if event is not None and weights[event] > 0:
                d = F(0)
                with np.errstate(over="ignore"):
                    for a, b in zip(x[event], q, strict=True):
                        d = d + (a - b) * (a - b)
                place = sum(one <= d for one, _ in found)
                found.insert(place, (d, event))
                del found[k:]
            near, far = (left, right) if q[variable] < split else (right, left)
            stack += [node for node in (far, near) if node is not None]
        return [event for _, event in found], [float(d) for d, _ in found]

    return search


class NaiveTree:
    """A binary search tree that grows by insertion; ``nodes`` are lists of event, left and right."""

    def __init__(self, x):
        self.x = x
        self.root = None

    def insert(self, event):
        if self.root is None:
            self.root = [event, None, None]
            return
        node, depth = self.root, 0
        while True:
            variable = depth % self.x.shape[1]
            side = 1 if self.x[event, variable] <= self.x[node[0], variable] else 2
            if node[side] is None:
                node[side] = [event, None, None]
                return
            node, depth = node[side], depth + 1

    def pre_order(self):
        """Return (event, depth, side) of all nodes."""
        found, left = [], [(self.root, 0, "s")]
        while left:
            node, depth, side = left.pop()
            found.append((node[0], depth, side))
            left += [(node[i], depth + 1, name) for i, name in ((2, "r"), (1, "l")) if node[i] is not None]
        return found


@pytest.fixture(scope="session")
def naive_tree():
    """Return ``tree(x, balanced)``: (event, depth, side) of all nodes in pre-order."""

    def balanced_insertions(tree, events, depth):
        if not events:
            return
        variable = depth % tree.x.shape[1]
        events = sorted(events, key=lambda event: (tree.x[event, variable], event))
        middle = len(events) // 2
        while middle > 0 and tree.x[events[middle], variable] == tree.x[events[middle - 1], variable]:
            middle -= 1
        tree.insert(events[middle])
        balanced_insertions(tree, events[:middle], depth + 1)
        balanced_insertions(tree, events[middle + 1 :], depth + 1)

    def grow(x, balanced):
        tree = NaiveTree(x)
        if balanced:
            balanced_insertions(tree, list(range(len(x))), 0)
        else:
            for event in range(len(x)):
                tree.insert(event)
        return tree.pre_order()

    return grow


def scaled(lower, upper, f):
    return 0.5 * (lower * (1 + f) + upper * (1 - f)), 0.5 * (lower * (1 - f) + upper * (1 + f))


@pytest.fixture(scope="session")
def naive_box():
    """Return ``box(tree, settings, delta, q)``: the limits of an adaptive box, and which events are in it."""

    def content(tree, children, lower, upper):
        inside = ((tree.variables > lower) & (tree.variables <= upper)).all(axis=1)
        total = [float(w) if one else 0.0 for w, one in zip(tree.weights, inside, strict=True)]
        for node in range(len(tree) - 1, -1, -1):  # what is below a node comes behind it
            for child in children[node]:
                total[node] += total[child]
        return F(total[0])

    def box(tree, settings, delta, q):
        children = [[] for _ in range(len(tree))]
        above = []
        for node, depth in enumerate(tree.depths.tolist()):
            del above[depth:]
            if above:
                children[above[-1]].append(node)
            above.append(node)
        n_min, n_max = F(settings.n_min), F(settings.n_max)
        lower, upper = (q.astype(float) + sign * delta.astype(float) / 2 for sign in (-1, 1))
        n_0 = content(tree, children, lower, upper)
        while n_0 < n_min:
            lower, upper = scaled(lower, upper, 1.15)
            n_0 = content(tree, children, lower, upper)
        wanted, n = F(0.5 * float(n_min + n_max)), n_0
        s = best = F(settings.initial_scale)
        n_best, count = n, 1
        while count < settings.max_iterations and (n < n_min or n > n_max):
            n = content(tree, children, *scaled(lower, upper, float(s)))
            if n > 1 and n != n_0:
                s = s + ((s - F(1)) / (n - n_0)) * (wanted - n) if s != 1 else F(float(s) - 0.01)
            else:
                s = F(float(s) + 0.5)
            if abs(n - wanted) < abs(n_best - wanted) and (n >= n_min or n_best < n):
                n_best, best = n, s
            count += 1
        lower, upper = scaled(lower, upper, float(best))
        return lower, upper, np.flatnonzero(((tree.variables > lower) & (tree.variables <= upper)).all(axis=1))

    return box


@pytest.fixture(scope="session")
def naive_ratio():
    """Return ``ratio(tree, scales, signal, members, kernel)``: the response for the events in a volume."""

    def ratio(tree, scales, signal, members, kernel=None):
        sums = [0.0, 0.0]
        for number, member in enumerate(members):
            weight = float(tree.weights[member]) * (1.0 if kernel is None else kernel[number])
            sums[0 if tree.classes[member] == signal else 1] += weight
        s, b = (max(one, 0.0) for one in sums)
        if s < 1e-20 or b < 1e-20:
            return 0.5 if s < 1e-20 and b < 1e-20 else 1.0 if b < 1e-20 else 0.0
        return 1.0 / (float(F((b * float(scales[1])) / (s * float(scales[0])))) + 1.0)

    return ratio


@pytest.fixture(scope="session")
def box_distance():
    """Return the distance of two events in units of half a box."""

    def distance(x, q, lower, upper):
        total = 0.0
        for a, b, low, high in zip(x, q, lower, upper, strict=True):
            total += (2.0 / (high - low) * float(F(a - b))) ** 2
        return math.sqrt(total / len(q))

    return distance
