"""What ``pytmva-bnn train`` reaches with its own defaults, beside methods tuned by hand, on four toy problems.

It fails if the ROC integral is more than 0.005 below that of the best of them, with any seed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main as command
from pytmva_bnn.evaluation import roc_curve

LARGEST_LOSS = 0.005
Columns = dict[str, np.ndarray]


def linear(rng: np.random.Generator, n: int, signal: bool) -> Columns:
    """Return correlated Gaussians of different means: a linear method is the best there is."""
    covariance = [[1.0, 0.6, 0.3, 0.0], [0.6, 1.0, 0.2, 0.1], [0.3, 0.2, 1.0, 0.0], [0.0, 0.1, 0.0, 1.0]]
    x = rng.multivariate_normal(np.array([0.6, -0.3, 0.5, 0.1]) * signal, covariance, n)
    return {f"x{k}": x[:, k] for k in range(4)}


def ring(rng: np.random.Generator, n: int, signal: bool) -> Columns:
    """Return a ring on a disk, and two variables that differ in their correlation only."""
    a = rng.normal(size=n)
    b = (0.6 if signal else -0.6) * a + 0.8 * rng.normal(size=n)
    return {**_ring(rng, n, signal), "x2": a, "x3": b}


def edges(rng: np.random.Generator, n: int, signal: bool) -> Columns:
    """Return a ring on a disk, and two variables of which only the signs together tell something: made for trees."""
    a, b = rng.normal(size=n), np.abs(rng.normal(size=n))
    b *= np.sign(a) * (1 if signal else -1) * np.where(rng.uniform(size=n) < 0.75, 1, -1)
    return {**_ring(rng, n, signal), "x2": a, "x3": b}


def _ring(rng: np.random.Generator, n: int, signal: bool) -> Columns:
    angle, radius = rng.uniform(0.0, 2.0 * np.pi, n), rng.normal(*((2.0, 0.6) if signal else (1.2, 1.0)), n)
    return {"x0": radius * np.cos(angle), "x1": radius * np.sin(angle)}


def skewed(rng: np.random.Generator, n: int, signal: bool) -> Columns:
    """Return variables with tails, of very different scales, that tell little."""
    return {
        "x0": 1e-3 * rng.lognormal(0.25 * signal, 1.2, n),
        "x1": 1e4 * rng.exponential(1.0 + 0.25 * signal, n),
        "x2": 50.0 * rng.gamma(1.5 + 0.2 * signal, 1.0, n),
        "x3": rng.poisson(2.0 + 0.3 * signal, n).astype(float),
        "x4": 1e6 * rng.pareto(2.5 - 0.2 * signal, n),
    }


TOYS: dict[str, Callable[[np.random.Generator, int, bool], Columns]] = {
    "linear": linear,
    "ring": ring,
    "skewed": skewed,
    "edges": edges,
}
BY_HAND = {
    "MLP": ("MLP", "VarTransform=N:NeuronType=tanh:HiddenLayers=N+8:NCycles=500:TrainingMethod=BFGS"),
    "BDT, AdaBoost": ("BDT", "NTrees=400:MaxDepth=3:BoostType=AdaBoost:AdaBoostBeta=0.3:MinNodeSize=2.5%:nCuts=40"),
    "BDT, Grad": ("BDT", "NTrees=300:MaxDepth=3:BoostType=Grad:Shrinkage=0.08:UseBaggedBoost:nCuts=60"),
    "Fisher": ("Fisher", "VarTransform=G,D"),
    "Likelihood": ("Likelihood", "VarTransform=G,D"),
}


def by_hand(events: Path) -> dict[str, float]:
    """Return the ROC integrals of the methods tuned by hand."""
    loader = TMVA.DataLoader("dataset")
    for name in _variables(events):
        loader.AddVariable(name)
    loader.AddSignalTree(f"{events}:s")
    loader.AddBackgroundTree(f"{events}:b")
    factory = TMVA.Factory("toy", "Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    methods = {title: factory.BookMethod(loader, kind, title, text) for title, (kind, text) in BY_HAND.items()}
    factory.TrainAllMethods()
    return {title: method.evaluate().roc_integral for title, method in methods.items()}


def by_command(events: Path, folder: Path, *more: str) -> tuple[float, str]:
    """Return the ROC integral of the command's method, and what the command says about its choice."""
    trees = ["--signal", f"{events}:s", "--background", f"{events}:b"]
    variables = [word for name in _variables(events) for word in ("-v", name)]
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        code = command(["train", *trees, *variables, *more, "-o", str(folder)])
    if code:
        raise RuntimeError(f"pytmva-bnn train ended with {code}")
    with uproot.open(folder / "TMVA.root") as file:
        found = file["dataset/TestTree"].arrays(["classID", "weight", "MLP"], library="np")
    choice = next((line for line in said.getvalue().splitlines() if "evidence" in line), "")
    return roc_curve(found["MLP"], found["classID"] == 0, found["weight"]).auc, choice


def _variables(events: Path) -> list[str]:
    with uproot.open(f"{events}:s") as tree:
        return [str(name) for name in tree.keys()]  # noqa: SIM118 - no mapping


class Row(NamedTuple):
    """ROC integrals: the best by hand, those of the command with its own and with TMVA's defaults."""

    by_hand: float
    own: float
    tmva: float

    @property
    def loss(self) -> float:
        """Return how much is lost against the best by hand."""
        return self.by_hand - self.own


def row_of(toy: str, seed: int, n_events: int) -> Row:
    """Return what is reached on one sample, and print it."""
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        events = Path(name) / "toy.root"
        with uproot.recreate(events) as file:
            for tree, signal in (("s", True), ("b", False)):
                file[tree] = TOYS[toy](rng, n_events, signal)
        found = by_hand(events)
        tmva, _ = by_command(events, Path(name) / "tmva", "--tmva-defaults")
        own, choice = by_command(events, Path(name) / "own")
    print(f"{toy}, seed {seed}: " + ", ".join(f"{title} {value:.4f}" for title, value in found.items()))
    print(f"  train {own:.4f}, train --tmva-defaults {tmva:.4f}; {choice}", flush=True)
    return Row(max(found.values()), own, tmva)


def main() -> int:
    """Print the table; 1 if the defaults lose too much."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=4000, help="events of each class, half of them for the training")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="one sample of each toy for each")
    arguments = parser.parse_args()
    logging.getLogger("pytmva_bnn").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    rows: dict[str, list[Row]] = {toy: [] for toy in TOYS}
    for seed in arguments.seeds:
        for toy in TOYS:
            rows[toy].append(row_of(toy, seed, arguments.events))
    print(f"{'mean of ' + str(len(arguments.seeds)):10} {'by hand':>8} {'train':>8} {'TMVA':>8} {'largest loss':>13}")
    for toy, found in rows.items():
        means = " ".join(
            f"{np.mean([getattr(row, name) for row in found]):8.4f}" for name in ("by_hand", "own", "tmva")
        )
        print(f"{toy:10} {means} {max(row.loss for row in found):13.4f}")
    loss = max(row.loss for found in rows.values() for row in found)
    print(f"largest loss against the best by hand: {loss:.4f} (at most {LARGEST_LOSS})")
    return int(loss > LARGEST_LOSS)


if __name__ == "__main__":
    sys.exit(main())
