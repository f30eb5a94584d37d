"""What Fisher and LD have in common: a constant, and a coefficient for each variable."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.methods import EVENT, mva_value, regression_values
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.methods.answers import Inspection, OnnxOutputs
from pytmva_bnn.methods.linear import cpp_text
from pytmva_bnn.methods.linear.linked_event import linked_sum
from pytmva_bnn.methods.linked_response import LinkedResponse
from pytmva_bnn.methods.protocol import Fitted, TrainingJob
from pytmva_bnn.onnxio.graph import F32, F64, Graph
from pytmva_bnn.options import parse_var_transform
from pytmva_bnn.reductions.summation import blocks
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import WeightFile

OFFSET = "(offset)"


@dataclass(frozen=True, eq=False)
class FittedCoefficients(Fitted):
    """Coefficients ``(n_outputs, 1 + n_variables)``, the constant first: y = c_0 + Σ c_i x_i for each output."""

    coefficients: FloatArray

    noun = "linear function"
    rounds: ClassVar[bool] = False
    """Whether the sum is rounded to float32 after each term."""

    @property
    def n_outputs(self) -> int:  # type: ignore[override]
        """Return the number of outputs."""
        return len(self.coefficients)

    @property
    def offset(self) -> float:
        """Return the constant of the first output."""
        return float(self.coefficients[0, 0])

    def respond(self, x: Float32Array) -> FloatArray:
        """Return y for each output; the terms are added to the constant one after the other, as TMVA does."""
        outputs = np.empty((len(x), self.n_outputs))
        for block in blocks(len(x)):
            columns = np.ascontiguousarray(x[block].T, dtype=np.float64)
            for k, c in enumerate(self.coefficients):
                outputs[block, k] = self._sum(columns, c)
        return outputs

    def _sum(self, columns: FloatArray, c: FloatArray) -> FloatArray:
        """Return c_0 + Σ c_i x_i of variables ``(n_variables, n_events)``."""
        with np.errstate(over="ignore", invalid="ignore"):  # infinite variables
            total = np.full(columns.shape[1], np.float32(c[0]) if self.rounds else c[0], dtype=np.float64)
            term, rounded = np.empty_like(total), np.empty(len(total), np.float32)
            for factor, column in zip(c[1:], columns, strict=True):
                total += np.multiply(column, factor, out=term)
                if self.rounds:
                    rounded[:] = total
                    total[:] = rounded
        return total

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedResponse | None:
        """Return the short way for an event loop."""
        return linked_sum(self.coefficients[0], chain, memory, self.rounds)

    # -- people and other programs

    @property
    def summary(self) -> str:
        """Return the number of variables."""
        return f"linear in {self.coefficients.shape[1] - 1} variables"

    def describe(self) -> list[tuple[str, str]]:
        """Return the coefficients."""
        rows = [("response", "constant + sum of coefficient x transformed variable")]
        for k, (offset, *factors) in enumerate(self.coefficients.tolist()):
            number = f" {k}" if self.n_outputs > 1 else ""
            rows += [
                (f"constant{number}", f"{offset:.6g}"),
                (f"coefficients{number}", " ".join(f"{factor:.6g}" for factor in factors)),
            ]
        return rows

    def inspection(self, head: WeightFile) -> Inspection:
        """Return the coefficients by the names of their variables."""
        labels = [OFFSET, *(variable.label for variable in head.variables)]
        names = [target.label for target in head.targets] if self.n_outputs > 1 else [""]
        tables = dict(zip(names, self.coefficients.tolist(), strict=True))
        width = max(map(len, labels))
        sections = [
            (
                f"Coefficients of the {'transformed ' if head.transformations else ''}variables"
                + (f": {name}" if name else ""),
                [f"  {label:<{width}}  {value:+.6g}" for label, value in zip(labels, values, strict=True)],
            )
            for name, values in tables.items()
        ]
        data = [dict(zip(labels, values, strict=True)) for values in tables.values()]
        return Inspection(self.summary, {"coefficients": data if self.n_outputs > 1 else data[0]}, sections)

    def cpp(self, head: WeightFile) -> Part:
        """Return the sum in C++."""
        real = "float" if self.rounds else "double"
        first = "static_cast<double>(Output(Prepared(inputValues), kCoefficients0))"
        methods = [mva_value(cpp_text.MEANINGS[head.analysis_type], first)]
        if head.analysis_type == AnalysisType.REGRESSION:
            outputs = ", ".join(f"Output(event, kCoefficients{k})" for k in range(self.n_outputs))
            array = f"std::array<float, {self.n_outputs}>{{{{{outputs}}}}}"
            methods.append(regression_values(self.n_outputs, array, EVENT))
        constants = (literals.doubles(f"kCoefficients{k}", c) for k, c in enumerate(self.coefficients))
        return Part(tuple(methods), (cpp_text.OUTPUT.substitute(real=real),), tuple(constants))

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append one matrix product; term by term where each is rounded."""
        del errors
        c = self.coefficients
        if not self.rounds:
            product = graph.op("MatMul", x, graph.constant(np.ascontiguousarray(c[:, 1:].T)))
            return OnnxOutputs(graph.op("Add", product, graph.constant(c[:, 0][np.newaxis])))
        total = graph.constant(c[:, 0].astype(np.float32)[np.newaxis].astype(np.float64))
        for i in range(1, c.shape[1]):
            term = graph.op("Mul", graph.column(x, i - 1), graph.constant(c[:, i][np.newaxis]))
            total = graph.cast(graph.cast(graph.op("Add", total, term), F32), F64)
        return OnnxOutputs(total)


# -- the log of a training


def log_coefficients(job: TrainingJob, kind: str, coefficients: FloatArray, indent: str) -> None:
    """Log the coefficients as TMVA does."""
    log = logging.getLogger(f"pytmva_bnn.{kind}")
    labels = [variable.label for variable in job.dataset.variables]
    names = [target.label for target in job.dataset.targets] if len(coefficients) > 1 else [""]
    for name, values in zip(names, coefficients, strict=True):
        log.info("Results for %s coefficients:%s", kind, f" {name}" if name else "")
        for line in coefficient_table(job, labels, values, indent):
            log.info("%s", line)


def coefficient_table(job: TrainingJob, labels: Sequence[str], values: FloatArray, indent: str) -> Iterator[str]:
    """Yield the lines of TMVA's table; the constant comes last."""
    steps = parse_var_transform(job.options.string("VarTransform"))
    if steps:
        yield "NOTE: The coefficients must be applied to TRANFORMED variables"  # TMVA: spelt so
        yield f"{indent}List of the transformation: "
        yield from (f"  -- {step.short_name}" for step in steps)
    names = [*labels, OFFSET]
    left = max(8, *map(len, names))
    right = max(12, left)
    rule = "-" * (left + right + 3)
    yield from (rule, f"{'Variable':>{left}}:{'Coefficient':>{right + 1}}:", rule)
    for name, value in zip(names, [*values[1:].tolist(), float(values[0])], strict=True):
        yield f"{name:>{left}}:{f'{value:+1.3f}':>{right + 1}}"
    yield rule
