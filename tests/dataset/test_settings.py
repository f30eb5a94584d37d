"""The split options become typed settings."""

from __future__ import annotations

import pytest

from pytmva_bnn.dataset import ClassRequest, DatasetError, NormMode, SplitMode, SplitSettings
from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import OptionSet, splitting_options
from pytmva_bnn.random import Library

NAMES = ["Signal", "Background"]


def test_defaults_are_those_of_tmva() -> None:
    assert SplitSettings.of("", NAMES) == SplitSettings(
        classes=(ClassRequest("Signal"), ClassRequest("Background")),
        split_mode=SplitMode.RANDOM,
        mix_mode=SplitMode.RANDOM,
        seed=100,
        norm_mode=NormMode.EQUAL_NUM_EVENTS,
        scale_with_presel_eff=False,
        print_correlations=True,
        calc_correlations=True,
        library=Library.GCC11,
        dataset="dataset",
    )


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        ("SplitMode=Alternate", "split_mode", SplitMode.ALTERNATE),
        ("Block", "split_mode", SplitMode.BLOCK),
        ("splitmode=block", "split_mode", SplitMode.BLOCK),
        ("SplitMode= block", "split_mode", SplitMode.BLOCK),
        ("SplitMode=Block", "mix_mode", SplitMode.BLOCK),
        ("SplitMode=Block:MixMode=Random", "mix_mode", SplitMode.RANDOM),
        ("MixMode=SameAsSplitMode:SplitMode=Alternate", "mix_mode", SplitMode.ALTERNATE),
        ("SplitSeed=7", "seed", 7),
        ("None", "norm_mode", NormMode.NONE),
        ("NormMode=NumEvents", "norm_mode", NormMode.NUM_EVENTS),
        ("ScaleWithPreselEff", "scale_with_presel_eff", True),
        ("!Correlations", "print_correlations", False),
        ("CalcCorrelations=False", "calc_correlations", False),
    ],
)
def test_each_option_arrives(options: str, name: str, value: object) -> None:
    assert getattr(SplitSettings.of(options, NAMES), name) == value


def test_requests_of_classes_arrive_whatever_the_case() -> None:
    settings = SplitSettings.of("nTrain_signal=10:NTEST_Signal=20:TrainTestSplit_Background=0.25", NAMES)
    assert settings.classes == (ClassRequest("Signal", 10, 20), ClassRequest("Background", 0, 0, 0.25))


def test_unknown_options_are_refused() -> None:
    with pytest.raises(OptionError, match=r"Dataset\[d\]: .*'EqualTrainSample'"):
        SplitSettings.of("EqualTrainSample", NAMES, dataset="d")


def test_unknown_values_are_refused_with_the_nearest() -> None:
    options = OptionSet(splitting_options(NAMES))
    options.set_value("SplitMode", "Blok")
    with pytest.raises(DatasetError, match=r"'Blok' is not a SplitMode; allowed: .*; did you mean Block\?"):
        SplitSettings.from_options(options, NAMES)


def test_values_unlike_any_are_refused() -> None:
    with pytest.raises(DatasetError, match=r"'x' is not a NormMode; allowed: None, NumEvents, EqualNumEvents$"):
        NormMode.named("x")


def test_library_and_name_are_kept() -> None:
    settings = SplitSettings.of("", NAMES, dataset="ds", library="gcc7")
    assert (settings.library, settings.dataset) == (Library.GCC7, "ds")
