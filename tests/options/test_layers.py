from __future__ import annotations

import pytest

from pytmva_bnn.options import hidden_layer_sizes

PLAIN = [
    ("7", (7,)),
    ("N", (4,)),
    ("n", (4,)),
    ("N+5", (9,)),
    ("N-1", (3,)),
    ("N,N-1", (4, 3)),
    ("n+2,4", (6, 4)),
    ("10,", (10,)),
    ("", ()),
]


@pytest.mark.parametrize(("text", "expected"), PLAIN)
def test_plain_layers(text: str, expected: tuple[int, ...], caplog: pytest.LogCaptureFixture) -> None:
    assert hidden_layer_sizes(text, 4) == expected
    assert not caplog.records


QUIRKS = [
    ("N5", (9,)),
    ("N*2", (4,)),
    ("2N", (2,)),
    ("+3", (3,)),
    ("3.7", (3,)),
    ("5,,3", (5, 0, 3)),
    (",5", (0, 5)),
    (",", (0,)),
    ("abc", (0,)),
    ("0", (0,)),
    ("N-4", (0,)),
    ("N-9", (0,)),
    ("-3", (0,)),
]


@pytest.mark.parametrize(("text", "expected"), QUIRKS)
def test_what_atoi_makes_of_the_rest_is_kept_but_warned_of(
    text: str, expected: tuple[int, ...], caplog: pytest.LogCaptureFixture
) -> None:
    assert hidden_layer_sizes(text, 4) == expected
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "HiddenLayers" in record.getMessage()
