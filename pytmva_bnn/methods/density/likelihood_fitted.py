"""A trained Likelihood as the rest of the package sees it: responses, and what a weight file holds of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.histograms import PDF, Interpolation, PDFRecord, build_pdfs
from pytmva_bnn.histograms.entries import Entry
from pytmva_bnn.histograms.pdf_xml import write_pdf
from pytmva_bnn.methods.answers import EventBlock, Inspection, OnnxOutputs, Wanted
from pytmva_bnn.methods.density import likelihood_response as response
from pytmva_bnn.methods.density.likelihood_cpp import class_part
from pytmva_bnn.methods.density.likelihood_event import linked_likelihood
from pytmva_bnn.methods.density.likelihood_monitoring import monitoring
from pytmva_bnn.methods.density.likelihood_onnx import onnx_outputs
from pytmva_bnn.methods.density.likelihood_ranking import delta_separation
from pytmva_bnn.methods.linked_response import LinkedResponse
from pytmva_bnn.methods.protocol import Fitted, MethodEvents
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.options import OptionSet
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Dialect, WeightFile
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from pytmva_bnn.methods.ranking import Ranking

_CACHES = ("pdfs", "_tables")


@dataclass(frozen=True, eq=False)
class FittedLikelihood(Fitted):
    """For each variable the PDFs of signal and background, as the file has them or as they were trained.

    A trained one knows the spread of the filled values, from which kernel densities have their widths; one read from a
    file has only the bins, so that its responses differ a little, in TMVA too.  ``labels`` are those of the variables,
    if it was just trained.
    """

    records: tuple[tuple[PDFRecord, PDFRecord], ...]
    transform_output: bool = False
    labels: tuple[str, ...] = field(default=(), metadata={"stored": False})

    noun = "likelihood"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _CACHES}

    @cached_property
    def pdfs(self) -> tuple[tuple[PDF, PDF], ...]:
        """Return the PDFs that are evaluated: for each variable those of signal and background."""
        built = build_pdfs([record.in_float32() for pair in self.records for record in pair], normalise=True)
        return tuple(zip(built[::2], built[1::2], strict=True))

    # -- responses

    @cached_property
    def _tables(self) -> response.Tables | None:
        return response.Tables.of(self.pdfs)

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the responses ``(n_events, 1)``, of events transformed for each class or, untransformed, once."""
        return self._responses(x, compiled=self.is_compiled(len(x), errors=False, compiled=None))

    def _responses(self, x: Float32Array, *, compiled: bool) -> FloatArray:
        if compiled and self._tables is not None:
            found = self._tables.responses(x, transformed=self.transform_output)
        else:
            found = response.responses(x, self.pdfs, transformed=self.transform_output)
        return found[:, np.newaxis]

    def is_compiled(self, n_events: int, *, errors: bool, compiled: bool | None) -> bool:
        """Return whether compiled code is used for this number of events; it gives the same bits."""
        del errors
        if compiled is None:
            return compiled_pays(n_events * 2 * len(self.records) * response.TO_READ)
        return fast.pays(0.0, compiled)

    def block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        """Return the responses of events that ``chain`` has still to transform."""
        return EventBlock(self._responses(chain.forward(x, spectators), compiled=wanted.compiled).T)

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedResponse | None:
        """Return the short way for an event loop."""
        return linked_likelihood(self.pdfs, chain, memory, self.transform_output)

    # -- weight file, people, other programs

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        yield writing.start(1, "Weights", [("NVariables", len(self.records)), ("NClasses", 2)])
        for number, pair in enumerate(self.records):
            for index, record in enumerate(pair):
                attributes = [("VarIndex", number), ("ClassIndex", index)]
                yield from writing.element(2, "PDFDescriptor", attributes, write_pdf(3, record, dialect))
        yield "  </Weights>"

    @property
    def summary(self) -> str:
        """Return how the densities are interpolated, e.g. Spline2."""
        names = dict.fromkeys(interpolation_name(record) for pair in self.records for record in pair)
        return f"{', '.join(names)} of {len(self.records)} variables"

    def describe(self) -> list[tuple[str, str]]:
        """Return what the densities are and what is made of them."""
        ratio = "p_S / (p_S + p_B)"
        output = f"-ln(1/r - 1)/15 of r = {ratio}" if self.transform_output else ratio
        return [("densities", self.summary), ("output", output)]

    def inspection(self, head: WeightFile) -> Inspection:
        """Return a table of the densities."""
        rows = [("variable", "class", "density", "bins", "smoothed", "range")]
        data = []
        for variable, pair in zip(head.variables, self.records, strict=True):
            for name, record in zip(("signal", "background"), pair, strict=True):
                axis, passes = record.histogram.axis, sorted({record.min_n_smooth, record.max_n_smooth})
                kind = interpolation_name(record)
                smoothed = " to ".join(map(str, passes))
                ends = f"{axis.lower:.6g} to {axis.upper:.6g}"
                rows.append((variable.label, name, kind, str(axis.n_bins), smoothed, ends))
                found = {"variable": variable.label, "class": name, "density": kind, "bins": axis.n_bins}
                data.append({**found, "smoothed": passes, "range": [axis.lower, axis.upper]})
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        facts = dict(self.describe())
        return Inspection(
            self.summary,
            {"method": {"type": head.kind, **facts}, "densities": data},
            [("Densities", lines), ("Output", [f"  {facts['output']}"])],
        )

    def cpp(self, head: WeightFile) -> Part:
        """Return the densities in C++."""
        return class_part(self.pdfs, head, transformed=self.transform_output)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the densities to an ONNX graph."""
        del errors
        return onnx_outputs(graph, x, self.pdfs, transformed=self.transform_output)

    def monitoring(self, options: OptionSet, number: int, dataset: str) -> Iterator[Entry]:
        """Yield the reference histograms and the densities made of them."""
        del options, number, dataset
        return monitoring(self.pdfs, self.labels)

    def ranking(self, events: MethodEvents, weights: FloatArray, names: Sequence[str]) -> Ranking:
        """Return the variables by how much worse the separation is without them."""
        return delta_separation(events, weights, names, self.pdfs, transformed=self.transform_output)


def interpolation_name(record: PDFRecord) -> str:
    """Return the option's word for how a density is interpolated, e.g. Spline2."""
    name = Interpolation(record.interpolation).name
    return name if name == "KDE" else name.capitalize()
