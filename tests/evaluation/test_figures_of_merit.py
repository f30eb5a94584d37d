"""Figures of merit: their names, and their values for responses that can be counted by hand."""

import numpy as np
import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.evaluation.figures_of_merit import figure_of_merit

# from the highest response: signal 2, background 1, signal 1 and background 3 together, background 4
RESPONSES = np.array([0.9, 0.8, 0.4, 0.4, 0.1])
IS_SIGNAL = np.array([True, False, True, False, False])
WEIGHTS = np.array([2.0, 1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SigEffAtBkgEff05", 1.0),  # both signal events pass with 4/8 of the background
        ("SigEffAtBkgEff01", 0.5),
        ("SigEffAtBkgEff0125", 0.5),  # just above the first background event
        ("SigEffAtBkgEff025", 0.5 + 0.5 / 3),  # a third of the way to the cut below the tie
        ("SigEffAtBkg0.25", 0.5 + 0.5 / 3),
        ("BkgRejAtSigEff05", 1.0),
        ("BkgRejAtSigEff075", 0.75),  # between no background and 4/8
        ("BkgEffAtSigEff075", 0.75),  # the efficiency is 0.25: a small one is good
        ("BkgRejAtSigEff0.75", 0.75),
    ],
)
def test_efficiencies(name, value):
    assert figure_of_merit(name)(RESPONSES, IS_SIGNAL, WEIGHTS) == pytest.approx(value)


def test_roc_integral_and_separation():
    responses, is_signal, weights = np.array([0.9, 0.6, 0.5, 0.1]), np.array([1, 0, 1, 0], dtype=bool), np.ones(4)
    assert figure_of_merit("ROCIntegral")(responses, is_signal, weights) == 0.875  # TMVA: 0.75, and half an event
    # half of the signal shares its bin with half of the background; the rest is apart
    tied = np.array([0.9, 0.5, 0.5, 0.1])
    separation = figure_of_merit("Separation")
    assert separation(tied, is_signal, weights) == pytest.approx(0.5)
    assert separation(responses, is_signal, weights) == pytest.approx(1.0)
    assert separation(tied, is_signal, np.array([3.0, 1.0, 1.0, 1.0])) == pytest.approx(0.5 * (1.25 + 0.25**2 / 0.75))
    assert separation(np.ones(4), is_signal, weights) == 0.0


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("ROCintegral", r"is not known.*ROCIntegral"),
        ("SigEffAtBkgEff", "is not known"),
        ("SigEffAtBkgEff1", r"between 0 and 1: write SigEffAtBkgEff01 for 0.1"),
        ("BkgEffAtSigEff00", "between 0 and 1"),
    ],
)
def test_other_names_are_refused(name, problem):
    with pytest.raises(OptionError, match=problem):
        figure_of_merit(name)
