"""How many events are inside of boxes, many boxes at a time.

For each variable the events are ranked, and for every rank there is a row of bits, one an event: those of the events
below it.  The events between two cuts are those of one row without those of another; a box is the intersection over the
variables, and 64 events are compared by one operation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.methods.protocol import MethodEvents

Words = NDArray[np.uint64]

WORD = 64
MAX_WORDS = 2_000_000
"""Words in the rows of a variable: 16 MB."""
BLOCK_WORDS = 32_768
"""Words of a block of boxes: some of these arrays fit into the processor's cache."""


@dataclass(frozen=True, eq=False)
class Ranks:
    """The events by the size of each variable.

    ``values`` (n_variables, n_events) ascend, ``order`` are the places of these events among the bits; ``rows``
    (n_variables, n_rows, n_words) are the bits of the events below the ranks 0, stride, 2 stride, ...
    """

    values: FloatArray
    order: NDArray[np.int64]
    rows: Words
    stride: int

    @classmethod
    def of(cls, x: Float32Array, places: NDArray[np.int64], n_words: int) -> Ranks:
        """Rank the events (n_events, n_variables) with their places among the bits."""
        n, n_variables = x.shape
        stride = max(1, -(-(n + 1) * n_words // MAX_WORDS))
        by_size = np.argsort(x, axis=0, kind="stable").T
        order = places[by_size]
        rows = np.zeros((n_variables, n // stride + 1, n_words), dtype=np.uint64)
        for row, places_of in zip(rows, order, strict=True):
            rank = np.arange(n) // stride + 1  # the first row that has the event
            inside = rank < len(row)
            bit = np.left_shift(np.uint64(1), (places_of % WORD).astype(np.uint64))
            np.bitwise_or.at(row, (rank[inside], places_of[inside] // WORD), bit[inside])
            np.bitwise_or.accumulate(row, axis=0, out=row)
        return cls(np.take_along_axis(x.T, by_size, axis=1).astype(np.float64), order, rows, stride)

    def below(self, variable: int, cuts: FloatArray) -> Words:
        """Return the bits (n_cuts, n_words) of the events that are not above the cuts."""
        ranks = np.searchsorted(self.values[variable], cuts, side="right")
        found: Words = self.rows[variable][ranks // self.stride]
        if self.stride > 1:
            self._add_rest(found, variable, ranks)
        return found

    def _add_rest(self, found: Words, variable: int, ranks: NDArray[np.int64]) -> None:
        """Add the events between a row and the rank itself."""
        first, order = ranks // self.stride * self.stride, self.order[variable]
        numbers = np.arange(len(ranks))
        for step in range(self.stride - 1):
            some = numbers[first + step < ranks]
            place = order[first[some] + step]
            found[some, place // WORD] |= np.left_shift(np.uint64(1), (place % WORD).astype(np.uint64))


@dataclass(frozen=True, eq=False)
class Boxes:
    """Events whose efficiencies in boxes can be asked for.

    Bits of the signal come first, those of the background begin with the word ``n_signal_words``.  ``byte_sums``
    (n_bytes, 256) are the sums of weights for each value of each byte; ``equal`` are the weights of a signal and of a
    background event, if all have the same, NaN otherwise; ``totals`` are the sums of weights.
    """

    ranks: Ranks
    n_signal_words: int
    byte_sums: FloatArray
    equal: FloatArray
    totals: FloatArray

    @classmethod
    def of(cls, events: MethodEvents) -> Boxes:
        """Rank the events."""
        is_signal = events.is_signal
        # TMVA: its tree of events has weights in float32; sums of these are exact in float64, whatever their order, as
        # long as the weights are of similar size
        weights = events.weights.astype(np.float32).astype(np.float64)
        n_words = [-(-int(np.count_nonzero(chosen)) // WORD) for chosen in (is_signal, ~is_signal)]
        places = np.where(is_signal, np.cumsum(is_signal), n_words[0] * WORD + np.cumsum(~is_signal)) - 1
        ranks = Ranks.of(np.ascontiguousarray(events.inputs), places, sum(n_words))
        by_place = np.zeros(sum(n_words) * WORD)
        by_place[places] = weights
        samples = [weights[chosen] for chosen in (is_signal, ~is_signal)]
        equal = np.array([one[0] if len(one) and (one == one[0]).all() else np.nan for one in samples])
        totals = np.array([np.add.accumulate(one)[-1] if len(one) else 0.0 for one in samples])
        equal[[not len(one) for one in samples]] = 1.0
        sums = _byte_sums(by_place) if np.isnan(equal).any() else np.empty((0, 256))
        return cls(ranks, n_words[0], sums, equal, totals)

    @property
    def n_words(self) -> int:
        """Return the number of words."""
        return int(self.ranks.rows.shape[2])

    def efficiencies(self, lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the efficiencies (n_boxes,) of signal and background for ``lower < x <= upper``."""
        found = np.empty((2, len(lower)))
        step = max(1, BLOCK_WORDS // self.n_words)
        for start in range(0, len(lower), step):
            block = slice(start, start + step)
            inside = self._inside(lower[block], upper[block])
            parts = (inside[:, : self.n_signal_words], inside[:, self.n_signal_words :])
            offsets = (0, self.n_signal_words * WORD // 8)
            for k, (bits, offset) in enumerate(zip(parts, offsets, strict=True)):
                found[k, block] = self._sums(bits, k, offset)
        return self.ratios(found[0], 0), self.ratios(found[1], 1)

    def ratios(self, sums: FloatArray, k: int) -> FloatArray:
        """Return sums of weights as parts of all, both rounded to float32; those of signal (0) or background (1)."""
        total = np.float32(self.totals[k])
        if not total:
            return np.zeros(len(sums))
        return np.maximum((sums.astype(np.float32) / total).astype(np.float64), 0.0)

    def _inside(self, lower: FloatArray, upper: FloatArray) -> Words:
        inside = None
        for i in range(lower.shape[1]):
            between = self.ranks.below(i, upper[:, i]) & ~self.ranks.below(i, lower[:, i])
            inside = between if inside is None else np.bitwise_and(inside, between, out=inside)
        assert inside is not None  # noqa: S101 - there is at least one variable
        return inside

    def _sums(self, bits: Words, k: int, first_byte: int) -> FloatArray:
        if not np.isnan(self.equal[k]):
            return np.asarray(popcounts(bits) * self.equal[k])
        total = np.zeros(len(bits))
        as_bytes = np.ascontiguousarray(bits.astype("<u8")).view(np.uint8).T
        for sums, column in zip(self.byte_sums[first_byte:], as_bytes, strict=False):
            total += sums[column]
        return total


def popcounts(bits: Words) -> FloatArray:
    """Return how many bits are set in each row."""
    if hasattr(np, "bitwise_count"):  # numpy 2
        return np.asarray(np.bitwise_count(bits).sum(axis=1, dtype=np.int64), dtype=np.float64)
    return np.asarray(_POPCOUNTS[np.ascontiguousarray(bits).view(np.uint16)].sum(axis=1), dtype=np.float64)


def _bits_of_bytes() -> BoolArray:
    return np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little").astype(bool)


_POPCOUNTS = np.array([n.bit_count() for n in range(1 << 16)], dtype=np.int64)


def _byte_sums(weights: FloatArray) -> FloatArray:
    """Return the sums of weights for each value of each byte, added one after the other."""
    eights = weights.reshape(-1, 8)
    bits, sums = _bits_of_bytes(), np.zeros((len(eights), 256))
    for bit in range(8):
        sums += np.where(bits[:, bit], eights[:, bit, np.newaxis], 0.0)
    return sums
