"""A trained forest as the rest of the package sees it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.histograms.entries import Entry
from pytmva_bnn.methods.answers import EventBlock, Inspection, OnnxOutputs, Wanted
from pytmva_bnn.methods.bdt import c_library, response
from pytmva_bnn.methods.bdt.cpp import class_part
from pytmva_bnn.methods.bdt.differences import differences
from pytmva_bnn.methods.bdt.forest import Forest
from pytmva_bnn.methods.bdt.inspection import describe, inspection, tree_inspection
from pytmva_bnn.methods.bdt.kernels.responses import CompiledForest
from pytmva_bnn.methods.bdt.linked_event import LinkedForest
from pytmva_bnn.methods.bdt.monitoring import monitoring
from pytmva_bnn.methods.bdt.onnx import onnx_outputs
from pytmva_bnn.methods.bdt.preselection import Preselection
from pytmva_bnn.methods.bdt.xml import weights_lines
from pytmva_bnn.methods.protocol import Agree, Fitted, MethodEvents
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.options import OptionSet
from pytmva_bnn.reductions.summation import blocks, sequential_sum
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Dialect, WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.training.result import TrainingResult

Combination = Literal["mean", "logistic", "softmax", "sum", "median"]
"""How the answers of the trees become a response: see :attr:`FittedBDT.combination`."""

# TMVA: a sum of weights up to here counts as none
_NO_WEIGHT = np.finfo(np.float64).eps
#: seconds that numpy takes for a step of an event down a tree, and for a tree where answers have to be sorted
_STEP, _SORTING = 4e-9, 2e-7
#: seconds by numpy from which on numba is loaded, which takes nearly as long, in the units of :func:`fast.pays`
_PER_SECOND = 20_000_000
_BLOCK, _COMPILED_BLOCK = 1 << 14, 1 << 16


@dataclass(frozen=True, eq=False)
class FittedBDT(Fitted):
    """A forest with what its answers mean.

    ``boost_type`` is that of the weight file; ``regression_trees``: a leaf answers its response, as in regression and
    for Grad, else, with ``yes_no_leaf``, its type, otherwise its purity.  ``rounded``: weights of trees count as TMVA
    reads them from XML, in float32.  ``result`` is how the training went, if it was just trained.
    """

    forest: Forest
    analysis: AnalysisType
    boost_type: str
    yes_no_leaf: bool = True
    regression_trees: bool = False
    n_classes: int = 1
    preselection: Preselection | None = None
    do_preselection: bool = False
    rounded: bool = True
    result: TrainingResult | None = field(default=None, metadata={"stored": False})

    noun = "forest"

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @property
    def n_outputs(self) -> int:  # type: ignore[override]
        """Return 1, or the number of classes in multiclass."""
        return self.n_classes if self.analysis == AnalysisType.MULTICLASS else 1

    @property
    def combination(self) -> Combination:
        """Return how the answers of the trees become a response.

        ``mean``: weighted mean; ``logistic``: 2/(1 + exp(-2 sum)) - 1; ``softmax`` of the sums of each class's trees;
        ``sum`` with the offset; ``median``: mean of the responses around the weighted median.
        """
        if self.analysis == AnalysisType.MULTICLASS:
            return "softmax"
        if self.boost_type == "Grad":
            return "logistic" if self.analysis == AnalysisType.CLASSIFICATION else "sum"
        if self.boost_type == "AdaBoostR2" and self.analysis == AnalysisType.REGRESSION:
            return "median"
        return "mean"

    @cached_property
    def tree_weights(self) -> FloatArray:
        """Return the weights of the trees as they count."""
        weights = self.forest.boost_weights
        # TMVA: boost weights are read into float32
        return weights.astype(np.float32).astype(np.float64) if self.rounded else weights

    @property
    def effective_weights(self) -> FloatArray:
        """Return how much the trees count: all the same where answers are simply added."""
        is_added = self.combination in ("logistic", "softmax", "sum")
        return np.ones(self.forest.n_trees) if is_added else self.tree_weights

    @cached_property
    def sum_of_weights(self) -> float:
        """Return the sum of the weights of the trees; 0 if it counts as none."""
        total = float(sequential_sum(self.tree_weights))
        return total if total > _NO_WEIGHT else 0.0

    @cached_property
    def leaf_answers(self) -> FloatArray:
        """Return what each node answers if an event ends there."""
        forest = self.forest
        if self.regression_trees:
            return forest.response.astype(np.float64)
        return (forest.node_type if self.yes_no_leaf else forest.purity).astype(np.float64)

    @cached_property
    def leaf_values(self) -> FloatArray:
        """Return what each node adds to the sum over trees if an event ends there."""
        return self.leaf_answers if self.combination in ("logistic", "softmax", "sum") else self.weighted_answers

    @property
    def weighted_answers(self) -> FloatArray:
        """Return what each node answers, times the weight of its tree."""
        return np.repeat(self.tree_weights, np.diff(self.forest.starts)) * self.leaf_answers

    # -- responses

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the responses ``(n_events, n_outputs)``."""
        return self.respond_by(x, compiled=self.is_compiled(len(x), errors=False, compiled=None))

    def respond_by(self, x: Float32Array, *, compiled: bool, into: FloatArray | None = None) -> FloatArray:
        """Return the same by compiled code or by numpy; ``into`` is memory that compiled code fills."""
        forest = self.compiled_forest if compiled else None
        values = self._by_numpy(x) if forest is None else forest.outputs(x, into)
        preselection = self.active_preselection
        if preselection is not None:
            answers = preselection.answers(x)[:, np.newaxis]
            np.copyto(values, answers, where=answers != 0.0)
        return values

    def _by_numpy(self, x: Float32Array) -> FloatArray:
        if self.combination == "median":
            values = np.empty((len(x), 1))
            for part in blocks(len(x), response.events_at_a_time(self.forest)):
                answers = self.leaf_answers[response.leaf_numbers(self.forest, x[part])]
                values[part, 0] = response.weighted_median_mean(answers, self.tree_weights)
            return values
        return self.combined(response.leaf_sums(self.forest, self.leaf_values, x, self.n_outputs))

    def combined(self, sums: FloatArray) -> FloatArray:
        """Return the responses ``(n_events, n_outputs)`` for sums over trees ``(n_outputs, n_events)``."""
        if self.combination == "softmax":
            with np.errstate(invalid="ignore", over="ignore"):
                powers = c_library.exp(sums)
                return np.ascontiguousarray((powers / sequential_sum(powers, axis=0)).T)
        if self.combination == "logistic":
            values = 2.0 / (1.0 + c_library.exp(-2.0 * sums[0])) - 1.0
        elif self.combination == "sum":
            # TMVA: the offset stands as the weight of the first tree
            values = sums[0] + self.tree_weights[0]
        else:
            total = self.sum_of_weights
            values = sums[0] / total if total else np.zeros(sums.shape[1])
        return values[:, np.newaxis]

    def mva_values(self, x: Float32Array) -> FloatArray:
        """Return what EvaluateMVA gives; in regression that is not the target."""
        return self._as_evaluated.respond(x)[:, 0]

    @cached_property
    def _as_evaluated(self) -> FittedBDT:
        # TMVA: EvaluateMVA of a regression file combines the trees as in classification
        is_regression = self.analysis == AnalysisType.REGRESSION
        return replace(self, analysis=AnalysisType.CLASSIFICATION) if is_regression else self

    # -- compiled code

    @cached_property
    def compiled_forest(self) -> CompiledForest | None:
        """Return the forest for compiled code; None if only numpy can do it."""
        constants = {"mean": self.sum_of_weights, "sum": float(self.tree_weights[0])}
        constants["median"] = float(sequential_sum(self.tree_weights)) / 2.0
        constant = constants.get(self.combination, 0.0)
        return CompiledForest.of(
            self.forest.descent, self.leaf_answers, self.effective_weights, self.combination, constant, self.n_outputs
        )

    @cached_property
    def _seconds_by_numpy(self) -> float:
        sorting = _SORTING * self.forest.n_trees if self.combination == "median" else 0.0
        return _STEP * float(self.forest.descent.depths.sum()) + sorting

    def is_compiled(self, n_events: int, *, errors: bool, compiled: bool | None) -> bool:
        """Return whether compiled code is used for this number of events.

        Both ways give the same bits, so that the choice is free.
        """
        del errors
        seconds = n_events * self._seconds_by_numpy
        is_loaded = compiled is None and "numba" in sys.modules
        pays = fast.pays(seconds * _PER_SECOND, compiled) or (is_loaded and compiled_pays(seconds))
        return pays and self.compiled_forest is not None

    def block_events(self, *, errors: bool, compiled: bool) -> int:
        """Return how many events to take at a time."""
        del errors
        return _COMPILED_BLOCK if compiled else _BLOCK

    def block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        """Return the responses of events that ``chain`` has still to transform."""
        into = None if wanted.memory is None else wanted.memory[0]
        return EventBlock(self.respond_by(chain.forward(x, spectators), compiled=wanted.compiled, into=into).T)

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedForest | None:
        """Return the short way for an event loop; None if there is only the ordinary one."""
        return LinkedForest.of(self._as_evaluated, chain, memory)

    def why_no_errors(self) -> str:
        """Return why there are none."""
        return "a forest of decision trees has none"

    @property
    def active_preselection(self) -> Preselection | None:
        """Return the cuts that decide before the trees do, if there are any."""
        if self.preselection is None or not self.do_preselection or self.analysis != AnalysisType.CLASSIFICATION:
            return None
        return self.preselection if self.preselection.is_on.any() else None

    # -- weight file, people

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        return weights_lines(self.forest, regression=self.regression_trees, preselection=self.preselection)

    def modernised(self) -> FittedBDT:
        """Return the same in the form that current TMVA reads: weights of trees are rounded to float32."""
        return replace(self, rounded=True)

    def describe(self) -> list[tuple[str, str]]:
        """Return number and sizes of the trees, and what becomes of their answers."""
        return describe(self)

    def inspection(self, head: WeightFile) -> Inspection:
        """Return the forest, how often it cuts on each variable, and its first tree."""
        return inspection(self, head)

    def part(self, number: int, head: WeightFile) -> Inspection:
        """Return a tree."""
        if number >= self.forest.n_trees:
            raise InputError(f"{head.title} has no tree {number}: there are {self.forest.n_trees}, counted from 0")
        return tree_inspection(self, head, number)

    def differences(self, other: Fitted, head: WeightFile, agree: Agree) -> tuple[list[str], str] | None:
        """Return where another forest differs."""
        return differences(self, other, head, agree) if isinstance(other, FittedBDT) else None

    def cpp(self, head: WeightFile) -> Part:
        """Return the forest in C++."""
        return class_part(self, head)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the forest to an ONNX graph."""
        del errors
        return onnx_outputs(graph, self, x)

    @property
    def summary(self) -> str:
        """Return the number of trees."""
        return f"{self.forest.n_trees} tree{'s' * (self.forest.n_trees != 1)}"

    @property
    def interrupted_after(self) -> str:  # type: ignore[override]
        """Return the tree after which Ctrl-C has ended the training."""
        interrupted = self.result is not None and self.result.stopped_by == "interrupt"
        return f"tree {self.forest.n_trees}" if interrupted else ""

    def monitoring(self, options: OptionSet, number: int, dataset: str) -> Iterator[Entry]:
        """Yield what the training was like, tree by tree."""
        del options, number
        return monitoring(self, dataset)

    def ranking(self, events: MethodEvents, weights: FloatArray, names: Sequence[str]) -> Ranking | None:
        """Return the variables by what their cuts gain, None if the forest was not just trained: no file has that."""
        del events, weights
        return None if self.result is None else Ranking.of("Variable Importance", names, self.result.importance)
