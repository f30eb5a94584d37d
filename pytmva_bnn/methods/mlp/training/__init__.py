"""Training of the network: pure code on arrays, from the initial weights to the inverse Hessian.

What to use when:

* train a network: :func:`train` with a :class:`Sample` of training events, one of test events, and
  :class:`TrainingSettings`; :func:`initial_network` draws the initial weights;
* show how it goes on: :func:`show_progress`; keep its state in a file: :class:`Checkpoint`;
* error bars by the published method instead of TMVA's: :func:`posterior_covariance`;
* see whether a training has reached its minimum: the :class:`ConvergenceVerdict` of its result;
* compare architectures, or see which inputs matter: the :class:`Evidence` of a regulated training.

Messages go to the logger ``pytmva_bnn.MLP``.

>>> import numpy as np
>>> from pytmva_bnn.random import TRandom3
>>> x = np.float32([[-1.0], [0.0], [1.0], [2.0]])
>>> sample = Sample.of(x, desired=[0, 0, 1, 1])
>>> network = initial_network([1, 2, 1], TRandom3(1))
>>> result = train(network, sample, sample, TrainingSettings(n_cycles=10, use_regulator=True))
>>> result.n_epochs, result.stopped_by, len(result.regulators)
(10, 'cycles', 3)
"""

from __future__ import annotations

from pytmva_bnn.methods.mlp.training.checkpoint import Checkpoint
from pytmva_bnn.methods.mlp.training.cost import Cost, monitored_estimator
from pytmva_bnn.methods.mlp.training.evidence import Evidence, evidence
from pytmva_bnn.methods.mlp.training.hessian import approximate_hessian, inverse_hessian, posterior_covariance
from pytmva_bnn.methods.mlp.training.initial import initial_network
from pytmva_bnn.methods.mlp.training.regulators import RegulatorGroups, noise_variance
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import BPMode, Estimator, TrainingMethod, TrainingSettings
from pytmva_bnn.methods.mlp.training.state import History, TrainingResult
from pytmva_bnn.methods.mlp.training.train import train
from pytmva_bnn.methods.mlp.training.verdict import ConvergenceVerdict
from pytmva_bnn.methods.progress import Progress, show_progress
from pytmva_bnn.methods.training_errors import CheckpointError, TrainingError

__all__ = [
    "BPMode",
    "Checkpoint",
    "CheckpointError",
    "ConvergenceVerdict",
    "Cost",
    "Estimator",
    "Evidence",
    "History",
    "Progress",
    "RegulatorGroups",
    "Sample",
    "TrainingError",
    "TrainingMethod",
    "TrainingResult",
    "TrainingSettings",
    "approximate_hessian",
    "evidence",
    "initial_network",
    "inverse_hessian",
    "monitored_estimator",
    "noise_variance",
    "posterior_covariance",
    "show_progress",
    "train",
]
