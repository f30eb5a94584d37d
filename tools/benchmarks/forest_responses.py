"""Responses of forests, in arrays and one event after the other, beside TMVA's figures and the libraries of today."""

from __future__ import annotations

import array
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import pytmva_bnn as TMVA
from benchmarks.forest_trainings import BOOSTS, events
from benchmarks.measure import Contenders, Curve, Section, best, mode, table, thread_counts, threads_text, within
from benchmarks.peers import installed
from benchmarks.trainings import peak_memory
from pytmva_bnn.fast.threads import n_threads

READER, PYROOT = 34e-6, 48e-6
"""Seconds of TMVA (ROOT 6.40, another machine, 2 cores, AVX2, nearly idle) for an event, 850 trees of depth 3."""
N_TREES, DEPTH, N_VARIABLES = 850, 3, 10
DEEP = "NTrees=100:MaxDepth=20:MinNodeSize=0.2%:nCuts=20"


@cache
def trained(options: str, n_variables: int = N_VARIABLES, analysis: str = "Classification") -> TMVA.Model:
    """Return a forest trained on some thousand events."""
    x, is_signal = events(6_000, n_variables)
    loader = TMVA.DataLoader("dataset")
    columns = {f"v{number}": x[:, number] for number in range(n_variables)}
    for name in columns:
        loader.AddVariable(name)
    if analysis == "Regression":
        loader.AddTarget("y")
        loader.AddRegressionTree({**columns, "y": x[:, 0] * x[:, 1] + x[:, 2]})
    else:
        for own, add in ((is_signal, loader.AddSignalTree), (~is_signal, loader.AddBackgroundTree)):
            add({name: column[own] for name, column in columns.items()})
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:NormMode=NumEvents:!V")
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType={analysis}")
    method = factory.BookMethod(loader, "BDT", "BDT", options)
    factory.TrainAllMethods()
    return method.model


def options_of(boost: str = "AdaBoost", n_trees: int = N_TREES, depth: int = DEPTH) -> str:
    """Return an option string."""
    return f"NTrees={n_trees}:MaxDepth={depth}:nCuts=20:MinNodeSize=0.5%:{BOOSTS[boost]}"


def sections(quick: bool) -> Iterator[Section]:
    """Measure all of it."""
    n = 20_000 if quick else 200_000
    yield responses(n)
    yield single_events(2_000)
    yield deep_trees(n // 4)
    yield from scaling(n // 4)
    yield reading(quick)


def responses(n: int) -> Section:
    """Measure responses in arrays."""
    x, is_signal = events(n, N_VARIABLES)
    models = {
        "AdaBoost": trained(options_of()),
        "AdaBoost, purity leaves": trained(options_of() + ":UseYesNoLeaf=False"),
        "Grad": trained(options_of("Grad")),
    }
    jobs: Contenders = {}
    for name, model in models.items():
        jobs[f"{name}: ours, numpy"] = within("0", 1, lambda model=model: model.predict(x[: n // 10]))  # type: ignore[misc]
        for threads in sorted({1, n_threads()}):
            key = f"{name}: ours, numba, {threads_text(threads)}"
            jobs[key] = within("1", threads, lambda model=model: model.predict(x))  # type: ignore[misc]
    jobs |= others(x, is_signal)
    found = best(jobs, 9)
    seconds = {name: s / (n // 10 if name.endswith("numpy") else n) for name, s in found.items()}
    rows = [["TMVA's Reader in C++ (another machine)", f"{READER * 1e6:.1f}", "1"]]
    rows += [[name, f"{s * 1e6:.3f}", f"{READER / s:.0f}"] for name, s in seconds.items()]
    text = table(["", "µs per event", "times TMVA's Reader"], rows)
    title = f"Forests: {N_TREES} trees of depth {DEPTH}, {N_VARIABLES} variables, {n:,} events in an array"
    return Section(title, text, bars={"TMVA's Reader in C++": READER, **seconds}, name="forest_responses")


def others(x: np.ndarray, is_signal: np.ndarray, predicted: int | None = None) -> Contenders:
    """Return responses of forests of that size by other libraries, as far as they are installed."""
    few, y, n_trees, depth = x[:20_000], is_signal[:20_000].astype(np.int32), N_TREES, DEPTH
    x = x[:predicted]
    found: Contenders = {}
    if installed("xgboost"):
        xgboost = import_module("xgboost")
        how = {"max_depth": depth, "tree_method": "hist", "objective": "binary:logistic"}
        booster = xgboost.train(how, xgboost.DMatrix(few, label=y), n_trees)
        for threads in sorted({1, n_threads()}):

            def by_xgboost(threads: int = threads) -> object:
                booster.set_param({"nthread": threads})
                return booster.inplace_predict(x)

            found[f"xgboost, {threads_text(threads)}"] = by_xgboost
    if installed("lightgbm"):
        lightgbm = import_module("lightgbm")
        settings = {"max_depth": depth, "num_leaves": 2**depth, "objective": "binary", "verbosity": -1}
        light = lightgbm.train(settings, lightgbm.Dataset(few, y, params={"verbosity": -1}), n_trees)
        for threads in sorted({1, n_threads()}):
            found[f"lightgbm, {threads_text(threads)}"] = lambda threads=threads: light.predict(x, num_threads=threads)  # type: ignore[misc]
    if installed("sklearn"):
        ensemble = import_module("sklearn.ensemble")
        histogram = ensemble.HistGradientBoostingClassifier(max_iter=n_trees, max_depth=depth, early_stopping=False)
        histogram.fit(few, y)
        found["scikit-learn, hist"] = lambda: histogram.decision_function(x)
    return found


def single_events(n: int) -> Section:
    """Measure event loops through the Reader."""
    x = events(n, N_VARIABLES)[0]
    rows = [["PyROOT (another machine)", f"{PYROOT * 1e6:.1f}", "1"]]
    for boost in BOOSTS:
        for name, fast, count in (("numpy", "0", n // 10), ("numba", "1", n)):
            with mode(fast, 1):
                loop = _loop(trained(options_of(boost)), x[:count])
            seconds = best({"": within(fast, 1, loop)}, 15)[""] / count
            rows.append([f"{boost}: ours, {name}", f"{seconds * 1e6:.2f}", f"{PYROOT / seconds:.1f}"])
    if installed("xgboost"):
        # a function of the event, whose memory does not change
        one = others(events(20_000, N_VARIABLES)[0], events(20_000, N_VARIABLES)[1], predicted=1)["xgboost, 1 thread"]
        seconds = best({"": one}, 15)[""]
        rows.append(["xgboost, `inplace_predict`", f"{seconds * 1e6:.2f}", f"{PYROOT / seconds:.1f}"])
    text = table(["", "µs per event", "times PyROOT's loop"], rows)
    return Section(f"Forests: one event after the other, {N_TREES} trees, `EvaluateMVA(tag)` in a loop", text)


def _loop(model: TMVA.Model, x: np.ndarray) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "weights.xml")
        reader = TMVA.Reader("!Color:Silent")
        memory = [array.array("f", [0.0]) for _ in model.variables]
        for variable, cell in zip(model.variables, memory, strict=True):
            reader.AddVariable(variable.expression, cell)
        reader.BookMVA("bdt", Path(folder) / "weights.xml")
    values = x[:, 0].tolist()
    first = memory[0]
    reader.EvaluateMVA("bdt")

    def loop() -> None:
        for value in values:
            first[0] = value
            reader.EvaluateMVA("bdt")

    return loop


def deep_trees(n: int) -> Section:
    """Measure forests of hundreds of nodes a tree, beside a walk from node to node as TMVA and others do it."""
    x = events(n, N_VARIABLES)[0]
    rows = []
    for name, options, analysis in (
        ("regression, AdaBoostR2", f"{DEEP}:BoostType=AdaBoostR2", "Regression"),
        ("regression, Grad", f"{DEEP}:BoostType=Grad", "Regression"),
        ("classification, AdaBoost", f"{DEEP}:BoostType=AdaBoost", "Classification"),
    ):
        model = trained(options, N_VARIABLES, analysis)
        forest = model.fitted.forest
        jobs: Contenders = {"walk": lambda model=model: walk(model, x)} if installed("numba") else {}  # type: ignore[misc]
        for threads in sorted({1, n_threads()}):
            jobs[threads_text(threads)] = within("1", threads, lambda model=model: model.predict(x))  # type: ignore[misc]
        found = {job: f"{seconds / n * 1e6:.2f}" for job, seconds in best(jobs, 7).items()}
        shape = f"{forest.n_trees} trees, {forest.n_nodes // forest.n_trees} nodes, depth {forest.descent.depths.max()}"
        rows.append([f"{name}: {shape}", *found.values()])
    head = ["", *(["compiled walk, sums only"] if installed("numba") else [])]
    head += [f"ours, {threads_text(threads)}" for threads in sorted({1, n_threads()})]
    return Section("Forests: deep trees, µs per event", table(head, rows))


@cache
def _walker() -> Any:
    numba = import_module("numba")

    def run(x: Any, starts: Any, variable: Any, cut: Any, cut_type: Any, right: Any, values: Any, sums: Any) -> None:
        for event in range(len(x)):
            for tree in range(starts.size - 1):
                node = starts[tree]
                while right[node] >= 0:
                    node = right[node] if (x[event, variable[node]] >= cut[node]) == cut_type[node] else node + 1
                sums[event] += values[node]

    return numba.njit(run)


def walk(model: TMVA.Model, x: np.ndarray) -> object:
    """Return the sums of the leaves, found from node to node for one event after the other, by compiled code."""
    forest, sums = model.fitted.forest, np.zeros(len(x))
    goes_right = forest.cut_type != 0
    values = model.fitted.leaf_answers
    _walker()(x, forest.starts, forest.variable, forest.cut, goes_right, forest.right_node, values, sums)
    return sums


def scaling(n: int) -> Iterator[Section]:
    """Measure how times grow with trees, depth, variables, events and threads."""
    variations: dict[str, list[tuple[int, str, int, int]]] = {
        "trees": [(t, options_of(n_trees=t), N_VARIABLES, n) for t in (50, 200, 850, 2000)],
        "depth": [(d, options_of(n_trees=200, depth=d), N_VARIABLES, n) for d in (1, 2, 3, 4, 5, 6, 8, 12)],
        "variables": [(v, options_of(n_trees=200), v, n) for v in (2, 10, 30, 100)],
        "events": [(e, options_of(), N_VARIABLES, e) for e in (1, 10, 100, 1_000, 10_000, 10 * n)],
    }
    for what, cases in variations.items():
        found: dict[str, list[float]] = {}
        for _, options, n_variables, n_events in cases:
            model, x = trained(options, n_variables), events(n_events, n_variables)[0]
            jobs: Contenders = {"ours, numpy": within("0", 1, lambda m=model, x=x: m.predict(x[:2_000]))}  # type: ignore[misc]
            for threads in sorted({1, n_threads()}):
                name = f"ours, numba, {threads_text(threads)}"
                jobs[name] = within("1", threads, lambda m=model, x=x: m.predict(x))  # type: ignore[misc]
            for name, seconds in best(jobs, 7).items():
                per_event = seconds / min(n_events, 2_000 if name.endswith("numpy") else n_events)
                found.setdefault(name, []).append(per_event * 1e9)
        numbers = [number for number, *_ in cases]
        rows = [
            [f"{number:,}", *(f"{values[i]:,.0f}" for values in found.values())] for i, number in enumerate(numbers)
        ]
        curve = Curve(f"forests_by_{what}", what, "ns per event", list(map(float, numbers)), found)
        yield Section(f"Forests: responses by {what}, ns per event", table([what, *found], rows), curve)
    x, model, rows = events(4 * n, N_VARIABLES)[0], trained(options_of()), []
    for threads in thread_counts():
        seconds = best({"": within("1", threads, lambda: model.predict(x))}, 9)[""] / len(x)
        rows.append([str(threads), f"{seconds * 1e9:.0f}", f"{READER / seconds:.0f}"])
    text = table(["threads", "ns per event", "times TMVA's Reader"], rows)
    yield Section(f"Forests: responses by the number of threads, {N_TREES} trees", text)


def reading(quick: bool) -> Section:
    """Measure how long a large weight file takes."""
    model = trained(f"{DEEP}:BoostType=AdaBoost".replace("NTrees=100", f"NTrees={200 if quick else 1000}"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weights.xml"
        start = time.perf_counter()
        model.save(path)
        writing = time.perf_counter() - start
        seconds = best({"": lambda: TMVA.load(path)}, 3)[""]
        size = path.stat().st_size / 1e6
    forest = model.fitted.forest
    text = (
        f"A file of {size:.0f} MB ({forest.n_trees:,} trees, {forest.n_nodes:,} nodes) is read in {seconds:.1f} s and "
        f"written in {writing:.1f} s. Largest memory of the process so far: {peak_memory()}."
    )
    return Section("Forests: large weight files", text)
