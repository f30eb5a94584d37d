"""The input variables of the classes, after any chain of transformations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import Histogram1D, variable_histograms
from pytmva_bnn.output.chains import transformed_training_events
from pytmva_bnn.show.plots.canvas import panels
from pytmva_bnn.show.plots.labels import axis_label
from pytmva_bnn.show.plots.superimposed import superimposed

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

Distribution = tuple[str, Mapping[str, Histogram1D]]
"""The label of an axis with its unit, and the histograms of the classes."""


def variables(
    dataset: DataSet, transformation: str = "I", *, columns: int | None = None, fig: Figure | SubFigure | None = None
) -> Any:
    """Draw all variables (and targets) of the training events by class and return the figure.

    ``transformation`` is a chain in the syntax of VarTransform: ``"I"``, ``"G,D"``.

    >>> from pytmva_bnn.show import plots
    >>> fig = plots.variables(loader.dataset, "G,D")  # doctest: +SKIP
    """
    found = next(iter(transformed_training_events(dataset, transformation)), None)
    if found is None:
        raise InputError(f"{transformation!r} is no chain of transformations; e.g. 'I', 'N', 'G,D'")
    return distributions(distributions_of(dataset, *found), columns=columns, fig=fig)


def distributions_of(dataset: DataSet, chain: str, values: Any, targets: Any) -> list[Distribution]:
    """Return the histograms of variables and targets (n_events, n) of the training events after a chain."""
    records = (*dataset.variables, *dataset.targets)
    events = dataset.training
    rows = variable_histograms(
        np.column_stack([values, targets]),
        events.weights,
        events.class_index,
        len(dataset.class_names),
        [record.type.startswith("I") for record in records],
    )
    return [
        (axis_label(record, chain), dict(zip(dataset.class_names, row, strict=True)))
        for record, row in zip(records, rows, strict=True)
    ]


def distributions(
    made: Sequence[Distribution], *, columns: int | None = None, fig: Figure | SubFigure | None = None
) -> Any:
    """Draw histograms in panels, each with the label of its axis and the histograms of its classes by name.

    >>> from pytmva_bnn.show import plots
    >>> fig = plots.distributions([("pt [GeV]", {"Signal": s, "Background": b})])  # doctest: +SKIP
    """
    with panels(fig, len(made), columns) as (figure, axes):
        for number, (ax, (label, histograms)) in enumerate(zip(axes, made, strict=True)):
            superimposed(histograms, xlabel=label, legend=number == 0 and len(histograms) > 1, ax=ax)
    return figure
