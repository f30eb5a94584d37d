"""Typed access to XML elements; every failure is a WeightFileError that names element and line."""

from __future__ import annotations

import logging
import math
import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import WeightFileError, WeightFileWarning

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

log = logging.getLogger(__name__)

LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
_INTEGER = re.compile(r"\s*[-+]?[0-9]{1,12}\s*", re.ASCII)
_NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
_NUMBER_LIST = re.compile(r"[-+0-9.eE\s]*")
_NOT_FINITE = re.compile(r"[-+]?(nan|inf|infinity)(\(\w*\))?", re.IGNORECASE)


def fail(element: Element, problem: str) -> NoReturn:
    """Raise the WeightFileError for ``problem`` at ``element``."""
    line: int | None = element.sourceline  # type: ignore[assignment]
    raise WeightFileError(problem, element=str(element.tag), line=line)


def children(element: Element) -> Iterator[Element]:
    """Yield the child elements, comments and processing instructions left out."""
    return (child for child in element if isinstance(child.tag, str))


def is_weights(element: Element) -> bool:
    """Tell whether this is the element <Weights> of a method, which may be nested in another."""
    parent = element.getparent()
    if element.tag != "Weights" or parent is None:
        return False
    return parent.get("Method") is not None or parent.get("MethodTypeName") is not None


def optional_child(element: Element, name: str) -> Element | None:
    """Return the child called ``name``, of which there may be one, or None."""
    found = element.findall(name)
    if len(found) > 1:
        fail(found[1], f"this element appears twice in <{element.tag}>")
    return found[0] if found else None


def child(element: Element, name: str) -> Element:
    """Return the only child called ``name``, which must exist."""
    found = optional_child(element, name)
    if found is None:
        fail(element, f"the element <{name}> is missing")
    return found


def counted_children(element: Element, number: str, name: str) -> list[Element]:
    """Return the children called ``name``, of which there must be as many as the attribute ``number`` says."""
    found = []
    for item in children(element):
        if item.tag == name:
            found.append(item)
        else:
            log.warning("line %s: element <%s> in <%s> is ignored", item.sourceline, item.tag, element.tag)
    announced = count(element, number)
    if len(found) != announced:
        fail(element, f"{number}={announced}, but {len(found)} elements <{name}> are present")
    return found


def attribute(element: Element, name: str) -> str:
    """Return an attribute that must exist."""
    value = element.get(name)
    if value is None:
        fail(element, f"the attribute {name!r} is missing")
    return str(value)


def integer(element: Element, name: str) -> int:
    """Return an attribute that must be a whole number."""
    text = attribute(element, name)
    if not _INTEGER.fullmatch(text):
        fail(element, f"the attribute {name}={text!r} is not a whole number")
    return int(text)


def count(element: Element, name: str) -> int:
    """Return an attribute that must be a whole number and not negative."""
    value = integer(element, name)
    if value < 0:
        fail(element, f"the attribute {name}={value} is negative")
    return value


def number(element: Element, name: str, *, finite: bool = True) -> float:
    """Return an attribute that must be a number; ``finite=False`` lets nan and inf through."""
    text = attribute(element, name)
    if _NUMBER.fullmatch(text) or (not finite and _NOT_FINITE.fullmatch(text.strip())):
        value = float(text.split("(")[0])
        if math.isfinite(value) or not finite:
            return value
    fail(element, f"the attribute {name}={text!r} is not a number in range")


def numbers(element: Element, expected: int, what: str) -> NDArray[np.float64]:
    """Return the numbers in the element's text, of which there must be ``expected``; nan and inf come as NaN."""
    text = element.text or ""
    tokens = text.split()
    if not _NUMBER_LIST.fullmatch(text):
        tokens = [_not_finite_as_nan(element, token, what) for token in tokens]
    if len(tokens) != expected:
        fail(element, f"{expected} {what} are declared, but there are {len(tokens)}")
    try:
        values = np.fromiter(map(float, tokens), dtype=np.float64, count=expected)
    except ValueError as error:
        fail(element, f"one of the {what} is not a number ({error})")
    if np.isinf(values).any():
        fail(element, f"one of the {what} is too large for a double")
    return values


def readable_numbers(element: Element, expected: int, what: str, *, is_used: bool = True) -> NDArray[np.float64]:
    """Return the numbers in the element's text as C++ streams deliver them: from the first nan on, all are 0.

    A nan is a reason to warn if the numbers are used: those of single classes are only written down.
    """
    values = numbers(element, expected, what)
    n_bad = int(np.isnan(values).sum())
    if n_bad:
        where = f"line {element.sourceline}, element <{element.tag}>: {n_bad} of the {expected} {what} are"
        if is_used:
            warn_not_finite(where)
        else:
            log.info("%s nan or inf, which has no effect: they belong to a single class", where)
    return zero_from_first_nan(values)


def warn_not_finite(what: str) -> None:
    """Warn loudly of numbers that are nan or inf; ``what`` is the sentence's beginning."""
    text = (
        f"{what} nan or inf. TMVA reads such a number, and all that follow it in its element, as 0, and so does this "
        "program: the training failed; do not trust this file."
    )
    warnings.warn(WeightFileWarning(text), stacklevel=2)


def _not_finite_as_nan(element: Element, token: str, what: str) -> str:
    if _NUMBER.fullmatch(token):
        return token
    if _NOT_FINITE.fullmatch(token):
        return "-nan" if token.startswith("-") else "nan"
    fail(element, f"one of the {what} is not a number: {token[:40]!r}")


def zero_from_first_nan(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the numbers as C++ streams deliver them: from the first NaN on, all are 0."""
    bad = np.isnan(values)
    if not bad.any():
        return values
    return np.where(np.logical_or.accumulate(bad, axis=-1), 0.0, values)
