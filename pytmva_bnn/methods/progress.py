"""Showing a training's progress: a bar on a terminal or in a notebook, otherwise lines in the log.

>>> with show_progress(20, logging.getLogger(), quiet=True) as progress:
...     progress(1)
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from pytmva_bnn.bars import progress_bar


class Progress(Protocol):
    """A listener to the progress of a training."""

    def __call__(self, step: int, training: float | None = None, test: float | None = None) -> None:
        """Take note that ``step`` (from 1) is done, with the latest estimators if there are any."""


def ignore_progress(step: int, training: float | None = None, test: float | None = None) -> None:
    """Do nothing."""


class LogProgress:
    """Writes a line to the log after each tenth of the steps, and at least once a minute."""

    def __init__(self, n_steps: int, log: logging.Logger, unit: str = "epoch", seconds: float = 60.0) -> None:
        self.n_steps = n_steps
        self.log = log
        self.unit = unit
        self.seconds = seconds
        self._every = max(1, n_steps // 10)
        self._last_time = time.monotonic()

    def __call__(self, step: int, training: float | None = None, test: float | None = None) -> None:
        """Write a line if it is time for one."""
        now = time.monotonic()
        if step % self._every and step < self.n_steps and now - self._last_time < self.seconds:
            return
        self._last_time = now
        if training is None or test is None:
            self.log.info("%s %d of %d", self.unit, step, self.n_steps)
        else:
            self.log.info(
                "%s %d of %d: estimator %.6g (training), %.6g (test)", self.unit, step, self.n_steps, training, test
            )


@contextmanager
def show_progress(n_steps: int, log: logging.Logger, *, quiet: bool = False, unit: str = "epoch") -> Iterator[Progress]:
    """Give a progress callback: a bar of tqdm for people at a terminal or notebook, else log lines."""
    if quiet:
        yield ignore_progress
        return
    bar_class = progress_bar()
    if bar_class is None:
        yield LogProgress(n_steps, log, unit)
        return
    with bar_class(total=n_steps, desc="training", unit=unit, dynamic_ncols=True) as bar:

        def advance(step: int, training: float | None = None, test: float | None = None) -> None:
            if training is not None and test is not None:
                bar.set_postfix_str(f"training {training:.5g}, test {test:.5g}", refresh=False)
            # convergence may skip epochs
            bar.update(step - bar.n)

        yield advance
