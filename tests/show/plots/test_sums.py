"""Sums with errors and correlations: what is drawn are the numbers."""

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.show.plots import predicted_sums, sums_with_errors
from pytmva_bnn.yields import PredictedSums

BINS = PredictedSums(
    np.array([10.0, 30.0]),
    np.array([[4.0, 3.0], [3.0, 9.0]]),
    ("[0, 1)", "[1, 3]"),
    n_events=np.array([20, 40]),
    edges=np.array([0.0, 1.0, 3.0]),
    by="pt",
)


def stairs(ax):
    return [patch.get_data() for patch in ax.patches if hasattr(patch, "get_data")]


def test_bands_lines_and_points_are_at_the_numbers():
    figure = predicted_sums(BINS, observed=[16.0, 25.0], xlabel="p_{T}")
    ax, matrix = figure.axes[:2]
    band, line = stairs(ax)
    np.testing.assert_array_equal(band.values, [12.0, 33.0])
    np.testing.assert_array_equal(band.baseline, [8.0, 27.0])
    np.testing.assert_array_equal(line.values, [10.0, 30.0])
    np.testing.assert_array_equal(line.edges, [0.0, 1.0, 3.0])
    (points,) = ax.containers
    np.testing.assert_array_equal(points.lines[0].get_xydata(), [[0.5, 16.0], [2.0, 25.0]])
    assert points.lines[2][0].get_segments()[1][:, 1].tolist() == [20.0, 30.0]
    assert [entry.get_text() for entry in ax.get_legend().get_texts()] == ["predicted", "observed"]
    assert "p_{T}" in ax.get_xlabel()
    assert [words.get_text() for words in matrix.texts] == ["100", "50", "50", "100"]


def test_classes_have_a_line_each_and_groups_their_names():
    sums = PredictedSums(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.eye(6), ("a", "b", "c"), ("S", "B"))
    ax = sums_with_errors(sums, log=True)
    lines = [one.values.tolist() for one in stairs(ax) if one.baseline is None]
    assert lines == [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b", "c"]
    assert [entry.get_text() for entry in ax.get_legend().get_texts()] == ["S predicted", "B predicted"]
    assert ax.get_yscale() == "log"


def test_sums_without_groups_stand_side_by_side():
    ax = sums_with_errors(PredictedSums(np.array([1.0, 2.0]), np.eye(2), outputs=("S", "B")))
    assert [label.get_text() for label in ax.get_xticklabels()] == ["S", "B"]


def test_observed_numbers_must_fit():
    with pytest.raises(InputError, match="one for each sum"):
        sums_with_errors(BINS, [1.0])


def test_notebooks_show_sums_and_correlations():
    shown = BINS._repr_html_()
    for words in ("Predicted sums", "[1, 3]", "<td>30</td>", ">40<", "0.50", "all: 40 ± 4.359"):
        assert words in shown
