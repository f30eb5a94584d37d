"""Uniformisation and Gaussianisation as TMVA <= 3.9 wrote them into its text files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.cpp import literals
from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms import Histogram1D, from_contents
from pytmva_bnn.transform.error_function import check_cumulatives, cpp_shape, gaussianise, uniformise
from pytmva_bnn.transform.step import Code, Step
from pytmva_bnn.xmlio.dialect import Dialect
from pytmva_bnn.xmlio.words import Words
from pytmva_bnn.xmlio.writing import Lines


@dataclass(frozen=True, eq=False)
class OldCumulative:
    """A cumulative distribution at the upper edges of bins that held ``elements_per_bin`` events each."""

    histogram: Histogram1D
    elements_per_bin: int

    @property
    def epsilon(self) -> float:
        """Half an event."""
        return 0.5 / (self.histogram.n_bins * self.elements_per_bin)

    @property
    def edges(self) -> FloatArray:
        """The edges (n_bins + 1,)."""
        edges = self.histogram.axis.low_edge(np.arange(1, self.histogram.n_bins + 2))
        edges[-1] = self.histogram.axis.upper
        return edges

    def value(self, x: ArrayLike) -> FloatArray:
        """Return the linear interpolation between the edges; it stays half an event away from 0 and 1."""
        x = np.asarray(x, dtype=np.float64)
        n, epsilon, edges = self.histogram.n_bins, self.epsilon, self.edges
        contents = self.histogram.values.astype(np.float64)
        b = np.clip(self.histogram.axis.find_bin(x), 1, n)
        with np.errstate(all="ignore"):  # bins of zero width
            x0, x1 = edges[b - 1], edges[b]
            y0 = np.where(b == 1, epsilon, contents[b - 2])
            y1 = np.where(b == n, 1 - epsilon, contents[b - 1])
            c = y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        c = np.where(x <= edges[0], epsilon, c)
        return np.where(x >= edges[-1], 1 - epsilon, c)


@dataclass(frozen=True, eq=False)
class OldGaussianisation(Step):
    """Parameters of G, or with ``flat`` of U, of a text file: ``cumulatives[input][set]``."""

    cumulatives: tuple[tuple[OldCumulative, ...], ...]
    flat: bool

    title = "Gauss (text form)"
    may_select_targets = False

    def check(self, n_inputs: int) -> None:
        check_cumulatives(self.cumulatives, n_inputs, self.title)
        for sets in self.cumulatives:
            for cumulative in sets:
                if cumulative.elements_per_bin <= 0:
                    raise InputError(
                        f"transformation {self.title}: elements per bin must be positive, "
                        f"got {cumulative.elements_per_bin}"
                    )

    def apply(self, x: Float32Array) -> Float32Array:
        y = np.empty_like(x)
        function = uniformise if self.flat else gaussianise
        for position in range(x.shape[1]):
            y[:, position] = function(self.cumulatives[position][-1].value(x[:, position]))
        return y

    def write_xml(
        self, variables: Sequence[VariableRecord], targets: Sequence[VariableRecord], dialect: Dialect
    ) -> tuple[list[tuple[str, object]], Lines]:
        raise WeightFileError("the Gauss transformation of the old text format has no XML form", element="Transform")

    @classmethod
    def read_text(cls, letter: str, words: Words, n_variables: int, applied: int) -> Self:
        found: dict[tuple[int, int], OldCumulative] = {}
        while words.peek() == "CumulativeHistogram":
            words.next("CumulativeHistogram")
            class_index = words.count("a class number", 1)
            variable = words.count("a variable number", n_variables - 1)
            name = words.next("a name")
            n_bins = words.count("a number of bins")
            if n_bins < 1:
                words.fail("a histogram needs at least one bin")
            per_bin = words.count("the number of elements per bin")
            words.next("a heading")
            edges = words.numbers(n_bins + 1, "a bin edge")
            words.next("a heading")
            contents = words.numbers(n_bins, "a bin content")
            if (np.diff(edges) < 0).any() or per_bin <= 0:
                words.fail("the bin edges are not in increasing order, or a bin has no elements")
            histogram = from_contents(contents, float(edges[0]), float(edges[-1]), edges, name=name)
            found[variable, class_index] = OldCumulative(histogram, per_bin)
        flat = letter == "U"
        if words.peek() == "Uniform":
            words.next("Uniform")
            flat = words.count("0 or 1", 1) == 1
        missing = [v for v in range(n_variables) if (v, applied) not in found]
        if missing:
            words.fail(f"the cumulative histogram of variable {missing[0]} is missing")
        return cls(None, tuple((found[v, applied],) for v in range(n_variables)), flat)

    def cpp(self, number: int) -> Code:
        constants: list[str] = []
        values: list[str] = []
        for position, sets in enumerate(self.cumulatives):
            name, last = f"kCumulative{number}_{position}", sets[-1]
            constants.append(literals.doubles(f"{name}_contents", last.histogram.values))
            constants.append(literals.doubles(f"{name}_edges", last.edges))
            epsilon = literals.double(last.epsilon)
            values.append(f"{{{last.histogram.n_bins}, {name}_contents, {name}_edges, {epsilon}}}")
        constants.append(literals.array("OldCumulative", f"kCumulative{number}", values))
        return cpp_shape(self.flat, f"OldValue(kCumulative{number}[i], x[i])", CPP_OLD_CUMULATIVE, tuple(constants))


CPP_OLD_CUMULATIVE = """\
   // A cumulative distribution as TMVA 3 had it: known at the upper edges of its bins.
   struct OldCumulative {
      std::size_t size; // number of contents; there is one edge more
      const double* contents;
      const double* edges;
      double epsilon; // half an event
   };

   static double OldValue(const OldCumulative& d, double x)
   {
      if (x >= d.edges[d.size])
         return 1.0 - d.epsilon;
      if (x <= d.edges[0])
         return d.epsilon;
      const double* edge = std::lower_bound(d.edges, d.edges + d.size + 1, x);
      const std::ptrdiff_t place = edge - d.edges + (edge != d.edges + d.size + 1 && *edge == x ? 1 : 0);
      const std::ptrdiff_t bin = std::clamp<std::ptrdiff_t>(place, 1, static_cast<std::ptrdiff_t>(d.size));
      const double x0 = d.edges[bin - 1];
      const double x1 = d.edges[bin];
      const double y0 = bin == 1 ? d.epsilon : d.contents[bin - 2];
      const double y1 = bin == static_cast<std::ptrdiff_t>(d.size) ? 1.0 - d.epsilon : d.contents[bin - 1];
      return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
   }"""
