"""Bookkeeping of values that are not numbers: all offending expressions are named at once, with their counts."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray
from pytmva_bnn.errors import DatasetError

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")


@dataclass
class NonFiniteValues:
    """How often each expression gave NaN or an infinity, in events removed by the cut and in others.

    >>> found = NonFiniteValues("dataset")
    >>> found.note("Input", "log(x)", np.array([1, np.nan, np.inf]), removed=np.array([False, False, False]))
    >>> found.check()
    Traceback (most recent call last):
    pytmva_bnn.errors.DatasetError: Dataset[dataset] : Found events with NaN and/or +-inf values (not removed
    by cut): ...
    """

    dataset: str
    harmless: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def note(
        self, what: str, expression: str, values: NDArray[np.floating], removed: BoolArray, places: Places | None = None
    ) -> None:
        """Count the values (n_events,) that are not finite as float32; ``removed`` are events that the cut drops."""
        for kind, bad in (
            ("indeterminate value (NaN)", np.isnan(values)),
            ("infinite value (+inf or -inf)", np.isinf(values)),
        ):
            text = f"{what} expression resolves to {kind}: {expression}"
            for counter, affected in ((self.harmless, bad & removed), (self.errors, bad & ~removed)):
                number = int(np.count_nonzero(affected))
                if number:
                    counter[text] += number
            if places is not None and text not in self.first and bool(np.any(bad & ~removed)):
                self.first[text] = places.name(int(np.argmax(bad & ~removed)))

    def check(self) -> None:
        """Log what the cut has removed; raise if there is more."""
        if self.harmless:
            LOGGER.warning("Found events with NaN and/or +-inf values")
            for line in _lines(self.harmless):
                LOGGER.warning("Dataset[%s] : %s", self.dataset, line)
        if self.errors:
            listed = "\n".join(
                f"  {line}" + (f", first in {self.first[text]}" if text in self.first else "")
                for text, line in zip(sorted(self.errors), _lines(self.errors), strict=True)
            )
            raise DatasetError(
                f"Dataset[{self.dataset}] : Found events with NaN and/or +-inf values (not removed by cut):\n{listed}\n"
                "How am I supposed to train a NaN or +-inf?! Remove these events with a cut, or change the expressions."
            )
        if self.harmless:
            LOGGER.warning("These NaN and/or +-infs were all removed by the specified cut, continuing.")


@dataclass(frozen=True)
class Places:
    """Where the events of a block come from, for messages.

    >>> Places("a.root:TreeS", 100, np.array([0, 0, 1])).name(2)
    'entry 101 of a.root:TreeS'
    """

    where: str
    first_entry: int
    entries: NDArray[np.int64] | None = None

    def name(self, event: int) -> str:
        """Return the place of an event of the block."""
        entry = event if self.entries is None else int(self.entries[event])
        return f"entry {self.first_entry + entry} of {self.where}"


def _lines(counts: Counter[str]) -> list[str]:
    return [f"{text} ({counts[text]} times)" if counts[text] > 1 else text for text in sorted(counts)]
