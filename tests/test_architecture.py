"""One way through the house: a part of the package imports only from those before it."""

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "pytmva_bnn"

# From the input to the user.  The files of "fast" that all compiled code stands on come first: they need nothing else.
ORDER = [
    "_version",
    "errors",
    "_typing",
    "files",
    "tmva_types",
    "fast",
    "random",
    "options",
    "formula",
    "reductions",
    "xmlio",
    "events",
    "dataset",
    "histograms",
    "transform",
    "weights",
    "methods",
    "prediction",
    "model",
    "evaluation",
    "standalone",
    "reader",
    "output",
    "factory",
    "posterior",
    "show",
    "convert",
    "compat",
    "port",
    "demo",
    "cli",
]


def imports_of(path: Path) -> set[str]:
    """The parts of the package that a file imports, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] if node.module != "pytmva_bnn" else [f"pytmva_bnn.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {part_called(name.split(".")[1:]) for name in names if name.startswith("pytmva_bnn.")}
    return found


def part_called(names: Sequence[str]) -> str:
    """A part by the beginning of a module's name; single files of a package may be parts of their own."""
    return ".".join(names[:2]) if ".".join(names[:2]) in ORDER else names[0]


def part_of(path: Path) -> str:
    return part_called(path.relative_to(PACKAGE).with_suffix("").parts)


@pytest.mark.parametrize("part", sorted({part_of(path) for path in PACKAGE.rglob("*.py")} - {"__init__"}))
def test_parts_import_only_from_those_before_them(part):
    assert part in ORDER, "a new part of the package: give it a place in ORDER"
    allowed = set(ORDER[: ORDER.index(part) + 1])
    for path in PACKAGE.rglob("*.py"):
        if part_of(path) == part:
            assert imports_of(path) <= allowed, path
