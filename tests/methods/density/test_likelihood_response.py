"""The response of Likelihood against the formulas written out for single numbers, and in event loops."""

import copy
import math
import pickle

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.histograms import PDFRecord, from_contents
from pytmva_bnn.methods import linked_response
from pytmva_bnn.methods.density.likelihood_fitted import FittedLikelihood
from pytmva_bnn.methods.density.likelihood_response import SMALLEST
from pytmva_bnn.transform import Quantity, TransformationChain

EPSILON = 1000 * 2.2250738585072014e-308


def record(contents, low, high, interpolation):
    histogram = from_contents(np.float32(contents), low, high, name="h")
    return PDFRecord("p", 0, 0, interpolation, 1, 1, 1, 1.0, histogram)


def fitted(*pairs, transformed=False):
    return FittedLikelihood(tuple(pairs), transformed)


def naive_density(x, pdf, signal):
    low, high = signal.record.histogram.x_min, signal.record.histogram.x_max
    x = float(x)
    if x >= high:
        x = high - 1e-10
    elif x < low:
        x = low
    axis, n = pdf.histogram.axis, pdf.histogram.n_bins
    w = (axis.upper - axis.lower) / n
    if x < axis.lower:
        b = 0
    elif not x < axis.upper:
        b = n + 1
    else:
        b = max(int((x - axis.lower) / w), 1)
        while axis.lower + w * b <= x:
            b += 1
    cells = pdf.histogram.cells
    value = float(cells[b])
    if signal.record.interpolation != 0:
        centre = axis.lower + (b - 0.5) * w
        k = b + 1 if (x > centre and b != n) or b == 1 else b - 1
        other = float(cells[min(max(k, 0), n + 1)])
        value = value + ((x - centre) * (value - other)) / (centre - (axis.lower + (k - 0.5) * w))
    return max(value, EPSILON)


def naive_response(event, pdfs, transformed):
    n = len(pdfs)
    signal = background = 1.0
    for i, (s, b) in enumerate(pdfs):
        signal *= naive_density(event[i], s, s)
        background *= naive_density(event[i - n], b, s)
    signal, background = max(signal, EPSILON), max(background, EPSILON)
    r = signal / (signal + background)
    r = 1.0 - 1e-15 if r >= 1.0 else r
    if transformed:
        r = EPSILON if r <= 0.0 else r
        r = -math.log(1.0 / r - 1.0) / 15.0
    return r


SMOOTH = (record([1, 3, 9, 4, 2, 1], -2.0, 3.0, 2), record([5, 4, 2, 2, 1, 1], -2.0, 3.0, 3))
COUNTS = (record([4, 9, 2, 0], 0.0, 4.0, 0), record([8, 3, 0, 1], 0.0, 4.0, 0))
MIXED = (record([4, 9, 2, 0], 0.0, 4.0, 1), record([8, 3, 0, 1], 0.0, 4.0, 0))
PLAIN_SIGNAL = (record([4, 9, 2, 0], 0.0, 4.0, 0), record([8, 3, 0, 1], 0.0, 4.0, 1))
SHIFTED = (record([1, 3, 9, 4], -2.0, 3.0, 2), record([5, 4, 2, 2], -1.0, 2.0, 0))
LARGE = (record([1, 3, 9, 4], 0.0, 3e6, 1), record([5, 4, 2, 2], 0.0, 3e6, 1))
CASES = {
    "splines": (SMOOTH,),
    "counts": (COUNTS, SMOOTH),
    "only the signal is interpolated": (MIXED,),
    "only the background is interpolated": (PLAIN_SIGNAL, SMOOTH),
    "another range for background": (SHIFTED,),
    "beyond 2^20": (LARGE,),
}


@pytest.fixture(params=CASES, ids=str)
def pairs(request):
    return CASES[request.param]


def events_for(pairs, *, per_class):
    """Events inside and outside of the range, at its ends, and at edges of bins."""
    random = np.random.default_rng(5)
    columns = []
    for signal, _ in pairs * (1 + per_class):
        low, high, n = signal.histogram.x_min, signal.histogram.x_max, signal.histogram.n_bins
        span = high - low
        special = [low, high, low - span, high + span, *(low + span * k / n for k in range(n)), 1e30, -1e30]
        inside = random.uniform(low - 0.1 * span, high + 0.1 * span, 150)
        columns.append(random.permutation(np.concatenate([special, inside])[:150]))
    return np.column_stack(columns).astype(np.float32)


@pytest.mark.parametrize("transformed", [False, True])
@pytest.mark.parametrize("per_class", [False, True])
def test_responses_are_those_of_the_formulas(pairs, per_class, transformed, mode):
    method = fitted(*pairs, transformed=transformed)
    x = events_for(pairs, per_class=per_class)
    expected = [naive_response(event, method.pdfs, transformed) for event in x]
    np.testing.assert_array_equal(method.respond(x)[:, 0], expected, err_msg=mode)


def test_there_is_no_smaller_density(mode):
    assert SMALLEST == EPSILON
    # nothing but signal in the first bin, nothing but background in the last
    ends = (record([1.0, 0.0], 0.0, 2.0, 0), record([0.0, 1.0], 0.0, 2.0, 0))
    x = np.float32([[0.5, 0.5], [1.5, 1.5], [0.5, 1.5]])
    found = fitted(ends, ends).respond(x)[:, 0]
    assert found.tolist() == [1.0 - 1e-15, EPSILON / (1.0 + EPSILON), 0.5]
    stretched = fitted(ends, ends, transformed=True).respond(x)[:, 0]
    np.testing.assert_allclose(stretched[:2], [-math.log(1 / (1 - 1e-15) - 1) / 15, -math.log(1 / EPSILON) / 15])


def test_nan_stays_nan(mode):
    found = fitted(SMOOTH, COUNTS).respond(np.float32([[0.5, np.nan], [np.nan, 1.0], [0.5, 1.0]]))[:, 0]
    assert np.isnan(found).tolist() == [True, True, False]


def test_bins_of_different_width_are_left_to_numpy(mode):
    edges = [0.0, 1.0, 4.0]
    pair = tuple(
        PDFRecord("p", 0, 0, 0, 1, 1, 1, 1.0, from_contents(np.float32(c), 0.0, 4.0, edges)) for c in ([1, 3], [3, 1])
    )
    found = fitted(pair).respond(np.float32([[0.5], [2.0]]))[:, 0]
    assert found.tolist() == [0.25, 0.75]


# -- event loops


def booked(method_case, name="likelihood_d"):
    reader = TMVA.Reader("!V:Silent")
    memory = [reader.AddVariable(variable) for variable in ("var1", "var2", "var3", "var4")]
    reader.BookMVA("tag", method_case(name).weights)
    return reader, memory


def test_the_loop_takes_what_the_memory_holds_now(method_case):
    expected = method_case("likelihood_d").expected
    reader, memory = booked(method_case)
    for event, response in zip(expected["inputs"][:6], expected["mva"], strict=False):
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        assert reader.EvaluateMVA("tag") == response
    memory[2][0] = np.nan
    assert reader.EvaluateMVA("tag") == -999.0
    memory[2][0] = np.inf
    assert reader.EvaluateMVA("tag") == -999.0
    memory[2][0] = expected["inputs"][5, 2]
    assert reader.EvaluateMVA("tag") == expected["mva"][5]


@pytest.mark.parametrize("name", ["likelihood", "likelihood_d"])
def test_a_linked_event_and_its_copies(method_case, name, mode):
    record = method_case(name)
    model = TMVA.load(record.weights)
    memory = [np.zeros(1, np.float32) for _ in model.variables]
    linked = model.fitted.linked_event(model.transformations, memory)
    for cell, value in zip(memory, record.expected["inputs"][4], strict=True):
        cell[0] = value
    for one in (linked, pickle.loads(pickle.dumps(linked)), copy.deepcopy(linked)):  # noqa: S301
        assert one.evaluate() == record.expected["mva"][4]
    assert linked.error_bars("x") == (-1.0, -1.0)
    copied = copy.deepcopy(linked)
    memory[0][0] += 1.0
    assert copied.evaluate() == record.expected["mva"][4] != linked.evaluate()
    memory[0][0] = np.inf
    assert math.isnan(linked.evaluate())


@pytest.mark.parametrize("transformed", [False, True])
def test_the_loop_gives_the_bits_of_arrays(pairs, transformed, mode, monkeypatch):
    monkeypatch.setattr(linked_response, "EVENTS_BY_NUMBERS", 70)  # the way changes in the middle
    method = fitted(*pairs, transformed=transformed)
    variables = [Quantity("Variable", name, name) for name in "xyz"[: len(pairs)]]
    memory = [np.zeros(1, np.float32) for _ in pairs]
    linked = method.linked_event(TransformationChain((), variables), memory)
    x = events_for(pairs, per_class=False)
    for event, expected in zip(x, method.respond(x)[:, 0], strict=True):
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        assert linked.evaluate() == expected, mode


def test_no_short_way_without_memory(method_case):
    model = TMVA.load(method_case("likelihood").weights)
    memory = [np.zeros(1, np.float32), None, np.zeros(1, np.float32), np.zeros(1, np.float32)]
    assert model.fitted.linked_event(model.transformations, memory) is None
