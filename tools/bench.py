"""Speed of responses, errors, event loops and trainings, as tables; ``--write`` puts them into docs/performance.md.

The contenders of a table take turns, and each one's best round counts: what else the machine does meanwhile hits all
of them alike.  ``--quick`` takes fewer events and leaves the largest training out.
"""

from __future__ import annotations

import argparse
import array
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import pytmva_bnn as TMVA
from pytmva_bnn.fast.threads import n_threads
from pytmva_bnn.network import Network
from pytmva_bnn.random import TRandom3
from pytmva_bnn.training import Sample, TrainingSettings, initial_network, train
from pytmva_bnn.training.settings import TrainingMethod

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- tables of tools/bench: begin -->", "<!-- tables of tools/bench: end -->"
WEIGHTS = ROOT / "xml_fixtures" / "cases" / "fakerate_bnn" / "weights.xml"

ELSEWHERE = "measured elsewhere, ROOT 6.40"
# TMVA figures measured elsewhere (ROOT 6.40, 2 cores with AVX2), microseconds per event; seconds per epoch
TMVA_READER, TMVA_READER_ERRORS = 1.3, 3.8
PYROOT, PYROOT_ERRORS = 4.3, 8.9
TMVA_CLASS_4_9_1 = 0.27
TMVA_EPOCH = 0.9  # BFGS with regulators, 50,000 events, 2-10-1: 41 weights

Contenders = dict[str, Callable[[], object]]


@contextmanager
def mode(fast: str, threads: int | None = None) -> Iterator[None]:
    """Compute by numpy (``"0"``) or by compiled code (``"1"``), with so many threads."""
    before = {name: os.environ.get(name) for name in ("PYTMVA_BNN_FAST", "PYTMVA_BNN_THREADS")}
    os.environ["PYTMVA_BNN_FAST"] = fast
    if threads is not None:
        os.environ["PYTMVA_BNN_THREADS"] = str(threads)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def within(fast: str, threads: int, function: Callable[[], object]) -> Callable[[], object]:
    """Return the function, to be run in that mode."""

    def run() -> object:
        with mode(fast, threads):
            return function()

    return run


def best(contenders: Contenders, rounds: int) -> dict[str, float]:
    """Return the seconds of each contender's best round, after one that does not count."""
    found = dict.fromkeys(contenders, np.inf)
    for number in range(rounds + 1):
        for name, function in contenders.items():
            start = time.perf_counter()
            function()
            if number:
                found[name] = min(found[name], time.perf_counter() - start)
    return found


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown, with columns of equal width so that it can be read as text."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]

    def line(cells: list[str]) -> str:
        first, *others = (
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(cells, widths, strict=True))
        )
        return "| " + " | ".join([first, *others]) + " |"

    rule = "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    return "\n".join([line(head), rule, *map(line, rows)])


# -- the contenders


def random_events(n: int, n_variables: int) -> np.ndarray:
    """Return events like those of the reference case for two variables, otherwise uniform ones."""
    random = np.random.default_rng(1)
    if n_variables == 2:
        with np.load(WEIGHTS.parent / "expected.npz") as record:
            given = record["inputs"]
        return np.ascontiguousarray(given[random.integers(0, len(given), n)], dtype=np.float32)
    return random.uniform(-1, 1, (n, n_variables)).astype(np.float32)


def model_of(n_variables: int, n_hidden: int) -> TMVA.Model:
    """Return the reference network 2-10-1, or one of another size with random weights in its place."""
    model = TMVA.load(WEIGHTS)
    if (n_variables, n_hidden) == (2, 10):
        return model
    from pytmva_bnn.transform import TransformationChain
    from pytmva_bnn.transform.selection import Quantity
    from pytmva_bnn.variables import VariableRecord

    random = np.random.default_rng(2)
    names = [f"x{i}" for i in range(n_variables)]
    model.variables = tuple(VariableRecord.define(name) for name in names)
    model.transformations = TransformationChain([], [Quantity("Variable", name, name) for name in names])
    matrices = [random.normal(size=(n_variables + 1, n_hidden)), random.normal(size=(n_hidden + 1, 1))]
    model.network = Network.from_matrices(matrices)
    return model


def sklearn_peer(network: Network, x: np.ndarray) -> Callable[[], object] | None:
    """Return scikit-learn's evaluation of the same network in float64."""
    if find_spec("sklearn") is None:
        return None
    peer = import_module("sklearn.neural_network").MLPClassifier(
        (network.layer_sizes[1],), activation="tanh", max_iter=1
    )
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer.fit(np.random.default_rng(0).normal(size=(20, x.shape[1])), [0, 1] * 10)
    peer.coefs_ = [matrix[:-1] for matrix in network.matrices]
    peer.intercepts_ = [matrix[-1] for matrix in network.matrices]
    wide = x.astype(np.float64)
    return lambda: peer.predict_proba(wide)


def onnx_peer(network: Network, x: np.ndarray, threads: int) -> Callable[[], object] | None:
    """Return onnxruntime's evaluation of the same network in float32."""
    if find_spec("onnxruntime") is None or find_spec("onnx") is None:
        return None
    onnx, runtime = import_module("onnx"), import_module("onnxruntime")
    helper, numpy_helper = import_module("onnx.helper"), import_module("onnx.numpy_helper")
    constants = []
    for number, matrix in enumerate(network.matrices):
        for name, values in ((f"W{number}", matrix[:-1]), (f"b{number}", matrix[-1])):
            constants.append(numpy_helper.from_array(values.astype(np.float32), name))
    nodes = [
        helper.make_node("Gemm", ["x", "W0", "b0"], ["z"]),
        helper.make_node("Tanh", ["z"], ["a"]),
        helper.make_node("Gemm", ["a", "W1", "b1"], ["h"]),
        helper.make_node("Sigmoid", ["h"], ["y"]),
    ]
    number = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "mlp",
        [helper.make_tensor_value_info("x", number, [None, x.shape[1]])],
        [helper.make_tensor_value_info("y", number, [None, 1])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    options = runtime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, {"x": x})


def response_contenders(model: TMVA.Model, x: np.ndarray) -> Contenders:
    """Return all that compute responses."""
    all_threads = n_threads()
    found: dict[str, Callable[[], object] | None] = {"ours, numpy": within("0", 1, lambda: model.predict(x))}
    for threads in sorted({1, all_threads}):
        found[f"ours, numba, {_threads(threads)}"] = within("1", threads, lambda: model.predict(x))
    found["scikit-learn, float64"] = sklearn_peer(model.network, x)
    for threads in sorted({1, all_threads}):
        found[f"onnxruntime, float32, {_threads(threads)}"] = onnx_peer(model.network, x, threads)
    return {name: function for name, function in found.items() if function is not None}


def _threads(n: int) -> str:
    return "1 thread" if n == 1 else f"{n} threads"


# -- the tables


def responses(n: int) -> str:
    """Return the table of responses in arrays."""
    model, x = model_of(2, 10), random_events(n, 2)
    found = best(response_contenders(model, x), 9)
    rows = [
        [f"TMVA's Reader in C++ ({ELSEWHERE})", f"{TMVA_READER:.3f}", "1"],
        [f"TMVA's generated class, 4-9-1 ({ELSEWHERE})", f"{TMVA_CLASS_4_9_1:.3f}", f"{TMVA_READER / 0.27:.0f}"],
    ]
    rows += [[name, f"{s / n * 1e6:.4f}", f"{TMVA_READER / (s / n * 1e6):.0f}"] for name, s in found.items()]
    return f"## Responses: 2-10-1, {n:,} events in an array\n\n" + table(
        ["", "µs per event", "times TMVA's Reader"], rows
    )


def errors(n: int) -> str:
    """Return the table of responses with errors."""
    model, x = model_of(2, 10), random_events(n, 2)
    contenders: Contenders = {"ours, numpy": within("0", 1, lambda: model.predict(x, errors=True))}
    for threads in sorted({1, n_threads()}):
        contenders[f"ours, numba, {_threads(threads)}"] = within("1", threads, lambda: model.predict(x, errors=True))
    rows = [[f"TMVA's Reader in C++ ({ELSEWHERE})", f"{TMVA_READER_ERRORS:.3f}", "1"]]
    for name, seconds in best(contenders, 5).items():
        rows.append([name, f"{seconds / n * 1e6:.3f}", f"{TMVA_READER_ERRORS / (seconds / n * 1e6):.0f}"])
    return f"## Responses with errors: 2-10-1, {n:,} events in an array\n\n" + table(
        ["", "µs per event", "times TMVA's Reader"], rows
    )


def event_loop(fast: str, with_errors: bool, n: int) -> Callable[[], object]:
    """Return a macro's loop over n events."""
    with mode(fast):
        reader = TMVA.Reader("!Color:Silent:Error=True")
        pt, ht = array.array("f", [15.0]), array.array("f", [80.0])
        reader.AddVariable("pt", pt)
        reader.AddVariable("ht", ht)
        reader.BookMVA("mlp", WEIGHTS)
        reader.EvaluateMVA("mlp")
    values = np.random.default_rng(3).uniform(10, 90, n).tolist()

    def loop() -> None:
        for value in values:
            pt[0] = value
            reader.EvaluateMVA("mlp")

    def loop_with_errors() -> None:
        for value in values:
            pt[0] = value
            reader.EvaluateMVA("mlp")
            reader.GetMVAErrorLower()
            reader.GetMVAErrorUpper()

    return within(fast, 1, loop_with_errors if with_errors else loop)


def single_events(n: int) -> str:
    """Return the table of event loops."""
    contenders = {
        "ours, numpy": event_loop("0", False, n),
        "ours, numba": event_loop("1", False, n),
        "ours, numpy, with errors": event_loop("0", True, n // 5),
        "ours, numba, with errors": event_loop("1", True, n),
    }
    rows = [
        [f"PyROOT ({ELSEWHERE})", f"{PYROOT:.2f}", "1"],
        [f"PyROOT, with errors ({ELSEWHERE})", f"{PYROOT_ERRORS:.2f}", "1"],
    ]
    for name, seconds in best(contenders, 5).items():
        each = seconds / (n // 5 if name == "ours, numpy, with errors" else n) * 1e6
        rows.append([name, f"{each:.2f}", f"{(PYROOT_ERRORS if 'errors' in name else PYROOT) / each:.2f}"])
    return "## One event after the other: 2-10-1, `EvaluateMVA(tag)` in a loop\n\n" + table(
        ["", "µs per event", "times PyROOT's loop"], rows
    )


def problem(n: int, n_variables: int) -> Sample:
    """Return events to train on."""
    random = np.random.default_rng(4)
    x = random.uniform(-1, 1, (n, n_variables)).astype(np.float32)
    return Sample.of(x, (np.sin(3 * x[:, 0]) + 0.4 * random.standard_normal(n) > 0).astype(float))


def training_seconds(sample: Sample, n_hidden: int, settings: TrainingSettings, fast: str, threads: int) -> float:
    """Return the seconds per epoch of a training, its beginning and end included."""
    start = initial_network([sample.inputs.shape[1], n_hidden, 1], TRandom3(1))
    with mode(fast, threads):
        began = time.perf_counter()
        result = train(start, sample, sample, settings)
        return (time.perf_counter() - began) / result.n_epochs


def trainings(quick: bool) -> str:
    """Return the table of trainings."""
    cases = [(5_000, 2, 10, 40, True), (50_000, 2, 10, 40, True), (50_000, 20, 30, 20, not quick)]
    if not quick:
        cases.append((1_000_000, 20, 30, 10, False))
    training_seconds(problem(5_000, 2), 10, TrainingSettings(n_cycles=8, use_regulator=True), "1", 1)  # compile
    rows = []
    for n, n_variables, n_hidden, cycles, with_numpy in cases:
        sample = problem(n, n_variables)
        settings = TrainingSettings(n_cycles=cycles, use_regulator=True, calculate_errors=True)
        n_weights = (n_variables + 1) * n_hidden + n_hidden + 1
        scaled = TMVA_EPOCH * n / 50_000 * n_weights / 41
        tmva = f"{scaled:.2f}" + ("" if (n, n_weights) == (50_000, 41) else " (scaled)")
        ours = [
            training_seconds(sample, n_hidden, settings, "0", 1) if with_numpy else None,
            training_seconds(sample, n_hidden, settings, "1", 1),
            training_seconds(sample, n_hidden, settings, "1", n_threads()),
        ]
        cells = ["not run" if s is None else f"{s:.4f} ({scaled / s:.0f}×)" for s in ours]
        rows.append([f"{n:,} events, {n_variables}-{n_hidden}-1", tmva, *cells])
    peak = peak_memory()
    text = (
        "## Training: BFGS with regulators, seconds per epoch (all of the training divided by its epochs)\n\n"
        + table(
            [
                "",
                f"TMVA ({ELSEWHERE})",
                "ours, numpy",
                "ours, numba, 1 thread",
                f"ours, numba, {_threads(n_threads())}",
            ],
            rows,
        )
    )
    return (
        text
        + "\n\nTMVA was timed with 50,000 events and 2-10-1; *scaled* takes its time as proportional to events and "
        f"weights. Largest memory of the process so far, the events included: {peak}."
    )


def peak_memory() -> str:
    """Return the largest memory that this process had."""
    if find_spec("resource") is None:
        return "unknown"
    usage = import_module("resource").getrusage(0).ru_maxrss
    return f"{usage / (1 << 20 if sys.platform != 'darwin' else 1 << 30):.1f} GB"


def back_propagation(n: int) -> str:
    """Return the table of back-propagation."""
    rows = []
    for n_variables, n_hidden in ((2, 10), (4, 9), (20, 30)):
        cells = []
        for fast, events, cycles in (("0", n // 20, 1), ("1", n, 5)):
            settings = TrainingSettings(method=TrainingMethod.BP, n_cycles=cycles, test_rate=cycles)
            sample = problem(events, n_variables)
            seconds = min(training_seconds(sample, n_hidden, settings, fast, 1) for _ in range(3))
            cells.append(seconds / events * 1e6)
        rows.append([f"{n_variables}-{n_hidden}-1", f"{cells[0]:.1f}", f"{cells[1]:.3f}", f"{cells[0] / cells[1]:.0f}"])
    return "## Back-propagation, sequential: µs per event and epoch, shuffle and estimators included\n\n" + table(
        ["", "ours, numpy", "ours, numba", "ratio"], rows
    )


def scaling(quick: bool) -> str:
    """Return the tables of how times grow."""
    parts = []
    rows = []
    for n in (100, 1_000, 10_000, 100_000, 1_000_000, *(() if quick else (10_000_000,))):
        model, x = model_of(2, 10), random_events(n, 2)
        found = best(response_contenders(model, x), 5 if n > 10**6 else 9)
        rows.append([f"{n:,}", *(f"{s / n * 1e9:.0f}" for s in found.values())])
    parts.append("## Responses by the number of events: 2-10-1, ns per event\n\n" + table(["events", *found], rows))
    rows = []
    n = 100_000
    for n_variables, n_hidden in ((2, 10), (5, 10), (10, 10), (20, 10), (10, 20), (20, 30), (50, 100)):
        found = best(response_contenders(model_of(n_variables, n_hidden), random_events(n, n_variables)), 5)
        rows.append([f"{n_variables}-{n_hidden}-1", *(f"{s / n * 1e9:.0f}" for s in found.values())])
    parts.append(f"## Responses by the size of the network: {n:,} events, ns per event\n\n" + table(["", *found], rows))
    rows = []
    settings = TrainingSettings(n_cycles=10)
    for n in (5_000, 50_000, 500_000):
        sample = problem(n, 5)
        times = [min(training_seconds(sample, 10, settings, "1", t) for _ in range(3)) for t in (1, n_threads())]
        rows.append([f"{n:,}", *(f"{s / n * 1e9:.0f}" for s in times)])
    parts.append(
        "## Training by the number of events: 5-10-1, BFGS, ns per event and epoch\n\n"
        + table(["events", "ours, numba, 1 thread", f"ours, numba, {_threads(n_threads())}"], rows)
    )
    return "\n\n".join(parts)


def machine() -> str:
    """Return what was measured on what."""
    versions = [f"Python {platform.python_version()}"]
    for name in ("numpy", "numba", "sklearn", "onnxruntime"):
        if find_spec(name) is not None:
            versions.append(f"{name} {import_module(name).__version__}")
        else:
            versions.append(f"{name} not installed")
    load = ""
    if hasattr(os, "getloadavg"):
        load = f" The load of the machine at the start was {os.getloadavg()[0]:.1f}."
    return f"{_processor()}, {n_threads()} processors; {', '.join(versions)}.{load}"


def _processor() -> str:
    cpus = Path("/proc/cpuinfo")
    text = cpus.read_text(encoding="utf-8") if cpus.exists() else ""
    name = re.search(r"model name\s*:\s*(.*)", text)
    vectors = "AVX-512" if "avx512f" in text else "AVX2" if "avx2" in text else ""
    return f"{name.group(1) if name else platform.processor()} {vectors}".strip()


def main() -> None:
    """Measure, print, and write the page if asked to."""
    parser = argparse.ArgumentParser(description="Measure speed.")
    parser.add_argument("--quick", action="store_true", help="fewer events, no large training")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    given: Any = parser.parse_args()
    n = 100_000 if given.quick else 1_000_000
    texts = [f"Measured by `tools/bench` on: {machine()}"]
    print(texts[0], flush=True)
    for part in (
        lambda: responses(n),
        lambda: errors(n // 5),
        lambda: single_events(20_000),
        lambda: trainings(given.quick),
        lambda: back_propagation(40_000),
        lambda: scaling(given.quick),
    ):
        texts.append(part())
        print("\n" + texts[-1], flush=True)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n\n" + "\n\n".join(texts) + f"\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
