"""The plots of cuts: the numbers that are drawn, and where they are shown."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.show import plots
from pytmva_bnn.show.methods.cuts import _words
from pytmva_bnn.show.plots.style import BACKGROUND, SIGNAL


def test_cuts_are_drawn_against_the_signal_efficiency(method_case, rendered):
    model = TMVA.load(method_case("cuts_mc_range").weights)
    fitted, middles = model.fitted, (np.arange(100) + 0.5) / 100
    reached = fitted.background >= 0
    figure = plots.cut_values(model)
    rendered(figure)
    assert [ax.get_ylabel() for ax in figure.axes] == ["var1", "var3", "var4"]
    lower, upper = figure.axes[1].lines
    for line, cuts, colour in ((lower, fitted.lower, SIGNAL), (upper, fitted.upper, BACKGROUND)):
        np.testing.assert_allclose(line.get_xdata(), middles[reached])
        np.testing.assert_array_equal(line.get_ydata(), cuts[reached, 1])
        assert line.get_color() == colour
    assert [line.get_label() for line in figure.axes[2].lines] == ["lower cut"]  # the upper side is open: FMax


def test_the_efficiency_is_that_of_the_training(method_case, rendered):
    model = TMVA.load(method_case("cuts_sa").weights)
    ax = plots.cut_efficiency(model)
    rendered(ax)
    (line,) = ax.lines
    reached = model.fitted.background >= 0
    np.testing.assert_array_equal(line.get_ydata(), model.fitted.background[reached])
    np.testing.assert_allclose(line.get_xdata(), ((np.arange(100) + 0.5) / 100)[reached])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Signal efficiency", "Background efficiency")


def test_other_methods_have_no_cuts(method_case):
    with pytest.raises(InputError, match="no cuts to draw"):
        plots.cut_values(TMVA.load(method_case("fisher").weights))


def test_cuts_in_words():
    assert [_words(cut) for cut in ((-1e30, 2.0), (1.5, 1e30), (1.0, 2.0), (-1e30, 1e30))] == [
        "≤ 2", "> 1.5", "1 to 2", "",
    ]  # fmt: skip
