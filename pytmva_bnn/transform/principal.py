"""Principal components P: rotation onto the eigenvectors of the covariance matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from pytmva_bnn._typing import AnyArray, Float32Array, FloatArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.onnxio.graph import F64, Graph
from pytmva_bnn.reductions.moments import running_moments
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.transform.compiled import LINEAR_MAP
from pytmva_bnn.transform.decorrelate import CPP_PRODUCT, centred_product, onnx_product, refuse_too_many
from pytmva_bnn.transform.linear_algebra import symmetric_eigen
from pytmva_bnn.transform.selection import Selection
from pytmva_bnn.transform.step import (
    Code,
    Element,
    Place,
    Sample,
    Step,
    check_index,
    read_matrix,
    with_use,
    words_per_class,
)
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing
from pytmva_bnn.xmlio.dialect import Dialect
from pytmva_bnn.xmlio.words import Words
from pytmva_bnn.xmlio.writing import Lines

CLASS_NAMES = ("Signal", "Background", "Combined")


@dataclass(frozen=True, eq=False)
class PrincipalComponents(Step):
    """Parameters of P: means (n_inputs,) and a matrix of eigenvectors in columns for each set."""

    means: tuple[FloatArray, ...]
    eigenvectors: tuple[FloatArray, ...]

    title = "PCA"
    xml_names = ("PCA",)
    letters = "P"
    parameters = ("means", "eigenvectors")
    matrix_name = "PCA"

    def check(self, n_inputs: int) -> None:
        if not self.means or len(self.means) != len(self.eigenvectors):
            raise InputError(
                f"transformation {self.title}: {len(self.means)} sets of means and "
                f"{len(self.eigenvectors)} of eigenvectors, expected as many of both"
            )
        for means, vectors in zip(self.means, self.eigenvectors, strict=True):
            if np.shape(means) != (n_inputs,) or np.shape(vectors) != (n_inputs, n_inputs):
                raise InputError(
                    f"transformation {self.title}: means must have the shape ({n_inputs},) and eigenvectors "
                    f"({n_inputs}, {n_inputs}), got {np.shape(means)} and {np.shape(vectors)}"
                )

    def apply(self, x: Float32Array) -> Float32Array:
        return centred_product(x, self.means[-1], self.eigenvectors[-1].T)

    @property
    def _inverse_set(self) -> tuple[FloatArray, FloatArray]:
        # TMVA: set 2, which is the one of all classes only if there are two classes
        chosen = min(2, len(self.means) - 1)
        return self.means[chosen], self.eigenvectors[chosen]

    def invert(self, y: AnyArray, positions: list[int] | None = None) -> AnyArray:
        return from_principal_components(y, *self._inverse_set)

    @classmethod
    def fit(cls, letter: str, sample: Sample, selection: Selection | None) -> Self:
        # weights do not matter
        n_inputs = sample.x.shape[1]
        if n_inputs == 1:
            raise InputError("Cannot perform PCA transformation for 1 variable only")
        refuse_too_many(n_inputs, "the principal components")
        means, vectors = [], []
        for m, C in sample.for_each_set(running_moments, sample.x):  # noqa: N806
            with np.errstate(all="ignore"):  # TMVA: NaN if nothing varies
                C /= sequential_sum(np.diagonal(C))  # noqa: N806
            means.append(m)
            vectors.append(symmetric_eigen(C)[1])
        return cls(selection, tuple(means), tuple(vectors))

    # -- weight files

    @classmethod
    def read_xml(cls, element: Element, selection: Selection | None, n_inputs: int) -> Self:
        means: list[FloatArray] = []
        eigenvectors: list[FloatArray] = []
        for item, is_used in with_use(element.findall("Statistics")):
            check_index(item, "ClassIndex", len(means))
            if xml.count(item, "NRows") != n_inputs:
                xml.fail(item, f"NRows={item.get('NRows')}, but there are {n_inputs} inputs")
            means.append(xml.readable_numbers(item, n_inputs, "means", is_used=is_used))
        for item, is_used in with_use(element.findall("Eigenvectors")):
            check_index(item, "ClassIndex", len(eigenvectors))
            eigenvectors.append(read_matrix(item, "NRows", "NCols", n_inputs, is_used=is_used))
        if not means or len(means) != len(eigenvectors):
            xml.fail(element, f"{len(means)} <Statistics> and {len(eigenvectors)} <Eigenvectors> do not form pairs")
        return cls(selection, tuple(means), tuple(eigenvectors))

    def write_xml(
        self,
        variables: Sequence[VariableRecord],
        targets: Sequence[VariableRecord],
        dialect: Dialect,
    ) -> tuple[list[tuple[str, object]], Lines]:
        form = writing.SHORT if dialect.short_numbers else "%5.8e"

        def lines() -> Lines:
            for name, arrays in (("Statistics", self.means), ("Eigenvectors", self.eigenvectors)):
                for number, array in enumerate(arrays):
                    # TMVA: the names are by index, whatever the classes are called
                    head = [("Class", CLASS_NAMES[min(number, 2)]), ("ClassIndex", number)]
                    size = zip(("NRows", "NCols"), array.shape, strict=False)
                    yield from writing.numbers(3, name, [*head, *size], array, form)

        return [], lines()

    @classmethod
    def read_text(cls, letter: str, words: Words, n_variables: int, applied: int) -> Self:
        means = words_per_class(words, n_variables, None)
        vectors = words_per_class(words, n_variables, n_variables)
        return cls(None, (*means, means[applied]), (*vectors, vectors[applied]))

    # -- C++, ONNX and compiled code

    def cpp(self, number: int) -> Code:
        statements = f"""\
      std::array<double, {len(self.means[-1])}> centred{{}};
      for (std::size_t i = 0; i < x.size(); ++i)
         centred[i] = static_cast<double>(x[i]) - kMeans{number}[i];
      x = Product(kComponents{number}, centred);"""
        means = literals.doubles(f"kMeans{number}", self.means[-1])
        components = literals.matrix(f"kComponents{number}", self.eigenvectors[-1].T)
        return Code("Principal components", statements, (CPP_PRODUCT,), (means, components))

    def cpp_inverse(self, number: int, places: Sequence[Place]) -> Code:
        means, eigenvectors = self._inverse_set
        n = len(places)
        statements = f"""\
      const std::size_t places[] = {{{", ".join(str(place.target) for place in places)}}};
      const std::size_t sources[] = {{{", ".join(str(place.output) for place in places)}}};
      for (std::size_t i = 0; i < {n}; ++i) {{
         double sum = 0.0;
         for (std::size_t j = 0; j < {n}; ++j)
            sum += static_cast<double>(outputs[sources[j]]) * kTargetComponents[i][j] + kTargetMeans[j]; // all means
         targets[places[i]] = static_cast<Real>(sum);
      }}"""
        constants = literals.doubles("kTargetMeans", means), literals.matrix("kTargetComponents", eigenvectors)
        return Code(self.title, statements, (), constants)

    def onnx(self, graph: Graph, x: str, n_inputs: int) -> str:
        centred = graph.op("Sub", graph.cast(x, F64), graph.constant(self.means[-1][np.newaxis]))
        return onnx_product(graph, centred, self.eigenvectors[-1].T)

    def onnx_inverse(self, graph: Graph, y: str, positions: list[int], dtype: type) -> str:
        means, eigenvectors = self._inverse_set
        total = ""
        for j, mean in enumerate(means):
            part = graph.op("Mul", graph.cast(graph.column(y, j), F64), graph.constant(eigenvectors[:, j][np.newaxis]))
            part = graph.op("Add", part, graph.constant(mean))
            total = graph.op("Add", total, part) if total else part
        return graph.cast(total, dtype)

    def compiled(self, n_inputs: int) -> tuple[int, list[AnyArray]]:
        return LINEAR_MAP, [self.means[-1], self.eigenvectors[-1].T]


def from_principal_components(y: AnyArray, means: FloatArray, eigenvectors: FloatArray) -> AnyArray:
    """Return x_i = Σ_j (y_j E_ij + m_j), TMVA's inverse, in the precision of ``y``."""
    total = np.zeros((len(y), len(means)))
    with np.errstate(all="ignore"):
        for j, mean in enumerate(means):
            # TMVA: adds the means of all inputs to each of them
            total += y[:, j : j + 1].astype(np.float64) * eigenvectors[:, j] + mean
        return total.astype(y.dtype)
