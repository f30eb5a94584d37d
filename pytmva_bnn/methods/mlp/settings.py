"""What a training makes of the options of the MLP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.mlp.network import activation
from pytmva_bnn.methods.mlp.network.layout import NEURON_INPUTS
from pytmva_bnn.methods.mlp.training import Checkpoint, Estimator, TrainingSettings
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType


@dataclass(frozen=True)
class MLPSettings:
    """What the options of a booked MLP mean.

    ``hessian`` is which matrix is behind the error bars; ``hessian_per_output``: there is one for each output neuron.
    """

    training: TrainingSettings
    checkpoint: Checkpoint | None
    hessian: Literal["TMVA", "Posterior"]
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
        return cls(
            TrainingSettings.from_options(options, analysis),
            Checkpoint(path, max(options.integer("CheckpointEpochs"), 1)) if path else None,
            "Posterior" if options.string("Hessian") == "Posterior" else "TMVA",
            options.flag("HessianPerOutput"),
        )


def _check_activation(name: str, title: str) -> None:
    try:
        activation(name)
    except InputError as error:
        raise OptionError(f"{title}: NeuronType={name}: {error}") from None
