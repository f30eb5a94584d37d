"""The posterior of the network's weights by sampling: Hamiltonian Monte Carlo instead of the Laplace approximation.

What to use when:

* error bars of a trained network: ``CalculateErrors=True`` and :meth:`Model.predict <pytmva_bnn.model.Model.predict>`;
  they take the posterior for a Gaussian around the trained weights and cost nothing;
* a check of these error bars, or bands where the Gaussian is not good enough (few events, the edge of the training
  sample): :func:`sample_posterior`, minutes of computing;
* how many hidden neurons: :func:`select_architecture`; whether other initial weights lead to a better minimum:
  :func:`train_restarts`;
* whether the chains have run long enough: :meth:`PosteriorSamples.diagnostics`.
"""

from __future__ import annotations

from pytmva_bnn.posterior.architecture import ArchitectureChoice, select_architecture
from pytmva_bnn.posterior.diagnostics import Diagnostics
from pytmva_bnn.posterior.hmc import HMCSettings
from pytmva_bnn.posterior.hyperparameters import Hyperprior
from pytmva_bnn.posterior.mixture import Mixture
from pytmva_bnn.posterior.restarts import Restarts, train_restarts
from pytmva_bnn.posterior.sample import sample_posterior
from pytmva_bnn.posterior.samples import PosteriorSamples

__all__ = [
    "ArchitectureChoice",
    "Diagnostics",
    "HMCSettings",
    "Hyperprior",
    "Mixture",
    "PosteriorSamples",
    "Restarts",
    "sample_posterior",
    "select_architecture",
    "train_restarts",
]
