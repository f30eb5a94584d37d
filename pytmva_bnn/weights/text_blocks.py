"""The blocks of numbers in text weight files: transformation data (#MAT) and PDFs (#MVAPDFS)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.histograms import Histogram, PDFRecord
from pytmva_bnn.transform import Decorrelation, OldCumulative, OldGaussianisation, PrincipalComponents, Step
from pytmva_bnn.weights.pdf_checks import problem_of

_MAX_BINS = 1_000_000
_CHAINS = {
    "none": (),
    "": (),
    "decorrelate": ("D",),
    "pca": ("P",),
    "uniform": ("U",),
    "gauss": ("G",),
    "gaussdecorr": ("G", "D"),
}


class Words:
    """The words of a section, one by one, with their line numbers; comment lines are passed over."""

    def __init__(self, section: str, lines: list[tuple[int, str]]) -> None:
        self._section = section
        self._words = [(number, word) for number, line in lines if not line.startswith("#") for word in line.split()]
        self._position = 0

    @property
    def n_left(self) -> int:
        """Return the number of words that were not taken yet."""
        return len(self._words) - self._position

    def at_end(self) -> bool:
        """Tell whether all words were taken."""
        return self.n_left == 0

    def peek(self) -> str:
        """Return the next word without taking it, or an empty string at the end."""
        return "" if self.at_end() else self._words[self._position][1]

    def next(self, what: str) -> str:
        """Take the next word; ``what`` names it in the error if there is none."""
        if self.at_end():
            self.fail(f"the section ends where {what} is due: the file is truncated or damaged")
        self._position += 1
        return self._words[self._position - 1][1]

    def expect(self, *expected: str) -> str:
        """Take the next word, which must be one of ``expected``."""
        word = self.next(f"{expected[0]!r}")
        if word not in expected:
            self.fail(f"the word {expected[0]!r} is due, not {word[:40]!r}")
        return word

    def number(self, what: str) -> float:
        """Take a number, which must be finite."""
        word = self.next(what)
        try:
            value = float(word)
        except ValueError:
            value = float("nan")
        if not np.isfinite(value):
            self.fail(f"{what} is due, not {word[:40]!r}")
        return value

    def count(self, what: str, at_most: int = _MAX_BINS) -> int:
        """Take a whole number that is not negative."""
        word = self.next(what)
        if not (word.isascii() and word.isdigit() and len(word) < 10 and int(word) <= at_most):
            self.fail(f"{what} is due, not {word[:40]!r}")
        return int(word)

    def numbers(self, n: int, what: str) -> NDArray[np.float64]:
        """Take ``n`` numbers."""
        return np.array([self.number(what) for _ in range(n)], dtype=np.float64)

    def fail(self, problem: str) -> NoReturn:
        """Raise the error for ``problem`` at the word taken last."""
        line = self._words[max(self._position - 1, 0)][0] if self._words else None
        raise WeightFileError(problem, element=self._section, line=line)


def read_transformations(words: Words, options: Mapping[str, str], n: int) -> list[Step]:
    """Read the chain that the options name; ``options`` has lower-case names, ``n`` is the number of variables."""
    name = options.get("vartransform", "None").lower()
    if name not in _CHAINS:
        words.fail(f"the variable transform {options.get('vartransform')!r} is unknown")
    kinds: tuple[str, ...] = _CHAINS[name]
    if name == "none" and options.get("d", "").lower() in ("1", "true", "ktrue", "t"):
        kinds = ("D",)
    # the set of this class is the one applied: it is appended as the last
    applied = 1 if options.get("vartransformtype", "Signal").lower() == "background" else 0
    steps: list[Step] = []
    for kind in kinds:
        if kind == "D":
            matrices = _per_class(words, n, n)
            steps.append(Decorrelation(None, (*matrices, matrices[applied])))
        elif kind == "P":
            means = tuple(row.ravel() for row in _per_class(words, n, None))
            vectors = _per_class(words, n, n)
            steps.append(PrincipalComponents(None, (*means, means[applied]), (*vectors, vectors[applied])))
        else:
            steps.append(_cumulatives(words, n, applied, flat=kind == "U"))
    return steps


def _per_class(words: Words, rows: int, columns: int | None) -> tuple[NDArray[np.float64], ...]:
    result = []
    for name in ("signal", "background"):
        words.expect(name)
        shape = [words.count("a number of rows")]
        if columns is not None:
            words.expect("x")
            shape.append(words.count("a number of columns"))
        if shape != [rows, *([] if columns is None else [columns])]:
            words.fail(f"the size is {' x '.join(map(str, shape))}, but there are {rows} variables")
        result.append(words.numbers(rows * (columns or 1), "a matrix element").reshape(rows, columns or 1))
    return tuple(result)


def _cumulatives(words: Words, n: int, applied: int, *, flat: bool) -> OldGaussianisation:
    found: dict[tuple[int, int], OldCumulative] = {}
    while words.peek() == "CumulativeHistogram":
        words.next("CumulativeHistogram")
        class_index = words.count("a class number", 1)
        variable = words.count("a variable number", n - 1)
        name = words.next("a name")
        n_bins = words.count("a number of bins")
        if n_bins < 1:
            words.fail("a histogram has at least one bin")
        per_bin = words.count("the number of elements per bin")
        words.next("a heading")
        edges = words.numbers(n_bins + 1, "a bin edge")
        words.next("a heading")
        contents = words.numbers(n_bins, "a bin content")
        if (np.diff(edges) < 0).any() or per_bin <= 0:
            words.fail("the bin edges are not in increasing order, or a bin has no elements")
        histogram = Histogram(name, contents, float(edges[0]), float(edges[-1]), edges)
        found[variable, class_index] = OldCumulative(histogram, per_bin)
    if words.peek() == "Uniform":
        words.next("Uniform")
        flat = words.count("0 or 1", 1) == 1
    missing = [v for v in range(n) if (v, applied) not in found]
    if missing:
        words.fail(f"the cumulative histogram of variable {missing[0]} is missing")
    return OldGaussianisation(None, tuple((found[v, applied],) for v in range(n)), flat)


def read_pdfs(words: Words) -> tuple[PDFRecord, PDFRecord]:
    """Read the two PDFs of the response: signal, then background."""
    return _pdf(words, "MVA_PDFSig"), _pdf(words, "MVA_PDFBkg")


def _pdf(words: Words, name: str) -> PDFRecord:
    keywords = (
        "NSmooth",
        "MinNSmooth",
        "MaxNSmooth",
        "InterpolMethod",
        "KDE_type",
        "KDE_iter",
        "KDE_border",
        "KDE_finefactor",
    )
    value: dict[str, float] = {}
    while words.peek() in keywords:
        key = words.next("a setting")
        value[key] = words.number(f"the value of {key}")
    if "NSmooth" in value:
        value.setdefault("MinNSmooth", value["NSmooth"])
        value.setdefault("MaxNSmooth", value["NSmooth"])
    interpolation = int(value.get("InterpolMethod", 2))
    if value.get("MinNSmooth", 0) < 0:  # TMVA 3.9: this is how it says KDE
        interpolation = 5
    histogram_name = name
    if words.peek() == "Histogram":  # before 3.7.3 the numbers follow at once
        words.next("Histogram")
        histogram_name = words.next("the histogram's name")
    n_bins = words.count("a number of bins")
    x_min, x_max = words.number("the lower edge"), words.number("the upper edge")
    if n_bins < 1:
        words.fail("a histogram has at least one bin")
    if words.peek() == "Weights":
        words.next("Weights")
    contents = words.numbers(n_bins, "a bin content")
    record = PDFRecord(
        name=name,
        min_n_smooth=int(value.get("MinNSmooth", 0)),
        max_n_smooth=int(value.get("MaxNSmooth", 0)),
        interpolation=interpolation,
        kde_type=int(value.get("KDE_type", 0)),
        kde_iter=int(value.get("KDE_iter", 1)),
        kde_border=int(value.get("KDE_border", 1)),
        kde_fine_factor=value.get("KDE_finefactor", 0.0),
        histogram=Histogram(histogram_name, contents, x_min, x_max, None),
    )
    problem = problem_of(record)
    if problem is not None:
        words.fail(problem)
    return record
