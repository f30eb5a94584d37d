"""How often is the truth inside the error band?  Toys with a known probability P(x).

    python coverage_study.py                    # 100 toys of 2000 events
    python coverage_study.py --toys 20 --hmc 5  # fewer; 5 of them with bands by sampling too

In each toy x is drawn from a normal distribution and an event passes with the probability P(x).  Networks are trained
with and without regulators, with the errors of TMVA's matrix and of the posterior's, and at every x of a grid it is
noted whether P(x) is inside the central 68% and 95% bands.
"""

import argparse
import json
import logging
import time
from pathlib import Path

import matplotlib as mpl
import numpy as np
from tqdm import tqdm

import pytmva_bnn as TMVA
from pytmva_bnn.posterior import sample_posterior

mpl.use("Agg")
import matplotlib.pyplot as plt

BFGS = "!H:!V:NeuronType=tanh:TrainingMethod=BFGS:VarTransform=N:TestRate=10:EstimatorType=CE:CalculateErrors=True"
KINDS = {
    "regulators, Hessian=TMVA": "UseRegulator=True:Hessian=TMVA",
    "regulators, Hessian=Posterior": "UseRegulator=True:Hessian=Posterior",
    "no regulators, Hessian=TMVA": "UseRegulator=False:Hessian=TMVA",
    "no regulators, Hessian=Posterior": "UseRegulator=False:Hessian=Posterior",
}
HMC = "regulators, sampled (HMC)"
LEVELS = {"68%": (0.15865525, 0.84134475), "95%": (0.025, 0.975)}
GRID = np.linspace(-3.0, 3.0, 121)
REGIONS = {"centre (x within ±1.5)": np.abs(GRID) < 1.5, "edge (±1.5 to ±2.5)": np.abs(np.abs(GRID) - 2.0) < 0.5}


def truth(x):
    """The probability that is to be found."""
    return 0.5 + 0.4 * np.sin(2.0 * x) * np.exp(-(x**2) / 8.0)


def bands_of_toy(seed, n_events, n_cycles, hidden, with_hmc):
    """Return for each kind of error the quantiles at the grid, (4, points): 68% low and high, 95% low and high."""
    random = np.random.default_rng(seed)
    x = random.normal(size=2 * n_events)
    passed = random.uniform(size=x.size) < truth(x)
    loader = TMVA.DataLoader("toy")
    loader.AddVariable("x")
    loader.AddSignalTree({"x": x[passed]})
    loader.AddBackgroundTree({"x": x[~passed]})
    # the first half of the events trains, the rest is the test set; NormMode=None leaves all weights 1
    n_pass = int(passed[:n_events].sum())
    loader.PrepareTrainingAndTestTree(
        "",
        f"nTrain_Signal={n_pass}:nTrain_Background={n_events - n_pass}:SplitMode=Block:NormMode=None:!V",
    )
    factory = TMVA.Factory("coverage", "!V:Silent:!ModelPersistence:AnalysisType=Classification")
    options = f"{BFGS}:NCycles={n_cycles}:HiddenLayers={hidden}:RandomSeed={seed + 1}"
    methods = {kind: factory.BookMethod(loader, "MLP", kind, f"{options}:{more}") for kind, more in KINDS.items()}
    factory.TrainAllMethods()
    levels = [level for pair in LEVELS.values() for level in pair]
    points = {"x": GRID}
    found = {kind: method.model.predict(points, quantiles=levels).T for kind, method in methods.items()}
    if with_hmc:
        samples = sample_posterior(
            methods["regulators, Hessian=Posterior"],
            hyperparameters="fixed",
            n_samples=250,
            n_chains=2,
            n_warmup=200,
            n_steps=50,
            seed=seed,
        )
        found[HMC] = samples.predict(points, quantiles=levels).T
    return found


def coverage(bands):
    """Return the fraction of the toys in which the truth is inside, {level: (points,)}, of bands (toys, 4, points)."""
    p = truth(GRID)
    return {name: (bands[:, 2 * k] < p) & (p < bands[:, 2 * k + 1]) for k, name in enumerate(LEVELS)}


def summarise(bands):
    """Return coverage with its error, and the width of the 68% band, in each region; points count by their density."""
    density = np.exp(-(GRID**2) / 2.0)
    rows = {}
    for region, inside in REGIONS.items():
        weight = np.where(inside, density, 0.0) / density[inside].sum()
        rows[region] = {}
        for level, hit in coverage(bands).items():
            of_toys = hit @ weight
            rows[region][level] = (float(of_toys.mean()), float(of_toys.std(ddof=1) / np.sqrt(len(of_toys))))
        widths = (bands[:, 1] - bands[:, 0]) @ weight / 2.0
        rows[region]["width"] = float(np.median(widths))
    return rows


def table(summary):
    """Return the summary as a Markdown table."""
    lines = [
        "| errors | toys | region | 68% band covers | 95% band covers | median half width (68%) |",
        "|---|---|---|---|---|---|",
    ]
    for kind, (n_toys, regions) in summary.items():
        for region, row in regions.items():
            cells = " | ".join("{:.1%} ± {:.1%}".format(*row[level]) for level in LEVELS)
            lines.append(f"| {kind} | {n_toys} | {region} | {cells} | {row['width']:.3f} |")
    return "\n".join(lines)


def plot(everything, path):
    """One toy with its bands, and the coverage of the 68% band over x."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    colours = dict(zip([*KINDS, HMC], ("tab:blue", "tab:orange", "tab:green", "tab:purple", "black"), strict=True))
    axes[0].plot(GRID, truth(GRID), "k--", label="truth")
    for kind in ("no regulators, Hessian=TMVA", "regulators, Hessian=Posterior"):
        low, high = everything[kind][0][:2]
        axes[0].fill_between(GRID, low, high, color=colours[kind], alpha=0.4, lw=0, label=kind)
    axes[0].set(xlabel="x", ylabel="P(x)", ylim=(0, 1), title="first toy, 68% bands")
    for kind, bands in everything.items():
        if kind == HMC and len(bands) < 50:
            continue  # too few toys for a curve
        style = "--" if kind.endswith("Posterior") else "-"
        # neighbouring points are averaged to see a line through the fluctuations of the toys
        smooth = np.convolve(coverage(bands)["68%"].mean(axis=0), np.ones(7) / 7, mode="valid")
        axes[1].plot(GRID[3:-3], smooth, style, color=colours[kind], label=kind)
    axes[1].axhline(0.683, color="grey", lw=0.8, ls=":")
    axes[1].set(xlabel="x", ylabel="toys with the truth inside", ylim=(0, 1.02), title="coverage of the 68% band")
    for axis in axes:
        axis.legend(frameon=False, fontsize=8, loc="lower center" if axis is axes[1] else "lower left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=80)
    plt.close(figure)


def main():
    """Run the toys, print the table, save plot and numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toys", type=int, default=100)
    parser.add_argument("--hmc", type=int, default=0, help="toys for which the posterior is sampled too (default 0)")
    parser.add_argument("--events", type=int, default=2000, help="training events of a toy (default 2000)")
    parser.add_argument("--cycles", type=int, default=300)
    parser.add_argument("--hidden", type=int, default=8)
    parser.add_argument("--output", type=Path, default=Path("demo_output/coverage"))
    arguments = parser.parse_args()
    if arguments.toys < 2:
        parser.error("at least 2 toys are needed")
    # a network without regulators often has a singular Hessian; its warning in every toy would hide the rest
    logging.getLogger("pytmva_bnn").setLevel(logging.ERROR)
    started = time.perf_counter()
    collected = {}
    for seed in tqdm(range(arguments.toys), desc="toys", unit="toy"):
        found = bands_of_toy(seed, arguments.events, arguments.cycles, arguments.hidden, seed < arguments.hmc)
        for kind, bands in found.items():
            collected.setdefault(kind, []).append(bands)
    everything = {kind: np.stack(bands) for kind, bands in collected.items()}
    summary = {kind: (len(bands), summarise(bands)) for kind, bands in everything.items() if len(bands) > 1}
    plot(everything, arguments.output / "coverage.png")
    (arguments.output / "coverage.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    print(f"{arguments.toys} toys of {arguments.events} events, {arguments.hidden} hidden neurons")
    print(table(summary))
    print(f"Done in {time.perf_counter() - started:.0f} s; plot and numbers are in {arguments.output}")


if __name__ == "__main__":
    main()
