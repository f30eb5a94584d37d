"""The columns of an output of ``apply``: responses with their errors, and what is kept of the events."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.cli.column_types import rectangular
from pytmva_bnn.errors import DatasetError, InputError
from pytmva_bnn.events.sources import Block, EventSource
from pytmva_bnn.events.variables import VariableRecord, internal_name
from pytmva_bnn.formula import Formula, FormulaError
from pytmva_bnn.model import Model
from pytmva_bnn.tmva_types import AnalysisType

RESPONSE = "response"


@dataclass(frozen=True)
class Quantity:
    """Something that is computed of the branches of a tree: a branch as it is, or an expression."""

    name: str
    branches: frozenset[str]
    formula: Formula | None

    @classmethod
    def of(cls, record: VariableRecord, source: EventSource) -> Quantity:
        """Return the branch called like the expression, the expression itself, or the branch called like the label.

        A label may be the name of a branch that means something else (``pt := log(pt)``): expressions come first.
        """
        known = set(source.columns)
        if record.type.endswith("[]"):  # an element of an array, as AddVariablesArray makes them
            record = replace(record, expression=record.internal)
        if record.expression in known:
            return cls(record.expression, frozenset([record.expression]), None)
        try:
            formula = Formula(record.expression)
            branches = formula.branches_of(known, tree=source.name)
            return cls(internal_name(record.label), branches, formula)
        except FormulaError as error:
            for name in (record.label, record.internal):
                if name in known:
                    return cls(name, frozenset([name]), None)
            raise DatasetError(f"{source.where}: {record.expression!r} cannot be computed: {error}") from error

    def values(self, block: Block) -> Any:
        """Return the values in the entries of a block."""
        if self.formula is None:
            return block.columns[next(iter(self.branches))]
        return self.formula.evaluate(block.columns, tree=block.tree, n_events=block.n_entries)

    def numbers(self, block: Block) -> NDArray[Any]:
        """Return one number an entry, for an input variable."""
        values = self.values(block)
        if not isinstance(values, np.ndarray) or values.ndim != 1:
            raise InputError(f"{self.name} has several values an event: name an element, as in x[0]")
        return values


class ResponseColumns:
    """What ``apply`` writes for the events of one tree.

    >>> import pytmva_bnn as TMVA
    >>> from pytmva_bnn.dataset import source_of
    >>> model = TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml")
    >>> columns = ResponseColumns(model, source_of("xml_fixtures/data/fakerate.root:pass"), errors=True, keep=["p*"])
    >>> columns.names
    ('pt', 'response', 'lower', 'upper')
    """

    def __init__(
        self, model: Model, source: EventSource, *, errors: bool = False, keep: Sequence[str] = (), name: str = RESPONSE
    ) -> None:
        # the tree as a whole decides whether compiled code pays, not the blocks it comes in
        self._model = copy(model)
        self._model.compiled = model.is_compiled(source.n_entries, errors=errors) or model.compiled
        self._errors = errors
        self._variables = [Quantity.of(variable, source) for variable in model.variables]
        wanted = model.spectators if model.transformations.needs_spectators else ()
        self._spectators = [Quantity.of(spectator, source) for spectator in wanted]
        self._kept = _kept(keep, model, source)
        self._outputs = output_names(model, name, errors)
        self.names = (*self._kept, *self._outputs)
        twice = sorted(set(self._kept) & set(self._outputs))
        if twice:
            raise InputError(f"{source.where} has a branch {twice[0]!r} already: name the new one with --name")
        every = (*self._variables, *self._spectators, *self._kept.values())
        self.branches: frozenset[str] = frozenset().union(*(one.branches for one in every))

    def of(self, block: Block) -> dict[str, Any]:
        """Return the columns for the entries of a block."""
        result = {name: rectangular(quantity.values(block)) for name, quantity in self._kept.items()}
        spectators = _matrix(self._spectators, block) if self._spectators else None
        return result | self._responses(_matrix(self._variables, block), spectators)

    def _responses(self, events: NDArray[Any], spectators: NDArray[Any] | None) -> dict[str, NDArray[Any]]:
        if self._errors:
            found = self._model.predict(events, errors=True, spectators=spectators)
            parts: tuple[NDArray[Any], ...] = (found.value, found.lower, found.upper)
        else:
            parts = (self._model.predict(events, spectators=spectators),)
        columns = [column for part in parts for column in np.atleast_2d(part.T)]
        return {name: np.ascontiguousarray(column) for name, column in zip(self._outputs, columns, strict=True)}


def output_names(model: Model, name: str, errors: bool) -> tuple[str, ...]:
    """Return the names of the columns: ``response``, or one for each target or class; then those of the errors.

    >>> import pytmva_bnn as TMVA
    >>> output_names(TMVA.load("xml_fixtures/cases/multi_n/weights.xml"), "response", False)
    ('response_Signal', 'response_bg0', 'response_bg1', 'response_bg2')
    >>> output_names(TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml"), "BNN", True)
    ('BNN', 'BNN_lower', 'BNN_upper')
    """
    prefix = "" if name == RESPONSE else f"{name}_"
    kinds = (name, f"{prefix}lower", f"{prefix}upper") if errors else (name,)
    if model.network.n_outputs == 1:
        return kinds
    labels = (
        model.classes if model.analysis_type == AnalysisType.MULTICLASS else [target.label for target in model.targets]
    )
    if len(labels) != model.network.n_outputs:  # old files count their classes, but do not name them
        labels = [str(number) for number in range(model.network.n_outputs)]
    return tuple(f"{kind}_{internal_name(label)}" for kind in kinds for label in labels)


def _matrix(quantities: Sequence[Quantity], block: Block) -> NDArray[np.float32]:
    result = np.empty((block.n_entries, len(quantities)), dtype=np.float32)
    with np.errstate(over="ignore"):  # a double beyond the range of float32 becomes inf, as in TMVA
        for number, quantity in enumerate(quantities):
            result[:, number] = quantity.numbers(block)
    return result


def _kept(wanted: Sequence[str], model: Model, source: EventSource) -> dict[str, Quantity]:
    """Return what is kept: branches by name or pattern, spectators by label, or expressions."""
    spectators: Mapping[str, VariableRecord] = {one.label: one for one in model.spectators}
    found: dict[str, Quantity] = {}
    for text in wanted:
        names = [text] if text in source.columns else fnmatch.filter(source.columns, text)
        if names:
            found |= {name: Quantity(name, frozenset([name]), None) for name in names}
            continue
        record = spectators.get(text) or VariableRecord.define(text)
        quantity = Quantity.of(record, source)
        found[internal_name(record.label)] = quantity
    return found
