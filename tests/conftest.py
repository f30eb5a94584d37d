"""Paths of the reference records, and the list of their cases."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FIXTURES = Path(__file__).resolve().parent.parent / "xml_fixtures"
CASE_NAMES = sorted(path.name for path in (FIXTURES / "cases").iterdir())


@dataclass(frozen=True)
class Case:
    """What the real TMVA did in one case: its weight file and what its Reader gave."""

    name: str

    @property
    def folder(self) -> Path:
        return FIXTURES / "cases" / self.name

    @property
    def weights(self) -> Path:
        return self.folder / "weights.xml"

    @cached_property
    def booked(self) -> dict[str, Any]:
        return json.loads((self.folder / "case.json").read_text())

    @cached_property
    def expected(self) -> dict[str, np.ndarray]:
        with np.load(self.folder / "expected.npz") as file:
            return dict(file)


@pytest.fixture(scope="session", params=CASE_NAMES)
def case(request: pytest.FixtureRequest) -> Case:
    """Each of TMVA's records in turn."""
    return Case(request.param)


@pytest.fixture(scope="session")
def case_named():
    """Return a record by its name."""
    return Case


@pytest.fixture(autouse=True)
def _in_the_project_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    # the examples in docstrings name files of the project
    monkeypatch.chdir(FIXTURES.parent)


@pytest.fixture
def never_hangs() -> Iterator[None]:
    """Fail after a minute of computing: what takes exponential time would go on for hours.

    It is the time that the process computes which counts, so that a busy machine does not fail a test.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def fail(*_: object) -> None:
        raise AssertionError("this takes forever")

    before = signal.signal(signal.SIGVTALRM, fail)
    signal.setitimer(signal.ITIMER_VIRTUAL, 60)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


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
