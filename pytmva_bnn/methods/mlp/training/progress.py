"""Showing a training's progress: a bar on a terminal, otherwise lines in the log.

>>> with show_progress(20, quiet=True) as progress:
...     progress(1, None, None)
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

log = logging.getLogger("pytmva_bnn.MLP")


class Progress(Protocol):
    """Anything that wants to know how a training goes on."""

    def __call__(self, epoch: int, training: float | None, test: float | None) -> None:
        """Take note that ``epoch`` (from 1) is done, with the latest estimators (None before the first test)."""


def ignore_progress(epoch: int, training: float | None, test: float | None) -> None:
    """Do nothing."""


class LogProgress:
    """Writes a line to the log after each tenth of the epochs, and at least once a minute."""

    def __init__(self, n_epochs: int, seconds: float = 60.0) -> None:
        self.n_epochs = n_epochs
        self.seconds = seconds
        self._every = max(1, n_epochs // 10)
        self._last_time = time.monotonic()

    def __call__(self, epoch: int, training: float | None, test: float | None) -> None:
        """Write a line if it is time for one."""
        now = time.monotonic()
        if epoch % self._every and epoch < self.n_epochs and now - self._last_time < self.seconds:
            return
        self._last_time = now
        if training is None or test is None:
            log.info("epoch %d of %d", epoch, self.n_epochs)
        else:
            log.info("epoch %d of %d: estimator %.6g (training), %.6g (test)", epoch, self.n_epochs, training, test)


@contextmanager
def show_progress(n_epochs: int, *, quiet: bool = False) -> Iterator[Progress]:
    """Give a progress callback: a tqdm bar if stderr is a terminal and tqdm is installed, else log lines."""
    if quiet:
        yield ignore_progress
        return
    if not sys.stderr.isatty():
        yield LogProgress(n_epochs)
        return
    try:
        from tqdm import tqdm  # lazy: only for people at a terminal
    except ImportError:
        yield LogProgress(n_epochs)
        return
    with tqdm(total=n_epochs, desc="training", unit="epoch", dynamic_ncols=True) as bar:

        def advance(epoch: int, training: float | None, test: float | None) -> None:
            if training is not None and test is not None:
                bar.set_postfix_str(f"training {training:.5g}, test {test:.5g}", refresh=False)
            # convergence may skip epochs
            bar.update(epoch - bar.n)

        yield advance
