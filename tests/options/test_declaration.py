from __future__ import annotations

import dataclasses

import pytest

from pytmva_bnn.options import Option, OptionType

MODE = Option("BPMode", OptionType.STRING, "sequential", "", ("sequential", "batch"))


@pytest.mark.parametrize(
    ("word", "expected"),
    [("batch", "batch"), ("BATCH", "batch"), (" batch", None), ("", None), ("bat", None)],
)
def test_canonical_ignores_case_but_not_blanks(word: str, expected: str | None) -> None:
    assert MODE.canonical(word) == expected


def test_an_option_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        MODE.name = "other"  # type: ignore[misc]


def test_types_have_the_names_of_tmva() -> None:
    assert [kind.value for kind in OptionType] == ["Bool", "Int", "UInt", "Float", "Double", "String"]
