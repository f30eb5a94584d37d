"""From the events and options of a booked SVM to its support vectors."""

from __future__ import annotations

import logging
from typing import Protocol

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.methods.progress import Progress, show_progress
from pytmva_bnn.methods.protocol import MethodEvents, TrainingJob
from pytmva_bnn.methods.svm.fitted import FittedSVM
from pytmva_bnn.methods.svm.option_table import SVMSettings
from pytmva_bnn.methods.svm.training.multipliers import Multipliers, Sample
from pytmva_bnn.methods.svm.training.smo import Optimiser
from pytmva_bnn.methods.svm.xml import WeightsElement
from pytmva_bnn.methods.training_errors import TrainingError

log = logging.getLogger("pytmva_bnn.SVM")

NOTHING_TRAINED = "interrupted before the first pass over the events was complete: nothing is written"
FEW_CHANGES, SAME_CHANGES = 10, 3
"""Changes in a pass below which all events are examined again, and how often they may be the same."""
_SECONDS = 4e-4
"""What numpy takes for a training event."""


class Sweeps(Protocol):
    """What goes over the events once."""

    def sweep(self, *, everything: bool) -> int:
        """Return how many multipliers were changed."""


def train_svm(job: TrainingJob) -> FittedSVM:
    """Train an SVM as the options of the job say."""
    settings: SVMSettings = job.settings
    events = job.training
    try:
        kernel, gamma_list = settings.kernel(events.inputs.shape[1])
    except OptionError as error:
        raise OptionError(f"{job.title}: {error}") from None
    used = np.flatnonzero(events.weights > 0)
    n_negative = np.count_nonzero(events.weights < 0)
    if n_negative:
        # TMVA: takes them, with a bound below 0 that no multiplier can keep
        log.warning("%s: %d training events of negative weight are left out", job.title, n_negative)
    is_signal = events.is_signal[used]
    if is_signal.all() or not is_signal.any():
        missing = "background" if is_signal.any() else "signal"
        raise InputError(f"{job.title}: there are no {missing} training events of positive weight")
    flags = np.where(is_signal, -1, 1).astype(np.float32)
    sample = Sample(np.ascontiguousarray(events.inputs[used]), flags, _costs(events, settings.cost)[used], kernel)
    with show_progress(settings.max_passes, log, quiet=job.quiet, unit="pass") as progress:
        state, interrupted, n_passes = optimise(sample, settings, job.title, progress)
    if not np.isfinite(state.thresholds).all():
        raise TrainingError(
            f"{job.title}: the kernel of some training events is infinite",
            advice="normalise the inputs (VarTransform=Norm); no value in GammaList may be negative",
        )
    chosen = np.flatnonzero(state.alpha != 0)
    if not chosen.size:
        raise TrainingError(
            f"{job.title}: no training event became a support vector", advice="set a smaller Tol, such as 0.01"
        )
    zeros = np.zeros(len(chosen))
    columns = (chosen, flags[chosen], state.alpha[chosen], zeros, sample.x[chosen])
    table: FloatArray = np.column_stack(columns).astype(np.float64)
    ranges = np.array([events.inputs.max(axis=0), events.inputs.min(axis=0)], dtype=np.float64)
    parameters = (gamma_list, settings.theta, settings.order)
    weights = WeightsElement(float(state.b), settings.gamma, table, ranges, parameters)
    # TMVA: only what is read from the file adds up the kernels of Prod
    return FittedSVM(
        weights,
        kernel,
        as_tmva=False,
        free=state.index[chosen] == 0,
        interrupted_after=interrupted,
        n_iterations=n_passes,
    )


def _costs(events: MethodEvents, cost: float) -> Float32Array:
    """Return the upper bounds of the multipliers: more for the smaller class, proportional to the event weights."""
    n_signal = int(np.count_nonzero(events.is_signal))
    n_background = len(events) - n_signal
    # TMVA: with more signal than background the cost of signal is raised, not that of background lowered
    reweighted = cost * n_signal / max(n_background, 1)
    signal, background = (cost, reweighted) if n_signal < n_background else (reweighted, cost)
    by_class = np.where(events.is_signal, np.float32(signal), np.float32(background))
    return (by_class * events.weights).astype(np.float32)


def optimise(sample: Sample, settings: SVMSettings, title: str, progress: Progress) -> tuple[Multipliers, str, int]:
    """Go over the events until no multiplier changes; return the multipliers, where Ctrl-C ended it, and the passes."""
    state = Multipliers.start(sample.flags)
    optimiser: Sweeps
    if compiled_pays(_SECONDS * len(sample)):
        from pytmva_bnn.methods.svm.training.compiled_smo import CompiledOptimiser  # lazy: numba

        optimiser = CompiledOptimiser(sample, state, settings.tolerance)
    else:
        optimiser = Optimiser(sample, state, settings.tolerance)
    everything, n_changed, n_before, n_same, n_passes = True, 0, 0, 0, 0
    complete = state.copy()
    while n_changed > 0 or everything:
        try:
            n_changed = optimiser.sweep(everything=everything)
        except KeyboardInterrupt:
            if not n_passes:
                raise KeyboardInterrupt(NOTHING_TRAINED) from None
            log.warning("%s: interrupted after pass %d, whose multipliers are kept", title, n_passes)
            return complete, f"pass {n_passes}", n_passes
        complete = state.copy()
        if everything:
            everything = False
        elif n_changed < FEW_CHANGES or n_same > SAME_CHANGES:
            everything = True
        n_same = n_same + 1 if n_changed == n_before else 0
        n_before = n_changed
        n_passes += 1
        progress(n_passes)
        if n_passes >= settings.max_passes:
            log.warning(
                "%s: Max number of iterations exceeded. Training may not be completed. Try use less Cost parameter",
                title,
            )
            break
    log.info("%s: %d passes, %d support vectors", title, n_passes, np.count_nonzero(state.alpha))
    return state, "", n_passes
