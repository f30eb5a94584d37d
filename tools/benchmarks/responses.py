"""Responses and errors, in arrays and one event after the other."""

from __future__ import annotations

import functools
import tempfile
import time
from pathlib import Path

import numpy as np

import pytmva_bnn as TMVA
from benchmarks import peers, tmva
from benchmarks.measure import Contenders, Section, best, mode, table, threads_text, within
from benchmarks.samples import model_of, random_events
from pytmva_bnn.fast.threads import n_threads
from pytmva_bnn.standalone import write_class


def in_float32(model: TMVA.Model) -> TMVA.Model:
    """Return the model as ``load(path, precision="float32")`` gives it."""
    return TMVA.Model(model.file, model.fitted, transformations=model.transformations, precision="float32")


def contenders(model: TMVA.Model, x: np.ndarray, threads: list[int] | None = None) -> Contenders:
    """Return all that compute responses, by name."""
    threads = sorted({1, n_threads()}) if threads is None else threads
    found: dict[str, peers.Function | None] = {"ours, numpy": within("0", 1, lambda: model.predict(x))}
    for n in threads:
        found[f"ours, numba, {threads_text(n)}"] = within("1", n, lambda: model.predict(x))
    single = in_float32(model)
    for n in threads:
        found[f"ours, numba, float32, {threads_text(n)}"] = within("1", n, lambda: single.predict(x))
    found["scikit-learn, float64"] = peers.scikit_learn(model.network, x)
    for n in threads:
        found[f"onnxruntime, float32, {threads_text(n)}"] = peers.onnx_runtime(model.network, x, n)
    for number, n in (("float64", 1), ("float32", 1), ("float32", threads[-1])):
        found[f"torch, {number}, {threads_text(n)}"] = peers.torch_response(model.network, x, n, number)
    return {name: function for name, function in found.items() if function is not None}


def responses(n: int, tmva_class: Path | None) -> Section:
    """Measure responses of many events; ``tmva_class`` is a C++ class that TMVA wrote."""
    model, x = model_of(2, 10), random_events(n, 2)
    seconds = {name: s / n for name, s in best(contenders(model, x), 9).items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ours.class.C"
        write_class(model, path)
        ours = peers.cpp_class(path)
    if ours is not None:
        seconds["our C++ class, g++ -O2"] = ours
    reader, where = tmva.reader_seconds(x[:100_000], errors=False)
    rows = [[f"TMVA's Reader in C++ ({where})", f"{reader * 1e6:.3f}", "1"]]
    note = ""
    given = None if tmva_class is None else peers.cpp_class(tmva_class)
    if given is not None and tmva_class is not None:
        known = tmva.Known.generated_class_4_9_1
        rows.append(["TMVA's C++ class, g++ -O2 (this machine)", f"{given * 1e6:.3f}", f"{reader / given:.0f}"])
        note = (
            f"\n\nThe class that TMVA wrote was given with `--tmva-class` ({tmva_class.name}). On the machine where "
            f"TMVA's Reader was measured such a class of a 4-9-1 network took {known * 1e6:.2f} µs: if this is one "
            f"too, this machine is {known / given:.2f} times as fast, and ratios to TMVA are to be divided by that."
        )
    rows += [[name, f"{s * 1e6:.4f}", f"{reader / s:.0f}"] for name, s in seconds.items()]
    text = table(["", "µs per event", "times TMVA's Reader"], rows) + note
    bars = {f"TMVA's Reader in C++ ({where})": reader, **seconds}
    return Section(f"Responses: 2-10-1, {n:,} events in an array", text, bars=bars, name="responses")


def beside_onnxruntime() -> Section:
    """Measure one thread by its own clock, so that other jobs of the machine do not count."""
    sizes = [(2, 10, n) for n in (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)]
    networks = [(v, 10) for v in (5, 10, 20, 50)] + [(5, h) for h in (2, 5, 20, 50, 100)]
    networks += [(10, 20), (20, 30), (50, 100)]
    sizes += [(v, h, 20_000) for v, h in networks]
    rows = []
    for n_variables, n_hidden, n in sizes:
        model, x = model_of(n_variables, n_hidden), random_events(n, n_variables)
        single, peer = in_float32(model), peers.onnx_runtime(model.network, x, 1)
        jobs: Contenders = {
            "ours": within("1", 1, functools.partial(model.predict, x)),
            "float32": within("1", 1, functools.partial(single.predict, x)),
        }
        jobs.update({} if peer is None else {"peer": peer})
        seconds = best(jobs, 25, time.thread_time)
        cells = [f"{s / n * 1e9:,.1f}" for s in seconds.values()]
        ratios = [f"{seconds[name] / seconds['peer']:.2f}" if peer else "" for name in ("ours", "float32")]
        rows.append([f"{model.fitted.summary}, {n:,} events", *cells, *([] if peer else [""]), *ratios])
    head = [
        "",
        "ours, float64",
        "ours, float32",
        "onnxruntime, float32",
        "float64 / onnxruntime",
        "float32 / onnxruntime",
    ]
    return Section("Responses beside onnxruntime: one thread, its processor time in ns per event", table(head, rows))


def precision(n: int) -> Section:
    """Measure by how much responses in float32 differ from those in float64."""
    rows = []
    for size in ((2, 10), (20, 30), (50, 100)):
        model, x = model_of(*size), random_events(n, size[0])
        with mode("1", 1):
            exact = model.predict(x)
            found = {"ours": in_float32(model).predict(x)}
        inputs = model.transformations.forward(x)
        peer = peers.onnx_runtime(model.network, inputs, 1)
        if peer is not None:
            found["onnxruntime"] = np.ravel(peer())
        for name, values in found.items():
            difference = values - exact
            numbers = (np.abs(difference).max(), np.sqrt(np.mean(difference**2)))
            rows.append([f"{model.fitted.summary}: {name}", *(f"{number:.1e}" for number in numbers)])
    head = ["", "largest", "root mean square"]
    return Section(f"Responses in float32: differences from float64, {n:,} events", table(head, rows))


def errors(n: int) -> Section:
    """Measure responses with errors."""
    model, x = model_of(2, 10), random_events(n, 2)
    found: Contenders = {"ours, numpy": within("0", 1, lambda: model.predict(x, errors=True))}
    for threads in sorted({1, n_threads()}):
        found[f"ours, numba, {threads_text(threads)}"] = within("1", threads, lambda: model.predict(x, errors=True))
    seconds = {name: s / n for name, s in best(found, 5).items()}
    few = x[:20_000]
    laplace = peers.laplace_errors(model.network, few)
    if laplace is not None:
        seconds["laplace-torch, all weights, float64"] = best({"": laplace}, 3)[""] / len(few)
    reader, where = tmva.reader_seconds(few, errors=True)
    rows = [[f"TMVA's Reader in C++ ({where})", f"{reader * 1e6:.3f}", "1"]]
    rows += [[name, f"{s * 1e6:.3f}", f"{reader / s:.0f}"] for name, s in seconds.items()]
    text = table(["", "µs per event", "times TMVA's Reader"], rows)
    bars = {f"TMVA's Reader in C++ ({where})": reader, **seconds}
    return Section(f"Responses with errors: 2-10-1, {n:,} events in an array", text, bars=bars, name="errors")


def single_events(n: int) -> Section:
    """Measure event loops."""
    found: dict[str, float] = {}
    for name, fast, with_errors, events in (
        ("ours, numpy", "0", False, n),
        ("ours, numba", "1", False, n),
        ("ours, numpy, with errors", "0", True, n // 5),
        ("ours, numba, with errors", "1", True, n),
    ):
        with mode(fast, 1):
            loop = tmva.event_loop(TMVA, with_errors, events)
        found[name] = best({"": within(fast, 1, loop)}, 5)[""] / events
    pyroot = {w: tmva.pyroot_seconds(n, errors=w) for w in (False, True)}
    rows = [
        [f"PyROOT{', with errors' if w else ''} ({where})", f"{s * 1e6:.2f}", "1"] for w, (s, where) in pyroot.items()
    ]
    for name, seconds in found.items():
        rows.append([name, f"{seconds * 1e6:.2f}", f"{pyroot['errors' in name][0] / seconds:.2f}"])
    text = table(["", "µs per event", "times PyROOT's loop"], rows)
    return Section("One event after the other: 2-10-1, `EvaluateMVA(tag)` in a loop", text)
