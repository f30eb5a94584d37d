"""Every plot: it is drawn, on the axes one gives, with labels and units."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import normalised
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.plots.gallery import sections

P_T = r"$\mathrm{p_{T}}$ [GeV]"
H_T = r"$\mathrm{H_{T}}$ [GeV]"


def _calibration(w, **given):
    p = w.model.predict(w.method.dataset.test.variables, errors=True)
    test = w.method.dataset.test
    return plots.calibration(p.value, test.of_class(0), test.weights, errors=(p.lower, p.upper), title="MLP", **given)


ONE_PANEL = {
    "response": lambda w, **g: plots.response(w.result, **g),
    "response without training": lambda w, **g: plots.response(w.result, training=False, **g),
    "probability": lambda w, **g: plots.probability(w.result, **g),
    "rarity": lambda w, **g: plots.rarity(w.result, **g),
    "response densities": lambda w, **g: plots.response_pdfs(w.model, **g),
    "efficiencies": lambda w, **g: plots.efficiencies(w.result, 100, 1000, **g),
    "roc": lambda w, **g: plots.roc(w.result, **g),
    "roc, 1/efficiency": lambda w, **g: plots.roc({"MLP": w.result.roc}, kind="inverse", **g),
    "roc, efficiency": lambda w, **g: plots.roc({"MLP": w.result.roc}, kind="efficiency", **g),
    "convergence": lambda w, **g: plots.convergence(w.method.result.history, **g),
    "network": lambda w, **g: plots.network(w.model, **g),
    "along": lambda w, **g: plots.response_along(w.model, "pt", at={"ht": 100}, range=(0, 60), **g),
    "calibration": _calibration,
    "relevance": lambda w, **g: plots.relevance(w.method.evidence, ["pt", "ht"], **g),
    "evidence": lambda w, **g: plots.evidence({"2": -10.0, "4": -3.0, "8": -30.0}, **g),  # noqa: ARG005
    "matrix": lambda w, **g: plots.correlation_matrix(w.method.dataset.correlations["Signal"], ["pt", "ht"], **g),
    "parallel": lambda w, **g: plots.parallel_coordinates(w.method.dataset.test.variables, ["pt", "ht"], **g),
}
PANELS = {
    "variables": lambda w, **g: plots.variables(w.method.dataset, "N", **g),
    "correlations": lambda w, **g: plots.correlations(w.method.dataset, **g),
    "map": lambda w, **g: plots.probability_map(w.model, "pt", "ht", x=(10, 50), y=(60, 300), n=(20, 20), **g),
}


@pytest.fixture
def work(method, model, result):
    class Work:
        pass

    Work.method, Work.model, Work.result = method, model, result
    return Work


@pytest.mark.parametrize("name", ONE_PANEL)
def test_a_plot_makes_its_own_figure_with_labels_and_a_title_or_legend(name, work, rendered):
    ax = ONE_PANEL[name](work)
    rendered(ax)
    width, height = ax.get_figure().get_size_inches()
    assert 4 <= width <= 12
    assert 2.5 <= height <= 12
    if name not in ("network", "matrix", "parallel"):
        assert ax.get_xlabel()
        assert ax.get_ylabel() or name == "relevance"


@pytest.mark.parametrize("name", ONE_PANEL)
def test_a_plot_is_drawn_on_the_axes_given(name, work):
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert ONE_PANEL[name](work, ax=ax) is ax
    assert ax.has_data()


@pytest.mark.parametrize("name", PANELS)
def test_panels_make_a_figure_or_use_the_one_given(name, work, rendered):
    from matplotlib.figure import Figure

    made = PANELS[name](work)
    assert len(made.axes) >= 2
    rendered(made)
    given = Figure(layout="constrained")
    assert PANELS[name](work, fig=given) is given
    assert len(given.axes) == len(made.axes)


# ---- what is on them ----------------------------------------------------------------------------------------


def test_labels_have_units(work):
    assert PANELS["map"](work).axes[0].get_xlabel() == P_T
    assert PANELS["map"](work).axes[0].get_ylabel() == H_T
    assert ONE_PANEL["along"](work).get_xlabel() == P_T
    assert [ax.get_xlabel() for ax in plots.variables(work.method.dataset).axes] == [P_T, H_T]
    assert "(Norm)" in PANELS["variables"](work).axes[0].get_xlabel()


def test_the_overtraining_check_has_both_samples_and_the_probabilities(work):
    labels = [entry.get_text() for entry in plots.response(work.result).get_legend().get_texts()]
    assert labels[:2] == ["Signal (test)", "Background (test)"]
    assert labels[2].startswith("Signal (training), KS p = ")
    assert labels[3].startswith("Background (training), KS p = ")


def drawn_by_label(ax):
    """Return the heights of the outlines of histograms, and those of points, by label."""
    outlines = {patch.get_label(): patch.get_data().values for patch in ax.patches if patch.get_label()}
    return outlines, {bars.get_label(): bars.lines[0].get_ydata() for bars in ax.containers}


def test_signal_is_signal_and_background_is_background(work):
    from matplotlib.colors import to_hex

    r = work.result
    tested = {"Signal": r.responses.signal, "Background": r.responses.background}
    trained = {"Signal": r.training.response_signal, "Background": r.training.response_background}
    assert not np.allclose(normalised(tested["Signal"]).values, normalised(tested["Background"]).values)
    ax = plots.response(r)
    outlines, points = drawn_by_label(ax)
    for name, colour in zip(tested, plots.PALETTE, strict=False):
        np.testing.assert_allclose(outlines[f"{name} (test)"], normalised(tested[name]).values)
        expected = normalised(trained[name]).values
        label = next(label for label in points if label.startswith(f"{name} (training)"))
        np.testing.assert_allclose(points[label], expected[expected != 0])
        (patch,) = (one for one in ax.patches if one.get_label() == f"{name} (test)")
        assert to_hex(patch.get_edgecolor()) == colour
    assert points.keys() == {
        f"Signal (training), KS p = {r.overtraining_signal.probability:.2g}",
        f"Background (training), KS p = {r.overtraining_background.probability:.2g}",
    }


@pytest.mark.parametrize("name", ["probability", "rarity"])
def test_signal_is_signal_in_what_is_made_of_the_response(name, work):
    p = work.result.probabilities
    signal, background = (p.signal, p.background) if name == "probability" else (p.rarity_signal, p.rarity_background)
    outlines, _ = drawn_by_label(ONE_PANEL[name](work))
    np.testing.assert_allclose(outlines["Signal"], normalised(signal).values)
    np.testing.assert_allclose(outlines["Background"], normalised(background).values)


def test_all_plots_of_a_training_have_signal_as_signal(work):
    (content,) = contents_of(work.method)
    for name, direct in (
        ("mva_MLP", plots.response(work.result, training=False)),
        ("overtrain_MLP", plots.response(work.result)),
        ("proba_MLP", plots.probability(work.result)),
        ("rarity_MLP", plots.rarity(work.result)),
    ):
        plot = next(plot for section in sections(content) for plot in section.plots if plot.name == name)
        for found, expected in zip(drawn_by_label(plot.draw()), drawn_by_label(direct), strict=True):
            assert found.keys() == expected.keys()
            for label, heights in expected.items():
                np.testing.assert_array_equal(found[label], heights)


def test_the_estimators_of_training_and_test_events_are_not_exchanged(work):
    history = work.method.result.history
    lines = {line.get_label(): line.get_ydata() for line in plots.convergence(history).get_lines()}
    np.testing.assert_array_equal(lines["training events"], history.training)
    np.testing.assert_array_equal(lines["test events"], history.test)
    assert not np.allclose(history.training, history.test)


def test_efficiencies_are_those_of_their_class(work):
    lines = {line.get_label(): line.get_ydata() for line in ONE_PANEL["efficiencies"](work).get_lines()}
    few = np.unique(np.linspace(0, work.result.test.signal.n_bins - 1, 1000).astype(int))
    np.testing.assert_allclose(lines["Signal efficiency"], work.result.test.signal.values[few])
    np.testing.assert_allclose(lines["Background efficiency"], work.result.test.background.values[few])


def test_roc_curves_of_training_events_are_dashed(work):
    lines = plots.roc(work.result).get_lines()
    areas = {line.get_linestyle(): line.get_label().split()[-1] for line in lines[:2]}
    r = work.result
    assert areas == {"-": f"{r.roc_integral:.3f}", "--": f"{r.training_roc_integral:.3f}"}
    assert areas["-"] != areas["--"]


def test_the_legend_lies_above_the_data(work):
    ax = plots.response(work.result)
    figure = ax.get_figure()
    figure.draw_without_rendering()
    bottom = ax.get_legend().get_window_extent().transformed(ax.transData.inverted()).y0
    assert bottom > max(h.values.max() for h in (work.result.responses.signal, work.result.responses.background))


def test_the_best_cut_is_marked_and_is_the_one_of_the_evaluation(work):
    ax = plots.efficiencies(work.result, 100, 1000)
    twin = next(other for other in ax.get_figure().axes if other is not ax)
    best = work.result.maximum_significance(100, 1000)
    point = next(line for line in twin.get_lines() if len(line.get_xdata()) == 1)
    np.testing.assert_allclose(point.get_xdata()[0], best.cut, atol=1e-4)
    np.testing.assert_allclose(point.get_ydata()[0], best.value, rtol=1e-12)


def test_roc_curves_are_ranked_by_their_area(work):
    better = plots.roc({"a": work.result.roc, "b": _perfect()})
    assert better.get_legend().get_texts()[0].get_text().startswith("b: area 1.000")


def test_the_legend_of_many_roc_curves_stands_beside_them(work, rendered):
    r = work.result
    names = [f"method {number}" for number in range(26)]
    ax = plots.roc(dict.fromkeys(names, r.roc), dict.fromkeys(names, r.training_roc))
    rendered(ax)  # a legend without room collapses the axes, with a warning
    assert len(ax.get_lines()) == 53
    texts = [one.get_text() for one in ax.get_legend().get_texts()]
    assert texts == [f"{name}: area {r.roc_integral:.3f} ({r.training_roc_integral:.3f})" for name in names]
    assert len({(line.get_color(), line.get_linestyle()) for line in ax.get_lines()[:-1:2]}) == 26
    legend, inside = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert legend.x0 > inside.x1
    assert ax.get_position().height > 0.7


def _perfect():
    from pytmva_bnn.evaluation import roc_curve

    return roc_curve([0.0, 1.0], [False, True])


def test_all_weights_are_in_the_diagram_the_largest_on_top(work):
    from matplotlib.collections import LineCollection

    ax = plots.network(work.model)
    lines = next(one for one in ax.collections if isinstance(one, LineCollection))
    weights = lines.get_array()
    assert len(weights) == work.model.network.n_weights
    assert np.all(np.diff(np.abs(weights)) >= 0)


def test_variables_and_neurons_are_named_in_the_diagram(work):
    words = {note.get_text() for note in plots.network(work.model).texts}
    assert {r"$\mathrm{p_{T}}$", r"$\mathrm{H_{T}}$", "bias", "Input", "Layer 1", "Output"} <= words


def test_bands_hold_the_response_and_extrapolation_is_marked(work):
    ax = plots.response_along(work.model, "pt", at={"ht": 100}, range=(0, 60))
    labels = [entry.get_text() for entry in ax.get_legend().get_texts()]
    assert labels == ["95.4% band", "68.3% band", "response", "beyond training events"]
    value = ax.get_lines()[0].get_ydata()
    wide, narrow = (band.get_paths()[0].get_extents() for band in ax.collections[:2])
    assert wide.y0 <= narrow.y0 <= value.min()
    assert value.max() <= narrow.y1 <= wide.y1


def test_several_values_of_another_variable_give_several_curves(work):
    ax = plots.response_along(work.model, "pt", at={"ht": [80, 160, 240]})
    assert len(ax.get_lines()) == 3
    assert len(ax.get_legend().get_texts()) == 3


def test_the_map_shows_the_predictions(work):
    figure = plots.probability_map(work.model, "pt", "ht", x=(10, 50), y=(60, 300), n=(4, 3))
    mesh = figure.axes[0].collections[0]
    centres = {"pt": [15.0, 25.0, 35.0, 45.0] * 3, "ht": np.repeat([100.0, 180.0, 260.0], 4)}
    np.testing.assert_allclose(mesh.get_array().ravel(), work.model.predict(centres), rtol=1e-6)


def test_events_are_outlined_on_the_map(work):
    events = work.method.dataset.training.variables
    figure = plots.probability_map(work.model, "pt", "ht", n=(10, 10), events=events)
    assert "68% and 95%" in figure.axes[0].get_title(loc="left")


def test_a_model_without_errors_has_one_map_and_no_band():
    plain = TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")
    assert len(plots.probability_map(plain, "var1", "var2", n=(5, 5)).axes) == 2  # and its colour bar
    assert len(plots.response_along(plain, "var1").collections) == 0


# ---- other analyses -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("against", ["targets", "variables"])
@pytest.mark.parametrize("sample", ["test", "training"])
def test_regression_deviations(regression, against, sample, rendered):
    method = regression.methods[0]
    figure = plots.deviations(
        method.evaluate(), method.dataset.variables, method.dataset.targets, against=against, sample=sample
    )
    rendered(figure)
    x = figure.axes[0].get_xlabel()
    assert x == ("value [m]" if against == "targets" else "var1 [units]")
    assert figure.axes[0].get_ylabel() == "value: response − truth [m]"


def test_average_deviations_are_those_of_the_evaluation(regression, rendered):
    result = regression.methods[0].evaluate()
    ax = plots.average_deviations(result)
    rendered(ax)
    drawn = [container.lines[0].get_ydata()[0] for container in ax.containers]
    np.testing.assert_allclose(drawn[2:], result.deviation(), rtol=1e-6)


def test_regression_response_along_a_variable_has_the_unit_of_the_target(regression):
    ax = plots.response_along(regression.methods[0].model, "var1")
    assert ax.get_ylabel() == "value [m]"


@pytest.mark.parametrize("training", [False, True])
def test_multiclass_response_has_a_histogram_for_each_class(multiclass, training, rendered):
    result = multiclass.methods[0].evaluate()
    ax = plots.multiclass_response(result, "bg0", training=training)
    rendered(ax)
    assert len(ax.get_legend().get_texts()) == (6 if training else 3)
    assert "for bg0" in ax.get_xlabel()


def test_multiclass_roc_of_all_of_one_and_of_a_pair(multiclass, rendered):
    result = multiclass.methods[0].evaluate()
    assert len(plots.multiclass_roc(result).get_legend().get_texts()) == 3
    assert "against the rest" in plots.multiclass_roc(result, 1, training=True).get_title(loc="left")
    ax = plots.multiclass_roc(result, "Signal", against="bg1")
    rendered(ax)
    assert ax.get_title(loc="left") == "Signal against bg1"


def test_a_class_has_the_same_colour_on_all_plots(multiclass):
    from matplotlib.colors import to_hex

    result = multiclass.methods[0].evaluate()
    legend = plots.multiclass_response(result).get_legend()
    responses = {t.get_text(): h.get_edgecolor() for t, h in zip(legend.get_texts(), legend.get_patches(), strict=True)}
    curves = {line.get_label().split(":")[0]: line.get_color() for line in plots.multiclass_roc(result).get_lines()}
    for name in result.class_names:
        assert to_hex(curves[name]) == to_hex(responses[name])


def test_coefficients_of_almost_0_have_no_sign():
    ax = plots.correlation_matrix([[1.0, -0.004], [-0.004, 1.0]], ["a", "b"])
    assert {note.get_text() for note in ax.texts} == {"100", "0"}


def test_the_name_of_a_single_variable_is_not_rotated():
    ax = plots.correlation_matrix([[1.0]], ["transverse momentum"])
    assert [label.get_rotation() for label in ax.get_xticklabels()] == [0.0]


def test_architectures_are_compared_with_the_best(rendered):
    ax = plots.evidence({"2": -10.0, "4": -3.0, "8": float("-inf")})
    rendered(ax)
    assert ax.get_lines()[1].get_ydata()[:2].tolist() == [-7.0, 0.0]
    assert "best: 4" in ax.get_legend().get_texts()[0].get_text()


# ---- what goes wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda w: plots.response_along(w.model, "ptt"), "did you mean pt"),
        (lambda w: plots.response_along(w.model, "pt", at={"pt": 3}), "cannot have a fixed value"),
        (lambda w: plots.response_along(w.model, "pt", range=(5, 5)), "low < high"),
        (lambda w: plots.response_along(w.model, "pt", at={"ht": range(60, 70)}), "too many curves"),
        (lambda w: plots.response_along(w.model, "pt", levels=[1.2]), "between 0 and 1"),
        (lambda w: plots.response_along(w.model, "pt", output=3), "no output 3"),
        (lambda w: plots.probability_map(w.model, "pt", "pt"), "two different variables"),
        (lambda w: plots.efficiencies(w.result, 0, 10), "must be positive"),
        (lambda w: plots.multiclass_roc(w.many, "bg"), "did you mean bg"),
        (lambda w: plots.multiclass_roc(w.many, 0, against=0), "with itself"),
        (lambda w: plots.multiclass_roc(w.many, 7), "no class number 7"),
        (lambda w: plots.evidence({"2": float("-inf")}), "finite evidence"),  # noqa: ARG005
        (lambda w: plots.network([]), "at least one matrix"),  # noqa: ARG005
        (lambda w: plots.parallel_coordinates([[1.0]], ["a"]), "two columns"),  # noqa: ARG005
        (lambda w: plots.response(w.numbers), "use deviations and average_deviations"),
        (lambda w: plots.roc(w.numbers), "use deviations"),
        (lambda w: plots.roc(w.many), "use multiclass_response and multiclass_roc"),
        (lambda w: plots.roc({"MLP": w.result}), "result.roc"),
        (lambda w: plots.efficiencies(w.many), "signal and background"),
        (lambda w: plots.rarity(w.method), r"method.evaluate\(\)"),
        (lambda w: plots.multiclass_roc(w.result), "use response, roc"),
        (lambda w: plots.multiclass_response(w.result), "use response, roc"),
        (lambda w: plots.deviations(w.result), "use response, roc"),
        (lambda w: plots.average_deviations(w.result), "use response, roc"),
        (lambda w: plots.average_deviations(w.numbers, target=2), "no target 2: MLP has 1, give target=0"),
        (lambda w: plots.correlation_matrix(np.eye(3), ["a", "b"]), "2 names for a matrix of shape"),  # noqa: ARG005
        (lambda w: plots.response_pdfs(TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")), "CreateMVAPdfs"),  # noqa: ARG005
    ],
)
def test_messages_say_what_to_do(draw, words, work, multiclass, regression):
    work.many = multiclass.methods[0].evaluate()
    work.numbers = regression.methods[0].evaluate()
    with pytest.raises(InputError, match=words):
        draw(work)
