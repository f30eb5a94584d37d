"""What the real TMVA did in reference cases: its weight files, its Reader's responses, and how to train as it did."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import pytmva_bnn as TMVA
from pytmva_bnn.weights import Source

FIXTURES = Path(__file__).resolve().parent.parent / "xml_fixtures"


@dataclass(frozen=True)
class Case:
    """What the real TMVA did in one case: its weight file and what its Reader gave."""

    name: str
    group: str = "cases"

    @property
    def folder(self) -> Path:
        """The folder of its files."""
        return FIXTURES / self.group / self.name

    @property
    def weights(self) -> Path:
        """TMVA's weight file."""
        return next(path for path in self.folder.iterdir() if path.name in ("weights.xml", "weights.xml.gz"))

    @property
    def weights_text(self) -> str:
        """The text of TMVA's weight file."""
        with Source(self.weights).open() as file:
            return file.read().decode()

    @cached_property
    def booked(self) -> dict[str, Any]:
        """Data, options and whatever else a training is given."""
        return json.loads((self.folder / "case.json").read_text())

    @cached_property
    def expected(self) -> dict[str, np.ndarray]:
        """Inputs, and what TMVA's Reader gave."""
        with np.load(self.folder / "expected.npz") as file:
            return dict(file)


def train(case: Case, output: str | None = None) -> TMVA.Factory:
    """Return the Factory after a training as the case says; ``output`` is the name of its output file."""
    booked = case.booked
    loader = TMVA.DataLoader("dataset")
    for add, key in (
        (loader.AddVariable, "variables"),
        (loader.AddSpectator, "spectators"),
        (loader.AddTarget, "targets"),
    ):
        for declared in booked.get(key, ()):
            add(*([declared] if isinstance(declared, str) else declared))
    for class_name, tree, weight in booked["trees"]:
        loader.AddTree(f"{FIXTURES / 'data' / booked['data']}:{tree}", class_name, weight)
        if "weight" in booked:
            loader.SetWeightExpression(booked["weight"], class_name)
    loader.PrepareTrainingAndTestTree(booked.get("cut", ""), booked["prepare"])
    analysis = booked.get("analysis", "Classification")
    factory = TMVA.Factory("job", output, f"!V:Silent:!DrawProgressBar:AnalysisType={analysis}")
    method = factory.BookMethod(loader, booked.get("method", "MLP"), booked.get("title", "MLP"), booked["options"])
    for region in booked.get("category", ()):
        method.AddMethod(*region)
    factory.TrainAllMethods()
    return factory
