"""What the plots of a training are made of, whether it was trained here or read from an output file of TMVA.

Whatever is not known stays empty, and its plot is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.evaluation import Histogram1D, RocCurve
from pytmva_bnn.methods.mlp.training import Evidence
from pytmva_bnn.methods.mlp.training.state import History
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.correlations import Pair
from pytmva_bnn.show.plots.densities import Density
from pytmva_bnn.show.plots.deviations import DeviationPlot
from pytmva_bnn.show.plots.inputs import Distribution
from pytmva_bnn.tmva_types import AnalysisType

Classes = Mapping[str, Histogram1D]
"""Histograms by class name."""

Squares = tuple[Histogram1D, Histogram1D, Histogram1D, Histogram1D]
"""Squared deviations: training, training best 90%, test, test best 90%."""


@dataclass(frozen=True, eq=False)
class InputContent:
    """The variables after a chain of transformations, and pairs of them by the variable on the x axis."""

    chain: str
    distributions: Sequence[Distribution] = ()
    pairs: Mapping[str, Sequence[Pair]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Matrix:
    """A correlation matrix; ``name`` is that of the output file."""

    name: str
    title: str
    coefficients: NDArray[np.float64]
    labels: Sequence[str]


@dataclass(frozen=True, eq=False)
class Calibrated:
    """Responses of test events to compare with their classes."""

    responses: NDArray[Any]
    is_signal: NDArray[np.bool_]
    weights: NDArray[Any]
    errors: tuple[NDArray[Any], NDArray[Any]] | None = None
    signal_fraction: float | None = None


@dataclass(frozen=True, eq=False)
class MethodContent:
    """What is known of one method.

    ``class_responses[c]`` and ``class_training_responses[c]`` are the responses for class ``c`` by true class,
    ``rest_curves[c]`` and ``pair_curves[c, d]`` the ROC curves of multiclass.  ``deviations`` and ``squares`` are those
    of regression, the former by ("targets" or "variables", "test" or "training").  ``parallel`` has test events as
    (response, variables) by class name, with the names of the columns in ``columns``.  ``centre`` are values of the
    variables at which the response is drawn along one of them, and ``events`` the training events to show where it is
    known.
    """

    title: str
    response: Classes = field(default_factory=dict)
    training_response: Classes = field(default_factory=dict)
    probability: Classes = field(default_factory=dict)
    rarity: Classes = field(default_factory=dict)
    densities: Sequence[Density] = ()
    efficiencies: tuple[Histogram1D, Histogram1D] | None = None
    roc: RocCurve | None = None
    training_roc: RocCurve | None = None
    history: History | None = None
    matrices: Sequence[NDArray[np.float64]] = ()
    class_responses: Mapping[str, Classes] = field(default_factory=dict)
    class_training_responses: Mapping[str, Classes] = field(default_factory=dict)
    rest_curves: Mapping[str, RocCurve] = field(default_factory=dict)
    rest_training_curves: Mapping[str, RocCurve] = field(default_factory=dict)
    pair_curves: Mapping[tuple[str, str], RocCurve] = field(default_factory=dict)
    deviations: Mapping[tuple[str, str], Sequence[DeviationPlot]] = field(default_factory=dict)
    squares: Sequence[Squares] = ()
    calibrated: Calibrated | None = None
    parallel: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    columns: Sequence[str] = ()
    evidence: Evidence | None = None
    model: Model | None = None
    centre: Mapping[str, float] = field(default_factory=dict)
    events: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class Content:
    """A data set and its methods; ``notes`` say what could not be had and why."""

    dataset: str
    analysis: AnalysisType
    input_names: Sequence[str] = ()
    output_names: Sequence[str] = ()
    inputs: Sequence[InputContent] = ()
    matrices: Sequence[Matrix] = ()
    methods: Sequence[MethodContent] = ()
    notes: Sequence[str] = ()
