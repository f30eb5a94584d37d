"""Rearrangement: quantities change their places and keep their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.transform.selection import Selection
from pytmva_bnn.transform.step import Code, Element, Step
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio.dialect import Dialect
from pytmva_bnn.xmlio.writing import Lines


@dataclass(frozen=True, eq=False)
class Rearrangement(Step):
    """Copies the inputs of its selection to the outputs."""

    title = "Rearrange"
    xml_names = ("Rearrange",)
    may_select_targets = False

    def apply(self, x: Float32Array) -> Float32Array:
        return x

    @classmethod
    def read_xml(cls, element: Element, selection: Selection | None, n_inputs: int) -> Self:
        if selection is None:
            xml.fail(element, "the element <Selection> is missing")
        return cls(selection)

    def write_xml(
        self, variables: Sequence[VariableRecord], targets: Sequence[VariableRecord], dialect: Dialect
    ) -> tuple[list[tuple[str, object]], Lines]:
        return [], iter(())

    def cpp(self, number: int) -> Code:
        return Code(self.title, "      // only the positions change")

    def onnx(self, graph: Graph, x: str, n_inputs: int) -> str:
        return x
