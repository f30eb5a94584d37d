"""What is looked at before a training, so that its trouble is told by the names of the user's variables."""

from __future__ import annotations

import logging
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.errors import InputError
from pytmva_bnn.training import Sample

log = logging.getLogger("pytmva_bnn.MLP")

#: how far Σw²/Σw may be from 1 before error bars are called wrong
LARGEST_EXCESS = 0.2


def check_labels(dataset: DataSet, definition: str) -> None:
    """Raise InputError if two variables have one label and are to be transformed.

    TMVA: says nothing; a weight file names the inputs of a transformation by their labels, so that what is read from it
    takes one variable for the other.
    """
    counts = Counter(variable.label for variable in (*dataset.variables, *dataset.targets))
    double = [label for label, count in counts.items() if count > 1]
    if double and definition not in ("", "None"):
        raise InputError(
            f"VarTransform={definition}: more than one variable is called {double[0]}, and a weight file could not "
            f'tell them apart; give them different labels, e.g. AddVariable("{double[0]}2 := ...")'
        )


def check_transformed(dataset: DataSet, sample: Sample, definition: str) -> None:
    """Raise InputError, with the variable's name, if the transformations have made numbers that are not finite."""
    bad = np.flatnonzero(~np.isfinite(sample.inputs).all(axis=0))
    if not bad.size:
        return
    label = dataset.variables[bad[0]].label
    values = dataset.training.variables[:, bad[0]]
    constant = np.ptp(values) == 0 if values.size else False
    reason = (
        f"it is constant ({values[0]:g}): remove it"
        if constant
        else "look at its range, or choose another transformation"
    )
    raise InputError(f"VarTransform={definition} makes the variable {label} NaN or infinite; {reason}")


def warn_of_weights(weights: NDArray[np.float64], title: str) -> None:
    """Warn if weighted events would get error bars as if each weight were a number of events."""
    total = float(weights.sum())
    if total <= 0.0:
        return
    excess = float(np.square(weights).sum()) / total
    if abs(excess - 1.0) > LARGEST_EXCESS:
        log.warning(
            "%s: error bars take the weight of an event for a number of events, but Σw²/Σw of the training events is "
            "%.3g: with these weights they are wrong by a factor of about %.2g",
            title,
            excess,
            np.sqrt(excess),
        )
