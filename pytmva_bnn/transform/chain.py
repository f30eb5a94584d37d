"""A chain of transformations applied to events, and its inverse for the targets of a regression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import AnyArray, Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.transform.selection import SPECTATOR, TARGET, VARIABLE, Column, Columns, Quantity, resolve
from pytmva_bnn.transform.step import Place, Step


@dataclass(frozen=True, eq=False)
class PlacedStep:
    """A step and the columns it reads and writes."""

    step: Step
    columns: Columns

    @property
    def places(self) -> list[Place]:
        """The targets among its inputs."""
        pairs = enumerate(zip(self.columns.get, self.columns.put, strict=False))
        return [Place(position, to.index, at.index) for position, (to, at) in pairs if to.kind == TARGET]


class TransformationChain:
    """The transformations of a weight file in their order, with the selections resolved to columns.

    Every step rounds to float32 and uses its last set of parameters (that of all classes).  A step without
    selection (TMVA <= 4.1.0) acts on all variables, a normalisation on all targets too;
    ``ignore_unselected_old_steps`` makes those other than normalisations do nothing, as in current ROOT;
    ``drop_unmatched`` leaves out entries of selections that name nothing known, as TMVA does, instead of refusing them.

    With ``sets``, the numbers of classes, :meth:`forward` transforms once with the parameters of each, and puts the
    results side by side; a chain without steps changes nothing then either, and gives the variables once.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        variables: Sequence[Quantity],
        targets: Sequence[Quantity] = (),
        spectators: Sequence[Quantity] = (),
        *,
        ignore_unselected_old_steps: bool = False,
        drop_unmatched: bool = False,
        sets: Sequence[int] = (),
    ) -> None:
        self.sets = tuple(sets)
        self.steps: tuple[Step, ...] = tuple(steps)
        self._known = {VARIABLE: tuple(variables), TARGET: tuple(targets), SPECTATOR: tuple(spectators)}
        self.placed = tuple(
            PlacedStep(step, _columns(step, self._known, drop_unmatched))
            for step in self.steps
            # TMVA: reads an old step of these kinds but gives it no inputs, so it changes nothing
            if not (ignore_unselected_old_steps and step.selection is None and not step.takes_targets)
        )
        """The steps that act, each with the columns it reads and writes."""
        for placed in self.placed:
            _check(placed)

    @cached_property
    def parts(self) -> tuple[TransformationChain, ...]:
        """The chain of each of the ``sets``, with its parameters only; none if there are no sets."""
        return tuple(map(self._with_set, self.sets))

    def _with_set(self, index: int) -> TransformationChain:
        chain = copy(self)
        chain.sets = ()
        chain.placed = tuple(replace(placed, step=placed.step.only_set(index)) for placed in self.placed)
        return chain

    @property
    def n_variables(self) -> int:
        """Return the number of variables that go in."""
        return len(self._known[VARIABLE])

    @property
    def transforms_targets(self) -> bool:
        """Whether :meth:`inverse_targets` does anything."""
        return self.inverted is not None

    @cached_property
    def needs_spectators(self) -> bool:
        """Whether :meth:`forward` needs the spectators."""
        return any(
            column.kind == SPECTATOR
            for placed in self.placed
            for column in placed.columns.get[: placed.columns.n_present]
        )

    def forward(self, variables: Float32Array, spectators: Float32Array | None = None) -> Float32Array:
        """Return the transformed variables, float32 (n_events, n_variables); the input stays as it is.

        Targets are absent: steps leave them out.  Events do not influence each other.
        """
        if self.sets and self.placed:
            return np.hstack([part.forward(variables, spectators) for part in self.parts])
        given = self._as_events(variables, VARIABLE)
        event = {VARIABLE: given}
        if spectators is not None:
            event[SPECTATOR] = self._as_events(spectators, SPECTATOR)
            if len(event[SPECTATOR]) != len(event[VARIABLE]):
                raise InputError(
                    f"variables of {len(event[VARIABLE])} events but spectators of {len(event[SPECTATOR])}"
                )
        elif self.needs_spectators:
            names = ", ".join(quantity.label for quantity in self._known[SPECTATOR])
            raise InputError(f"spectators are needed: give the values of {names} as well")
        for placed in self.placed:
            n = placed.columns.n_present
            if n:
                y = placed.step.apply(gather(event, placed.columns.get[:n]))
                scatter(event, placed.columns.put[:n], y)
        result = event[VARIABLE]
        return result.copy() if np.may_share_memory(result, given) else result

    def inverse_targets(self, outputs: Float32Array) -> Float32Array:
        """Return the targets that network outputs (n_events, n_targets) stand for, float32."""
        return self._inverse(self._as_events(outputs, TARGET))

    def inverse_targets64(self, outputs: FloatArray) -> FloatArray:
        """Return the same as :meth:`inverse_targets` without rounding to float32, for error bands."""
        return self._inverse(self._as_events(outputs, TARGET, np.float64))

    def _inverse(self, outputs: AnyArray) -> AnyArray:
        result = outputs.copy()
        # TMVA: walks backwards, but every inverse starts from the network output instead of the result so
        # far, and the last one wins: only the first step with targets counts, the others can just fail
        for placed in reversed(self.placed):
            if placed.columns.has_targets:
                result = _inverse_of_step(placed, outputs)
        return result

    @property
    def inverted(self) -> PlacedStep | None:
        """The step that :meth:`inverse_targets` undoes."""
        return next((placed for placed in self.placed if placed.columns.has_targets), None)

    def _as_events(self, values: AnyArray, kind: str, dtype: type = np.float32) -> AnyArray:
        with np.errstate(over="ignore"):
            array: AnyArray = np.asarray(values, dtype=dtype)
        n = len(self._known[kind])
        if array.ndim != 2 or array.shape[1] != n:
            raise InputError(f"{kind.lower()}s must have the shape (n_events, {n}), got {array.shape}")
        return array


def _columns(step: Step, known: Mapping[str, Sequence[Quantity]], drop_unmatched: bool) -> Columns:
    if step.selection is not None:
        return resolve(step.selection, known, step.title, drop_unmatched=drop_unmatched)
    kinds = (VARIABLE, TARGET) if step.takes_targets else (VARIABLE,)
    get = tuple(Column(kind, index) for kind in kinds for index in range(len(known[kind])))
    return Columns(get, get)


def _check(placed: PlacedStep) -> None:
    """Raise an InputError where TMVA stops with FATAL, or would read beyond its parameters."""
    step, columns = placed.step, placed.columns
    # entries that were dropped have parameters all the same
    n_inputs = len(columns.get) if step.selection is None else len(step.selection.inputs)
    step.check(n_inputs)
    if step.matrix_name and 0 < len(columns.get) < n_inputs:
        raise InputError(
            f"transformation {step.title}: only {len(columns.get)} of the {n_inputs} entries of its selection are "
            "known, so its matrix does not fit"
        )
    if not columns.has_targets:
        return
    if not step.may_select_targets:
        raise InputError(f"transformation {step.title}: its selection has a target, which is not possible")
    if step.matrix_name and any(c.kind != TARGET for c in columns.get):
        raise InputError(
            f"transformation {step.title}: its selection mixes variables and targets, which is not possible"
        )


def gather(event: Mapping[str, Float32Array], columns: Sequence[Column]) -> Float32Array:
    """Return the columns (n_events, n_columns) of events that have arrays by kind of quantity."""
    if _are_all_variables(columns, event):
        return event[VARIABLE]
    if not columns:
        return event[VARIABLE][:, :0]
    return np.stack([event[column.kind][:, column.index] for column in columns], axis=1)


def scatter(event: dict[str, Float32Array], columns: Sequence[Column], values: Float32Array) -> None:
    """Store the columns of ``values`` in copies of the arrays of the event; absent targets are left out.

    >>> event = {"Variable": np.float32([[1.0, 2.0]])}
    >>> scatter(event, [Column("Variable", 1), Column("Target", 0)], np.float32([[8.0, 9.0]]))
    >>> event["Variable"].tolist()
    [[1.0, 8.0]]
    """
    if _are_all_variables(columns, event):
        event[VARIABLE] = values[:, : len(columns)]
        return
    for kind in {column.kind for column in columns} & event.keys():
        event[kind] = event[kind].copy()
    for position, column in enumerate(columns):
        if column.kind in event:
            event[column.kind][:, column.index] = values[:, position]


def _are_all_variables(columns: Sequence[Column], event: Mapping[str, Float32Array]) -> bool:
    return columns == tuple(Column(VARIABLE, index) for index in range(event[VARIABLE].shape[1]))


def _inverse_of_step(placed: PlacedStep, outputs: AnyArray) -> AnyArray:
    step, places = placed.step, placed.places
    if any(placed.columns.put[place.position].kind != TARGET for place in places):
        raise InputError(
            f"transformation {step.title}: it exchanges targets with variables or spectators, "
            "so the targets cannot be transformed back from the network outputs"
        )
    result = outputs.copy()
    y = outputs[:, [place.output for place in places]]
    result[:, [place.target for place in places]] = step.invert(y, [place.position for place in places])
    return result
