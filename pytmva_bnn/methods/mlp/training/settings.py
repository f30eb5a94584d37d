"""How to train: the values of the training options, typed and checked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from pytmva_bnn.dataset import SamplingSchedule
from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType

#: what a method is trained for
Choice = TypeVar("Choice", bound=Enum)


class TrainingMethod(Enum):
    """The algorithm.

    >>> TrainingMethod("BFGS")
    <TrainingMethod.BFGS: 'BFGS'>
    """

    BFGS = "BFGS"
    BP = "BP"
    GA = "GA"


class Estimator(Enum):
    """The cost function: mean square error or cross entropy.

    >>> Estimator.of("Regression")
    <Estimator.MSE: 'MSE'>
    """

    MSE = "MSE"
    CE = "CE"

    @classmethod
    def of(cls, analysis: AnalysisType) -> Estimator:
        """Return what TMVA sets when a method is booked, whatever its option string says."""
        return cls.CE if analysis == AnalysisType.CLASSIFICATION else cls.MSE

    @property
    def output(self) -> str:
        """Return the activation of the output neurons.

        >>> Estimator.CE.output
        'sigmoid'
        """
        return "sigmoid" if self is Estimator.CE else "linear"


class BPMode(Enum):
    """When back-propagation changes the weights: after each event, or after each batch.

    >>> BPMode("batch")
    <BPMode.BATCH: 'batch'>
    """

    SEQUENTIAL = "sequential"
    BATCH = "batch"


@dataclass(frozen=True)
class TrainingSettings:
    """All that a training can be told; the defaults are TMVA's, except that the method is BFGS.

    ``sampling``, ``sampling_epoch``, ``convergence_improve`` and ``weight_range`` are float32 in TMVA.

    >>> TrainingSettings(n_cycles=60, use_regulator=True).tau
    3.0
    >>> TrainingSettings(tau=1.0)
    Traceback (most recent call last):
    ...
    pytmva_bnn.errors.OptionError: Tau must be greater than 1, got 1.0
    """

    method: TrainingMethod = TrainingMethod.BFGS
    analysis: AnalysisType = AnalysisType.CLASSIFICATION
    estimator: Estimator = Estimator.CE
    n_cycles: int = 500
    random_seed: int = 1
    test_rate: int = 10
    ignore_negative_weights: bool = False
    weight_range: float = 1.0
    # BFGS
    reset_step: int = 50
    tau: float = 3.0
    use_regulator: bool = False
    update_limit: int = 10000
    calculate_errors: bool = False
    # back-propagation
    learning_rate: float = 0.02
    decay_rate: float = 0.01
    bp_mode: BPMode = BPMode.SEQUENTIAL
    batch_size: int = -1
    # sampling of events
    sampling: float = 1.0
    sampling_epoch: float = 1.0
    sampling_importance: float = 1.0
    sampling_training: bool = True
    sampling_testing: bool = False
    # convergence test
    convergence_improve: float = 1e-30
    convergence_tests: int = -1

    def __post_init__(self) -> None:
        for option, holds, value, allowed in (
            ("NCycles", self.n_cycles >= 0, self.n_cycles, "at least 0"),
            ("TestRate", self.test_rate >= 1, self.test_rate, "at least 1"),
            ("ResetStep", self.reset_step >= 1, self.reset_step, "at least 1"),
            ("Tau", self.tau > 1.0, self.tau, "greater than 1"),
            ("LearningRate", self.learning_rate >= 0.0, self.learning_rate, "at least 0"),
            ("DecayRate", 0.0 <= self.decay_rate <= 1.0, self.decay_rate, "between 0 and 1"),
            ("WeightRange", self.weight_range > 0.0, self.weight_range, "greater than 0"),
        ):
            if not holds:
                raise OptionError(f"{option} must be {allowed}, got {value}")

    @classmethod
    def from_options(cls, options: OptionSet, analysis: AnalysisType = AnalysisType.CLASSIFICATION) -> TrainingSettings:
        """Return the settings that the options of a booked method say.

        Booking sets EstimatorType (see :meth:`Estimator.of`); here it must be MSE
        or CE.

        >>> from pytmva_bnn.options import MLP_METHOD_OPTIONS
        >>> options = OptionSet(MLP_METHOD_OPTIONS)
        >>> _ = options.parse("TrainingMethod=BP:NCycles=60:EstimatorType=CE")
        >>> settings = TrainingSettings.from_options(options)
        >>> settings.method, settings.n_cycles, settings.estimator
        (<TrainingMethod.BP: 'BP'>, 60, <Estimator.CE: 'CE'>)
        """
        estimator = options.string("EstimatorType")
        if estimator not in Estimator.__members__:
            raise OptionError(
                f"EstimatorType={estimator} is no cost function: it must be MSE or CE (to choose the neurons' "
                f"activation write NeuronType={estimator})"
            )
        return cls(
            method=_chosen(TrainingMethod, options, "TrainingMethod"),
            analysis=analysis,
            estimator=Estimator(estimator),
            n_cycles=options.integer("NCycles"),
            random_seed=options.integer("RandomSeed"),
            test_rate=options.integer("TestRate"),
            ignore_negative_weights=options.flag("IgnoreNegWeightsInTraining"),
            weight_range=options.real("WeightRange"),
            reset_step=options.integer("ResetStep"),
            tau=options.real("Tau"),
            use_regulator=options.flag("UseRegulator"),
            update_limit=options.integer("UpdateLimit"),
            calculate_errors=options.flag("CalculateErrors"),
            learning_rate=options.real("LearningRate"),
            decay_rate=options.real("DecayRate"),
            bp_mode=_chosen(BPMode, options, "BPMode"),
            batch_size=options.integer("BatchSize"),
            sampling=options.real("Sampling"),
            sampling_epoch=options.real("SamplingEpoch"),
            sampling_importance=options.real("SamplingImportance"),
            sampling_training=options.flag("SamplingTraining"),
            sampling_testing=options.flag("SamplingTesting"),
            convergence_improve=options.real("ConvergenceImprove"),
            convergence_tests=options.integer("ConvergenceTests"),
        )

    @property
    def is_multiclass(self) -> bool:
        """Return whether the outputs stand for classes, one each.

        >>> TrainingSettings().is_multiclass
        False
        """
        return self.analysis == AnalysisType.MULTICLASS

    def is_test_epoch(self, epoch: int) -> bool:
        """Return whether the estimators are computed at the end of this epoch, counted from 0.

        >>> [i for i in range(20) if TrainingSettings(test_rate=5).is_test_epoch(i)]
        [4, 9, 14, 19]
        """
        return (epoch + 1) % self.test_rate == 0

    def sampling_schedule(self, seed: int) -> SamplingSchedule:
        """Return when and how events are sampled, ``seed`` being the resolved RandomSeed.

        >>> TrainingSettings(sampling=0.5).sampling_schedule(1).fraction
        0.5
        """
        return SamplingSchedule(
            fraction=self.sampling,
            epoch_fraction=self.sampling_epoch,
            importance=self.sampling_importance,
            training=self.sampling_training,
            testing=self.sampling_testing,
            test_rate=self.test_rate,
            seed=seed,
        )


def _chosen(kind: type[Choice], options: OptionSet, name: str) -> Choice:
    """Return the value of an option that names one of a few choices.

    >>> from pytmva_bnn.options import MLP_METHOD_OPTIONS
    >>> _chosen(BPMode, OptionSet(MLP_METHOD_OPTIONS), "BPMode")
    <BPMode.SEQUENTIAL: 'sequential'>
    """
    value = options.string(name)
    try:
        return kind(value)
    except ValueError:
        # only a value with a blank in front keeps a spelling of its own
        known = ", ".join(str(one.value) for one in kind)
        raise OptionError(f"{name}={value} is not one of {known} (after a blank case matters)") from None
