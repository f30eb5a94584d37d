"""What the real TMVA found in its evaluations, and samples to evaluate."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn
from pytmva_bnn.evaluation import BinarySample, MulticlassSample, RegressionSample

FIXTURES = Path(__file__).resolve().parents[2] / "xml_fixtures"


class Record:
    """Events of one case, and what TMVA made of them."""

    def __init__(self, name: str) -> None:
        self.name = name
        with np.load(FIXTURES / "evaluation" / f"{name}.npz") as file:
            self.arrays = dict(file)
        self.lines = (FIXTURES / "evaluation" / f"{name}.txt").read_text().split("\n")

    def __getitem__(self, key: str) -> np.ndarray:
        return self.arrays[key]

    def names(self, kind: str) -> list[str]:
        return [key.removeprefix(kind) for key in self.arrays if key.startswith(kind)]

    def says(self, block: list[str]) -> bool:
        """Tell whether TMVA printed these lines, one after the other."""
        return any(self.lines[i : i + len(block)] == block for i in range(len(self.lines) - len(block) + 1))

    @cached_property
    def model(self) -> pytmva_bnn.Model:
        return pytmva_bnn.load(FIXTURES / "cases" / self.name / "weights.xml")

    @property
    def labels(self) -> list[str]:
        return [variable.expression for variable in self.model.variables]

    def binary(self, which: str) -> BinarySample:
        reread = self.model.predict(self["train_variables"]) if which == "train" else None
        return BinarySample(self[f"{which}_response"], self[f"{which}_weight"], self[f"{which}_class"] == 0, reread)

    def multiclass(self, which: str) -> MulticlassSample:
        return MulticlassSample(self[f"{which}_response"], self[f"{which}_weight"], self[f"{which}_class"])

    def regression(self, which: str) -> RegressionSample:
        response = self.model.predict(self["train_variables"]) if which == "train" else self["test_response"]
        return RegressionSample(response, self[f"{which}_target"], self[f"{which}_weight"], self[f"{which}_variables"])

    def check_histogram(self, name, histogram) -> None:
        """Compare all that the output file has of a one-dimensional histogram."""
        low, high, entries, *statistics = self[f"axis:{name}"]
        assert (histogram.x_min, histogram.x_max, histogram.entries) == (low, high, entries), name
        np.testing.assert_allclose(histogram.statistics, statistics, rtol=1e-14, atol=1e-300, err_msg=name)
        if f"h:{name}" in self.arrays:
            np.testing.assert_allclose(histogram.cells.astype(np.float32), self[f"h:{name}"], rtol=1e-7, err_msg=name)
        else:
            v = histogram.cells
            np.testing.assert_allclose(v[::97].astype(np.float32), self[f"sub:{name}"], rtol=1e-7, err_msg=name)
            sums = [v.sum(), (v * np.arange(len(v))).sum()]
            np.testing.assert_allclose(sums, self[f"sum:{name}"], rtol=1e-13, err_msg=name)


_RECORDS: dict[str, Record] = {}


@pytest.fixture(scope="session")
def record():
    """Return a record by the name of its case."""

    def of(name: str) -> Record:
        if name not in _RECORDS:
            _RECORDS[name] = Record(name)
        return _RECORDS[name]

    return of
