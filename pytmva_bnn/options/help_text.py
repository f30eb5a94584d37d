"""A readable table of options, for the option ``H`` and for the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytmva_bnn.options.declaration import Option


def describe(declared: Sequence[Option]) -> str:
    """Return a table of the options: name, type, default, meaning and allowed values.

    >>> from pytmva_bnn.options import reader_options
    >>> print(describe(reader_options()))
    name    type  default  meaning
    V       Bool  False    verbose output
    Color   Bool  False    coloured output
    Silent  Bool  False    suppress all output
    Error   Bool  False    compute the errors in EvaluateMVA
    """
    rows = [("name", "type", "default", "meaning"), *(_row(option) for option in declared)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]).rstrip()
        for row in rows
    )


def _row(option: Option) -> tuple[str, str, str, str]:
    kind = option.type.value if option.size is None else f"{option.type.value}[{option.size}]"
    allowed = f" [{', '.join(option.allowed)}]" if option.allowed else ""
    return option.name, kind, str(option.default), option.description + allowed
