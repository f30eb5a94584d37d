"""The formula in C++.

TMVA: copies its text, in which ``^`` then means something else.
"""

from __future__ import annotations

from string import Template

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.methods import EVENT, mva_value, regression_values
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import InputError
from pytmva_bnn.formula import TFormula
from pytmva_bnn.formula.functions import C_LIBRARY
from pytmva_bnn.formula.nodes import Call, Conditional, Name, Node, Number, Operation, Parameter, Prefix
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import WeightFile

_LIBRARY = frozenset(C_LIBRARY) | {"sin", "cos", "atan", "sinh", "cosh", "tanh", "asinh", "pow", "fmod", "atan2"}
"""Functions that C++ has under the same name."""
_OTHERS = {
    "min": "(({0}) <= ({1}) ? ({0}) : ({1}))",
    "max": "(({0}) >= ({1}) ? ({0}) : ({1}))",
    "sq": "std::pow({0}, 2.0)",
}
_TMATH = {"Abs", "Sqrt", "Exp", "Log", "Log10", "Sin", "Cos", "Tan", "Power", "TanH", "SinH", "CosH", "ATan2"}
_TMATH_NAMES = {"Power": "pow", "TanH": "tanh", "SinH": "sinh", "CosH": "cosh", "ATan2": "atan2"}
_MEANINGS = {
    AnalysisType.CLASSIFICATION: "The response: near 1 for signal, near 0 for background.",
    AnalysisType.REGRESSION: "The first target, not transformed back; see GetRegressionValues.",
    AnalysisType.MULTICLASS: "The value of the first class; see GetMulticlassValues.",
}

_OUTPUT = Template(
    """\
   // $formula
   static double Output(const Event& event, const double (&p)[$n])
   {
      static_cast<void>(event);
      static_cast<void>(p);
      return $code;
   }"""
)

_GET_MULTICLASS_VALUES = Template(
    """\
   // The probabilities of the classes, one after the other.
   std::vector<double> GetMulticlassValues(const std::vector<double>& inputValues) const
   {
      std::vector<double> result($n_outputs, 0.0);
      if (!CanEvaluate(inputValues))
         return result;
      const Event event = Prepared(inputValues);
      const std::array<float, $n_outputs> v{{$outputs}};
      for (std::size_t i = 0; i < v.size(); ++i) {
         double others = 0.0;
         for (std::size_t j = 0; j < v.size(); ++j) {
            if (j != i)
               others += std::exp(static_cast<double>(v[j] - v[i]));
         }
         result[i] = static_cast<float>(1.0 / (1.0 + others));
      }
      return result;
   }"""
)


def class_part(formula: TFormula, parameters: FloatArray, head: WeightFile) -> Part:
    """Return all that the formula contributes to a C++ class."""
    n_outputs, n = parameters.shape
    methods = [mva_value(_MEANINGS[head.analysis_type], "Output(Prepared(inputValues), kParameters0)")]
    outputs = ", ".join(f"static_cast<float>(Output(event, kParameters{k}))" for k in range(n_outputs))
    if head.analysis_type == AnalysisType.REGRESSION:
        methods.append(regression_values(n_outputs, f"std::array<float, {n_outputs}>{{{{{outputs}}}}}", EVENT))
    elif head.analysis_type == AnalysisType.MULTICLASS:
        methods.append(_GET_MULTICLASS_VALUES.substitute(n_outputs=n_outputs, outputs=outputs))
    text = literals.comment(formula.expression).removeprefix("// ")
    function = _OUTPUT.substitute(formula=text, n=n, code=_code(formula.tree, n, head))
    constants = (literals.doubles(f"kParameters{k}", row) for k, row in enumerate(parameters))
    return Part(tuple(methods), (function,), tuple(constants))


def _code(node: Node, n: int, head: WeightFile) -> str:
    """Return a node as C++; all is in parentheses, so that nothing depends on precedence."""
    match node:
        case Number():
            return literals.double(node.value)
        case Name():
            return {"pi": literals.double(3.141592653589793), "true": "1.0", "kTRUE": "1.0"}.get(node.name, "0.0")
        case Parameter():
            number = int(node.name)
            return f"p[{number}]" if number < n else f"static_cast<double>(event[{number - n}])"
        case Prefix():
            inside = _code(node.operand, n, head)
            return f"(-{inside})" if node.symbol == "-" else f"({inside} == 0.0 ? 1.0 : 0.0)"
        case Operation():
            parts = [_code(operand, n, head) for operand in node.operands]
            if node.symbol == "^":
                return f"std::pow({parts[0]}, {parts[1]})"
            if node.symbol in "+*/":
                return f"({f' {node.symbol} '.join(parts)})"
            return f"({parts[0]} {node.symbol} {parts[1]} ? 1.0 : 0.0)"
        case Conditional():
            condition, yes, no = (_code(part, n, head) for part in (node.condition, node.yes, node.no))
            return f"({condition} != 0.0 ? {yes} : {no})"
        case Call():
            return _call(node, n, head)
        case _:
            raise TypeError(node)


def _call(node: Call, n: int, head: WeightFile) -> str:
    arguments = [_code(argument, n, head) for argument in node.arguments]
    name = node.name.removeprefix("std::")
    if name.startswith("TMath::") and name[7:] in _TMATH:
        name = _TMATH_NAMES.get(name[7:], name[7:].lower())
    if name in _OTHERS:
        return _OTHERS[name].format(*arguments)
    if name in _LIBRARY:
        return f"std::{name}({', '.join(arguments)})"
    raise InputError(f"{head.title}: the function {node.name} of the formula cannot be written as C++")
