"""Small trainings of boosted methods."""

from __future__ import annotations

import numpy as np
import pytest

import pytmva_bnn as TMVA


def _events(mean, seed, n):
    random = np.random.default_rng(seed)
    x = random.normal(mean, 1.0, (n, 2))
    return {"x": x[:, 0], "y": 0.5 * x[:, 0] + x[:, 1], "w": random.uniform(0.5, 1.5, n)}


@pytest.fixture
def boost(tmp_path, monkeypatch):
    """Return ``boost(kind, options)``: the Factory with the boosted method trained, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def train(kind, options, *, title="B", n=200, weight="w", prepare="", factory="", mean=0.6):
        loader = TMVA.DataLoader("dataset")
        for name in ("x", "y"):
            loader.AddVariable(name)
        loader.AddSignalTree(_events(mean, 1, n))
        loader.AddBackgroundTree(_events(-mean, 2, n))
        loader.SetWeightExpression(weight)
        loader.PrepareTrainingAndTestTree("", prepare or "SplitMode=Alternate:!V")
        made = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:AnalysisType=Classification{factory}")
        made.BookMethod(loader, kind, title, options)
        made.TrainAllMethods()
        return made

    return train
