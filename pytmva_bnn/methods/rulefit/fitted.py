"""A trained RuleFit as the rest of the package sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.methods.answers import EventBlock, Inspection, OnnxOutputs, Wanted
from pytmva_bnn.methods.protocol import Fitted, MethodEvents
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.methods.rulefit.inspection import describe, inspection, rule_inspection
from pytmva_bnn.methods.rulefit.linked_event import LinkedRules
from pytmva_bnn.methods.rulefit.response import CompiledRules, responses
from pytmva_bnn.methods.rulefit.rules import RuleEnsemble
from pytmva_bnn.methods.rulefit.xml import weights_lines
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Dialect, WeightFile

_SECONDS = 1e-9
"""What numpy takes for a comparison or a term of the sum, for each event."""


@dataclass(frozen=True, eq=False)
class FittedRuleFit(Fitted):
    """Rules and linear terms with their coefficients."""

    ensemble: RuleEnsemble

    noun = "rule ensemble"

    def __getstate__(self) -> dict[str, Any]:
        return {"ensemble": self.ensemble}

    # -- responses

    @cached_property
    def _compiled(self) -> CompiledRules:
        return CompiledRules.of(self.ensemble)

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the responses ``(n_events, 1)``."""
        return self._responses(x, compiled=self.is_compiled(len(x), errors=False, compiled=None))

    def _responses(self, x: Float32Array, *, compiled: bool) -> FloatArray:
        found = self._compiled.responses(x) if compiled else responses(self.ensemble, x)
        return found[:, np.newaxis]

    def is_compiled(self, n_events: int, *, errors: bool, compiled: bool | None) -> bool:
        """Return whether compiled code is used for this number of events; it gives the same bits."""
        del errors
        if compiled is not None:
            return fast.pays(0.0, compiled)
        n_terms = 3 * len(self.ensemble.active_rules) + 5 * len(self.ensemble.active_linear)
        return compiled_pays(_SECONDS * n_events * n_terms)

    def block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        """Return the responses to events that ``chain`` has still to transform."""
        inputs = chain.forward(x, spectators) if chain.placed else x
        return EventBlock(self._responses(inputs, compiled=wanted.compiled).T)

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedRules | None:
        """Return the short way for an event loop."""
        return LinkedRules.of(self.ensemble, chain, memory)

    # -- weight file, people, other programs

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        return weights_lines(self.ensemble)

    @property
    def summary(self) -> str:
        """Return the numbers of rules and linear terms."""
        n_rules, n_linear = len(self.ensemble.active_rules), len(self.ensemble.active_linear)
        parts = [(n_rules, "rule"), (n_linear, "linear term")]
        return " and ".join(f"{n} {name}{'' if n == 1 else 's'}" for n, name in parts if n) or "a constant"

    def describe(self) -> list[tuple[str, str]]:
        """Return the model in a few words."""
        return describe(self.ensemble)

    def inspection(self, head: WeightFile) -> Inspection:
        """Return rules and linear terms by their importance."""
        return inspection(self.ensemble, self.summary, head)

    def part(self, number: int, head: WeightFile) -> Inspection:
        """Return one rule; they are counted by importance, from 0."""
        return rule_inspection(self.ensemble, number, head)

    def ranking(self, events: MethodEvents, weights: FloatArray, names: Sequence[str]) -> Ranking:
        """Return the variables by the importance of their rules and linear terms."""
        del events, weights
        return Ranking.of("Importance", names, self.ensemble.variable_importance(len(names)).tolist())

    def cpp(self, head: WeightFile) -> Part:
        """Return rules and linear terms in C++."""
        from pytmva_bnn.methods.rulefit.cpp import class_part  # lazy: reading needs no C++

        return class_part(self.ensemble, head)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append rules and linear terms to an ONNX graph."""
        from pytmva_bnn.methods.rulefit.onnx import onnx_response  # lazy: reading needs no ONNX

        del errors
        return OnnxOutputs(onnx_response(graph, self.ensemble, x))
