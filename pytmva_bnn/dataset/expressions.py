"""The expressions of a data set, parsed, and checked against the trees they will be evaluated on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytmva_bnn.dataset.description import Description, InputVariable
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources import EventSource
from pytmva_bnn.formula import Formula, FormulaError


@dataclass(frozen=True)
class Expression:
    """A formula and what it is for: ``Input``, ``Target``, ``Spectator``, ``Cut`` or ``Weight``.

    ``size`` is the number of columns it fills if it is an array of AddVariablesArray, else None.
    """

    what: str
    formula: Formula
    size: int | None = None

    @classmethod
    def parse(cls, what: str, text: str, size: int | None = None) -> Expression:
        """Return the expression ``text``."""
        try:
            return cls(what, Formula(text), size)
        except FormulaError as error:
            raise _unusable(what, text, error) from error

    @property
    def text(self) -> str:
        """The expression as the user wrote it."""
        return self.formula.expression

    @property
    def n_columns(self) -> int:
        """The number of values that it gives for an event."""
        return 1 if self.size is None else self.size

    def branches_in(self, source: EventSource) -> frozenset[str]:
        """Return the branches of a tree that it needs; raise if one is not there."""
        try:
            return self.formula.branches_of(source.columns, tree=source.name)
        except FormulaError as error:
            raise _unusable(self.what, self.text, error, source.where) from error


def _unusable(what: str, text: str, error: FormulaError, where: str = "") -> DatasetError:
    place = f" for the tree {where}" if where else ""
    return DatasetError(f"{what} expression {text} could not be resolved to a valid formula{place}: {error}")


@dataclass(frozen=True)
class Expressions:
    """All expressions of a data set; ``cuts`` and ``weights`` have one for each class, or None."""

    variables: tuple[Expression, ...]
    targets: tuple[Expression, ...]
    spectators: tuple[Expression, ...]
    cuts: tuple[Expression | None, ...]
    weights: tuple[Expression | None, ...]

    @classmethod
    def of(cls, description: Description) -> Expressions:
        """Parse the expressions of a description."""
        return cls(
            _parsed("Input", description.variables),
            _parsed("Target", description.targets),
            _parsed("Spectator", description.spectators),
            tuple(Expression.parse("Cut", one.cut) if one.cut else None for one in description.classes),
            tuple(Expression.parse("Weight", one.weight) if one.weight else None for one in description.classes),
        )

    @property
    def quantities(self) -> tuple[Expression, ...]:
        """What is stored of an event: variables, targets, spectators."""
        return (*self.variables, *self.targets, *self.spectators)

    def of_class(self, class_index: int) -> tuple[Expression, ...]:
        """Return all expressions that are evaluated for events of a class."""
        others = (self.cuts[class_index], self.weights[class_index])
        return (*self.quantities, *(one for one in others if one is not None))

    def branches_in(self, source: EventSource, class_index: int) -> frozenset[str]:
        """Return the branches to read of a tree of a class; raise if one is not there."""
        # TMVA: the cuts of all classes must be valid for every tree, the weights only for those of their class
        for cut in self.cuts:
            if cut is not None:
                cut.branches_in(source)
        return frozenset().union(*(one.branches_in(source) for one in self.of_class(class_index)))


def _parsed(what: str, variables: Sequence[InputVariable]) -> tuple[Expression, ...]:
    parsed = []
    for variable in variables:
        if variable.element is None:
            parsed.append(Expression.parse(what, variable.record.expression))
        elif variable.element == 0:
            # the elements of an array stand one after the other
            parsed.append(Expression.parse(what, variable.record.expression, variable.size))
    return tuple(parsed)
