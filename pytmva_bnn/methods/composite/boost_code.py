"""A boosted method in C++ and ONNX: the code of each classifier, and the mean of what they give."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.cpp.part import Part
from pytmva_bnn.methods.answers import OnnxOutputs
from pytmva_bnn.methods.composite.boost_response import EPSILON
from pytmva_bnn.methods.composite.boost_xml import classifier_head
from pytmva_bnn.onnxio.graph import F64, Graph
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.composite.boost_fitted import Classifier, FittedBoost

_CPP_TRANSFORMS = {
    "step": "std::isnan(v) ? v : v * $direction > $cut * $direction ? 1.0 : -1.0",
    "linear": "v",
    "log": "std::log(std::max(v, $cut) - $cut + $epsilon)",
    "gauss": "std::exp(-0.5 * (v - $cut - 1.0) * (v - $cut - 1.0))",
}

CLASSIFIER = Template(
    """\
   // $name
   struct Classifier$number {
      static bool CanEvaluate(const std::vector<double>&) { return true; }

$methods

$functions

$constants

      // What is summed of the response.
      static double Transformed(double v)
      {
         return $transformed;
      }
   };"""
)

GET_MVA_VALUE = Template(
    """\
   // The response, the weighted mean of those of the classifiers: the larger, the more like signal.
   double GetMvaValue(const std::vector<double>& inputValues) const override
   {
      if (!CanEvaluate(inputValues))
         return 0.0;
      double sum = 0.0;
$terms
      return sum / $norm;
   }"""
)


def class_part(fitted: FittedBoost, head: WeightFile) -> Part:
    """Return the mean, and a struct for each classifier."""
    structs = tuple(_struct(fitted, head, number, one) for number, one in enumerate(fitted.classifiers))
    terms = "\n".join(
        f"      sum += {one.weight!r} * Classifier{number}::Transformed(Classifier{number}().GetMvaValue(inputValues));"
        for number, one in enumerate(fitted.classifiers)
    )
    return Part((GET_MVA_VALUE.substitute(terms=terms, norm=repr(fitted.sum_of_weights)),), structs)


def _struct(fitted: FittedBoost, head: WeightFile, number: int, one: Classifier) -> str:
    inner = one.fitted.cpp(classifier_head(head, one.kind, one.name, one.options))
    formula = Template(_CPP_TRANSFORMS[fitted.transform])
    return CLASSIFIER.substitute(
        name=one.name.encode("ascii", "replace").decode(),
        number=number,
        methods=_deeper(tuple(text.replace(" const override", " const") for text in inner.methods)),
        functions=_deeper(inner.functions),
        constants=_deeper(inner.constants),
        transformed=formula.substitute(direction=repr(one.direction), cut=f"({one.cut!r})", epsilon=repr(EPSILON)),
    )


def _deeper(pieces: tuple[str, ...]) -> str:
    return "\n".join(f"   {line}" if line else "" for piece in pieces for line in (*piece.split("\n"), ""))


def onnx_outputs(fitted: FittedBoost, graph: Graph, x: str) -> OnnxOutputs:
    """Append the classifiers and their mean."""
    total = graph.constant(np.zeros((1, 1)))
    for one in fitted.classifiers:
        v = graph.cast(one.fitted.onnx(graph, x, errors=False).outputs, F64)
        t = _onnx_transform(graph, v, fitted.transform, one)
        total = graph.op("Add", total, graph.op("Mul", t, graph.constant([[one.weight]])))
    return OnnxOutputs(graph.op("Div", total, graph.constant([[fitted.sum_of_weights]])))


def _onnx_transform(graph: Graph, v: str, transform: str, one: Classifier) -> str:
    cut = graph.constant([[one.cut]])
    if transform == "step":
        direction = graph.constant([[one.direction]])
        is_above = graph.op("Greater", graph.op("Mul", v, direction), graph.constant([[one.cut * one.direction]]))
        return graph.op("Where", is_above, graph.constant([[1.0]]), graph.constant([[-1.0]]))
    if transform == "log":
        above = graph.op("Sub", graph.op("Max", v, cut), cut)
        return graph.op("Log", graph.op("Add", above, graph.constant([[EPSILON]])))
    if transform == "gauss":
        d = graph.op("Sub", graph.op("Sub", v, cut), graph.constant([[1.0]]))
        return graph.op("Exp", graph.op("Mul", graph.op("Mul", d, d), graph.constant([[-0.5]])))
    return v
