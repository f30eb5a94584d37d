"""Writes docs/options.md from the option tables, so that the page cannot differ from the program.

usage: .venv/bin/python tools/options_page.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pytmva_bnn import methods, options
from pytmva_bnn.factory.cross_validation import CROSS_VALIDATION_OPTIONS
from pytmva_bnn.methods.fitters import FITTERS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "options.md"

HEAD = """# Option strings

`"NCycles=500:HiddenLayers=N+5:UseRegulator:!V"`: items separated by `:`, names regardless of case, `Name=value` for any
option, `Name` and `!Name` for switches. Unknown names and impossible values are errors that name the nearest known one.
A value of which only a part is a number (`NCycles=1e3`) is read as TMVA reads it (1), with a warning; one that is no
number at all is an error, where TMVA silently takes 0. For numbers of events (`nTrain_Signal=1e3`) both are errors.

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


def method_sections() -> Iterator[tuple[str, tuple[options.Option, ...]]]:
    """Yield title and options of each method: its own and those of its parts, then those that TMVA does not have."""
    for kind in sorted(methods.kinds()):
        method = methods.method_of(kind)
        parsed = options.OptionSet(method.options)
        method.parse_parts(parsed, n_variables=0)
        own = [option for option in method.options if option not in options.METHOD_BASE_OPTIONS]
        # fitters have sections of their own
        parts = (part for name, part in parsed.parts.items() if name not in FITTERS)
        yield kind, (*own, *(option for part in parts for option in part.declared))
        if method.more_options:
            yield f"{kind}, beyond TMVA", method.more_options


def page() -> str:
    """Return the whole page."""
    sections = [
        ("All methods", options.METHOD_BASE_OPTIONS),
        *method_sections(),
        *((f"Fitter {name} (FitMethod={name})", fitter.options) for name, fitter in FITTERS.items()),
        ("Factory", options.FACTORY_OPTIONS),
        ("PrepareTrainingAndTestTree", options.splitting_options(["Signal", "Background"])),
        ("Reader", options.reader_options()),
        ("CrossValidation", CROSS_VALIDATION_OPTIONS),
        ("MVA PDFs (with CreateMVAPdfs)", options.pdf_options("MVAPdf")),
    ]
    return "\n\n".join([HEAD.rstrip(), *(f"## {title}\n\n{table(declared)}" for title, declared in sections)]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
