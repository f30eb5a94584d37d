"""The events and networks that are measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import pytmva_bnn as TMVA
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.mlp.training import Sample

ROOT = Path(__file__).resolve().parent.parent.parent
CASES = ROOT / "xml_fixtures" / "cases"
WEIGHTS = CASES / "fakerate_bnn" / "weights.xml"
"""A weight file of TMVA's: 2-10-1 with the inverse Hessian."""


def random_events(n: int, n_variables: int) -> np.ndarray:
    """Return events like those of the reference case for two variables, otherwise uniform ones."""
    random = np.random.default_rng(1)
    if n_variables == 2:
        with np.load(WEIGHTS.parent / "expected.npz") as record:
            given = record["inputs"]
        return np.ascontiguousarray(given[random.integers(0, len(given), n)], dtype=np.float32)
    return random.uniform(-1, 1, (n, n_variables)).astype(np.float32)


def model_of(n_variables: int, n_hidden: int) -> TMVA.Model:
    """Return the reference network 2-10-1, or one of another size with random weights in its place."""
    model = TMVA.load(WEIGHTS)
    if (n_variables, n_hidden) == (2, 10):
        return model
    random = np.random.default_rng(2)
    names = [f"x{i}" for i in range(n_variables)]
    matrices = (random.normal(size=(n_variables + 1, n_hidden)), random.normal(size=(n_hidden + 1, 1)))
    file = replace(model.file, variables=tuple(map(VariableRecord.define, names)), transformations=())
    return TMVA.Model(file, replace(model.fitted, matrices=matrices, inverse_hessians=(), rounded=False))


def problem(n: int, n_variables: int) -> Sample:
    """Return events of two classes to train on."""
    random = np.random.default_rng(4)
    x = random.uniform(-1, 1, (n, n_variables)).astype(np.float32)
    return Sample.of(x, (np.sin(3 * x[:, 0]) + 0.4 * random.standard_normal(n) > 0).astype(float))
