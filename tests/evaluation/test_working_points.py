"""The evaluation by working points: curves through points that need not ascend."""

import numpy as np
import pytest

from pytmva_bnn.evaluation import BinarySample, binary_tables, evaluate_binary
from pytmva_bnn.evaluation.working_points import PointLine, WorkingPointResult
from pytmva_bnn.methods.answers import WorkingPoints


def searched(points, x):
    """Halve the interval as TMVA does, number by number."""
    above, below = len(points) + 1, 0
    while above - below > 1:
        middle = (above + below) // 2
        if x == points[middle - 1]:
            return middle - 1
        if x < points[middle - 1]:
            above = middle
        else:
            below = middle
    return below - 1


def test_lines_go_from_point_to_point_in_their_order():
    random = np.random.default_rng(4)
    points = np.clip(np.linspace(0, 1, 40) + random.normal(0, 0.05, 40), 0, 1)
    values = random.uniform(size=40)
    x = np.concatenate([np.linspace(-0.1, 1.1, 333), points])
    expected = []
    for one in x:
        i = max(searched(points, one), 0)
        k = i + 1 if (one > points[i] and i != 39) or i == 0 else i - 1
        with np.errstate(all="ignore"):
            expected.append(values[i] + (one - points[i]) * (values[i] - values[k]) / (points[i] - points[k]))
    np.testing.assert_array_equal(PointLine(points, values).at(x), expected)


@pytest.fixture
def result():
    e = (np.arange(100) + 0.5) / 100
    zero = BinarySample(np.zeros(400), None, np.arange(400) < 100)
    test = WorkingPoints(e, e**2, np.arange(1, 101), np.float32(e**2))
    bins = np.arange(1, 101)
    bins[10:15] = 3
    return evaluate_binary(zero, zero, title="Cuts", points=(WorkingPoints(e, e**3, bins, test.trained), test))


def test_numbers_come_from_the_points(result, caplog):
    assert isinstance(result, WorkingPointResult)
    assert (result.separation, result.significance, result.reference_cut) == (-1.0, -1.0, 0.5)
    assert result.area == pytest.approx(2 / 3, abs=1e-4)
    assert result.training.curve.area == pytest.approx(3 / 4, abs=6e-3)
    np.testing.assert_allclose(result.efficiencies, np.sqrt([0.01, 0.1, 0.3]), atol=2e-3)
    np.testing.assert_allclose(result.training_efficiencies, np.cbrt([0.01, 0.1, 0.3]), atol=2e-3)
    assert result.efficiency_errors[1] == np.sqrt(result.efficiencies[1] * (1 - result.efficiencies[1]) / 100)
    assert result.training.curve.background_efficiency[10:15].tolist() == [float(np.float32(-0.1))] * 5
    assert result.point_roc.auc == pytest.approx(2 / 3, abs=1e-3)
    best = result.maximum_significance(100, 1000)
    s = 100 * result.points.signal / np.sqrt(100 * result.points.signal + 1000 * result.points.background)
    assert best.value == pytest.approx(s.max())
    assert int(best.cut * 100) == int(np.argmax(s))


def test_the_table_has_the_area_and_the_repr_is_short(result):
    assert binary_tables("data", [result])[5] == f"data          Cuts           : {result.area:.3f}"
    assert repr(result) == f"<WorkingPointResult 'Cuts': area {result.area:.3f} (training 0.755)>"
    assert result.to_pandas().loc["test", "area"] == result.area


def test_missing_bins_are_told(caplog):
    e = np.linspace(0, 1, 100)
    zero = BinarySample(np.zeros(40), None, np.arange(40) < 10)
    points = WorkingPoints(e, e, np.full(100, 7), np.float32(e))
    evaluate_binary(zero, zero, points=(points, points))
    assert caplog.messages == [" unable to fill 99 efficiency bins "]


def test_a_curve_that_only_touches_does_not_cross():
    e = (np.arange(100) + 0.5) / 100
    zero = BinarySample(np.zeros(40), None, np.arange(40) < 10)
    flat = np.where(e < 0.5, 0.0, np.float64(np.float32(0.1)))
    points = WorkingPoints(e, flat, np.arange(1, 101), np.float32(flat))
    assert evaluate_binary(zero, zero, points=(points, points)).training_efficiencies[1] == 0.9995
