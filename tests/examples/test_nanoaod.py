"""The processor of NanoAOD-like events: jagged muons, the same on every engine."""

import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import awkward as ak
import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples/nanoaod/processor.py"
WEIGHTS = ROOT / "xml_fixtures/cases/fakerate_bnn/weights.xml"


@pytest.fixture(scope="module")
def run(run_script, tmp_path_factory):
    def printed(*arguments):
        folder = tmp_path_factory.mktemp("nanoaod")
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTMVA_BNN_FAST": "0"}
        options = ("--chunks", 3, "--events", 400, *arguments)
        done = run_script(SCRIPT, WEIGHTS, *options, folder=folder, environment=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return printed


def test_the_rates_are_those_of_muon_after_muon(run):
    model = TMVA.load(WEIGHTS)
    sums, pairs, n_muons = np.zeros((2, 8)), 0.0, 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        counts = rng.poisson(1.2, 400)
        pt = 5.0 + rng.exponential(25.0, counts.sum())
        eta = rng.normal(0.0, 1.5, counts.sum())
        ht = 60.0 + rng.exponential(150.0, 400)
        first = 0
        for event, count in enumerate(counts):
            here = [k for k in range(first, first + count) if pt[k] > 10.0 and abs(eta[k]) < 2.4]
            first += count
            rates = [float(rate) for rate in model.predict([[pt[k], ht[event]] for k in here])] if here else []
            pairs += rates[0] * rates[1] if len(rates) == 2 else 0.0
            for k, rate in zip(here, rates, strict=True):
                if pt[k] <= 90.0:
                    sums[:, min(int((pt[k] - 10.0) // 10.0), 7)] += (1.0, rate)
                    n_muons += 1
    lines = run().splitlines()
    assert lines[0] == f"1200 events, {n_muons} muons, {pairs:.1f} double fakes"
    found = [float(line.split("fake rate ")[1].split(" ± ")[0]) for line in lines[1:]]
    np.testing.assert_allclose(found, sums[1] / sums[0], atol=6e-5)
    assert all(float(line.split(" ± ")[1]) > 0 for line in lines[1:])


def test_two_processes_print_the_same(run):
    assert run("--executor", "processes:2") == run()


def write_nanoaod(folder):
    """Write the events that the example makes to files with all that coffea wants of events and muons."""
    made_events = runpy.run_path(str(SCRIPT))["made_events"]
    paths = [folder / f"nano{seed}.root" for seed in range(3)]
    for seed, path in enumerate(paths):
        events = made_events(400, seed)
        pt, eta = events.Muon.pt, events.Muon.eta
        columns = {
            "Muon": ak.zip({"pt": pt, "eta": eta, "phi": 0 * pt, "mass": 0 * pt, "charge": 0 * pt}),
            "HT": events.HT,
            **{name: ak.Array(np.arange(400)) for name in ("run", "luminosityBlock", "event")},
        }
        with uproot.recreate(path) as file:
            file.mktree("Events", {name: column.type.content for name, column in columns.items()}).extend(columns)
    return paths


@pytest.mark.skipif(find_spec("coffea") is None, reason="coffea is not installed")
@pytest.mark.parametrize(
    "reader",
    [[], pytest.param(["--dask"], marks=pytest.mark.skipif(not find_spec("dask_awkward"), reason="no dask-awkward"))],
)
def test_coffea_and_dask_awkward_find_the_same_in_files(run, run_process, tmp_path, reader):
    # in a process where warnings are none but warnings: coffea misses the indices between muons and jets
    command = [sys.executable, SCRIPT, WEIGHTS, "--events", "150", *reader, "--files", *write_nanoaod(tmp_path)]
    done = run_process(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-9:] == run().splitlines()  # after coffea's progress bars
