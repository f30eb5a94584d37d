"""``pytmva-bnn apply``."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import numpy as np

from pytmva_bnn.cli.apply_file import Outcome, Task, apply_file, merge
from pytmva_bnn.cli.console import complain, progress, say
from pytmva_bnn.cli.event_writers import WRITERS
from pytmva_bnn.cli.file_names import check_not_overwritten, input_files, is_folder, output_files
from pytmva_bnn.cli.many_files import Runner, in_processes, on_dask, run_with_progress, serially
from pytmva_bnn.cli.numbers import count, positive
from pytmva_bnn.cli.response_columns import RESPONSE
from pytmva_bnn.convert import load_any
from pytmva_bnn.events.sources import BLOCK_SIZE, source_of
from pytmva_bnn.events.sources.opening import split_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("weights", metavar="WEIGHTS", help="weight file")
    add("files", metavar="FILE", nargs="+", help="ROOT files, FILE or FILE:TREE; patterns may be in quotes")
    add("--tree", default="", help="name of the tree (not needed if a file has only one)")
    add("--errors", action="store_true", help="also write lower and upper, the sizes of the error bars")
    add("--keep", metavar="NAME", action="append", default=[], help="keep a branch, spectator or 'label := expression'")
    add("--name", default=RESPONSE, help="name of the new branch (default: response)")
    add("--output-tree", metavar="TREE", default="", help="name of the new tree (default: that of the old one)")
    add("--format", choices=[ending[1:] for ending in WRITERS], default="root", help="format of files in a folder")
    add("--jobs", metavar="N", type=positive, default=1, help="number of processes")
    add("--dask", metavar="SCHEDULER", help="run on a dask cluster: address, scheduler file, or 'local'")
    add("--retries", metavar="N", type=count, default=1, help="how often a failed file is tried again (default: 1)")
    add("--skip-existing", action="store_true", help="leave out files whose output is there (in a folder)")
    add("--block-size", metavar="N", type=positive, default=BLOCK_SIZE, help="events in memory at a time")
    add(
        "-o",
        "--output",
        metavar="PATH",
        required=True,
        help="file (.root, .parquet, .npz; several inputs are merged) or folder (one file for each input)",
    )


def run(arguments: argparse.Namespace) -> int:
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
        block_size=arguments.block_size,
    )
    if not to_folder and len(sources) == 1 and arguments.dask is None:
        return _single(replace(pattern, source=sources[0], target=arguments.output))
    runner = _runner(arguments)
    if not to_folder:
        return _merged(pattern, sources, arguments.output, runner, arguments.retries)
    tasks = [replace(pattern, source=one, target=other) for one, other in zip(sources, targets, strict=True)]
    if arguments.skip_existing:
        tasks = [task for task in tasks if not Path(task.target).exists()]
    return _summary(run_with_progress(tasks, runner, arguments.retries) if tasks else [])


def _single(task: Task) -> int:
    """Do one task here, with a bar that counts events; errors end the command."""
    with progress(source_of(task.source).n_entries, "apply", "event") as advance:
        outcome = apply_file(task, advance)
    say(f"{task.target}: {outcome.n_events} events")
    return 0


def _merged(
    pattern: Task, sources: Sequence[str], target: str, runner: AbstractContextManager[Runner], retries: int
) -> int:
    """Apply the network to each file and put all together; if a file failed nothing is written."""
    parent = Path(target).resolve().parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent, prefix=f".{Path(target).name[:40]}.") as folder:
        tasks = [
            replace(pattern, source=source, target=f"{folder}/part{number:06d}.root")
            for number, source in enumerate(sources)
        ]
        outcomes = run_with_progress(tasks, runner, retries)
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
    return in_processes(arguments.jobs) if arguments.jobs > 1 else serially()


def _summary(outcomes: Sequence[Outcome], *, show_targets: bool = True) -> int:
    failed = [one for one in outcomes if not one.good]
    if show_targets:
        for one in outcomes:
            if one.good:
                say(f"{one.task.target}: {one.n_events} events")
    n_events = sum(one.n_events for one in outcomes)
    say(f"{len(outcomes) - len(failed)} of {len(outcomes)} files done, {n_events} events")
    for one in failed:
        file = split_path(one.task.source)[0]
        complain("error", one.error if file in one.error else f"{one.task.source}: {one.error}")
    return 1 if failed else 0
