from __future__ import annotations

import pytest

from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.options import (
    COMPATIBILITY_OPTIONS,
    FACTORY_OPTIONS,
    Option,
    OptionSet,
    OptionType,
    pdf_options,
    reader_options,
    splitting_options,
)

TABLES = {
    "factory": FACTORY_OPTIONS,
    "splitting": splitting_options(["Signal", "Background"]),
    "method": MLP_METHOD_OPTIONS,
    "pdf": pdf_options("MVAPdf"),
    "reader": reader_options(),
    "compatibility": COMPATIBILITY_OPTIONS,
}


def by_name(table: tuple[Option, ...]) -> dict[str, Option]:
    return {option.name: option for option in table}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
def test_tables_are_sound(table: tuple[Option, ...]) -> None:
    OptionSet(table)  # refuses defaults of the wrong type
    names = [option.name.lower() for option in table]
    assert len(set(names)) == len(names)
    for option in table:
        assert option.description
        assert not option.allowed or option.default in option.allowed
        assert not option.allowed or option.type is OptionType.STRING


def test_factory_options() -> None:
    assert {option.name: option.default for option in FACTORY_OPTIONS} == {
        "V": False,
        "VerboseLevel": "Info",
        "Color": True,
        "Transformations": "I",
        "Correlations": False,
        "ROC": True,
        "Silent": False,
        "DrawProgressBar": True,
        "ModelPersistence": True,
        "AnalysisType": "Auto",
    }


def test_splitting_options_come_class_by_class() -> None:
    table = splitting_options(["Signal", "Background"])
    assert [option.name for option in table] == [
        "SplitMode",
        "MixMode",
        "SplitSeed",
        "NormMode",
        "ScaleWithPreselEff",
        "nTrain_Signal",
        "nTest_Signal",
        "TrainTestSplit_Signal",
        "nTrain_Background",
        "nTest_Background",
        "TrainTestSplit_Background",
        "V",
        "VerboseLevel",
        "Correlations",
        "CalcCorrelations",
    ]
    assert by_name(table)["SplitSeed"].type is OptionType.UINT
    assert by_name(table)["Correlations"].default is True


def test_pdf_options_take_defaults_of_the_common_pdf() -> None:
    table = by_name(pdf_options("MVAPdfBkg", {"MinNSmooth": 3, "PDFInterpol": "KDE"}))
    assert list(table)[:5] == [
        "NSmoothMVAPdfBkg",
        "MinNSmoothMVAPdfBkg",
        "MaxNSmoothMVAPdfBkg",
        "NAvEvtPerBinMVAPdfBkg",
        "NbinsMVAPdfBkg",
    ]
    assert len(table) == 11
    assert table["MinNSmoothMVAPdfBkg"].default == 3
    assert table["MaxNSmoothMVAPdfBkg"].default == -1
    assert table["PDFInterpolMVAPdfBkg"].default == "KDE"


@pytest.mark.parametrize("verbose", [True, False])
def test_reader_options_follow_the_verbose_argument(verbose: bool) -> None:
    defaults = {option.name: option.default for option in reader_options(verbose)}
    assert defaults == {"V": verbose, "Color": False, "Silent": False, "Error": False}


def test_compatibility_options() -> None:
    assert {option.name: option.default for option in COMPATIBILITY_OPTIONS} == {
        "Normalise": False,
        "D": False,
        "VarTransformType": "Signal",
        "TxtWeightFilesOnly": True,
        "NbinsMVAPdf": 60,
        "NsmoothMVAPdf": 2,
    }
