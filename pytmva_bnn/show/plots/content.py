"""What is shown of a training, whether it was trained here or read from an output file of TMVA.

:mod:`~pytmva_bnn.show.plots.from_training`, :mod:`~pytmva_bnn.show.plots.from_weights` and
:mod:`~pytmva_bnn.show.report.output_file` fill it, ``plots.gallery`` draws it and ``report.tables`` makes tables of it.
What is not known stays empty, and its table or plot is left out.  What single methods have of their own comes from the
functions at the end, for which :mod:`pytmva_bnn.show.methods` registers them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.evaluation import (
    BinaryResult,
    Histogram1D,
    MulticlassResult,
    RegressionResult,
    Reliability,
    RocCurve,
    reliability,
)
from pytmva_bnn.evaluation.regression import RegressionNumbers
from pytmva_bnn.evaluation.working_points import WorkingPointResult
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.deviations import DeviationPlot, Squares, squares_of
from pytmva_bnn.show.plots.inputs import Distribution, Pair
from pytmva_bnn.show.plots.plot import Plot
from pytmva_bnn.show.plots.responses import Density
from pytmva_bnn.tmva_types import AnalysisType

Classes = Mapping[str, Histogram1D]
"""Histograms by class name."""

Facts = Sequence[tuple[str, object]]
"""Names and values."""


@dataclass(frozen=True, eq=False)
class ClassCount:
    """Number and sum of weights of the events of a class; None where they are not known."""

    name: str
    training: tuple[int, float] | None
    test: tuple[int, float] | None


@dataclass(frozen=True, eq=False)
class Events:
    """What is known of the events of a data set; ``records`` are by kind: "Variable", "Target", "Spectator"."""

    facts: Facts = ()
    counts: Sequence[ClassCount] = ()
    records: Mapping[str, Sequence[VariableRecord]] = field(default_factory=dict)


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
    """Responses of events to compare with their classes."""

    responses: NDArray[Any]
    is_signal: NDArray[np.bool_]
    weights: NDArray[Any]
    errors: tuple[NDArray[Any], NDArray[Any]] | None = None
    signal_fraction: float | None = None
    in_training: bool = False

    @cached_property
    def reliability(self) -> Reliability:
        """Return the comparison."""
        return reliability(
            self.responses,
            self.is_signal,
            self.weights,
            errors=self.errors,
            signal_fraction=self.signal_fraction,
            in_training=self.in_training,
        )


@dataclass(frozen=True, eq=False)
class MethodContent:
    """What is known of one method.

    ``summary`` is its line in the table of methods, ``facts`` what else there is to say, ``inputs`` the labels of its
    variables, ``options`` all options.
    ``fitted`` is what was trained and ``training`` how that went, or what an output file has of them: they are drawn if
    there is a drawing for their type.  ``quality`` sorts methods, the best first.

    ``efficiencies`` are the histograms of a cut on the response, ``signal_efficiencies`` (test, training) the numbers
    at background efficiencies of 0.01, 0.10 and 0.30, and ``scores`` more numbers of a classifier by name.
    ``class_responses[c]`` and ``class_training_responses[c]`` are the responses for class ``c`` by true class,
    ``rest_curves[c]`` and ``pair_curves[c, d]`` the ROC curves of multiclass.  ``numbers`` (by "test" and "training",
    a set for each target), ``deviations`` and ``squares`` are those of regression, the second by ("targets" or
    "variables", "test" or "training").  ``calibrated`` and ``training_calibrated`` are responses of test and training
    events that can be probabilities, and ``is_probability`` says that they are meant to be.  ``parallel`` has test
    events as (response, variables) by class name, with the names of the columns in ``columns``.  ``centre`` are values
    of the variables at which the response is drawn along one of them, and ``events`` the training events to show where
    it is known.
    """

    title: str
    summary: Facts = ()
    facts: Facts = ()
    inputs: Sequence[str] = ()
    options: Facts = ()
    ranking: Ranking | None = None
    fitted: object = None
    training: object = None
    quality: float = 0.0
    response: Classes = field(default_factory=dict)
    training_response: Classes = field(default_factory=dict)
    probability: Classes = field(default_factory=dict)
    rarity: Classes = field(default_factory=dict)
    densities: Sequence[Density] = ()
    efficiencies: tuple[Histogram1D, Histogram1D] | None = None
    roc: RocCurve | None = None
    training_roc: RocCurve | None = None
    signal_efficiencies: Sequence[tuple[float, float | None]] = ()
    scores: Facts = ()
    class_responses: Mapping[str, Classes] = field(default_factory=dict)
    class_training_responses: Mapping[str, Classes] = field(default_factory=dict)
    rest_curves: Mapping[str, RocCurve] = field(default_factory=dict)
    rest_training_curves: Mapping[str, RocCurve] = field(default_factory=dict)
    pair_curves: Mapping[tuple[str, str], RocCurve] = field(default_factory=dict)
    numbers: Mapping[str, Sequence[RegressionNumbers]] = field(default_factory=dict)
    deviations: Mapping[tuple[str, str], Sequence[DeviationPlot]] = field(default_factory=dict)
    squares: Sequence[Squares] = ()
    calibrated: Calibrated | None = None
    training_calibrated: Calibrated | None = None
    is_probability: bool = False
    parallel: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    columns: Sequence[str] = ()
    model: Model | None = None
    centre: Mapping[str, float] = field(default_factory=dict)
    events: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class Content:
    """A data set and its methods; ``notes`` say what could not be had and why, ``printed`` are TMVA's tables.

    Without ``has_events`` it is that of a weight file, which knows of methods only: nothing of events is missed.
    """

    dataset: str
    analysis: AnalysisType
    data: Events = Events()
    input_names: Sequence[str] = ()
    output_names: Sequence[str] = ()
    inputs: Sequence[InputContent] = ()
    matrices: Sequence[Matrix] = ()
    methods: Sequence[MethodContent] = ()
    printed: Sequence[str] = ()
    notes: Sequence[str] = ()
    has_events: bool = True


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers for people: names with values, and a table."""

    facts: Facts = ()
    headings: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()


# ---- what things say of themselves --------------------------------------------------------------------------


@singledispatch
def described(fitted: Any) -> Facts:
    """Return names and values that describe what was trained: its own ``describe()``, if it has one."""
    return fitted.describe() if hasattr(fitted, "describe") else ()


@singledispatch
def training_facts(_result: object) -> Facts:
    """Return names and values that tell how a training went."""
    return ()


@singledispatch
def tabulated(_thing: object, names: Sequence[str] = ()) -> Iterator[Numbers]:
    """Yield more numbers of what was trained, or of its training; ``names`` are those of the variables."""
    del names
    return iter(())


@singledispatch
def drawings(_thing: object, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    """Yield the plots of what was trained, or of its training, each with the title of its section."""
    del content, m
    return iter(())


@singledispatch
def evaluated(result: Any) -> dict[str, Any]:
    """Return what a result of an evaluation gives to the content of a method."""
    raise NotImplementedError(type(result).__name__)


@evaluated.register
def _(result: BinaryResult) -> dict[str, Any]:
    p = result.probabilities
    return {
        "title": result.title,
        "quality": result.area,
        "response": {"Signal": result.responses.signal, "Background": result.responses.background},
        "training_response": {
            "Signal": result.training.response_signal,
            "Background": result.training.response_background,
        },
        "probability": {} if p is None else {"Signal": p.signal, "Background": p.background},
        "rarity": {} if p is None else {"Signal": p.rarity_signal, "Background": p.rarity_background},
        "efficiencies": (result.test.signal, result.test.background),
        "roc": result.roc,
        "training_roc": result.training_roc,
        "signal_efficiencies": list(zip(result.efficiencies, result.training_efficiencies, strict=True)),
        "scores": [
            ("Separation", result.separation),
            ("Significance", result.significance),
            ("Cut at eff(S) = 1 − eff(B)", result.reference_cut),
        ],
    }


@evaluated.register
def _(result: WorkingPointResult) -> dict[str, Any]:
    # its responses are all alike
    return {
        "title": result.title,
        "quality": result.area,
        "roc": result.point_roc,
        "training_roc": result.training_point_roc,
        "signal_efficiencies": list(zip(result.efficiencies, result.training_efficiencies, strict=True)),
    }


@evaluated.register
def _(result: RegressionResult) -> dict[str, Any]:
    return {
        "title": result.title,
        "quality": -result.test.deviation,
        "numbers": {"test": result.test_targets, "training": result.training_targets},
        "squares": [squares_of(result, target) for target in range(len(result.test_histograms.squares))],
    }


@evaluated.register
def _(result: MulticlassResult) -> dict[str, Any]:
    names = result.class_names

    def by_class(rows: Any) -> dict[str, Any]:
        return {c: {true: rows[i][j] for i, true in enumerate(names)} for j, c in enumerate(names)}

    return {
        "title": result.title,
        "class_responses": by_class(result.test_histograms),
        "class_training_responses": by_class(result.training_histograms),
        "rest_curves": dict(zip(names, result.test.against_rest, strict=True)),
        "rest_training_curves": dict(zip(names, result.training.against_rest, strict=True)),
        "pair_curves": {
            (r, c): result.test.against_one[i][j] for i, r in enumerate(names) for j, c in enumerate(names) if i != j
        },
    }
