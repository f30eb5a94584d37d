"""The scaling of the inputs in C++."""

from __future__ import annotations

from string import Template

PROPAGATED = Template(
    """\
   static Neurons Propagated(const std::vector<double>& inputValues)
   {
      Neurons neurons{};
      const Event event = Prepared(inputValues);
      for (std::size_t i = 0; i < event.size(); ++i) {
         const double limited = std::min(std::max(static_cast<double>(event[i]), kLow[i]), kHigh[i]);
         neurons.a0[i] = (limited - kCentre[i]) / kWidth[i];
      }
$layers
      return neurons;
   }"""
)
