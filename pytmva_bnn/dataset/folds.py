"""The folds of a cross-validation: at random, at random within each class, or by given numbers.

A fold is an array of event numbers in the order of use.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn._typing import IndexArray
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.random import Library, RandomGenerator

#: TMVA's cross-validation always uses this seed
SEED = 100


def fold_assignment(
    n_events: int, n_folds: int, seed: int = SEED, *, library: Library | str = Library.GCC11
) -> IndexArray:
    """Return the fold of each event (n_events,): 0, 1, .. K-1, 0, 1, .. shuffled."""
    _check(n_folds)
    return RandomGenerator(seed, library=library).shuffle(np.arange(n_events) % n_folds)


def random_folds(
    n_events: int, n_folds: int, seed: int = SEED, *, library: Library | str = Library.GCC11
) -> list[IndexArray]:
    """Return folds of (nearly) equal size, the events within each in their order."""
    return _collect(np.arange(n_events), fold_assignment(n_events, n_folds, seed, library=library), n_folds)


def stratified_folds(
    class_index: NDArray[np.integer],
    n_folds: int,
    seed: int = SEED,
    *,
    library: Library | str = Library.GCC11,
) -> list[IndexArray]:
    """Return folds with (nearly) equal numbers of events of each class, class after class."""
    _check(n_folds)
    folds: list[list[IndexArray]] = [[] for _ in range(n_folds)]
    for c in np.unique(class_index):
        # TMVA: each class, and each of its two shuffles, starts from the seed again
        events = RandomGenerator(seed, library=library).shuffle(np.flatnonzero(class_index == c))
        assignment = fold_assignment(events.size, n_folds, seed, library=library)
        for fold, more in zip(folds, _collect(events, assignment, n_folds), strict=True):
            fold.append(more)
    return [_joined(fold) for fold in folds]


def folds_by_value(values: ArrayLike, n_folds: int) -> list[IndexArray]:
    """Return the folds that the values of a SplitExpr, rounded half away from zero, ask for."""
    _check(n_folds)
    given = np.asarray(values, dtype=np.float64)
    whole = np.floor(given)
    with np.errstate(invalid="ignore"):
        fold = whole + (given - whole >= 0.5)
    for wrong, problem in ((~(given >= 0), "be non-negative"), (~(fold < n_folds), f"be below {n_folds}")):
        if wrong.any():
            event = int(np.argmax(wrong))
            raise DatasetError(
                f"The value of SplitExpr must {problem}: an integer between 0 and NumFolds-1={n_folds - 1}. "
                f"Got {given[event]:g} for event {event} instead; take the remainder, as in "
                "int(fabs([eventID]))%int([NumFolds])."
            )
    return _collect(np.arange(given.size), fold.astype(np.intp), n_folds)


def training_events(folds: Sequence[IndexArray], test_fold: int) -> IndexArray:
    """Return the training events when one fold is the test set: the other folds, one after the other."""
    return _joined([fold for number, fold in enumerate(folds) if number != test_fold])


def all_events(folds: Sequence[IndexArray]) -> IndexArray:
    """Return the events of all folds, which are the training set and the test set after the last fold."""
    return _joined(folds)


def _collect(events: IndexArray, assignment: IndexArray, n_folds: int) -> list[IndexArray]:
    return [events[assignment == fold] for fold in range(n_folds)]


def _joined(parts: Sequence[IndexArray]) -> IndexArray:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.intp)


def _check(n_folds: int) -> None:
    if n_folds < 1:
        raise DatasetError(f"NumFolds must be at least 1. Got {n_folds} instead.")
