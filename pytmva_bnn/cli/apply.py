"""``pytmva-bnn apply``: which files are read, what those are called that it writes, and who does the work."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from pytmva_bnn.cli.apply_file import Outcome, Task, apply_file, attempt, merge
from pytmva_bnn.cli.console import complain, error_message, progress, say
from pytmva_bnn.cli.event_writers import WRITERS
from pytmva_bnn.cli.usage import UsageError, usage
from pytmva_bnn.convert import load_any
from pytmva_bnn.events.sources import BLOCK_SIZE, source_of
from pytmva_bnn.events.sources.opening import files_of, split_path
from pytmva_bnn.executor import Executor, Failure, engine_named, open_executor
from pytmva_bnn.files import scratch_folder


def run_apply(arguments: argparse.Namespace) -> int:
    """Apply the network; the exit code is 1 if a file failed."""
    with usage():
        engine_named(arguments.dask or "serial")
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
    with open_executor(arguments.dask, arguments.jobs) as executor:
        if not to_folder:
            return _merged(pattern, sources, arguments.output, partial(run_all, executor, retries=arguments.retries))
        tasks = [replace(pattern, source=source, target=other) for source, other in zip(sources, targets, strict=True)]
        if arguments.skip_existing:
            tasks = [task for task in tasks if not Path(task.target).exists()]
        return _summary(run_all(executor, tasks, arguments.retries))


def _single(task: Task) -> int:
    """Do one task here, with a bar that counts events; errors end the command."""
    with progress(source_of(task.source).n_entries, "apply", "event") as advance:
        outcome = apply_file(task, advance)
    say(f"{task.target}: {outcome.n_events} events")
    _tell_undefined([outcome])
    return 0


def _merged(pattern: Task, sources: Sequence[str], target: str, run: Callable[[Sequence[Task]], list[Outcome]]) -> int:
    """Apply the network to each file and put all together; if a file failed nothing is written."""
    path = Path(target).resolve()
    with scratch_folder(path) as folder:
        tasks = [
            replace(pattern, source=source, target=f"{folder}/part{number:06d}.root")
            for number, source in enumerate(sources)
        ]
        outcomes = run(tasks)
        if _summary(outcomes, show_targets=False):
            complain(
                "error",
                f"{target} is not written because it would be incomplete: leave out the files that failed, or write "
                "one file per input with -o FOLDER (--skip-existing then processes only the missing files)",
            )
            return 1
        say(f"{target}: {merge(outcomes, target, pattern.output_tree, pattern.block_size)} events")
    return 0


def _tell_undefined(outcomes: Sequence[Outcome]) -> None:
    number = sum(outcome.n_undefined for outcome in outcomes)
    if number:
        files = ", ".join(outcome.task.source for outcome in outcomes if outcome.n_undefined)
        complain("warning", f"{number} events have a NaN or infinite variable; their response is NaN ({files})")


def _summary(outcomes: Sequence[Outcome], *, show_targets: bool = True) -> int:
    failed = [outcome for outcome in outcomes if not outcome.good]
    if show_targets:
        for outcome in outcomes:
            if outcome.good:
                say(f"{outcome.task.target}: {outcome.n_events} events")
    n_events = sum(outcome.n_events for outcome in outcomes)
    say(f"{len(outcomes) - len(failed)} of {len(outcomes)} files done, {n_events} events")
    _tell_undefined(outcomes)
    for outcome in failed:
        file = split_path(outcome.task.source)[0]
        complain("error", outcome.error if file in outcome.error else f"{outcome.task.source}: {outcome.error}")
    return 1 if failed else 0


# ---- many files


def run_all(executor: Executor, tasks: Sequence[Task], retries: int) -> list[Outcome]:
    """Return the outcomes in the order of the tasks; failed ones are tried up to ``retries`` times more."""
    outcomes: dict[Task, Outcome] = {}
    for _ in range(1 + retries):
        left = [task for task in tasks if task not in outcomes or not outcomes[task].good]
        for index, found in executor.outcomes(attempt, left, progress="apply", name=lambda task: task.source):
            outcomes[left[index]] = (
                Outcome(left[index], error=error_message(found.error)) if isinstance(found, Failure) else found
            )
    return [outcomes[task] for task in tasks]


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
        raise UsageError(
            f"{output}: the name must end in one of {', '.join(WRITERS)}; write {output}/ if you mean a folder"
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
            raise UsageError(f"{target} is an input file: choose another name for the output")
