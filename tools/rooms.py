"""The rooms of the package: what each imports, in an order without a circle, with the size of each."""

from __future__ import annotations

import ast
import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pytmva_bnn"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- tools/rooms: begin -->\n", "<!-- tools/rooms: end -->\n"


def room_of(path: Path) -> str:
    """Return the room that a file belongs to: the first folder, or the file itself."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def rooms() -> dict[str, list[Path]]:
    """Return the files of each room; ``__init__.py`` of the package, which only names things, is none."""
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path != PACKAGE / "__init__.py":
            found.setdefault(room_of(path), []).append(path)
    return found


def imports_of(path: Path) -> set[str]:
    """Return the rooms that a file imports, also inside functions and for types only."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] if node.module != "pytmva_bnn" else [f"pytmva_bnn.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("pytmva_bnn.")}
    return found - {room_of(path)}


def graph() -> dict[str, set[str]]:
    """Return what each room imports; names that the package's ``__init__`` offers count as no room."""
    known = rooms()
    return {room: set().union(*map(imports_of, files)) & set(known) for room, files in known.items()}


def order(edges: dict[str, set[str]]) -> list[str]:
    """Return the rooms so that each comes after those it imports; equal ones in alphabetical order."""
    sorter = TopologicalSorter(edges)
    sorter.prepare()
    found: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        found += ready
        sorter.done(*ready)
    return found


def meaning(files: list[Path]) -> str:
    """Return the first line of a room's docstring."""
    first = next((path for path in files if path.name == "__init__.py"), files[0])
    text = ast.get_docstring(ast.parse(first.read_text(encoding="utf-8"))) or ""
    line = text.splitlines()[0].rstrip(".") if text else ""
    return re.sub(r":\w+:`([^`]*)`", r"`\1`", line.replace("``", "`"))


def needed(edges: dict[str, set[str]], room: str) -> set[str]:
    """Return the imports of a room that do not follow from others of its imports."""
    through: set[str] = set()
    for other in edges[room]:
        reached, todo = set(), list(edges[other])
        while todo:
            one = todo.pop()
            if one not in reached:
                reached.add(one)
                todo += edges[one]
        through |= reached
    return edges[room] - through


def table() -> str:
    """Return the rooms as a table in Markdown."""
    edges, known = graph(), rooms()
    lines = ["| room | what it is | imports (and what these import) |", "|---|---|---|"]
    for room in order(edges):
        below = ", ".join(sorted(needed(edges, room))) or "nothing"
        lines.append(f"| `{room}` | {meaning(known[room])} | {below} |")
    return "\n".join(lines) + "\n"


def sizes() -> str:
    """Return how many files and lines each room has."""
    rows = [
        (room, len(files), sum(len(path.read_text().splitlines()) for path in files)) for room, files in rooms().items()
    ]
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    return "".join(f"{room:<14}{n_files:>5} files{n_lines:>7} lines\n" for room, n_files, n_lines in rows)


def main() -> int:
    """Print the table, or write it into the page; a circle is an error."""
    try:
        text = table()
    except CycleError as error:
        print("these rooms import each other in a circle:", " -> ".join(error.args[1]), file=sys.stderr)
        return 1
    if "--write" in sys.argv[1:]:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.split(END)[1], encoding="utf-8")
    else:
        print(text, sizes(), sep="\n", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
