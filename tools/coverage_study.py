"""How often is the truth inside the error bars?  A battery of problems with known truth.

    tools/coverage --quick                            # a few toys of 500 events: does the machinery run?
    tools/coverage --toys 50 --write                  # the table and the figure of docs/uncertainty.md
    tools/coverage --problems bump straight step --kinds Posterior Bias   # set aside
    tools/coverage --problems sine --events 20000 --hidden 8 --kinds Posterior Bias

In each toy events are drawn, each passes with the known probability, and a network is trained for each kind of error
bar (option Hessian).  At 500 new events of the same density it is noted whether the truth is inside of the central 68%
and 95% bands.  Points of one toy are correlated, so the error of a coverage is from the spread of the toys.
"""

from __future__ import annotations

import argparse
import json
import logging
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from coverage_problems import PROBLEMS, ROOT, SET_ASIDE, Array

import pytmva_bnn as TMVA
from pytmva_bnn.executor import open_executor

EVERY_PROBLEM = PROBLEMS | SET_ASIDE
KINDS = ("TMVA", "Posterior", "Likelihood", "Bias", "Calibrated")
OPTIONS = (
    "!H:!V:NeuronType=tanh:TrainingMethod=BFGS:VarTransform=N:TestRate=1000:UseRegulator:CalculateErrors:NCycles=300"
)
LEVELS = (0.15865525, 0.84134475, 0.025, 0.975)
POINTS = 500
BINS = 10
PAGE, FIGURE = ROOT / "docs/uncertainty.md", ROOT / "docs/images/coverage.png"
BEGIN, END = "<!-- tools/coverage: begin -->", "<!-- tools/coverage: end -->"


@dataclass(frozen=True)
class Toy:
    """One sample of one problem, to be fitted with each kind of error bar."""

    problem: str
    events: int
    hidden: int
    seed: int
    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.problem}, {self.events} events, toy {self.seed}"


def hits(toy: Toy) -> dict[str, tuple[Array, Array, float]]:
    """Return for each kind: is the truth inside, (2, bins) and number of points a bin; and half the median width."""
    problem = EVERY_PROBLEM[toy.problem]
    random = np.random.default_rng([toy.seed, toy.events])
    x = problem.draw(random, toy.events)
    passed = random.uniform(size=toy.events) < problem.truth(x)
    weights = np.ones(toy.events) if problem.weights is None else problem.weights(random, x)
    points = problem.draw(random, POINTS)
    truth = problem.truth(points)
    names = [f"x{number}" for number in range(x.shape[1])]
    columns = {**dict(zip(names, x.T, strict=True)), "w": weights}
    loader = TMVA.DataLoader("toy")
    for name in names:
        loader.AddVariable(name)
    loader.SetWeightExpression("w")
    for add, chosen in ((loader.AddSignalTree, passed), (loader.AddBackgroundTree, ~passed)):
        # trained on all events; the test sample, which nothing uses, is one event of each class
        for kind in ("Training", "Test"):
            part = np.flatnonzero(chosen)[: None if kind == "Training" else 1]
            add({name: column[part] for name, column in columns.items()}, 1.0, kind)
    loader.PrepareTrainingAndTestTree("", "NormMode=None:!V")
    factory = TMVA.Factory("coverage", "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    options = f"{OPTIONS}:HiddenLayers={toy.hidden}:RandomSeed={toy.seed + 1}"
    methods = {kind: factory.BookMethod(loader, "MLP", kind, f"{options}:Hessian={kind}") for kind in toy.kinds}
    logger = logging.getLogger("pytmva_bnn")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # what each of the many trainings says would hide the table
    try:
        factory.TrainAllMethods()
    finally:
        logger.setLevel(level)
    order = np.argsort(points[:, 0])
    found = {}
    for kind, method in methods.items():
        low, high, low95, high95 = method.model.predict(points, quantiles=LEVELS).T
        inside = np.stack([(low < truth) & (truth < high), (low95 < truth) & (truth < high95)])[:, order]
        of_bins = inside.reshape(2, BINS, -1).mean(axis=2)
        found[kind] = (of_bins, points[order, 0].reshape(BINS, -1).mean(axis=1), float(np.median(high - low) / 2.0))
    return found


@dataclass(frozen=True)
class Row:
    """The coverage of one kind of error bar on one problem."""

    problem: str
    events: int
    hidden: int
    kind: str
    toys: int
    coverage: tuple[float, float]
    error: tuple[float, float]
    lowest: float
    width: float
    places: list[float]
    of_places: list[float]


def summary(toys: list[Toy], results: list[dict[str, tuple[Array, Array, float]]]) -> list[Row]:
    """Return a row for each problem, size and kind."""
    rows = []
    for first in dict.fromkeys((toy.problem, toy.events, toy.hidden) for toy in toys):
        of_problem = [r for t, r in zip(toys, results, strict=True) if (t.problem, t.events, t.hidden) == first]
        for kind in of_problem[0]:
            inside = np.array([result[kind][0] for result in of_problem])  # (toys, 2, bins)
            of_toys = inside.mean(axis=2)
            error = of_toys.std(axis=0, ddof=1) / np.sqrt(len(of_toys))
            of_bins = inside[:, 0].mean(axis=0)
            rows.append(
                Row(
                    *first,
                    kind,
                    len(of_toys),
                    (float(of_toys[:, 0].mean()), float(of_toys[:, 1].mean())),
                    (float(error[0]), float(error[1])),
                    float(of_bins.min()),
                    float(np.median([result[kind][2] for result in of_problem])),
                    np.mean([result[kind][1] for result in of_problem], axis=0).tolist(),
                    of_bins.tolist(),
                )
            )
    return rows


def table(rows: list[Row]) -> str:
    """Return the rows as a Markdown table: coverage of the 68% and of the 95% band."""
    kinds = list(dict.fromkeys(row.kind for row in rows))
    lines = [
        "| problem | events | neurons | " + " | ".join(f"`{kind}`" for kind in kinds) + " |",
        "|---|---|---|" + "---|" * len(kinds),
    ]
    for first in dict.fromkeys((row.problem, row.events, row.hidden) for row in rows):
        cells = {row.kind: row for row in rows if (row.problem, row.events, row.hidden) == first}
        lines.append(f"| {first[0]} | {first[1]:,} | {first[2]} | " + " | ".join(_cell(cells[k]) for k in kinds) + " |")
    return "\n".join(lines)


def _cell(row: Row) -> str:
    return f"{row.coverage[0]:.0%} ± {100 * row.error[0]:.0f} / {row.coverage[1]:.0%} ± {100 * row.error[1]:.0f}"


def figure(rows: list[Row], path: Path) -> None:
    """Draw the coverage over the first variable, one panel a problem."""
    import matplotlib as mpl  # lazy: only for --write

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    problems = list(dict.fromkeys(row.problem for row in rows))
    drawing, axes = plt.subplots(2, (len(problems) + 1) // 2, figsize=(13, 5.5), sharey=True, squeeze=False)
    for axis, problem in zip(axes.flat, problems, strict=False):
        of_problem = [row for row in rows if row.problem == problem]
        largest = max(row.events for row in of_problem)
        for row in of_problem:
            if row.events == largest and row.hidden == of_problem[-1].hidden:
                axis.plot(row.places, row.of_places, marker=".", label=row.kind)
        axis.axhline(0.683, color="black", lw=0.8, ls=":")
        axis.set(title=f"{problem}, {largest:,} events", xlabel="first variable", ylim=(0.0, 1.02))
    axes[0, 0].legend(frameon=False, fontsize=8, loc="lower center")
    for axis in axes[:, 0]:
        axis.set_ylabel("68% band covers")
    for axis in list(axes.flat)[len(problems) :]:
        axis.set_visible(False)
    drawing.tight_layout()
    drawing.savefig(path, dpi=80)
    plt.close(drawing)


def write(rows: list[Row], command: str) -> None:
    """Put table and figure into the page."""
    git = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=ROOT, check=True)  # noqa: S607
    lowest = {kind: min(row.lowest for row in rows if row.kind == kind) for kind in dict.fromkeys(r.kind for r in rows)}
    text = "\n".join(
        [
            BEGIN,
            f"`{command}`, {datetime.now(UTC):%Y-%m-%d}, commit {git.stdout.strip()}, {rows[0].toys} toys each:",
            "",
            table(rows),
            "",
            "Lowest 68% coverage in a tenth of the events, by the first variable, over all rows: "
            + ", ".join(f"`{kind}` {value:.0%}" for kind, value in lowest.items())
            + ".",
            END,
        ]
    )
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + text + rest.split(END)[1], encoding="utf-8")
    figure(rows, FIGURE)


def _without_file(words: list[str]) -> list[str]:
    """Return the command without the file that the numbers also went to."""
    if "--json" not in words:
        return words
    at = words.index("--json")
    return words[:at] + words[at + 2 :]


def main(words: list[str] | None = None) -> list[Row]:
    """Run the toys and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toys", type=int, default=24)
    parser.add_argument("--events", type=int, nargs="+", default=[1000, 5000])
    parser.add_argument("--hidden", type=int, nargs="+", default=[16], help="hidden neurons (default 16)")
    parser.add_argument("--problems", nargs="+", choices=EVERY_PROBLEM, default=list(PROBLEMS))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--first", type=int, default=0, help="number of the first toy")
    parser.add_argument("--executor", default="processes", help="serial, processes:N, or a dask cluster")
    parser.add_argument("--quick", action="store_true", help="3 toys of 300 events with 3 neurons")
    parser.add_argument("--json", type=Path, help="also write the numbers here")
    parser.add_argument("--write", action="store_true", help="put table and figure into docs/uncertainty.md")
    given = sys.argv[1:] if words is None else words
    arguments = parser.parse_args(given)
    if arguments.quick:
        arguments.toys, arguments.events, arguments.hidden = 3, [300], [3]
    if arguments.toys < 2:
        parser.error("at least 2 toys are needed")
    toys = [
        Toy(problem, events, hidden, seed, tuple(arguments.kinds))
        for problem in arguments.problems
        for events in arguments.events
        for hidden in arguments.hidden
        for seed in range(arguments.first, arguments.first + arguments.toys)
    ]
    with open_executor(arguments.executor) as executor:
        results = [result for _, result in executor.run(hits, toys, progress="toys", name=str)]
    rows = summary(toys, results)
    print(table(rows))
    if arguments.json:
        arguments.json.write_text(json.dumps([vars(row) for row in rows], indent=1), encoding="utf-8")
    if arguments.write:
        write(rows, " ".join(["tools/coverage", *_without_file(given)]))
    return rows


if __name__ == "__main__":
    main()
