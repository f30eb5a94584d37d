"""The table of cuts in weight files: XML, and the text of TMVA 3.9."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing
from pytmva_bnn.xmlio.words import Words

MAX_BINS = 100_000
_FORMAT = (
    "Below are the optimised cuts for {} variables: Format: ibin(hist) effS effB cutMin[ivar=0] cutMax[ivar=0] ... "
    "cutMin[ivar=n-1] cutMax[ivar=n-1]"
)


class Table(NamedTuple):
    """What a file holds: background efficiencies (n_bins,), cuts ``(n_bins, n_variables)``, two numbers of its head."""

    background: Float32Array
    lower: FloatArray
    upper: FloatArray
    fit_method: int
    optimisation: int

    @classmethod
    def empty(cls, n_bins: int, n_variables: int, fit_method: int, optimisation: int) -> Table:
        """Return a table without cuts."""
        # TMVA: what a file does not say is -0.1 and uninitialised memory
        shape = (n_bins, n_variables)
        return cls(np.full(n_bins, -0.1, np.float32), np.zeros(shape), np.zeros(shape), fit_method, optimisation)


def weights_element(
    head: tuple[int, int], edges: FloatArray, background: Float32Array, lower: FloatArray, upper: FloatArray
) -> Iterator[str]:
    """Yield the element; ``head`` are the numbers of the optimisation and of the fit method."""
    return writing.element(
        1,
        "Weights",
        [("OptimisationMethod", head[0]), ("FitMethod", head[1]), ("nbins", len(background))],
        _bins(edges, background, lower, upper),
    )


def _bins(edges: FloatArray, background: Float32Array, lower: FloatArray, upper: FloatArray) -> Iterator[str]:
    yield f"    <!--{_FORMAT.format(lower.shape[1])}-->"
    table = zip(edges.tolist(), background.tolist(), lower.tolist(), upper.tolist(), strict=True)
    for number, (e, b, low, high) in enumerate(table, start=1):
        cuts = [
            pair
            for i, (least, most) in enumerate(zip(low, high, strict=True))
            for pair in ((f"cutMin_{i}", f"{least:.16e}"), (f"cutMax_{i}", f"{most:.16e}"))
        ]
        attributes = [("ibin", number), ("effS", f"{e:.16e}"), ("effB", f"{b:.16e}")]
        yield from writing.element(2, "Bin", attributes, [writing.empty(3, "Cuts", cuts)])


def read_element(element: Any, n_variables: int) -> Table:
    """Read the element <Weights>."""
    n_bins = xml.count(element, "nbins")
    if not 1 <= n_bins <= MAX_BINS:
        xml.fail(element, f"nbins={n_bins}; 1 to {MAX_BINS} bins are possible")
    numbers = (xml.integer(element, "FitMethod"), xml.integer(element, "OptimisationMethod"))
    table = Table.empty(n_bins, n_variables, *numbers)
    seen: set[int] = set()
    for item in element.findall("Bin"):
        number = xml.integer(item, "ibin")
        if not 1 <= number <= n_bins or number in seen:
            xml.fail(item, f"Mismatch in bins: ibin={number} appears twice or is not one of 1 to {n_bins}")
        seen.add(number)
        cuts = xml.child(item, "Cuts")
        if cuts.get(f"cutMin_{n_variables}") is not None:
            xml.fail(cuts, f"there are cuts on more than the {n_variables} variables of the file")
        table.background[number - 1] = xml.number(item, "effB")
        for i in range(n_variables):
            table.lower[number - 1, i] = xml.number(cuts, f"cutMin_{i}")
            table.upper[number - 1, i] = xml.number(cuts, f"cutMax_{i}")
    return table


def read_words(words: Words, n_variables: int) -> Table:
    """Read the section of a text file: words with the number of bins among them, then the numbers of each bin."""
    n_bins = optimisation = None
    while n_bins is None:
        word = words.next("the number of bins").lower()
        if word.startswith("optimisationmethod"):
            optimisation = _value(words, "the optimisation method")
        elif word.startswith("nbin"):
            n_bins = _value(words, "the number of bins")
    if not 1 <= n_bins <= MAX_BINS:
        words.fail(f"{n_bins} bins are declared; 1 to {MAX_BINS} are possible")
    # what else stands there for people ends where the numbers of all bins begin
    width = 3 + 2 * n_variables
    while words.n_left > n_bins * width:
        words.next("the cuts")
    table = Table.empty(n_bins, n_variables, 0, optimisation or 0)
    for expected in range(1, n_bins + 1):
        row = words.numbers(width, "a cut")
        if row[0] != expected:
            words.fail(
                f"bin {expected} of {n_bins} is expected, with 3 + 2 x {n_variables} numbers, not bin {row[0]:g}"
            )
        table.background[expected - 1] = row[2]
        table.lower[expected - 1], table.upper[expected - 1] = row[3::2], row[4::2]
    return table


def _value(words: Words, what: str) -> int:
    while words.peek() in (":", "="):
        words.next(what)
    return words.count(what)
