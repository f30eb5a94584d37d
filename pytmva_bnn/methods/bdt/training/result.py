"""What is known of a training besides the forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.histograms import Histogram1D


@dataclass(frozen=True, eq=False)
class BoostSnapshot:
    """The state of the boosting after tree number ``tree`` (DoBoostMonitor).

    ``roc_integral`` is that of the test events; the histograms are those of the boost weights of signal and background
    and of every variable, weighted with them.
    """

    tree: int
    roc_integral: float
    boost_weights: tuple[Histogram1D, Histogram1D]
    variables: tuple[tuple[Histogram1D, Histogram1D], ...]


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """How a training went, tree by tree.

    ``monitored_weights`` and ``error_fractions`` are the pair that TMVA monitors at every step of AdaBoost, AdaCost
    and AdaBoostR2 (0 for others); ``boost_histogram`` is its distribution of boost weights: of trees, in regression
    those of events.  ``importance`` (n_variables,) adds up to 1.  ``n_requested`` trees were to be grown.
    """

    monitored_weights: FloatArray
    error_fractions: FloatArray
    nodes_before_pruning: NDArray[np.int32]
    nodes_after_pruning: NDArray[np.int32]
    importance: FloatArray
    boost_histogram: Histogram1D
    n_requested: int
    stopped_by: Literal["number of trees", "boosting", "interrupt"] = "number of trees"
    snapshots: tuple[BoostSnapshot, ...] = ()
