"""Linear cuts: the Fisher discriminant of the correlated variables of a node."""

from __future__ import annotations

import logging

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.bdt.training.node_search import NodeEvents

log = logging.getLogger("pytmva_bnn.BDT")

_LEAST_VARIANCES = 1e-20
_SMALL_DETERMINANT, _SINGULAR = 1e-23, 1e-119


def covariance(x: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the covariance matrix of the variables ``(n_variables, n_events)`` of weighted events."""
    total = weights.sum()
    weighted = x * weights
    sums = weighted.sum(axis=1)
    with np.errstate(all="ignore"):
        result: FloatArray = weighted @ x.T / total - np.outer(sums, sums) / (total * total)
    return result


def correlated_variables(events: NodeEvents, candidates: list[bool], least: float) -> IndexArray:
    """Return the candidates that are correlated with another variable in one of the classes."""
    chosen = np.zeros(len(events.columns), dtype=bool)
    for signal in (True, False):
        own = events.is_signal == signal
        c = covariance(events.columns[:, own].astype(np.float64), events.weights[own])
        variances = np.outer(np.diag(c), np.diag(c))
        with np.errstate(all="ignore"):
            correlation = np.where(variances > _LEAST_VARIANCES, c / np.sqrt(variances), 0.0)
        np.fill_diagonal(correlation, 0.0)
        chosen |= (np.abs(correlation) > least).any(axis=1)
    return np.flatnonzero(chosen & np.array(candidates[: len(chosen)]))


def fisher_coefficients(events: NodeEvents, variables: IndexArray) -> FloatArray:
    """Return the coefficients of all variables, 0 for those not in it, and last the offset."""
    coefficients = np.zeros(len(events.columns) + 1)
    if not len(variables):
        return coefficients
    x = events.columns[variables].astype(np.float64)
    within = np.zeros((len(variables), len(variables)))
    means, totals = [], []
    for signal in (True, False):
        own = events.is_signal == signal
        weights, values = events.weights[own], x[:, own]
        total = weights.sum()
        mean = (values * weights).sum(axis=1) / total
        centred = values - mean[:, np.newaxis]
        within += (centred * weights) @ centred.T / total
        means.append(mean)
        totals.append(total)
    determinant = abs(np.linalg.det(within))
    if determinant < _SINGULAR:
        raise InputError(
            "the variables of a linear cut (UseFisherCuts) are linearly dependent: their matrix cannot be inverted; "
            "leave one of them out"
        )
    if determinant < _SMALL_DETERMINANT:
        log.warning(
            "<GetFisherCoefficients> matrix is almost singular with determinant=%g; did you use variables that are "
            "linear combinations or highly correlated?",
            determinant,
        )
    signal_mean, background_mean = means
    with np.errstate(invalid="ignore"):  # sums of negative weights: NaN, and no cut
        factor = np.sqrt(totals[0] * totals[1]) / (totals[0] + totals[1])
    coefficients[variables] = np.linalg.inv(within) @ (signal_mean - background_mean) * factor
    coefficients[-1] = -0.5 * float((coefficients[variables] * (signal_mean + background_mean)).sum())
    return coefficients
