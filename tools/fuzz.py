"""Feeds changed files, option strings, formulas and macros to the package.

What may come out is a result, or an error of ``pytmva_bnn.errors``; for a macro a translation that leaves out what it
cannot do.  Everything else is a finding: another exception, also RecursionError and MemoryError, or more than 20
seconds of work.  Each is told once, with the number that makes it again, and its smallest input is kept in a file.  The
exit code is 1 if there are findings.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from fuzz_targets import ROOT, TARGETS, DefectError, Target
from fuzz_ways import OddityError

from pytmva_bnn.errors import TMVAError
from pytmva_bnn.port.translate import DEFECT

LONGEST = 20.0
MEMORY = 6 << 30
TRIES = 150


class TooLongError(BaseException):
    """An input takes too much time; no ``except Exception`` on the way may hold it up."""


@dataclass(frozen=True)
class Finding:
    """What must not happen: which error, where, made by which number; ``file`` has the input."""

    kind: str
    error: str
    place: str
    number: int
    message: str
    file: Path


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLongError after some time of work; the time that others use the machine does not count."""

    def stop(_signal: int, _frame: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def outcome(target: Target, data: bytes, folder: Path) -> tuple[str, BaseException | None]:
    """Return ``result``, ``refused`` or ``finding`` for an input, and the error of a finding."""
    path = folder / f"input{target.ending}"
    path.write_bytes(data)
    try:
        with (
            limited(LONGEST),
            warnings.catch_warnings(action="ignore"),
            open(os.devnull, "w", encoding="utf-8") as nothing,  # noqa: PTH123
            redirect_stdout(nothing),
            redirect_stderr(nothing),
        ):
            target.read(data, path)
    except TMVAError:
        return "refused", None
    except (Exception, TooLongError) as error:
        return "finding", error
    return "result", None


def place_of(error: BaseException) -> str:
    """Return the last line of the package that an error went through."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "pytmva_bnn" in frame.filename]
    if not frames or isinstance(error, TooLongError | RecursionError | MemoryError):  # anywhere
        return type(error).__name__
    return f"{frames[-1].filename.rpartition('pytmva_bnn/')[2]}:{frames[-1].lineno}"


def sign_of(error: BaseException | None) -> tuple[str, str]:
    """Return what makes two findings the same."""
    if error is None:
        return "", ""
    if isinstance(error, OddityError):
        return type(error).__name__, error.sign
    if isinstance(error, DefectError):
        return type(error).__name__, str(error).partition(f"{DEFECT}: ")[2].partition(":")[0]
    return type(error).__name__, place_of(error)


def smallest(data: bytes, is_same: Callable[[bytes], bool], end: float) -> bytes:
    """Return a smaller input with the same outcome, found by leaving out halves, quarters and so on."""
    tries = 0
    for part in (2, 4, 8, 16, 32, 64):
        step = max(1, len(data) // part)
        start = 0
        while start < len(data) and tries < TRIES and time.monotonic() < end:
            shorter = data[:start] + data[start + step :]
            tries += 1
            if shorter != data and is_same(shorter):
                data = shorter
            else:
                start += step
    return data


def mutated(kind: str, corpus: Sequence[bytes], seed: int, number: int) -> bytes:
    """Return an input; it follows from the seed, the kind and the number."""
    choose = random.Random(f"{seed} {kind} {number}")  # noqa: S311 - not for secrets
    return TARGETS[kind].mutate(choose, choose.choice(corpus), corpus)


def feed(
    kinds: Sequence[str], seconds: float, seed: int, keep: Path, most: int = sys.maxsize
) -> tuple[dict[str, Counter[str]], list[Finding]]:
    """Feed the kinds in turn, ``most`` inputs each or until the time is over; return counts and findings."""
    counts = {kind: Counter[str]() for kind in kinds}
    found: dict[tuple[str, str, str], Finding] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpora = {kind: TARGETS[kind].corpus(folder) for kind in kinds}
        end = time.monotonic() + seconds
        for number in range(most):
            for kind in kinds:
                if time.monotonic() > end:
                    return counts, list(found.values())
                data = mutated(kind, corpora[kind], seed, number)
                word, error = outcome(TARGETS[kind], data, folder)
                counts[kind][word] += 1
                sign = sign_of(error)
                if error is None or (kind, *sign) in found:
                    continue
                keep.mkdir(parents=True, exist_ok=True)
                file = keep / f"{kind}-{seed}-{number}{TARGETS[kind].ending}"

                def is_same(shorter: bytes, kind: str = kind, sign: tuple[str, str] = sign) -> bool:
                    return sign_of(outcome(TARGETS[kind], shorter, folder)[1]) == sign

                file.write_bytes(smallest(data, is_same, min(end, time.monotonic() + 10)))
                found[kind, *sign] = Finding(kind, *sign, number, str(error)[:200], file)
    return counts, list(found.values())


def report(counts: dict[str, Counter[str]], findings: Sequence[Finding], seed: int) -> str:
    """Return the table, and the findings."""
    words = ("result", "refused", "finding")
    lines = [f"Seed {seed}", "", f"| kind | {' | '.join(words)} |", "|---|---|---|---|"]
    for kind, n in [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]:
        lines.append(f"| {kind} | {' | '.join(str(n[word]) for word in words)} |")
    told = [f"* {f.kind} {f.number}: {f.error} at {f.place}: {f.message!r} ({f.file})" for f in findings]
    return "\n".join([*lines, "", *(told or ["No findings."])])


def main(argv: Sequence[str] | None = None) -> int:
    """Feed, print the table, and return 1 if something was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600, help="how long (default: 600)")
    parser.add_argument("--quick", action="store_true", help="two inputs of each kind")
    parser.add_argument("--seed", type=int, default=1, help="other inputs (default: 1)")
    parser.add_argument("--only", nargs="+", choices=TARGETS, help="these kinds only")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "fuzz", help="folder for inputs (build/fuzz)")
    given = parser.parse_args(argv)
    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    kinds = given.only or list(TARGETS)
    counts, findings = feed(kinds, given.seconds, given.seed, given.keep, *([2] if given.quick else []))
    print(report(counts, findings, given.seed))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
