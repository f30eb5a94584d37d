"""Kills processes with SIGKILL at random moments while they train and write files, and looks at what they left.

A file that was there must be the old one or the new one, complete; temporary files of the dead process must go when
the next file is written; and a training that goes on from its checkpoint must end with the weights, bit for bit, of one
that nobody disturbed.  Every second kill waits for a temporary file, so that it falls into the writing.  The exit code
is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

from fault_jobs import JOBS, Training, Writer

from pytmva_bnn.files import atomic_writer

FORK = multiprocessing.get_context("fork")
NEXT = "next"
COLUMNS = ("kills", "while writing", "old", "new", "resumed", "wrong")


class WrongError(Exception):
    """Something that must not be left by a killed process, or happen after it."""


def in_child(function: Callable[..., Any], *arguments: object) -> Any:
    """Return what a function gives in a process of its own; this one must stay without threads."""
    here, there = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_answer, args=(there, function, arguments))
    process.start()
    there.close()
    try:
        good, result = here.recv()
    except EOFError:
        good, result = False, "the process has died"
    process.join()
    if not good:
        raise WrongError(result)
    return result


def _answer(there: Any, function: Callable[..., Any], arguments: Sequence[object]) -> None:
    try:
        there.send((True, function(*arguments)))
    except BaseException as error:
        there.send((False, f"{type(error).__name__}: {error}"))


def kill(function: Callable[[], object], moment: float, folder: Path | None) -> None:
    """Start a function and kill its process after ``moment`` seconds.

    With a folder it is killed shortly after a temporary name has appeared there, not before the moment.
    """
    here, there = FORK.Pipe(duplex=False)

    def begin() -> None:
        there.send(True)
        function()

    process = FORK.Process(target=begin)
    process.start()
    here.recv()
    process.join(moment)
    end = time.monotonic() + 20 * moment + 5  # there may never be one
    while folder is not None and process.is_alive() and not temporaries(folder) and time.monotonic() < end:
        process.join(2e-4)
    if folder is not None:
        process.join(moment % 3e-4)
    process.kill()
    process.join()


def temporaries(folder: Path) -> list[str]:
    """Return the temporary names in a folder."""
    return [path.name for path in folder.glob(".*")]


def seconds_of(function: Callable[..., object], *arguments: object) -> tuple[Any, float]:
    """Return what a function gives, and the time that it took."""
    start = time.perf_counter()
    return function(*arguments), time.perf_counter() - start


def check_next(folder: Path, allowed: set[str]) -> None:
    """Write one more file, and see that only what is allowed is in the folder then."""
    with atomic_writer(folder / NEXT) as stream:
        stream.write(b"x")
    names = {path.name for path in folder.iterdir()} - {NEXT}
    if names - allowed:
        raise WrongError(f"left behind: {', '.join(sorted(names - allowed))}")


def write_rounds(job: Writer, folder: Path, choose: random.Random) -> Iterator[Counter[str]]:
    """Kill a writer again and again; yields what was found each time."""
    known, longest = [], 0.0
    for content in (0, 1):
        place = folder / str(content)
        place.mkdir()
        _, seconds = in_child(seconds_of, job.write, place / job.file, content)
        longest = max(longest, seconds)
        known.append(in_child(job.read, place / job.file))
    if known[0] == known[1]:
        raise WrongError("the two contents are the same")
    place = folder / "work"
    place.mkdir()
    target = place / job.file

    def forever() -> None:
        for number in count(1):
            job.write(target, number % 2)

    for number in count():
        shutil.copyfile(folder / "0" / job.file, target)
        aimed = place if number % 2 else None
        kill(forever, choose.uniform(0, 2 * longest), aimed)
        strays = temporaries(place)
        found = in_child(job.read, target)
        if found not in known:
            raise WrongError(f"{job.file} is neither the old nor the new one")
        check_next(place, {job.file, "dataset"})
        yield Counter({"while writing": bool(strays), "old": found == known[0], "new": found == known[1]})


def training_rounds(job: Training, folder: Path, choose: random.Random) -> Iterator[Counter[str]]:
    """Kill a training once or twice and let it end; yields what was found each time."""
    undisturbed = folder / "undisturbed"
    undisturbed.mkdir()
    wanted, longest = in_child(seconds_of, job.run, undisturbed)
    place = folder / "work"
    for number in count():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        strays = 0
        for _ in range(choose.choice((1, 2))):
            kill(partial(job.run, place), choose.uniform(0, longest), place if number % 2 else None)
            strays += len(temporaries(place))
        resumed = (place / "state.npz").exists()
        if in_child(job.run, place) != wanted:
            raise WrongError("the weights are not those of the training that nobody disturbed")
        check_next(place, {"state.npz", "dataset"})
        yield Counter({"while writing": bool(strays), "new": 1, "resumed": resumed})


def run(
    jobs: dict[str, Writer | Training], kills: int, seconds: float, seed: int
) -> tuple[dict[str, Counter[str]], list[str]]:
    """Take turns with the jobs until the kills or the seconds are used up; return counts and what was wrong."""
    end = time.monotonic() + seconds
    counts = {name: Counter[str]() for name in jobs}
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        rounds = {}
        for name, job in jobs.items():
            place = Path(folder) / name
            place.mkdir()
            # a string: seeds that are tuples depend on the run
            choose = random.Random(f"{seed} {name}")  # noqa: S311 - moments to kill at
            rounds[name] = (
                write_rounds(job, place, choose) if isinstance(job, Writer) else training_rounds(job, place, choose)
            )
        for name in islice(cycle(jobs), kills):
            if time.monotonic() > end or not rounds:
                break
            if name not in rounds:
                continue
            counts[name]["kills"] += 1
            try:
                counts[name] += next(rounds[name])
            except WrongError as error:
                counts[name]["wrong"] += 1
                wrong.append(f"{name}, kill {counts[name]['kills']}: {error}")
                del rounds[name]  # what comes after it would tell the same
    return counts, wrong


def report(counts: dict[str, Counter[str]], wrong: list[str]) -> str:
    """Return the table, and what was wrong."""
    lines = [f"| job | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    total = sum(counts.values(), Counter[str]())
    for name, count_of in [*counts.items(), ("all", total)]:
        lines.append(f"| {name} | {' | '.join(str(count_of[column]) for column in COLUMNS)} |")
    return "\n".join([*lines, "", *(f"* {one}" for one in wrong or ["Nothing is wrong."])])


def main(argv: Sequence[str] | None = None) -> int:
    """Kill, print the table, and return 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200, help="how many processes to kill (default: 200)")
    parser.add_argument("--seconds", type=float, default=1800, help="begin no new one after this time (default: 1800)")
    parser.add_argument("--quick", action="store_true", help="at most one kill of each kind, and no new one after 5 s")
    parser.add_argument("--only", nargs="+", choices=JOBS, help="these only")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default: 1)")
    given = parser.parse_args(argv)
    logging.disable(logging.WARNING)
    jobs = {name: job for name, job in JOBS.items() if not given.only or name in given.only}
    kills, seconds = (len(jobs), 5.0) if given.quick else (given.kills, given.seconds)
    counts, wrong = run(jobs, kills, seconds, given.seed)
    print(report(counts, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
