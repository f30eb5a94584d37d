"""What the build logs, in TMVA's words."""

from __future__ import annotations

import logging

import pytest

from pytmva_bnn.dataset import ClassSizes, SplitSettings, partition

RULE = "-" * 75


@pytest.fixture(autouse=True)
def _info(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="pytmva_bnn.DataSetFactory")


def test_numbers_of_events(caplog: pytest.LogCaptureFixture) -> None:
    settings = SplitSettings.of("nTrain_Signal=1:nTrain_bg=2:NormMode=NumEvents", ["Signal", "bg"])
    partition([ClassSizes(n_undefined=3), ClassSizes(n_undefined=6)], settings)
    assert caplog.messages == [
        "",
        "",
        "Number of training and testing events",
        RULE,
        "Signal -- training events            : 1",
        "Signal -- testing events             : 2",
        "Signal -- training and testing events: 3",
        "bg     -- training events            : 2",
        "bg     -- testing events             : 4",
        "bg     -- training and testing events: 6",
        "",
    ]


def test_cut_that_removed_events(caplog: pytest.LogCaptureFixture) -> None:
    settings = SplitSettings.of("nTrain_A=30:NormMode=NumEvents", ["A"], dataset="ds")
    partition([ClassSizes(n_undefined=52, n_before_cut=100)], settings)
    assert caplog.messages[:3] == [
        "Dataset[ds] :  you have opted for interpreting the requested number of training/testing events",
        " to be the number of events AFTER your preselection cuts",
        "",
    ]
    assert caplog.messages[-1] == ""
    assert caplog.messages[-2] == (
        "Dataset[ds] : A -- due to the preselection a scaling factor has been applied to the numbers of requested "
        "events: 0.52"
    )


def test_scaling_by_the_efficiency(caplog: pytest.LogCaptureFixture) -> None:
    settings = SplitSettings.of("nTrain_A=30:ScaleWithPreselEff", ["A"], dataset="ds")
    sets = partition([ClassSizes(n_undefined=52, n_before_cut=100)], settings)
    assert len(sets.train) == 15
    assert caplog.messages[:3] == [
        "Dataset[ds] :  you have opted for scaling the number of requested training/testing events",
        " to be scaled by the preselection efficiency",
        " ( 30 * 0.52 preselection efficiency)",
    ]


def test_equal_numbers_are_explained(caplog: pytest.LogCaptureFixture) -> None:
    partition([ClassSizes(n_undefined=4)], SplitSettings.of("", ["A"]))
    assert 'Dataset[dataset] : Weight renormalisation mode: "EqualNumEvents": renormalises' in caplog.text


def test_no_renormalisation_has_no_table(caplog: pytest.LogCaptureFixture) -> None:
    partition([ClassSizes(n_undefined=4)], SplitSettings.of("NormMode=None", ["A"]))
    assert caplog.messages == [
        "",
        "Dataset[dataset] : No weight renormalisation applied: use original global and event weights",
    ]


def test_different_modes_are_told(caplog: pytest.LogCaptureFixture) -> None:
    partition([ClassSizes(n_undefined=4)], SplitSettings.of("SplitMode=Block:MixMode=Random", ["A"]))
    assert caplog.messages[0] == "Dataset[dataset] : DataSet splitmode=BLOCK differs from mixmode=RANDOM"


@pytest.mark.parametrize(("numbers", "times"), [((4, 4), 0), ((4, 6), 1), ((4, 6, 8), 2), ((4, 4, 8), 2)])
def test_alternating_unequal_classes_is_told(
    numbers: tuple[int, ...], times: int, caplog: pytest.LogCaptureFixture
) -> None:
    settings = SplitSettings.of("Alternate", list("ABC")[: len(numbers)])
    partition([ClassSizes(n_undefined=n) for n in numbers], settings)
    for kind in ("Training", "Testing"):
        beginning = f"Dataset[dataset] : {kind} sample: You are trying to mix events in alternate mode"
        assert sum(message.startswith(beginning) for message in caplog.messages) == times
