"""HMatrix: whether an event is nearer to the mean of signal or to that of background, in units of their covariances."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.answers import Inspection, OnnxOutputs
from pytmva_bnn.methods.linear import cpp_text
from pytmva_bnn.methods.linear.linked_event import linked_chi_squares
from pytmva_bnn.methods.linear.matrices import checked_inverse
from pytmva_bnn.methods.linked_response import LinkedResponse
from pytmva_bnn.methods.protocol import Fitted, Method, Reading, TrainingJob
from pytmva_bnn.onnxio.graph import I64, Graph
from pytmva_bnn.reductions.moments import covariance, linear_sums
from pytmva_bnn.reductions.summation import blocks, sequential_sum
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Dialect, Section, WeightFile
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from pytmva_bnn.xmlio.words import Words

log = logging.getLogger("pytmva_bnn.HMatrix")

CLASSES = ("signal", "background")
INVERSES = ("kInverseSignal", "kInverseBackground")
ELEMENTS = ("VecMeanS", "VecMeanB", "InvHMatS", "InvHMatB")
BLOCK = 1 << 13
"""Events that are worked on at a time: few enough for the processor's cache."""
SINGULAR = (
    "<Train> H-matrix  {} is %s with determinant= %g did you use the variables that are linear combinations%s ???"
)
ROOT_530 = 5 << 16 | 30 << 8


@dataclass(frozen=True, eq=False)
class FittedHMatrix(Fitted):
    """Means ``(2, n_variables)`` and inverse covariances ``(2, n_variables, n_variables)`` of signal and background.

    The inputs are the event transformed with the parameters of signal, and with those of background.
    """

    means: FloatArray
    inverses: FloatArray

    noun = "H-matrix"

    def respond(self, x: Float32Array) -> FloatArray:
        """Return (b - s)/(s + b) of the χ² s and b of signal and background; NaN if one is negative, or both are 0."""
        n = self.means.shape[1]
        outputs = np.empty((len(x), 1))
        n_negative = 0
        for block in blocks(len(x), BLOCK):
            sides = (x[block, :n], x[block, -n:])
            s, b = map(chi_squares, sides, self.means, self.inverses)
            negative = (s < 0.0) | (b < 0.0)
            with np.errstate(all="ignore"):
                outputs[block, 0] = np.where(negative, np.nan, (b - s) / (s + b))
            n_negative += int(np.count_nonzero(negative))
        if n_negative:
            # TMVA: stops with a FATAL error
            log.warning(
                "<GetChi2> negative chi2 of %d of %d events: their response is NaN. The matrices in the weight file "
                "are not positive: the training failed",
                n_negative,
                len(x),
            )
        return outputs

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedResponse | None:
        """Return the short way for an event loop."""
        return linked_chi_squares(self.means, self.inverses, chain, memory)

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        form = writing.SHORT if dialect.short_numbers else "%5.15e"
        n = self.means.shape[1]
        yield "  <Weights>"
        for name, matrix in zip(ELEMENTS, (*self.means, *self.inverses), strict=True):
            yield from writing.numbers(2, name, [("Rows", matrix.size // n), ("Columns", n)], matrix, form)
        yield "  </Weights>"

    @property
    def summary(self) -> str:
        """Return the number of variables."""
        return f"χ² of {self.means.shape[1]} variables"

    def describe(self) -> list[tuple[str, str]]:
        """Return what the response is, and the means."""
        return [
            ("response", "(b - s)/(b + s) of the χ² to signal (s) and background (b)"),
            *(
                (f"means of {name}", " ".join(f"{mean:.6g}" for mean in means))
                for name, means in zip(CLASSES, self.means, strict=True)
            ),
        ]

    def inspection(self, head: WeightFile) -> Inspection:
        """Return the means and widths of the classes by the names of the variables."""
        labels = [variable.label for variable in head.variables]
        widths = np.array([_widths(inverse) for inverse in self.inverses])
        data = {
            name: {label: {"mean": m, "width": w} for label, m, w in zip(labels, *pair, strict=True)}
            for name, *pair in zip(CLASSES, self.means.tolist(), widths.tolist(), strict=True)
        }
        longest = max(map(len, labels))
        lines = ["  ".join([" " * (longest + 2), *(f"{name:>24}" for name in CLASSES)])]
        for label in labels:
            cells = (f"{one[label]['mean']:.5g} ± {one[label]['width']:.5g}" for one in data.values())
            lines.append("  ".join([f"  {label:<{longest}}", *(f"{cell:>24}" for cell in cells)]))
        title = f"Means and widths of the {'transformed ' if head.transformations else ''}variables"
        return Inspection(self.summary, {"classes": data}, [(title, lines)])

    def cpp(self, head: WeightFile) -> Part:
        """Return the two χ² in C++."""
        del head
        constants = (literals.matrix("kMeans", self.means), *map(literals.matrix, INVERSES, self.inverses))
        return Part((cpp_text.GET_CHI_SQUARE_VALUE,), (cpp_text.CHI_SQUARE,), constants)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the two χ²."""
        del errors
        n = self.means.shape[1]
        places = ([0, n], [-n, 2 * n])
        sides = [graph.op("Slice", x, *(graph.constant([one], I64) for one in (*place, 1))) for place in places]
        s, b = map(partial(_onnx_chi_square, graph), sides, self.means, self.inverses)
        y = graph.op("Div", graph.op("Sub", b, s), graph.op("Add", s, b))
        for one in (s, b):
            y = graph.op("Where", graph.op("Less", one, graph.constant(0.0)), graph.constant(np.nan), y)
        return OnnxOutputs(y)


def chi_squares(x: Float32Array, means: FloatArray, inverse: FloatArray) -> FloatArray:
    """Return Σ_i Σ_j (d_i d_j) H_ij with d = x - m of events (n_events, n), added with i, then j ascending."""
    with np.errstate(over="ignore", invalid="ignore"):  # infinite variables
        d = np.subtract(x.T, means[:, np.newaxis], order="C")
        products, total = np.empty_like(d), np.zeros(d.shape[1])
        for column, row in zip(d, inverse, strict=True):
            np.multiply(d, column, out=products)
            products *= row[:, np.newaxis]
            for terms in products:
                total += terms
    return total


def _widths(inverse: FloatArray) -> FloatArray:
    """Return the standard deviations that belong to an inverse covariance; NaN if it is singular."""
    try:
        with np.errstate(invalid="ignore"):
            return np.asarray(np.sqrt(np.diagonal(np.linalg.inv(inverse))))
    except np.linalg.LinAlgError:
        return np.full(len(inverse), np.nan)


def _onnx_chi_square(graph: Graph, x: str, means: FloatArray, inverse: FloatArray) -> str:
    d = graph.op("Sub", x, graph.constant(means[np.newaxis]))
    product = graph.op("Mul", graph.op("MatMul", d, graph.constant(inverse)), d)
    return graph.op("ReduceSum", product, graph.constant([1], I64), keepdims=1)


class HMatrix(Method):
    """TMVA's HMatrix."""

    kind: ClassVar[str] = "HMatrix"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION})
    transforms_by_class: ClassVar[bool] = True
    records: ClassVar[tuple[type, ...]] = (FittedHMatrix,)

    def input_sets(self, head: WeightFile, *, strict: bool) -> tuple[int, ...]:
        """Return the classes of signal and background."""
        if not strict and (head.source == "text" or 0 < head.root_version < ROOT_530):
            # TMVA: transforms with the parameters of the classes, which at that time it did not
            return -1, -1
        if head.dialect.classes == "absent":
            return 0, 0  # TMVA: takes both to be the first class, if the file is the first that is read
        if set(head.classes) >= {"Signal", "Background"}:
            return head.classes.index("Signal"), head.classes.index("Background")
        return 0, 1

    def train(self, job: TrainingJob) -> FittedHMatrix:
        """Invert the covariances of both classes."""
        events = job.training
        names = [variable.label for variable in job.dataset.variables]
        n = len(names)
        means, inverses = [], []
        for name, inputs, is_own in zip(
            CLASSES, (events.inputs[:, :n], events.inputs[:, -n:]), (events.is_signal, ~events.is_signal), strict=True
        ):
            x, w = inputs[is_own], events.weights[is_own]
            total = float(sequential_sum(w))
            if not total > 0.0:
                raise InputError(f"the weights of the {name} training events add up to {total:g}: it must be positive")
            means.append(linear_sums(x, w) / total)
            inverses.append(checked_inverse(covariance(x, w), SINGULAR.format(name[0].upper()), names, log))
        return FittedHMatrix(np.array(means), np.array(inverses))

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedHMatrix:
        """Read means and matrices."""
        del how
        n = len(head.variables)
        if section.words is not None:
            return _read_words(section.words, n)
        elements = list(xml.children(section.element))
        if len(elements) != len(ELEMENTS):
            xml.fail(
                section.element, f"{len(ELEMENTS)} matrices are expected ({', '.join(ELEMENTS)}), not {len(elements)}"
            )
        found = [_matrix(*pair, n) for pair in zip(elements, ELEMENTS, strict=True)]
        return FittedHMatrix(np.vstack(found[:2]), np.array(found[2:]))


def _matrix(element: Element, name: str, n: int) -> FloatArray:
    if element.tag != name:
        xml.fail(element, f"the element <{name}> is expected here")
    shape = xml.count(element, "Rows"), xml.count(element, "Columns")
    expected = (1, n) if name.startswith("Vec") else (n, n)
    if shape != expected:
        xml.fail(element, f"it is {shape[0]} x {shape[1]}; {n} variables need {expected[0]} x {expected[1]}")
    values = xml.numbers(element, shape[0] * n, "matrix elements")
    if np.isnan(values).any():
        xml.fail(element, "one of the matrix elements is nan or inf: the training failed")
    return values.reshape(shape)


def _read_words(words: Words, n: int) -> FittedHMatrix:
    words.next("a word")
    means = words.numbers(2 * n, "a mean").reshape(n, 2)
    matrices = words.numbers(2 * n * n, "a matrix element").reshape(2, n, n)
    if not words.at_end():
        words.fail(f"there are more numbers than {n} variables need")
    return FittedHMatrix(np.ascontiguousarray(means.T), matrices)
