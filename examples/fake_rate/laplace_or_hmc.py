"""The error bands of the fake rate by formula and by sampling.

    python laplace_or_hmc.py                  # 10,000 muons, 4 chains of 300 draws: minutes
    python laplace_or_hmc.py --muons 2000 --samples 100

The error bars of a weight file take the posterior of the network's weights for a Gaussian around the trained weights
(Laplace approximation).  Hamiltonian Monte Carlo draws from the posterior itself and shows how good that is: with the
regulators as the training found them, and with regulators that are unknown too.
"""

import argparse
import json
import time
from pathlib import Path

import fake_rate as example
import numpy as np

from pytmva_bnn.posterior import sample_posterior

SLICES = (12.0, 25.0)
STYLES = {"TMVA": ("tab:blue", "Hessian=TMVA"), "Posterior": ("tab:orange", "Hessian=Posterior")}


def plot(models, samples, path):
    """The 68% bands over HT at two values of pT."""
    plt = example.plt
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
    ht = np.linspace(30.0, 300.0, 109)
    for axis, pt in zip(axes, SLICES, strict=True):
        points = {"pt": np.full(ht.size, pt), "ht": ht}
        for name, (colour, label) in STYLES.items():
            found = models[name].predict(points, errors=True)
            axis.fill_between(ht, found.low, found.high, color=colour, alpha=0.35, lw=0, label=label)
        axis.plot(ht, found.value, color="tab:orange", lw=1)
        found = samples.predict(points, errors=True)
        axis.plot(ht, found.value, "k", lw=1, label="sampled (HMC): mean and 68% band")
        axis.plot(ht, np.stack([found.low, found.high], axis=1), "k:", lw=1)
        axis.set(xlabel=example.HT[0], title=rf"$p_\mathrm{{T}}$ = {pt:.0f} GeV")
    axes[0].set(ylabel=r"$P(\mathrm{isol}\,|\,p_\mathrm{T}, H_\mathrm{T})$", ylim=(0, 1))
    axes[1].legend(frameon=False, fontsize=9)
    return example.save(figure, path)


def main():
    """Train, sample, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--muons", type=int, default=10_000, help="training muons (default 10000)")
    parser.add_argument("--cycles", type=int, default=300, help="training cycles (default 300)")
    parser.add_argument("--samples", type=int, default=300, help="draws of each chain (default 300)")
    parser.add_argument("--warmup", type=int, default=300, help="paths before the first draw (default 300)")
    parser.add_argument("--chains", type=int, default=4)
    parser.add_argument("--steps", type=int, default=100, help="leapfrog steps of a path (default 100)")
    parser.add_argument("--output", type=Path, default=Path("demo_output/laplace_or_hmc"))
    arguments = parser.parse_args()
    pairs = example.read("dimuon_ss")
    methods = {
        hessian: example.train(
            "single_muon",
            ["pt", "ht"],
            arguments.output / hessian,
            arguments.muons,
            arguments.cycles,
            options=f"{example.OPTIONS}:Hessian={hessian}",
        )
        for hessian in STYLES
    }
    models = {name: method.model for name, method in methods.items()}
    started = time.perf_counter()
    fixed, samples = (
        sample_posterior(
            methods["Posterior"],
            hyperparameters=hyperparameters,
            n_samples=arguments.samples,
            n_chains=arguments.chains,
            n_warmup=arguments.warmup,
            n_steps=arguments.steps,
            progress=True,
        )
        for hyperparameters in ("fixed", "sampled")
    )
    seconds = time.perf_counter() - started
    some = {name: column[::100] for name, column in pairs.items()}
    diagnostics = samples.diagnostics(some)
    reference = samples.predict(some, errors=True)
    sampled = (reference.lower + reference.upper) / 2
    precise = sampled / reference.value < 0.3

    lines = [
        "| errors | isolated muons in the pairs | median σ / σ(sampled) | the same, σ(sampled)/P < 30% | others |",
        "|---|---|---|---|---|",
    ]
    summary = {}
    compared = {f"Hessian={name}": model for name, model in models.items()}
    for name, predicting in {**compared, "sampled (HMC), regulators fixed": fixed}.items():
        found = predicting.predict(some, errors=True)
        ratio = (found.lower + found.upper) / 2 / sampled
        total, error = predicting.predict_sum(pairs)
        medians = [float(np.median(ratio[chosen])) for chosen in (slice(None), precise, ~precise)]
        summary[name] = {"sum": (total, error), "median_ratios": medians}
        cells = " | ".join(f"{value:.2f}" for value in medians)
        lines.append(f"| {name} | {total:.0f} ± {error:.0f} | {cells} |")
    total, error = samples.predict_sum(pairs)
    summary["HMC"] = {
        "sum": (total, error),
        "r_hat": float(diagnostics.r_hat.max()),
        "ess": float(diagnostics.ess.min()),
    }
    lines.append(f"| sampled (HMC) | {total:.0f} ± {error:.0f} | | | |")
    print(f"twice {arguments.chains} chains of {arguments.samples} draws in {seconds:.0f} s")
    print(samples)
    print(
        "regulators of the training: " + ", ".join(f"{alpha:.4g}" for alpha in methods["Posterior"].evidence.regulators)
    )
    print(
        f"of the predictions for {len(sampled)} muons: R-hat at most {diagnostics.r_hat.max():.3f} (median "
        f"{np.median(diagnostics.r_hat):.3f}), effective sample size at least {diagnostics.ess.min():.0f} (median "
        f"{np.median(diagnostics.ess):.0f})"
    )
    print(
        f"of the weights: R-hat at most {samples.r_hat.max():.2f}, effective sample size at least "
        f"{samples.ess.min():.0f}: hidden neurons change places"
    )
    print("\n".join(lines))
    print(f"observed: {pairs['isol'].sum()}; {precise.mean():.0%} of the muons have σ(sampled)/P < 30%")
    print(plot(models, samples, arguments.output / "laplace_or_hmc"))
    (arguments.output / "summary.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
