"""Checks before a training, which name the user's variables in their errors."""

from __future__ import annotations

from collections import Counter

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.dataset.class_check import check_class
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.histograms.density import Interpolation
from pytmva_bnn.histograms.settings import ResponsePDFOptions
from pytmva_bnn.memory import check_memory
from pytmva_bnn.methods import MethodEvents
from pytmva_bnn.options import parse_var_transform, select
from pytmva_bnn.options.transformations import Kind
from pytmva_bnn.weights import WeightFile, chain_of


def check_classes(dataset: DataSet, weights: FloatArray) -> None:
    """Raise DatasetError if a method cannot learn from the events of a class, as the method sees their weights."""
    for index, event_class in enumerate(dataset.classes):
        n_events = sum(np.count_nonzero(events.class_index == index) for events in (dataset.training, dataset.test))
        # TMVA: SetWeightExpression without a class adds an empty one to several classes, which was warned of
        if not n_events and len(dataset.classes) > 2 and not event_class.cut.strip():
            continue
        check_class(event_class, weights[dataset.training.class_index == index], dataset.name)


def check_labels(dataset: DataSet, definition: str) -> None:
    """Raise InputError if two variables have one label and are to be transformed.

    TMVA: says nothing; a weight file names the inputs of a transformation by their labels, so that what is read from it
    takes one variable for the other.
    """
    labels = [[one.label for one in kind] for kind in (dataset.variables, dataset.targets, dataset.spectators)]
    counts = Counter(labels[0] + labels[1])
    places = dict(zip(Kind, labels, strict=True))
    for step in parse_var_transform(definition):
        if step.name == "I":
            continue
        # missing labels are reported when the transformation is fitted
        known = [item for item in step.selection if item.startswith("_") or any(item in names for names in labels)]
        for quantity in select(known, *labels).get:
            label = places[quantity.kind][quantity.index]
            if counts[label] > 1:
                is_array = any(one.type.endswith("[]") for one in dataset.variables if one.label == label)
                example = f"{label}0 := {label}[0], {label}1 := {label}[1]" if is_array else f"{label}2 := ..."
                raise InputError(
                    f"VarTransform={definition}: more than one variable is called {label}, and a weight file could "
                    f"not distinguish them; give each its own label, e.g. {example}"
                )


def check_pdfs(pdfs: ResponsePDFOptions | None, n_events: int) -> None:
    """Raise InputError if the PDFs of the response cannot be made of these events: now, not after the training."""
    for settings in () if pdfs is None else (pdfs.signal, pdfs.background):
        n_bins = settings.bins_for(n_events)
        check_memory(8.0 * n_bins, f"a PDF of the response with {n_bins} bins (NbinsMVAPdf)", "choose fewer")
        if settings.interpolation is Interpolation.SPLINE5 and n_bins < 3:
            raise InputError(
                f"PDFInterpolMVAPdf=Spline5 needs a histogram of at least 3 bins, but {n_events} training events give "
                f"{n_bins}: set NbinsMVAPdf, or choose Spline2"
            )


def check_readable(file: WeightFile, definition: str) -> None:
    """Raise InputError if the transformations could not be applied once the weight file is read."""
    try:
        chain_of(file)
    except WeightFileError as error:
        raise InputError(f"VarTransform={definition}: its weight file would be unusable: {error.problem}") from error


def check_transformed(dataset: DataSet, sample: MethodEvents, definition: str) -> None:
    """Raise InputError, with the variable's name, if the transformations have made numbers that are not finite."""
    # each variable stands there once for each set of parameters
    bad = np.flatnonzero(~np.isfinite(sample.inputs).all(axis=0)) % len(dataset.variables)
    if not bad.size:
        return
    label = dataset.variables[bad[0]].label
    values = dataset.training.variables[:, bad[0]]
    constants = [
        one.label
        for one, column in zip(dataset.variables, dataset.training.variables.T, strict=True)
        if not np.ptp(column)
    ]
    if label in constants:
        reason = f"it is constant ({values[0]:g}): remove it"
    elif constants:
        reason = f"{constants[0]} is constant: remove it"
    else:
        reason = (
            "check its range and whether a variable is a function of the others (such as their sum), or choose "
            "another transformation"
        )
    raise InputError(f"VarTransform={definition} makes the variable {label} NaN or infinite; {reason}")
