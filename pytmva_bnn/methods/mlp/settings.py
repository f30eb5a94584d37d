"""What a training makes of the options of the MLP."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import get_args

from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.mlp.network import activation
from pytmva_bnn.methods.mlp.network.layout import NEURON_INPUTS
from pytmva_bnn.methods.mlp.training import Checkpoint, Estimator, TrainingSettings
from pytmva_bnn.methods.mlp.training.settings import HessianKind
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.MLP")


@dataclass(frozen=True)
class MLPSettings:
    """What the options of a booked MLP mean.

    ``hessian_per_output``: there is a matrix behind the error bars of each output neuron.
    """

    training: TrainingSettings
    checkpoint: Checkpoint | None
    hessian_per_output: bool

    @classmethod
    def of(cls, options: OptionSet, title: str, analysis: AnalysisType) -> MLPSettings:
        """Return the settings; impossible values raise an OptionError."""
        _check_activation(options.string("NeuronType"), title)
        name = options.string("NeuronInputType")
        if name not in NEURON_INPUTS:
            raise OptionError(f"{title}: NeuronInputType={name} is not one of {', '.join(NEURON_INPUTS)}")
        # TMVA: whatever the user said
        options.set_value("EstimatorType", Estimator.of(analysis).value)
        path = options.string("Checkpoint")
        is_softmax = _is_softmax(options, title, analysis)
        training = TrainingSettings.from_options(options, analysis)
        hessian = _hessian(options, title, analysis, is_softmax=is_softmax)
        return cls(
            replace(
                training,
                estimator=Estimator.SOFTMAX if is_softmax else training.estimator,
                hessian=hessian,
                calibration_toys=options.integer("CalibrationToys"),
                calibration_workers=options.integer("CalibrationWorkers"),
            ),
            Checkpoint(path, max(options.integer("CheckpointEpochs"), 1)) if path else None,
            options.flag("HessianPerOutput"),
        )


def _is_softmax(options: OptionSet, title: str, analysis: AnalysisType) -> bool:
    form = options.string("Multiclass")
    if form not in ("TMVA", "Softmax"):
        # only a value with a blank in front keeps a spelling of its own
        raise OptionError(f"{title}: Multiclass={form} is not one of TMVA, Softmax (after a blank, case matters)")
    if form == "Softmax" and analysis != AnalysisType.MULTICLASS:
        log.warning("%s: Multiclass=Softmax has no effect in %s", title, analysis)
    return form == "Softmax" and analysis == AnalysisType.MULTICLASS


def _hessian(options: OptionSet, title: str, analysis: AnalysisType, *, is_softmax: bool) -> HessianKind:
    kind: HessianKind = options.string("Hessian")  # type: ignore[assignment]
    if kind not in get_args(HessianKind):
        # only a value with a blank in front keeps a spelling of its own
        known = ", ".join(get_args(HessianKind))
        raise OptionError(f"{title}: Hessian={kind} is not one of {known} (after a blank, case matters)")
    if is_softmax:
        # TMVA's matrix is that of the first output, which alone means nothing
        return "Posterior" if kind == "TMVA" else kind
    if kind != "TMVA" and analysis == AnalysisType.MULTICLASS:
        log.warning(
            "%s: Hessian=%s has no effect: the cost of several classes is not a likelihood, and their scores have no "
            "error bars; Multiclass=Softmax trains probabilities",
            title,
            kind,
        )
        return "TMVA"
    return kind


def _check_activation(name: str, title: str) -> None:
    try:
        activation(name)
    except InputError as error:
        raise OptionError(f"{title}: NeuronType={name}: {error}") from None
