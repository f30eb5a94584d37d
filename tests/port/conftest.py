"""Toy events in a ROOT file, the macros, and how a translation is run."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import uproot

MACROS = Path(__file__).resolve().parent / "macros"
MAKE_TOYS = Path(__file__).resolve().parents[2] / "examples" / "porting" / "make_toys.py"


def _columns(rng: np.random.Generator, n: int, mean: float) -> dict[str, np.ndarray]:
    columns = {f"var{i}": rng.normal(mean * (-1) ** i, 1.0, n).astype(np.float32) for i in range(1, 5)}
    return {**columns, "weight": rng.uniform(0.5, 1.25, n).astype(np.float32)}


@pytest.fixture(scope="session")
def toy_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TreeS, TreeB, TreeB0 to TreeB2 with var1 to var4 and weight, TreeR with var1, var2 and fvalue."""
    rng = np.random.default_rng(20)
    path = tmp_path_factory.mktemp("toy") / "toy.root"
    with uproot.recreate(path) as file:
        for name, n, mean in (
            ("TreeS", 400, 0.4),
            ("TreeB", 420, -0.4),
            ("TreeB0", 200, -0.8),
            ("TreeB1", 210, 0.1),
            ("TreeB2", 190, 1.0),
        ):
            columns = _columns(rng, n, mean)
            file.mktree(name, dict.fromkeys(columns, np.float32)).extend(columns)
        x, y = (rng.uniform(0, 5, 500).astype(np.float32) for _ in range(2))
        regression = {"var1": x, "var2": y, "fvalue": (x * x + 3 * y * x).astype(np.float32)}
        file.mktree("TreeR", dict.fromkeys(regression, np.float32)).extend(regression)
    return path


@pytest.fixture(scope="session")
def toys(tmp_path_factory: pytest.TempPathFactory, toy_file: Path) -> Path:
    """A folder with toy.root and the files of the examples; nothing may be written there."""
    folder = tmp_path_factory.mktemp("toys")
    spec = importlib.util.spec_from_file_location("make_toys", MAKE_TOYS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.make_toys(folder)
    (folder / "toy.root").symlink_to(toy_file)
    return folder


@pytest.fixture
def folder(tmp_path: Path, toy_file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with toy.root in it, which is the working folder."""
    (tmp_path / "toy.root").symlink_to(toy_file)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict]:
    """Run a Python text as a script in the folder and return its variables, or its exit code."""

    def start(text: str, *arguments: str) -> dict:
        script = folder / "translated.py"
        script.write_text(text, encoding="utf-8")
        monkeypatch.setattr(sys, "argv", [str(script), *arguments])
        try:
            return runpy.run_path(str(script), run_name="__main__")
        except SystemExit as stop:
            return {"exit code": stop.code or 0}

    return start


@pytest.fixture
def macro() -> Callable[[str], str]:
    """Return the text of a macro by its name."""
    return lambda name: (MACROS / f"{name}.C").read_text(encoding="utf-8")
