"""One way through the house: a part of the package imports only from those before it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "pytmva_bnn"

# From the input to the user; "fast" holds compiled twins of functions that stand before it, which ask for it lazily.
ORDER = [
    "_version",
    "errors",
    "files",
    "tmva_types",
    "options",
    "random",
    "formula",
    "variables",
    "summation",
    "dataset",
    "pdf",
    "transform",
    "fast",
    "network",
    "bayes",
    "sums",
    "response",
    "training",
    "weights",
    "inputs",
    "model",
    "evaluation",
    "standalone",
    "reader",
    "output",
    "factory",
    "posterior",
    "plots",
    "report",
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
        found |= {name.split(".")[1] for name in names if name.startswith("pytmva_bnn.")}
    return found


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("part", sorted({part_of(path) for path in PACKAGE.rglob("*.py")} - {"__init__"}))
def test_parts_import_only_from_those_before_them(part):
    assert part in ORDER, "a new part of the package: give it a place in ORDER"
    allowed = set(ORDER[: ORDER.index(part) + 1])
    for path in PACKAGE.rglob("*.py"):
        if part_of(path) == part:
            assert imports_of(path) <= allowed, path
