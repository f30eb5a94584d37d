"""Decorrelation D: multiplication with the inverse square root of the covariance matrix."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from pytmva_bnn._typing import AnyArray, Float32Array, FloatArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.onnxio.graph import F32, F64, Graph
from pytmva_bnn.reductions.moments import covariance
from pytmva_bnn.transform.compiled import LINEAR_MAP
from pytmva_bnn.transform.linear_algebra import lu_inverse, symmetric_eigen
from pytmva_bnn.transform.selection import Selection
from pytmva_bnn.transform.step import (
    Code,
    Element,
    Sample,
    Step,
    parameter_elements,
    read_matrix,
    with_use,
    words_per_class,
)
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing
from pytmva_bnn.xmlio.dialect import Dialect
from pytmva_bnn.xmlio.words import Words
from pytmva_bnn.xmlio.writing import Lines

LOGGER = logging.getLogger("pytmva_bnn.transform")

MAX_INPUTS = 200
"""More inputs are refused, here and for the principal components."""
EVENTS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Decorrelation(Step):
    """Parameters of D: a matrix (n_inputs, n_inputs) for each set."""

    matrices: tuple[FloatArray, ...]

    title = "Decorrelation"
    xml_names = ("Decorrelation",)
    letters = "D"
    parameters = ("matrices",)
    matrix_name = "decorrelation"

    def check(self, n_inputs: int) -> None:
        if not self.matrices:
            raise InputError(f"transformation {self.title}: no matrix given")
        for matrix in self.matrices:
            if np.shape(matrix) != (n_inputs, n_inputs):
                raise InputError(
                    f"transformation {self.title}: matrices must have the shape ({n_inputs}, {n_inputs}), "
                    f"got {np.shape(matrix)}"
                )

    def apply(self, x: Float32Array) -> Float32Array:
        # no mean is subtracted
        return centred_product(x, np.zeros(x.shape[1]), self.matrices[-1])

    @classmethod
    def fit(cls, letter: str, sample: Sample, selection: Selection | None) -> Self:
        # negative weights count as they are
        refuse_too_many(sample.x.shape[1], "decorrelation matrix")
        return cls(
            selection, tuple(map(decorrelation_matrix, sample.for_each_set(covariance, sample.x, sample.weights)))
        )

    @classmethod
    def read_xml(cls, element: Element, selection: Selection | None, n_inputs: int) -> Self:
        sets = with_use(parameter_elements(element))
        if not sets:
            xml.fail(element, "the element <Matrix> is missing")
        matrices = (read_matrix(item, "Rows", "Columns", n_inputs, is_used=is_used) for item, is_used in sets)
        return cls(selection, tuple(matrices))

    def write_xml(
        self,
        variables: Sequence[VariableRecord],
        targets: Sequence[VariableRecord],
        dialect: Dialect,
    ) -> tuple[list[tuple[str, object]], Lines]:
        form = writing.SHORT if dialect.short_numbers else "%5.15e"
        sizes = (zip(("Rows", "Columns"), matrix.shape, strict=True) for matrix in self.matrices)
        pairs = zip(sizes, self.matrices, strict=True)
        return [], (line for size, matrix in pairs for line in writing.numbers(3, "Matrix", size, matrix, form))

    @classmethod
    def read_text(cls, letter: str, words: Words, n_variables: int, applied: int) -> Self:
        matrices = words_per_class(words, n_variables, n_variables)
        return cls(None, (*matrices, matrices[applied]))

    def cpp(self, number: int) -> Code:
        matrix = literals.matrix(f"kMatrix{number}", self.matrices[-1])
        return Code(self.title, f"      x = Product(kMatrix{number}, x);", (CPP_PRODUCT,), (matrix,))

    def onnx(self, graph: Graph, x: str, n_inputs: int) -> str:
        return onnx_product(graph, graph.cast(x, F64), self.matrices[-1])

    def compiled(self, n_inputs: int) -> tuple[int, list[AnyArray]]:
        return LINEAR_MAP, [np.zeros(n_inputs), self.matrices[-1]]


def refuse_too_many(n_inputs: int, what: str) -> None:
    """Raise an InputError for more than 200 inputs."""
    if n_inputs > MAX_INPUTS:
        # TMVA: continues without the step and fails when events are transformed
        raise InputError(
            f"More than {MAX_INPUTS} variables ({n_inputs}), will not calculate {what}; "
            "select fewer, e.g. VarTransform=D(_V0_,_V1_,...)"
        )


def decorrelation_matrix(C: FloatArray) -> FloatArray:  # noqa: N803
    """Return the inverse of the symmetric square root of C, or TMVA's substitute where it does not exist."""
    if not _is_positive_definite(C):
        LOGGER.warning("<GetSQRootMatrix> matrix not positive definite; check for constant or dependent variables")
    R = _square_root(C)  # noqa: N806
    inverse = lu_inverse(R)
    if inverse is None:
        # TMVA: continues with the matrix that should have been inverted
        LOGGER.warning("the square root of the covariance matrix is singular and is used without inverting it")
        return R
    return inverse


def _is_positive_definite(C: FloatArray) -> bool:  # noqa: N803
    try:
        return bool(np.all(np.isfinite(np.linalg.cholesky(C))))
    except np.linalg.LinAlgError:
        return False


def _square_root(C: FloatArray) -> FloatArray:  # noqa: N803
    values, S = symmetric_eigen(C)  # noqa: N806
    R = np.zeros(C.shape)  # noqa: N806
    with np.errstate(all="ignore"):  # TMVA: a negative eigenvalue makes all elements NaN
        B = S * np.sqrt(values)  # noqa: N806
        for k in range(len(C)):
            R += np.outer(B[:, k], S[:, k])  # noqa: N806
    return np.triu(R) + np.triu(R, 1).T


# -- the product with a matrix, here and for the principal components: terms are added in float64 with j ascending,
#    because a library's product adds in an order that depends on the number of events


def centred_product(x: Float32Array, means: FloatArray, matrix: FloatArray) -> Float32Array:
    """Return y_i = f32(Σ_j (x_j - m_j) M_ij), added in float64 with j ascending."""
    y = np.empty((len(x), len(matrix)), np.float32)

    def multiply(start: int, stop: int) -> None:
        with np.errstate(all="ignore"):  # infinite inputs
            for first in range(start, stop, EVENTS_AT_ONCE):  # few enough for the processor's cache
                events = slice(first, min(first + EVENTS_AT_ONCE, stop))
                columns = np.ascontiguousarray(x[events].T, dtype=np.float64)
                columns -= means[:, None]
                total = np.zeros((len(matrix), columns.shape[1]))
                term = np.empty_like(total)
                for j, column in enumerate(columns):
                    total += np.multiply(matrix[:, j : j + 1], column, out=term)
                y[events] = total.T

    in_parts(multiply, len(x), EVENTS_AT_ONCE, multiplications=float(x.size) * len(matrix))
    return y


def onnx_product(graph: Graph, x: str, matrix: FloatArray) -> str:
    """Append f32(Σ_j x_j M_ij) of float64 inputs."""
    total = ""
    for j in range(matrix.shape[1]):
        term = graph.op("Mul", graph.column(x, j), graph.constant(matrix[:, j][np.newaxis]))
        total = graph.op("Add", total, term) if total else term
    return graph.cast(total, F32)


CPP_PRODUCT = """\
   template <class Real, std::size_t N>
   static std::array<float, N> Product(const double (&matrix)[N][N], const std::array<Real, N>& x)
   {
      std::array<float, N> y{};
      for (std::size_t i = 0; i < N; ++i) {
         double sum = 0.0;
         for (std::size_t j = 0; j < N; ++j)
            sum += matrix[i][j] * static_cast<double>(x[j]);
         y[i] = static_cast<float>(sum);
      }
      return y;
   }"""
