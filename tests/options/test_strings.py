"""Options given as keyword arguments."""

import numpy as np
import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import option_string, split_tokens


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("HiddenLayers", [5, 3], "HiddenLayers=5,3"),
        ("HiddenLayers", (5,), "HiddenLayers=5"),
        ("HiddenLayers", ["N+5", 3], "HiddenLayers=N+5,3"),
        ("Transformations", ["I", "D", "G,D"], "Transformations=I;D;G,D"),
        ("NCycles", np.int64(7), "NCycles=7"),
        ("VarTransform", None, "VarTransform=None"),
        ("NormMode", None, "NormMode=None"),
        ("Transformations", None, "Transformations=None"),
        ("Transformations", ["I", None], "Transformations=I;None"),
    ],
)
def test_lists_and_numbers_are_what_the_option_wants(key, value, text):
    assert option_string("", {key: value}) == text


@pytest.mark.parametrize("value", [None, [], {}, {"a": 1}, object(), [None]])
def test_what_is_no_value_is_refused(value):
    with pytest.raises(OptionError, match=r"HiddenLayers=.*a string, a number, True, False or a list"):
        option_string("", {"HiddenLayers": value})


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
