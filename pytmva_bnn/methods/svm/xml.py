"""The element <Weights> of SVM: the parameters of its kernel, and the support vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

NUMBER, FLAG, ALPHA, ALPHA_PRIME, FIRST_VARIABLE = range(5)
"""Columns of the table of support vectors."""


@dataclass(frozen=True, eq=False)
class WeightsElement:
    """What <Weights> holds, with all digits.

    ``table`` ``(n_vectors, 4 + n_variables)`` are number of the event, flag (-1: signal, +1: background), the two
    multipliers α and α', and the variables.  ``kernel_parameters`` are fGammaList, fTheta and fOrder, which files of
    TMVA < 4.2.1 do not have.  ``ranges`` are maxima and minima of the variables; nothing depends on them.
    """

    b: float
    gamma: float
    table: FloatArray
    ranges: FloatArray | None
    kernel_parameters: tuple[str, float, int] | None


def read_weights(weights: Element, n_variables: int) -> WeightsElement:
    """Read the element."""
    vectors = [child for child in xml.children(weights) if child.tag == "SupportVector"]
    announced = xml.count(weights, "NSupVec")
    if len(vectors) != announced:
        xml.fail(weights, f"NSupVec={announced}, but {len(vectors)} elements <SupportVector> are present")
    if not vectors:
        xml.fail(weights, "there are no support vectors")
    n_columns = FIRST_VARIABLE + n_variables
    for vector in vectors:
        if xml.count(vector, "Columns") != n_columns:
            xml.fail(
                vector, f"Columns={vector.get('Columns')}; {FIRST_VARIABLE} and {n_variables} variables are expected"
            )
    table = np.array([_numbers(vector, n_columns) for vector in vectors])
    wrong = np.flatnonzero(np.abs(table[:, FLAG]) != 1.0)
    if wrong.size:
        xml.fail(vectors[wrong[0]], f"the flag, its second number, is {table[wrong[0], FLAG]:g}, not 1 or -1")
    parameters = None
    if weights.get("fGammaList") is not None:
        parameters = (xml.attribute(weights, "fGammaList"), _real(weights, "fTheta"), xml.integer(weights, "fOrder"))
    ends = [end for name in ("Maxima", "Minima") if (end := xml.optional_child(weights, name)) is not None]
    ranges = None
    if len(ends) == 2:
        ranges = np.array([[xml.number(end, f"Var{i}") for i in range(n_variables)] for end in ends])
    return WeightsElement(_real(weights, "fBparm"), _real(weights, "fGamma"), table, ranges, parameters)


def _real(element: Element, name: str) -> float:
    """Return an attribute that TMVA reads as float32."""
    value = xml.number(element, name)
    if abs(value) > xml.LARGEST_FLOAT32:
        xml.fail(element, f"{name}={value:g} is too large for a 32-bit float")
    return value


def _numbers(vector: Element, n_columns: int) -> FloatArray:
    values = xml.numbers(vector, n_columns, "numbers of the support vector")
    if not (np.abs(values) <= xml.LARGEST_FLOAT32).all():
        xml.fail(vector, "one of the numbers is nan, or too large for a 32-bit float")
    return values


def weights_lines(weights: WeightsElement) -> writing.Lines:
    """Yield the element."""
    n_vectors, n_columns = weights.table.shape
    attributes: list[tuple[str, object]] = [("fBparm", f"{weights.b:.16e}"), ("fGamma", f"{weights.gamma:.16e}")]
    if weights.kernel_parameters is not None:
        gamma_list, theta, order = weights.kernel_parameters
        attributes += [("fGammaList", gamma_list), ("fTheta", f"{theta:.16e}"), ("fOrder", order)]
    yield writing.start(1, "Weights", [*attributes, ("NSupVec", n_vectors)])
    vector = "\n".join(
        [
            writing.start(2, "SupportVector", [("Rows", 1), ("Columns", n_columns)]),
            "      " + "%.15e " * n_columns,
            "    </SupportVector>",
        ]
    )
    for row in weights.table.tolist():
        yield from (vector % tuple(row)).split("\n")
    if weights.ranges is not None:
        for name, values in zip(("Maxima", "Minima"), weights.ranges.tolist(), strict=True):
            yield writing.empty(2, name, [(f"Var{i}", f"{value:.16e}") for i, value in enumerate(values)])
    yield "  </Weights>"
