"""Responses of many events by compiled code: comparisons in float32 and sums in float64, for blocks of events."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.fast.compiler import compiled

Array = Any

BLOCK = 512
"""Events that are worked on at a time."""


@compiled
def respond(
    x: Array,
    columns: Array,
    bounds: Array,
    starts: Array,
    terms: Array,
    coefficients: Array,
    linear: Array,
    line_numbers: Array,
    offset: float,
    y: Array,
) -> None:
    """Write the responses to events ``(n_events, n_variables)`` into ``y``."""
    n_events, n_variables = x.shape
    values = np.empty((2 * n_variables, BLOCK), dtype=np.float32)
    passed = np.empty((max(bounds.size, 1), BLOCK), dtype=np.uint8)
    both = np.empty(BLOCK, dtype=np.uint8)
    for first in range(0, n_events, BLOCK):
        n = min(BLOCK, n_events - first)
        for v in range(n_variables):
            up, down = values[v], values[2 * n_variables - 1 - v]
            for e in range(n):
                up[e] = x[first + e, v]
                down[e] = -up[e]
        for t in range(bounds.size):
            column, bound, own = values[columns[t]], bounds[t], passed[t]
            for e in range(BLOCK):
                own[e] = column[e] > bound
        out = y[first : first + n]
        for e in range(n):
            out[e] = offset
        for r in range(coefficients.size):
            begin, end = starts[r], starts[r + 1]
            c = coefficients[r]
            if end - begin == 1:
                add_one(out, passed[terms[begin]], c)
            elif end - begin == 2:
                add_two(out, passed[terms[begin]], passed[terms[begin + 1]], c)
            elif end - begin == 0:
                for e in range(n):
                    out[e] += c
            else:
                one, two = passed[terms[begin]], passed[terms[begin + 1]]
                for e in range(BLOCK):
                    both[e] = one[e] & two[e]
                for k in range(begin + 2, end - 1):
                    one = passed[terms[k]]
                    for e in range(BLOCK):
                        both[e] &= one[e]
                add_two(out, both, passed[terms[end - 1]], c)
        if linear.size > 0:
            add_lines(out, values, linear, line_numbers)


@compiled
def add_one(out: Array, one: Array, c: float) -> None:
    """Add a coefficient where a comparison holds."""
    for e in range(out.size):
        out[e] += c if one[e] else 0.0


@compiled
def add_two(out: Array, one: Array, two: Array, c: float) -> None:
    """Add a coefficient where two comparisons hold."""
    for e in range(out.size):
        out[e] += c if one[e] & two[e] else 0.0


@compiled
def add_lines(out: Array, values: Array, linear: Array, line_numbers: Array) -> None:
    """Add the sum of the linear terms."""
    lines = np.zeros(out.size)
    for k in range(linear.size):
        column = values[linear[k]]
        low, high, c, norm = line_numbers[k, 0], line_numbers[k, 1], line_numbers[k, 2], line_numbers[k, 3]
        for e in range(out.size):
            v = np.float64(column[e])
            v = max(v, low)
            v = min(v, high)
            lines[e] += v * c * norm
    for e in range(out.size):
        out[e] += lines[e]
