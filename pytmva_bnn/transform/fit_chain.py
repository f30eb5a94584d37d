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

import dataclasses
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.options.transformations import Selection as ChosenIndices
from pytmva_bnn.options.transformations import TransformationSpec, select
from pytmva_bnn.transform.chain import TransformationChain, gather, scatter
from pytmva_bnn.transform.class_sets import as_inputs, as_weights, class_sets, set_of_reference
from pytmva_bnn.transform.decorrelate import Decorrelation
from pytmva_bnn.transform.fit_decorrelate import fit_decorrelation
from pytmva_bnn.transform.fit_gauss import fit_gaussianisation
from pytmva_bnn.transform.fit_normalise import fit_normalisation
from pytmva_bnn.transform.fit_principal import fit_principal_components
from pytmva_bnn.transform.gauss import Gaussianisation
from pytmva_bnn.transform.normalise import Normalisation
from pytmva_bnn.transform.principal import PrincipalComponents
from pytmva_bnn.transform.selection import SPECTATOR, TARGET, VARIABLE, Column, Columns, Quantity, Selection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats32 = NDArray[np.float32]

LOGGER = logging.getLogger("pytmva_bnn.transform")

FittedStep: TypeAlias = Normalisation | Decorrelation | PrincipalComponents | Gaussianisation
"""Any step that can be fitted."""

IDENTITY = "I"


@dataclass(frozen=True, eq=False)
class TrainingEvents:
    """Training events in their order: float32 arrays (n_events, n), class indices and weights (n_events,).

    Events whose negative weights are to be ignored have weight 0 here.

    >>> events = TrainingEvents([[1.0, 2.0]], classes=[0], weights=[1.0])
    >>> events.variables.dtype, events.targets.shape
    (dtype('float32'), (1, 0))
    """

    variables: Floats32
    classes: NDArray[np.intp]
    weights: NDArray[np.float64]
    targets: Floats32 = dataclasses.field(default_factory=lambda: np.empty((0, 0), np.float32))
    spectators: Floats32 = dataclasses.field(default_factory=lambda: np.empty((0, 0), np.float32))

    def __post_init__(self) -> None:
        classes = np.asarray(self.classes).astype(np.intp)
        object.__setattr__(self, "classes", classes)
        for name in ("variables", "targets", "spectators"):
            object.__setattr__(self, name, _as_events(getattr(self, name), len(classes), classes))
        object.__setattr__(self, "weights", as_weights(self.weights, len(classes)))


def _as_events(values: ArrayLike, n_events: int, classes: NDArray[np.intp]) -> Floats32:
    array = np.asarray(values, dtype=np.float32)
    return np.empty((n_events, 0), np.float32) if array.shape == (0, 0) else as_inputs(array, classes)


@dataclass(frozen=True, eq=False)
class _TrainingStep:
    """A step with the one set of parameters that the training uses, and the columns it reads and writes."""

    step: FittedStep
    columns: Columns


class FittedChain:
    """The result of :func:`fit_chain`.

    ``steps`` have all sets of parameters, as a weight file holds them; ``n_transformations`` counts the identities
    too, which have no step.

    >>> FittedChain([], [], {}, n_transformations=0).steps
    ()
    """

    def __init__(
        self,
        steps: Sequence[FittedStep],
        training_steps: Sequence[_TrainingStep],
        known: Mapping[str, Sequence[Quantity]],
        n_transformations: int,
    ) -> None:
        self.steps: tuple[FittedStep, ...] = tuple(steps)
        self.n_transformations = n_transformations
        self._training_steps = tuple(training_steps)
        self._known = {kind: tuple(known.get(kind, ())) for kind in (VARIABLE, TARGET, SPECTATOR)}

    def forward_training(
        self, variables: ArrayLike, targets: ArrayLike | None = None, spectators: ArrayLike | None = None
    ) -> tuple[Floats32, Floats32]:
        """Return variables and targets as the training sees them, float32 (n_events, n) each.

        Every step uses the set of its reference class, whatever the event's class, in full precision.

        >>> variables, targets = FittedChain([], [], {"Variable": [Quantity("Variable", "a", "a")]},
        ...     n_transformations=0).forward_training([[1.0]])
        >>> variables.tolist(), targets.shape
        ([[1.0]], (1, 0))
        """
        n_events = len(np.asarray(variables))
        given = {VARIABLE: variables, TARGET: targets, SPECTATOR: spectators}
        event = {kind: self._array(kind, values, n_events) for kind, values in given.items()}
        for one in self._training_steps:
            _apply(one, event)
        return event[VARIABLE], event[TARGET]

    def training_chain(self) -> TransformationChain:
        """Return the chain for events without targets and for network outputs, with the training's parameters.

        TMVA uses it only where no weight file is written (ModelPersistence=False).

        >>> FittedChain([], [], {}, n_transformations=0).training_chain().steps
        ()
        """
        steps = [one.step for one in self._training_steps]
        return TransformationChain(steps, self._known[VARIABLE], self._known[TARGET], self._known[SPECTATOR])

    def _array(self, kind: str, values: ArrayLike | None, n_events: int) -> Floats32:
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

    >>> from pytmva_bnn.options import parse_var_transform
    >>> events = TrainingEvents([[0.0], [4.0]], [0, 0], [1.0, 1.0], targets=[[1.0], [3.0]])
    >>> chain = fit_chain(parse_var_transform("I+N"), events, class_names=["Regression"],
    ...     variables=[Quantity("Variable", "a", "a")], targets=[Quantity("Target", "t", "t")])
    >>> len(chain.steps), chain.n_transformations, chain.steps[0].maxima.tolist()
    (1, 2, [[4.0, 3.0]])
    """
    known = {VARIABLE: tuple(variables), TARGET: tuple(targets), SPECTATOR: tuple(spectators)}
    event = {VARIABLE: events.variables, TARGET: events.targets, SPECTATOR: events.spectators}
    for kind, array in event.items():
        if array.shape[1] != len(known[kind]):
            raise InputError(f"{array.shape[1]} columns of {kind.lower()}s were given for {len(known[kind])} names")
    n_sets = len(class_sets(events.classes, len(class_names)))
    steps: list[FittedStep] = []
    training_steps: list[_TrainingStep] = []
    for number, spec in enumerate(specs):
        reference = spec.class_index(class_names)
        chosen = select(spec.selection, *([quantity.label for quantity in known[kind]] for kind in known))
        columns = Columns(*(tuple(Column(q.kind.value, q.index) for q in part) for part in (chosen.get, chosen.put)))
        _check(spec, columns, len(variables))
        if spec.name == IDENTITY:
            continue
        step = _fit(spec.name, gather(event, columns.get), events, len(class_names), _named(chosen, known))
        steps.append(step)
        training_steps.append(_TrainingStep(_only_set(step, set_of_reference(reference, n_sets)), columns))
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
    if spec.name in {"D", "P"} and kinds != {VARIABLE}:
        title = {"D": "decorrelation", "P": "PCA"}[spec.name]
        found = ", ".join(sorted(kind.lower() + "s" for kind in kinds)) or "nothing"
        raise InputError(
            f"You mixed variables and targets in the {title} transformation: it selects {found}. "
            "This is not possible; select variables only."
        )


def _fit(name: str, x: Floats32, events: TrainingEvents, n_classes: int, selection: Selection) -> FittedStep:
    classes, weights = events.classes, events.weights
    match name:
        case "N" | "S":
            return fit_normalisation(x, classes, n_classes, selection, offset=name == "N")
        case "D":
            return fit_decorrelation(x, classes, weights, n_classes, selection)
        case "P":
            return fit_principal_components(x, classes, n_classes, selection)
        case "G" | "U":
            return fit_gaussianisation(x, classes, weights, n_classes, selection, flat=name == "U")
        case _:
            raise InputError(f"the variable transformation '{name}' cannot be fitted; known are I D P G U N S")


def _only_set(step: FittedStep, index: int) -> FittedStep:
    """Return the step with one set of parameters."""
    one = slice(index, index + 1)
    match step:
        case Normalisation():
            return dataclasses.replace(step, minima=step.minima[one], maxima=step.maxima[one])
        case Decorrelation():
            return dataclasses.replace(step, matrices=step.matrices[one])
        case PrincipalComponents():
            return dataclasses.replace(step, means=step.means[one], eigenvectors=step.eigenvectors[one])
        case Gaussianisation():
            return dataclasses.replace(step, cumulatives=tuple(sets[one] for sets in step.cumulatives))


def _apply(one: _TrainingStep, event: dict[str, Floats32]) -> None:
    if one.columns.get:
        scatter(event, one.columns.put, one.step.apply(gather(event, one.columns.get)))
