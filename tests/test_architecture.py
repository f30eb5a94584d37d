"""One way through the house: a room of the package imports only from those before it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "pytmva_bnn"

# From the input to the user.
ORDER = [
    "_version",
    "errors",
    "_typing",
    "optional",
    "displays",
    "bars",
    "executor",
    "files",
    "samples",
    "memory",
    "tmva_types",
    "fast",
    "random",
    "options",
    "formula",
    "reductions",
    "xmlio",
    "cpp",
    "onnxio",
    "events",
    "dataset",
    "histograms",
    "transform",
    "weights",
    "methods",
    "prediction",
    "yields",
    "model",
    "evaluation",
    "standalone",
    "reader",
    "output",
    "factory",
    "estimators",
    "posterior",
    "tuning",
    "show",
    "convert",
    "compat",
    "port",
    "demo",
    "cli",
]


def imports_of(path: Path) -> set[str]:
    """The rooms that a file imports from, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] if node.module != "pytmva_bnn" else [f"pytmva_bnn.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("pytmva_bnn.")}
    return found


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@pytest.mark.parametrize("room", sorted({room_of(path) for path in PACKAGE.rglob("*.py")} - {"__init__"}))
def test_rooms_import_only_from_those_before_them(room):
    assert room in ORDER, "a new room of the house: give it a place in ORDER"
    allowed = set(ORDER[: ORDER.index(room) + 1])
    for path in PACKAGE.rglob("*.py"):
        if room_of(path) == room:
            assert imports_of(path) <= allowed, path


def imports_by_string(source: str) -> list[int]:
    """The lines on which a module of the package, or one whose name is computed, is imported by a string."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in ("import_module", "__import__"):
            continue
        module = node.args[0] if node.args else node.keywords[0].value
        if isinstance(module, ast.JoinedStr):
            module = module.values[0]
        # what is no text at all could be any module: only names of other packages, written out, are plain to see
        is_other = isinstance(module, ast.Constant) and not str(module.value).startswith((".", "pytmva_bnn"))
        if not is_other:
            found.append(node.lineno)
    return found


# optional packages, whose name is an argument
COMPUTED_NAMES = {"optional.py"}


@pytest.mark.parametrize("room", sorted({room_of(path) for path in PACKAGE.rglob("*.py")}))
def test_no_module_of_the_package_is_imported_by_a_string(room):
    for path in PACKAGE.rglob("*.py"):
        if room_of(path) == room and path.relative_to(PACKAGE).as_posix() not in COMPUTED_NAMES:
            assert imports_by_string(path.read_text(encoding="utf-8")) == [], path


@pytest.mark.parametrize(
    ("call", "is_found"),
    [
        ('importlib.import_module("pytmva_bnn.show")', True),
        ('import_module(f"pytmva_bnn.cli.{name}")', True),
        ('__import__("pytmva_bnn.show.report")', True),
        ('import_module(name="pytmva_bnn")', True),
        ('import_module(".report", "pytmva_bnn.show")', True),
        ("import_module(name)", True),
        ('import_module(f"{package}.report")', True),
        ('import_module("llvmlite.ir")', False),
        ('loader.load("pytmva_bnn")', False),
    ],
)
def test_imports_by_a_string_are_found(call, is_found):
    assert imports_by_string(call) == ([1] if is_found else [])


def test_the_page_shows_the_rooms_as_they_are():
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    made = subprocess.run(  # noqa: S603
        [sys.executable, PACKAGE.parent / "tools" / "rooms.py"], capture_output=True, text=True, check=True
    ).stdout
    assert made.split("\n\n")[0] in page, "run  tools/rooms --write"
