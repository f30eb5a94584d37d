"""The walk of the coefficients by compiled code; :mod:`.path` has the same in numpy and says how it works."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.fast.compiler import compiled

Array = Any


@compiled
def value(a: Array, rules: Array, lines: Array) -> float:
    """Return offset, rules and linear terms of one event, added in this order; ``rules`` are those that hold."""
    f: float = a[0]
    for k in range(rules.size):
        f += a[rules[k]]
    first = a.size - lines.size
    for v in range(lines.size):
        f += a[first + v] * lines[v]
    return f


@compiled
def values(a: Array, holds: Array, lines: Array, out: Array) -> None:
    """Write the same for many events; ``holds`` (n_rules, n_events) and ``lines`` (n_lines, n_events)."""
    n_rules = holds.shape[0]
    for e in range(out.size):
        out[e] = a[0]
    for r in range(n_rules):
        c, own = a[1 + r], holds[r]
        if c != 0.0:
            for e in range(out.size):
                out[e] += c if own[e] else 0.0
    for v in range(lines.shape[0]):
        c, line = a[1 + n_rules + v], lines[v]
        for e in range(out.size):
            out[e] += c * line[e]


@compiled
def change(weight: float, y: float, rules: Array, lines: Array, gram: Array, c: Array) -> None:
    """Add an event to the sums of the gradient, or take it away (negative weight)."""
    n = c.size
    first = n - lines.size
    for i in range(-1, rules.size):
        k = rules[i] if i >= 0 else 0
        row = gram[k]
        c[k] += weight * y
        row[0] += weight
        for j in range(rules.size):
            row[rules[j]] += weight
        for v in range(lines.size):
            row[first + v] += weight * lines[v]
    for u in range(lines.size):
        scaled, row = weight * lines[u], gram[first + u]
        c[first + u] += scaled * y
        row[0] += scaled
        for j in range(rules.size):
            row[rules[j]] += scaled
        for v in range(lines.size):
            row[first + v] += scaled * lines[v]


@compiled
def rise(f: float) -> float:
    """Return how far F has to rise before it begins to count or ceases to, with room for rounding."""
    if f >= 1.0:
        return np.inf
    return (1.0 - 1e-9) * (-1.0 - f if f <= -1.0 else 1.0 - f) - 1e-12


@compiled
def start(w: Array, y: Array, starts: Array, rules: Array, lines: Array, active: Array, gram: Array, c: Array) -> None:
    """Add all active events to the sums."""
    for e in range(w.size):
        if active[e]:
            change(w[e], y[e], rules[starts[e] : starts[e + 1]], lines[e], gram, c)


@compiled
def walk(
    n_steps: int,
    tau: float,
    factor: float,
    steps: Array,
    least: Array,
    largest: Array,
    averages: Array,
    w: Array,
    y: Array,
    starts: Array,
    rules: Array,
    lines: Array,
    a: Array,
    gram: Array,
    c: Array,
    active: Array,
    expiry: Array,
    travelled: Array,
) -> None:
    """Make steps; all from ``a`` on is changed."""
    n, n_rules = c.size, averages.size
    g = np.empty(n)
    for _ in range(n_steps):
        for j in range(n):
            g[j] = c[j]
        for k in range(n):
            if a[k] != 0.0:
                ak, row = a[k], gram[k]
                for j in range(n):
                    g[j] -= ak * row[j]
        steepest = 0.0
        for j in range(1, n):
            g[j] *= factor
            steepest = max(steepest, abs(g[j]))
        up, down = 0.0, 0.0
        if steepest > 0.0:
            threshold = tau * steepest
            for j in range(1, n):
                if abs(g[j]) >= threshold:
                    d = steps[j] * g[j]
                    a[j] += d
                    up += max(d * least[j], d * largest[j])
                    down -= min(d * least[j], d * largest[j])
        offset = 0.0
        for r in range(n_rules):
            offset -= a[1 + r] * averages[r]
        up += offset - a[0]
        down -= offset - a[0]
        a[0] = offset
        travelled[0] += up
        travelled[1] += down
        highest, lowest = travelled[0], travelled[1]
        for e in range(active.size):
            if expiry[0, e] <= highest or expiry[1, e] <= lowest:
                own = rules[starts[e] : starts[e + 1]]
                f = value(a, own, lines[e])
                counts = abs(f) < 1.0
                if counts != active[e]:
                    active[e] = counts
                    change(w[e] if counts else -w[e], y[e], own, lines[e], gram, c)
                expiry[0, e], expiry[1, e] = highest + rise(f), lowest + rise(-f)
