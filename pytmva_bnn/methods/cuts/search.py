"""The search for the best cuts: by a fitter, or among the boxes that events span."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.cuts.estimator import CutEstimator
from pytmva_bnn.methods.cuts.event_search import EventSampling, EventScan
from pytmva_bnn.methods.cuts.settings import CutsSettings
from pytmva_bnn.methods.fitters import Fitter, Interval
from pytmva_bnn.methods.progress import Progress, show_progress
from pytmva_bnn.methods.protocol import TrainingJob

log = logging.getLogger("pytmva_bnn.Cuts")


def search(job: TrainingJob, estimator: CutEstimator, intervals: Sequence[Interval]) -> str:
    """Fill the estimator's table; return where Ctrl-C has ended the search, if it did."""
    settings: CutsSettings = job.settings
    way = settings.search
    n_steps = way.n_steps if isinstance(way, Fitter) else way.n_boxes(int(job.training.is_signal.sum()))
    with show_progress(n_steps, log, quiet=job.quiet, unit=way.unit) as progress:
        if isinstance(way, Fitter):
            # TMVA: the minimum itself is thrown away, only what the table got on the way counts
            return way.minimise(estimator, intervals, watch=_Reports(progress)).interrupted_after
        return _search_events(way, job, estimator, progress)


def _search_events(
    way: EventSampling | EventScan, job: TrainingJob, estimator: CutEstimator, progress: Progress
) -> str:
    done = 0

    def watch(n: int) -> None:
        nonlocal done
        done = n
        progress(n)

    try:
        way.run(estimator, job.training, watch)
    except KeyboardInterrupt:
        if not done:
            raise
        return f"{way.unit} {done}"
    return ""


class _Reports:
    """Tells the progress of a fitter."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __call__(self, step: int, value: float, point: FloatArray, /) -> None:
        """Tell the step; the value means nothing, as it changes with the table."""
        del value, point
        self._progress(step)
