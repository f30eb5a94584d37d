"""From a trained network to draws of its weights."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn.errors import InputError
from pytmva_bnn.events.columns import Columns
from pytmva_bnn.factory import MethodBase
from pytmva_bnn.memory import check_memory
from pytmva_bnn.methods.mlp.fitted import FittedMLP
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator
from pytmva_bnn.methods.mlp.training.train import as_likelihood
from pytmva_bnn.methods.mlp.training_job import sample_of
from pytmva_bnn.model import Model
from pytmva_bnn.posterior.chains import sample_weights
from pytmva_bnn.posterior.hmc import HMCSettings
from pytmva_bnn.posterior.samples import PosteriorSamples
from pytmva_bnn.posterior.target import Posterior
from pytmva_bnn.tmva_types import AnalysisType


@dataclass(frozen=True, eq=False)
class _Events:
    """Events of a model that was read from a file: what was given to :func:`sample_posterior`."""

    events: Any
    desired: ArrayLike | None
    weights: ArrayLike | None


def sample_posterior(
    trained: MethodBase | Model,
    events: Any = None,
    desired: ArrayLike | None = None,
    *,
    weights: ArrayLike | None = None,
    regulators: ArrayLike | None = None,
    noise_variance: ArrayLike | None = None,
    n_samples: int = 500,
    n_chains: int = 4,
    n_warmup: int = 300,
    n_steps: int = 100,
    seed: int = 1,
    progress: bool = False,
) -> PosteriorSamples:
    """Draw weights from the posterior of a trained network by Hamiltonian Monte Carlo.

    ``trained`` is a method that the Factory has trained with ``UseRegulator=True``: its training events, regulators
    and (in regression) noise variance are used.  Or it is a :class:`~pytmva_bnn.model.Model` read from a weight file,
    which has none of them: ``events``, ``desired`` outputs (1 for signal, 0 for background; targets, transformed as
    the network sees them), event ``weights`` and the ``regulators`` of the groups must then be given, and in regression
    the ``noise_variance``, for several targets one each.

    Each of the ``n_chains`` chains starts near the trained weights, warms up for ``n_warmup`` paths and keeps the ends
    of ``n_samples`` paths, each of ``n_steps`` steps on average, and a step needs one gradient over all events.  The
    same ``seed`` gives the same draws.

    >>> import pytmva_bnn as TMVA
    >>> loader = TMVA.DataLoader("dataset")
    >>> loader.AddVariable("pt")
    >>> loader.AddSignalTree("xml_fixtures/data/fakerate.root:pass")
    >>> loader.AddBackgroundTree("xml_fixtures/data/fakerate.root:fail")
    >>> factory = TMVA.Factory("job", "Silent:!ModelPersistence:AnalysisType=Classification")
    >>> method = factory.BookMethod(loader, "MLP", "BNN",
    ...     "TrainingMethod=BFGS:NCycles=50:HiddenLayers=2:VarTransform=N:UseRegulator:CalculateErrors")
    >>> factory.TrainAllMethods()
    >>> samples = sample_posterior(method, n_samples=20, n_chains=2, n_warmup=20, n_steps=20)
    >>> samples
    <PosteriorSamples of 'BNN': 2 chains of 20, 7 weights>
    >>> mean, (low, high) = (one[0] for one in samples.predict({"pt": [15.0]}))
    >>> bool(0.0 < low < mean < high < 1.0)
    True
    """
    if n_chains < 1:
        raise InputError(f"n_chains must be at least 1, got {n_chains}")
    settings = HMCSettings(n_samples=n_samples, n_warmup=n_warmup, n_steps=n_steps)
    given = _Events(events, desired, weights)
    if isinstance(trained, MethodBase):
        posterior = _of_method(trained, given, regulators, noise_variance)
        model = trained.model
    else:
        posterior = _of_model(trained, given, regulators, noise_variance)
        model = trained
    n_weights = sum(matrix.size for matrix in model.fitted.matrices)
    what = f"n_samples={n_samples}, n_chains={n_chains} with {n_weights} weights"
    check_memory(8.0 * n_chains * n_samples * n_weights, what, "keep fewer samples")
    from tqdm import tqdm  # lazy: not everyone who samples wants to see it

    total = n_chains * (n_warmup + n_samples)
    with tqdm(total=total, desc="sampling", unit="path", disable=not progress, file=sys.stderr) as bar:
        chains = [
            sample_weights(posterior, settings, np.random.default_rng(child), bar.update)
            for child in np.random.SeedSequence(seed).spawn(n_chains)
        ]
    return PosteriorSamples(
        model=model,
        weights=np.stack([chain.positions for chain in chains]),
        log_posterior=-np.stack([chain.potentials for chain in chains]),
        step_sizes=np.array([chain.step_size for chain in chains]),
        acceptances=np.array([chain.acceptance for chain in chains]),
        n_divergent=np.array([chain.n_divergent for chain in chains], dtype=np.int64),
    )


def _of_method(
    method: MethodBase, given: _Events, regulators: ArrayLike | None, noise_variance: ArrayLike | None
) -> Posterior:
    if given.events is not None or given.desired is not None or given.weights is not None:
        raise InputError(f"{method.title} has its training events itself: give it without events")
    _check_analysis(method.model)
    fitted, settings = _network_of(method), method.booked.settings.training
    if regulators is None:
        regulators = method.evidence.regulators
    if noise_variance is None:
        found = method.result.evidence
        noise_variance = found.noise_variances if found is not None else 1.0
    sample = sample_of(method.trained.training, method.analysis_type, len(method.dataset.class_names))
    sample = as_likelihood(sample, settings)
    if settings.ignore_negative_weights:
        sample = sample.without_negative_weights()
    return _posterior(fitted.network, sample, settings.estimator, regulators, noise_variance)


def _network_of(method: MethodBase) -> FittedMLP:
    fitted = method.trained.fitted
    if not isinstance(fitted, FittedMLP):
        raise InputError(f"{method.title} is a {method.kind}: only the weights of an MLP can be sampled")
    return fitted


def _of_model(
    model: Model, given: _Events, regulators: ArrayLike | None, noise_variance: ArrayLike | None
) -> Posterior:
    if given.events is None or given.desired is None or regulators is None:
        raise InputError(
            "a weight file has neither training events nor regulators: give events, desired and regulators as well, "
            "or the method that the Factory has trained"
        )
    _check_analysis(model)
    estimator = Estimator.CE if model.network.output == "sigmoid" else Estimator.MSE
    if noise_variance is None:
        if estimator is Estimator.MSE:
            raise InputError("with a squared error the noise variance of the targets is needed: give noise_variance")
        noise_variance = 1.0
    columns = Columns(given.events, model.variables)
    inputs = model.transformations.forward(columns.block(0, columns.n_events), None)
    sample = Sample.of(inputs, given.desired, given.weights)
    return _posterior(model.network, sample, estimator, regulators, noise_variance)


def _posterior(
    network: Network, sample: Sample, estimator: Estimator, regulators: ArrayLike, noise_variance: ArrayLike
) -> Posterior:
    values = (np.asarray(given, dtype=np.float64) for given in (regulators, noise_variance))
    return Posterior(network, sample, estimator, *values)


def _check_analysis(model: Model) -> None:
    if model.analysis_type == AnalysisType.MULTICLASS:
        if model.fitted.is_probability:
            raise InputError("networks trained with Multiclass=Softmax cannot be sampled: they have error bars only")
        raise InputError("the cost of a multiclass network is not a likelihood: its posterior cannot be sampled")
    if model.transformations.needs_spectators:
        raise InputError("networks whose transformations use spectators cannot be sampled")
    if model.network.neuron_input != "sum":
        raise InputError(
            f"NeuronInputType={model.network.neuron_input}: its gradient is not exact in TMVA's kernels, which "
            "Hamiltonian paths need; only NeuronInputType=sum can be sampled"
        )
