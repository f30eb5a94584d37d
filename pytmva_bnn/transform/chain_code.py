"""The chain in C++ and in ONNX: the way of an event to the inputs of the method, and of its outputs to the targets."""

from __future__ import annotations

from collections.abc import Sequence

from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.part import Part, total
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.transform.chain import PlacedStep, TransformationChain
from pytmva_bnn.transform.selection import TARGET, VARIABLE, Column
from pytmva_bnn.transform.step import Code


def cpp_forward(chain: TransformationChain, labels: Sequence[str]) -> Part:
    """Return the function ``Prepared`` from an event to the transformed variables, which ``labels`` name in comments.

    A chain with several sets has one function for each: ``Prepared0``, ``Prepared1`` and so on.
    """
    if not chain.sets:
        return _cpp_prepared(chain, labels, "", 1)
    n = len(chain.placed)
    return total(_cpp_prepared(part, labels, str(k), 1 + k * n) for k, part in enumerate(chain.parts))


def _cpp_prepared(chain: TransformationChain, labels: Sequence[str], suffix: str, first: int) -> Part:
    present = [(number, placed) for number, placed in enumerate(chain.placed, first) if placed.columns.n_present]
    part = total(_cpp_step(number, placed, labels) for number, placed in present)
    calls = "".join(f"      Transform{number}(event);\n" for number, _ in present)
    return part + Part(functions=(_PREPARED.replace("$transformations", calls).replace("$suffix", suffix),))


def _cpp_step(number: int, placed: PlacedStep, labels: Sequence[str]) -> Part:
    n = placed.columns.n_present
    get, put = placed.columns.get[:n], placed.columns.put[:n]
    written = [column.index if column.kind == VARIABLE else len(labels) for column in put]
    written += [len(labels)] * (n - len(put))
    code = placed.step.cpp(number)
    summary = f"{number}. {code.title}: {', '.join(labels[column.index] for column in get)}"
    transform = f"""\
   {literals.comment(summary)}
   static void Transform{number}(Event& event)
   {{
      auto x = Selected(event, kRead{number});
{code.statements}
      Store(event, kWritten{number}, x);
   }}"""
    places = (
        literals.array("std::size_t", f"kRead{number}", (str(column.index) for column in get)),
        literals.array("std::size_t", f"kWritten{number}", map(str, written)),
    )
    return Part(functions=(_SELECTED_AND_STORED, *code.functions, transform), constants=(*places, *code.constants))


def cpp_targets(chain: TransformationChain, n_targets: int) -> Part:
    """Return the function from outputs to targets."""
    inverted = chain.inverted
    code = Code("", "")
    if inverted is not None:
        code = inverted.step.cpp_inverse(chain.placed.index(inverted) + 1, inverted.places)
    targets = f"""\
   // What the outputs stand for.
   template <class Real>
   static std::array<Real, {n_targets}> Targets(const std::array<Real, {n_targets}>& outputs)
   {{
      auto targets = outputs;
{code.statements}
      return targets;
   }}"""
    return Part(functions=(*code.functions, targets), constants=code.constants)


_PREPARED = """\
   // The inputs of the method: the event in float32, transformed. A NaN or infinity makes all of them NaN.
   static Event Prepared$suffix(const std::vector<double>& inputValues)
   {
      Event event{};
      bool isNumber = true;
      for (std::size_t i = 0; i < kVariables; ++i) {
         event[i] = static_cast<float>(inputValues[i]);
         isNumber = isNumber && std::isfinite(event[i]);
      }
$transformations      if (!isNumber)
         event.fill(std::numeric_limits<float>::quiet_NaN());
      return event;
   }"""

_SELECTED_AND_STORED = """\
   template <std::size_t N>
   static std::array<float, N> Selected(const Event& event, const std::size_t (&places)[N])
   {
      std::array<float, N> x{};
      for (std::size_t i = 0; i < N; ++i)
         x[i] = event[places[i]];
      return x;
   }

   // Places beyond the variables belong to nothing that the method sees.
   template <std::size_t N>
   static void Store(Event& event, const std::size_t (&places)[N], const std::array<float, N>& x)
   {
      for (std::size_t i = 0; i < N; ++i) {
         if (places[i] < kVariables)
            event[places[i]] = x[i];
      }
   }"""


# -- ONNX


def onnx_columns(graph: Graph, matrix: str, kind: str, number: int) -> dict[Column, str]:
    """Return the columns of a matrix by what they are."""
    return {Column(kind, index): graph.column(matrix, index) for index in range(number)}


def onnx_forward(graph: Graph, chain: TransformationChain, event: dict[Column, str]) -> str:
    """Append all steps; return the transformed variables, float32 (n_events, n_variables), once for each set."""
    if chain.sets and chain.placed:
        return graph.joined([onnx_forward(graph, part, dict(event)) for part in chain.parts])
    for placed in chain.placed:
        n = placed.columns.n_present
        if not n:
            continue
        y = placed.step.onnx(graph, graph.joined([event[column] for column in placed.columns.get[:n]]), n)
        for position, column in enumerate(placed.columns.put[:n]):
            if column in event:
                event[column] = graph.column(y, position)
    return graph.joined([event[Column(VARIABLE, index)] for index in range(chain.n_variables)])


def onnx_targets(graph: Graph, chain: TransformationChain, outputs: str, n_outputs: int, dtype: type) -> str:
    """Append the way back from outputs (n_events, n_targets) to targets, in float32 or float64."""
    inverted = chain.inverted
    if inverted is None:
        return outputs
    places = inverted.places
    y = graph.joined([graph.column(outputs, place.output) for place in places])
    x = inverted.step.onnx_inverse(graph, y, [place.position for place in places], dtype)
    result = onnx_columns(graph, outputs, TARGET, n_outputs)
    for number, place in enumerate(places):
        result[Column(TARGET, place.target)] = graph.column(x, number)
    return graph.joined(list(result.values()))
