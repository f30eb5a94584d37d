"""How many events of each class go to training and test, which, and in which order.

Within a class events are numbered 0 .. N-1: first those of training trees, then those of test trees, then the
undefined ones, which are to be split, each in reading order.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pytmva_bnn._typing import AnyIntArray
from pytmva_bnn.dataset.settings import ClassRequest, SplitMode, SplitSettings
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.random import RandomGenerator

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")


@dataclass(frozen=True)
class ClassSizes:
    """The events of a class: r of training trees, s of test trees, u undefined; and the cut's counters.

    ``n_before_cut`` and ``n_after_cut`` count events without weights; they default to the total, that is to a
    cut that removed nothing.
    """

    n_train: int = 0
    n_test: int = 0
    n_undefined: int = 0
    n_before_cut: int | None = None
    n_after_cut: int | None = None

    @property
    def total(self) -> int:
        """The number N of events that there are to split."""
        return self.n_train + self.n_test + self.n_undefined

    @property
    def efficiency(self) -> float:
        """The fraction of events that passed the cut, in float32; 1 if there were none."""
        before = self.total if self.n_before_cut is None else self.n_before_cut
        after = self.total if self.n_after_cut is None else self.n_after_cut
        return float(np.float32(after) / np.float32(before)) if before else 1.0


@dataclass(frozen=True)
class Numbers:
    """The numbers of one class: ``fill_*`` (uR, uS) before trimming, ``train`` and ``test`` (R, S) after."""

    fill_train: int
    fill_test: int
    train: int
    test: int


@dataclass(frozen=True)
class ClassSplit:
    """The training and test events of one class, as numbers within the class."""

    train: AnyIntArray
    test: AnyIntArray


def split_classes(sizes: Sequence[ClassSizes], settings: SplitSettings, generator: RandomGenerator) -> list[ClassSplit]:
    """Return the training and test events of each class."""
    # all classes are shuffled before the first one is trimmed
    undefined = [_undefined(size, generator if settings.split_mode is SplitMode.RANDOM else None) for size in sizes]
    return [
        _split_class(size, request, events, settings, generator)
        for size, request, events in zip(sizes, settings.classes, undefined, strict=True)
    ]


def _undefined(size: ClassSizes, generator: RandomGenerator | None) -> AnyIntArray:
    """Return the numbers of the undefined events, shuffled if there is a generator."""
    first = size.n_train + size.n_test
    if generator is None:
        return numbers(first, size.total)
    shuffled = generator.order(size.n_undefined)
    return shuffled.astype(np.int64) + first if first else shuffled


def _split_class(
    size: ClassSizes,
    request: ClassRequest,
    undefined: AnyIntArray,
    settings: SplitSettings,
    generator: RandomGenerator,
) -> ClassSplit:
    where = f"Dataset[{settings.dataset}] : class {request.name}"
    try:
        planned = plan(size, requested(request, size, scale=settings.scale_with_presel_eff))
        if settings.split_mode is SplitMode.ALTERNATE:
            full = deal_alternately(size, planned, undefined)
        else:
            full = deal_in_blocks(size, planned, undefined)
    except DatasetError as error:
        raise DatasetError(f"{where}: {error}") from None
    for events, number, kind in ((full.train, planned.train, "training"), (full.test, planned.test, "test")):
        if events.size < number:
            LOGGER.warning(
                "%s: %d %s events are requested, but SplitMode=%s finds only %d, which are used",
                where, number, kind, settings.split_mode.value, events.size,
            )  # fmt: skip
    if settings.split_mode is SplitMode.RANDOM:
        train = trim_randomly(full.train, planned.train, generator)
        return ClassSplit(train, trim_randomly(full.test, planned.test, generator))
    return ClassSplit(full.train[: _as_uint32(planned.train)], full.test[: _as_uint32(planned.test)])


# ---- how many -----------------------------------------------------------------------------------------------


def requested(request: ClassRequest, size: ClassSizes, *, scale: bool = False) -> ClassRequest:
    """Return the request with TrainTestSplit turned into a number, scaled by the cut's efficiency if asked."""
    fraction, n_train, n_test = request.train_fraction, request.n_train, request.n_test
    if 0 < fraction < 1:
        n_train, n_test = int(np.float32(fraction) * np.float32(size.total)), 0
    elif fraction != 0:
        # TMVA: its message calls 1 allowed, but 1 is refused too
        raise DatasetError(
            f"TrainTestSplit_{request.name} must lie between 0 and 1 (both excluded). Got {fraction:f} instead; to "
            f"use all events for training give nTrain_{request.name} and separate test trees."
        )
    efficiency = np.float32(size.efficiency if scale else 1)
    # TMVA: float32 even without scaling, so numbers above 2^24 are rounded
    return replace(
        request,
        n_train=int(np.float32(n_train) * efficiency),
        n_test=int(np.float32(n_test) * efficiency),
        train_fraction=0.0,
    )


def plan(size: ClassSizes, request: ClassRequest) -> Numbers:
    """Return how many events the training and test lists get, and to how many they are trimmed afterwards."""
    r, s, u, total = size.n_train, size.n_test, size.n_undefined, size.total
    train, test = request.n_train, request.n_test
    if train == 0 and test == 0:
        if u >= abs(r - s):
            # TMVA: an odd event is dropped
            half = total // 2
            return Numbers(half, half, half, half)
        fill_train, fill_test = (r + u, s) if r < s else (r, s + u)
        return Numbers(fill_train, fill_test, fill_train, fill_test)
    if test == 0:
        fill_train = max(train, r)
        if total < fill_train:
            raise _too_many("training", f"nTrain_{request.name}", train, total)
        return Numbers(fill_train, total - fill_train, train, total - fill_train)
    if train == 0:
        fill_test = max(test, s)
        if total < fill_test:
            raise _too_many("testing", f"nTest_{request.name}", test, total)
        return Numbers(total - fill_test, fill_test, total - fill_test, test)
    free = max(0, u - max(train - r, 0) - max(test - s, 0))
    fill_train = max(train, r) + free // 2
    # TMVA: test events are what is left, so too large a sum of both numbers is no error here
    return Numbers(fill_train, total - fill_train, train, test)


def _too_many(kind: str, option: str, number: int, total: int) -> DatasetError:
    return DatasetError(
        f"More events requested for {kind} ({option}={number}) than available ({total}); "
        f"ask for at most {total}, add trees or loosen the cut."
    )


# ---- which --------------------------------------------------------------------------------------------------


def deal_in_blocks(size: ClassSizes, planned: Numbers, undefined: AnyIntArray) -> ClassSplit:
    """Give the first undefined events to training, the next ones to test, and drop the rest."""
    to_train, to_test = planned.fill_train - size.n_train, planned.fill_test - size.n_test
    available = size.n_undefined
    if available < max(to_train, to_test, to_train + to_test):
        raise DatasetError(
            f"More events requested than available: {planned.train} for training and {planned.test} for test, "
            f"but there are {size.n_train} of training trees, {size.n_test} of test trees and {available} that "
            f"may become either; ask for fewer, add trees or loosen the cut."
        )
    start = max(to_train, 0)
    return _appended(size, undefined[:start], undefined[start : start + max(to_test, 0)])


def deal_alternately(size: ClassSizes, planned: Numbers, undefined: AnyIntArray) -> ClassSplit:
    """Give the undefined events to training and test in turn; when training is full, all to test."""
    turns = 2 * max(planned.train - size.n_train, 0)
    rest = _joined(undefined[1:turns:2], undefined[turns:])
    return _appended(size, undefined[:turns:2], rest)


def _appended(size: ClassSizes, to_train: AnyIntArray, to_test: AnyIntArray) -> ClassSplit:
    train = numbers(0, size.n_train)
    test = numbers(size.n_train, size.n_train + size.n_test)
    return ClassSplit(_joined(train, to_train), _joined(test, to_test))


def _joined(first: AnyIntArray, second: AnyIntArray) -> AnyIntArray:
    return np.concatenate((first, second)) if first.size and second.size else second if second.size else first


def trim_randomly(events: AnyIntArray, number: int, generator: RandomGenerator) -> AnyIntArray:
    """Return ``number`` of the events in their order; no random number is used if there is nothing to remove."""
    excess = events.size - _as_uint32(number)
    if excess <= 0:
        return events
    keep = np.ones(events.size, dtype=np.bool_)
    keep[generator.order(events.size)[:excess]] = False
    return events[keep]


def _as_uint32(number: int) -> int:
    # TMVA: a negative request is compared without its sign, so it never removes anything
    return number % 2**32


# ---- in which order -------------------------------------------------------------------------------------------


def mix(sizes: Sequence[int], mode: SplitMode, generator: RandomGenerator) -> AnyIntArray:
    """Return the order in which events, numbered class after class, stand in the final set.

    Only the mode Random uses the generator.
    """
    if mode is SplitMode.RANDOM:
        return generator.order(sum(sizes))
    if mode is SplitMode.ALTERNATE:
        return alternate(sizes)
    return numbers(0, sum(sizes))


def alternate(sizes: Sequence[int]) -> AnyIntArray:
    """Return the order in which the classes take turns, the leftovers of the longer ones at the end.

    The events of class c are put behind each c events of the classes before it; those that find no full
    group of c come last.
    """
    order = numbers(0, 0)
    start = 0
    for c, size in enumerate(sizes):
        events = numbers(start, start + size)
        order = _put_between(order, events, every=c) if c else events
        start += size
    return order


def _put_between(order: AnyIntArray, events: AnyIntArray, every: int) -> AnyIntArray:
    n_groups = min(events.size, order.size // every)
    mixed = np.empty(order.size + events.size, dtype=order.dtype)
    groups = mixed[: n_groups * (every + 1)].reshape(n_groups, every + 1)
    groups[:, :every] = order[: n_groups * every].reshape(n_groups, every)
    groups[:, every] = events[:n_groups]
    left = order[n_groups * every :]
    mixed[groups.size : groups.size + left.size] = left
    mixed[groups.size + left.size :] = events[n_groups:]
    return mixed


def numbers(start: int, stop: int) -> AnyIntArray:
    """Return the integers from ``start`` to ``stop`` (excluded), of 32 bits if they fit."""
    return np.arange(start, stop, dtype=np.int32 if stop < 2**31 else np.int64)
