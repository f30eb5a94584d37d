"""Writes docs/options.md from the option tables, so that the page cannot differ from the program.

usage: .venv/bin/python tools/options_page.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pytmva_bnn import options
from pytmva_bnn.factory.cross_validation import CROSS_VALIDATION_OPTIONS
from pytmva_bnn.methods import kinds, method_of
from pytmva_bnn.methods.mlp.option_table import ANN_OPTIONS, EXTRA_OPTIONS, MLP_OPTIONS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "options.md"

HEAD = """# Option strings

`"NCycles=500:HiddenLayers=N+5:UseRegulator:!V"`: items separated by `:`, names regardless of case, `Name=value` for any
option, `Name` and `!Name` for switches. Unknown names and impossible values are errors that name the nearest known one.
A value of which only a part is a number (`NCycles=1e3`) is read as TMVA reads it (1), with a warning; one that is no
number at all is an error, where TMVA silently takes 0.

This page is made by `tools/options_page.py` from the tables that the program uses.
"""


def table(declared: Iterable[options.Option]) -> str:
    """Return the options as a table in Markdown."""
    lines = ["| option | type | default | meaning |", "|---|---|---|---|"]
    for option in declared:
        allowed = f" ({', '.join(f'`{value}`' for value in option.allowed)})" if option.allowed else ""
        default = f"`{option.default}`" if option.default != "" else ""
        lines.append(
            f"| `{option.name}` | {option.type.name.capitalize()} | {default} | {option.description}{allowed} |"
        )
    return "\n".join(lines)


def _own_options() -> Iterator[tuple[str, list[options.Option]]]:
    """Yield the kinds of methods, but for the MLP, with the options that not all kinds have."""
    for kind in kinds():
        if kind != "MLP":
            yield kind, [one for one in method_of(kind).options if one not in options.METHOD_BASE_OPTIONS]


def page() -> str:
    """Return the whole page."""
    sections = [
        ("Methods: the network", ANN_OPTIONS),
        ("Methods: all kinds", options.METHOD_BASE_OPTIONS),
        ("Methods: training of the MLP", MLP_OPTIONS),
        ("Methods: beyond TMVA", EXTRA_OPTIONS),
        *((f"Methods: {kind}", own) for kind, own in _own_options() if own),
        ("Factory", options.FACTORY_OPTIONS),
        ("PrepareTrainingAndTestTree", options.splitting_options(["Signal", "Background"])),
        ("Reader", options.reader_options()),
        ("CrossValidation", CROSS_VALIDATION_OPTIONS),
        ("MVA PDFs (with CreateMVAPdfs)", options.pdf_options("MVAPdf")),
    ]
    return "\n\n".join([HEAD.rstrip(), *(f"## {title}\n\n{table(declared)}" for title, declared in sections)]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
