"""Fitting a whole chain of transformations to the training events.

>>> from pytmva_bnn.options import parse_var_transform
>>> from pytmva_bnn.transform import Quantity
>>> events = TrainingEvents(np.float32([[0.0], [1.0], [4.0]]), classes=[0, 0, 1], weights=[1.0, 1.0, 1.0])
>>> a = Quantity("Variable", "a", "a")
>>> chain = fit_chain(parse_var_transform("N_Signal"), events, class_names=["Signal", "Background"], variables=[a])
>>> chain.forward_training(events.variables)[0].ravel().tolist()  # as the training sees them
[-1.0, 1.0, 7.0]
>>> chain.steps[0].maxima[-1].tolist()  # what counts after reading the weight file
[4.0]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.options.transformations import Selection as ChosenIndices
from pytmva_bnn.options.transformations import TransformationSpec, select
from pytmva_bnn.transform.chain import PlacedStep, TransformationChain, gather, scatter
from pytmva_bnn.transform.selection import SPECTATOR, TARGET, VARIABLE, Column, Columns, Quantity, Selection
from pytmva_bnn.transform.step import Step, as_inputs, as_weights
from pytmva_bnn.transform.steps import BY_LETTER, fit_step

IDENTITY = "I"


@dataclass(frozen=True, eq=False)
class TrainingEvents:
    """Training events in their order: float32 arrays (n_events, n), class indices and weights (n_events,).

    Events whose negative weights are to be ignored have weight 0 here.
    """

    variables: Float32Array
    classes: IndexArray
    weights: FloatArray
    targets: Float32Array = field(default_factory=lambda: np.empty((0, 0), np.float32))
    spectators: Float32Array = field(default_factory=lambda: np.empty((0, 0), np.float32))

    def __post_init__(self) -> None:
        classes = np.asarray(self.classes).astype(np.intp)
        object.__setattr__(self, "classes", classes)
        for name in ("variables", "targets", "spectators"):
            object.__setattr__(self, name, _as_events(getattr(self, name), len(classes)))
        object.__setattr__(self, "weights", as_weights(self.weights, len(classes)))


def _as_events(values: ArrayLike, n_events: int) -> Float32Array:
    array = np.asarray(values, dtype=np.float32)
    return np.empty((n_events, 0), np.float32) if array.shape == (0, 0) else as_inputs(array, n_events)


class FittedChain:
    """The result of :func:`fit_chain`.

    ``steps`` have all sets of parameters, as a weight file holds them; ``n_transformations`` counts the identities
    too, which have no step.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        training_steps: Sequence[PlacedStep],
        known: Mapping[str, Sequence[Quantity]],
        n_transformations: int,
    ) -> None:
        self.steps: tuple[Step, ...] = tuple(steps)
        self.n_transformations = n_transformations
        self._training_steps = tuple(training_steps)
        self._known = {kind: tuple(known.get(kind, ())) for kind in (VARIABLE, TARGET, SPECTATOR)}

    def forward_training(
        self,
        variables: ArrayLike,
        targets: ArrayLike | None = None,
        spectators: ArrayLike | None = None,
        *,
        sets: Sequence[int] = (),
    ) -> tuple[Float32Array, Float32Array]:
        """Return variables and targets as the training sees them, float32 (n_events, n) each.

        Every step uses the set of its reference class, whatever the event's class, in full precision.  With ``sets``
        the variables transformed with each of them stand side by side, as in :class:`TransformationChain`.
        """
        n_events = len(np.asarray(variables))
        given = {VARIABLE: variables, TARGET: targets, SPECTATOR: spectators}
        event = {kind: self._array(kind, values, n_events) for kind, values in given.items()}
        if sets and self._training_steps:
            return np.hstack([self._transformed(event, self._steps_of(one))[0] for one in sets]), event[TARGET]
        return self._transformed(event, self._training_steps)

    def _steps_of(self, index: int) -> list[PlacedStep]:
        pairs = zip(self.steps, self._training_steps, strict=True)
        return [replace(placed, step=step.only_set(index)) for step, placed in pairs]

    @staticmethod
    def _transformed(
        event: Mapping[str, Float32Array], steps: Sequence[PlacedStep]
    ) -> tuple[Float32Array, Float32Array]:
        event = dict(event)
        for placed in steps:
            _apply(placed, event)
        return event[VARIABLE], event[TARGET]

    def training_chain(self, sets: Sequence[int] = ()) -> TransformationChain:
        """Return the chain for events without targets and for network outputs, with the training's parameters.

        TMVA uses it only where no weight file is written (ModelPersistence=False).
        """
        steps = self.steps if sets else [placed.step for placed in self._training_steps]
        known = (self._known[kind] for kind in (VARIABLE, TARGET, SPECTATOR))
        return TransformationChain(steps, *known, sets=sets)

    def _array(self, kind: str, values: ArrayLike | None, n_events: int) -> Float32Array:
        n = len(self._known[kind])
        array = np.empty((n_events, 0)) if values is None else np.asarray(values)
        if array.shape != (n_events, n):
            raise InputError(f"{kind.lower()}s must have the shape ({n_events}, {n}), got {array.shape}")
        return array.astype(np.float32)


def fit_chain(
    specs: Sequence[TransformationSpec],
    events: TrainingEvents,
    *,
    class_names: Sequence[str],
    variables: Sequence[Quantity],
    targets: Sequence[Quantity] = (),
    spectators: Sequence[Quantity] = (),
) -> FittedChain:
    """Fit each step to the events as the steps before have transformed them.

    ``variables``, ``targets`` and ``spectators`` name the columns of the events.
    """
    known = {VARIABLE: tuple(variables), TARGET: tuple(targets), SPECTATOR: tuple(spectators)}
    event = {VARIABLE: events.variables, TARGET: events.targets, SPECTATOR: events.spectators}
    for kind, array in event.items():
        if array.shape[1] != len(known[kind]):
            raise InputError(f"{array.shape[1]} columns of {kind.lower()}s were given for {len(known[kind])} names")
    steps: list[Step] = []
    training_steps: list[PlacedStep] = []
    for number, spec in enumerate(specs):
        reference = spec.class_index(class_names)  # -1 for all events, which are the last set
        chosen = select(spec.selection, *([quantity.label for quantity in known[kind]] for kind in known))
        columns = Columns(*(tuple(Column(q.kind.value, q.index) for q in part) for part in (chosen.get, chosen.put)))
        _check(spec, columns, len(variables))
        if spec.name == IDENTITY:
            continue
        x = gather(event, columns.get)
        step = fit_step(spec.name, x, events.classes, len(class_names), events.weights, _named(chosen, known))
        steps.append(step)
        training_steps.append(PlacedStep(step.only_set(reference), columns))
        # what comes after the last step is made from the events when they are asked for
        if any(later.name != IDENTITY for later in specs[number + 1 :]):
            _apply(training_steps[-1], event)
    return FittedChain(steps, training_steps, known, len(specs))


def _named(chosen: ChosenIndices, known: Mapping[str, Sequence[Quantity]]) -> Selection:
    return Selection(*(tuple(known[q.kind.value][q.index] for q in part) for part in (chosen.get, chosen.put)))


def _check(spec: TransformationSpec, columns: Columns, n_variables: int) -> None:
    """Raise an InputError where TMVA stops with FATAL, or does not work."""
    kinds = {column.kind for column in columns.get}
    if spec.name == IDENTITY and len(columns.get) < n_variables:
        raise InputError(
            "Identity transform does not allow for a selection of input variables. "
            "Please remove the variable selection option and put only 'I'."
        )
    step = BY_LETTER.get(spec.name)
    if step is not None and step.matrix_name and kinds != {VARIABLE}:
        found = ", ".join(sorted(kind.lower() + "s" for kind in kinds)) or "nothing"
        raise InputError(
            f"You mixed variables and targets in the {step.matrix_name} transformation: it selects {found}. "
            "This is not possible; select variables only."
        )


def _apply(placed: PlacedStep, event: dict[str, Float32Array]) -> None:
    if placed.columns.get:
        scatter(event, placed.columns.put, placed.step.apply(gather(event, placed.columns.get)))
