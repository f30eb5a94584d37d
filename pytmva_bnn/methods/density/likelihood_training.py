"""Training of Likelihood: reference histograms of each variable for both classes, and PDFs made of them."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import BoolArray, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms import Axis, Histogram1D, PDFRecord, PDFSettings
from pytmva_bnn.methods.density.likelihood_fitted import FittedLikelihood
from pytmva_bnn.methods.density.likelihood_response import EDGE, class_inputs
from pytmva_bnn.methods.protocol import TrainingJob

log = logging.getLogger("pytmva_bnn.Likelihood")


@dataclass(frozen=True)
class Side:
    """One of the two classes: the words that names of PDFs, options and histograms have for it, and its events."""

    name: str
    option: str
    suffix: str
    events: BoolArray


def train_likelihood(job: TrainingJob) -> FittedLikelihood:
    """Fill the histograms as the options of the job say, and make PDFs of them."""
    events, settings = job.training, job.settings
    # TMVA: with this option an event of weight 0 is left out too
    used = events.weights > 0 if job.options.flag("IgnoreNegWeightsInTraining") else np.ones(len(events), dtype=bool)
    sides = (
        Side("signal", "Sig", "sig", events.is_signal & used),
        Side("background", "Bkg", "bgd", ~events.is_signal & used),
    )
    for side in sides:
        if not side.events.any():
            raise InputError(f"{job.title}: there are no {side.name} events to train with")
    variables = job.dataset.variables
    n_events = min(int(np.count_nonzero(events.is_signal)), int(np.count_nonzero(~events.is_signal)))
    weights = events.weights.astype(np.float32).astype(np.float64)
    inputs = class_inputs(events.inputs, len(variables))
    log.info("Filling reference histograms")
    records = []
    for number, variable in enumerate(variables):
        columns = [one[:, number] for one in inputs]
        ends = _range([column[used].astype(np.float64) for column in columns], variable, job.title)
        pair = [
            _record(job, number, side, column[side.events].astype(np.float64), weights[side.events], ends, n_events)
            for side, column in zip(sides, columns, strict=True)
        ]
        records.append((pair[0], pair[1]))
    log.info("Building PDF out of reference histograms")
    fitted = FittedLikelihood(tuple(records), settings.transform_output, tuple(one.label for one in variables))
    try:
        fitted.pdfs  # noqa: B018 - built now, so that what is wrong with them shows
    except InputError as error:
        raise InputError(f"{job.title}: {error}") from error
    return fitted


def _range(columns: list[FloatArray], variable: VariableRecord, title: str) -> tuple[float, float]:
    """Return smallest and largest value, over all events transformed for either class."""
    low = min(float(column.min()) for column in columns)
    high = max(float(column.max()) for column in columns)
    if low == high:
        # TMVA: fills a histogram of width 0, whose density says nothing
        raise InputError(
            f"{title}: the variable {variable.label} is constant in the training events ({low:g}); remove it"
        )
    return low, high


def _record(
    job: TrainingJob,
    number: int,
    side: Side,
    x: FloatArray,
    weights: FloatArray,
    ends: tuple[float, float],
    n_events: int,
) -> PDFRecord:
    """Return the PDF of a class, with the histogram filled with the events of that class."""
    variable = job.dataset.variables[number]
    settings: PDFSettings = job.settings.pdfs[number][side.option == "Bkg"]
    low, high = ends
    name = f"{job.title}_{variable.label}_{side.suffix}"
    if variable.type.startswith("I"):
        # one bin for each whole number; TMVA: events stay below 1 + the largest, and only these names lack the data set
        high += 1.0
        first, last = int(np.rint(low)), int(np.rint(high))
        axis = Axis(max(last - first, 1), float(first), float(last))
    else:
        name = f"{job.dataset.name}_{name}"
        axis = Axis(settings.bins_for(n_events), low, high)
    x = np.where(x >= high, high - EDGE, x)
    lost = ~axis.inside(axis.find_bin(x))
    if lost.any():
        # TMVA: beyond 2^20 the step inside is lost in rounding, and with it the events at the end
        log.warning(
            "%s: %d %s events (e.g. at %.9g) are outside the reference histogram of %s, from %.9g to %.9g",
            job.title, np.count_nonzero(lost), side.name, x[lost][0], variable.label, axis.lower, axis.upper,
        )  # fmt: skip
    histogram = Histogram1D.empty(axis, dtype=np.float32, name=f"{name}_original").fill(x, weights=weights)
    return settings.record(f"{job.title} PDF {side.option}[{number}]", histogram)
