from __future__ import annotations

import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.options import (
    Option,
    OptionRecord,
    OptionSet,
    OptionType,
    records_to_string,
)

ARRAY = Option("Cuts", OptionType.DOUBLE, 0.5, "the cuts", size=3)
LAYERS = Option("HiddenLayers", OptionType.STRING, "N,N-1", "the layers")
CYCLES = Option("NCycles", OptionType.INT, 500, "the epochs")


def test_a_record_string_ignores_the_modified_flag_and_spreads_arrays() -> None:
    records = [
        OptionRecord("NCycles", "60", modified=False),
        OptionRecord("HiddenLayers", "", modified=True),
        OptionRecord("Cuts", "1.000000e+00 2.000000e+00", modified=False, size=2),
    ]
    assert records_to_string(records) == ("NCycles=60:HiddenLayers=:Cuts[0]=1.000000e+00:Cuts[1]=2.000000e+00")


def test_every_option_of_a_file_counts_as_set_and_others_keep_their_defaults() -> None:
    options = OptionSet([CYCLES, LAYERS, ARRAY])
    options.parse_records([OptionRecord("NCycles", "60", modified=False)])
    assert options.records() == [
        OptionRecord("NCycles", "60", modified=True),
        OptionRecord("HiddenLayers", "N,N-1", modified=False),
        OptionRecord("Cuts", "5.000000e-01 5.000000e-01 5.000000e-01", modified=False, size=3),
    ]


def test_an_empty_string_value_survives() -> None:
    options = OptionSet([LAYERS])
    options.parse_records([OptionRecord("HiddenLayers", "", modified=True)])
    assert options["HiddenLayers"] == ""
    assert options.is_set("HiddenLayers")


def test_an_unknown_option_of_a_file_is_found_by_the_check() -> None:
    options = OptionSet([CYCLES], owner="MLP")
    options.parse_records([OptionRecord("NCykles", "60", modified=True)])
    with pytest.raises(OptionError, match=r"NCykles: did you mean NCycles\?"):
        options.check_unused()


def test_real_numbers_lose_digits_on_the_way_through_a_file() -> None:
    options = OptionSet(MLP_METHOD_OPTIONS)
    options.parse("LearningRate=0.0123456789")
    assert options["LearningRate"] == 0.0123456789
    other = OptionSet(MLP_METHOD_OPTIONS)
    other.parse_records(options.records())
    assert other["LearningRate"] == 0.01234568


def test_listing_has_the_options_set_first_each_group_in_declared_order() -> None:
    options = OptionSet([CYCLES, LAYERS, ARRAY])
    options.parse("HiddenLayers=5:Cuts[1]=2")
    assert options.listing() == (
        "# Set by User:\n"
        'HiddenLayers: "5" [the layers]\n'
        "# Default:\n"
        'NCycles: "500" [the epochs]\n'
        'Cuts: "5.000000e-01 2.000000e+00 5.000000e-01" [the cuts]\n'
        "##\n"
    )
