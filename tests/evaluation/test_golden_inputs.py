"""Statistics, correlations and histograms of the input variables, as TMVA printed and wrote them."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.dataset.statistics import correlation, covariance
from pytmva_bnn.evaluation import (
    correlation_histogram,
    matrix_table,
    pair_plots,
    statistics_table,
    variable_histograms,
    variable_statistics,
)

CLASSES = {
    "bfgs_n": ["Signal", "Background"],
    "fakerate_bnn": ["Signal", "Background"],
    "reg_n": ["Regression"],
    "multi_n": ["Signal", "bg0", "bg1", "bg2"],
}
MATRICES = {
    "bfgs_n": ["S", "B"],
    "fakerate_bnn": ["S", "B"],
    "reg_n": [""],
    "multi_n": CLASSES["multi_n"],
}


@pytest.fixture(params=CLASSES)
def case(request, record):
    return record(request.param)


def test_the_statistics_before_the_transformation_agree(case):
    x, labels = case["train_variables"], case.labels
    if case.name == "reg_n":
        x, labels = np.column_stack([x, case["train_target"]]), [*labels, "fvalue"]
    assert case.says(statistics_table(labels, variable_statistics(x, case["train_weight"])))


@pytest.mark.parametrize("which", ["train", "test"])
def test_the_statistics_after_the_transformation_agree(case, which):
    inputs = case.model.transformations.forward(case[f"{which}_variables"])
    table = statistics_table(case.labels, variable_statistics(inputs, case[f"{which}_weight"]))
    assert case.says(table[:-1])  # a target may follow


def test_the_correlation_matrices_agree(case):
    for number, name in enumerate(MATRICES[case.name]):
        chosen = case["train_class"] == number
        matrix = correlation(covariance(case["train_variables"][chosen], case["train_weight"][chosen]))
        assert case.says(matrix_table(matrix, case.labels))
        histogram = correlation_histogram(matrix)
        np.testing.assert_array_equal(histogram.cells, case[f"corr:CorrelationMatrix{name}"])
        np.testing.assert_allclose(histogram.sumw2.ravel(), case[f"corr2:CorrelationMatrix{name}"], rtol=1e-14)


def test_the_histograms_of_variables_agree(case):
    classes = CLASSES[case.name]
    made = variable_histograms(case["train_variables"], case["train_weight"], case["train_class"], len(classes))
    for label, row in zip(case.labels, made, strict=True):
        for name, histogram in zip(classes, row, strict=True):
            case.check_histogram(f"{label}__{name}_Id", histogram)
            assert histogram.sumw2 is None  # all weights are 1


@pytest.mark.parametrize("name", ["fakerate_bnn", "reg_n"])
def test_the_plots_of_pairs_agree(record, name):
    case, classes = record(name), CLASSES[name]
    plots = pair_plots(case["train_variables"], case["train_weight"], case["train_class"], len(classes))
    assert len(plots) == len(classes)
    for plot in plots:
        key = f"{case.labels[plot.j]}_vs_{case.labels[plot.i]}_{classes[plot.class_index]}_Id"
        scatter, contents = plot.scatter, plot.scatter.cells.astype(float)
        ends = [end for axis in scatter.axes for end in (axis.x_min, axis.x_max)]
        axes = [*ends, scatter.entries, *scatter.statistics]
        np.testing.assert_allclose(axes, case[f"axis:scat_{key}"], rtol=1e-14)
        sums = [contents.sum(), (contents * np.arange(contents.size).reshape(contents.shape)).sum()]
        np.testing.assert_array_equal(sums, case[f"sum2:scat_{key}"])
        profile = plot.profile
        axis = [profile.axis.x_min, profile.axis.x_max, profile.entries, *profile.statistics]
        np.testing.assert_allclose(axis, case[f"axis:prof_{key}"], rtol=1e-14)
        sums = np.stack([profile.sums, profile.squares, profile.bin_entries])
        np.testing.assert_allclose(sums, case[f"prof:prof_{key}"], rtol=1e-6)
