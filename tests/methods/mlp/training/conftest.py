"""Small problems and the reference trainings of TMVA."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import Estimator, Sample, TrainingResult, TrainingSettings, initial_network, train
from pytmva_bnn.model import Model, load
from pytmva_bnn.random import TRandom3

FIXTURES = Path(__file__).resolve().parents[4] / "xml_fixtures"


def problem(n_inputs: int = 2, n_events: int = 200, n_outputs: int = 1, binary: bool = True, seed: int = 0) -> Sample:
    """Events whose first inputs matter, with weights around 1."""
    random = np.random.default_rng(seed)
    x = random.uniform(-1.0, 1.0, (n_events, n_inputs)).astype(np.float32)
    truth = np.stack([np.sin(3.0 * x[:, k % n_inputs]) for k in range(n_outputs)], axis=1)
    noisy = truth + 0.4 * random.standard_normal(truth.shape)
    return Sample.of(x, (noisy > 0.0).astype(float) if binary else noisy, random.uniform(0.5, 1.5, n_events))


@pytest.fixture(scope="session")
def make_problem():
    return problem


@pytest.fixture(scope="session")
def start():
    """Return an untrained network for a sample."""

    def make(sample: Sample, *hidden_sizes: int, estimator: Estimator = Estimator.CE, hidden: str = "tanh") -> Network:
        sizes = [sample.inputs.shape[1], *(hidden_sizes or (4,)), sample.desired.shape[1]]
        return initial_network(sizes, TRandom3(1), hidden=hidden, output=estimator.output)

    return make


@dataclass(frozen=True)
class Golden:
    """A reference training: what TMVA was given, and the weight file that it wrote."""

    training: Sample
    test: Sample
    settings: TrainingSettings
    start: Network
    model: Model
    record: dict[str, np.ndarray]

    @property
    def weights(self) -> np.ndarray:
        return np.concatenate([matrix.ravel() for matrix in self.model.matrices])

    def deviation(self, network: Network) -> float:
        """Return the largest difference of a weight, in units of the largest weight."""
        return float(np.abs(network.flat_weights() - self.weights).max() / np.abs(self.weights).max())


@pytest.fixture(scope="session")
def golden():
    return _golden


@pytest.fixture(scope="session")
def trained():
    """Return the result of a reference training, done once."""

    @cache
    def result(name: str, weight: str = "") -> TrainingResult:
        case = _golden(name, weight)
        return train(case.start, case.training, case.test, case.settings)

    return result


@cache
def _golden(name: str, weight: str = "") -> Golden:
    folder = FIXTURES / "cases" / name
    booked = json.loads((folder / "case.json").read_text())
    with np.load(FIXTURES / "training" / f"{Path(booked['data']).stem}.npz") as archive:
        record = dict(archive)
    model = load(folder / "weights.xml")
    analysis = booked.get("analysis", "Classification")
    options = model.options
    settings = TrainingSettings.from_options(options, analysis)
    sizes = [*(matrix.shape[0] - 1 for matrix in model.matrices), model.matrices[-1].shape[1]]
    network = initial_network(
        sizes,
        TRandom3(settings.random_seed),
        hidden=options.string("NeuronType"),
        output=settings.estimator.output,
    )
    training, test = (_sample(record, which, model, booked, weight) for which in ("train", "test"))
    return Golden(training, test, settings, network, model, record)


def _sample(record: dict[str, np.ndarray], which: str, model: Model, booked: dict[str, Any], weight: str) -> Sample:
    classes = record[f"{which}_class"]
    inputs = model.transformations.forward(record[f"{which}_inputs"])
    if booked.get("analysis") == "Regression":
        desired = np.stack([record[f"{which}_{name}"] for name in booked["targets"]], axis=1)
        if model.file.transformations:
            step = model.file.transformations[0]
            low, high = (ends[-1][len(booked["variables"]) :] for ends in (step.minima, step.maxima))
            desired = (desired - low) * (np.float32(1) / (high - low)) * np.float32(2) - np.float32(1)
    elif booked.get("analysis") == "Multiclass":
        desired = classes[:, np.newaxis] == np.arange(4)
    else:
        desired = classes == 0
    weights = np.ones(len(inputs))
    if weight:
        weights = record[f"{which}_{weight}"].astype(np.float64)
        if which == "train":
            for number in (0, 1):
                own = classes == number
                factor = np.count_nonzero(own) / weights[own].sum()
                # TMVA: with IgnoreNegWeightsInTraining negative weights are 0 before they are scaled
                weights[own] = factor * np.where(weights[own] < 0.0, 0.0, weights[own])
    return Sample.of(inputs, desired, weights)
