"""``pytmva-bnn apply``: which files are read, what those are called that it writes, and who does the work."""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np

from pytmva_bnn.cli.apply_file import Outcome, Task, apply_file, attempt, merge
from pytmva_bnn.cli.console import complain, progress, say
from pytmva_bnn.cli.event_writers import WRITERS
from pytmva_bnn.convert import load_any
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.sources import BLOCK_SIZE, source_of
from pytmva_bnn.events.sources.opening import files_of, split_path
from pytmva_bnn.files import folder_for
from pytmva_bnn.optional import optional

Runner: TypeAlias = Callable[[Sequence[Task]], Iterable[Outcome]]
"""Does tasks and gives their outcomes, in any order."""


def run_apply(arguments: argparse.Namespace) -> int:
    """Apply the network; the exit code is 1 if a file failed."""
    model = load_any(arguments.weights)
    if arguments.errors:
        model.predict(np.empty((0, len(model.variables))), errors=True)  # says now if there are none
    sources = input_files(arguments.files, arguments.tree)
    to_folder = is_folder(arguments.output)
    ending = f".{arguments.format}"
    targets = output_files(sources, arguments.output, ending) if to_folder else [arguments.output]
    check_not_overwritten(sources, targets)
    pattern = Task(
        weights=str(arguments.weights),
        source="",
        target="",
        errors=arguments.errors,
        keep=tuple(arguments.keep),
        name=arguments.name,
        output_tree=arguments.output_tree,
        block_size=arguments.block_size or BLOCK_SIZE,
        signal_efficiency=arguments.signal_efficiency,
    )
    if not to_folder and len(sources) == 1 and arguments.dask is None:
        return _single(replace(pattern, source=sources[0], target=arguments.output))
    runner = _runner(arguments)
    if not to_folder:
        return _merged(pattern, sources, arguments.output, runner, arguments.retries)
    tasks = [replace(pattern, source=one, target=other) for one, other in zip(sources, targets, strict=True)]
    if arguments.skip_existing:
        tasks = [task for task in tasks if not Path(task.target).exists()]
    return _summary(run_all(tasks, runner, arguments.retries) if tasks else [])


def _single(task: Task) -> int:
    """Do one task here, with a bar that counts events; errors end the command."""
    with progress(source_of(task.source).n_entries, "apply", "event") as advance:
        outcome = apply_file(task, advance)
    say(f"{task.target}: {outcome.n_events} events")
    _tell_undefined([outcome])
    return 0


def _merged(
    pattern: Task, sources: Sequence[str], target: str, runner: AbstractContextManager[Runner], retries: int
) -> int:
    """Apply the network to each file and put all together; if a file failed nothing is written."""
    path = Path(target).resolve()
    with (
        folder_for(path),
        tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name[:40]}.") as folder,
    ):
        tasks = [
            replace(pattern, source=source, target=f"{folder}/part{number:06d}.root")
            for number, source in enumerate(sources)
        ]
        outcomes = run_all(tasks, runner, retries)
        if _summary(outcomes, show_targets=False):
            complain(
                "error",
                f"{target} is not written, as it would not be complete: leave out the files that failed, or write one "
                "for each with -o FOLDER (--skip-existing then does only what is missing)",
            )
            return 1
        say(f"{target}: {merge(outcomes, target, pattern.output_tree, pattern.block_size)} events")
    return 0


def _runner(arguments: argparse.Namespace) -> AbstractContextManager[Runner]:
    if arguments.dask is not None:
        return on_dask(arguments.dask, arguments.jobs)
    if arguments.jobs > 1:
        return nullcontext(partial(in_processes, arguments.jobs))
    return nullcontext(lambda tasks: map(attempt, tasks))


def _tell_undefined(outcomes: Sequence[Outcome]) -> None:
    number = sum(one.n_undefined for one in outcomes)
    if number:
        files = ", ".join(one.task.source for one in outcomes if one.n_undefined)
        complain("warning", f"{number} events have a variable that is NaN or infinite; their response is NaN ({files})")


def _summary(outcomes: Sequence[Outcome], *, show_targets: bool = True) -> int:
    failed = [one for one in outcomes if not one.good]
    if show_targets:
        for one in outcomes:
            if one.good:
                say(f"{one.task.target}: {one.n_events} events")
    n_events = sum(one.n_events for one in outcomes)
    say(f"{len(outcomes) - len(failed)} of {len(outcomes)} files done, {n_events} events")
    _tell_undefined(outcomes)
    for one in failed:
        file = split_path(one.task.source)[0]
        complain("error", one.error if file in one.error else f"{one.task.source}: {one.error}")
    return 1 if failed else 0


# ---- many files: one after the other, in several processes, or on a dask cluster


def run_all(tasks: Sequence[Task], runner: AbstractContextManager[Runner], retries: int) -> list[Outcome]:
    """Return the outcomes in the order of the tasks; failed ones are tried up to ``retries`` times more."""
    outcomes: dict[Task, Outcome] = {}
    with progress(len(tasks), "apply", "file") as advance, runner as run:
        for _ in range(1 + retries):
            left = [task for task in tasks if task not in outcomes or not outcomes[task].good]
            if not left:
                break
            for outcome in run(left):
                outcomes[outcome.task] = outcome
                if outcome.good:
                    advance(1)
    return [outcomes[task] for task in tasks]


def in_processes(jobs: int, tasks: Sequence[Task]) -> Iterator[Outcome]:
    """Do the tasks in ``jobs`` processes."""
    # spawn: a fork of a process with threads, which numpy and uproot have, can hang
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=multiprocessing.get_context("spawn"))
    try:
        futures = {pool.submit(in_worker, task): task for task in tasks}
        for future in as_completed(futures):
            error = future.exception()
            # an error here is one of the process, not of the task: it was killed, or ran out of memory
            yield Outcome(futures[future], error=f"the process ended ({error})") if error else future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_interrupted = False
"""Of a worker process: it has been told to stop, and the tasks that wait for it are not to be started."""


def in_worker(task: Task) -> Outcome:
    """Do a task in a process of a pool; after an interrupt do nothing more."""
    global _interrupted
    if not _interrupted:
        try:
            return attempt(task)
        except KeyboardInterrupt:
            _interrupted = True
    return Outcome(task, error="interrupted")


@contextmanager
def on_dask(scheduler: str, jobs: int = 1) -> Iterator[Runner]:
    """Do the tasks on a dask cluster.

    ``scheduler`` is an address, the name of a scheduler file (``.json``), or ``local`` for a cluster of ``jobs``
    workers on this machine.  The workers must see the files under the same names.
    """
    distributed = optional("distributed", "dask", "--dask")
    if scheduler == "local":
        cluster = distributed.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=":0")
        client = distributed.Client(cluster)
    else:
        cluster = None
        given = {"scheduler_file": scheduler} if scheduler.endswith(".json") else {"address": scheduler}
        client = distributed.Client(timeout="10s", **given)

    def run(tasks: Sequence[Task]) -> Iterator[Outcome]:
        futures = {client.submit(attempt, task, pure=False): task for task in tasks}
        for future in distributed.as_completed(list(futures)):
            if future.status == "finished":
                yield future.result()
            else:
                yield Outcome(futures[future], error=f"the dask worker failed ({future.exception()})")

    try:
        yield run
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


# ---- names of files


def input_files(given: Sequence[str], tree: str) -> list[str]:
    """Return ``file:tree`` of each file; patterns are expanded in alphabetical order."""
    return [file for text in given for file in files_of(text, tree)]


def is_folder(output: str) -> bool:
    """Tell whether an output is a folder of files: it exists as one, ends in a slash, or has no ending."""
    if output.endswith("/") or Path(output).is_dir():
        return True
    ending = Path(output).suffix
    if ending and ending not in WRITERS:
        raise InputError(
            f"{output}: the end of the name must be one of {', '.join(WRITERS)}; "
            f"write {output}/ if it is to be a folder"
        )
    return not ending


def output_files(sources: Sequence[str], folder: str, ending: str) -> list[str]:
    """Return a name in ``folder`` for each source; files of the same name get those of their folders in front."""
    paths = [Path(split_path(source)[0]) for source in sources]
    trees = [split_path(source)[1].replace("/", "_") for source in sources]
    names = [path.stem for path in paths]
    names = _told_apart(names, [f"{path.parent.name}_{path.stem}" for path in paths])
    names = _told_apart(names, [f"{name}_{tree}" for name, tree in zip(names, trees, strict=True)])
    names = _told_apart(names, [f"{name}_{number}" for number, name in enumerate(names, start=1)])
    return [str(Path(folder) / f"{name}{ending}") for name in names]


def _told_apart(names: list[str], longer: list[str]) -> list[str]:
    counts = Counter(names)
    return [name if counts[name] == 1 else other for name, other in zip(names, longer, strict=True)]


def check_not_overwritten(sources: Sequence[str], targets: Sequence[str]) -> None:
    """Raise if an output is one of the inputs."""
    inputs = {Path(split_path(source)[0]).resolve() for source in sources if "://" not in source}
    for target in targets:
        if Path(target).resolve() in inputs:
            raise InputError(f"{target} is an input file: choose another name for the output")
