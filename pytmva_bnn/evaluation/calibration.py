"""Is a response of 0.7 right in 70% of the cases?  The reliability of probabilities, with uncertainties.

Events are sorted into bins of the response ``p``.  In each bin the observed fraction of signal is compared with the
mean response.  If the network is calibrated, ``Σ w (s - p)`` (``s`` is 1 for signal and 0 for background) has the
expectation 0 and the variance ``Σ w_S w_B p (1 - p)``, with ``w_S`` and ``w_B`` what the event weighs as signal and as
background.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError

#: smallest variance of the number of signal events, in effective events, for which a bin is compared on its own
LEAST_VARIANCE = 5.0
#: p-value below which a response is called miscalibrated
SMALLEST_P_VALUE = 1e-3
#: two central intervals of the consistency band
BAND_LEVELS = (0.025, 0.15865525393145707, 0.8413447460685429, 0.975)
_FIT_STEPS, _FIT_PRECISION = 50, 1e-9


@dataclass(frozen=True)
class LogisticFit:
    """``logit P(signal) = intercept + slope logit(p)``, fitted to events; 0 and 1 if ``p`` is calibrated.

    A slope below 1 means that the responses are too near 0 and 1: overtraining.
    """

    intercept: float
    slope: float
    intercept_error: float
    slope_error: float


@dataclass(frozen=True, eq=False)
class Reliability:
    """How a response compares with the observed fraction of signal, in bins of the response that have events.

    Parameters
    ----------
    mean, observed, lower, upper
        of each bin: mean response; observed fraction of signal, and the ends of its 68% interval (Wilson's)
    events, share
        effective number of events, and part of the summed weights
    variance
        that of ``observed`` if the response is calibrated
    model_lower, model_upper
        the mean errors of the responses, None if they were not given
    fit
        of the calibration to all events; None if there is no fit, as for perfectly separated classes
    in_training
        whether these are events that the response was fitted to
    """

    mean: FloatArray
    observed: FloatArray
    lower: FloatArray
    upper: FloatArray
    events: FloatArray
    share: FloatArray
    variance: FloatArray
    model_lower: FloatArray | None
    model_upper: FloatArray | None
    fit: LogisticFit | None
    in_training: bool = False

    @property
    def n_events(self) -> float:
        """Return the effective number of all events."""
        return float(1.0 / np.sum(self.share**2 / self.events))

    @property
    def expected_calibration_error(self) -> float:
        """Return the mean of ``|observed - mean|`` over the events (ECE): by how much a response is wrong."""
        return float(np.sum(self.share * np.abs(self.observed - self.mean)))

    @property
    def ece_of_fluctuations(self) -> float:
        """Return the expected calibration error that a calibrated response has, from counting alone."""
        return float(np.sum(self.share * np.sqrt(2.0 / np.pi * self.variance)))

    @cached_property
    def _groups(self) -> list[NDArray[np.intp]]:
        """Return the bins that are compared together: neighbours, until there is enough to compare."""
        groups: list[list[int]] = []
        waiting: list[int] = []
        for number in range(self.mean.size):
            waiting.append(number)
            if np.sum((self.events * self.mean * (1.0 - self.mean))[waiting]) >= LEAST_VARIANCE:
                groups.append(waiting)
                waiting = []
        if waiting and groups:
            groups[-1] += waiting
        elif waiting:
            groups.append(waiting)
        return [np.array(group, dtype=np.intp) for group in groups]

    @property
    def chi2(self) -> float:
        """Return the statistic of Hosmer and Lemeshow: ``Σ (observed - mean)² / variance`` over groups of bins."""
        total = 0.0
        for group in self._groups:
            difference = np.sum(self.share[group] * (self.observed - self.mean)[group])
            variance = np.sum(self.share[group] ** 2 * self.variance[group])
            total += float(difference**2 / variance) if variance > 0.0 else 0.0 if difference == 0.0 else np.inf
        return total

    @property
    def n_groups(self) -> int:
        """Return how many groups of bins are compared; bins of few events are taken together with the next."""
        return len(self._groups)

    @property
    def degrees_of_freedom(self) -> int:
        """Return the number of groups; two fewer for the events that the response was fitted to."""
        return max(self.n_groups - 2, 0) if self.in_training else self.n_groups

    @property
    def p_value(self) -> float:
        """Return how probable so large a :attr:`chi2` is for a calibrated response; NaN without degrees of freedom."""
        from scipy.special import chdtrc  # lazy: keeps the import of the package fast

        n = self.degrees_of_freedom
        return float(chdtrc(n, self.chi2)) if n > 0 else float("nan")

    @property
    def is_calibrated(self) -> bool:
        """Return whether nothing speaks against the response being a probability."""
        return not self.p_value < SMALLEST_P_VALUE

    @property
    def band(self) -> FloatArray:
        """Return where the observed fraction of a calibrated response lies, ``(n_bins, 4)``.

        These are the ends of the central 95%, then 68% intervals: 2.5%, 16%, 84%, 97.5%, from the binomial distribution
        of the effective number of events.
        """
        from scipy.stats import binom  # lazy: keeps the import of the package fast

        n = np.maximum(np.round(self.events), 1.0)[:, np.newaxis]
        return np.asarray(binom.ppf(BAND_LEVELS, n, self.mean[:, np.newaxis]) / n, dtype=np.float64)


def reliability(
    responses: ArrayLike,
    is_signal: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    bins: int = 10,
    errors: tuple[ArrayLike, ArrayLike] | None = None,
    signal_fraction: float | None = None,
    in_training: bool = False,
) -> Reliability:
    """Compare responses (n_events,) with what the events are; ``errors`` are (lower, upper) of each response.

    A network learns the probability at the mixture of its training events: ``signal_fraction`` scales the weights to
    that share of signal, if the events are mixed in another way.  ``in_training`` says that the network was fitted to
    these very events, which leaves two degrees of freedom fewer.

    >>> r = reliability([0.1, 0.2, 0.8, 0.9], [False, False, True, True], bins=2)
    >>> r.mean.round(3).tolist(), r.observed.tolist(), r.events.tolist()
    ([0.15, 0.85], [0.0, 1.0], [2.0, 2.0])
    >>> round(r.expected_calibration_error, 3), r.n_groups, r.degrees_of_freedom
    (0.15, 1, 1)
    """
    p, signal = np.asarray(responses, dtype=np.float64), np.asarray(is_signal, dtype=bool)
    w = np.ones(p.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if p.ndim != 1 or signal.shape != p.shape or w.shape != p.shape:
        raise InputError(
            "responses, classes and weights must be lists of the same length, "
            f"got shapes {p.shape}, {signal.shape} and {w.shape}"
        )
    for values, what in ((p, "responses"), (w, "weights")):
        bad = int(np.count_nonzero(~np.isfinite(values)))
        if bad:
            raise InputError(f"{bad} of {len(values)} {what} are not finite: leave these events out")
    if np.any((p < 0) | (p > 1)):
        raise InputError("calibration is for probabilities: some responses are not between 0 and 1")
    if signal_fraction is not None:
        w = mixed(signal, w, signal_fraction)
    number = np.clip((p * bins).astype(int), 0, bins - 1)

    def summed(values: FloatArray) -> FloatArray:
        return np.bincount(number, weights=values, minlength=bins)[:bins].astype(np.float64)

    squares = _weights_in_both_classes(signal, w)
    total = summed(w)
    used = total > 0
    if not used.any():
        raise InputError("there are no events with a positive weight to compare")
    total, share = total[used], total[used] / total[used].sum()
    n = total**2 / summed(squares)[used]
    observed = np.clip(summed(w * signal)[used] / total, 0.0, 1.0)
    lower, upper = _wilson(observed, n)
    own = None if errors is None else [summed(w * np.asarray(e, dtype=np.float64))[used] / total for e in errors]
    return Reliability(
        summed(w * p)[used] / total,
        observed,
        lower,
        upper,
        n,
        share,
        summed(squares * p * (1.0 - p))[used] / total**2,
        None if own is None else own[0],
        None if own is None else own[1],
        _logistic_fit(p, signal, w, squares),
        in_training,
    )


def mixed(is_signal: NDArray[np.bool_], weights: FloatArray, signal_fraction: float) -> FloatArray:
    """Return weights with this share of signal, their sum being the same."""
    s, b = float(weights[is_signal].sum()), float(weights[~is_signal].sum())
    if not (0 < signal_fraction < 1 and s > 0 and b > 0):
        raise InputError(f"signal_fraction={signal_fraction} must be between 0 and 1, and both classes need events")
    return np.where(is_signal, signal_fraction / s, (1.0 - signal_fraction) / b) * weights * (s + b)


def _weights_in_both_classes(is_signal: NDArray[np.bool_], weights: FloatArray) -> FloatArray:
    """Return ``w_S w_B`` of each event: its weight times that which it would have in the other class.

    The classes may be weighted differently as a whole, as NormMode does, so the latter is the former times the ratio of
    the mean weights.  Without such a ratio it is the square of the weight.

    >>> _weights_in_both_classes(np.array([True, True, False]), np.array([1.0, 3.0, 4.0])).tolist()
    [2.0, 18.0, 8.0]
    """
    if is_signal.all() or not is_signal.any():
        return weights**2
    s, b = float(weights[is_signal].mean()), float(weights[~is_signal].mean())
    if not (s > 0.0 and b > 0.0):
        return weights**2
    return weights**2 * np.where(is_signal, b / s, s / b)


def _wilson(share: FloatArray, n: FloatArray) -> tuple[FloatArray, FloatArray]:
    middle = (share + 0.5 / n) / (1.0 + 1.0 / n)
    half = np.sqrt(share * (1.0 - share) / n + 0.25 / n**2) / (1.0 + 1.0 / n)
    return np.clip(middle - half, 0.0, 1.0), np.clip(middle + half, 0.0, 1.0)


def _logistic_fit(
    p: FloatArray, is_signal: NDArray[np.bool_], weights: FloatArray, squares: FloatArray
) -> LogisticFit | None:
    """Return the calibration that describes the events best, by Newton's method; None if there is no maximum."""
    inside = np.clip(p, 1e-9, 1.0 - 1e-9)
    x = np.column_stack([np.ones(p.size), np.log(inside / (1.0 - inside))])
    beta = np.array([0.0, 1.0])
    for _ in range(_FIT_STEPS):
        y = 1.0 / (1.0 + np.exp(-np.clip(x @ beta, -50.0, 50.0)))
        hessian = (x.T * (weights * y * (1.0 - y))) @ x
        try:
            step = np.linalg.solve(hessian, x.T @ (weights * (is_signal - y)))
        except np.linalg.LinAlgError:
            return None
        # far from the maximum a whole step can go beyond it
        beta = beta + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < _FIT_PRECISION:
            inverse = np.linalg.inv(hessian)
            scatter = (x.T * (squares * y * (1.0 - y))) @ x
            variances = np.diag(inverse @ scatter @ inverse)
            if not (variances > 0.0).all():
                return None
            errors = np.sqrt(variances)
            return LogisticFit(float(beta[0]), float(beta[1]), float(errors[0]), float(errors[1]))
    return None
