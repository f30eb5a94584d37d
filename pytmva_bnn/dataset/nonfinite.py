"""Bookkeeping of values that are not numbers: all offending expressions are named at once, with their counts."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray
from pytmva_bnn.errors import DatasetError

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")


@dataclass
class NonFiniteValues:
    """How often each expression gave NaN or an infinity, in events removed by the cut and in others."""

    dataset: str
    harmless: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def note(
        self,
        what: str,
        expression: str,
        values: NDArray[np.floating],
        removed: BoolArray,
        place_of: Callable[[int], str],
    ) -> None:
        """Count the values (n_events,) that are not finite as float32.

        ``removed`` are events that the cut drops; ``place_of`` says where an event comes from.
        """
        for kind, bad in (
            ("indeterminate value (NaN)", np.isnan(values)),
            ("infinite value (+inf or -inf)", np.isinf(values)),
        ):
            text = f"{what} expression resolves to {kind}: {expression}"
            for counter, affected in ((self.harmless, bad & removed), (self.errors, bad & ~removed)):
                number = int(np.count_nonzero(affected))
                if number:
                    counter[text] += number
            if text not in self.first and bool(np.any(bad & ~removed)):
                self.first[text] = place_of(int(np.argmax(bad & ~removed)))

    def check(self) -> None:
        """Log what the cut has removed; raise if there is more."""
        if self.harmless:
            LOGGER.warning("Found events with NaN and/or +-inf values")
            for line in _lines(self.harmless):
                LOGGER.warning("Dataset[%s] : %s", self.dataset, line)
        if self.errors:
            listed = "\n".join(
                f"  {line}, first in {self.first[text]}"
                for text, line in zip(sorted(self.errors), _lines(self.errors), strict=True)
            )
            raise DatasetError(
                f"Dataset[{self.dataset}] : Found events with NaN and/or +-inf values (not removed by cut):\n{listed}\n"
                "How am I supposed to train a NaN or +-inf?! Remove these events with a cut, or change the expressions."
            )
        if self.harmless:
            LOGGER.warning("These NaN and/or +-infs were all removed by the specified cut, continuing.")


def _lines(counts: Counter[str]) -> list[str]:
    return [f"{text} ({counts[text]} times)" if counts[text] > 1 else text for text in sorted(counts)]
