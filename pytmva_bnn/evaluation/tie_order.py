"""The order in which ``std::sort`` of the GNU library leaves equal values.

TMVA sorts the events of a ROC curve by their responses with an unstable sort, so among equal responses the order is an
accident of the algorithm, and so is the AUC where signal and background have equal responses.  Introsort: the range is
split around the median of three values until pieces have 16 values or fewer; what remains is an insertion sort, which
keeps the order of equal values and may hence be any stable sort.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import AnyArray, FloatArray, IndexArray

PIECE = 16
SMALL = 160
"""Shorter ranges are split by a loop, longer ones by numpy."""


def std_sort_order(values: AnyArray) -> IndexArray:
    """Return the indices (n,) that sort ``values`` as ``std::sort`` does; with NaN, those of a stable sort."""
    v = np.asarray(values, dtype=np.float64)
    order = np.arange(len(v))
    if len(v) > PIECE and not np.isnan(v).any():
        v = v.copy()
        pieces = [(0, len(v), 2 * (len(v).bit_length() - 1))]
        while pieces:
            first, last, depth = pieces.pop()
            if last - first <= SMALL:
                _split_small(v, order, first, last, depth)
                continue
            if depth == 0:
                # GNU: a heap sort from here on; no sample of responses gets here, so stable will do
                continue
            cut = _split(v, order, first, last)
            pieces += [(cut, last, depth - 1), (first, cut, depth - 1)]
    return order[np.argsort(v, kind="stable")] if len(v) > PIECE else np.argsort(v, kind="stable")


def _split(v: FloatArray, order: IndexArray, first: int, last: int) -> int:
    """Move values below the median of three to the left and those above to the right; return where right begins."""
    chosen = _median(v[first + 1], v[first + (last - first) // 2], v[last - 1])
    other = (first + 1, first + (last - first) // 2, last - 1)[chosen]
    for a in (v, order):
        a[first], a[other] = a[other], a[first]
    pivot, rest = v[first], v[first + 1 : last]
    left = np.flatnonzero(~(rest < pivot)) + (first + 1)  # stops of the scan from the left ...
    right = np.flatnonzero(~(pivot < rest))[::-1] + (first + 1)  # ... and from the right
    n = min(len(left), len(right))
    k = int(np.count_nonzero(left[:n] < right[:n]))
    i, j = left[:k], right[:k]
    for a in (v, order):
        a[i], a[j] = a[j], a[i]
    stops = [int(left[k])] if k < len(left) else []
    return min(stops + ([int(right[k - 1])] if k > 0 else []))


def _median(a: float, b: float, c: float) -> int:
    """Return which of three values is the median, as the library chooses among equal ones."""
    if a < b:
        if b < c:
            return 1
        return 2 if a < c else 0
    if a < c:
        return 0
    return 2 if b < c else 1


def _split_small(v: FloatArray, order: IndexArray, start: int, stop: int, depth: int) -> None:
    """Split a short range into pieces, in lists, which are faster than arrays here."""
    x, o = v[start:stop].tolist(), order[start:stop].tolist()
    pieces = [(0, stop - start, depth)]
    while pieces:
        first, last, depth = pieces.pop()
        if last - first <= PIECE or depth == 0:
            continue
        middle = first + (last - first) // 2
        other = (first + 1, middle, last - 1)[_median(x[first + 1], x[middle], x[last - 1])]
        x[first], x[other] = x[other], x[first]
        o[first], o[other] = o[other], o[first]
        pivot, i, j = x[first], first + 1, last
        while True:
            while x[i] < pivot:
                i += 1
            j -= 1
            while pivot < x[j]:
                j -= 1
            if i >= j:
                break
            x[i], x[j] = x[j], x[i]
            o[i], o[j] = o[j], o[i]
            i += 1
        pieces += [(i, last, depth - 1), (first, i, depth - 1)]
    v[start:stop], order[start:stop] = x, o
