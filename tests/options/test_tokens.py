from __future__ import annotations

import pytest

from pytmva_bnn.options import asks_for_silence, asks_for_verbose
from pytmva_bnn.options.tokens import split_tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (":::", []),
        ("A", ["A"]),
        ("::A::B:", ["A", "B"]),
        ("A: :B", ["A", " ", "B"]),
        ("A=1=2", ["A=1=2"]),
        ("~A:~~!B", ["~A", "~~!B"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert split_tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("V", True),
        ("v", True),
        ("H: V :NCycles=5", True),
        ("VERBOSE", True),
        ("!V", False),
        ("V=True", False),
        ("VerboseLevel=Verbose", False),
        ("~V", False),
        ("", False),
    ],
)
def test_verbose_is_the_word_alone(text: str, expected: bool) -> None:
    assert asks_for_verbose(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        ("Silent", True),
        ("!V: S i l e n t", True),
        ("SILENT=True", True),
        ("Silent=1", True),
        ("Silent=False", False),
        ("Silent = f", False),
        ("Silent=0", True),
        ("!Silent", False),
        ("!Silent:Silent=T", True),
        ("!Silent:Silent", False),
        ("Transformations=silent", True),
    ],
)
def test_silence_is_searched_in_the_whole_string(text: str, expected: bool) -> None:
    assert asks_for_silence(text) is expected
