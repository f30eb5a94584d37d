"""A chain of transformations applied to events, and its inverse for the targets of a regression."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform.decorrelate import Decorrelation
from pytmva_bnn.transform.gauss import Gaussianisation
from pytmva_bnn.transform.normalise import Normalisation
from pytmva_bnn.transform.oldgauss import OldGaussianisation
from pytmva_bnn.transform.principal import PrincipalComponents
from pytmva_bnn.transform.rearrange import Rearrangement
from pytmva_bnn.transform.selection import SPECTATOR, TARGET, VARIABLE, Column, Columns, Quantity, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats32 = NDArray[np.float32]

Step: TypeAlias = (
    Normalisation | Decorrelation | PrincipalComponents | Gaussianisation | OldGaussianisation | Rearrangement
)
"""Any transformation of a chain."""


@dataclass(frozen=True, eq=False)
class PlacedStep:
    """A step and the columns it reads and writes."""

    step: Step
    columns: Columns


class TransformationChain:
    """The transformations of a weight file in their order, with the selections resolved to columns.

    Every step rounds to float32 and uses its last set of parameters (that of all classes).  A step without
    selection (TMVA <= 4.1.0) acts on all variables, a normalisation on all targets too;
    ``ignore_unselected_old_steps`` makes those other than normalisations do nothing, as in current ROOT;
    ``drop_unmatched`` leaves out entries of selections that name nothing known, as TMVA does, instead of refusing them.

    >>> a, t = Quantity("Variable", "a", "a"), Quantity("Target", "t", "t")
    >>> old = Normalisation(None, np.float32([[0.0, 10.0]]), np.float32([[2.0, 20.0]]))
    >>> chain = TransformationChain([old], variables=[a], targets=[t])
    >>> chain.forward(np.float32([[0.5]])).tolist()
    [[-0.5]]
    >>> chain.inverse_targets(np.float32([[0.0]])).tolist()
    [[15.0]]
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
    ) -> None:
        self.steps: tuple[Step, ...] = tuple(steps)
        self._known = {VARIABLE: tuple(variables), TARGET: tuple(targets), SPECTATOR: tuple(spectators)}
        self._placed = [
            PlacedStep(step, _columns(step, self._known, drop_unmatched))
            for step in self.steps
            # TMVA: reads an old step of these kinds but gives it no inputs, so it changes nothing
            if not (ignore_unselected_old_steps and step.selection is None and not isinstance(step, Normalisation))
        ]
        for placed in self._placed:
            _check(placed)

    @property
    def n_variables(self) -> int:
        """Return the number of variables that go in.

        >>> TransformationChain([], variables=[]).n_variables
        0
        """
        return len(self._known[VARIABLE])

    @property
    def placed(self) -> tuple[PlacedStep, ...]:
        """The steps that act, each with the columns it reads and writes.

        >>> TransformationChain([], variables=[]).placed
        ()
        """
        return tuple(self._placed)

    @property
    def transforms_targets(self) -> bool:
        """Whether :meth:`inverse_targets` does anything.

        >>> TransformationChain([], variables=[]).transforms_targets
        False
        """
        return any(placed.columns.has_targets for placed in self._placed)

    @cached_property
    def needs_spectators(self) -> bool:
        """Whether :meth:`forward` needs the spectators.

        >>> TransformationChain([], variables=[]).needs_spectators
        False
        """
        return any(
            column.kind == SPECTATOR
            for placed in self._placed
            for column in placed.columns.get[: placed.columns.n_present]
        )

    def forward(self, variables: Floats32, spectators: Floats32 | None = None) -> Floats32:
        """Return the transformed variables, float32 (n_events, n_variables); the input stays as it is.

        Targets are absent: steps leave them out.  Events do not influence each other.

        >>> a, b = Quantity("Variable", "a", "a"), Quantity("Variable", "b", "b")
        >>> chain = TransformationChain([Decorrelation(None, (2 * np.eye(2),))], variables=[a, b])
        >>> chain.forward(np.float32([[1.0, 2.0]])).tolist()
        [[2.0, 4.0]]
        """
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
            raise InputError(f"a transformation uses spectators: give the values of {names} as well")
        for placed in self._placed:
            n = placed.columns.n_present
            if n:
                y = placed.step.apply(gather(event, placed.columns.get[:n]))
                scatter(event, placed.columns.put[:n], y)
        result = event[VARIABLE]
        return result.copy() if np.may_share_memory(result, given) else result

    def inverse_targets(self, outputs: Floats32) -> Floats32:
        """Return the targets that network outputs (n_events, n_targets) stand for, float32.

        >>> t = Quantity("Target", "t", "t")
        >>> step = Normalisation(None, np.float32([[10.0]]), np.float32([[20.0]]))
        >>> chain = TransformationChain([step], variables=[], targets=[t])
        >>> chain.inverse_targets(np.float32([[1.0]])).tolist()
        [[20.0]]
        """
        return self._inverse(self._as_events(outputs, TARGET))

    def inverse_targets64(self, outputs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the same as :meth:`inverse_targets` without rounding to float32, for error bands.

        >>> t = Quantity("Target", "t", "t")
        >>> step = Normalisation(None, np.float32([[10.0]]), np.float32([[20.0]]))
        >>> chain = TransformationChain([step], variables=[], targets=[t])
        >>> chain.inverse_targets64(np.array([[0.1]])).tolist()
        [[15.5]]
        """
        return self._inverse(self._as_events(outputs, TARGET, np.float64))

    def _inverse(self, outputs: NDArray[Any]) -> NDArray[Any]:
        result = outputs.copy()
        # TMVA: walks backwards, but every inverse starts from the network output instead of the result so
        # far, and the last one wins: only the first step with targets counts, the others can just fail
        for placed in reversed(self._placed):
            if placed.columns.has_targets:
                result = _inverse_of_step(placed, outputs)
        return result

    def _as_events(self, values: NDArray[Any], kind: str, dtype: type = np.float32) -> NDArray[Any]:
        with np.errstate(over="ignore"):
            array: NDArray[Any] = np.asarray(values, dtype=dtype)
        n = len(self._known[kind])
        if array.ndim != 2 or array.shape[1] != n:
            raise InputError(f"{kind.lower()}s must have the shape (n_events, {n}), got {array.shape}")
        return array


def _columns(step: Step, known: Mapping[str, Sequence[Quantity]], drop_unmatched: bool) -> Columns:
    if step.selection is not None:
        return resolve(step.selection, known, step.title, drop_unmatched=drop_unmatched)
    kinds = (VARIABLE, TARGET) if isinstance(step, Normalisation) else (VARIABLE,)
    get = tuple(Column(kind, index) for kind in kinds for index in range(len(known[kind])))
    return Columns(get, get)


def _check(placed: PlacedStep) -> None:
    """Raise an InputError where TMVA stops with FATAL, or would read beyond its parameters."""
    step, columns = placed.step, placed.columns
    # entries that were dropped have parameters all the same
    n_inputs = len(columns.get) if step.selection is None else len(step.selection.inputs)
    step.check(n_inputs)
    if isinstance(step, Decorrelation | PrincipalComponents) and 0 < len(columns.get) < n_inputs:
        raise InputError(
            f"transformation {step.title}: only {len(columns.get)} of the {n_inputs} entries of its selection are "
            "known, so its matrix does not fit"
        )
    if not columns.has_targets:
        return
    if isinstance(step, Rearrangement | OldGaussianisation):
        raise InputError(f"transformation {step.title}: its selection has a target, which is not possible")
    if isinstance(step, Decorrelation | PrincipalComponents) and any(c.kind != TARGET for c in columns.get):
        raise InputError(
            f"transformation {step.title}: its selection mixes variables and targets, which is not possible"
        )


def gather(event: Mapping[str, Floats32], columns: Sequence[Column]) -> Floats32:
    """Return the columns (n_events, n_columns) of events that have arrays by kind of quantity.

    >>> event = {"Variable": np.float32([[1.0, 2.0]]), "Target": np.float32([[7.0]])}
    >>> gather(event, [Column("Variable", 1), Column("Target", 0)]).tolist()
    [[2.0, 7.0]]
    """
    if _are_all_variables(columns, event):
        return event[VARIABLE]
    if not columns:
        return event[VARIABLE][:, :0]
    return np.stack([event[column.kind][:, column.index] for column in columns], axis=1)


def scatter(event: dict[str, Floats32], columns: Sequence[Column], values: Floats32) -> None:
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


def _are_all_variables(columns: Sequence[Column], event: Mapping[str, Floats32]) -> bool:
    return columns == tuple(Column(VARIABLE, index) for index in range(event[VARIABLE].shape[1]))


def _inverse_of_step(placed: PlacedStep, outputs: NDArray[Any]) -> NDArray[Any]:
    step, get, put = placed.step, placed.columns.get, placed.columns.put
    pairs = [(position, to, at) for position, (to, at) in enumerate(zip(get, put, strict=False))]
    wanted = [pair for pair in pairs if pair[1].kind == TARGET]
    if any(at.kind != TARGET for _, _, at in wanted):
        raise InputError(
            f"transformation {step.title}: it exchanges targets with variables or spectators, "
            "so the targets cannot be transformed back from the network outputs"
        )
    positions = [position for position, _, _ in wanted]
    y = outputs[:, [at.index for _, _, at in wanted]]
    if isinstance(step, Normalisation | Gaussianisation):
        x = step.invert(y, positions)
    elif isinstance(step, PrincipalComponents):
        x = step.invert(y)
    else:
        raise InputError(
            f"transformation {step.title}: it has targets in its selection but no inverse, so the network "
            "outputs cannot be transformed back"
        )
    result = outputs.copy()
    result[:, [to.index for _, to, _ in wanted]] = x
    return result
