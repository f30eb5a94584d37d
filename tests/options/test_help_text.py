from __future__ import annotations

from pytmva_bnn.options import MLP_METHOD_OPTIONS, Option, OptionType, describe


def test_describe_aligns_columns_and_shows_allowed_values_and_array_sizes() -> None:
    table = [
        Option("BPMode", OptionType.STRING, "batch", "mode", ("batch", "other")),
        Option("Cuts", OptionType.DOUBLE, 0.5, "the cuts", size=3),
    ]
    assert describe(table).splitlines() == [
        "name    type       default  meaning",
        "BPMode  String     batch    mode [batch, other]",
        "Cuts    Double[3]  0.5      the cuts",
    ]


def test_describe_has_a_line_for_each_option() -> None:
    lines = describe(MLP_METHOD_OPTIONS).splitlines()
    assert [line.split()[0] for line in lines] == ["name", *(option.name for option in MLP_METHOD_OPTIONS)]


def test_describe_of_nothing_is_the_heading() -> None:
    assert describe([]) == "name  type  default  meaning"
