"""From a trained network to draws of its weights."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn.bars import widget_or_text
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.events.columns import Columns
from pytmva_bnn.factory import MethodBase
from pytmva_bnn.memory import check_memory
from pytmva_bnn.methods.mlp.fitted import FittedMLP
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.regulators import RegulatorGroups
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator
from pytmva_bnn.methods.mlp.training.train import as_likelihood
from pytmva_bnn.methods.mlp.training_job import sample_of
from pytmva_bnn.model import Model
from pytmva_bnn.posterior.chains import sample_weights
from pytmva_bnn.posterior.hmc import HMCSettings
from pytmva_bnn.posterior.hyperparameters import Conditionals, Hyperprior
from pytmva_bnn.posterior.samples import PosteriorSamples
from pytmva_bnn.posterior.target import Posterior
from pytmva_bnn.tmva_types import AnalysisType


@dataclass(frozen=True, eq=False)
class _Events:
    """Events of a model that was read from a file: what was given to :func:`sample_posterior`."""

    events: Any
    desired: ArrayLike | None
    weights: ArrayLike | None


@dataclass(frozen=True, eq=False)
class _Hyperparameters:
    """Values of fixed hyperparameters."""

    regulators: ArrayLike | None
    noise_variance: ArrayLike | None

    @property
    def any(self) -> bool:
        """Return whether a value is given."""
        return self.regulators is not None or self.noise_variance is not None


def sample_posterior(
    trained: MethodBase | Model,
    events: Any = None,
    desired: ArrayLike | None = None,
    *,
    weights: ArrayLike | None = None,
    regulators: ArrayLike | None = None,
    noise_variance: ArrayLike | None = None,
    hyperparameters: Literal["sampled", "fixed"] | None = None,
    hyperprior: Hyperprior | None = None,
    n_samples: int = 500,
    n_chains: int = 4,
    n_warmup: int = 300,
    n_steps: int = 100,
    seed: int = 1,
    progress: bool = False,
) -> PosteriorSamples:
    """Draw weights from the posterior of a trained network by Hamiltonian Monte Carlo.

    Parameters
    ----------
    trained
        a method that the Factory has trained, whose training events are used as they count in its training; or a
        :class:`~pytmva_bnn.model.Model` read from a weight file, which has none
    events, desired, weights
        for a model: training events, their desired outputs (1 for signal, 0 for background; targets, transformed as
        the network sees them) and weights, each counting as this many events
    hyperparameters
        ``"sampled"``: regulators and (in regression) noise variances are unknowns as well and are drawn with the
        weights; ``"fixed"``: they stay as the training found them, which needs ``UseRegulator=True``.  By default they
        are sampled, unless they are given
    hyperprior
        the prior of sampled hyperparameters, by default a weak one: :class:`~pytmva_bnn.posterior.Hyperprior`
    regulators, noise_variance
        values of fixed hyperparameters, of each group and (in regression) of each target
    n_samples, n_chains, n_warmup, n_steps
        each of the chains starts near the trained weights, warms up for ``n_warmup`` paths and keeps the ends of
        ``n_samples`` paths, each of ``n_steps`` steps on average; a step needs one gradient over all events
    seed
        the same seed gives the same draws
    progress
        whether a bar is shown

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
    >>> value, lower, upper = samples.predict({"pt": [15.0]}, errors=True)
    >>> bool(0.0 < value[0] - lower[0] < value[0] + upper[0] < 1.0)
    True
    """
    if n_chains < 1:
        raise InputError(f"n_chains must be at least 1, got {n_chains}")
    settings = HMCSettings(n_samples=n_samples, n_warmup=n_warmup, n_steps=n_steps)
    given = _Events(events, desired, weights)
    values = _Hyperparameters(regulators, noise_variance)
    is_sampled = _is_sampled(hyperparameters, hyperprior, values)
    if isinstance(trained, MethodBase):
        posterior = _of_method(trained, given, None if is_sampled else values)
        model = trained.model
    else:
        posterior = _of_model(trained, given, None if is_sampled else values)
        model = trained
    conditionals = Conditionals.of(posterior, hyperprior or Hyperprior()) if is_sampled else None
    n_weights = posterior.network.n_weights
    what = f"n_samples={n_samples}, n_chains={n_chains} with {n_weights} weights"
    check_memory(8.0 * n_chains * n_samples * n_weights, what, "keep fewer samples")
    total = n_chains * (n_warmup + n_samples)
    with widget_or_text()(total=total, desc="sampling", unit="path", disable=not progress, file=sys.stderr) as bar:
        chains = [
            sample_weights(posterior, settings, np.random.default_rng(child), bar.update, conditionals)
            for child in np.random.SeedSequence(seed).spawn(n_chains)
        ]
    kept = np.stack([chain.hyperparameters for chain in chains])
    n_groups = posterior.regulators.size
    return PosteriorSamples(
        model=model,
        weights=np.stack([chain.positions for chain in chains]),
        regulators=kept[..., :n_groups],
        noise_variances=kept[..., n_groups:],
        log_posterior=-np.stack([chain.potentials for chain in chains]),
        acceptance=np.stack([chain.acceptances for chain in chains]),
        diverging=np.stack([chain.diverging for chain in chains]),
        step_sizes=np.array([chain.step_size for chain in chains]),
    )


def _is_sampled(wanted: str | None, hyperprior: Hyperprior | None, given: _Hyperparameters) -> bool:
    if wanted not in (None, "sampled", "fixed"):
        raise OptionError(f"hyperparameters={wanted!r} must be 'sampled' or 'fixed'")
    is_sampled = wanted == "sampled" or (wanted is None and not given.any)
    if is_sampled and given.any:
        raise OptionError("regulators and noise_variance are values of fixed hyperparameters: leave them out")
    if hyperprior is not None and not is_sampled:
        raise OptionError("a hyperprior is for sampled hyperparameters, but these are fixed")
    return is_sampled


def _of_method(method: MethodBase, given: _Events, fixed: _Hyperparameters | None) -> Posterior:
    if given.events is not None or given.desired is not None or given.weights is not None:
        raise InputError(f"{method.title} has its own training events; leave out events and desired")
    _check_analysis(method.model)
    fitted, settings = _network_of(method), method.booked.settings.training
    if fixed is not None:
        found = method.result.evidence
        regulators = method.evidence.regulators if fixed.regulators is None else fixed.regulators
        noise = fixed.noise_variance
        if noise is None:
            noise = 1.0 if found is None else found.noise_variances
        fixed = _Hyperparameters(regulators, noise)
    sample = sample_of(method.trained.training, method.analysis_type, len(method.dataset.class_names))
    sample = as_likelihood(sample, settings)
    if settings.ignore_negative_weights:
        sample = sample.without_negative_weights()
    return _posterior(fitted.network, sample, settings.estimator, fixed)


def _network_of(method: MethodBase) -> FittedMLP:
    fitted = method.trained.fitted
    if not isinstance(fitted, FittedMLP):
        raise InputError(f"{method.title} is a {method.kind}: only the weights of an MLP can be sampled")
    return fitted


def _of_model(model: Model, given: _Events, fixed: _Hyperparameters | None) -> Posterior:
    if given.events is None or given.desired is None:
        raise InputError(
            "a weight file has no training events; give events and desired as well, or the method that the Factory "
            "trained"
        )
    _check_analysis(model)
    estimator = Estimator.CE if model.network.output == "sigmoid" else Estimator.MSE
    if fixed is not None:
        if fixed.regulators is None:
            raise InputError("a weight file has no regulators; give the fixed values")
        if fixed.noise_variance is None and estimator is Estimator.MSE:
            raise InputError("with a squared error the noise variance of the targets is needed: give noise_variance")
    columns = Columns(given.events, model.variables)
    inputs = model.transformations.forward(columns.block(0, columns.n_events), None)
    return _posterior(model.network, Sample.of(inputs, given.desired, given.weights), estimator, fixed)


def _posterior(network: Network, sample: Sample, estimator: Estimator, fixed: _Hyperparameters | None) -> Posterior:
    """Return the posterior, with any hyperparameters if they are not fixed: the chains begin with drawing them."""
    if fixed is None or fixed.regulators is None:
        regulators: ArrayLike = np.ones(RegulatorGroups.of(network).n_groups)
    else:
        regulators = fixed.regulators
    noise: ArrayLike = 1.0 if fixed is None or fixed.noise_variance is None else fixed.noise_variance
    values = (np.asarray(value, dtype=np.float64) for value in (regulators, noise))
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
