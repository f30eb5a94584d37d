"""Output files made of TMVA's own weight files and training responses, and small data sets for the rest."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import uproot

import pytmva_bnn
from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.evaluation import (
    BinarySample,
    MulticlassSample,
    RegressionSample,
    evaluate_binary,
    evaluate_multiclass,
    evaluate_regression,
)
from pytmva_bnn.methods import method_of as kind_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.mlp.fitted import FittedMLP
from pytmva_bnn.methods.mlp.training.state import History
from pytmva_bnn.output import DataSetOutput, MethodOutput, chain_name, transformed_events, write_datasets

FIXTURES = Path(__file__).resolve().parents[2] / "xml_fixtures"
GOLDEN = {  # NCycles, TestRate
    "bfgs_n": (60, 5),
    "fakerate_bnn": (300, 10),
    "reg_n": (60, 6),
    "multi_n": (60, 5),
}


class GoldenFile:
    """The output file of a case as we write it, and what is known of TMVA's."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path
        self.expected = json.loads((FIXTURES / "output" / f"{name}.json").read_text())
        with np.load(FIXTURES / "evaluation" / f"{name}.npz") as file:
            self.arrays = dict(file)
        self.booked = json.loads((FIXTURES / "cases" / name / "case.json").read_text())
        self.analysis = self.booked.get("analysis", "Classification")
        self.model = pytmva_bnn.load(FIXTURES / "cases" / name / "weights.xml")
        self.dataset = self._dataset()
        write_datasets(path, [DataSetOutput(self.dataset, [self._method()], self.analysis)])
        self.file = uproot.open(path)

    def _dataset(self):
        loader = DataLoader("dataset")
        for variable in self.booked["variables"]:
            loader.AddVariable(variable)
        for target in self.booked.get("targets", ()):
            loader.AddTarget(target)
        for class_name, tree, weight in self.booked["trees"]:
            loader.AddTree(f"{FIXTURES / 'data' / self.booked['data']}:{tree}", class_name, weight)
        loader.PrepareTrainingAndTestTree("", self.booked["prepare"])
        return loader.built()

    def _method(self) -> MethodOutput:
        train, test = self.dataset.training, self.dataset.test
        stored = self.arrays["train_response"].reshape(len(train), -1)
        again = self.model.predict(train.variables).reshape(len(train), -1)
        responses = self.model.predict(test.variables).reshape(len(test), -1)
        if self.analysis == "Classification":
            result = evaluate_binary(
                BinarySample(stored[:, 0], train.weights, train.of_class(0), again[:, 0]),
                BinarySample(responses[:, 0], test.weights, test.of_class(0)),
            )
        elif self.analysis == "Regression":
            result = evaluate_regression(
                RegressionSample(again, train.targets, train.weights, train.variables),
                RegressionSample(responses, test.targets, test.weights, test.variables),
                train_stored=stored,
            )
        else:
            result = evaluate_multiclass(
                MulticlassSample(stored, train.weights, train.class_index),
                MulticlassSample(responses, test.weights, test.class_index),
                self.dataset.class_names,
            )
        n_cycles, test_rate = GOLDEN[self.name]
        options = self.model.options
        assert (options.integer("NCycles"), options.integer("TestRate")) == (n_cycles, test_rate)
        estimators = [np.array(self.expected["estimators"][which]) for which in ("Train", "Test")]
        history = History(np.arange(1, n_cycles // test_rate + 1) * test_rate, *estimators)
        fitted = replace(self.model.fitted, result=SimpleNamespace(history=history))
        variables, targets = transformed_events(self.model.transformations, test)
        return MethodOutput(
            title="MLP",
            weight_file="dataset/weights/job_MLP.weights.xml",
            training_path=f"/home/user/analysis/_work/{self.name}",
            monitoring=tuple(fitted.monitoring(options, 0, "dataset")),
            chain=chain_name("N"),
            kind="MLP",
            result=result,
            test_variables=variables,
            test_targets=targets,
            training_responses=stored,
            test_responses=responses.astype(np.float32),
        )


@pytest.fixture(scope="package")
def golden_file(tmp_path_factory):
    """Return the file of a case by its name."""
    made: dict[str, GoldenFile] = {}

    def of(name: str) -> GoldenFile:
        if name not in made:
            made[name] = GoldenFile(name, tmp_path_factory.mktemp("output") / f"{name}.root")
        return made[name]

    yield of
    for one in made.values():
        one.file.close()


@pytest.fixture
def small_loader():
    """Return a loader with two classes of 60 events; other variables than x and y can be declared."""

    def of(name: str = "dataset", *, variables=("x", "y"), weight: str = "") -> DataLoader:
        rng = np.random.default_rng(1)
        loader = DataLoader(name)
        for variable in variables:
            loader.AddVariable(*([variable] if isinstance(variable, str) else variable))
        for class_name, mean in (("Signal", 1.0), ("Background", 0.0)):
            x = rng.normal(mean, 1.0, (3, 60))
            tree = {"x": x[0], "y": x[1], "w": np.abs(x[2]), "n": np.arange(60) % 4, "jets": rng.normal(size=(60, 3))}
            loader.AddTree(tree, class_name)
            if weight:
                loader.SetWeightExpression(weight, class_name)
        loader.PrepareTrainingAndTestTree("", "SplitMode=Block")
        return loader

    return of


HISTORY = History(np.array([10, 20]), np.array([0.9, 0.8]), np.array([1.0, 0.9]))


@pytest.fixture
def method_of():
    """Return a method with a result, whose response is the first variable; ``number`` counts those of a file."""

    def of(dataset, title: str = "MLP", *, number: int = 0, history: History | None = HISTORY, **more) -> MethodOutput:
        train, test = dataset.training, dataset.test
        options = Booking.parse(kind_of("MLP"), "NCycles=20:TestRate=10", "Classification", title).options
        fitted = FittedMLP(
            (np.arange(6.0).reshape(3, 2), np.arange(3.0).reshape(3, 1)),
            "tanh",
            "sigmoid",
            result=None if history is None else SimpleNamespace(history=history),
        )
        samples = [BinarySample(e.variables[:, 0], e.weights, e.of_class(0)) for e in (train, test)]
        content = {
            "weight_file": f"dataset/weights/job_{title}.weights.xml",
            "training_path": "/tmp/there",  # noqa: S108 - only a text
            "monitoring": tuple(fitted.monitoring(options, number, dataset.name)),
            "chain": "Id",
            "result": evaluate_binary(*samples, title=title),
            "test_variables": test.variables,
            "training_responses": train.variables[:, :1],
            "test_responses": test.variables[:, :1],
        }
        return MethodOutput(title, kind="MLP", **(content | more))

    return of
