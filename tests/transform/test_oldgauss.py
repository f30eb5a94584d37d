"""G and U of the text format."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import from_contents
from pytmva_bnn.transform import OldCumulative, OldGaussianisation
from pytmva_bnn.transform.error_function import gaussianise

EDGES = np.array([-1.0, 0.0, 0.5, 2.0])
CONTENTS = np.float32([0.4, 0.6, 1.0])


def cumulative(elements=20, edges=EDGES, contents=CONTENTS):
    return OldCumulative(from_contents(contents, 0.0, 0.0, edges, name="c"), elements)


def naive(x, edges, contents, elements):
    n = len(contents)
    epsilon = 0.5 / (n * elements)
    if x <= edges[0]:
        return epsilon
    if x >= edges[-1]:
        return 1 - epsilon
    b = max(i for i in range(n) if edges[i] <= x) + 1
    y0 = epsilon if b == 1 else float(contents[b - 2])
    y1 = 1 - epsilon if b == n else float(contents[b - 1])
    return y0 + (y1 - y0) * (x - edges[b - 1]) / (edges[b] - edges[b - 1])


@pytest.mark.parametrize(
    ("edges", "contents"), [(EDGES, CONTENTS), (EDGES[:2], CONTENTS[:1])], ids=["three bins", "one bin"]
)
def test_the_line_between_edges_agrees_with_a_scalar_version(edges, contents):
    x = np.concatenate([np.linspace(-2, 3, 51), edges, [-math.inf, math.inf]])
    expected = [naive(v, edges.tolist(), contents, 20) for v in x.tolist()]
    assert cumulative(20, edges, contents).value(x).tolist() == expected


@pytest.mark.parametrize("flat", [True, False])
def test_the_last_set_is_applied(flat):
    step = OldGaussianisation(None, ((cumulative(1), cumulative(20)),), flat)
    x = np.float32([[-0.3], [0.7], [math.inf]])
    c = cumulative(20).value(x[:, 0])
    expected = c.astype(np.float32) if flat else gaussianise(c)
    assert step.apply(x)[:, 0].tolist() == expected.tolist()


def test_nan_gives_the_upper_limit():
    step = OldGaussianisation(None, ((cumulative(),),), flat=True)
    assert step.apply(np.float32([[math.nan]])).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("cumulatives", "message"),
    [((), "0 inputs have cumulative"), (((cumulative(0),),), "elements per bin must be positive, got 0")],
)
def test_parameters_must_fit(cumulatives, message):
    with pytest.raises(InputError, match=message):
        OldGaussianisation(None, cumulatives, flat=True).check(1)
