"""C++'s exceptions as Python's, with ``what()``."""
# ruff: noqa: N801, N818 - C++'s names

from __future__ import annotations


class exception(Exception):
    """``std::exception``; ``what()`` is its text."""

    def what(self) -> str:
        return str(self.args[0]) if self.args else f"std::{type(self).__name__}"


class bad_alloc(exception, MemoryError):
    """No memory."""


class bad_cast(exception, TypeError):
    """An object of another class."""


class logic_error(exception):
    """An error in the program."""


class invalid_argument(logic_error, ValueError):
    """An argument that a function does not take."""


class domain_error(logic_error):
    """An argument outside the domain."""


class length_error(logic_error):
    """Something too long."""


class out_of_range(logic_error, IndexError):
    """An element that does not exist, or a number that does not fit."""


class runtime_error(exception, RuntimeError):
    """An error that shows while the program runs."""


class range_error(runtime_error):
    """A result that cannot be represented."""


class overflow_error(runtime_error):
    """A result too large."""


class underflow_error(runtime_error):
    """A result too small."""


EXCEPTIONS = {
    kind.__name__: kind
    for kind in (
        exception, bad_alloc, bad_cast, logic_error, invalid_argument, domain_error, length_error, out_of_range,
        runtime_error, range_error, overflow_error, underflow_error,
    )
}  # fmt: skip
