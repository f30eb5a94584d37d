"""C++'s exceptions as Python's, with ``what()``."""

from __future__ import annotations

from typing import Any


class StdException(Exception):  # noqa: N818 - C++'s name
    """``std::exception``; ``what()`` is its text."""

    def what(self) -> str:
        return str(self.args[0]) if self.args else f"std::{type(self).__name__}"


StdException.__name__ = "exception"
EXCEPTIONS: dict[str, Any] = {"exception": StdException}
BASES: dict[str, tuple[str, type | None]] = {
    "bad_alloc": ("exception", MemoryError), "bad_cast": ("exception", TypeError), "logic_error": ("exception", None),
    "invalid_argument": ("logic_error", ValueError), "domain_error": ("logic_error", None),
    "length_error": ("logic_error", None), "out_of_range": ("logic_error", IndexError),
    "runtime_error": ("exception", RuntimeError), "range_error": ("runtime_error", None),
    "overflow_error": ("runtime_error", None), "underflow_error": ("runtime_error", None),
}  # fmt: skip
"""The class of C++, and of Python, that each exception is derived from."""

for _name, (_base, _python) in BASES.items():
    _bases = (EXCEPTIONS[_base],) if _python is None else (EXCEPTIONS[_base], _python)
    EXCEPTIONS[_name] = type(_name, _bases, {"__module__": __name__, "__doc__": f"``std::{_name}``."})

invalid_argument = EXCEPTIONS["invalid_argument"]
out_of_range = EXCEPTIONS["out_of_range"]
