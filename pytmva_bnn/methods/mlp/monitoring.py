"""What the training of a network leaves in the output file: estimators, responses and weights by epoch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.histograms import Axis, Histogram2D, fill_1d
from pytmva_bnn.histograms.entries import Entry, Folder, NamedHistogram
from pytmva_bnn.methods.mlp.network import Network, forward
from pytmva_bnn.options import OptionSet

if TYPE_CHECKING:
    from pytmva_bnn.methods.mlp.fitted import FittedMLP
    from pytmva_bnn.methods.mlp.training.samples import Sample
    from pytmva_bnn.methods.mlp.training.state import History


def monitoring(fitted: FittedMLP, options: OptionSet, number: int) -> Iterator[Entry]:
    """Yield the entries of the method's folder; ``number`` counts the networks of the file from 0."""
    # TMVA: keeps no history of GA
    if fitted.result is not None and options.string("TrainingMethod") != "GA":
        yield from estimator_histograms(fitted.result.history, options.integer("NCycles"), options.integer("TestRate"))
    yield from _weight_histograms("weights_hist", fitted.network)
    yield Folder(epoch_folder_name(number), fitted.epochs)


class EpochMonitor:
    """Collects the responses and the weights of the test epochs (option EpochMonitoring)."""

    def __init__(self) -> None:
        self._responses: dict[str, dict[str, NamedHistogram]] = {"S": {}, "B": {}}
        self._weights: list[NamedHistogram] = []

    def __call__(self, epoch: int | None, network: Network, training: Sample, test: Sample) -> None:
        """Take an epoch, counted from 0; None is the end of the training."""
        for name, sample in (("train", training), ("test", test)):
            responses, is_signal = forward(network, sample.inputs)[:, 0], sample.desired[:, 0] == 1.0
            for letter, chosen in (("S", is_signal), ("B", ~is_signal)):
                # TMVA: the end has the number of the first epoch
                full = f"convergencetest___mlp_{name}_epoch_{epoch or 0:04d}_{letter}"
                histogram = fill_1d(
                    responses[chosen], sample.weights[chosen], 100, -2.0, 2.0, dtype=np.float32, errors=False
                )
                self._responses[letter][full] = NamedHistogram(full, full, histogram)
        if epoch is not None:
            self._weights += _weight_histograms(f"epochmonitoring___epoch_{epoch:04d}_weights_hist", network)

    def entries(self) -> tuple[Entry, ...]:
        """Return all histograms in the order of the output file."""
        return (*self._responses["S"].values(), *self._responses["B"].values(), *self._weights)


def _weight_histograms(prefix: str, network: Network) -> Iterator[NamedHistogram]:
    for layer, matrix in enumerate(network.matrices):
        name = f"{prefix}{layer}{layer + 1}"
        yield NamedHistogram(name, name, weight_histogram(matrix, is_last=layer == len(network.matrices) - 1))


def epoch_folder_name(number: int) -> str:
    """Return the name of the folder for option EpochMonitoring."""
    # TMVA: counts the networks of the process; only the first has the plain name
    return "EpochMonitoring" if number == 0 else f"EpochMonitoring_{number:4d}"


def estimator_histograms(history: History, n_cycles: int, test_rate: int) -> Iterator[NamedHistogram]:
    """Yield the estimators by epoch."""
    n_bins = n_cycles // test_rate
    low = test_rate // 2
    chosen = history.epochs % test_rate == 0
    for name, title, values in (
        ("estimatorHistTrain", "training estimator", history.training),
        ("estimatorHistTest", "test estimator", history.test),
    ):
        histogram = fill_1d(
            history.epochs[chosen],
            values[chosen],
            max(n_bins, 1),  # TMVA: without a test epoch the axis has one bin of no width
            low,
            low + n_bins * test_rate,
            dtype=np.float32,
            errors=False,
        )
        yield NamedHistogram(name, title, histogram)


def weight_histogram(matrix: FloatArray, *, is_last: bool) -> Histogram2D:
    """Return the weights (neurons + bias, neurons of the next layer) of a layer; the next has a bias, unless last."""
    n_x, n_y = matrix.shape[0], matrix.shape[1] + (0 if is_last else 1)
    histogram = Histogram2D.empty(Axis(n_x, 0.0, float(n_x)), Axis(n_y, 0.0, float(n_y)), dtype=np.float32)
    histogram.values[:, : matrix.shape[1]] = matrix
    histogram.entries = float(matrix.size)
    return histogram
