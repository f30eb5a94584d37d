"""Mean, RMS and range of variables: what a transformation handler prints, and what the importances use."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.transform.class_sets import as_inputs, as_weights, class_sets, events_in
from pytmva_bnn.transform.fit_normalise import value_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

LOGGER = logging.getLogger("pytmva_bnn.transform")

SHORTEST_LABEL = 8


@dataclass(frozen=True, eq=False)
class Statistics:
    """Weighted mean and RMS, unweighted minimum and maximum: (n_sets, n_quantities), all classes last.

    >>> one = np.ones((1, 1))
    >>> Statistics(one, one, one, one).mean.shape
    (1, 1)
    """

    mean: Floats
    rms: Floats
    minimum: Floats
    maximum: Floats


def handler_statistics(
    values: ArrayLike, classes: ArrayLike, weights: ArrayLike, n_classes: int, expressions: Sequence[str] = ()
) -> Statistics:
    """Return the statistics of transformed variables and targets, side by side (n_events, n_quantities).

    ``expressions`` name the quantities in warnings.  An RMS that does not exist is 0.

    >>> s = handler_statistics([[1.0], [3.0], [8.0]], classes=[0, 0, 1], weights=[1, 1, 2], n_classes=2)
    >>> s.mean.tolist(), s.rms.tolist(), s.maximum.tolist()
    ([[2.0], [8.0], [5.0]], [[1.0], [0.0], [3.082207001484488]], [[3.0], [8.0], [8.0]])
    """
    x = as_inputs(values, classes)
    w = as_weights(weights, len(x))
    names = expressions or [str(number) for number in range(x.shape[1])]
    rows = []
    for events in class_sets(classes, n_classes):
        chosen = events_in(events, x)
        mean, variance = mean_and_variance(chosen, events_in(events, w))
        good = variance > 0
        for number in np.flatnonzero(~good):
            LOGGER.warning(
                'Variable "%s" has zero, negative, or NaN RMS^2: %g ==> set to zero. Please check the variable content',
                names[int(number)],
                variance[number],
            )
        rms = np.sqrt(np.where(good, variance, 0.0))
        rows.append((mean, rms, *(limit.astype(np.float64) for limit in value_range(chosen))))
    return Statistics(*(np.stack(column) for column in zip(*rows, strict=True)))


def mean_and_variance(x: ArrayLike, weights: ArrayLike) -> tuple[Floats, Floats]:
    """Return Σxw/Σw and Σx²w/Σw - mean² (n_quantities,) of values (n_events, n_quantities).

    >>> mean, variance = mean_and_variance([[1.0], [3.0]], [1.0, 3.0])
    >>> mean.tolist(), variance.tolist()
    ([2.5], [0.75])
    """
    columns = np.ascontiguousarray(np.transpose(x), dtype=np.float64)
    w = np.asarray(weights, dtype=np.float64)
    with np.errstate(all="ignore"):  # no events, or a sum of weights of 0
        total = sequential_sum(w)
        mean: Floats = sequential_sum(columns * w) / total
        variance: Floats = sequential_sum(columns * columns * w) / total - mean * mean
    return mean, variance


def statistics_table(labels: Sequence[str], statistics: Statistics) -> list[str]:
    """Return the lines of the printed table, for all classes together.

    >>> s = handler_statistics([[1.0], [3.0]], classes=[0, 0], weights=[1, 1], n_classes=1)
    >>> print("\\n".join(statistics_table(["a"], s)))
    Variable        Mean        RMS   [        Min        Max ]
    -----------------------------------------------------------
           a:     2.0000     1.0000   [     1.0000     3.0000 ]
    -----------------------------------------------------------
    """
    columns = [column[-1] for column in (statistics.mean, statistics.rms, statistics.minimum, statistics.maximum)]
    if any(len(column) != len(labels) for column in columns):
        raise InputError(f"{len(labels)} labels for the statistics of {len(columns[0])} quantities")
    width = max([SHORTEST_LABEL, *(len(label) for label in labels)])
    cell = width + 2
    rule = "-" * (width + 4 * cell + 11)

    def line(head: str, cells: Sequence[str]) -> str:
        mean, rms, low, high = cells
        return f"{head}{mean}{rms}   [{low}{high} ]"

    # TMVA: the titles have blanks between them, the numbers do not, so that they agree for short labels only
    titles = [" " + title.rjust(cell) for title in ("Mean", "RMS", "Min", "Max")]
    lines = [line("Variable".rjust(width) + " ", titles), rule]
    for number, label in enumerate(labels):
        numbers = [("%#11.5g" % column[number]).rjust(cell) for column in columns]  # noqa: UP031 - '#' of C
        lines.append(line(label.rjust(width) + ":", numbers))
    return [*lines, rule]


@dataclass(frozen=True, eq=False)
class VariableStatistics:
    """Per variable (n_variables,): mean and RMS of signal and of the rest, and the range of all events.

    >>> s = variable_statistics([[1.0], [3.0], [9.0]], [True, True, False], [1.0, 1.0, 1.0])
    >>> s.signal_mean.tolist(), s.signal_rms.tolist(), s.background_mean.tolist(), s.maximum.tolist()
    ([2.0], [1.0], [9.0], [9.0])
    """

    signal_mean: Floats
    signal_rms: Floats
    background_mean: Floats
    background_rms: Floats
    minimum: Floats
    maximum: Floats

    @property
    def scale(self) -> Floats:
        """The size of a variable as its importance counts it: the mean of |mean|, or of RMS if that is larger.

        >>> variable_statistics([[1.0], [3.0], [9.0]], [True, True, False], [1.0, 1.0, 1.0]).scale.tolist()
        [5.5]
        """
        mean = (np.abs(self.signal_mean) + np.abs(self.background_mean)) / 2
        rms = (np.abs(self.signal_rms) + np.abs(self.background_rms)) / 2
        return np.where(mean < rms, rms, mean)


def variable_statistics(values: ArrayLike, is_signal: ArrayLike, weights: ArrayLike) -> VariableStatistics:
    """Return the statistics of transformed variables (n_events, n_variables); a class without events gives NaN.

    In a regression all events count as signal.

    >>> variable_statistics([[1.0], [3.0]], [True, True], [1.0, 1.0]).background_mean.tolist()
    [nan]
    """
    x = as_inputs(values, is_signal)
    w = as_weights(weights, len(x))
    signal = np.asarray(is_signal, dtype=bool)
    signal_mean, signal_variance = mean_and_variance(x[signal], w[signal])
    background_mean, background_variance = mean_and_variance(x[~signal], w[~signal])
    low, high = (limit.astype(np.float64) for limit in value_range(x))
    with np.errstate(all="ignore"):
        signal_rms, background_rms = np.sqrt(signal_variance), np.sqrt(background_variance)
    return VariableStatistics(signal_mean, signal_rms, background_mean, background_rms, low, high)


def response_statistics(responses: ArrayLike, weights: ArrayLike) -> tuple[float, float]:
    """Return mean and RMS = √|Σwx²/Σw - mean²| of responses (n_events,), float32; (0, 0) unless Σw > 0.

    >>> response_statistics([1.0, 3.0], [1.0, 1.0])
    (2.0, 1.0)
    """
    x = np.asarray(responses, dtype=np.float32)[:, None]
    w = as_weights(weights, len(x))
    if not sequential_sum(w) > 0:
        LOGGER.error("the sum of weights of the responses is not positive; mean and RMS are set to 0")
        return 0.0, 0.0
    mean, variance = mean_and_variance(x, w)
    return float(mean[0]), float(np.sqrt(np.abs(variance[0])))
