"""Kernels and empty cells, against the same written out for single events."""

import dataclasses
import math

import numpy as np
import pytest

from pytmva_bnn.methods.foam.descent import Descent
from pytmva_bnn.methods.foam.evaluation import (
    CellValue,
    FoamEvaluation,
    Kernel,
    mean_targets,
    most_probable_targets,
)
from pytmva_bnn.methods.foam.tree import FoamKind, importance

F = np.float32
STEP = float(F(1e-6))


def cell_at(foam, t):
    cell = 0
    while foam.first[cell] >= 0:
        k, child = foam.dimension[cell], foam.first[cell]
        inside = float(t[k]) <= foam.positions[child, k] + foam.sizes[child, k]
        cell = child if inside else foam.second[cell]
    return cell


def moved(foam, t, cell, k, upper):
    result = list(t)
    edge = foam.positions[cell, k] + foam.sizes[cell, k] + STEP if upper else foam.positions[cell, k] - STEP
    result[k] = F(edge)
    return cell_at(foam, result)


def naive(foam, kernel, sigma, x, column):
    """Return one of the values of an event, in TMVA's order of operations."""
    is_empty = (foam.elements[:, 1] == -1) & (foam.kind is FoamKind.TARGET)
    values = foam.elements[:, column].astype(F)
    width = foam.x_max - foam.x_min
    t = [F((float(v) - low) / w) for v, low, w in zip(x, foam.x_min, width, strict=True)]
    cell = cell_at(foam, t)
    around = [moved(foam, t, cell, k, upper) for k in range(len(t)) for upper in (False, True)]
    around = [values[one] for one in around if not is_empty[one]]
    average = F(0)
    for value in around:
        average = F(average + value)
    average = F(average / F(len(around))) if around else F(0)
    if kernel is Kernel.GAUSS:
        total, norm = F(0), F(0)
        for one in foam.active:
            squares = F(0)
            for k, u in enumerate(t):
                u = min(max(u, F(0)), F(1))
                low, high = F(foam.positions[one, k]), F(foam.positions[one, k] + foam.sizes[one, k])
                difference = F(u - min(max(u, low), high))
                squares = F(squares + F(difference * difference))
            z = float(F(math.sqrt(squares))) / sigma
            g = F(math.exp(-0.5 * z * z)) if z <= 39 else F(0)
            total, norm = F(total + F(g * (average if is_empty[one] else values[one]))), F(norm + g)
        return F(total / norm) if norm else F(0)
    if is_empty[cell]:
        return average
    if kernel is Kernel.NONE:
        return values[cell]
    total, n = F(0), 0
    for k, u in enumerate(t):
        distance = F((float(u) - foam.positions[cell, k]) / foam.sizes[cell, k])
        upper = not distance < 0.5
        distance = float(F(1 - distance) if upper else distance)
        beside = moved(foam, t, cell, k, upper)
        if not is_empty[beside]:
            total = F(float(total) + float(values[cell]) * (0.5 + distance))
            total = F(float(total) + float(values[beside]) * (0.5 - distance))
            n += 1
    return F(total / F(n)) if n else values[cell]


def events(foam, n, seed=1):
    """Return events in the range, and some beyond it."""
    width = foam.x_max - foam.x_min
    return (
        np.random.default_rng(seed)
        .uniform(foam.x_min - 0.2 * width, foam.x_max + 0.2 * width, (n, len(width)))
        .astype(F)
    )


@pytest.mark.parametrize("kernel", Kernel)
@pytest.mark.parametrize("name", ["foam_lin", "foam_reg", "foam_sep"])
def test_kernels(model_of, name, kernel):
    foam = model_of(name).fitted.foams[0]
    if name == "foam_reg":  # more empty cells, also beside each other
        elements = foam.elements.copy()
        elements[foam.active[::3]] = [0.0, -1.0]
        foam = dataclasses.replace(foam, elements=elements)
    x = events(foam, 60)
    evaluate = FoamEvaluation(foam, kernel, float(F(0.05)))
    for what, column in ((CellValue.VALUE, 0), (CellValue.ERROR, 1)):
        expected = [naive(foam, kernel, float(F(0.05)), event, column) for event in x]
        np.testing.assert_array_equal(evaluate(x, what), expected)


def test_density_is_that_of_foam_coordinates(small_foam):
    foam = small_foam([(3.0, 0), (6.0, 0), (9.0, 0)], FoamKind.EVENT)
    found = FoamEvaluation(foam)(F([[1, 0], [9, -0.5], [9, 0.5]]), CellValue.DENSITY)
    np.testing.assert_array_equal(found, F([3 / 0.4, 6 / 0.3, 9 / 0.3]))


def test_cells_without_volume_have_no_density(small_foam, caplog):
    foam = dataclasses.replace(small_foam(kind=FoamKind.EVENT), volumes=np.array([1.0, 0.0, 0.6, 0.3, 0.3]))
    assert FoamEvaluation(foam)(F([[1, 0]]), CellValue.DENSITY) == 0.0
    assert "1 cells have no volume" in caplog.text


def test_points_at_an_edge_go_to_the_first_daughter(small_foam):
    evaluate = FoamEvaluation(small_foam())
    above = np.nextafter(F(0), F(1))
    x = F([[3.9, 0], [9, 0], [9, 1e-6], [-99, 9], [99, 9], [4, 0]])
    # 0.4 in float32 lies above 0.4: the last point goes to the second daughter of the root
    np.testing.assert_array_equal(evaluate(x), F([0.25, 0.5, 0.75, 0.25, 0.75, 0.5]))
    assert evaluate(F([[9, above]])) == 0.5  # so near that its coordinate is that of the edge


def test_both_ways_through_a_foam_agree(model_of):
    """Also for numbers next to a threshold, and for those that are not numbers."""
    foam = model_of("foam").fitted.foams[0]
    by_variables, by_coordinates = Descent.in_variables(foam), Descent.in_coordinates(foam)
    x = events(foam, 500)
    divided = np.flatnonzero(~foam.is_active)
    edges = by_variables.thresholds[divided]
    for row, (k, edge) in enumerate(zip(foam.dimension[divided], edges, strict=True)):
        x[row, k] = edge
        x[row + 100, k] = np.nextafter(edge, F(np.inf))
    x[400, 0], x[401, 1], x[402, 2] = np.nan, np.inf, -np.inf
    found = by_variables.cells(x)
    np.testing.assert_array_equal(found, by_coordinates.cells(foam.coordinates(x)))
    t = foam.coordinates(x)
    assert found.tolist() == [cell_at(foam, point) for point in t]


@pytest.fixture
def target_foam(small_foam):
    """A foam of a variable x in [0, 10] and a target in [-1, 1]."""
    return small_foam([(2.0, 0), (3.0, 0), (1.0, 0)], FoamKind.MULTI_TARGET, "MultiTargetRegressionFoam")


def test_targets_of_several_cells(target_foam):
    evaluation = FoamEvaluation(target_foam)
    x = F([[1], [9]])
    np.testing.assert_allclose(mean_targets(evaluation, x), [[0.0], [(3 * -0.5 + 1 * 0.5) / 4]], rtol=1e-6)
    np.testing.assert_allclose(most_probable_targets(evaluation, x), [[0.0], [-0.5]])


def test_targets_where_no_event_was_seen(target_foam):
    evaluation = FoamEvaluation(dataclasses.replace(target_foam, elements=np.zeros((5, 2))))
    np.testing.assert_array_equal(mean_targets(evaluation, F([[1.0]])), [[1.0]])  # TMVA: half the width of the range
    np.testing.assert_array_equal(most_probable_targets(evaluation, F([[1.0]])), [[0.0]])


def test_first_of_equally_dense_cells_counts(target_foam):
    elements = target_foam.elements.copy()
    elements[4, 0] = 3.0
    found = most_probable_targets(FoamEvaluation(dataclasses.replace(target_foam, elements=elements)), F([[9.0]]))
    np.testing.assert_array_equal(found, [[-0.5]])


def test_variables_beyond_the_range_are_moved_into_it(target_foam):
    evaluation = FoamEvaluation(target_foam)
    np.testing.assert_array_equal(mean_targets(evaluation, F([[-5], [50]])), mean_targets(evaluation, F([[0], [10]])))


def test_mean_targets_add_up_in_float32(model_of):
    foam = dataclasses.replace(model_of("foam_mt").fitted.foams[0], role=0)
    x = events(foam, 40)[:, :2]
    t = foam.coordinates(np.clip(x, (foam.x_min[:2] + 2**-23).astype(F), (foam.x_max[:2] - 2**-23).astype(F)))
    for row, found in zip(t, mean_targets(FoamEvaluation(foam), x), strict=True):
        total, norm = [F(0), F(0)], F(0)
        stack = [0]
        while stack:
            cell = stack.pop()
            k, child = foam.dimension[cell], foam.first[cell]
            if child < 0:
                density = float(F(float(F(foam.elements[cell, 0])) / foam.volumes[cell]))
                norm = F(float(norm) + density)
                for j in (2, 3):
                    centre = float(F(foam.positions[cell, j] + 0.5 * foam.sizes[cell, j]))
                    target = F(centre * (foam.x_max[j] - foam.x_min[j]) + foam.x_min[j])
                    total[j - 2] = F(float(total[j - 2]) + density * float(target))
            elif k >= 2:
                stack += [foam.second[cell], child]
            else:
                stack.append(
                    child if float(row[k]) <= foam.positions[child, k] + foam.sizes[child, k] else foam.second[cell]
                )
        np.testing.assert_array_equal(found, [F(one / norm) for one in total])


def test_importance(small_foam):
    foam = small_foam()
    np.testing.assert_array_equal(importance([foam], 2), F([0.5, 0.5]))
    np.testing.assert_array_equal(importance([foam], 1), F([1.0]))  # targets do not count
    leaf = dataclasses.replace(
        foam,
        **{
            name: getattr(foam, name)[1:2]
            for name in ("first", "second", "dimension", "fraction", "elements", "volumes", "integrals", "drives")
        },
    )
    np.testing.assert_array_equal(importance([foam, leaf], 2), F([0.25, 0.25]))
