"""Rules and linear terms in C++, one line each."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from pytmva_bnn.cpp.literals import double
from pytmva_bnn.cpp.methods import mva_value
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.methods.rulefit.rules import RuleEnsemble, Term
from pytmva_bnn.weights import WeightFile

_MEANING = "The response: positive for signal, negative for background."
RESPONSE = Template(
    """\
   // The sum of rules that hold and linear terms, in the order of TMVA's Reader; NaN if a variable is not finite.
   // Beside each term stands its importance, in units of the largest.
   static double Response(const Event& event)
   {
      for (const float value : event) {
         if (!std::isfinite(value))
            return std::numeric_limits<double>::quiet_NaN();
      }
$lines
      return y;
   }"""
)


def class_part(ensemble: RuleEnsemble, head: WeightFile) -> Part:
    """Return what a C++ class has of it."""
    del head
    return Part(
        (mva_value(_MEANING, "Response(Prepared(inputValues))"),),
        (RESPONSE.substitute(lines="\n".join(_lines(ensemble))),),
    )


def _lines(ensemble: RuleEnsemble) -> Iterator[str]:
    rules, linear = ensemble.active_rules, ensemble.linear
    used = {term.variable for terms in rules.terms for term in terms} | set(ensemble.active_linear)
    yield from (f"      const double x{v} = static_cast<double>(event[{v}]);" for v in sorted(used))
    yield f"      double y = {double(ensemble.offset)};"
    for number, terms in enumerate(rules.terms):
        condition = " && ".join(map(_comparison, terms)) or "true"
        importance = rules.importance[number] / ensemble.reference
        yield f"      if ({condition})"
        yield f"         y += {double(rules.coefficient[number])}; // {importance:.3f}"
    if ensemble.active_linear:
        yield "      double lines = 0.0;"
        for v in ensemble.active_linear:
            ends = f"{double(linear.low[v])}, x{v}), {double(linear.high[v])}"
            factors = f"{double(linear.coefficient[v])} * {double(linear.norm[v])}"
            importance = linear.importance[v] / ensemble.reference
            yield f"      lines += std::min(std::max({ends}) * {factors}; // {importance:.3f}"
        yield "      y += lines;"


def _comparison(term: Term) -> str:
    return f"x{term.variable} {'>' if term.above else '<'} {double(term.cut)}"
