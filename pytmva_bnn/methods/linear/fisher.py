"""Fisher's discriminant: the direction in which the means of signal and background are far apart for their widths."""

# ruff: noqa: N806 - the notation of the method

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.linear.coefficients import FittedCoefficients, log_coefficients
from pytmva_bnn.methods.linear.matrices import checked_inverse
from pytmva_bnn.methods.protocol import Method, MethodEvents, Reading, TrainingJob
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionType
from pytmva_bnn.reductions.moments import linear_sums, weighted_sums
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Dialect, Section, WeightFile
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from pytmva_bnn.xmlio.words import Words

SINGULAR = "<GetFisherCoeff> matrix is %s with determinant=%g did you use the variables that are linear combinations%s?"


@dataclass(frozen=True, eq=False)
class FittedFisher(FittedCoefficients):
    """A trained Fisher discriminant; ``powers`` are the discrimination powers of the variables, if just trained."""

    powers: FloatArray | None = field(default=None, metadata={"stored": False})

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        (values,) = self.coefficients.tolist()
        lines = (
            writing.empty(2, "Coefficient", [("Index", i), ("Value", f"{value:.16e}")])
            for i, value in enumerate(values)
        )
        return writing.element(1, "Weights", [("NCoeff", len(values))], lines)

    def ranking(self, events: MethodEvents, weights: FloatArray, names: Sequence[str]) -> Ranking | None:
        """Return the variables by their discrimination power."""
        del events, weights
        return None if self.powers is None else Ranking.of("Discr. power", names, self.powers.tolist())


class Fisher(Method):
    """TMVA's Fisher."""

    kind: ClassVar[str] = "Fisher"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION})
    options: ClassVar[tuple[Option, ...]] = (
        *METHOD_BASE_OPTIONS,
        Option(
            "Method",
            OptionType.STRING,
            "Fisher",
            "divide by the widths within the classes (Fisher) or by that of all events (Mahalanobis)",
            ("Fisher", "Mahalanobis"),
        ),
    )
    records: ClassVar[tuple[type, ...]] = (FittedFisher,)

    def train(self, job: TrainingJob) -> FittedFisher:
        """Fit the coefficients."""
        names = [variable.label for variable in job.dataset.variables]
        mahalanobis = job.options.string("Method") == "Mahalanobis"
        fitted = fit_fisher(job.training, names, mahalanobis=mahalanobis)
        log_coefficients(job, self.kind, fitted.coefficients, indent="  ")
        return fitted

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedFisher:
        """Read the coefficients."""
        del how
        n = len(head.variables) + 1
        if section.words is not None:
            return FittedFisher(read_words(section.words, 1, n))
        return FittedFisher(_read_coefficients(section, n))


def _read_coefficients(section: Section, n: int) -> FloatArray:
    # TMVA: compares the number with nothing, and reads beyond its memory if there are too few
    elements = xml.counted_children(section.element, "NCoeff", "Coefficient")
    if len(elements) != n:
        xml.fail(section.element, f"NCoeff={len(elements)}; {n - 1} variables and the constant need {n}")
    values: dict[int, float] = {}
    for element in elements:
        index = xml.count(element, "Index")
        if index >= n or index in values:
            xml.fail(element, f"Index={index} appears twice or is too large: 0 to {n - 1} are expected, each once")
        values[index] = xml.number(element, "Value")
    return np.array([[values[i] for i in range(n)]])


def read_words(words: Words, n_outputs: int, n: int) -> FloatArray:
    """Return the coefficients ``(n_outputs, n)`` of a text file (TMVA <= 3.9)."""
    values = words.numbers(n_outputs * n, "a coefficient").reshape(n_outputs, n)
    if not words.at_end():
        words.fail(f"there are more than the {values.size} coefficients that the variables need")
    return values


# -- training


def fit_fisher(events: MethodEvents, names: Sequence[str], *, mahalanobis: bool) -> FittedFisher:
    """Return coefficients and discrimination powers; two passes over the events, the second around the means."""
    x, w, is_signal = events.inputs, events.weights, events.is_signal
    samples = [(np.take(x, chosen, axis=0), w[chosen]) for chosen in map(np.flatnonzero, (is_signal, ~is_signal))]
    W_S, W_B = (float(sequential_sum(weights)) for _, weights in samples)
    for W, name in ((W_S, "signal"), (W_B, "background")):
        if not W > 0.0:
            raise InputError(f"the weights of the {name} training events add up to {W:g}: Fisher needs a positive sum")
    s, b = (linear_sums(*sample) for sample in samples)
    m_S, m_B, m = s / W_S, b / W_B, (s + b) / (W_S + W_B)
    # TMVA: the sum of both covariances, not their mean: the coefficients are half of the textbook's
    T = weighted_sums(*samples[0], centre=m_S)[1] / W_S + weighted_sums(*samples[1], centre=m_B)[1] / W_B
    B = (np.outer(W_S * (m_S - m), m_S - m) + np.outer(W_B * (m_B - m), m_B - m)) / (W_S + W_B)
    C = T + B
    inverse = checked_inverse(C if mahalanobis else T, SINGULAR, names, logging.getLogger("pytmva_bnn.Fisher"))
    F = np.sqrt(W_S * W_B) / (W_S + W_B) * sequential_sum(inverse * (m_S - m_B))
    F_0 = -0.5 * float(sequential_sum(F * (m_S + m_B)))
    within, between = np.diagonal(C), np.diagonal(B)
    powers = np.divide(between, within, out=np.zeros(len(F)), where=within != 0.0)
    return FittedFisher(np.array([[F_0, *F]]), powers)
