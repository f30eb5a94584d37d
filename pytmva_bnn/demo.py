"""A short demonstration on events made on the spot: a trigger turn-on fitted with error bars."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.factory import Factory
from pytmva_bnn.model import Model, load

OPTIONS = (
    "NeuronType=tanh:TrainingMethod=BFGS:VarTransform=N:NCycles=100:HiddenLayers=16:EstimatorType=CE:"
    "UseRegulator=True:CalculateErrors=True:Hessian=Bias"
)


def efficiency(pt: np.ndarray) -> np.ndarray:
    """Return the true efficiency of the trigger at a transverse momentum in GeV.

    >>> import numpy as np
    >>> efficiency(np.array([25.0]))
    array([0.475])
    """
    return 0.95 / (1.0 + np.exp(-(pt - 25.0) / 3.0))


def train(folder: Path, *, n_events: int = 20_000, seed: int = 1) -> Path:
    """Make events, fit the probability that they pass, and return the weight file; Ctrl-C ends the fit early."""
    rng = np.random.default_rng(seed)
    pt = 10.0 + rng.exponential(15.0, n_events)
    passes = rng.uniform(size=n_events) < efficiency(pt)
    loader = DataLoader(str(folder / "trigger"))
    loader.AddVariable("pt", "p_{T}", "GeV")
    loader.AddSignalTree({"pt": pt[passes]})
    loader.AddBackgroundTree({"pt": pt[~passes]})
    # the rate of passing events matters, so neither class is weighted up or left out
    loader.PrepareTrainingAndTestTree("", "SplitMode=Random:NormMode=None")
    factory = Factory("demo", "!V:AnalysisType=Classification")
    method = factory.BookMethod(loader, "MLP", "TurnOn", OPTIONS)
    path = Path(method.GetWeightFileName())
    factory.TrainAllMethods()
    if method.result.stopped_by == "interrupt":
        raise KeyboardInterrupt(
            f"interrupted after epoch {method.result.n_epochs}: the network so far is written to {path}"
        )
    return path


def table(model: Model) -> str:
    """Return predictions with errors beside the truth."""
    pt = np.array([12.0, 16.0, 20.0, 24.0, 28.0, 32.0, 40.0, 60.0])
    value, lower, upper = model.predict({"pt": pt}, errors=True)
    lines = ["pT [GeV]   fitted efficiency             true"]
    rows = zip(pt, value, lower, upper, efficiency(pt), strict=True)
    lines += [f"{x:8.0f}   {v:.4f} -{low:.4f} +{up:.4f}   {t:9.4f}" for x, v, low, up, t in rows]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Train, write, read back and tell."""
    parser = argparse.ArgumentParser(prog="pytmva-bnn demo", description="Fit a trigger turn-on with error bars.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path("demo_output"), help="where files go")
    folder = parser.parse_args(argv).folder
    path = train(folder)
    model = load(path)
    sys.stdout.write(f"Trained and written: {path}\nRead back: {model}\n\n{table(model)}\n")
    return 0
