"""Running the command, and trees to run it on."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from pytmva_bnn.cli import main

FIXTURES = Path(__file__).resolve().parents[2] / "xml_fixtures"


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def command(capsys):
    """Run the command with arguments and return its exit code and output."""

    def run(*arguments):
        capsys.readouterr()
        code = main([str(one) for one in arguments])
        captured = capsys.readouterr()
        return Finished(code, captured.out, captured.err)

    return run


@pytest.fixture
def fails(command):
    """Run a command that must end with a message of one line and without a traceback; return the message."""

    def run(*arguments, code=1):
        finished = command(*arguments)
        lines = finished.err.splitlines()
        assert finished.code == code, finished
        assert lines[-1].startswith("pytmva-bnn: error: ")
        if code == 1:
            assert len(lines) == 1, finished.err
        assert "Traceback" not in finished.err
        return lines[-1].removeprefix("pytmva-bnn: error: ")

    return run


@pytest.fixture(scope="session")
def small_files(tmp_path_factory):
    """Three ROOT files with the branches of fakerate.root, run numbers, and one list for each event."""
    import awkward as ak
    import uproot

    folder = tmp_path_factory.mktemp("small")
    generator = np.random.default_rng(5)
    for number, size in enumerate((300, 0, 200)):
        with uproot.recreate(folder / f"f{number}.root") as file:
            counts = generator.integers(0, 4, size)
            columns = {
                "pt": generator.uniform(10, 90, size).astype(np.float32),
                "ht": generator.uniform(60, 600, size),
                "run": np.arange(size, dtype=np.int32),
                "jets": ak.unflatten(generator.uniform(0, 1, counts.sum()), counts),
            }
            kinds = {"pt": "float32", "ht": "float64", "run": "int32", "jets": "var * float64"}
            tree = file.mktree("events", kinds)
            if size:
                tree.extend(columns)
    return folder
