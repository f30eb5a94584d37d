"""A formula with fitted parameters, as the rest of the package sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.formula import TFormula
from pytmva_bnn.formula.tformula import Function
from pytmva_bnn.methods.answers import Inspection, OnnxOutputs
from pytmva_bnn.methods.fda.cpp import class_part
from pytmva_bnn.methods.fda.formula import prepared
from pytmva_bnn.methods.fda.linked_event import linked_formula
from pytmva_bnn.methods.fda.onnx import formula_output
from pytmva_bnn.methods.linked_response import LinkedResponse
from pytmva_bnn.methods.mlp.multiclass import multiclass_probabilities
from pytmva_bnn.methods.mlp.onnx import onnx_probabilities
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.reductions.summation import blocks
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Dialect, WeightFile
from pytmva_bnn.xmlio import writing

BLOCK = 1 << 13
"""Events that are worked on at a time: few enough for the processor's cache."""


@dataclass(frozen=True, eq=False)
class FittedFDA(Fitted):
    """The formula as the user wrote it, and its parameters ``(n_outputs, n_parameters)``.

    There is one output in classification, one for each target in regression, and one for each class in multiclass.
    """

    formula: str
    parameters: FloatArray
    n_variables: int
    interrupted: str = ""

    noun = "formula"

    @property
    def interrupted_after(self) -> str:  # type: ignore[override]
        """Return where Ctrl-C has ended the fit."""
        return self.interrupted

    @property
    def n_outputs(self) -> int:  # type: ignore[override]
        """Return the number of outputs."""
        return len(self.parameters)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_functions"}

    def _prepared(self) -> TFormula:
        return prepared(self.formula, self.parameters.shape[1], self.n_variables)

    @cached_property
    def _functions(self) -> list[Function]:
        """Return the outputs as functions of parameters and variables."""
        formula = self._prepared()
        return [formula.function(dict(enumerate(row))) for row in self.parameters.tolist()]

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the value of the formula for each output."""
        outputs = np.empty((len(x), self.n_outputs))
        before: list[FloatArray | None] = [None] * self.parameters.shape[1]
        with np.errstate(all="ignore"):
            for block in blocks(len(x), BLOCK):
                columns = [*before, *np.ascontiguousarray(x[block].T, dtype=np.float64)]
                for k, function in enumerate(self._functions):
                    outputs[block, k] = function(columns)
        return outputs

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedResponse | None:
        """Return the short way for an event loop, for formulas of the four operations."""
        return linked_formula(self.formula, self.parameters[0], chain, memory)

    def multiclass(self, outputs: Float32Array) -> Float32Array:
        """Return the probabilities of the classes."""
        return multiclass_probabilities(outputs)

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        n_outputs, n = self.parameters.shape
        lines = (
            writing.empty(2, "Parameter", [("Index", i), ("Value", f"{value:.16e}")])
            for i, value in enumerate(self.parameters.ravel().tolist())
        )
        return writing.element(1, "Weights", [("NPars", n), ("NDim", n_outputs), ("Formula", self.formula)], lines)

    # -- people and other programs

    @property
    def summary(self) -> str:
        """Return the formula."""
        return self.formula

    def describe(self) -> list[tuple[str, str]]:
        """Return the formula and its parameters."""
        rows = [("formula", self.formula)]
        for k, values in enumerate(self.parameters.tolist()):
            number = f" {k}" if self.n_outputs > 1 else ""
            rows.append((f"parameters{number}", " ".join(f"{value:.6g}" for value in values)))
        return rows

    def inspection(self, head: WeightFile) -> Inspection:
        """Return the formula, what its variables are, and the parameters of each output."""
        names = ["parameter"]
        if self.n_outputs > 1:
            names = list(head.classes) if len(head.classes) == self.n_outputs else [one.label for one in head.targets]
        variables = [f"  x{k} = {variable.label}" for k, variable in enumerate(head.variables)]
        width = max(9, *map(len, names))
        lines = ["  " + " ".join([" " * 6, *(f"{name:>{width + 4}}" for name in names)])]
        for i, values in enumerate(self.parameters.T.tolist()):
            lines.append("  " + " ".join([f"({i})".ljust(6), *(f"{value:>{width + 4}.6g}" for value in values)]))
        data = {"formula": self.formula, "parameters": self.parameters.tolist()}
        title = f"Formula of the {'transformed ' if head.transformations else ''}variables"
        return Inspection(self.formula, data, [(title, [f"  {self.formula}", *variables]), ("Parameters", lines)])

    def cpp(self, head: WeightFile) -> Part:
        """Return the formula in C++."""
        return class_part(self._prepared(), self.parameters, head)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the formula of each output."""
        del errors
        formula = self._prepared()
        return OnnxOutputs(graph.joined([formula_output(graph, formula, row, x) for row in self.parameters]))

    def onnx_multiclass(self, graph: Graph, outputs: str) -> str:
        """Append the probabilities of the classes."""
        return onnx_probabilities(graph, outputs, self.n_outputs)
