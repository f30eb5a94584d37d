"""What a search finds: a table of trials, best first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.displays import Displayed
from pytmva_bnn.optional import optional
from pytmva_bnn.tuning.space import Choice

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Trial:
    """One choice of options: ``scores`` has one number, or one for each fold; ``error`` says why it failed."""

    choice: Choice
    options: str
    scores: tuple[float, ...]
    n_events: int
    seconds: float
    error: str = ""

    @property
    def score(self) -> float:
        """Return the mean of the scores, NaN if the training failed."""
        return float(np.mean(self.scores)) if self.scores else math.nan

    @property
    def spread(self) -> float:
        """Return the standard error of the mean of the folds' scores, NaN without folds."""
        n = len(self.scores)
        return float(np.std(self.scores, ddof=1) / math.sqrt(n)) if n > 1 else math.nan


@dataclass(frozen=True, eq=False)
class SearchResult(Displayed):
    """The trials, best first (those with more training events before the others); print it for a table."""

    method: str
    score_name: str
    trials: tuple[Trial, ...]

    def __iter__(self) -> Iterator[Trial]:
        return iter(self.trials)

    def __len__(self) -> int:
        return len(self.trials)

    @property
    def best(self) -> Trial:
        """Return the best trial; its ``options`` are for ``BookMethod``."""
        return self.trials[0]

    def rows(self) -> list[dict[str, object]]:
        """Return the table: the varied options, the score and what belongs to it."""
        with_spread = any(len(one.scores) > 1 for one in self)
        with_error = any(one.error for one in self)
        return [
            {
                **one.choice,
                self.score_name: one.score,
                **({"±": one.spread} if with_spread else {}),
                "training events": one.n_events,
                "seconds": one.seconds,
                **({"error": one.error} if with_error else {}),
            }
            for one in self
        ]

    def to_pandas(self) -> pd.DataFrame:
        """Return the table with a row for each trial, best first."""
        frame: pd.DataFrame = optional("pandas", "pandas", "to_pandas()").DataFrame(self.rows())
        return frame

    def text_rows(self) -> list[dict[str, str]]:
        """Return the table as texts."""
        formats = {self.score_name: ".5g", "±": ".2g", "seconds": ".2f"}
        return [
            {
                name: format(value, formats.get(name, "")) if name in formats else str(value)
                for name, value in row.items()
            }
            for row in self.rows()
        ]

    def __repr__(self) -> str:
        return f"<SearchResult: {len(self)} trials of {self.method}, best {self.score_name} {self.best.score:.5g}>"

    def __str__(self) -> str:
        rows = self.text_rows()
        widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]}
        lines = ["  ".join(f"{name:>{width}}" for name, width in widths.items())]
        lines += ["  ".join(f"{row[name]:>{width}}" for name, width in widths.items()) for row in rows]
        lines[1] += "  <-- best"
        return "\n".join([*lines, f"best: {self.method}, {self.best.options}"])
