"""A trained SVM as the rest of the package sees it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.answers import OnnxOutputs
from pytmva_bnn.methods.bdt.c_library import exp
from pytmva_bnn.methods.density.kept_events import FittedEvents
from pytmva_bnn.methods.svm.cpp import class_part
from pytmva_bnn.methods.svm.kernel import Kernel
from pytmva_bnn.methods.svm.xml import ALPHA, ALPHA_PRIME, FIRST_VARIABLE, FLAG, WeightsElement, weights_lines
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.reductions.summation import blocks, sequential_sum
from pytmva_bnn.weights import Dialect, WeightFile

_PAIRS_IN_BLOCK = 1 << 15
"""Pairs of event and support vector that numpy works on at a time: they stay in the cache."""
_SECONDS = 1.1e-8
"""What numpy takes for such a pair."""
_MULTIPLICATIONS = 25
"""Multiplications that take as long as a kernel."""


@dataclass(frozen=True, eq=False)
class FittedSVM(FittedEvents):
    """The support vectors and the kernel that an event is compared with them by.

    ``as_tmva`` is False for the responses without TMVA's defects.  ``free`` tells, after a training, which support
    vectors are not at the bound of their multiplier, and ``n_iterations`` how often it went over the events;
    ``interrupted_after`` where Ctrl-C ended it.
    """

    weights: WeightsElement
    kernel: Kernel
    is_regression: bool = False
    as_tmva: bool = True
    free: BoolArray | None = field(default=None, metadata={"stored": False})
    interrupted_after: str = field(default="", metadata={"stored": False})
    n_iterations: int | None = field(default=None, metadata={"stored": False})

    noun = "support vector machine"
    precision = "kernels in float32, their sum in float64"

    @cached_property
    def vectors(self) -> Float32Array:
        """Return the variables of the support vectors ``(n_vectors, n_variables)``."""
        return np.ascontiguousarray(self.weights.table[:, FIRST_VARIABLE:], dtype=np.float32)

    @cached_property
    def coefficients(self) -> Float32Array:
        """Return the factors of the support vectors' kernels."""
        flag, alpha, alpha_prime = self.weights.table[:, [FLAG, ALPHA, ALPHA_PRIME]].astype(np.float32).T
        return np.ascontiguousarray(alpha - alpha_prime if self.is_regression else alpha * flag)

    @property
    def b(self) -> float:
        """Return the threshold as TMVA uses it."""
        return float(np.float32(self.weights.b))

    @property
    def response_kernel(self) -> Kernel:
        """Return the kernel that responses are computed with."""
        # TMVA: trains with the product, but reads a weight file as if it was the sum
        return replace(self.kernel, is_product=False) if self.as_tmva else self.kernel

    # -- evaluation

    def seconds(self, n_events: int) -> float:
        """Return approximately how long numpy takes for this number of events."""
        return _SECONDS * n_events * len(self.vectors) * len(self.kernel.names)

    def outputs(self, x: Float32Array, *, compiled: bool) -> FloatArray:
        """Return the probability-like response, or the target, ``(n_events, 1)``."""
        sums = self._sums_by_kernels(x) if compiled else self._sums_by_numpy(x)
        with np.errstate(all="ignore"):  # infinite variables
            if self.is_regression:
                return (sums + self.b).astype(np.float32).astype(np.float64)[:, np.newaxis]
            return (1.0 / (1.0 + exp(sums - self.b)))[:, np.newaxis]

    def _sums_by_numpy(self, x: Float32Array) -> FloatArray:
        sums = np.empty(len(x))
        kernel, coefficients = self.response_kernel, self.coefficients[:, np.newaxis]
        with np.errstate(all="ignore"):
            for part in blocks(len(x), max(1, _PAIRS_IN_BLOCK // len(self.vectors))):
                terms = coefficients * kernel.values(self.vectors, x[part])
                sums[part] = sequential_sum(terms.astype(np.float64), axis=0)
        return sums

    def _sums_by_kernels(self, x: Float32Array) -> FloatArray:
        from pytmva_bnn.methods.svm.kernels.responses import sums_of_events  # lazy: numba
        from pytmva_bnn.methods.svm.kernels.rows import TILE

        x, sums = np.ascontiguousarray(x), np.empty(len(x))

        def run(start: int, stop: int) -> None:
            sums_of_events(x[start:stop], self.vectors, self.coefficients, self._compiled_kernel, sums[start:stop])

        in_parts(run, len(x), TILE, _MULTIPLICATIONS * x.shape[0] * len(self.vectors) * len(self.kernel.names))
        return sums

    @cached_property
    def _compiled_kernel(self) -> Any:
        from pytmva_bnn.methods.svm.kernels.rows import compiled_kernel  # lazy: numba

        return compiled_kernel(self.response_kernel)

    def single(self, row: Float32Array) -> Callable[[], float]:
        """Return what evaluates the event in ``row`` ``(1, n_variables)``."""
        from pytmva_bnn.methods.svm.kernels.responses import sum_of_event  # lazy: numba
        from pytmva_bnn.methods.svm.kernels.rows import TILE, new_work

        columns, b = np.ascontiguousarray(self.vectors.T), self.b
        given = (row[0], columns, self.coefficients, self._compiled_kernel, np.empty(TILE, np.float32), new_work(TILE))

        def classify() -> float:
            try:
                return 1.0 / (1.0 + math.exp(sum_of_event(*given) - b))
            except OverflowError:
                return 0.0

        def estimate() -> float:
            return float(np.float32(sum_of_event(*given) + b))

        return estimate if self.is_regression else classify

    # -- weight file, other programs

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        return weights_lines(self.weights)

    def modernised(self) -> FittedSVM:
        """Return it with the parameters of the kernel, which TMVA < 4.2.1 did not write."""
        if self.weights.kernel_parameters is not None:
            return self
        return replace(self, weights=replace(self.weights, kernel_parameters=("", 1.0, 3)))

    def corrected(self) -> FittedSVM:
        """Return it with the product of kernels that it was trained with."""
        return replace(self, as_tmva=False)

    def cpp(self, head: WeightFile) -> Part:
        """Return the sum over the support vectors in C++."""
        return class_part(self, head)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Refuse to write ONNX."""
        del graph, x, errors
        raise InputError("an SVM computes its kernels in float32 one after the other, which ONNX does not; use C++")

    # -- people

    @property
    def summary(self) -> str:
        """Return the number of support vectors and the kernel."""
        return f"{len(self.vectors)} support vectors, kernel {self.kernel.formula}"

    def describe(self) -> list[tuple[str, str]]:
        """Return kernel, parameters and support vectors."""
        rows = [("kernel", self.kernel.formula)]
        if self.kernel.is_product and self.as_tmva:
            rows.append(("evaluated as", self.response_kernel.formula + " (TMVA's defect)"))
        rows += [*self.kernel.parameters, ("threshold b", f"{self.b:.6g}"), ("support vectors", str(len(self.vectors)))]
        if self.is_regression:
            return rows
        is_signal = self.weights.table[:, FLAG] < 0
        return [*rows, ("  signal", self._multipliers(is_signal)), ("  background", self._multipliers(~is_signal))]

    def _multipliers(self, chosen: BoolArray) -> str:
        """Return how many of the support vectors there are, at the bound and free."""
        n, alphas = np.count_nonzero(chosen), self.weights.table[chosen, ALPHA]
        if not n:
            return "0"
        largest = alphas.max()
        n_bound = np.count_nonzero(alphas == largest)
        if self.free is not None:
            n_bound = np.count_nonzero(~self.free[chosen])
        elif n_bound < 2:  # a file does not hold the event weights, which the bound is proportional to
            return f"{n}, largest multiplier {largest:.6g}; the bounds differ by event weight"
        return f"{n}, of which {n_bound} at the bound (up to {largest:.6g}), {n - n_bound} free"
