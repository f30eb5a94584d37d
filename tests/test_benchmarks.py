"""The benchmark of TMVA itself, run on the shim of PyROOT: ROOT is not installed where tests run."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from pytmva_bnn.compat import ROOT
from pytmva_bnn.methods.mlp.training import Sample

TOOLS = Path(__file__).resolve().parent.parent / "tools"


@pytest.fixture
def tmva(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    return importlib.import_module("benchmarks.tmva")


def test_tmva_is_trained_in_a_folder_of_its_own_by_relative_names(tmva, monkeypatch, tmp_path):
    """TMVA crashes if the name of a DataLoader is an absolute path."""
    monkeypatch.chdir(tmp_path)
    names = []
    loader_class = ROOT.TMVA.DataLoader
    monkeypatch.setattr(ROOT.TMVA, "DataLoader", lambda name: names.append((name, Path.cwd())) or loader_class(name))
    monkeypatch.setattr(tmva, "root", lambda: ROOT)
    rng = np.random.default_rng(1)
    sample = Sample.of(rng.normal(size=(60, 2)).astype(np.float32), np.arange(60) % 2)
    seconds, where = tmva.epoch_seconds(sample, 2, 2)
    assert seconds > 0
    assert where == "this machine"
    ((name, folder),) = names
    assert name == "dataset"
    assert folder != tmp_path == Path.cwd()
    assert not folder.exists()
    assert not list(tmp_path.iterdir())


def test_networks_of_any_size_are_measured(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    samples = importlib.import_module("benchmarks.samples")
    model, x = samples.model_of(3, 4), samples.random_events(7, 3)
    hidden, output = model.network.matrices
    h = np.tanh(x @ hidden[:-1] + hidden[-1]) @ output[:-1] + output[-1]
    np.testing.assert_allclose(model.predict(x), 1.0 / (1.0 + np.exp(-h[:, 0])), rtol=1e-12)
