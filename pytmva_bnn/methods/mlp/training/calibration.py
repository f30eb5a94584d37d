"""Error bars that are calibrated by toys: events drawn from a fit are fitted again, and the pulls are looked at.

The toys are drawn from the fit with weaker regulators.  The regulators of their fits then smooth away what is there, as
those of the fit itself may have done with the truth, and the pulls show it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.executor import open_executor
from pytmva_bnn.methods.mlp.multiclass import softmax
from pytmva_bnn.methods.mlp.network import Network, forward
from pytmva_bnn.methods.mlp.training.refine import FOR_TOYS, Minimum, refined
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator, TrainingSettings
from pytmva_bnn.methods.mlp.training.shift import latent

#: events at which the pulls of a toy are looked at, at most
_EVENTS = 1000
#: squared pulls above this count as this: a few events far from all others must not decide
_LARGEST_SQUARE = 36.0


@dataclass(frozen=True, eq=False)
class ToyJob:
    """What all toys share: the fit, the truth that events are drawn from, and the events."""

    fit: Minimum
    truth: Network
    sample: Sample
    settings: TrainingSettings

    def squared_pull(self, seed: int) -> float:
        """Return the mean of the squared pulls of one toy, over events and outputs."""
        sample = drawn(self.truth, self.sample, self.settings.estimator, np.random.default_rng(seed))
        fit = self.fit
        found = refined(fit.network, sample, fit.regulators, fit.output_weights, self.settings, FOR_TOYS)
        covariance = found.posterior.noise_variance * found.posterior.inverse
        inputs = sample.inputs[:: max(sample.n_events // _EVENTS, 1)]
        squares = []
        is_softmax = self.settings.estimator is Estimator.SOFTMAX
        for output in range(fit.network.n_outputs):
            h, g = latent(found.network, inputs, output, is_softmax=is_softmax)
            deviations = h - latent(self.truth, inputs, output, is_softmax=is_softmax)[0]
            variances = np.einsum("ij,ij->i", g @ covariance, g)
            with np.errstate(divide="ignore", invalid="ignore"):
                squares.append(np.nan_to_num(np.square(deviations) / variances, nan=0.0, posinf=np.inf))
        return float(np.minimum(np.concatenate(squares), _LARGEST_SQUARE).mean())


def error_factor(job: ToyJob) -> float:
    """Return the factor that makes the root mean square of the toys' pulls 1."""
    settings = job.settings
    seeds = np.random.SeedSequence(settings.random_seed).generate_state(settings.calibration_toys).tolist()
    with open_executor(workers=settings.calibration_workers) as executor:
        return float(np.sqrt(np.mean([square for _, square in executor.run(job.squared_pull, seeds)])))


def drawn(truth: Network, sample: Sample, estimator: Estimator, random: np.random.Generator) -> Sample:
    """Return the events with new outputs that scatter around ``truth``."""
    values = np.concatenate(list(_outputs(truth, sample)))
    if estimator is Estimator.MSE:
        # each event keeps the size of its residual, so that noise which depends on the inputs still does
        signs = random.choice([-1.0, 1.0], size=(sample.n_events, 1))
        return Sample(sample.inputs, values + signs * (sample.desired - values), sample.weights)
    # one sigmoid is signal and background
    one = estimator is Estimator.CE
    p, desired = (
        (np.hstack([values, 1.0 - values]), np.hstack([sample.desired, 1.0 - sample.desired]))
        if one
        else (softmax(values.T).T, sample.desired)
    )
    own = desired.argmax(axis=1)
    weights = np.array([_mean_weight(sample.weights[own == k]) for k in range(p.shape[1])])
    # the network is the probability by weight; events of large weight are fewer than that
    chance = p / weights
    limits = np.cumsum(chance, axis=1)[:, :-1] / chance.sum(axis=1, keepdims=True)
    classes = (random.uniform(size=(sample.n_events, 1)) >= limits).sum(axis=1)
    targets = np.eye(p.shape[1])[classes]
    return Sample(sample.inputs, targets[:, :1] if one else targets, sample.weights * weights[classes] / weights[own])


def _outputs(network: Network, sample: Sample) -> Iterator[FloatArray]:
    for start in range(0, sample.n_events, 8192):
        yield forward(network, sample.inputs[start : start + 8192])


def _mean_weight(weights: FloatArray) -> float:
    """Return the mean weight of the events of a class; 1 if there are none, or if negative ones outweigh the others."""
    mean = float(weights.mean()) if weights.size else 1.0
    return mean if mean > 0.0 else 1.0
