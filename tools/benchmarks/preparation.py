"""What comes before a training, each step beside one epoch of the training at the same size.

Reading a ROOT file, evaluating expressions, building and splitting the data set, fitting and applying the
transformations of the variables: none of it should take longer than an epoch.  Run it alone with

    PYTHONPATH=tools python -m benchmarks.preparation [--quick] [--numpy]

``--numpy`` prepares without compiled code; the epoch is always that of compiled code on all processors.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pytmva_bnn as TMVA
from benchmarks import measure
from pytmva_bnn.dataset import source_of
from pytmva_bnn.formula import Formula
from pytmva_bnn.methods.mlp.training import Sample, TrainingSettings, initial_network, train
from pytmva_bnn.options import parse_var_transform
from pytmva_bnn.random import TRandom3
from pytmva_bnn.transform import Quantity
from pytmva_bnn.transform.fit_chain import FittedChain, TrainingEvents, fit_chain

SIZES = [(n, k) for n in (5_000, 50_000, 1_000_000) for k in (2, 20)]
"""Numbers of events and variables."""
HIDDEN = {2: 10, 20: 30}
"""Neurons of the hidden layer, by the number of variables."""
CLASSES = ("Signal", "Background")
CHAINS = ("N", "D", "P", "G", "U", "N,D", "G,D", "N,G,P")
SPLITS = ("Random", "Alternate", "Block")
VARIABLES = (
    "{0}", "sqrt({0}*{0} + {1}*{1})", "log(abs({0}) + 1)", "{0}/{1}", "{0} > {1} ? {0} : {1}", "TMath::Abs({0} - {1})",
    "exp(-{0}^2/2)", "2*({0} > 0) + ({1} > 0)", "atan2({0}, {1})", "min({0}, {1})",
)  # fmt: skip
"""Expressions of variables, such as analyses have; the fields are names of columns."""
CUT = "x0 > -3 && abs(x1) < 3"
WEIGHT = "w*(1 + 0.1*(x0 > 0))"
FEW_ENTRIES, MANY_ENTRIES = 8_000, 100_000
"""Entries in a basket: of ROOT's standard buffers of 32 kB, and of larger ones."""

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Row:
    """A step of the preparation: its seconds, and those of an epoch of the training at the same size.

    >>> Row("fit N", 1000, 2, seconds=0.2, epoch=0.1).is_slower
    True
    """

    step: str
    n_events: int
    n_variables: int
    seconds: float
    epoch: float

    @property
    def is_slower(self) -> bool:
        """Whether the step takes longer than the epoch."""
        return self.seconds > self.epoch


def rows(quick: bool = False, fast: str = "1") -> list[Row]:
    """Measure all steps at all sizes; ``quick`` leaves the largest ones out.

    ``fast`` is what PYTMVA_BNN_FAST is for the steps.
    """
    found = []
    for n_events, n_variables in SIZES:
        if not (quick and n_events > 50_000):
            found += _rows_of_size(n_events, n_variables, fast)
    return found


def table(measured: list[Row]) -> str:
    """Return a table in Markdown, a line for each step and a column for each size; **bold** is slower than an epoch."""
    sizes = list(dict.fromkeys((row.n_events, row.n_variables) for row in measured))
    cells = {(row.step, row.n_events, row.n_variables): row for row in measured}
    lines = [["milliseconds", *(f"{n:,} × {k}" for n, k in sizes)]]
    epochs = {(row.n_events, row.n_variables): row.epoch for row in measured}
    lines.append(["one epoch", *(f"{epochs[size] * 1e3:.2f}" for size in sizes)])
    names = dict.fromkeys(row.step for row in measured)
    lines += [[step, *(_cell(cells.get((step, *size))) for size in sizes)] for step in names]
    return measure.table(lines[0], lines[1:])


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    text = f"{row.seconds * 1e3:.2f}"
    return f"**{text}**" if row.is_slower else text


# -- one size


def _rows_of_size(n_events: int, n_variables: int, fast: str) -> list[Row]:
    columns = events_of(n_events, n_variables)
    with measure.mode("1"):
        epoch = epoch_seconds(columns, n_variables)
    found: list[Row] = []
    with measure.mode(fast):
        for step, function in steps(columns, n_variables):
            found.append(Row(step, n_events, n_variables, best(function), epoch))
    return found


def steps(columns: Columns, n_variables: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the steps by name, each with a function that does it."""
    names = [f"x{i}" for i in range(n_variables)]
    with tempfile.TemporaryDirectory() as folder:
        for entries in (FEW_ENTRIES, MANY_ENTRIES):
            path = write_root_file(Path(folder) / f"{entries}.root", columns, entries)
            yield f"ROOT file, baskets of {entries:,}", lambda path=path: read_root_file(path, names)
    yield "expressions, cut and weight", lambda: evaluate(columns, n_variables)
    for split in SPLITS:
        yield f"build and split, {split}", lambda split=split: build(columns, names, split)
    events = training_events(columns, n_variables)
    for definition in CHAINS:
        yield f"fit {definition}", lambda definition=definition: fit(events, definition)
    for definition in CHAINS:
        chain = fit(events, definition)
        yield f"apply {definition}", lambda chain=chain: chain.forward_training(events.variables)


def events_of(n_events: int, n_variables: int) -> Columns:
    """Return correlated columns x0, x1, … with different distributions, and weights w."""
    random = np.random.default_rng(7)
    shared = random.normal(size=n_events)
    columns: Columns = {}
    for i in range(n_variables):
        own = random.normal(size=n_events) if i % 2 == 0 else random.exponential(size=n_events)
        columns[f"x{i}"] = (own + 0.3 * shared).astype(np.float32)
    columns["w"] = random.uniform(0.5, 1.5, n_events).astype(np.float32)
    return columns


def write_root_file(path: Path, columns: Columns, basket: int) -> Path:
    """Write the events to a tree, compressed as ROOT does by default, with so many entries in a basket."""
    import uproot

    with uproot.recreate(path, compression=uproot.ZLIB(1)) as file:
        tree = file.mktree("events", {name: values.dtype for name, values in columns.items()})
        for start in range(0, len(columns["w"]), basket):
            tree.extend({name: values[start : start + basket] for name, values in columns.items()})
    return path


def read_root_file(path: Path, names: list[str]) -> int:
    """Open the file and read the columns and the weights block by block."""
    return sum(block.n_entries for block in source_of(f"{path}:events").blocks([*names, "w"]))


def evaluate(columns: Columns, n_variables: int) -> list[object]:
    """Parse and evaluate as many expressions as there are variables, a cut and a weight."""
    pairs = [(f"x{i}", f"x{(i + 1) % n_variables}") for i in range(n_variables)]
    texts = [text.format(*pair) for text, pair in zip(islice(cycle(VARIABLES), n_variables), pairs, strict=True)]
    return [Formula(text).evaluate(columns) for text in (*texts, CUT, WEIGHT)]


def build(columns: Columns, names: list[str], split: str) -> object:
    """Build the training and test sets of two classes, of half of the events each."""
    half = len(columns["w"]) // 2
    loader = TMVA.DataLoader("dataset")
    for name in names:
        loader.AddVariable(name, "F")
    loader.AddSignalTree({name: values[:half] for name, values in columns.items()})
    loader.AddBackgroundTree({name: values[half:] for name, values in columns.items()})
    loader.SetBackgroundWeightExpression("w")
    loader.PrepareTrainingAndTestTree("", f"SplitMode={split}:NormMode=EqualNumEvents:!V")
    return loader.dataset


def training_events(columns: Columns, n_variables: int) -> TrainingEvents:
    """Return all events as training events of two classes in turn."""
    x = np.stack([columns[f"x{i}"] for i in range(n_variables)], axis=1)
    return TrainingEvents(x, np.arange(len(x)) % len(CLASSES), columns["w"].astype(np.float64))


def fit(events: TrainingEvents, definition: str) -> FittedChain:
    """Fit a chain of transformations."""
    quantities = [Quantity("Variable", f"x{i}", f"x{i}") for i in range(events.variables.shape[1])]
    return fit_chain(parse_var_transform(definition), events, class_names=CLASSES, variables=quantities)


# -- measuring


def best(function: Callable[[], object], least: float = 0.5, most: int = 50) -> float:
    """Return the seconds of the best of several calls, after one that does not count.

    It is called for ``least`` seconds, three times at least and ``most`` times at most.
    """
    function()
    seconds: list[float] = []
    while len(seconds) < 3 or (sum(seconds) < least and len(seconds) < most):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def epoch_seconds(columns: Columns, n_variables: int) -> float:
    """Return the seconds of an epoch of BFGS with regulators: all of a training divided by its epochs."""
    x = np.tanh(np.stack([columns[f"x{i}"] for i in range(n_variables)], axis=1))
    sample = Sample.of(x, (np.sin(3 * x[:, 0]) > 0.3 * x[:, 1]).astype(float), columns["w"])
    few = len(x) * n_variables > 1_000_000
    settings = TrainingSettings(n_cycles=10 if few else 40, use_regulator=True)
    start = initial_network([n_variables, HIDDEN[n_variables], 1], TRandom3(1))

    def one() -> float:
        began = time.perf_counter()
        result = train(start, sample, sample, settings)
        return (time.perf_counter() - began) / result.n_epochs

    if few:
        return one()
    one()
    return min(one() for _ in range(3))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="leave the largest sizes out")
    parser.add_argument("--numpy", action="store_true", help="prepare without compiled code")
    arguments = parser.parse_args()
    measured = rows(arguments.quick, "0" if arguments.numpy else "1")
    print(table(measured))
    slower = [row for row in measured if row.is_slower]
    print(f"\n{len(slower)} of {len(measured)} steps take longer than an epoch")
    for row in slower:
        print(
            f"  {row.step}, {row.n_events:,} events, {row.n_variables} variables: {row.seconds / row.epoch:.1f} epochs"
        )


if __name__ == "__main__":
    main()
