"""How to train: the values of the training options, typed and checked."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, Literal

from pytmva_bnn.dataset import SamplingSchedule
from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType


class TrainingMethod(Enum):
    """The algorithm."""

    BFGS = "BFGS"
    BP = "BP"
    GA = "GA"


class Estimator(Enum):
    """The cost function: mean square error, cross entropy, or (ours) the cross entropy of the outputs' softmax."""

    MSE = "MSE"
    CE = "CE"
    SOFTMAX = "Softmax"

    @classmethod
    def of(cls, analysis: AnalysisType) -> Estimator:
        """Return what TMVA sets when a method is booked, whatever its option string says."""
        return cls.CE if analysis == AnalysisType.CLASSIFICATION else cls.MSE

    @property
    def output(self) -> str:
        """Return the activation of the output neurons."""
        return "sigmoid" if self is Estimator.CE else "linear"


class BPMode(Enum):
    """When back-propagation changes the weights: after each event, or after each batch."""

    SEQUENTIAL = "sequential"
    BATCH = "batch"


#: which matrix is behind the error bars
HessianKind = Literal["TMVA", "Posterior", "Sandwich", "Paper", "Likelihood", "Bias", "Calibrated"]

_OPTION = "option"
_DEFAULTS = {option.name: option.default for option in MLP_METHOD_OPTIONS}
_CHOICES: dict[str, type[Enum]] = {"TrainingMethod": TrainingMethod, "BPMode": BPMode}


def _option(name: str, default: Enum | None = None) -> Any:
    """Return the field of an option, with the option's default unless another one is given."""
    declared = _DEFAULTS[name]
    return field(
        default=default or (_CHOICES[name](declared) if name in _CHOICES else declared), metadata={_OPTION: name}
    )


@dataclass(frozen=True)
class TrainingSettings:
    """All settings of a training; the defaults are TMVA's, except for method and estimator.

    ``sampling``, ``sampling_epoch``, ``convergence_improve`` and ``weight_range`` are float32 in TMVA.

    >>> TrainingSettings(n_cycles=60, use_regulator=True).tau
    3.0
    >>> TrainingSettings(tau=1.0)
    Traceback (most recent call last):
    ...
    pytmva_bnn.errors.OptionError: Tau must be greater than 1, got 1.0
    """

    method: TrainingMethod = _option("TrainingMethod", TrainingMethod.BFGS)  # noqa: RUF009
    analysis: AnalysisType = AnalysisType.CLASSIFICATION
    estimator: Estimator = Estimator.CE
    n_cycles: int = _option("NCycles")
    random_seed: int = _option("RandomSeed")
    test_rate: int = _option("TestRate")
    ignore_negative_weights: bool = _option("IgnoreNegWeightsInTraining")
    weight_range: float = _option("WeightRange")
    # BFGS
    reset_step: int = _option("ResetStep")
    tau: float = _option("Tau")
    use_regulator: bool = _option("UseRegulator")
    update_limit: int = _option("UpdateLimit")
    calculate_errors: bool = _option("CalculateErrors")
    hessian: HessianKind = "TMVA"
    calibration_toys: int = 15
    calibration_workers: int = 1
    # back-propagation
    learning_rate: float = _option("LearningRate")
    decay_rate: float = _option("DecayRate")
    bp_mode: BPMode = _option("BPMode")  # noqa: RUF009
    batch_size: int = _option("BatchSize")
    # sampling of events
    sampling: float = _option("Sampling")
    sampling_epoch: float = _option("SamplingEpoch")
    sampling_importance: float = _option("SamplingImportance")
    sampling_training: bool = _option("SamplingTraining")
    sampling_testing: bool = _option("SamplingTesting")
    # convergence test
    convergence_improve: float = _option("ConvergenceImprove")
    convergence_tests: int = _option("ConvergenceTests")

    def __post_init__(self) -> None:
        for option, holds, value, allowed in (
            ("NCycles", self.n_cycles >= 0, self.n_cycles, "at least 0"),
            ("TestRate", self.test_rate >= 1, self.test_rate, "at least 1"),
            ("ResetStep", self.reset_step >= 1, self.reset_step, "at least 1"),
            ("Tau", self.tau > 1.0, self.tau, "greater than 1"),
            ("LearningRate", self.learning_rate >= 0.0, self.learning_rate, "at least 0"),
            ("DecayRate", 0.0 <= self.decay_rate <= 1.0, self.decay_rate, "between 0 and 1"),
            ("WeightRange", self.weight_range > 0.0, self.weight_range, "greater than 0"),
            ("CalibrationToys", self.calibration_toys >= 2, self.calibration_toys, "at least 2"),
            ("CalibrationWorkers", self.calibration_workers >= 0, self.calibration_workers, "at least 0"),
        ):
            if not holds:
                raise OptionError(f"{option} must be {allowed}, got {value}")
        if self.estimator is Estimator.SOFTMAX and self.hessian == "TMVA":
            raise OptionError("TMVA has no Hessian for a softmax; use another one, such as Posterior")

    @classmethod
    def from_options(cls, options: OptionSet, analysis: AnalysisType = AnalysisType.CLASSIFICATION) -> TrainingSettings:
        """Return the settings that the options of a booked method say.

        Booking sets EstimatorType (see :meth:`Estimator.of`); here it must be MSE or CE.
        """
        estimator = options.string("EstimatorType")
        if estimator not in ("MSE", "CE"):
            raise OptionError(
                f"EstimatorType={estimator} is not a cost function; it must be MSE or CE (to choose the neurons' "
                f"activation write NeuronType={estimator})"
            )
        names = {setting.name: setting.metadata[_OPTION] for setting in fields(cls) if _OPTION in setting.metadata}
        values = {setting: _value(options, name) for setting, name in names.items()}
        return cls(analysis=analysis, estimator=Estimator(estimator), **values)

    @property
    def is_posterior(self) -> bool:
        """Return whether the training maximises the posterior: scaled event weights, a noise for each target.

        TMVA's training, which the published matrix is made of too, has neither.
        """
        return self.hessian not in ("TMVA", "Paper")

    @property
    def is_refined(self) -> bool:
        """Return whether the training continues to the minimum itself, which error bars that compare fits need."""
        return self.hessian in ("Bias", "Calibrated")

    @property
    def is_multiclass(self) -> bool:
        """Return whether the outputs stand for classes, one each."""
        return self.analysis == AnalysisType.MULTICLASS

    def is_test_epoch(self, epoch: int) -> bool:
        """Return whether the estimators are computed at the end of this epoch, counted from 0."""
        return (epoch + 1) % self.test_rate == 0

    def sampling_schedule(self, seed: int) -> SamplingSchedule:
        """Return when and how events are sampled, ``seed`` being the resolved RandomSeed."""
        return SamplingSchedule(
            fraction=self.sampling,
            epoch_fraction=self.sampling_epoch,
            importance=self.sampling_importance,
            training=self.sampling_training,
            testing=self.sampling_testing,
            test_rate=self.test_rate,
            seed=seed,
        )


def _value(options: OptionSet, name: str) -> Any:
    if name not in _CHOICES:
        return options[name]
    value = options.string(name)
    try:
        return _CHOICES[name](value)
    except ValueError:
        # only a value with a blank in front keeps a spelling of its own
        known = ", ".join(str(choice.value) for choice in _CHOICES[name])
        raise OptionError(f"{name}={value} is not one of {known} (after a blank, case matters)") from None
