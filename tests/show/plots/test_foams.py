"""Foams over two of their dimensions."""

import dataclasses

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.foam.tree import FoamKind
from pytmva_bnn.show.plots.foams import foam_map, foam_maps, projection, shown_pairs
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.plots.gallery import sections
from pytmva_bnn.show.plots.surfaces import response_along, response_label


@pytest.fixture
def model(method_case):
    return lambda name: TMVA.load(method_case(name).weights)


def test_without_other_dimensions_a_map_is_the_response(model):
    """Of a foam of two variables, without its kernel."""
    foam = model("foam_lin").fitted.foams[0]
    values = projection(foam, 0, 1, 20)
    centres = (np.arange(20) + 0.5) / 20
    for i in range(20):
        for j in range(20):
            t = np.array([centres[i], centres[j]])
            inside = ((foam.positions <= t) & (t < foam.positions + foam.sizes)).all(axis=1) & foam.is_active
            assert values[i, j] == pytest.approx(foam.elements[inside, 0].item())
    np.testing.assert_array_equal(projection(foam, 1, 0, 20), values.T)


def test_fractions_are_averaged_over_the_other_dimensions(model):
    foam = model("foam").fitted.foams[0]
    values = projection(foam, 1, 3, 10)
    random = np.random.default_rng(1).uniform(size=(4000, 4))
    random[:, 1], random[:, 3] = 0.35, 0.75
    from pytmva_bnn.methods.foam.descent import Descent

    cells = Descent.in_coordinates(foam).cells(random.astype(np.float32))
    assert values[3, 7] == pytest.approx(foam.elements[cells, 0].mean(), abs=0.02)


def test_densities_are_integrated_over_the_other_dimensions(model):
    foam = model("foam_sep").fitted.foams[0]
    values = projection(foam, 0, 2, 400)
    width = foam.x_max - foam.x_min
    area = width[0] * width[2] / 400**2
    assert values.sum() * area == pytest.approx(foam.elements[foam.active, 0].sum(), rel=0.02)


def test_empty_target_cells_are_left_out(model):
    foam = model("foam_reg").fitted.foams[0]
    assert np.isnan(projection(foam, 0, 1)).mean() == pytest.approx(
        foam.volumes[foam.elements[:, 1] == -1].sum(), abs=0.01
    )


def test_wrong_dimensions(model):
    for pair in ((0, 0), (0, 2)):
        with pytest.raises(InputError, match="two different dimensions of 2 are needed"):
            projection(model("foam_lin").fitted.foams[0], *pair)


def test_what_is_drawn(model):
    foam = model("foam_lin").fitted.foams[0]
    ax = foam_map(foam, 1, 0, labels=["mass", "p_{T}"], title="x")
    assert "p" in ax.get_xlabel()
    assert ax.get_ylabel() == "mass"
    mesh, outlines = ax.collections
    assert len(outlines.get_paths()) == len(foam.active)
    np.testing.assert_array_equal(mesh.get_array().ravel(), projection(foam, 1, 0).T.ravel())
    np.testing.assert_allclose(ax.dataLim.get_points(), np.stack([foam.x_min, foam.x_max])[:, ::-1])
    assert ax.figure.axes[1].get_ylabel() == "Fraction of signal"


def test_words_beside_the_colours(model):
    for name, words in (
        ("foam", "Mean fraction of signal"),
        ("foam_sep", "Events per unit area"),
        ("foam_reg", "Mean target"),
        ("foam_multi", "Mean fraction of class 0"),
    ):
        assert foam_map(model(name).fitted.foams[0]).figure.axes[1].get_ylabel() == words


def test_pairs_that_are_divided_most_come_first(model):
    foam = model("foam").fitted.foams[0]
    assert next(shown_pairs(foam)) == tuple(sorted(np.argsort(-foam.split_counts(), kind="stable")[:2]))
    assert len(foam_maps(foam).axes) == 12  # six maps with their colours
    flat = dataclasses.replace(foam, kind=FoamKind.EVENT)
    assert len(list(shown_pairs(flat))) == 6


def test_a_report_shows_foams(train_case, method_case):
    """By the type of what was trained; the gallery knows no names of methods."""
    (content,) = contents_of(train_case(method_case("foam_lin")))
    found = {section.title: section for section in sections(content)}
    assert "Network" not in found
    (plot,) = found["Foam"].plots
    assert plot.name == "DiscrFoam"
    assert "19 cells" in plot.caption
    assert plot.figure().axes[0].get_xlabel() == "var1"
    names = [plot.name for plot in found["Probability"].plots]
    assert names == ["calibration_PDEFoam", "map_PDEFoam", "along_var1_PDEFoam", "along_var2_PDEFoam"]


def test_response_along_a_variable_has_the_band_of_the_errors(model):
    foam = model("foam_lin")
    assert response_label(foam) == "P(var1, var2)"
    ax = response_along(foam, "var1", {"var2": 0.5})
    (band,) = ax.collections
    curve = ax.lines[0].get_ydata()
    events = np.column_stack([ax.lines[0].get_xdata(), np.full(len(curve), 0.5)])
    value, lower, upper = foam.predict(events, errors=True)
    np.testing.assert_array_equal(curve, value)
    points = band.get_paths()[0].vertices[:, 1]
    assert points.max() == pytest.approx((value + upper).max())
    assert points.min() == pytest.approx((value - lower).min())
