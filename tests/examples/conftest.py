"""Running the scripts of the examples as a user does."""

import os
from pathlib import Path

import pytest

FAKE_RATE = Path(__file__).resolve().parents[2] / "examples" / "fake_rate"


@pytest.fixture(scope="session")
def run_example(run_script):
    """Run a script of the example in a process of its own and return what it printed."""

    def run(name: str, *arguments: object, folder: Path) -> str:
        # without compiled kernels: loading them takes longer than these small trainings
        environment = {**os.environ, "PYTMVA_BNN_FAST": "0"}
        done = run_script(FAKE_RATE / name, *arguments, folder=folder, environment=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def fake_rate_folder() -> Path:
    """Return the folder of the example."""
    return FAKE_RATE
