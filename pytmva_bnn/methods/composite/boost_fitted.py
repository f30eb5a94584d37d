"""A boosted method as the rest of the package sees it: classifiers of one kind, and their weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.answers import Inspection, LinkedEvent, OnnxOutputs
from pytmva_bnn.methods.composite.boost_event import linked_boost
from pytmva_bnn.methods.composite.boost_response import linear_responses, transformed
from pytmva_bnn.methods.composite.boost_xml import classifier_head, companion_mark, weights_lines
from pytmva_bnn.methods.linear.coefficients import FittedCoefficients
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.reductions.summation import blocks, sequential_sum
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Companion, Dialect, WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.protocol import Method


@dataclass(frozen=True, eq=False)
class Classifier:
    """One of the boosted classifiers, with what the weight file says of it.

    Its response counts with ``weight``; it is signal-like on that side of ``cut`` to which ``orientation`` points.
    Files of old releases have no orientation (1) and do not say whose transformation is used (that of the whole).
    """

    fitted: Fitted
    kind: str
    name: str
    job_name: str
    options: str
    weight: float
    cut: float = 0.0
    orientation: float | None = 1.0
    uses_main_transformation: str | None = "true"

    @property
    def direction(self) -> float:
        """Return the orientation."""
        return 1.0 if self.orientation is None else self.orientation


@dataclass(frozen=True, eq=False)
class BoostResult:
    """How a training went: the ``errors`` of the classifiers, NaN where there are none, and what ended it."""

    errors: FloatArray
    ended_by: str


@dataclass(frozen=True, eq=False)
class FittedBoost(Fitted):
    """Classifiers of one kind: y = Σ weight t(v) / Σ weight, with the ``transform`` t of their responses v."""

    classifiers: tuple[Classifier, ...]
    transform: str
    boost_type: str
    beta: float = 1.0
    result: BoostResult | None = field(default=None, metadata={"stored": False})
    interrupted_after: str = field(default="", metadata={"stored": False})

    noun: ClassVar[str] = "boosted method"  # type: ignore[misc]

    @property
    def kind(self) -> str:
        """Return what is boosted, e.g. Fisher."""
        return self.classifiers[0].kind

    @cached_property
    def weights(self) -> FloatArray:
        """Return the weights of the classifiers."""
        return np.array([classifier.weight for classifier in self.classifiers])

    @cached_property
    def sum_of_weights(self) -> float:
        """Return the sum of the weights of the classifiers."""
        return float(sequential_sum(self.weights))

    @property
    def errors(self) -> FloatArray | None:
        """Return which share of the weighted training events each classifier got wrong; None if it is not known."""
        if self.boost_type != "AdaBoost":
            return None
        if self.result is not None:
            return self.result.errors
        if len(self.classifiers) == 1:
            return None  # its weight was set to 1
        # the weight is beta ln((1 - error)/error), and 0 for a perfect classifier
        with np.errstate(over="ignore"):
            return np.where(self.weights == 0.0, 0.0, 1.0 / (1.0 + np.exp(self.weights / self.beta)))

    def method(self, named: Method) -> Method:
        """Return the method with what it boosts, which the head of a weight file does not tell."""
        del named
        from pytmva_bnn.methods.composite.boost import Boost  # here: Boost needs this module itself

        return Boost(method_of(self.kind))

    # -- responses

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the weighted mean of the transformed responses."""
        coefficients = self.linear_coefficients
        y = np.empty((len(x), 1))
        with np.errstate(all="ignore"):  # infinite variables; weights that add up to 0
            if coefficients is None:
                y[:, 0] = self._mean(
                    classifier.fitted.mva_values(x).astype(np.float64) for classifier in self.classifiers
                )
                return y
            for block in blocks(len(x)):
                y[block, 0] = self._mean(linear_responses(coefficients, x[block]))
        return y

    def _mean(self, responses: Iterator[FloatArray]) -> FloatArray:
        total: FloatArray | None = None
        for classifier, v in zip(self.classifiers, responses, strict=True):
            t = transformed(v, self.transform, classifier.cut, classifier.direction)
            t *= classifier.weight
            total = t.copy() if total is None else np.add(total, t, out=total)
        return np.asarray(total) / self.sum_of_weights

    @cached_property
    def linear_coefficients(self) -> list[list[float]] | None:
        """Return the coefficients of classifiers that are linear, and do not round their terms; else None."""
        linear = [classifier.fitted for classifier in self.classifiers]
        if not all(isinstance(fitted, FittedCoefficients) and not fitted.rounds for fitted in linear):
            return None
        return [fitted.coefficients[0].tolist() for fitted in linear if isinstance(fitted, FittedCoefficients)]

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedEvent | None:
        """Return the short way for an event loop, if the classifiers have one."""
        return linked_boost(self, chain, memory)

    def block_events(self, *, errors: bool, compiled: bool) -> int:
        """Return how many events to take at a time."""
        return self.classifiers[0].fitted.block_events(errors=errors, compiled=compiled)

    def why_no_errors(self) -> str:
        """Return why there are none."""
        return "a boosted method has none"

    # -- weight file

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        return weights_lines(self.classifiers, dialect)

    def companions(self) -> tuple[Companion, ...]:
        """Return those of the classifiers, each with a mark in its name."""
        return tuple(
            replace(companion, ending=companion_mark(number) + companion.ending)
            for number, classifier in enumerate(self.classifiers)
            for companion in classifier.fitted.companions()
        )

    def modernised(self) -> FittedBoost:
        """Return the same with all attributes that current TMVA wants."""
        return self._with(
            replace(
                classifier,
                fitted=classifier.fitted.modernised(),
                orientation=classifier.direction,
                uses_main_transformation="true",
            )
            for classifier in self.classifiers
        )

    def corrected(self) -> FittedBoost:
        """Return the same with classifiers that are free of TMVA's defects."""
        return self._with(replace(classifier, fitted=classifier.fitted.corrected()) for classifier in self.classifiers)

    def _with(self, classifiers: Iterator[Classifier]) -> FittedBoost:
        return replace(self, classifiers=tuple(classifiers))

    # -- people

    @property
    def summary(self) -> str:
        """Return number and kind of the classifiers."""
        n = len(self.classifiers)
        return f"{n} boosted {self.kind} classifier{'s' * (n != 1)}"

    def describe(self) -> list[tuple[str, str]]:
        """Return what is boosted and how."""
        return [
            ("classifiers", f"{len(self.classifiers)} {self.kind}"),
            ("boosting", self.boost_type),
            ("response", f"weighted mean of their responses ({self.transform})"),
        ]

    def inspection(self, head: WeightFile) -> Inspection:
        """Return weights, cuts and errors of the classifiers."""
        errors = self.errors
        rows = [
            {
                "number": number,
                "name": classifier.name,
                "weight": classifier.weight,
                "cut": classifier.cut,
                "signal": "above" if classifier.direction > 0 else "below",
                "error": None if errors is None else float(errors[number]),
                "content": classifier.fitted.summary,
            }
            for number, classifier in enumerate(self.classifiers)
        ]
        has_cuts = self.boost_type == "AdaBoost"
        lines = [
            f"  {number:>4}  {row['weight']:>10.6g}"
            + (f"  {row['cut']:>+11.6g}  {row['signal']:<6}" if has_cuts else "")
            + ("" if row["error"] is None else f"  {row['error']:>8.4f}")
            + f"  {row['content']}"
            for number, row in enumerate(rows)
        ]
        heading = f"  {'':>4}  {'weight':>10}" + (f"  {'cut':>11}  {'signal':<6}" if has_cuts else "")
        heading += "" if errors is None else f"  {'error':>8}"
        about = [f"  {name:<12} {value}" for name, value in self.describe()]
        data = {"method": {"type": head.kind, **dict(self.describe())}, "classifiers": rows}
        return Inspection(self.summary, data, [(head.kind, about), ("Classifiers", [heading, *lines])])

    def part(self, number: int, head: WeightFile) -> Inspection:
        """Return a classifier."""
        if number >= len(self.classifiers):
            n = len(self.classifiers)
            raise InputError(f"{head.title} has no classifier {number}: there are {n}, counted from 0")
        classifier = self.classifiers[number]
        inner = classifier_head(head, classifier.kind, classifier.name, classifier.options)
        found = classifier.fitted.inspection(inner)
        title = f"{classifier.name}: weight {classifier.weight:.6g}"
        data = {
            "number": number,
            "name": classifier.name,
            "weight": classifier.weight,
            "cut": classifier.cut,
            **found.data,
        }
        return Inspection(f"{title}, {found.headline}", data, [(title, [f"  {found.headline}"]), *found.sections])

    # -- other programs

    def cpp(self, head: WeightFile) -> Part:
        """Return the classifiers in C++, each in a struct of its own."""
        from pytmva_bnn.methods.composite.boost_code import class_part  # lazy: responses need no code

        return class_part(self, head)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the classifiers and their mean."""
        del errors
        from pytmva_bnn.methods.composite.boost_code import onnx_outputs  # lazy: responses need no code

        return onnx_outputs(self, graph, x)
