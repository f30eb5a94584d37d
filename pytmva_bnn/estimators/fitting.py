"""From arrays to a trained model: TMVA's training without files, on all events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from pytmva_bnn._typing import AnyArray, BoolArray, Float32Array, FloatArray
from pytmva_bnn.dataset import DataSet, EventClass, EventSet, SplitSettings
from pytmva_bnn.dataset.statistics import ranges
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.factory.training_run import train_method
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.model import Model
from pytmva_bnn.tmva_types import AnalysisType

Independent = Literal["no", "in all", "in each class"]
SPLIT = "SplitMode=Block:NormMode=None:!Correlations:!CalcCorrelations"
"""Options as for PrepareTrainingAndTestTree: events in their order, class after class, with their own weights."""
DEPENDENT = 1e-5
"""A variable follows from others if no more than this part of it is left without them: it is known to float32 only."""


def train(
    x: Float32Array,
    class_index: AnyArray,
    targets: Float32Array,
    weights: FloatArray,
    variables: Sequence[str],
    classes: Sequence[str],
    booked: tuple[str, str, str, AnalysisType],
) -> Model:
    """Return the trained method as it is in memory; no file is written.

    ``targets`` is ``(n_events, n_targets)``, without columns in classification; ``booked`` is what BookMethod is given:
    kind, title and options of the method, and the analysis.
    """
    kind, title, options, analysis = booked
    booking = Booking.parse(method_of(kind), options, analysis, title, len(variables))
    dataset = _dataset(x, class_index, targets, weights, variables, classes)
    if booking.options.string("VarTransform") == "N" and targets.size and not np.ptp(targets, axis=0).all():
        # a constant target has no range that could be normalised
        inputs = [f"_V{number}_" for number in range(len(variables))]
        varying = [f"_T{number}_" for number in np.flatnonzero(np.ptp(targets, axis=0))]
        booking.options.set_value("VarTransform", f"N({','.join(inputs + varying)})")
    return train_method(dataset, title, booking, analysis, quiet=True).model()


def _dataset(
    x: Float32Array,
    class_index: AnyArray,
    targets: Float32Array,
    weights: FloatArray,
    variables: Sequence[str],
    classes: Sequence[str],
) -> DataSet:
    """Return the events as the Factory has them; those of the test are the same."""
    order = np.argsort(class_index, kind="stable")
    events = EventSet(
        np.ascontiguousarray(x[order]),
        np.ascontiguousarray(targets[order]),
        np.empty((len(x), 0), dtype=np.float32),
        class_index[order].astype(np.int32),
        weights[order],
    )
    n_targets = targets.shape[1]
    target_names = ["y"] if n_targets == 1 else [f"y{number}" for number in range(n_targets)]
    return DataSet(
        name="dataset",
        classes=tuple(EventClass(name) for name in classes),
        variables=_records(variables, events.variables),
        targets=_records(target_names, events.targets),
        spectators=(),
        training=events,
        test=events,
        correlations={},
        counters=(),
        settings=SplitSettings.of(SPLIT, classes),
        seed=0,
    )


def _records(names: Sequence[str], values: Float32Array) -> tuple[VariableRecord, ...]:
    return tuple(
        VariableRecord.define(name, minimum=low, maximum=high)
        for name, (low, high) in zip(names, ranges(values), strict=True)
    )


def usable_features(x: Float32Array, class_index: AnyArray, independent: Independent) -> BoolArray:
    """Return which features a method can be trained with: those that vary, all if none does.

    Nor may one follow linearly from those before it, up to a constant in each class, if they have to be independent.
    """
    used: BoolArray = np.ptp(x, axis=0) > 0.0
    if independent != "no":
        classes = [x[class_index == number].astype(np.float64) for number in np.unique(class_index)]
        centred = [events - events.mean(axis=0) for events in classes]
        used &= _independent(centred if independent == "in each class" else [np.vstack(centred)])
    return used if used.any() else np.ones_like(used)


def _independent(classes: Sequence[FloatArray]) -> BoolArray:
    """Return which columns have, in each array, a part that is orthogonal to all used columns before them."""
    # elimination in the matrices of scalar products: what is left of a column's square stands on the diagonal
    products = [columns.T @ columns for columns in classes]
    squares = [np.diagonal(product).copy() for product in products]
    used = np.zeros(classes[0].shape[1], dtype=np.bool_)
    for number in range(len(used)):
        left = [product[number, number] for product in products]
        used[number] = all(part > DEPENDENT**2 * whole[number] for part, whole in zip(left, squares, strict=True))
        if used[number]:
            for product, part in zip(products, left, strict=True):
                product -= np.outer(product[:, number], product[number]) / part
    return used
