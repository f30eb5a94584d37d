"""The approximate Hessian of the cost at the trained weights, and its inverse.

What to use when:

* the matrix of TMVA's weight files, which its error bars come from: :func:`inverse_hessian`;
* the covariance of the weights as the published method defines it (with the prior, the event weights and, for MSE, the
  noise variance): :func:`posterior_covariance`;
* the scatter of the events' gradients, for the sandwich: :func:`score_products`.
"""

from __future__ import annotations

import logging

import numpy as np

from pytmva_bnn import fast
from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.kernels import training as compiled
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import kernels
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator
from pytmva_bnn.methods.training_errors import TrainingError

log = logging.getLogger("pytmva_bnn.MLP")

#: what stands on the diagonal instead of the regulators in the matrix of a weight file
UNREGULATED = 1e-6
#: what a singular matrix means for those who use its inverse
FOR_ERRORS = (
    "where these directions matter, error bars are large and come from this number, not from the events; train with "
    "UseRegulator or with fewer hidden neurons"
)
FOR_REGULATORS = "it enters this update of the regulators only, not the error bars"
#: curvature, compared with the largest, below which rounding decides
_LEAST_CURVATURE = 1e-13
#: multiplications up to which events are added one by one, which is slower
_IN_ORDER_UP_TO = 20_000_000
#: weights up to which the elimination is done here
_ELIMINATION_UP_TO = 1000


def approximate_hessian(
    network: Network, sample: Sample, *, output: int = 0, weighted: bool = False, is_softmax: bool = False
) -> FloatArray:
    """Return ``A = sum_i c_i g_i g_i'`` of one output neuron, ``(n_weights, n_weights)``.

    ``g = dh/dw``; ``c = 1`` for a linear output and ``y (1-y)`` for a sigmoid one, times the event weight if
    ``weighted``.  With ``is_softmax`` it is the part of one class in the matrix of the softmax, see
    :func:`~pytmva_bnn.methods.mlp.training.kernels.gauss_newton`.
    """
    # TMVA: adds event by event; the inverse magnifies the rounding, so that this shows in the regulators
    in_order = sample.n_events * network.n_weights**2 <= _IN_ORDER_UP_TO
    if fast.in_training(sample.n_events, network.n_weights):
        return compiled.gauss_newton(
            network, sample, output, weighted=weighted, in_order=in_order, is_softmax=is_softmax
        )
    total = np.zeros((network.n_weights, network.n_weights))
    with np.errstate(all="ignore"):
        for block in sample.blocks(kernels.block_size(network)):
            total += kernels.gauss_newton(
                network, block, output, weighted=weighted, in_order=in_order, is_softmax=is_softmax
            )
    return 0.5 * (total + total.T)


def score_products(
    network: Network, sample: Sample, estimator: Estimator, output_weights: FloatArray | None = None
) -> FloatArray:
    """Return ``sum_i s_i s_i'`` with ``s_i`` the gradient of the error of an event, weight included."""
    total = np.zeros((network.n_weights, network.n_weights))
    with np.errstate(all="ignore"):
        for block in sample.blocks(kernels.block_size(network)):
            total += kernels.score_products(network, block, estimator, output_weights)
    return total


def regulated_hessian(
    network: Network, sample: Sample, regulators: FloatArray, *, output: int = 0, weighted: bool = False
) -> FloatArray:
    """Return the approximate Hessian with the regulators of every weight on the diagonal."""
    matrix = approximate_hessian(network, sample, output=output, weighted=weighted)
    matrix[np.diag_indices_from(matrix)] += regulators
    return matrix


def inverse_hessian(network: Network, sample: Sample, *, output: int = 0, title: str = "MLP") -> FloatArray:
    """Return the matrix of TMVA's weight files for one output neuron; ``title`` is the method's name in messages."""
    # TMVA: no event weights (negative ones count like others), and no regulators although the prior has them: the
    # errors are those of a nearly flat prior.  With several outputs TMVA's own matrix is meaningless.
    matrix = regulated_hessian(network, sample, np.full(network.n_weights, UNREGULATED), output=output)
    return invert(matrix, title)


def posterior_covariance(
    network: Network,
    sample: Sample,
    regulators: FloatArray,
    *,
    noise_variance: float | FloatArray = 1.0,
    title: str = "MLP",
) -> FloatArray:
    """Return the covariance of the weights in the Laplace approximation of the posterior.

    ``regulators`` are those of every weight, ``noise_variance`` is 1 for cross entropy, and may be one for each target.
    The minimised error is the negative log posterior times the noise variance (of several: times their mean), so the
    variance divides the Hessian and multiplies its inverse.  All outputs count: they share weights, so that the matrix
    is the same for each of them.
    """
    variances = np.broadcast_to(np.asarray(noise_variance, dtype=np.float64), (network.n_outputs,))
    mean = float(variances.mean())
    matrix = np.diag(regulators)
    for output, variance in enumerate(variances):
        matrix = matrix + mean / variance * approximate_hessian(network, sample, output=output, weighted=True)
    return mean * invert_positive(matrix, title)


def invert_positive(matrix: FloatArray, title: str = "MLP") -> FloatArray:
    """Return the inverse of a Hessian as a covariance, that is with positive variances only.

    Directions that the events do not determine, or that negative event weights turn over, get the curvature 1e-6 (or
    rounding, if that is more), with a warning: their variance is large, never zero.
    """
    inverse = invert(matrix, title)
    try:
        np.linalg.cholesky(matrix)
        np.linalg.cholesky(inverse)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(matrix)
        floor = max(UNREGULATED, _LEAST_CURVATURE * float(values[-1]))
        log.warning(
            "%s: The events do not determine %d of %d directions of the weights: error bars are large where they "
            "matter; train with UseRegulator, with fewer neurons, or without negative event weights",
            title,
            np.count_nonzero(values < floor),
            values.size,
        )
        inverse = np.asarray((vectors / np.maximum(values, floor)) @ vectors.T, dtype=np.float64)
    return inverse


def invert(matrix: FloatArray, title: str = "MLP", meaning: str = FOR_ERRORS) -> FloatArray:
    """Return the inverse; of a singular matrix that of the matrix with 1e-6 on the diagonal, with a warning.

    The warning names the method by its ``title`` and says what that means for whatever uses the inverse.
    """
    if not np.isfinite(matrix).all():
        raise TrainingError(
            "the Hessian has values that are not finite",
            advice="normalise the inputs (VarTransform=N) or use a bounded NeuronType such as tanh",
        )
    inverse = _inverse(matrix)
    if not np.isfinite(inverse).all():
        # e.g. before the first regulators, when neurons are dead or equal
        log.warning(
            "%s: the Hessian is singular: the events do not determine some directions of the weights (neurons that are "
            "saturated or alike). %g is added to its diagonal: %s",
            title,
            UNREGULATED,
            meaning,
        )
        inverse = _inverse(matrix + UNREGULATED * np.eye(len(matrix)))
    return inverse


def _inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverse by Gauss-Jordan elimination with row pivoting; not finite if the matrix is singular.

    LAPACK's depends on the number of threads in its last bits, which training magnifies; it is for large matrices only.
    """
    n = len(matrix)
    if n > _ELIMINATION_UP_TO:
        try:
            return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
        except np.linalg.LinAlgError:
            return np.full_like(matrix, np.nan)
    if fast.pays(float(n) ** 3):
        return compiled.inverse(matrix)  # to the last bit what follows
    a = matrix.copy()
    rows = np.arange(n)
    with np.errstate(all="ignore"):
        for k in range(n):
            pivot = k + int(np.argmax(np.abs(a[k:, k])))
            a[[k, pivot]] = a[[pivot, k]]
            rows[[k, pivot]] = rows[[pivot, k]]
            column = a[:, k].copy()
            a[:, k] = 0.0
            a[k, k] = 1.0
            a[k] /= column[k]
            column[k] = 0.0
            a -= np.multiply.outer(column, a[k])
    inverse = np.empty_like(a)
    inverse[:, rows] = a
    return inverse
