"""Text to typed value and back, as a C++ stream does it.

TMVA reads numbers with stream extraction: blanks are skipped, the longest number at the front is taken, the
rest is ignored.  We take the same value, and log a WARNING where it is not what the text says.  Text without
any number, which TMVA silently takes for 0, is an :class:`~pytmva_bnn.errors.OptionError`.  Options may be more or less
strict, see :class:`~pytmva_bnn.options.declaration.Numbers`.
"""

from __future__ import annotations

import logging
import re

import numpy as np

from pytmva_bnn.errors import OptionError, suggestion
from pytmva_bnn.options.declaration import Numbers, Option, OptionType, Scalar

LOGGER = logging.getLogger("pytmva_bnn.options")

BLANKS = " \t\n\v\f\r"
_TRUE = ("1", "true", "ktrue", "t")
_FALSE = ("0", "false", "kfalse", "f")
_INTEGER = re.compile(rf"[{BLANKS}]*([+-]?)([0-9]+)")
# (?>...) takes all digits or nothing: a dangling exponent ("1.5e") is no number for a C++ stream
_REAL = re.compile(rf"[{BLANKS}]*([+-]?(?>[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+|(?![eE])))", re.ASCII)
_LIMITS: dict[OptionType, tuple[int, int]] = {
    OptionType.INT: (-(2**31), 2**31 - 1),
    OptionType.UINT: (0, 2**32 - 1),
}
_LARGEST: dict[OptionType, float] = {
    OptionType.FLOAT: float(np.finfo(np.float32).max),
    OptionType.DOUBLE: float(np.finfo(np.float64).max),
}


def leading_integer(text: str) -> int | None:
    """Return the decimal integer at the front of ``text`` (blanks, sign, digits), or None if there is none."""
    match = _INTEGER.match(text)
    if match is None:
        return None
    sign, digits = match.groups()
    # 12 digits are out of every range already; Python refuses to convert thousands of them
    return int(sign + (digits.lstrip("0") or "0")[:12])


def c_atoi(text: str) -> int:
    """Return what C's ``atoi`` reads: the integer at the front of ``text``, or 0."""
    return _limited(OptionType.INT, leading_integer(text) or 0)


def _limited(kind: OptionType, number: int) -> int:
    """Return what a C++ stream makes of a number that may be out of range: the nearest limit.

    An unsigned number with a minus sign counts back from 2^32.
    """
    low, high = _LIMITS[kind]
    if kind is OptionType.UINT and number < 0:
        return number % 2**32 if -number <= high else high
    return min(max(number, low), high)


def first_word(text: str) -> str:
    """Return the first blank-delimited word of ``text``."""
    return re.split(f"[{BLANKS}]", text.lstrip(BLANKS), maxsplit=1)[0]


def from_text(option: Option, text: str) -> Scalar:
    """Return the value that ``text`` gives to (an element of) ``option``; allowed values are not looked at."""
    match option.type:
        case OptionType.BOOL:
            return _bool_from_text(option, text)
        case OptionType.INT | OptionType.UINT:
            return _integer_from_text(option, text)
        case OptionType.FLOAT | OptionType.DOUBLE:
            return _real_from_text(option, text)
        case OptionType.STRING:
            return _string_from_text(option, text)


def to_text(value: Scalar) -> str:
    """Return ``value`` as weight files and listings show it."""
    # TMVA: %.6e, so digits beyond the 7th of a real number are lost in the weight file
    return f"{value:.6e}" if isinstance(value, float) else str(value)


def coerce(option: Option, value: object) -> Scalar:
    """Return the Python ``value`` as one of the option's type, or raise OptionError if that is not possible."""
    kind = option.type
    match value:
        case str() if kind is OptionType.STRING:
            return value
        case bool() | np.bool_():
            if kind is OptionType.BOOL:
                return bool(value)
        case int() | np.integer() if kind in _LIMITS:
            low, high = _LIMITS[kind]
            if low <= value <= high:
                return int(value)
        case int() | float() | np.integer() | np.floating() if kind in _LARGEST:
            return _round(kind, float(value))
    raise OptionError(f"Option {option.name} takes a value of type {kind.value}, got {value!r} instead")


def _round(kind: OptionType, value: float) -> float:
    largest = _LARGEST[kind]
    value = min(max(value, -largest), largest)
    return float(np.float32(value)) if kind is OptionType.FLOAT else value


def _bool_from_text(option: Option, text: str) -> bool:
    # TMVA: blanks are not skipped here, unlike for numbers and strings
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    hint = suggestion(text.strip(), ("True", "False"))
    raise OptionError(
        f"Option {option.name}: value '{text}' can not be interpreted as boolean; "
        f"write True (1, T, kTrue) or False (0, F, kFalse) without blanks" + (f"; {hint}" if hint else "")
    )


def _integer_from_text(option: Option, text: str) -> int:
    number = leading_integer(text)
    if number is None and option.numbers is not Numbers.AS_TMVA:
        raise _no_number(option, text, "an integer in decimal digits")
    value = _limited(option.type, number or 0)
    if option.numbers is Numbers.WHOLE and not _is_the_number(text, value):
        raise OptionError(
            f"Option {option.name}: TMVA would read '{text}' as {value}; write a whole number in decimal digits"
        )
    _warn_unless_all_read(option, text, _INTEGER, value, changed=value != number)
    return value


def _is_the_number(text: str, value: int) -> bool:
    try:
        return float(text) == value
    except ValueError:
        return False


def _real_from_text(option: Option, text: str) -> float:
    match = _REAL.match(text)
    if match is None:
        raise _no_number(option, text, "a decimal number")
    number = float(match[1])
    value = _round(option.type, number)
    _warn_unless_all_read(option, text, _REAL, value, changed=abs(number) > _LARGEST[option.type])
    return value


def _string_from_text(option: Option, text: str) -> str:
    word = first_word(text)
    # TMVA: HiddenLayers=N, N-1 is a single hidden layer, because the value ends at the blank
    if text.strip(BLANKS) != word:
        LOGGER.warning("Option %s: '%s' was read as '%s'; the text after the blank is dropped", option.name, text, word)
    return word


def _no_number(option: Option, text: str, expected: str) -> OptionError:
    return OptionError(
        f"Option {option.name}: '{text}' is not a number; write {expected}, e.g. {option.name}={option.default}"
    )


def _warn_unless_all_read(option: Option, text: str, pattern: re.Pattern[str], value: float, *, changed: bool) -> None:
    # TMVA: silent here (NCycles=1e3 trains one epoch, NCycles=7.9 seven)
    if changed or pattern.sub("", text, count=1).strip(BLANKS):
        LOGGER.warning("Option %s of type %s: '%s' was read as %s", option.name, option.type.value, text, value)
