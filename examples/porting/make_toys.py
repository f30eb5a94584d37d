"""Make the small ROOT files that the porting examples run on.

    python make_toys.py [FOLDER] [--events 600]

The files have the layout of the well-known tutorial files, and a few runs of an analysis for chains of files:

* tmva_class_example.root: TreeS and TreeB with var1 to var4 and weight
* tmva_reg_example.root: TreeR with var1, var2 and fvalue
* tmva_multiclass_example.root: TreeS, TreeB0, TreeB1 and TreeB2 with var1 to var4
* runs/run_1.root to run_3.root: events with pt, eta, met, njets, isSignal, genWeight and eventNumber
"""

import argparse
from pathlib import Path

import numpy as np
import uproot

VARIABLES = ("var1", "var2", "var3", "var4")


def write_trees(path: Path, trees: dict[str, dict[str, np.ndarray]]) -> None:
    """Write a file with one TTree for each set of columns."""
    with uproot.recreate(path) as file:
        for name, columns in trees.items():
            tree = file.mktree(name, {column: values.dtype for column, values in columns.items()}, title=name)
            tree.extend(columns)


def correlated(rng: np.random.Generator, n: int, mean: float) -> dict[str, np.ndarray]:
    """Return four correlated variables (n,) each, which move with ``mean``."""
    common = rng.normal(0.0, 1.0, n)
    shifts = (0.3, 0.6, 0.9, 1.2)
    return {
        name: (0.5 * common + rng.normal(mean * shift, 1.0, n)).astype(np.float32)
        for name, shift in zip(VARIABLES, shifts, strict=True)
    }


def classification(rng: np.random.Generator, n: int) -> dict[str, dict[str, np.ndarray]]:
    """Return signal and background; only the background has weights that differ from 1."""
    signal = correlated(rng, n, 0.8) | {"weight": np.ones(n, np.float32)}
    background = correlated(rng, n, -0.8) | {"weight": rng.uniform(0.2, 1.2, n).astype(np.float32)}
    return {"TreeS": signal, "TreeB": background}


def regression(rng: np.random.Generator, n: int) -> dict[str, dict[str, np.ndarray]]:
    """Return points of a curved surface with a little noise."""
    var1, var2 = rng.uniform(0.0, 5.0, n), rng.uniform(0.0, 5.0, n)
    value = 3.0 * var1**2 + 2.0 * var1 * var2 + rng.normal(0.0, 0.5, n) + 2.0
    columns = {"var1": var1, "var2": var2, "fvalue": value}
    return {"TreeR": {name: values.astype(np.float32) for name, values in columns.items()}}


def multiclass(rng: np.random.Generator, n: int) -> dict[str, dict[str, np.ndarray]]:
    """Return four classes, each with another one of the variables shifted."""
    trees = {}
    for shifted, name in enumerate(("TreeS", "TreeB0", "TreeB1", "TreeB2")):
        columns = correlated(rng, n, 0.0)
        columns[VARIABLES[shifted]] += np.float32(2.0)
        trees[name] = columns
    return trees


def events(rng: np.random.Generator, n: int, first_event: int) -> dict[str, np.ndarray]:
    """Return one run of an analysis: signal and background together, to be told apart by a cut."""
    is_signal = rng.integers(0, 2, n)
    return {
        "pt": rng.gamma(2.0 + is_signal, 20.0, n).astype(np.float32),
        "eta": rng.normal(0.0, 1.5 - 0.4 * is_signal, n).astype(np.float32),
        "met": rng.exponential(30.0 + 15.0 * is_signal, n),
        "njets": rng.poisson(2 + is_signal).astype(np.int32),
        "isSignal": is_signal.astype(np.int32),
        "genWeight": rng.uniform(0.5, 1.5, n).astype(np.float32),
        "eventNumber": np.arange(first_event, first_event + n, dtype=np.int64),
    }


def make_toys(folder: str | Path = ".", n_events: int = 600, seed: int = 1) -> list[Path]:
    """Write all files to a folder and return their paths; the same seed gives the same events."""
    folder = Path(folder)
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    contents = {
        "tmva_class_example.root": classification(rng, n_events),
        "tmva_reg_example.root": regression(rng, n_events),
        "tmva_multiclass_example.root": multiclass(rng, n_events),
    }
    for run in (1, 2, 3):
        contents[f"runs/run_{run}.root"] = {"events": events(rng, n_events, 1_000_000 * run)}
    for name, trees in contents.items():
        write_trees(folder / name, trees)
    return [folder / name for name in contents]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=".", type=Path)
    parser.add_argument("--events", type=int, default=600, help="events of each tree")
    arguments = parser.parse_args()
    for path in make_toys(arguments.folder, arguments.events):
        print(path)


if __name__ == "__main__":
    main()
