"""The columns of an output of ``apply``: responses with their errors, and what is kept of the events."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.cli.column_types import rectangular
from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.events.columns import MatchedVariables, Quantity
from pytmva_bnn.events.sources import Block, EventSource
from pytmva_bnn.events.variables import VariableRecord, internal_name
from pytmva_bnn.model import Model
from pytmva_bnn.tmva_types import AnalysisType

RESPONSE = "response"


class ResponseColumns:
    """What ``apply`` writes for the events of one tree."""

    def __init__(
        self, model: Model, source: EventSource, *, errors: bool = False, keep: Sequence[str] = (), name: str = RESPONSE
    ) -> None:
        # the tree as a whole decides whether compiled code pays, not the blocks it comes in
        self._model = copy(model)
        self._model.compiled = model.is_compiled(source.n_entries, errors=errors) or model.compiled
        self._errors = errors
        self._variables = MatchedVariables(model.variables, source)
        wanted = model.spectators if model.transformations.needs_spectators else ()
        self._spectators = MatchedVariables(wanted, source, "spectators") if wanted else None
        self._kept = _kept(keep, model, source)
        self._outputs = output_names(model, name, errors)
        self.names = (*self._kept, *self._outputs)
        self.response = self._outputs[0]
        twice = sorted(set(self._kept) & set(self._outputs))
        if twice:
            raise InputError(f"{source.where} already has a branch {twice[0]!r}: name the new one with --name")
        every = (self._variables, self._spectators, *self._kept.values())
        self.branches: frozenset[str] = frozenset().union(*(one.branches for one in every if one is not None))

    def of(self, block: Block) -> dict[str, Any]:
        """Return the columns for the entries of a block."""
        result = {name: rectangular(quantity.values(block)) for name, quantity in self._kept.items()}
        spectators = None if self._spectators is None else self._spectators.of(block)
        return result | self._responses(self._variables.of(block), spectators)

    def _responses(self, events: NDArray[Any], spectators: NDArray[Any] | None) -> dict[str, NDArray[Any]]:
        if self._errors:
            found = self._model.predict(events, errors=True, spectators=spectators)
            parts: tuple[NDArray[Any], ...] = (found.value, found.lower, found.upper)
        else:
            parts = (self._model.predict(events, spectators=spectators),)
        columns = [column for part in parts for column in np.atleast_2d(part.T)]
        return {name: np.ascontiguousarray(column) for name, column in zip(self._outputs, columns, strict=True)}


def output_names(model: Model, name: str, errors: bool) -> tuple[str, ...]:
    """Return the names of the columns: ``response``, or one for each target or class; then those of the errors."""
    prefix = "" if name == RESPONSE else f"{name}_"
    kinds = (name, f"{prefix}lower", f"{prefix}upper") if errors else (name,)
    if model.fitted.n_outputs == 1:
        return kinds
    labels = (
        model.classes if model.analysis_type == AnalysisType.MULTICLASS else [target.label for target in model.targets]
    )
    if len(labels) != model.fitted.n_outputs:  # old files count their classes, but do not name them
        labels = [str(number) for number in range(model.fitted.n_outputs)]
    return tuple(f"{kind}_{internal_name(label)}" for kind in kinds for label in labels)


def _kept(wanted: Sequence[str], model: Model, source: EventSource) -> dict[str, Quantity]:
    """Return what is kept: branches by name or pattern, spectators by label, or expressions."""
    spectators: Mapping[str, VariableRecord] = {one.label: one for one in model.spectators}
    found: dict[str, Quantity] = {}
    for text in wanted:
        names = [text] if text in source.columns else fnmatch.filter(source.columns, text)
        if names:
            found |= {name: Quantity.column(name) for name in names}
            continue
        record = spectators.get(text) or VariableRecord.define(text)
        quantity = Quantity.of(record, source)
        if quantity is None:
            hint = suggestion(text, source.columns)
            raise InputError(f"{source.where}: {text!r} cannot be computed" + (f": {hint}" if hint else ""))
        found[internal_name(record.label)] = quantity
    return found
