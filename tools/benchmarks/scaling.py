"""How times grow with events, variables, hidden neurons and threads."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Curve, Section, best, table, thread_counts, threads_text, within
from benchmarks.responses import contenders
from benchmarks.samples import model_of, problem, random_events
from benchmarks.trainings import training_seconds
from pytmva_bnn.fast.threads import n_threads
from pytmva_bnn.methods.mlp.training import TrainingSettings

#: rounds of small jobs: on a machine that does other things as well, the best one is to be undisturbed
_ROUNDS = 25


def responses(quick: bool) -> Iterator[Section]:
    """Measure responses."""
    yield by_events(quick)
    yield by_network("variables", [(v, 10) for v in (2, 5, 10, 20, 50)])
    yield by_network("hidden neurons", [(5, h) for h in (2, 5, 10, 20, 50, 100)])
    yield by_network("both", [(10, 20), (20, 30), (50, 100)])


def threads_and_trainings(quick: bool) -> Iterator[Section]:
    """Measure trainings, and everything by threads."""
    yield training_by_events()
    yield by_threads(quick)


def by_events(quick: bool) -> Section:
    """Measure responses of few and of many events."""
    numbers = [100, 1_000, 10_000, 100_000, 1_000_000, *([] if quick else [10_000_000])]
    found: dict[str, list[float]] = {}
    for n in numbers:
        measured = best(contenders(model_of(2, 10), random_events(n, 2)), 5 if n > 10**5 else _ROUNDS)
        for name, seconds in measured.items():
            found.setdefault(name, []).append(seconds / n * 1e9)
    return _section("Responses by the number of events: 2-10-1", "events", numbers, found, "responses_by_events")


def by_network(what: str, sizes: list[tuple[int, int]]) -> Section:
    """Measure responses of networks of several sizes."""
    n = 100_000
    found: dict[str, list[float]] = {}
    for n_variables, n_hidden in sizes:
        measured = best(contenders(model_of(n_variables, n_hidden), random_events(n, n_variables)), _ROUNDS)
        for name, seconds in measured.items():
            found.setdefault(name, []).append(seconds / n * 1e9)
    names = [f"{v}-{h}-1" for v, h in sizes]
    x = [v if what == "variables" else h for v, h in sizes]
    title = f"Responses by the size of the network ({what}): {n:,} events"
    rows = [[name, *(f"{values[i]:.0f}" for values in found.values())] for i, name in enumerate(names)]
    label = "variables (ten hidden neurons)" if what == "variables" else "hidden neurons (five variables)"
    curve = None
    if what != "both":
        curve = Curve(f"responses_by_{what.replace(' ', '_')}", label, "ns per event", x, found)
    return Section(f"{title}, ns per event", table(["", *found], rows), curve)


def training_by_events() -> Section:
    """Measure an epoch with few and with many events."""
    numbers, settings = [5_000, 50_000, 500_000], TrainingSettings(n_cycles=10)
    found: dict[str, list[float]] = {}
    for n in numbers:
        sample = problem(n, 5)
        for threads in sorted({1, n_threads()}):
            seconds = min(training_seconds(sample, 10, settings, "1", threads) for _ in range(3))
            found.setdefault(f"ours, numba, {threads_text(threads)}", []).append(seconds / n * 1e9)
    title = "Training by the number of events: 5-10-1, BFGS, per epoch"
    return _section(title, "events", numbers, found, "training_by_events")


def by_threads(quick: bool) -> Section:
    """Measure responses, errors and an epoch with more and more threads."""
    n = 100_000 if quick else 1_000_000
    model, x, sample = model_of(2, 10), random_events(n, 2), problem(n // 4, 5)
    rows = []
    for threads in thread_counts():
        jobs = {
            "responses": within("1", threads, lambda: model.predict(x)),
            "errors": within("1", threads, lambda: model.predict(x, errors=True)),
        }
        seconds = best(jobs, 5)
        epoch = min(training_seconds(sample, 10, TrainingSettings(n_cycles=10), "1", threads) for _ in range(3))
        cells = [f"{seconds[job] / n * 1e9:.1f}" for job in jobs]
        rows.append([str(threads), *cells, f"{epoch / (n // 4) * 1e9:.0f}"])
    text = table(["threads", "responses, 2-10-1", "with errors, 2-10-1", "BFGS epoch, 5-10-1"], rows)
    return Section("By the number of threads: compiled code, ns per event", text)


def _section(title: str, what: str, numbers: list[int], found: dict[str, list[float]], name: str) -> Section:
    rows = [[f"{n:,}", *(f"{values[i]:.0f}" for values in found.values())] for i, n in enumerate(numbers)]
    curve = Curve(name, what, "ns per event", list(map(float, numbers)), found)
    return Section(f"{title}, ns per event", table([what, *found], rows), curve)
