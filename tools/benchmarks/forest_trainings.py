"""Trainings of forests, beside TMVA's figures and the libraries of today."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import pytmva_bnn as TMVA
from benchmarks.measure import Contenders, Section, best, mode, table, threads_text, within
from benchmarks.peers import installed
from benchmarks.trainings import peak_memory
from pytmva_bnn.fast.threads import n_threads

Events = tuple[np.ndarray[Any, np.dtype[np.float32]], np.ndarray[Any, np.dtype[np.bool_]]]

TMVA_SECONDS = {"AdaBoost": 7.0, "Grad": 11.0}
"""ROOT 6.40 on another machine (2 cores, AVX2, nearly idle): 50,000 events, 10 variables, 200 trees, nCuts=20."""
BOOSTS = {"AdaBoost": "BoostType=AdaBoost", "Grad": "BoostType=Grad:Shrinkage=0.1"}


def events(n: int, n_variables: int) -> Events:
    """Return events of two classes that overlap in half of the variables."""
    random = np.random.default_rng(1)
    is_signal = random.random(n) < 0.5
    x = random.normal(size=(n, n_variables)).astype(np.float32)
    x[is_signal, : n_variables // 2] += 0.4
    return x, is_signal


def training(sample: Events, options: str) -> Callable[[], float]:
    """Return a function that trains a forest and returns the seconds that this took."""
    x, is_signal = sample
    names = [f"v{number}" for number in range(x.shape[1])]
    loader = TMVA.DataLoader("dataset")
    for name in names:
        loader.AddVariable(name)
    for own, add in ((is_signal, loader.AddSignalTree), (~is_signal, loader.AddBackgroundTree)):
        add(dict(zip(names, x[own].T, strict=True)))
    # one event of each class is left for the test, which every data set needs
    n_signal = int(is_signal.sum())
    split = f"nTrain_Signal={n_signal - 1}:nTrain_Background={len(x) - n_signal - 1}:SplitMode=Block:!V"
    loader.PrepareTrainingAndTestTree("", f"{split}:NormMode=NumEvents")
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    method = factory.BookMethod(loader, "BDT", "BDT", options)
    dataset = loader.built()

    def train() -> float:
        start = time.perf_counter()
        method.train(dataset, quiet=True)
        return time.perf_counter() - start

    return train


def options_of(boost: str, n_trees: int = 200, depth: int = 3) -> str:
    """Return an option string."""
    return f"NTrees={n_trees}:MaxDepth={depth}:nCuts=20:MinNodeSize=2.5%:{BOOSTS[boost]}"


def others(sample: Events, threads: int, n_trees: int = 200, depth: int = 3) -> Contenders:
    """Return trainings of other libraries, as far as they are installed."""
    x, y = sample[0], sample[1].astype(np.int32)
    found: Contenders = {}
    if installed("xgboost"):
        xgboost = import_module("xgboost")
        data = xgboost.DMatrix(x, label=y)
        how = {"max_depth": depth, "tree_method": "hist", "max_bin": 21, "eta": 0.1, "nthread": threads}
        found["xgboost, hist"] = lambda: xgboost.train({**how, "objective": "binary:logistic"}, data, n_trees)
    if installed("lightgbm"):
        lightgbm = import_module("lightgbm")
        settings = {"max_depth": depth, "num_leaves": 2**depth, "max_bin": 21, "num_threads": threads, "verbosity": -1}

        def by_lightgbm() -> object:
            data = lightgbm.Dataset(x, y, params=settings)
            return lightgbm.train({**settings, "objective": "binary", "learning_rate": 0.1}, data, n_trees)

        found["lightgbm"] = by_lightgbm
    if installed("sklearn"):
        ensemble = import_module("sklearn.ensemble")
        histogram = ensemble.HistGradientBoostingClassifier(
            max_iter=n_trees, max_depth=depth, max_bins=21, early_stopping=False
        )
        found["scikit-learn, hist"] = lambda: histogram.fit(x, y)
    return found


def trainings(quick: bool) -> Section:
    """Measure TMVA's own example, and what other libraries take for a forest of that size."""
    sample = events(50_000, 10)
    most = n_threads()
    rounds = 3 if quick else 7
    rows = []
    for boost, known in TMVA_SECONDS.items():
        train = training(sample, options_of(boost))
        found = best({str(threads): within("1", threads, train) for threads in (1, most)}, rounds)
        with mode("0"):
            by_numpy = train()
        cells = [f"{seconds:.2f} ({known / seconds:.1f}×)" for seconds in (by_numpy, found["1"], found[str(most)])]
        rows.append([boost, f"{known:.1f}", *cells])
    text = table(["", "TMVA (another machine)", "ours, numpy", "ours, numba, 1 thread", _with(most)], rows)
    peers = {threads: best(others(sample, threads), rounds) for threads in (1, most)}
    rows = [[name, *(f"{peers[threads][name]:.2f}" for threads in (1, most))] for name in peers[1]]
    if rows:
        text += "\n\n" + table(["others (all gradient boosting)", "1 thread", threads_text(most)], rows)
    text += (
        "\n\n50,000 events of 10 variables, 200 trees of depth 3, 20 cuts a variable. Ours are TMVA's trees to the last"
        " bit. scikit-learn's threads are its own affair."
    )
    return Section("Forests: seconds for a training", text)


def scaling(quick: bool) -> Section:
    """Measure how the time of a training grows."""
    most = n_threads()
    cases = [
        ("50,000 events, 10 variables, 200 trees, depth 3", 50_000, 10, 200, 3),
        ("5,000 events", 5_000, 10, 200, 3),
        ("500,000 events", 500_000, 10, 200, 3),
        ("30 variables", 50_000, 30, 200, 3),
        ("800 trees", 50_000, 10, 800, 3),
        ("depth 2", 50_000, 10, 200, 2),
        ("depth 6", 50_000, 10, 200, 6),
    ]
    if not quick:
        cases.append(("1,000,000 events, 30 variables, 50 trees", 1_000_000, 30, 50, 3))
    rows = []
    for title, n, n_variables, n_trees, depth in cases:
        if quick and n > 50_000:
            continue
        sample = events(n, n_variables)
        cells = []
        for boost in BOOSTS:
            train = training(sample, options_of(boost, n_trees, depth))
            found = best({str(threads): within("1", threads, train) for threads in (1, most)}, 2 if n > 50_000 else 3)
            cells += [f"{found['1']:.2f}", f"{found[str(most)]:.2f}"]
        rows.append([title, *cells])
    head = [""] + [f"{boost}, {threads_text(threads)}" for boost in BOOSTS for threads in (1, most)]
    text = table(head, rows) + f"\n\nLargest memory of the process so far, the events included: {peak_memory()}."
    return Section("Forests: how the time of a training grows, seconds", text)


def _with(threads: int) -> str:
    return f"ours, numba, {threads_text(threads)}"
