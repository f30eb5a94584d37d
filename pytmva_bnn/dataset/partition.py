"""From the events of each class to the final training and test sets."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn._typing import AnyIntArray, FloatArray
from pytmva_bnn.dataset import messages
from pytmva_bnn.dataset.renormalise import class_factors, renormalise, sequential_sum
from pytmva_bnn.dataset.settings import NormMode, SplitMode, SplitSettings
from pytmva_bnn.dataset.split import ClassSizes, mix, split_classes
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.random import RandomGenerator

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")


@dataclass(frozen=True)
class EventOrder:
    """The events of a set in their final order: class, number within the class, and weight of each.

    The numbers within a class are those of :mod:`~pytmva_bnn.dataset.split`.  ``sums`` are the summed weights
    of the classes.
    """

    class_index: NDArray[np.int32]
    event_index: AnyIntArray
    weights: FloatArray
    sums: tuple[float, ...]

    def __len__(self) -> int:
        return self.class_index.size

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.class_index.tolist(), self.event_index.tolist(), strict=True)


@dataclass(frozen=True)
class Partition:
    """The training set, with renormalised weights, and the test set, with the original ones.

    ``seed`` is the seed that was used, also if SplitSeed=0 left it to chance.
    """

    train: EventOrder
    test: EventOrder
    seed: int


def partition(
    sizes: Sequence[ClassSizes],
    settings: SplitSettings,
    weights: Sequence[ArrayLike] | None = None,
    *,
    ignore_negative: bool = False,
    check: Callable[[Sequence[FloatArray]], None] | None = None,
) -> Partition:
    """Split the events of each class, renormalise the training weights, and mix the classes.

    ``weights`` holds one array for each class, for its events in the order training trees, test trees,
    undefined; None means weight 1.  For ``ignore_negative`` see
    :func:`~pytmva_bnn.dataset.renormalise.renormalise`.  ``check`` may refuse the weights of the training events,
    class by class, before they are renormalised.
    """
    _check_classes(sizes, settings)
    of_class = _weights_of_classes(sizes, settings, weights)
    messages.tell_modes(settings)
    messages.tell_preselection(settings, sizes)
    generator = RandomGenerator(settings.seed, library=settings.library)
    splits = split_classes(sizes, settings, generator)
    _check_not_empty(settings, sum(s.train.size for s in splits), sum(s.test.size for s in splits))

    messages.tell_normalisation(settings)
    raw = [_of_events(w, split.train) for w, split in zip(of_class, splits, strict=True)]
    if check is not None:
        check(raw)
    factors = class_factors(raw, settings.norm_mode)
    train_weights = renormalise(raw, settings.norm_mode, ignore_negative=ignore_negative, factors=factors)
    _tell_factors(settings, raw, factors)
    messages.tell_numbers(settings, sizes, splits)
    test_weights = [_of_events(w, split.test) for w, split in zip(of_class, splits, strict=True)]

    train = _mixed([split.train for split in splits], train_weights, settings, generator, "Training")
    test = _mixed([split.test for split in splits], test_weights, settings, generator, "Testing")
    return Partition(train, test, generator.random.seed)


def _mixed(
    events: Sequence[AnyIntArray],
    weights: Sequence[FloatArray],
    settings: SplitSettings,
    generator: RandomGenerator,
    kind: str,
) -> EventOrder:
    numbers = [of_class.size for of_class in events]
    if settings.mix_mode is SplitMode.ALTERNATE:
        messages.tell_unequal_sizes(settings.dataset, kind, numbers)
    order = mix(numbers, settings.mix_mode, generator)
    return EventOrder(
        class_index=np.repeat(np.arange(len(numbers), dtype=np.int32), numbers)[order],
        event_index=np.concatenate(events)[order],
        weights=np.concatenate(weights)[order],
        sums=tuple(sequential_sum(of_class) for of_class in weights),
    )


def _of_events(weights: NDArray[np.floating], events: AnyIntArray) -> FloatArray:
    return np.take(weights, events).astype(np.float64, copy=False)


def _tell_factors(settings: SplitSettings, raw: Sequence[FloatArray], factors: FloatArray) -> None:
    if settings.norm_mode is NormMode.NONE:
        return
    for request, of_class, factor in zip(settings.classes, raw, factors.tolist(), strict=True):
        LOGGER.debug("--> Rescale %s event weights by factor: %s", request.name, f"{factor:g}")
        if of_class.size and not (np.isfinite(factor) and factor > 0):
            LOGGER.warning(
                "Dataset[%s] : the training weights of class %s sum up to %g and are multiplied by %g; check "
                "the weight expression, or use NormMode=None",
                settings.dataset, request.name, sequential_sum(of_class), factor,
            )  # fmt: skip


def _check_classes(sizes: Sequence[ClassSizes], settings: SplitSettings) -> None:
    names = [request.name for request in settings.classes]
    if not names:
        raise DatasetError(f"Dataset[{settings.dataset}] : there is no class to split; add a tree first")
    if len(sizes) != len(names):
        raise DatasetError(
            f"Dataset[{settings.dataset}] : got event numbers for {len(sizes)} classes, but the options are for "
            f"{len(names)} ({', '.join(names)})"
        )


def _weights_of_classes(
    sizes: Sequence[ClassSizes], settings: SplitSettings, weights: Sequence[ArrayLike] | None
) -> list[NDArray[np.floating]]:
    if weights is None:
        return [np.ones(size.total) for size in sizes]
    arrays = [np.asarray(of_class) for of_class in weights]
    if len(arrays) != len(sizes):
        raise DatasetError(
            f"Dataset[{settings.dataset}] : got weights for {len(arrays)} classes, but there are {len(sizes)}"
        )
    for request, size, array in zip(settings.classes, sizes, arrays, strict=True):
        if array.shape != (size.total,):
            raise DatasetError(
                f"Dataset[{settings.dataset}] : class {request.name}: the weights have shape {array.shape}, but "
                f"there are {size.total} events"
            )
    return arrays


def _check_not_empty(settings: SplitSettings, n_train: int, n_test: int) -> None:
    if n_train == 0:
        raise DatasetError(
            f"Dataset[{settings.dataset}] : there are no training events; check the cuts and the numbers "
            "nTrain_<class>, nTest_<class>"
        )
    if n_test == 0:
        LOGGER.error(
            "Dataset %s does not have any testing events, guess that will cause problems later..but for now, "
            "I continue ",
            settings.dataset,
        )
