"""The evidence of a trained network: how probable the data are under its architecture and regulators.

The integral over the weights is done in the Laplace approximation with the approximate Hessian ``A`` (MacKay 1992;
Bishop 1995, chapter 10), around one minimum.  With the minimised error ``E + sum_s alpha_s w_s^2 / 2`` being the
negative log posterior times the noise variance ``v`` (1 for cross entropy),

``ln P(D) = ln P(D|w) - sum_s alpha_s w_s^2 / 2v + sum_g n_g/2 ln(alpha_g / v) - ln det(A / v) / 2``.

Several targets have a noise variance each; ``v`` is their mean, and all of them count in ``A``: see
:mod:`pytmva_bnn.methods.mlp.training.gaussian`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.displays import Displayed
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.cost import Cost, prior
from pytmva_bnn.methods.mlp.training.gaussian import GaussianPosterior, gaussian_posterior
from pytmva_bnn.methods.mlp.training.regulators import RegulatorGroups
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator, TrainingSettings


@dataclass(frozen=True, eq=False)
class Evidence(Displayed):
    """What the evidence procedure says about a trained network.

    ``log_evidence`` compares networks trained on the same events (higher is better; ``-inf`` if a regulator is 0, as
    the prior is then not normalised).  ``regulators``, ``group_sizes`` and ``effective`` (the effective number of
    parameters) are per group: one per input, then the bias of the input layer, then the hidden layers.  An input whose
    regulator is large compared with the others' is not needed.  ``noise_variances`` are those of the targets,
    ``noise_variance`` their mean.  ``inputs`` are the names of the variables, if known.
    """

    log_evidence: float
    log_likelihood: float
    log_prior: float
    log_occam: float
    noise_variances: FloatArray
    n_effective: float
    names: tuple[str, ...]
    regulators: FloatArray
    group_sizes: NDArray[np.intp]
    effective: FloatArray
    inputs: tuple[str, ...] = ()

    @property
    def noise_variance(self) -> float:
        """Return the variance of the targets around the network's outputs, of several targets the mean."""
        return float(self.noise_variances.mean())

    def __repr__(self) -> str:
        n_weights = int(self.group_sizes.sum())
        return f"<Evidence: log evidence {self.log_evidence:.2f}, {self.n_effective:.1f} of {n_weights} effective>"

    def group_names(self, inputs: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the names of the groups, with those of the variables if they are given or known."""
        known = inputs or self.inputs
        return (*known, *self.names[len(known) :])

    def table(self, inputs: tuple[str, ...] = ()) -> str:
        """Return the evidence as text, with a line for each regulator; ``inputs`` may name the variables."""
        names = self.group_names(inputs)
        width = max(len("regulator of"), *(len(name) for name in names))
        lines = [
            f"log evidence        {self.log_evidence:14.6g}",
            f"  log likelihood    {self.log_likelihood:14.6g}",
            f"  prior             {self.log_prior:14.6g}",
            f"  Occam factor      {self.log_occam:14.6g}",
            "noise variance      " + "".join(f"{variance:14.6g}" for variance in self.noise_variances),
            f"effective parameters{self.n_effective:14.6g}  of {self.group_sizes.sum()}",
            "",
            f"{'regulator of':{width}}  {'value':>12}  weights  effective",
        ]
        rows = zip(names, self.regulators, self.group_sizes, self.effective, strict=True)
        lines += [f"{name:{width}}  {alpha:12.6g}  {n:7d}  {gamma:9.3f}" for name, alpha, n, gamma in rows]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()


def evidence(
    network: Network,
    regulators: FloatArray,
    sample: Sample,
    settings: TrainingSettings,
    *,
    posterior: GaussianPosterior | None = None,
) -> Evidence:
    """Return the evidence of a network trained on ``sample``; ``regulators`` are those of the groups.

    Event weights count as repetitions of an event; of several outputs all count, each with its own noise variance.
    ``posterior`` is the Gaussian around the weights, if it has been computed.

    >>> net = Network.from_matrices([np.array([[1.0], [0.0]])], output="linear")
    >>> sample = Sample.of([[-1.0], [0.0], [1.0]], [-1.1, 0.2, 0.9])
    >>> found = evidence(net, np.array([0.1, 0.1]), sample, TrainingSettings(estimator=Estimator.MSE))
    >>> print(found)
    log evidence              -3.10052
      log likelihood           1.03863
      prior                  -0.899898
      Occam factor            -3.23925
    noise variance           0.0555619
    effective parameters       1.92012  of 2
    <BLANKLINE>
    regulator of         value  weights  effective
    input 1                0.1        1      0.952
    input bias             0.1        1      0.968
    """
    groups = RegulatorGroups.of(network)
    of_weights = groups.of_weights(regulators)
    if posterior is None:
        posterior = gaussian_posterior(network, sample, of_weights, settings)
    sizes = np.bincount(groups.group, minlength=groups.n_groups)
    effective = sizes - regulators * groups.sums(np.diag(posterior.inverse))
    # a target that is described perfectly has none
    variance = max(posterior.noise_variance, float(np.finfo(np.float64).tiny))

    weights = network.flat_weights()
    error = Cost(network, sample, settings.estimator, np.zeros(weights.size), posterior.output_weights).error(weights)
    log_likelihood = -error / variance
    if settings.estimator is Estimator.MSE:
        with np.errstate(divide="ignore", invalid="ignore"):  # negative event weights can turn over the variance
            norms = np.log(2.0 * np.pi * posterior.noise_variances)
        log_likelihood -= 0.5 * float(sample.weights.sum()) * float(norms.sum())
    log_prior = -prior(weights, of_weights) / variance
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        _, log_determinant = np.linalg.slogdet(posterior.hessian / variance)
        of_groups = np.where(sizes > 0, sizes * np.log(regulators / variance), 0.0)
        log_occam = 0.5 * float(np.sum(of_groups)) - 0.5 * float(log_determinant)
    return Evidence(
        log_evidence=log_likelihood + log_prior + log_occam,
        log_likelihood=log_likelihood,
        log_prior=log_prior,
        log_occam=log_occam,
        noise_variances=posterior.noise_variances,
        n_effective=float(effective.sum()),
        names=groups.names(),
        regulators=regulators,
        group_sizes=sizes,
        effective=effective,
    )
