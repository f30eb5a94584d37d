"""Trains many small methods, and evaluates very many events in blocks with one Model, all in one process.

After a warm-up the memory, the number of open files and the number of threads must stay where they are: the exit code
is 1 if a median of the last quarter is above that of the first by more than noise.  Linux only.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

import pytmva_bnn as TMVA

ROOT = Path(__file__).resolve().parents[1]
BLOCK = 500_000
HEAD = "| what | number | seconds | MiB after warm-up / highest / last | files | threads |\n|---|---|---|---|---|---|"
WARM_UP = 0.2
"""The first part of the rounds, in which caches fill."""
ALLOWED_MIB = 8.0
"""By how much the median of the memory may rise, as allocators keep some of it."""
METHODS = (
    ("MLP", "NCycles=5:HiddenLayers=4:TrainingMethod=BFGS:UseRegulator:VarTransform=N"),
    ("MLP", "NCycles=5:HiddenLayers=4:TrainingMethod=BP"),
    ("BDT", "NTrees=5:MaxDepth=2"),
    ("Fisher", ""),
    ("Likelihood", ""),
    ("KNN", ""),
    ("LD", "CreateMVAPdfs"),
)


@dataclass(frozen=True)
class Use:
    """What the process uses at a moment."""

    memory: float
    files: int
    threads: int


def use_now() -> Use:
    """Return the memory in MiB, the open files and the threads of this process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    numbers = [sum(1 for _ in Path(f"/proc/self/{name}").iterdir()) for name in ("fd", "task")]
    return Use(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, *numbers)


def rounds(one: Callable[[int], object], number: int, end: float, every: int = 1) -> tuple[int, list[Use]]:
    """Do one thing again and again; return how often, and what was used after every few times."""
    uses = []
    for done in range(number):
        if time.monotonic() > end:
            return done, uses
        one(done)
        if done % every == every - 1:
            uses.append(use_now())
    return number, uses


def rises(uses: Sequence[Use]) -> list[str]:
    """Return what is larger at the end than after the warm-up, in words."""
    steady = uses[int(len(uses) * WARM_UP) :]
    quarter = max(1, len(steady) // 4)
    found = []
    for name, allowed, unit in (("memory", ALLOWED_MIB, " MiB"), ("files", 0, ""), ("threads", 0, "")):
        first, last = (
            median(float(getattr(use, name)) for use in part) for part in (steady[:quarter], steady[-quarter:])
        )
        if last - first > allowed:
            found.append(f"{name} rise from {first:g} to {last:g}{unit}")
    return found


def train(number: int) -> None:
    """Train, test and evaluate a small method, and use it from its weight file."""
    random = np.random.default_rng(number)
    loader = TMVA.DataLoader("dataset")
    for name in ("x", "y"):
        loader.AddVariable(name)
    loader.AddSignalTree({"x": random.normal(1, 1, 200), "y": random.normal(0, 1, 200)})
    loader.AddBackgroundTree({"x": random.normal(0, 1, 200), "y": random.normal(0, 2, 200)})
    kind, options = METHODS[number % len(METHODS)]
    factory = TMVA.Factory("job", Path("TMVA.root"), "!V:Silent:AnalysisType=Classification")
    factory.BookMethod(loader, kind, kind, options)
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    TMVA.load(f"dataset/weights/job_{kind}.weights.xml").predict(random.normal(size=(50, 2)))


def row(name: str, done: int, uses: Sequence[Use], seconds: float) -> str:
    """Return a line of the table: what was used after the warm-up, at most in between, and at the end."""
    if not uses:
        return f"| {name} | {done} | {seconds:.0f} | | | |"
    first, last = uses[int(len(uses) * WARM_UP)], uses[-1]
    highest = max(use.memory for use in uses)
    memory = f"{first.memory:.1f} / {highest:.1f} / {last.memory:.1f}"
    counts = f"{first.files} / {last.files} | {first.threads} / {last.threads}"
    return f"| {name} | {done} | {seconds:.0f} | {memory} | {counts} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Train and evaluate, print the table, and return 1 if something rises."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trainings", type=int, default=1000, help="how many trainings (default: 1000)")
    parser.add_argument("--events", type=float, default=2e8, help="how many events (default: 2e8)")
    parser.add_argument("--seconds", type=float, default=3600, help="stop each of the two after this time (3600)")
    parser.add_argument("--quick", action="store_true", help="7 trainings and 100,000 events")
    given = parser.parse_args(argv)
    n_trainings, n_events = (len(METHODS), 1e5) if given.quick else (given.trainings, given.events)
    logging.disable(logging.WARNING)
    model = TMVA.load(ROOT / "xml_fixtures" / "cases" / "fakerate_bnn" / "weights.xml")
    block = np.random.default_rng(1).normal(size=(min(BLOCK, int(n_events)), len(model.variables)))

    def predict(number: int) -> None:
        model.predict(block, errors=number % 10 == 0)  # with errors it takes much longer

    print(HEAD)
    wrong = []
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, one, number, unit, every in (
                ("trainings", train, n_trainings, 1, len(METHODS)),
                ("events", predict, int(n_events) // len(block), len(block), 1),
            ):
                start = time.monotonic()
                done, uses = rounds(one, number, start + given.seconds, every)
                print(row(name, done * unit, uses, time.monotonic() - start), flush=True)
                wrong += [f"{name}: {problem}" for problem in rises(uses)] if len(uses) > 3 else []
        finally:
            os.chdir(before)
    print("\n" + "\n".join(f"* {one}" for one in wrong or ["Nothing rises."]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
