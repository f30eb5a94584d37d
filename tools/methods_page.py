"""The table of docs/every-method.md: what each method can do, how well it agrees with TMVA, and how fast it is.

usage: python tools/methods_page.py [--write]

What a method can do comes from the registry, the agreement from docs/accuracy.md (tools/agreement --write) and the
speed from docs/performance.md (tools/bench --write): run these first.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pytmva_bnn.methods import kinds, method_of
from pytmva_bnn.tmva_types import AnalysisType

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "every-method.md"
BEGIN, END = "<!-- tools/methods_page.py: begin -->\n", "<!-- tools/methods_page.py: end -->"
HEAD = (
    *("method", "classification", "regression", "multiclass", "reads", "trains"),
    *("responses agree", "trainings agree", "arrays, times TMVA's Reader", "training, times TMVA"),
)
_NUMBER = re.compile(r"\d+e[-+]\d+")
_TIMES = re.compile(r"\(([\d.]+)×\)")


def table() -> str:
    """Return the table in Markdown."""
    agreement, records = _agreement()
    arrays, trainings = _speed(records)
    lines = [f"| {' | '.join(HEAD)} |", "|---|" + ":---:|" * 5 + "---|---|---:|---:|"]
    for kind in kinds():
        method = method_of(kind)
        able = [*(analysis in method.analyses for analysis in _analyses()), True, not method.read_only]
        agrees = [_worst(column) for column in zip(*agreement.get(kind, []), strict=True)] or ["no records", "-"]
        speeds = [_range(times.get(kind, [])) for times in (arrays, trainings)]
        cells = [f"[{kind}](options.md#{kind.lower()})", *("yes" if one else "-" for one in able), *agrees, *speeds]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _analyses() -> tuple[AnalysisType, ...]:
    return AnalysisType.CLASSIFICATION, AnalysisType.REGRESSION, AnalysisType.MULTICLASS


def _agreement() -> tuple[dict[str, list[tuple[str, str]]], dict[str, str]]:
    """Return how responses and trainings of each method agree, and the method of each record."""
    found: dict[str, list[tuple[str, str]]] = {}
    records = {}
    for kind, record, response, _, _, training, _ in _rows((DOCS / "accuracy.md").read_text(encoding="utf-8")):
        found.setdefault(kind, []).append((response, training))
        records[record] = kind
    return found, records


def _speed(records: dict[str, str]) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return how many times faster than TMVA responses and trainings of each method are."""
    page = (DOCS / "performance.md").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in page.split("\n## ")[1:])
    sections = {title: list(_rows(text)) for title, _, text in parts}
    arrays: dict[str, list[float]] = {}
    trainings: dict[str, list[float]] = {}
    for title, rows in sections.items():
        for row in rows:
            if title.startswith("Classic methods: responses"):
                arrays.setdefault(records[row[0]], []).append(float(row[-1]))
            elif title.startswith("Classic methods: trainings") and row[-1]:
                trainings.setdefault(row[0].split()[0], []).append(float(row[-1]))
            elif title.startswith("Responses: 2-10-1") and row[0] == "ours, numba, 2 threads":
                arrays["MLP"] = [float(row[-1])]
            elif title.startswith("Forests: 850 trees") and row[0].endswith(": ours, numba, 2 threads"):
                arrays.setdefault("BDT", []).append(float(row[-1]))
            elif title.startswith("Training: BFGS"):
                trainings.setdefault("MLP", []).append(_times(row[4]))
            elif title.startswith("Forests: seconds") and row[0] in ("AdaBoost", "Grad"):
                trainings.setdefault("BDT", []).append(_times(row[4]))
    return arrays, trainings


def _rows(text: str) -> Iterator[list[str]]:
    """Yield the rows of all tables, without their heads."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        is_head = number + 1 < len(lines) and lines[number + 1].startswith(("|--", "|:-"))
        if line.startswith("|") and not line.startswith(("|--", "|:-")) and not is_head:
            yield [cell.strip() for cell in line.strip("|").split("|")]


def _times(cell: str) -> float:
    found = _TIMES.search(cell)
    if found is None:
        raise SystemExit(f"docs/performance.md: no ratio in {cell!r}")
    return float(found[1])


def _worst(cells: tuple[str, ...]) -> str:
    """Return the largest difference, and behind it what is no number."""
    numbers = [cell for cell in cells if _NUMBER.fullmatch(cell)]
    exact = ["same"] if any(cell.startswith("same") for cell in cells) else []
    words = sorted({cell for cell in cells if not _NUMBER.fullmatch(cell) and not cell.startswith(("same", "-"))})
    worst = [max(numbers, key=float)] if numbers else exact
    return "; ".join(worst + words[-1:]) or "-"


def _range(ratios: list[float]) -> str:
    ends = list(dict.fromkeys(f"{end:.0f}" for end in (min(ratios), max(ratios)))) if ratios else []
    return " to ".join(ends)


def main() -> None:
    """Print the table, or write it into the page."""
    if "--write" not in sys.argv[1:]:
        print(table(), end="")
        return
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + table() + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
