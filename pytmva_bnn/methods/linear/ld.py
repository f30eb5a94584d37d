"""Linear discriminant and linear regression: the straight plane of least squares."""

# ruff: noqa: N806 - the notation of the method

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.linear.coefficients import OFFSET, FittedCoefficients, log_coefficients
from pytmva_bnn.methods.linear.fisher import read_words
from pytmva_bnn.methods.linear.matrices import checked_inverse
from pytmva_bnn.methods.protocol import Method, MethodEvents, Reading, TrainingJob
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.reductions.moments import linear_sums, weighted_sums
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Dialect, Section, WeightFile
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

log = logging.getLogger("pytmva_bnn.LD")

SINGULAR = "<GetCoeff> matrix is %s with determinant=%g did you use the variables that are linear combinations%s?"


@dataclass(frozen=True, eq=False)
class FittedLD(FittedCoefficients):
    """A trained LD, with an output for each target of a regression."""

    rounds = True  # TMVA: adds up in float32
    precision = "each sum is rounded to float32 after every term"

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        n_outputs, n = self.coefficients.shape
        lines = (
            writing.empty(2, "Coefficient", [("IndexOut", k), ("IndexCoeff", i), ("Value", f"{value:.16e}")])
            for k, values in enumerate(self.coefficients.tolist())
            for i, value in enumerate(values)
        )
        return writing.element(1, "Weights", [("NOut", n_outputs), ("NCoeff", n)], lines)

    def ranking(self, events: MethodEvents, weights: FloatArray, names: Sequence[str]) -> Ranking:
        """Return the variables by the sizes of their coefficients."""
        del events, weights
        return Ranking.of("Discr. power", names, np.abs(self.coefficients[0, 1:]).tolist())


class LD(Method):
    """TMVA's LD."""

    kind: ClassVar[str] = "LD"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION, AnalysisType.REGRESSION})
    records: ClassVar[tuple[type, ...]] = (FittedLD,)

    def train(self, job: TrainingJob) -> FittedLD:
        """Fit the coefficients."""
        names = [variable.label for variable in job.dataset.variables]
        if job.analysis == AnalysisType.REGRESSION:
            if job.training.targets.shape[1] > 1:
                log.info("%s: several targets; TMVA itself trains with one, but evaluates the weight file", job.title)
            coefficients = fit_regression(job.training, names)
        else:
            coefficients = fit_classification(job.training, names)
        log_coefficients(job, self.kind, coefficients, indent="      ")
        return FittedLD(coefficients)

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedLD:
        """Read the coefficients."""
        del how
        n = len(head.variables) + 1
        n_outputs = max(len(head.targets), 1)
        if section.words is not None:
            return FittedLD(read_words(section.words, n_outputs, n))
        return FittedLD(_read_coefficients(section, n_outputs, n))


def _read_coefficients(section: Section, n_outputs: int, n: int) -> FloatArray:
    weights = section.element
    shape = xml.count(weights, "NOut"), xml.count(weights, "NCoeff")
    if shape[1] != n:
        xml.fail(weights, f"Mismatch in number of output variables/coefficients: {shape[1]} != {n}")
    if shape[0] != n_outputs:
        xml.fail(weights, f"NOut={shape[0]}, but the file has targets for {n_outputs}")
    values = np.full(shape, np.nan)
    for element in xml.children(weights):
        place = xml.count(element, "IndexOut"), xml.count(element, "IndexCoeff")
        if place[0] >= n_outputs or place[1] >= n or not np.isnan(values[place]):
            xml.fail(element, f"IndexOut={place[0]}, IndexCoeff={place[1]} appears twice or is too large")
        values[place] = xml.number(element, "Value")
    n_missing = int(np.isnan(values).sum())
    if n_missing:
        xml.fail(weights, f"{n_missing} of the {values.size} coefficients are missing")
    return values


# -- training


def fit_classification(events: MethodEvents, names: Sequence[str]) -> FloatArray:
    """Return the coefficients (1, 1 + n) of the regression of 1 for signal and 0 for background."""
    t = np.where(events.is_signal, events.weights, 0.0)
    c, A = _least_squares(events, t[:, np.newaxis], names)
    # TMVA: minus half the mean response of all events, which puts 0 between the classes only if that mean is 0
    c[0, 0] = -0.5 * float(sequential_sum(c[0, 1:] * A[0, 1:] / A[0, 0]))
    return c


def fit_regression(events: MethodEvents, names: Sequence[str]) -> FloatArray:
    """Return the coefficients (n_targets, 1 + n)."""
    return _least_squares(events, events.weights[:, np.newaxis] * events.targets.astype(np.float64), names)[0]


def _least_squares(events: MethodEvents, t: FloatArray, names: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """Return c = A⁻¹ v for the weighted targets t (n_events, n_targets), and A, in which index 0 is the constant."""
    x, w = events.inputs, events.weights
    constant = [name for name, column in zip(names, x.T, strict=False) if not np.ptp(column)]
    if constant:
        # TMVA: the rounding below hides it, and the coefficients are arbitrary
        what = f"{', '.join(constant)} {'is' if len(constant) == 1 else 'are'} constant, as the offset is"
        raise InputError(f"{SINGULAR % ('singular', 0.0, '')} {what}: remove such variables.")
    # TMVA: the products of variables are rounded to float32, which limits the coefficients to some 1e-7
    first, second = weighted_sums(x, w, rounded=True)
    A = np.empty((len(first) + 1, len(first) + 1))
    A[0, 0], A[0, 1:], A[1:, 0], A[1:, 1:] = sequential_sum(w), first, first, second
    inverse = checked_inverse(A, SINGULAR, [OFFSET, *names], log)
    v = np.array([[sequential_sum(one), *linear_sums(x, one)] for one in np.ascontiguousarray(t.T)])
    return np.array([sequential_sum(inverse * one) for one in v]), A
