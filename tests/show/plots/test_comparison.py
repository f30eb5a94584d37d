"""Panels below responses, logarithmic axes, and where plots end."""

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import RocCurve, roc_curve
from pytmva_bnn.histograms import fill_1d, normalised
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots.comparison import compared


def by_hand(training, test, kind):
    p, b = normalised(training), normalised(test)
    with np.errstate(all="ignore"):
        if kind == "pull":
            return (p.values - b.values) / np.sqrt(p.squares[1:-1] + b.squares[1:-1])
        return np.where((p.values > 0) & (b.values > 0), p.values / b.values, np.nan)


@pytest.mark.parametrize("kind", ["ratio", "pull"])
def test_the_panel_compares_training_with_test_events_of_the_same_class(result, kind, rendered):
    ax = plots.response(result, compare=kind)
    lower = ax.figure.axes[-1]
    rendered(ax)
    assert lower.get_ylabel() == {"ratio": "Points / bars", "pull": "Pull [σ]"}[kind]
    assert ax.get_xlabel() == ""
    assert lower.get_xlabel() == "MLP response"
    assert lower.get_xlim() == ax.get_xlim()
    pairs = (
        (result.training.response_signal, result.responses.signal),
        (result.training.response_background, result.responses.background),
    )
    for drawn, (training, test), colour in zip(lower.containers, pairs, plots.PALETTE, strict=False):
        expected = by_hand(training, test, kind)
        known = np.isfinite(expected)
        np.testing.assert_allclose(drawn.lines[0].get_ydata(), expected[known])
        np.testing.assert_allclose(drawn.lines[0].get_xdata(), training.centres[known], atol=training.width / 2)
        assert drawn.lines[0].get_color() == colour


def test_errors_of_a_ratio_are_those_of_both_histograms():
    one, other = (fill_1d([0.5] * n + [1.5] * 4, None, 2, 0.0, 2.0) for n in (4, 12))
    ratio, error = compared(one, other, "ratio")
    np.testing.assert_allclose(ratio, [2 / 3, 2.0])
    np.testing.assert_allclose(error, ratio * np.sqrt([1 / 4 + 1 / 12, 1 / 4 + 1 / 4]))


def test_the_panel_shares_the_place_of_given_axes(result):
    from matplotlib.figure import Figure

    left, right = Figure(layout="constrained").subplots(1, 2)
    before = right.get_position().bounds
    assert plots.response(result, compare="pull", ax=left) is left
    assert len(left.figure.axes) == 3
    assert right.get_position().bounds == before
    with pytest.raises(InputError, match=r"plt\.subplots"):
        plots.response(result, compare="pull", ax=Figure().add_axes((0.1, 0.1, 0.8, 0.8)))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"compare": "pull", "training": False}, "draw the training events too"),
        ({"compare": "difference"}, "'ratio' or 'pull', got 'difference'"),
    ],
)
def test_a_comparison_that_cannot_be_made_says_why(result, given, words):
    with pytest.raises(InputError, match=words):
        plots.response(result, **given)


def test_bins_must_be_the_same():
    one, other = (fill_1d([0.5], None, n, 0.0, 1.0) for n in (2, 3))
    with pytest.raises(InputError, match="bins are the same"):
        compared(one, other, "pull")


def test_a_logarithmic_axis_shows_the_smallest_bin_and_leaves_room_for_the_legend(result, rendered):
    ax = plots.response(result, log=True)
    rendered(ax)
    heights = np.concatenate([normalised(h).values for h in (result.responses.signal, result.responses.background)])
    low, high = ax.get_ylim()
    assert ax.get_yscale() == "log"
    assert 0 < low < heights[heights > 0].min()
    legend = ax.get_legend().get_window_extent().transformed(ax.transAxes.inverted()).y0
    top = np.log(heights.max() / low) / np.log(high / low)
    assert top < legend


def test_multiclass_responses_have_the_panel_too(multiclass):
    result = multiclass.methods[0].evaluate()
    lower = plots.multiclass_response(result, "bg1", training=True, compare="pull", log=True).figure.axes[-1]
    for k, drawn in enumerate(lower.containers):
        expected = by_hand(result.training_histograms[k][2], result.test_histograms[k][2], "pull")
        np.testing.assert_allclose(drawn.lines[0].get_ydata(), expected[np.isfinite(expected)])


# ---- where curves end ---------------------------------------------------------------------------------------


def test_the_inverse_background_efficiency_ends_at_ten_events():
    signal = np.arange(400) % 2 == 0
    response = np.arange(400.0)
    curve = roc_curve(response, signal)
    assert curve.background_events[[0, 1, 2, -2, -1]].tolist() == [200.0, 200.0, 199.0, 0.0, 0.0]
    (line, *_) = plots.roc({"a": curve}, kind="inverse").get_lines()
    assert line.get_ydata().max() == pytest.approx(200 / 10)
    # others, and curves of which the events are not known, are whole
    assert len(plots.roc({"a": curve}).get_lines()[0].get_xdata()) == 402
    bare = RocCurve(curve.specificity, curve.sensitivity)
    assert plots.roc({"a": bare}, kind="inverse").get_lines()[0].get_ydata().max() == pytest.approx(200)


def test_weighted_background_events_count_as_what_they_are_worth():
    weights = np.array([1.0, 3.0, 1.0, 2.0])
    curve = roc_curve([0.1, 0.2, 0.3, 0.4], [False, False, True, False], weights)
    np.testing.assert_allclose(curve.background_events, [36 / 14, 25 / 13, 1.0, 1.0, 0.0, 0.0])


def test_curves_along_a_variable_go_where_the_events_are(model, method):
    x = method.dataset.training.variables[:, 0]
    ax = plots.response_along(model, "pt", events=method.dataset.training.variables)
    np.testing.assert_allclose(ax.get_xlim(), np.quantile(x, [0.005, 0.995]), rtol=1e-6)
    assert plots.response_along(model, "pt", range=(5, 7), events=x[:, None].repeat(2, 1)).get_xlim() == (5.0, 7.0)
    whole = plots.response_along(model, "pt").get_xlim()
    assert plots.response_along(model, "pt", events=np.ones((5, 2))).get_xlim() == whole
    assert whole[1] > 1.2 * ax.get_xlim()[1]


@pytest.mark.parametrize("kind", ["absolute", "relative"])
def test_a_map_of_errors_shows_the_ones_that_were_asked_for(model, kind):
    figure = plots.probability_map(model, "pt", "ht", x=(10, 50), y=(60, 300), n=(4, 3), errors=kind)
    centres = {"pt": [15.0, 25.0, 35.0, 45.0] * 3, "ht": np.repeat([100.0, 180.0, 260.0], 4)}
    p = model.predict(centres, errors=True)
    sigma = 0.5 * (p.lower + p.upper)
    expected = sigma if kind == "absolute" else sigma / p.value
    np.testing.assert_allclose(figure.axes[1].collections[0].get_array().ravel(), expected, rtol=1e-6)
    labels = {"absolute": "Error σ", "relative": "Relative error σ / P"}
    assert labels[kind] in [ax.get_ylabel() for ax in figure.axes]
    with pytest.raises(InputError, match="'absolute' or 'relative', got 'both'"):
        plots.probability_map(model, "pt", "ht", errors="both")


def test_events_of_a_pair_of_variables_have_a_scale(method):
    from pytmva_bnn.show.plots.from_training import contents_of

    (content,) = contents_of(method)
    (pair, *_) = next(iter(content.inputs[0].pairs.values()))
    figure = plots.scatter(pair).figure
    assert [ax.get_ylabel() for ax in figure.axes[1:]] == ["Events"]
