"""Options given as keyword arguments."""

import numpy as np
import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.options.keywords import option_string


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
    with pytest.raises(OptionError, match=r"HiddenLayers=.*text, a number, True, False or a list"):
        option_string("", {"HiddenLayers": value})
