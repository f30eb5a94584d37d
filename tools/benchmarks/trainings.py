"""Trainings: seconds per epoch, and whole trainings whose time TMVA's records tell."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytmva_bnn as TMVA
from benchmarks import peers, tmva
from benchmarks.measure import Section, best, mode, table, threads_text
from benchmarks.samples import CASES, ROOT, problem
from pytmva_bnn.fast.threads import n_threads
from pytmva_bnn.methods.mlp.training import Sample, TrainingSettings, initial_network, train
from pytmva_bnn.methods.mlp.training.settings import TrainingMethod
from pytmva_bnn.random import TRandom3

RECORDED = ("bnn_020", "bnn_200", "bfgs_n", "fakerate_bnn", "reg_n", "multi_n", "bp_sigmoid", "trans_chain")
"""Reference cases: TMVA's time for the training is in their records."""


def training_seconds(sample: Sample, n_hidden: int, settings: TrainingSettings, fast: str, threads: int) -> float:
    """Return the seconds per epoch of a training, its beginning and end included."""
    start = initial_network([sample.inputs.shape[1], n_hidden, 1], TRandom3(1))
    with mode(fast, threads):
        began = time.perf_counter()
        result = train(start, sample, sample, settings)
        return (time.perf_counter() - began) / result.n_epochs


def trainings(quick: bool) -> Section:
    """Measure BFGS with regulators and the final Hessian."""
    cases = [(5_000, 2, 10, 40, True), (50_000, 2, 10, 40, True), (50_000, 20, 30, 20, not quick)]
    if not quick:
        cases.append((1_000_000, 20, 30, 10, False))
    training_seconds(problem(5_000, 2), 10, TrainingSettings(n_cycles=8, use_regulator=True), "1", 1)  # compile
    rows = []
    most = n_threads()
    for n, n_variables, n_hidden, cycles, with_others in cases:
        sample = problem(n, n_variables)
        settings = TrainingSettings(n_cycles=cycles, use_regulator=True, calculate_errors=True)
        known, where = tmva.epoch_seconds(sample, n_hidden, cycles)
        rounds = 3 if n <= 50_000 else 1
        ours = [
            min(training_seconds(sample, n_hidden, settings, "0", 1) for _ in range(rounds)) if with_others else None,
            min(training_seconds(sample, n_hidden, settings, "1", 1) for _ in range(rounds)),
            min(training_seconds(sample, n_hidden, settings, "1", most) for _ in range(rounds)),
        ]
        cells = ["not run" if s is None else f"{s:.4f} ({known / s:.0f}×)" for s in ours]
        others = {
            "scikit-learn": peers.scikit_learn_training(sample, n_hidden, cycles),
            "torch": peers.torch_training(sample, n_hidden, cycles, most),
        }
        for function in others.values():
            if function is None or not with_others:
                cells.append("not run")
            else:
                cells.append(f"{best({'': function}, 1)[''] / cycles:.4f}")
        rows.append([f"{n:,} events, {n_variables}-{n_hidden}-1", f"{known:.2f} ({where})", *cells])
    head = ["", "TMVA", "ours, numpy", "ours, numba, 1 thread", f"ours, numba, {threads_text(most)}"]
    head += ["scikit-learn, L-BFGS", f"torch, L-BFGS, {threads_text(most)}"]
    text = table(head, rows) + (
        "\n\nOurs is all of a training, the final Hessian included, divided by its epochs. *Scaled* takes TMVA's time "
        "as proportional to events and weights. scikit-learn and torch do less: their L-BFGS has no regulators and no "
        f"Hessian. Largest memory of the process so far, the events included: {peak_memory()}."
    )
    return Section("Training: BFGS with regulators, seconds per epoch", text)


def recorded_trainings() -> Section:
    """Measure whole trainings of reference cases, from the loader to the weight file."""
    rows = []
    for name in RECORDED:
        case = json.loads((CASES / name / "case.json").read_text(encoding="utf-8"))
        with mode("1"):
            seconds = min(_train(case) for _ in range(3))
        with mode("0"):
            by_numpy = _train(case)
        recorded = case["train_seconds"]
        ours = [f"{s:.3f} ({recorded / s:.0f}×)" for s in (by_numpy, seconds)]
        rows.append([name, f"{recorded:.2f}", *ours])
    text = table(["case", "TMVA (its record)", "ours, numpy", f"ours, numba, {threads_text(n_threads())}"], rows) + (
        "\n\nThe same data, options and seeds as TMVA had, which ends at the same weights (`tools/agreement`, "
        "`tests/factory/test_golden_training.py`). The records say how long `TrainAllMethods` took."
    )
    return Section("Whole trainings: the reference cases, seconds", text)


def _train(case: dict[str, object]) -> float:
    data = ROOT / "xml_fixtures" / "data" / str(case["data"])
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            loader = TMVA.DataLoader("dataset")
            for add, key in (
                (loader.AddVariable, "variables"),
                (loader.AddSpectator, "spectators"),
                (loader.AddTarget, "targets"),
            ):
                for declared in case.get(key, ()):  # type: ignore[attr-defined]
                    add(*([declared] if isinstance(declared, str) else declared))
            for class_name, tree, weight in case["trees"]:  # type: ignore[attr-defined]
                loader.AddTree(f"{data}:{tree}", class_name, weight)
            loader.PrepareTrainingAndTestTree(case.get("cut", ""), case["prepare"])  # type: ignore[arg-type]
            analysis = case.get("analysis", "Classification")
            factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:AnalysisType={analysis}")
            factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", case["options"])
            start = time.perf_counter()
            factory.TrainAllMethods()
            return time.perf_counter() - start
        finally:
            os.chdir(here)


def back_propagation(n: int) -> Section:
    """Measure sequential back-propagation."""
    rows = []
    for n_variables, n_hidden in ((2, 10), (4, 9), (20, 30)):
        cells = []
        for fast, events, cycles in (("0", n // 20, 1), ("1", n, 5)):
            settings = TrainingSettings(method=TrainingMethod.BP, n_cycles=cycles, test_rate=cycles)
            sample = problem(events, n_variables)
            seconds = min(training_seconds(sample, n_hidden, settings, fast, 1) for _ in range(3))
            cells.append(seconds / events * 1e6)
        rows.append([f"{n_variables}-{n_hidden}-1", f"{cells[0]:.1f}", f"{cells[1]:.3f}", f"{cells[0] / cells[1]:.0f}"])
    text = table(["", "ours, numpy", "ours, numba", "ratio"], rows)
    return Section("Back-propagation, sequential: µs per event and epoch, shuffle and estimators included", text)


def peak_memory() -> str:
    """Return the largest memory that this process had."""
    if find_spec("resource") is None:
        return "unknown"
    usage = import_module("resource").getrusage(0).ru_maxrss
    return f"{usage / (1 << 20 if sys.platform != 'darwin' else 1 << 30):.1f} GB"
