from __future__ import annotations

import logging
import math

import numpy as np
import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import Option, OptionType, Scalar
from pytmva_bnn.options.conversion import c_atoi, coerce, first_word, from_text, to_text

BOOL, INT, UINT = OptionType.BOOL, OptionType.INT, OptionType.UINT
FLOAT, DOUBLE, STRING = OptionType.FLOAT, OptionType.DOUBLE, OptionType.STRING
FLOAT_MAX = float(np.finfo(np.float32).max)
DOUBLE_MAX = float(np.finfo(np.float64).max)


def option(kind: OptionType) -> Option:
    return Option("TheOption", kind, 1, "")


EXACT: list[tuple[OptionType, str, Scalar]] = [
    *((BOOL, text, True) for text in ("1", "true", "True", "TRUE", "ktrue", "kTrue", "t", "T")),
    *((BOOL, text, False) for text in ("0", "false", "False", "kfalse", "kFALSE", "f", "F")),
    (INT, "60", 60),
    (INT, "-1", -1),
    (INT, "+7", 7),
    (INT, "  \t60 ", 60),
    (INT, "0010", 10),
    (INT, "2147483647", 2147483647),
    (UINT, "4294967295", 4294967295),
    (DOUBLE, "0.02", 0.02),
    (DOUBLE, ".5", 0.5),
    (DOUBLE, "5.", 5.0),
    (DOUBLE, " -1E-6 ", -1e-6),
    (DOUBLE, "1e+3", 1000.0),
    (FLOAT, "0.3", float(np.float32(0.3))),
    (FLOAT, "1e-30", float(np.float32(1e-30))),
    (FLOAT, "1e-60", 0.0),
    (STRING, "N,N-1", "N,N-1"),
    (STRING, "  tanh  ", "tanh"),
    (STRING, "a=b", "a=b"),
    (STRING, "", ""),
    (STRING, "   ", ""),
]


@pytest.mark.parametrize(("kind", "text", "expected"), EXACT)
def test_text_that_is_read_wholly_gives_no_warning(
    kind: OptionType, text: str, expected: Scalar, caplog: pytest.LogCaptureFixture
) -> None:
    value = from_text(option(kind), text)
    assert (value, type(value)) == (expected, type(expected))
    assert not caplog.records


PARTLY: list[tuple[OptionType, str, Scalar]] = [
    (INT, "1e3", 1),
    (INT, "7.9", 7),
    (INT, "12abc", 12),
    (INT, "0x10", 0),
    (INT, "2147483648", 2147483647),
    (INT, "-99999999999999999999", -2147483648),
    (INT, "9" * 5000, 2147483647),
    (UINT, "-1", 4294967295),
    (UINT, "4294967296", 4294967295),
    (DOUBLE, "1.5x", 1.5),
    (DOUBLE, "1.2.3", 1.2),
    (DOUBLE, "0,02", 0.0),
    (DOUBLE, "1e999", DOUBLE_MAX),
    (FLOAT, "1e39", FLOAT_MAX),
    (FLOAT, "-1e39", -FLOAT_MAX),
    (FLOAT, "3.40282357e38", FLOAT_MAX),
    (STRING, "N, N-1", "N,"),
    (STRING, " a\tb", "a"),
]


@pytest.mark.parametrize(("kind", "text", "expected"), PARTLY)
def test_text_that_is_read_in_part_takes_tmvas_value_and_warns(
    kind: OptionType, text: str, expected: Scalar, caplog: pytest.LogCaptureFixture
) -> None:
    assert from_text(option(kind), text) == expected
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("pytmva_bnn.options", logging.WARNING)
    assert "TheOption" in record.getMessage()
    assert str(expected) in record.getMessage()


@pytest.mark.parametrize("kind", [INT, UINT, FLOAT, DOUBLE])
@pytest.mark.parametrize("text", ["", " ", "abc", "nan", "inf", "-inf", "+", "-", "e5", "٣", "- 5"])
def test_text_without_a_number_is_an_error(kind: OptionType, text: str) -> None:
    with pytest.raises(OptionError, match=r"TheOption: '.*' is not a number; write .* e.g. TheOption=1"):
        from_text(option(kind), text)


@pytest.mark.parametrize("text", ["1e", "12e", "1.5E+", "."])
def test_a_dangling_exponent_or_point_is_no_real_number(text: str) -> None:
    with pytest.raises(OptionError, match="a decimal number"):
        from_text(option(DOUBLE), text)


@pytest.mark.parametrize("text", ["", " True", "True ", "yes", "2", "on", "-1"])
def test_bad_booleans_are_errors_that_name_the_good_ones(text: str) -> None:
    with pytest.raises(OptionError, match=r"TheOption: .*as boolean; write True .* False"):
        from_text(option(BOOL), text)


def test_a_mistyped_boolean_gets_a_suggestion() -> None:
    with pytest.raises(OptionError, match=r"did you mean True\?"):
        from_text(option(BOOL), "Ture")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "True"),
        (False, "False"),
        (10000, "10000"),
        (-1, "-1"),
        (0.02, "2.000000e-02"),
        (0.0123456789, "1.234568e-02"),
        (float(np.float32(1e-30)), "1.000000e-30"),
        (1e123, "1.000000e+123"),
        (0.0, "0.000000e+00"),
        ("N+5", "N+5"),
        ("", ""),
    ],
)
def test_values_as_text(value: Scalar, expected: str) -> None:
    assert to_text(value) == expected


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (BOOL, np.True_, True),
        (INT, np.int64(5), 5),
        (INT, -5, -5),
        (DOUBLE, 3, 3.0),
        (DOUBLE, np.float32(0.5), 0.5),
        (FLOAT, 0.3, float(np.float32(0.3))),
        (STRING, "x y", "x y"),
    ],
)
def test_python_values_that_fit_the_type_are_taken(kind: OptionType, value: object, expected: Scalar) -> None:
    result = coerce(option(kind), value)
    assert (result, type(result)) == (expected, type(expected))


def test_nan_can_be_set_by_the_program() -> None:
    result = coerce(option(FLOAT), math.nan)
    assert isinstance(result, float)
    assert math.isnan(result)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (BOOL, 1),
        (BOOL, "True"),
        (INT, 1.0),
        (INT, True),
        (INT, 2**31),
        (UINT, -1),
        (FLOAT, "1"),
        (DOUBLE, True),
        (STRING, 5),
        (STRING, None),
        (INT, (1, 2)),
    ],
)
def test_python_values_of_another_type_are_errors(kind: OptionType, value: object) -> None:
    with pytest.raises(OptionError, match=f"TheOption takes a value of type {kind.value}, got"):
        coerce(option(kind), value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("5", 5), (" 5", 5), ("+5", 5), ("-5x", -5), ("x5", 0), ("*2", 0), ("9" * 20, 2147483647)],
)
def test_atoi(text: str, expected: int) -> None:
    assert c_atoi(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("", ""), (" a b", "a"), ("a\nb", "a"), ("a\u00a0b", "a\u00a0b")])
def test_first_word_knows_the_blanks_of_c_only(text: str, expected: str) -> None:
    assert first_word(text) == expected
