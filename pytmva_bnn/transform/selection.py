"""Which quantities a transformation reads and writes, by name (as in files) and by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytmva_bnn.errors import InputError, suggestion

VARIABLE = "Variable"
TARGET = "Target"
SPECTATOR = "Spectator"
KINDS = (VARIABLE, TARGET, SPECTATOR)


@dataclass(frozen=True)
class Quantity:
    """A variable, target or spectator: ``kind`` is "Variable", "Target" or "Spectator"."""

    kind: str
    label: str
    expression: str


@dataclass(frozen=True)
class Selection:
    """What a transformation reads (``inputs``) and where the results go (``outputs``; if empty: the same)."""

    inputs: tuple[Quantity, ...]
    outputs: tuple[Quantity, ...]


@dataclass(frozen=True)
class Column:
    """A quantity of an event by its kind and its place among those of that kind."""

    kind: str
    index: int


@dataclass(frozen=True)
class Columns:
    """A :class:`Selection` after resolving: the columns read (``get``) and written (``put``)."""

    get: tuple[Column, ...]
    put: tuple[Column, ...]

    @property
    def has_targets(self) -> bool:
        """Whether a target is among the columns read."""
        return any(column.kind == TARGET for column in self.get)

    @property
    def n_present(self) -> int:
        """Number of columns in use when events have no targets."""
        # TMVA: storing results stops at the first quantity that the event lacks
        for position, column in enumerate(self.get):
            if column.kind == TARGET:
                return position
        return len(self.get)


def resolve(
    selection: Selection,
    known: Mapping[str, Sequence[Quantity]],
    transformation: str,
    *,
    drop_unmatched: bool = False,
) -> Columns:
    """Return the columns of a selection; ``known`` lists all quantities by kind.

    The first quantity whose label or expression agrees is taken.  Entries that agree with none are refused, or left
    out with ``drop_unmatched`` as in TMVA, where later ones then take the parameters of those before them.
    """
    get, put = (
        tuple(
            _column_of(entry, known, transformation)
            for entry in entries
            if not drop_unmatched or _index_of(entry, known) is not None
        )
        for entries in (selection.inputs, selection.outputs)
    )
    put = put or get
    if len(put) > len(get):
        raise InputError(
            f"transformation {transformation}: its selection has more outputs ({len(put)}) than inputs ({len(get)})"
        )
    return Columns(get, put)


def _index_of(entry: Quantity, known: Mapping[str, Sequence[Quantity]]) -> int | None:
    for index, candidate in enumerate(known.get(entry.kind, ())):
        if entry.label == candidate.label or entry.expression == candidate.expression:
            return index
    return None


def _column_of(entry: Quantity, known: Mapping[str, Sequence[Quantity]], transformation: str) -> Column:
    if entry.kind not in KINDS:
        raise InputError(
            f"transformation {transformation}: type '{entry.kind}' of '{entry.label}' is unknown, "
            f"expected {VARIABLE}, {TARGET} or {SPECTATOR}"
        )
    index = _index_of(entry, known)
    if index is not None:
        return Column(entry.kind, index)
    # TMVA: drops such an entry silently, and the parameters of all later ones are then misplaced
    labels = [candidate.label for candidate in known.get(entry.kind, ())]
    hint = suggestion(entry.label, labels) or f"known: {', '.join(labels) or 'none'}"
    raise InputError(
        f"transformation {transformation}: its selection names the {entry.kind.lower()} '{entry.label}' "
        f"(expression '{entry.expression}'), which does not exist; {hint}"
    )
