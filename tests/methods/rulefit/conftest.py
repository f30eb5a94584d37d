"""The reference records of RuleFit, and small samples to train on."""

from __future__ import annotations

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods import MethodEvents

NAMES = ("rulefit", "rulefit_linear", "rulefit_rule")


@pytest.fixture(scope="session", params=NAMES)
def record(request, method_case):
    """Each of TMVA's records in turn."""
    return method_case(request.param)


@pytest.fixture(scope="session")
def record_names():
    """The names of all records."""
    return NAMES


@pytest.fixture(scope="session")
def ensemble(method_case):
    """The rules and linear terms of a record."""
    return TMVA.load(method_case("rulefit").weights).fitted.ensemble


@pytest.fixture
def events():
    """Training events of three variables with weights."""
    random = np.random.default_rng(3)
    x = random.normal(size=(600, 3))
    classes = (np.arange(600) % 2).astype(np.int32)
    x[classes == 0] += [0.8, -0.5, 0.3]
    return MethodEvents(x.astype(np.float32), np.empty((600, 0), np.float32), classes, random.uniform(0.2, 2.0, 600))


@pytest.fixture
def booked(tmp_path, monkeypatch):
    """Return the function that books RuleFit with options, for events that are given as columns or made."""
    monkeypatch.chdir(tmp_path)

    def book(options, *, variables=(("x", "F"), ("y", "F")), signal=None, background=None, weight="", split="Random"):
        random = np.random.default_rng(5)
        loader = TMVA.DataLoader("dataset")
        for name, type_ in variables:
            loader.AddVariable(name, type_)
        for add, given, mean in (
            (loader.AddSignalTree, signal, 0.7),
            (loader.AddBackgroundTree, background, -0.7),
        ):
            add(given or {name: random.normal(mean, 1.0, 200) for name in ("x", "y", "w")})
        if weight:
            loader.SetWeightExpression(weight)
        loader.PrepareTrainingAndTestTree(
            "", f"nTrain_Signal=150:nTrain_Background=150:SplitMode={split}:NormMode=None"
        )
        factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
        return factory, factory.BookMethod(loader, TMVA.Types.kRuleFit, "RuleFit", options)

    return book
