"""Plain-Python evaluation of small networks and old transformations, one event at a time, straight from the spec."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "xml_fixtures"


@pytest.fixture
def cases() -> Path:
    return FIXTURES / "cases"


@pytest.fixture
def odd() -> Path:
    return FIXTURES / "odd"


def float32(x: float) -> float:
    return struct.unpack("f", struct.pack("f", x))[0]


def matrix_times(x: Sequence[float], rows: Sequence[Sequence[float]]) -> list[float]:
    return [float32(sum(a * b for a, b in zip(x, row, strict=True))) for row in rows]


def normalised(x: Sequence[float], ranges: Sequence[tuple[float, float]]) -> list[float]:
    result = []
    for value, (low, high) in zip(x, ranges, strict=True):
        low, high = float32(low), float32(high)
        scale = float32(1.0 / float32(high - low))
        result.append(float32(float32(float32(float32(value - low) * scale) * 2) - 1))
    return result


def network(
    x: Sequence[float], matrices: Sequence[Sequence[Sequence[float]]], output: Callable[[float], float]
) -> list[float]:
    """Evaluate a tanh network; ``matrices[layer][from][to]``, bias last."""
    values = list(x)
    for number, matrix in enumerate(matrices):
        sums = [0.0] * len(matrix[0])
        for value, row in zip([*values, 1.0], matrix, strict=True):
            sums = [z + weight * value for z, weight in zip(sums, row, strict=True)]
        values = [(output if number == len(matrices) - 1 else math.tanh)(z) for z in sums]
    return values


def sigmoid(z: float) -> float:
    return 1.0 / (1.0 + math.exp(-z))


def linear(z: float) -> float:
    return z


def gauss(c: float) -> float:
    """Return where the unit Gaussian has the cumulative probability ``c``, by bisection."""
    c = min(max(c, 1e-9), 1 - 1e-9)
    a = min(max(2 * c - 1, -0.99999999), 0.99999999)
    low, high = -8.0, 8.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if math.erf(middle) < a else (low, middle)
    return float32(1.414213562 * low)


def interpolated(x: float, contents: Sequence[float], edges: Sequence[float]) -> float:
    """Return the value of a PDF of G or U with linear interpolation (10000 fine bins) at ``x``."""
    n, low, high = 10000, edges[0], edges[-1]
    centres = [a + 0.5 * (b - a) for a, b in pairwise(edges)]

    def coarse(u: float) -> float:
        i = max((k for k, centre in enumerate(centres) if centre <= u), default=0)
        k = i + 1 if (u > centres[i] and i != len(centres) - 1) or i == 0 else i - 1
        y = contents[i] + (u - centres[i]) * (contents[i] - contents[k]) / (centres[i] - centres[k])
        if y <= 1e-12:
            y = contents[max((k for k, edge in enumerate(edges[:-1]) if edge <= u), default=0)]
        return float32(max(y, 1e-12))

    width = (high - low) / n
    b = min(max(math.floor((x - low) / width) + 1, 1), n)
    centre = low + (b - 0.5) * width
    k = b + 1 if (x > centre and b != n) or b == 1 else b - 1
    other = low + (k - 0.5) * width
    here = coarse(centre)
    return here + (x - centre) * (here - coarse(other)) / (centre - other)


@pytest.fixture
def plain():
    """Give the functions of this file to the tests."""

    class Plain:
        pass

    for function in (float32, matrix_times, normalised, network, sigmoid, linear, gauss, interpolated):
        setattr(Plain, function.__name__, staticmethod(function))
    return Plain
