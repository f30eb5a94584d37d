"""The public methods of a class that are the same for most methods of TMVA but for one expression."""

from __future__ import annotations

from string import Template

_MVA_VALUE = Template(
    """\
   // $meaning
   double GetMvaValue(const std::vector<double>& inputValues) const override
   {
      return CanEvaluate(inputValues) ? $value : 0.0;
   }"""
)
_REGRESSION_VALUES = Template(
    """\
   // $meaning
   std::vector<double> GetRegressionValues(const std::vector<double>& inputValues) const
   {
      if (!CanEvaluate(inputValues))
         return std::vector<double>($n_targets, 0.0);
$first      const auto targets = Targets($outputs);
      return std::vector<double>(targets.begin(), targets.end());
   }"""
)
EVENT = "const Event event = Prepared(inputValues);"


def mva_value(meaning: str, value: str) -> str:
    """Return ``GetMvaValue``, whose result is the expression ``value``."""
    return _MVA_VALUE.substitute(meaning=meaning, value=value)


def regression_values(
    n_targets: int, outputs: str, *first: str, meaning: str = "The targets, one after the other."
) -> str:
    """Return ``GetRegressionValues`` from an expression for the outputs, and the lines ``first`` that it needs."""
    lines = "".join(f"      {line}\n" for line in first)
    return _REGRESSION_VALUES.substitute(meaning=meaning, n_targets=n_targets, first=lines, outputs=outputs)
