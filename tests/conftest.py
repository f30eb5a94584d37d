"""Paths of the reference records, and the list of their cases."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from pytmva_bnn.model import Model
from tools.reference_cases import FIXTURES, Case, train

# no wall clock: another job on the same machine must not fail a test
settings.register_profile("pytmva_bnn", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pytmva_bnn")

CASE_NAMES = sorted(path.name for path in (FIXTURES / "cases").iterdir())


@pytest.fixture(scope="session", params=CASE_NAMES)
def case(request: pytest.FixtureRequest) -> Case:
    """Each of TMVA's records in turn."""
    return Case(request.param)


@pytest.fixture(scope="session")
def case_named():
    """Return a record by its name."""
    return Case


@pytest.fixture(scope="session")
def method_case():
    """Return a record of a method other than the MLP by its name."""
    return lambda name: Case(name, "methods")


@pytest.fixture(scope="session")
def train_as():
    """Return the function that trains as a case says, in the folder of the moment."""
    return train


@pytest.fixture(scope="session")
def trained_case(tmp_path_factory):
    """Return the Factory that has trained as a case says, and the folder of its files; each case trains once."""

    @cache
    def trained(case):
        folder = tmp_path_factory.mktemp(case.name)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            return train(case), folder

    return trained


@pytest.fixture(scope="session")
def train_case(trained_case):
    return lambda case: trained_case(case)[0]


@pytest.fixture(scope="session")
def changed():
    """Return ``changed(model, file={...}, fitted={...})``: a model with other values in its parts."""

    def change(
        model: Model, *, file: dict[str, Any] | None = None, fitted: dict[str, Any] | None = None, **how: Any
    ) -> Model:
        return Model(replace(model.file, **(file or {})), replace(model.fitted, **(fitted or {})), **how)

    return change


@pytest.fixture(autouse=True)
def _in_the_project_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    # the examples in docstrings name files of the project
    monkeypatch.chdir(FIXTURES.parent)


@pytest.fixture(scope="session")
def cpu_limit():
    """Return ``with cpu_limit(seconds):``, which fails if the block computes for longer.

    It is the time that the process computes which counts, so that a busy machine does not fail a test.
    """

    @contextmanager
    def limit(seconds: float) -> Iterator[None]:
        if not hasattr(signal, "setitimer"):
            yield
            return

        def fail(*_: object) -> None:
            raise AssertionError(f"this computes for more than {seconds:g} s")

        before = signal.signal(signal.SIGVTALRM, fail)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

    return limit


@pytest.fixture
def never_hangs(cpu_limit) -> Iterator[None]:
    """Fail after a minute of computing: what takes exponential time would go on for hours."""
    with cpu_limit(60):
        yield


@pytest.fixture(scope="session")
def run_process():
    """Return ``subprocess.run`` with text output, for a command that computes for five minutes at most."""

    def run(command: Iterable[object], **kwargs: Any) -> subprocess.CompletedProcess[str]:
        shell = shutil.which("sh")
        limited = [shell, "-c", 'ulimit -t 300; exec "$@"', "sh"] if shell else []
        return subprocess.run(  # noqa: S603 - our own scripts
            [*limited, *map(str, command)], capture_output=True, text=True, check=False, **kwargs
        )

    return run


@pytest.fixture(scope="session")
def run_script(run_process, tmp_path_factory):
    """Return ``run(script, *arguments, folder=, environment=)``: in a process of its own, warnings being errors."""
    if not hasattr(os, "fork"):

        def run(script, *arguments, folder, environment):
            return run_process([sys.executable, "-W", "error", script, *arguments], cwd=folder, env=environment)

        yield run
        return

    outputs = tmp_path_factory.mktemp("outputs")
    command = [sys.executable, Path(__file__).with_name("script_server.py")]
    environment = {**os.environ, "PYTHONPATH": str(FIXTURES.parent)}
    with subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as server:
        count = itertools.count()

        def run(script, *arguments, folder, environment):
            number = next(count)
            shown = [outputs / f"{number}.{name}" for name in ("stdout", "stderr")]
            job = {
                "argv": [str(script), *map(str, arguments)],
                "folder": str(folder),
                "environment": dict(environment),
                "stdout": str(shown[0]),
                "stderr": str(shown[1]),
            }
            print(json.dumps(job), file=server.stdin, flush=True)
            code = int(server.stdout.readline())
            return subprocess.CompletedProcess(job["argv"], code, *(path.read_text("utf-8") for path in shown))

        yield run


@pytest.fixture
def both_ways(monkeypatch):
    """Return the results of a function by numpy and by compiled code."""
    pytest.importorskip("numba")

    def run(function):
        results = []
        for fast in ("0", "1"):
            monkeypatch.setenv("PYTMVA_BNN_FAST", fast)
            results.append(function())
        return results

    return run


@pytest.fixture
def compiled(monkeypatch):
    """Everything by compiled code."""
    pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "1")


@pytest.fixture(params=["numpy", "numba"])
def mode(request, monkeypatch):
    """Each way in turn."""
    if request.param == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "1" if request.param == "numba" else "0")
    return request.param


@pytest.fixture
def by_numpy(monkeypatch):
    """Return the result of a function computed by numpy."""

    def result(function, *args, **kwargs):
        with monkeypatch.context() as patch:
            patch.setenv("PYTMVA_BNN_FAST", "0")
            return function(*args, **kwargs)

    return result


@pytest.fixture(scope="session")
def naive_moments():
    """Return means and covariance of inputs, updated with every event, written out for single numbers."""

    def moments(x):
        n = x.shape[1]
        m, C = [0.0] * n, [[0.0] * n for _ in range(n)]  # noqa: N806
        for number, p in enumerate(x.astype(float).tolist(), start=1):
            if number == 1:
                m = list(p)
                continue
            a, b = 1.0 / number, 1.0 / (number - 1)
            c = 1.0 - a
            for i in range(n):
                m[i] = m[i] * c
                m[i] = m[i] + p[i] * a
                t = (p[i] - m[i]) * b
                for j in range(i + 1):
                    C[i][j] = C[i][j] * c
                    C[i][j] = C[i][j] + t * (p[j] - m[j])
        return m, [[C[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]

    return moments


@pytest.fixture(scope="session")
def damaged():
    """Return ``damaged(data, seed)``: a file with some fault."""

    def change(data, seed):
        """Return the file with a part missing, bytes changed, or noise in the place of a piece."""
        rng = random.Random(seed)  # noqa: S311
        changed = bytearray(data)
        how = rng.randrange(3)
        if how == 0:
            return data[: rng.randrange(len(data))]
        if how == 1:
            for _ in range(rng.randint(1, 12)):
                changed[rng.randrange(len(data))] = rng.randrange(256)
            return bytes(changed)
        start, length = rng.randrange(len(data)), rng.randint(1, 64)
        changed[start : start + length] = rng.randbytes(length)
        return bytes(changed)

    return change
