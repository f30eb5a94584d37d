"""Are the error bars right?  One Bayesian network against the spread of a hundred plain ones.

    python study.py                        # 100 networks one after the other
    python study.py --jobs 8               # in eight processes
    python study.py --dask tcp://host:8786 # on a dask cluster
    python study.py --networks 10 --cycles 60

The network of fake_rate.py gives every muon of the same-charge pairs a probability with an error bar.  To see whether
these errors are right, other networks are trained on bootstrap samples of the same single muons from other initial
weights; for each muon the standard deviation of their predictions is compared with the error bar.

Every network is a task with its own seed, whose result is a file of its own: a study that was stopped goes on where it
was, and more networks can be added later.
"""

import argparse
import json
import os
import tempfile
import time
import zipfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

import pytmva_bnn as TMVA

VARIABLES = ("pt", "ht")
N_TEST = 1000


@dataclass(frozen=True)
class Task:
    """One network of the batch: which one, and how it is trained."""

    number: int
    n_train: int
    n_cycles: int
    options: str

    @property
    def seed(self):
        """The seed of the initial weights and of the bootstrap; 1 is the reference network's."""
        return self.number + 2


# -- one task: only pytmva_bnn and numpy are used, so that it can run on any worker --------------------------------


def train_one(task, single, pairs):
    """Train a network on a bootstrap sample of the single muons and return its predictions for the pairs."""
    started = time.perf_counter()
    random = np.random.default_rng(task.seed)
    drawn = random.integers(0, task.n_train, task.n_train)
    isol, n_train = single["isol"], task.n_train
    loader = TMVA.DataLoader("batch")
    counts = []
    for variable in VARIABLES:
        loader.AddVariable(variable)
    for add, value in ((loader.AddSignalTree, 1), (loader.AddBackgroundTree, 0)):
        chosen = drawn[isol[drawn] == value]
        test = n_train + np.flatnonzero(isol[n_train:] == value)[:N_TEST]
        counts.append(len(chosen))
        add({name: single[name][np.concatenate([chosen, test])] for name in VARIABLES})
    loader.PrepareTrainingAndTestTree(
        "",
        f"nTrain_Signal={counts[0]}:nTrain_Background={counts[1]}:"
        f"nTest_Signal={N_TEST}:nTest_Background={N_TEST}:SplitMode=Block:NormMode=None:!V",
    )
    factory = TMVA.Factory("batch", "!V:Silent:!ModelPersistence:AnalysisType=Classification")
    text = f"{task.options}:NCycles={task.n_cycles}:RandomSeed={task.seed}"
    method = factory.BookMethod(loader, TMVA.Types.kMLP, f"network {task.number}", text)
    factory.TrainAllMethods()
    return {
        "predictions": method.model.predict(pairs).astype(np.float32),
        "estimator": method.result.training_estimator,
        "n_effective": method.evidence.n_effective,
        "seconds": time.perf_counter() - started,
    }


# -- results on disk ---------------------------------------------------------------------------------------------


def result_path(folder, task):
    """Return where the result of a task is kept."""
    return folder / "networks" / f"network_{task.number:04d}.npz"


def save_result(folder, task, result):
    """Write a result so that the file is there either complete or not at all."""
    path = result_path(folder, task)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "wb") as stream:
        np.savez_compressed(stream, task=json.dumps(asdict(task)), **result)
    Path(temporary).replace(path)


def load_result(folder, task):
    """Return the result of a task, or None if there is none, it is damaged, or it was made with other settings."""
    try:
        with np.load(result_path(folder, task)) as file:
            found = dict(file)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        return None
    return found if str(found.pop("task", "")) == json.dumps(asdict(task)) else None


# -- running the tasks -------------------------------------------------------------------------------------------


def results_of(tasks, single, pairs, jobs, dask):
    """Yield (task, result) as they come: here, in processes, or from a dask cluster."""
    if dask:
        from dask.distributed import Client
        from dask.distributed import as_completed as dask_as_completed

        with Client(dask) as client:
            # large arrays go to the workers once
            shared = client.scatter([single, pairs], broadcast=True, hash=False)
            futures = {client.submit(train_one, task, *shared, pure=False): task for task in tasks}
            for future in dask_as_completed(futures):
                yield futures[future], future.result()
    elif jobs > 1:
        with ProcessPoolExecutor(jobs) as pool:
            futures = {pool.submit(train_one, task, single, pairs): task for task in tasks}
            for future in as_completed(futures):
                yield futures[future], future.result()
    else:
        for task in tasks:
            yield task, train_one(task, single, pairs)


def run_batch(tasks, single, pairs, folder, jobs=1, dask=None):
    """Do what is not done yet, and return the results of all tasks."""
    missing = [task for task in tasks if load_result(folder, task) is None]
    print(f"{len(tasks) - len(missing)} of {len(tasks)} networks are there, {len(missing)} to train")
    if missing:
        with tqdm(total=len(missing), desc="networks", unit="network") as bar:
            for task, result in results_of(missing, single, pairs, jobs, dask):
                save_result(folder, task, result)
                bar.update()
    return [load_result(folder, task) for task in tasks]


# -- what is learnt ----------------------------------------------------------------------------------------------


def compare(reference, results, pairs):
    """Return per muon the errors of the reference network and of the batch, and numbers that summarise them."""
    batch = np.stack([result["predictions"] for result in results]).astype(np.float64)
    value, lower, upper = reference.predict(pairs, errors=True)
    total, error = reference.predict_sum(pairs)
    per_muon = {
        "p": value,
        "lower": lower,
        "upper": upper,
        "batch_mean": batch.mean(axis=0),
        "batch_sigma": batch.std(axis=0, ddof=1),
    }
    sigma = (lower + upper) / 2
    ratio = sigma / per_muon["batch_sigma"]
    precise = sigma / value < 0.3
    sums = batch.sum(axis=1)
    summary = {
        "predicted": total,
        "error": error,
        "batch_predicted": float(sums.mean()),
        "batch_error": float(sums.std(ddof=1)),
        "median_ratio": float(np.median(ratio)),
        "quartiles": [float(q) for q in np.quantile(ratio, [0.25, 0.75])],
        "fraction_within_factor_2": float(np.mean((ratio > 0.5) & (ratio < 2.0))),
        "fraction_precise": float(precise.mean()),
        "median_ratio_precise": float(np.median(ratio[precise])),
        "median_ratio_others": float(np.median(ratio[~precise])) if (~precise).any() else None,
    }
    return per_muon, summary


def plot_ratio(per_muon, path, formats):
    """The ratio of the errors: positive for the upper one, negative for the lower one."""
    import fake_rate as example

    figure, axis = example.plt.subplots(figsize=(5.5, 4), layout="constrained")
    bins = np.linspace(-4, 4, 81)
    axis.hist(per_muon["upper"] / per_muon["batch_sigma"], bins, histtype="step", color="tab:blue", label="upper error")
    axis.hist(
        -per_muon["lower"] / per_muon["batch_sigma"],
        bins,
        histtype="step",
        color="tab:red",
        ls="--",
        label="lower error",
    )
    for one in (-1, 1):
        axis.axvline(one, color="grey", lw=0.8, ls=":")
    axis.set(xlabel=r"$\pm\,\sigma^{\pm}_\mathrm{BNN} / \sigma_\mathrm{Batch}$", ylabel="muons per 0.1")
    axis.legend(frameon=False)
    return example.save(figure, path, formats)


def plot_correlation(per_muon, path, formats):
    """The relative errors of network and batch against each other."""
    import fake_rate as example

    figure, axis = example.plt.subplots(figsize=(5.2, 4.2), layout="constrained")
    x = np.log10((per_muon["lower"] + per_muon["upper"]) / 2 / per_muon["p"])
    y = np.log10(per_muon["batch_sigma"] / per_muon["batch_mean"])
    limits = (-2.5, 1.5)
    counts, xs, ys = np.histogram2d(x, y, bins=80, range=(limits, limits))
    mesh = axis.pcolormesh(xs, ys, np.ma.masked_equal(counts.T, 0), norm="log", cmap="viridis_r")
    axis.plot(limits, limits, color="black", lw=0.8, label="equal")
    axis.axvline(np.log10(0.3), color="tab:red", lw=0.8, ls="--", label="30%")
    axis.set(
        xlabel=r"$\log_{10}(\sigma_\mathrm{BNN} / P_\mathrm{BNN})$",
        ylabel=r"$\log_{10}(\sigma_\mathrm{Batch} / P_\mathrm{Batch})$",
        xlim=limits,
        ylim=limits,
    )
    axis.legend(frameon=False, loc="upper left")
    figure.colorbar(mesh, ax=axis, label="muons")
    return example.save(figure, path, formats)


def table(summary):
    """Return the numbers beside those of the publication, as a Markdown table."""
    tmva, posterior = summary["TMVA"], summary["Posterior"]

    def rate(name):
        n, k = summary["samples"][name]
        return f"{k / n:.1%} ± {np.sqrt(k / n * (1 - k / n) / n):.1%}"

    n, k = summary["samples"]["pairs"]
    rows = [
        ("", "here", "paper"),
        ("---", "---", "---"),
        ("isolated among the single muons", rate("single"), "33.3(0.1)%"),
        ("isolated among the muons of pairs", rate("pairs"), "19.8(0.2)%"),
        ("muons of pairs", n, 30764),
        ("isolated, predicted", f"{tmva['predicted']:.0f} ± {tmva['error']:.0f}", "6077"),
        ("isolated, observed", k, "6093"),
        ("networks in the batch", summary["n_networks"], 100),
        ("isolated, mean ± spread of the batch", f"{tmva['batch_predicted']:.0f} ± {tmva['batch_error']:.0f}", ""),
        ("median σ_BNN / σ_Batch", f"{tmva['median_ratio']:.2f}", '"generally consistent"'),
        ("its quartiles", "{:.2f} to {:.2f}".format(*tmva["quartiles"]), ""),
        ("muons whose errors agree within a factor of 2", f"{tmva['fraction_within_factor_2']:.0%}", ""),
        ("muons with a relative error below 30%", f"{tmva['fraction_precise']:.0%}", '"a large fraction"'),
        ("median ratio of these", f"{tmva['median_ratio_precise']:.2f}", '"good consistency"'),
        ("median ratio of the others", _number(tmva["median_ratio_others"]), '"tends to over-estimate"'),
        ("median ratio with Hessian=Posterior", f"{posterior['median_ratio']:.2f}", ""),
        ("the same, relative error above 30%", _number(posterior["median_ratio_others"]), ""),
        ("error of the sum with Hessian=Posterior", f"{posterior['error']:.0f}", ""),
    ]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def _number(value):
    return "none" if value is None else f"{value:.2f}"


def main():
    """Run the study, write its figures and numbers."""
    import fake_rate as example

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", type=int, default=100, help="networks in the batch (default 100)")
    parser.add_argument("--muons", type=int, default=50_000, help="training muons (default 50000)")
    parser.add_argument("--cycles", type=int, default=300, help="training cycles (default 300)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--dask", metavar="SCHEDULER", help="address of a dask scheduler to use instead")
    parser.add_argument("--batch-only", action="store_true", help="train the networks, leave the rest for another run")
    parser.add_argument("--output", type=Path, default=Path("demo_output/fake_rate_study"))
    arguments = parser.parse_args()
    if arguments.networks < 2:
        parser.error("a spread needs at least 2 networks")
    folder, started = arguments.output, time.perf_counter()

    pairs = example.read("dimuon_ss")
    single = example.read("single_muon", last=arguments.muons + 10_000)
    tasks = [Task(k, arguments.muons, arguments.cycles, example.OPTIONS) for k in range(arguments.networks)]
    results = run_batch(tasks, single, pairs, folder, arguments.jobs, arguments.dask)
    if arguments.batch_only:
        return

    print("training the Bayesian network")
    references = {
        hessian: example.train(
            "single_muon",
            VARIABLES,
            folder / hessian,
            arguments.muons,
            arguments.cycles,
            options=f"{example.OPTIONS}:Hessian={hessian}",
        ).model
        for hessian in ("TMVA", "Posterior")
    }
    trained_on = {name: column[: arguments.muons] for name, column in single.items()}
    summary = {
        "n_networks": len(results),
        "n_train": arguments.muons,
        "n_cycles": arguments.cycles,
        "samples": {
            name: (len(muons["isol"]), int(muons["isol"].sum()))
            for name, muons in (("single", trained_on), ("pairs", pairs))
        },
        "seconds_per_network": float(np.mean([result["seconds"] for result in results])),
    }
    formats = ("png", "pdf")
    for hessian, model in references.items():
        per_muon, summary[hessian] = compare(model, results, pairs)
        suffix = "" if hessian == "TMVA" else "_posterior"
        plot_ratio(per_muon, folder / f"sigma_ratio{suffix}", formats)
        plot_correlation(per_muon, folder / f"sigma_correlation{suffix}", formats)
    example.plot_kinematics(trained_on, pairs, folder / "kinematics", formats)
    example.plot_map(references["TMVA"], trained_on, folder / "map", formats)
    (folder / "summary.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    print(table(summary))
    print(f"{summary['seconds_per_network']:.1f} s per network, {time.perf_counter() - started:.0f} s in all")
    print(f"Figures (PNG and PDF) and summary.json are in {folder}")


if __name__ == "__main__":
    main()
