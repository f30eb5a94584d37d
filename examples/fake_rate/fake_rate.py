"""How often is a muon from a heavy quark taken for an isolated one?  A probability fit with error bars.

    python fake_rate.py            # the study as published: 50,000 muons, 300 cycles, with and without underlying event
    python fake_rate.py --short    # 30,000 muons, without underlying event: seconds

Muons from decays of b and c quarks lie in jets, and an isolation cut removes most of them.  Some pass, and it is these
that one wants to know in a search with isolated muons.  Their rate is measured where there is nothing else, in events
with one muon, and applied where one searches, in events with two muons of the same charge.  The average rates of the
two samples differ by almost a factor of two, since the rate depends on the kinematics.  So the rate is fitted as a
function P(isol | pT, HT) by a Bayesian neural network, and the number of isolated muons among the pairs is the sum of
P over them.  Here both samples are simulated, so that the prediction can be compared with what is there.

After Zhong, Huang and Lee, "A program for the Bayesian Neural Network in the ROOT framework", section 4.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
import uproot
from scipy.ndimage import gaussian_filter

import pytmva_bnn as TMVA
from pytmva_bnn.yields import PredictedSums

mpl.use("Agg")
import matplotlib.pyplot as plt

DATA = Path(__file__).resolve().parent / "data"
OPTIONS = (
    "!H:!V:NeuronType=tanh:TrainingMethod=BFGS:VarTransform=N:HiddenLayers=10:TestRate=10:"
    "EstimatorType=CE:UseRegulator=True:CalculateErrors=True"
)
# what ROOT 6.40's TMVA finds with the same events and options: predicted, error by the network's parameters
TMVA_FINDS = {"dimuon_ss": (6345.0, 56.5), "dimuon_ss_ue": (8416.9, 61.8)}
# entries of single_muon.root from here on are used neither in training nor in the test
UNUSED_FROM = 80_000


# -- the pieces --------------------------------------------------------------------------------------------------


def read(name, first=0, last=None):
    """Return the muons of a data file as a dict of arrays: pt and ht in GeV, eta, isol."""
    with uproot.open(DATA / f"{name}.root") as file:
        return file["muons"].arrays(["pt", "ht", "eta", "isol"], entry_start=first, entry_stop=last, library="np")


def train(name, variables, folder, n_train=50_000, n_cycles=300, n_test=10_000, options=OPTIONS):
    """Fit P(isol | variables) to the first muons of a file: those that pass the isolation cut are the signal."""
    n_pass = int(read(name, last=n_train)["isol"].sum())
    loader = TMVA.DataLoader(str(folder / f"{name}_{'_'.join(variables)}"))
    for variable in variables:
        loader.AddVariable(variable)
    loader.AddSignalTree(f"{DATA / name}.root:muons")
    loader.AddBackgroundTree(f"{DATA / name}.root:muons")
    loader.PrepareTrainingAndTestTree(
        "isol == 1",
        "isol == 0",
        f"nTrain_Signal={n_pass}:nTrain_Background={n_train - n_pass}:"
        f"nTest_Signal={n_test}:nTest_Background={n_test}:SplitMode=Block:NormMode=None:!V",
    )
    factory = TMVA.Factory("fake_rate", "!V:Silent:AnalysisType=Classification")
    method = factory.BookMethod(loader, TMVA.Types.kMLP, "BNN", f"{options}:NCycles={n_cycles}")
    factory.TrainAllMethods()
    return method


@dataclass(frozen=True)
class Closure:
    """How many isolated muons are predicted for a sample, and how many there are."""

    sample: str
    n_muons: int
    predicted: float
    by_weights: float  # error by the network's parameters, correlations between muons included
    by_counting: float  # fluctuation of the number of muons that pass, if each passes with its probability
    observed: int

    @property
    def pull(self):
        """Observed minus predicted, in units of both errors."""
        return (self.observed - self.predicted) / np.hypot(self.by_weights, self.by_counting)

    def __str__(self):
        return (
            f"{self.sample:<34}{self.n_muons:>8}{self.predicted:>16.1f} ± {self.by_weights:5.1f} ± "
            f"{self.by_counting:5.1f}{self.observed:>10}{self.predicted / self.n_muons:>10.1%}"
            f"{self.observed / self.n_muons:>9.1%}{self.pull:>+8.1f}"
        )


CLOSURE_HEAD = (
    f"{'sample':<34}{'muons':>8}{'predicted ± weights ± counting':>32}{'observed':>10}"
    f"{'predicted':>10}{'observed':>9}{'pull':>8}"
)


def closure(title, model, muons):
    """Compare prediction and observation."""
    p = model.predict(muons)
    predicted, error = model.predict_sum(muons)
    counting = np.sqrt(np.sum(p * (1.0 - p)))
    return Closure(title, len(p), predicted, error, float(counting), int(muons["isol"].sum()))


# -- the figures -------------------------------------------------------------------------------------------------

PT = (r"muon $p_\mathrm{T}$ [GeV]", "pt", np.linspace(10, 50, 41))
HT = (r"$H_\mathrm{T}$ [GeV]", "ht", np.linspace(0, 400, 41))


def save(figure, path, formats=("png",)):
    """Save a figure in all formats and return the path of the first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for suffix in formats:
        figure.savefig(path.with_suffix(f".{suffix}"), dpi=150)
    plt.close(figure)
    return path.with_suffix(f".{formats[0]}")


def plot_kinematics(single, pairs, path, formats=("png",)):
    """The distributions of pT and HT in both samples."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    for axis, (label, name, bins) in zip(axes, (PT, HT), strict=True):
        density, _ = np.histogram(single[name], bins, density=True)
        axis.stairs(density, bins, color="black", label="single muon")
        density, _ = np.histogram(pairs[name], bins, density=True)
        axis.plot((bins[1:] + bins[:-1]) / 2, density, "o", mfc="none", ms=4, color="tab:red", label="same-charge pair")
        axis.set(xlabel=label, ylabel="probability density [1/GeV]")
        axis.legend(frameon=False)
    axes[0].set_yscale("log")
    return save(figure, path, formats)


def plot_map(model, single, path, formats=("png",)):
    """P(isol | pT, HT) and its error over the plane, with the region that holds 98% of the training muons."""
    pt, ht = np.meshgrid(np.linspace(10, 50, 81), np.linspace(20, 400, 96))
    value, lower, upper = model.predict({"pt": pt.ravel(), "ht": ht.ravel()}, errors=True)
    counts, x, y = np.histogram2d(single["pt"], single["ht"], bins=(np.linspace(8, 50, 22), np.linspace(0, 400, 21)))
    counts = gaussian_filter(counts, 0.8)
    ordered = np.sort(counts.ravel())[::-1]
    level = ordered[np.searchsorted(np.cumsum(ordered), 0.98 * counts.sum())]
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for axis, values, label, limits, colours in (
        (axes[0], value, r"$P(\mathrm{isol}\,|\,p_\mathrm{T}, H_\mathrm{T})$", (0, 1), "viridis"),
        (axes[1], (lower + upper) / 2, r"error $\sigma$ of $P$", (0, None), "magma_r"),
    ):
        mesh = axis.pcolormesh(pt, ht, values.reshape(pt.shape), vmin=limits[0], vmax=limits[1], cmap=colours)
        colour = "white" if axis is axes[0] else "tab:blue"
        axis.contour((x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2, counts.T, [level], colors=colour, linestyles="--")
        axis.plot([], [], "--", color=colour, label="98% of the single muons")
        axis.legend(loc="lower right", facecolor="grey", labelcolor="white", framealpha=0.8)
        axis.set(xlabel=PT[0], ylabel=HT[0])
        figure.colorbar(mesh, ax=axis, label=label)
    return save(figure, path, formats)


def plot_closure(model, muons, path, title, formats=("png",)):
    """Predicted and observed rate of the muons in bins of pT and HT."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained", sharey=True)
    for axis, (label, name, bins) in zip(axes, (PT, HT), strict=True):
        edges = bins[::4]
        sums = model.predict_sum(muons, by=name, bins=edges)
        observed, _ = np.histogram(muons[name][muons["isol"] == 1], edges)
        for low, high, total, error, passed, n in zip(
            *(edges[:-1], edges[1:], *sums, observed, sums.n_events), strict=True
        ):
            if n < 10:
                continue
            rate = passed / n
            first = len(axis.lines) == 0
            axis.fill_between([low, high], (total - error) / n, (total + error) / n, color="tab:blue", alpha=0.4, lw=0)
            axis.plot([low, high], [total / n] * 2, color="tab:blue", label="predicted (network)" if first else None)
            bar = np.sqrt(rate * (1 - rate) / n)
            axis.errorbar((low + high) / 2, rate, bar, fmt="ko", ms=4, label="observed" if first else None)
        axis.set_xlabel(label)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel("fraction of isolated muons")
    axes[1].legend(frameon=False)
    figure.suptitle(title)
    return save(figure, path, formats)


@dataclass(frozen=True)
class Yields:
    """Isolated muons in bins: predicted, with correlated errors, and observed."""

    predicted: PredictedSums
    by_counting: np.ndarray
    observed: np.ndarray

    @property
    def chi2(self):
        """The sum of squared pulls with all correlations between the bins."""
        return self.predicted.chi2(self.observed, self.by_counting**2)

    @property
    def chi2_alone(self):
        """The same if the errors of the bins were independent."""
        variances = self.predicted.errors**2 + self.by_counting**2
        return float(np.sum((self.observed - self.predicted.values) ** 2 / variances))

    def __str__(self):
        head = f"{self.predicted.by + ' [GeV]':<12}{'muons':>8}{'predicted ± weights ± counting':>32}{'observed':>10}"
        rows = zip(self.predicted.rows(), self.by_counting, self.observed, strict=True)
        lines = [
            f"{label:<12}{n:>8}{value:>16.1f} ± {error:5.1f} ± {counting:5.1f}{observed:>10.0f}"
            for (label, value, error, n), counting, observed in rows
        ]
        total, error = self.predicted.total
        quadrature = float(np.sqrt((self.predicted.errors**2).sum()))
        return "\n  ".join(
            [
                head,
                *lines,
                f"all bins: {total:.1f} ± {error:.1f}; errors added in quadrature would give ± {quadrature:.1f}",
                f"chi2 of {len(self.observed)} bins: {self.chi2:.1f}; without correlations {self.chi2_alone:.1f}",
            ]
        )


def yields(model, muons, name="pt", edges=(10, 12, 14, 16, 18, 20, 25, 30, 40, 60)):
    """Return the isolated muons in bins of a variable, predicted and observed."""
    p = model.predict(muons)
    counting = np.sqrt(np.histogram(muons[name], edges, weights=p * (1.0 - p))[0])
    observed, _ = np.histogram(muons[name][muons["isol"] == 1], edges)
    return Yields(model.predict_sum(muons, by=name, bins=edges), counting, observed)


def plot_yields(found, label, path, formats=("png",)):
    """Predicted and observed muons in bins, and how the errors of the bins are correlated."""
    labels = {"xlabel": label, "ylabel": "isolated muons"}
    figure = TMVA.plots.predicted_sums(found.predicted, found.observed, log=True, **labels)
    return save(figure, path, formats)


def plot_training(method, path, formats=("png",)):
    """The estimator of training and test events by epoch."""
    history = method.result.history
    figure, axis = plt.subplots(figsize=(5, 3.6), layout="constrained")
    axis.plot(history.epochs, history.training, label="training (38% isolated)")
    axis.plot(history.epochs, history.test, "--", label="test (50% isolated)")
    axis.set(xlabel="epoch", ylabel="estimator (twice the mean cross entropy)")
    axis.legend(frameon=False)
    return save(figure, path, formats)


# -- the study ---------------------------------------------------------------------------------------------------


def show_training(method):
    """Print how a training went."""
    result = method.result
    print(
        f"  trained {result.n_epochs} epochs on {len(method.trained.training)} muons in "
        f"{method.GetTrainTime():.1f} s; estimator {result.training_estimator:.5f}; effective parameters "
        f"{method.evidence.n_effective:.1f} of {result.network.n_weights}; "
        f"log evidence {method.evidence.log_evidence:.1f}"
    )
    names = [variable.expression for variable in method.model.variables]
    regulators = zip(names, method.evidence.regulators, strict=False)
    print(f"  regulators of the inputs: {', '.join(f'{name} {value:.2g}' for name, value in regulators)}")


def without_underlying_event(folder, n_train, n_cycles, options=OPTIONS):
    """Measure the rate in single muons and predict the pairs; return the closures."""
    pairs = read("dimuon_ss")
    single, unused = read("single_muon", last=n_train), read("single_muon", first=UNUSED_FROM)

    print("1. The average rates of the two samples do not agree")
    for title, muons in (("single muons", single), ("muons of same-charge pairs", pairs)):
        rate, n = muons["isol"].mean(), len(muons["isol"])
        print(f"  {title:<28}{rate:7.2%} ± {np.sqrt(rate * (1 - rate) / n):.2%}  of {n}")

    print("2. A network is trained on the single muons: P(isol | pT, HT)")
    method = train("single_muon", ["pt", "ht"], folder, n_train, n_cycles, options=options)
    show_training(method)
    print(f"  weight file written: {method.weight_file}")

    print("3. The weight file is read back")
    model = TMVA.load(method.weight_file)
    print(f"  {model}")
    some = {name: column[:5] for name, column in pairs.items()}
    value, lower, upper = model.predict(some, errors=True)
    print("  the first muons of the pairs:   pT [GeV]   HT [GeV]   P(isol)            isolated?")
    for row in zip(some["pt"], some["ht"], value, lower, upper, some["isol"], strict=True):
        print("  {:>40.1f}{:>11.1f}   {:.3f} -{:.3f} +{:.3f}   {}".format(*row[:5], "yes" if row[5] else "no"))

    print("4. Closure: isolated muons predicted and observed")
    found = [
        closure("single muons not used before", model, unused),
        closure("same-charge pairs", model, pairs),
    ]
    print(f"  {CLOSURE_HEAD}")
    for one in found:
        print(f"  {one}")
    if (n_train, n_cycles) == (50_000, 300):
        print("  TMVA predicts {:.1f} ± {:.1f} for the pairs".format(*TMVA_FINDS["dimuon_ss"]))

    print("5. The same in bins of pT: their errors are correlated")
    in_bins = yields(model, pairs)
    print(f"  {in_bins}")

    print("6. Figures")
    for path in (
        plot_kinematics(single, pairs, folder / "kinematics"),
        plot_training(method, folder / "training"),
        plot_map(model, single, folder / "map"),
        plot_closure(model, pairs, folder / "closure", "same-charge pairs"),
        plot_yields(in_bins, PT[0], folder / "yields"),
    ):
        print(f"  {path}")
    return found


def with_underlying_event(folder, n_train, n_cycles, options=OPTIONS):
    """The same where it goes wrong, and the attempt to mend it with a further variable; return the closures."""
    pairs = read("dimuon_ss_ue")
    print("7. A warning: the same with underlying event, and with the variable eta added")
    found = []
    for variables in (["pt", "ht"], ["pt", "ht", "eta"]):
        method = train("single_muon_ue", variables, folder, n_train, n_cycles, options=options)
        print(f"  variables {', '.join(variables)}:")
        show_training(method)
        found.append(closure(f"pairs with UE, by {', '.join(variables)}", method.model, pairs))
        if len(variables) == 2:
            print(
                f"  {plot_closure(method.model, pairs, folder / 'closure_ue', 'same-charge pairs, underlying event')}"
            )
    print(f"  {CLOSURE_HEAD}")
    for one in found:
        print(f"  {one}")
    if (n_train, n_cycles) == (50_000, 300):
        print("  TMVA predicts {:.1f} ± {:.1f} by pt, ht".format(*TMVA_FINDS["dimuon_ss_ue"]))
    return found


def main():
    """Run the study and print its numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="30,000 muons, without underlying event")
    parser.add_argument("--muons", type=int, help="training muons (default 50000)")
    parser.add_argument("--cycles", type=int, default=300, help="training cycles (default 300)")
    parser.add_argument("--hessian", default="TMVA", help="kind of error bars, e.g. Bias (default TMVA)")
    parser.add_argument("--output", type=Path, default=Path("demo_output/fake_rate"), help="folder for all files")
    arguments = parser.parse_args()
    started = time.perf_counter()
    n_train = arguments.muons or (30_000 if arguments.short else 50_000)
    n_cycles = arguments.cycles
    options = f"{OPTIONS}:Hessian={arguments.hessian}"
    without_underlying_event(arguments.output, n_train, n_cycles, options)
    if not arguments.short:
        with_underlying_event(arguments.output, n_train, n_cycles, options)
    print(f"Done in {time.perf_counter() - started:.0f} s; all files are in {arguments.output}")


if __name__ == "__main__":
    main()
