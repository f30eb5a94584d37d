"""Numbers on the command line."""

from __future__ import annotations

import argparse
import math


def positive(text: str) -> int:
    """Return a whole number above 0.

    >>> positive("two")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: must be a whole number above 0, got 'two'
    """
    number = _whole(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, got {text!r}")
    return number


def count(text: str) -> int:
    """Return a whole number that is not negative.

    >>> count("0")
    0
    """
    number = _whole(text)
    if number is None or number < 0:
        raise argparse.ArgumentTypeError(f"must be a whole number, 0 or above, got {text!r}")
    return number


def tolerance(text: str) -> float:
    """Return a number that is not negative.

    >>> tolerance("1e-9")
    1e-09
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not number >= 0.0:
        raise argparse.ArgumentTypeError(f"must be a number, 0 or above, got {text!r}")
    return number


def _whole(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
