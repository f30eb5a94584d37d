"""Trained foams as the rest of the package sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import ErrorsNotAvailableError
from pytmva_bnn.methods.answers import NO_ERROR, OnnxOutputs
from pytmva_bnn.methods.foam.evaluation import (
    CellValue,
    FoamEvaluation,
    Kernel,
    mean_targets,
    most_probable_targets,
)
from pytmva_bnn.methods.foam.linked_event import LinkedFoam
from pytmva_bnn.methods.foam.tree import Foam, FoamKind, importance
from pytmva_bnn.methods.foam.xml import KERNELS, Attributes, Ranges, weights_lines
from pytmva_bnn.methods.protocol import Fitted, MethodEvents
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Companion, Dialect, WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.answers import ResponseSum
    from pytmva_bnn.methods.output_scale import OutputScale


MPV = 1
_SMALLEST_SUM = 1e-10
_BLOCK_EVENTS = 65536


@dataclass(frozen=True, eq=False)
class FittedPDEFoam(Fitted):
    """The foams of a training, and what the weight file says of them.

    There is one foam for classification (of the fraction of signal) and regression, one for each class with
    SigBgSeparate and in multiclass.
    """

    foams: tuple[Foam, ...]
    attributes: Attributes
    ranges: Ranges
    n_targets: int = 1

    noun: ClassVar[str] = "foam"  # type: ignore[misc]

    @cached_property
    def _given(self) -> dict[str, str]:
        return dict(self.attributes)

    @property
    def kernel(self) -> Kernel:
        """Return how values are smoothed."""
        return KERNELS[int(self._given["Kernel"])]

    @property
    def vol_frac(self) -> np.float32:
        """Return the edge of the sampling box in units of the range, which is twice the width of the Gauss kernel."""
        return np.float32(self._given["VolFrac"])

    @property
    def is_separate(self) -> bool:
        """Tell whether signal and background have a foam each."""
        return self.foams[0].kind is FoamKind.EVENT

    @property
    def is_yes_no(self) -> bool:
        """Tell whether the response is -1 or +1."""
        return self.is_classification and int(self._given.get("UseYesNoCell", "0")) != 0

    @property
    def is_multiclass(self) -> bool:
        """Tell whether there is a foam for each of several classes."""
        return self.foams[0].name.startswith("MultiClass")

    @property
    def is_most_probable(self) -> bool:
        """Tell whether the targets are those of the densest cell, and not a mean."""
        return self.foams[0].kind is FoamKind.MULTI_TARGET and self.foams[0].role == MPV

    @property
    def is_classification(self) -> bool:
        """Return whether signal is distinguished from background."""
        return not self.is_multiclass and self.foams[0].kind not in (FoamKind.TARGET, FoamKind.MULTI_TARGET)

    @property
    def n_inputs(self) -> int:
        """Return the number of variables."""
        return self.foams[0].n_dimensions - (self.n_outputs if self.foams[0].kind is FoamKind.MULTI_TARGET else 0)

    @property
    def n_outputs(self) -> int:  # type: ignore[override]
        """Return the number of classes or targets, 1 for classification."""
        return len(self.foams) if self.is_multiclass else self.n_targets

    @cached_property
    def evaluations(self) -> tuple[FoamEvaluation, ...]:
        """Return the foams with their kernel."""
        sigma = float(self.vol_frac / np.float32(2.0))
        return tuple(FoamEvaluation(foam, self.kernel, sigma) for foam in self.foams)

    # -- responses

    def respond(self, x: Float32Array) -> NDArray[np.floating]:
        """Return the response, the targets, or the values of the class foams."""
        if self.foams[0].kind is FoamKind.MULTI_TARGET:
            targets = most_probable_targets if self.is_most_probable else mean_targets
            return targets(self.evaluations[0], x)
        if self.is_multiclass:
            return np.stack([evaluate(x) for evaluate in self.evaluations], axis=1)
        response: NDArray[np.floating] = self._ratio(x) if self.is_separate else self.evaluations[0](x)
        if self.is_yes_no:
            response = np.where(response < 0.5, -1.0, 1.0)
        return response[:, np.newaxis]

    def _ratio(self, x: Float32Array) -> FloatArray:
        """Return the share of signal in the densities of signal and background."""
        s, b = (evaluate(x, CellValue.DENSITY).astype(np.float64) for evaluate in self.evaluations)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(s + b == 0, 0.5, s / (s + b))

    def multiclass(self, outputs: Float32Array) -> Float32Array:
        """Return the shares of the classes."""
        return class_shares(outputs)

    def block_events(self, *, errors: bool, compiled: bool) -> int:
        """Return how many events to take at a time."""
        del errors, compiled
        return _BLOCK_EVENTS

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedFoam | None:
        """Return the short way for an event loop; None if there is a kernel, or transformations."""
        return LinkedFoam.of(self, chain, memory)

    # -- error bars

    @property
    def has_errors(self) -> bool:  # type: ignore[override]
        """Tell whether the response has an error: that of the number of training events in the cells."""
        return self.is_classification and not self.is_yes_no

    has_latent: ClassVar[bool] = False  # type: ignore[misc]

    @property
    def is_probability(self) -> bool:  # type: ignore[override]
        """Tell whether the response is the fraction of signal."""
        return self.has_errors

    def why_no_errors(self) -> str:
        """Return why there are none."""
        if self.is_multiclass:
            return "the classes of a foam have none"
        if self.is_yes_no:
            return "a response that is -1 or +1 (UseYesNoCell) has none"
        return "what TMVA gives as the error of a target is not one (sum of the targets over the root of their number)"

    def error_bars(self, x: Float32Array, name: str) -> tuple[FloatArray, FloatArray]:
        """Return the error as TMVA's Reader has it, the same for lower and upper."""
        del name
        if self.is_multiclass or self.foams[0].kind is FoamKind.MULTI_TARGET:
            nothing = np.full(len(x), NO_ERROR)
            return nothing, nothing
        error = self._ratio_error(x) if self.is_separate else self.evaluations[0](x, CellValue.ERROR)
        errors = error.astype(np.float64)
        return errors, errors.copy()

    def _ratio_error(self, x: Float32Array) -> FloatArray:
        s, b = (evaluate(x, CellValue.VALUE).astype(np.float64) for evaluate in self.evaluations)
        with np.errstate(divide="ignore", invalid="ignore"):
            error_s, error_b = (np.where(n == 0, 1.0, np.sqrt(n)) for n in (s, b))
            squares = (s + b) * (s + b)
            error = np.sqrt((b / squares * error_s) ** 2 + (s / squares * error_b) ** 2)
        return np.where((s <= _SMALLEST_SUM) & (b <= _SMALLEST_SUM), 1.0, error)

    def response_sum(self, scale: OutputScale, n_groups: int) -> ResponseSum:
        """Raise: the events of a cell share its error, but nothing is known of how cells are correlated."""
        del scale, n_groups
        raise ErrorsNotAvailableError("no error of a sum: a foam has errors for single cells only")

    # -- weight file, people, other programs

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        return weights_lines(self.attributes, self.ranges)

    def companions(self) -> tuple[Companion, ...]:
        """Return the ROOT file with the foams."""
        from pytmva_bnn.methods.foam.companion_writer import companion_of  # lazy: only writing needs it

        return (companion_of(self.foams, best_compression=self._given.get("Compress") != "0"),)

    @property
    def summary(self) -> str:
        """Return the number of active cells, e.g. 97 cells."""
        return f"{' + '.join(str(len(foam.active)) for foam in self.foams)} cells"

    def describe(self) -> list[tuple[str, str]]:
        """Return what the foams are."""
        contents = {
            FoamKind.EVENT: "densities of signal and background",
            FoamKind.TARGET: "mean target",
            FoamKind.MULTI_TARGET: "density of events in variables and targets",
        }
        content = contents.get(self.foams[0].kind, "fraction of a class" if self.is_multiclass else "signal fraction")
        rows = [
            ("foams", ", ".join(f"{foam.name} ({foam.kind}, {len(foam.active)} active cells)" for foam in self.foams)),
            ("cells hold", content),
            ("depth", ", ".join(str(int(foam.depths.max())) for foam in self.foams)),
            ("kernel", self.kernel),
        ]
        if self.foams[0].kind is FoamKind.MULTI_TARGET:
            rows.append(("targets", "of the densest cell" if self.is_most_probable else "mean over the cells"))
        if self.is_yes_no:
            rows.append(("response", "-1 or +1 (UseYesNoCell)"))
        return rows

    def ranking(self, events: MethodEvents, weights: FloatArray, names: Sequence[str]) -> Ranking:
        """Return the variables by the share of the divisions across them."""
        del events, weights
        values = importance(self.foams, len(names))
        return Ranking.of("Variable Importance", names, values.tolist())

    def cpp(self, head: WeightFile) -> Part:
        """Return the foams in C++."""
        from pytmva_bnn.methods.foam.cpp import class_part  # lazy: reading needs no C++

        return class_part(self, head)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the foams to an ONNX graph."""
        from pytmva_bnn.methods.foam.onnx import onnx_outputs  # lazy: reading needs no ONNX

        return onnx_outputs(graph, self, x, errors=errors)

    def onnx_multiclass(self, graph: Graph, outputs: str) -> str:
        """Append the shares of the classes."""
        from pytmva_bnn.methods.foam.onnx import onnx_class_shares

        return onnx_class_shares(graph, outputs, self.n_outputs)


def class_shares(values: Float32Array) -> Float32Array:
    """Return ``1/(1 + Σ_{j≠i} exp(v_j - v_i))`` for the values (n_events, n_classes), the sum in float32.

    TMVA: a softmax of fractions, which lie between 0 and 1: all results are near one over the number of classes.
    """
    result = np.empty_like(values)
    for i in range(values.shape[1]):
        norm = np.zeros(len(values), dtype=np.float32)
        for j in range(values.shape[1]):
            if j != i:
                norm = (norm + np.exp((values[:, j] - values[:, i]).astype(np.float64))).astype(np.float32)
        result[:, i] = 1.0 / (1.0 + norm.astype(np.float64))
    return result
