"""The training sample of a forest: which events take part, with which weights at the start."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.bdt.preselection import Preselection, find_cuts
from pytmva_bnn.methods.bdt.training.fisher_cut import covariance
from pytmva_bnn.methods.bdt.training.settings import BDTSettings
from pytmva_bnn.methods.protocol import MethodEvents, TrainingJob
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.BDT")

#: TMVA: a boost weight that is read for a multiplication is at least this
LEAST_BOOST = 0.0001


@dataclass(eq=False)
class BoostSample:
    """Events ``(n_events, n_variables)`` with event weights and boost weights, which change from tree to tree."""

    inputs: Float32Array
    targets: Float32Array
    class_index: NDArray[np.int32]
    is_signal: BoolArray
    event_weights: FloatArray
    boost_weights: FloatArray

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def weights(self) -> FloatArray:
        """Return the product of event and boost weights."""
        return self.event_weights * self.boost_weights

    def at(self, events: IndexArray | BoolArray) -> BoostSample:
        """Return a copy of some of the events."""
        return BoostSample(
            self.inputs[events],
            self.targets[events],
            self.class_index[events],
            self.is_signal[events],
            self.event_weights[events],
            self.boost_weights[events],
        )

    @classmethod
    def of(cls, events: MethodEvents) -> BoostSample:
        """Return the sample of events with boost weights 1."""
        targets = events.targets[:, 0] if events.targets.shape[1] else np.zeros(len(events), dtype=np.float32)
        return cls(
            np.ascontiguousarray(events.inputs),
            np.ascontiguousarray(targets),
            events.class_index,
            events.is_signal,
            np.asarray(events.weights, dtype=np.float64),
            np.ones(len(events)),
        )


@dataclass(frozen=True, eq=False)
class Samples:
    """What a training works with."""

    training: BoostSample
    validation: BoostSample | None
    preselection: Preselection | None


def prepare_samples(job: TrainingJob, settings: BDTSettings) -> Samples:
    """Return the events that are trained with, normalised, and those that validate automatic pruning."""
    everything = BoostSample.of(job.training)
    preselection, kept = None, np.ones(len(everything), dtype=bool)
    if settings.preselection and job.analysis != AnalysisType.REGRESSION:
        widths = np.array([variable.maximum - variable.minimum for variable in job.dataset.variables])
        preselection = find_cuts(everything.inputs, everything.event_weights, everything.is_signal, widths)
        kept = preselection.answers(everything.inputs) == 0.0
    kept &= _by_weight(everything.event_weights, settings, kept)
    _check_classes(everything, kept, job)
    validation = None
    if settings.automatic_pruning:
        kept, validating = _validation_events(kept, settings)
        validation = everything.at(validating)
        log.info(
            "<InitEventSample> Internally I use %d for Training  and %d for Pruning Validation (%g%% of training used "
            "for validation)",
            kept.sum(),
            validating.sum(),
            100.0 * validating.sum() / (kept.sum() + validating.sum()),
        )
    training = everything.at(kept)
    if settings.negative_weights == "pairnegweightsglobal":
        training = _paired(training)
    if not len(training):
        raise InputError(f"{job.title}: no training event is left; check the cuts and the event weights")
    if job.analysis == AnalysisType.CLASSIFICATION and settings.normalise:
        _normalise(training, settings.signal_to_background)
    _log_numbers(training, job)
    return Samples(training, validation, preselection)


def _by_weight(weights: FloatArray, settings: BDTSettings, considered: BoolArray) -> BoolArray:
    """Return which events may be trained with, as far as their weights are concerned."""
    kept: BoolArray = weights != 0.0
    if (~kept & considered).any():
        log.info("Events with weight == 0 are going to be simply ignored ")
    negative = weights < 0.0
    if (negative & considered).any():
        if settings.negative_weights in ("ignorenegweightsintraining", "nonegweightsintraining"):
            log.warning(
                " Note, you have events with negative event weight in the sample, but you've chosen to ignore them"
            )
            kept &= ~negative
        elif settings.negative_weights == "pairnegweightsglobal":
            log.warning(
                "Events with negative event weights are found and will be removed prior to the actual BDT training by "
                "global paring (and subsequent annihilation) with positiv weight events: this is experimental"
            )
        else:
            log.warning(
                "Events with negative event weights are USED during the BDT training. This might cause problems with "
                "small node sizes or with the boosting. Please remove negative events from training using the option "
                "*IgnoreEventsWithNegWeightsInTraining* in case you observe problems with the boosting"
            )
    return kept


def _check_classes(sample: BoostSample, kept: BoolArray, job: TrainingJob) -> None:
    if job.analysis == AnalysisType.REGRESSION:
        return
    for number, name in enumerate(job.dataset.class_names):
        if not (kept & (sample.class_index == number)).any():
            raise InputError(
                f"{job.title}: no training event of class {name} is left; check the cuts, the event weights and the "
                "preselection"
            )


def _validation_events(kept: BoolArray, settings: BDTSettings) -> tuple[BoolArray, BoolArray]:
    step = 1.0 / settings.validation_fraction
    modulo = int(np.ceil(step)) if step - np.floor(step) > 0.5 else int(np.floor(step))
    # the position counts in the whole training set, dropped events included
    chosen = np.arange(len(kept)) % modulo == 0
    return kept & ~chosen, kept & chosen


def _paired(sample: BoostSample) -> BoostSample:
    """Return the events with positive weight after each negative one was paired with its nearest neighbours."""
    inverses = {}
    for number in np.unique(sample.class_index).tolist():
        own = sample.class_index == number
        inverses[number] = np.linalg.pinv(covariance(sample.inputs[own].T.astype(np.float64), sample.weights[own]))
    for event in np.flatnonzero(sample.weights < 0.0):
        number = int(sample.class_index[event])
        same = np.flatnonzero((sample.class_index == number) & (sample.weights > 0.0))
        difference = (sample.inputs[same] - sample.inputs[event]).astype(np.float64)
        distances = np.einsum("ki,ij,kj->k", difference, inverses[number], difference)
        for partner in same[np.argsort(distances, kind="stable")]:
            total = sample.weights[event] + sample.weights[partner]
            if total > 0.0:
                sample.boost_weights[event] = 0.0
                sample.boost_weights[partner] = total / sample.event_weights[partner]
                break
            sample.boost_weights[event] = total / sample.event_weights[event]
            sample.boost_weights[partner] = 0.0
            if not total < 0.0:
                break
        else:
            raise InputError(
                "events with negative weights cannot be paired (NegWeightTreatment=PairNegWeightsGlobal): no positive "
                "weight of their class is left; use InverseBoostNegWeights or IgnoreNegWeightsInTraining"
            )
    # TMVA: the normalisation that follows overwrites the boost weights, and with them what the partners have lost
    return sample.at(sample.weights > 0.0)


def _normalise(sample: BoostSample, fraction: float) -> None:
    """Give both classes the boost weights that make the sum of all weights the number of events."""
    weights = sample.weights
    s, b = (float(sequential_sum(weights[own])) for own in (sample.is_signal, ~sample.is_signal))
    if s == 0.0 or b == 0.0:
        log.info("--> could not determine scaleing factors as either there are no signal or no background events")
        return
    n = float(len(sample))
    sample.boost_weights = np.where(sample.is_signal, n / ((1.0 + fraction) * s) * fraction, n / ((1.0 + fraction) * b))


def _log_numbers(sample: BoostSample, job: TrainingJob) -> None:
    if job.analysis != AnalysisType.CLASSIFICATION:
        return
    weights, signal = sample.weights, sample.is_signal
    log.info("#events: (reweighted) sig: %g bkg: %g", weights[signal].sum(), weights[~signal].sum())
    log.info("#events: (unweighted) sig: %d bkg: %d", signal.sum(), (~signal).sum())
