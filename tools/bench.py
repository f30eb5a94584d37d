"""Speed of responses, errors, event loops, trainings and what comes before them, as tables and figures.

The contenders of a table take turns, and each one's best round counts.  ``--write`` puts tables and figures into
docs/performance.md, ``--quick`` takes fewer events and leaves the largest training out, ``--only WORD`` measures some
sections only; the others on the page then stay.
"""

from __future__ import annotations

import argparse
import logging
import os
import platform
import re
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

from benchmarks import classic, figures, forest_responses, forest_trainings, preparation, responses, scaling, trainings
from benchmarks.measure import Section
from benchmarks.peers import LIBRARIES, installed
from benchmarks.samples import ROOT

from pytmva_bnn.fast.threads import n_threads

PAGE = ROOT / "docs" / "performance.md"
FIGURES = ROOT / "docs" / "images" / "performance"
BEGIN, END = "<!-- tables of tools/bench: begin -->", "<!-- tables of tools/bench: end -->"


def preparations(quick: bool) -> Section:
    """Measure what comes before a training, beside an epoch of it."""
    text = preparation.table(preparation.rows(quick))
    return Section("What comes before a training, beside one epoch of it: milliseconds", text)


def parts(quick: bool, tmva_class: Path | None) -> dict[str, Callable[[], Iterator[Section] | Section]]:
    """Return what is measured, by a word for it."""
    n = 100_000 if quick else 1_000_000
    return {
        "responses": lambda: responses.responses(n, tmva_class),
        "onnxruntime": responses.beside_onnxruntime,
        "precision": lambda: responses.precision(100_000),
        "errors": lambda: responses.errors(n // 5),
        "loop": lambda: responses.single_events(20_000),
        "training": lambda: trainings.trainings(quick),
        "cases": trainings.recorded_trainings,
        "propagation": lambda: trainings.back_propagation(40_000),
        "preparation": lambda: preparations(quick),
        "classic": lambda: classic.sections(n),
        "scaling": lambda: scaling.responses(quick),
        "threads": lambda: scaling.threads_and_trainings(quick),
        "bdt": lambda: forest_responses.sections(quick),
        "forests": lambda: forest_trainings.trainings(quick),
        "growing": lambda: forest_trainings.scaling(quick),
    }


def machine() -> str:
    """Return what was measured on what."""
    versions = [f"Python {platform.python_version()}", *map(_version, ("numpy", "numba", *LIBRARIES))]
    load = f" The load of the machine at the start was {os.getloadavg()[0]:.1f}." if hasattr(os, "getloadavg") else ""
    return f"{_processor()}, {n_threads()} processors; {', '.join(versions)}.{load}"


def _version(name: str) -> str:
    if not installed(name):
        return f"{name} not installed"
    packages = metadata.packages_distributions().get(name, [name])
    return f"{packages[0]} {metadata.version(packages[0])}"


def _processor() -> str:
    cpus = Path("/proc/cpuinfo")
    text = cpus.read_text(encoding="utf-8") if cpus.exists() else ""
    name = re.search(r"model name\s*:\s*(.*)", text)
    vectors = "AVX-512" if "avx512f" in text else "AVX2" if "avx2" in text else ""
    return f"{name.group(1) if name else platform.processor()} {vectors}".strip()


def write(texts: list[str], *, keep: bool) -> None:
    """Put the sections into the page; with ``keep`` those of other titles stay."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    known, after = rest.split(END)
    sections = dict(map(_titled, known.strip().split("\n\n## "))) if keep else {}
    head = sections.get("", "").split("\n\n")
    sections.update(map(_titled, "\n\n".join(texts).split("\n\n## ")))
    # each machine keeps its paragraph, unless the same was measured anew
    job = texts[0].split(" on: ")[0]
    sections[""] = "\n\n".join([one for one in head if one and not one.startswith(job)] + texts[:1])
    text = "\n\n".join(sections.values())
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def _titled(section: str) -> tuple[str, str]:
    """Return a section with its title; what stands in front of the first one has none."""
    if section.startswith("Measured"):
        return "", section
    section = section.removeprefix("## ")
    return section.split("\n", 1)[0], f"## {section}"


def main() -> None:
    """Measure, print, and write the page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer events, no large training")
    parser.add_argument("--write", action="store_true", help="put tables and figures into docs/performance.md")
    parser.add_argument("--only", nargs="+", choices=parts(True, None), help="measure these only")
    parser.add_argument("--tmva-class", type=Path, metavar="FILE", help="a C++ class that TMVA wrote, to time as well")
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    job = "Measured by `tools/bench`"
    if given.only:
        words = (["--quick"] if given.quick else []) + ["--only", *given.only]
        job = f"Measured later by `tools/bench {' '.join(words)}`"
    texts = [f"{job} on: {machine()}"]
    print(texts[0], flush=True)
    for word, measure in parts(given.quick, given.tmva_class).items():
        if given.only and word not in given.only:
            continue
        found = measure()
        for section in [found] if isinstance(found, Section) else found:
            texts.append(f"## {section.title}\n\n{section.text}")
            print("\n" + texts[-1], flush=True)
            if given.write:
                texts += [f"![{section.title}](images/performance/{name})" for name in figures.draw(section, FIGURES)]
    if given.write:
        write(texts, keep=bool(given.only))


if __name__ == "__main__":
    main()
