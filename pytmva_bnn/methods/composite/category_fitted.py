"""A trained Category: regions of events, each with a method of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.formula import Formula, FormulaError
from pytmva_bnn.methods.answers import EventBlock, Inspection, Wanted
from pytmva_bnn.methods.composite.category_loop import LinkedCategory, linked_category
from pytmva_bnn.methods.composite.members import FittedMembers, Member
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Companion, Dialect, WeightFile, method_lines
from pytmva_bnn.xmlio import writing

log = logging.getLogger("pytmva_bnn.Category")

INSIDE = 0.5
"""A cut counts as passed above this."""


@dataclass(frozen=True, eq=False)
class Region(Member):
    """The events that pass a cut, and their method.

    ``variables`` is what AddMethod was given; ``columns`` are the places of the method's variables among the variables
    and spectators of the Category.
    """

    cut: str
    variables: str
    columns: tuple[int, ...]
    file: WeightFile
    fitted: Fitted
    chain: TransformationChain | None = field(default=None, metadata={"stored": False})

    @cached_property
    def formula(self) -> Formula:
        """Return the cut."""
        return Formula(self.cut)

    def modernised(self) -> Region:
        """Return the same in the form that current TMVA reads."""
        modern = super().modernised()
        dialect = replace(modern.file.dialect, spectators_element=False)
        return replace(modern, file=replace(modern.file, dialect=dialect))

    def inputs(self, x: Float32Array) -> Float32Array:
        """Return the variables of the method as it wants them, from events of the Category."""
        return self.scale.transformations.forward(x[:, self.columns])


@dataclass(frozen=True, eq=False)
class FittedCategory(FittedMembers):
    """The regions of a Category; ``names`` and ``labels`` are those of its ``n_variables`` variables, then spectators.

    Its inputs are events as they are, variables and spectators side by side.  Behind them may stand a column for each
    region with the value of its cut, as the trees of a data set gave it; else the cuts are evaluated on the events.
    """

    names: tuple[str, ...]
    labels: tuple[str, ...]
    n_variables: int
    regions: tuple[Region, ...]

    noun = "category"
    plural = "the methods of a Category"
    holds_in = "regions"

    # -- which method

    def inside(self, x: Float32Array) -> BoolArray:
        """Return which events are in which region, ``(n_regions, n_events)``; no event is in two."""
        n = len(self.names)
        if x.shape[1] == n + len(self.regions):
            inside = x[:, n:].T > INSIDE
        else:
            columns = dict(zip((*self.labels, *self.names), (*x.T, *x.T), strict=True))
            inside = np.array([self._value(region, columns, len(x)) > INSIDE for region in self.regions])
        several = inside.sum(axis=0) > 1
        if several.any():
            event = int(np.argmax(several))
            cuts = " and ".join(region.cut for region, one in zip(self.regions, inside[:, event], strict=True) if one)
            raise InputError(f"The defined categories are not disjoint: an event passes {cuts}")
        return inside

    def _value(self, region: Region, columns: dict[str, Any], n_events: int) -> FloatArray:
        try:
            return np.asarray(region.formula.evaluate(columns, n_events=n_events))
        except FormulaError as error:
            names = ", ".join(self.names)
            raise InputError(
                f"the cut of {region.file.title} cannot be evaluated ({error.problem}): its names must be variables or "
                f"spectators of the Category, which are {names}"
            ) from error

    def _tell_outside(self, inside: BoolArray, x: Float32Array) -> None:
        """Warn of events in no region, unless their variables say nothing."""
        n_inside = int(np.count_nonzero(inside))
        if n_inside == len(x) or self.__dict__.get("_has_told"):
            return
        outside = np.flatnonzero(~np.any(inside, axis=0))
        number = int(np.isfinite(x[outside, : self.n_variables]).all(axis=1).sum())
        if number:
            self.__dict__["_has_told"] = True
            log.warning(
                "Event does not lie within the cut of any sub-classifier: %d of %d events get the response %s "
                "(reported once)",
                number,
                len(x),
                "0" if self.analysis == AnalysisType.CLASSIFICATION else "NaN",
            )

    @property
    def _nowhere(self) -> float:
        # TMVA: 0 in a classification; otherwise its answer is empty
        return 0.0 if self.analysis == AnalysisType.CLASSIFICATION else np.nan

    # -- responses

    def _collect(
        self, x: Float32Array, values: Callable[[Region, Float32Array], NDArray[Any]], shape: tuple[int, ...]
    ) -> FloatArray:
        """Return an array with what ``values`` gives for the events of each region."""
        inside = self.inside(x)
        result = np.full((len(x), *shape), self._nowhere)
        for region, member in zip(self.regions, inside, strict=True):
            events = np.flatnonzero(member)
            if events.size:
                result[events] = values(region, np.take(x, events, axis=0))
        self._tell_outside(inside, x)
        return result

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the responses of the events' methods: targets and class values as a user sees them."""

        def responses(region: Region, x: Float32Array) -> NDArray[Any]:
            found = region.scale.responses(np.asarray(region.fitted.respond(region.inputs(x))).T)
            return found.reshape(len(x), -1)

        return self._collect(x, responses, (self.n_outputs,))

    def mva_values(self, x: Float32Array) -> FloatArray:
        """Return what EvaluateMVA of the events' methods gives."""
        return self._collect(x, lambda region, x: region.fitted.mva_values(region.inputs(x)), ())

    @property
    def response_note(self) -> str:
        """Return what its methods have to say of their responses."""
        notes = ((region.file.title, region.fitted.response_note) for region in self.regions)
        return next((f"{title}: {note}" for title, note in notes if note), "")

    def is_compiled(self, n_events: int, *, errors: bool, compiled: bool | None) -> bool:
        """Tell whether a method uses compiled code for this number of events."""
        number = -(-n_events // len(self.regions))
        return any(region.fitted.is_compiled(number, errors=errors, compiled=compiled) for region in self.regions)

    def block_events(self, *, errors: bool, compiled: bool) -> int:
        """Return how many events to take at a time; the methods cut them into smaller blocks."""
        del errors, compiled
        return 65536

    def block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        """Return responses and, if wanted, error bars."""
        whole = chain.forward(x, spectators)
        inside = self.inside(whole)
        wanted = wanted._replace(memory=None)
        outputs = np.full((self.n_outputs, len(x)), self._nowhere)
        bars = self.no_bars(len(x))
        for region, member in zip(self.regions, inside, strict=True):
            events = np.flatnonzero(member)
            chosen = np.take(whole, events, axis=0)
            with np.errstate(invalid="ignore"):
                for part, responses, errors in region.blocks(chosen[:, region.columns], None, wanted):
                    outputs[:, events[part]] = responses.T
                    if errors is not None:
                        bars[0][events[part]], bars[1][events[part]] = errors
            if not np.isfinite(chosen).all():
                # spectators that are variables of the method; the variables of the Category are looked at elsewhere
                bad = events[~np.isfinite(chosen[:, region.columns]).all(axis=1)]
                outputs[:, bad] = bars[0][bad] = bars[1][bad] = np.nan
        self._tell_outside(inside, x)
        return EventBlock(outputs, error_bars=bars if wanted.errors else None)

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedCategory | None:
        """Return the short way for an event loop, if the cuts are simple and all methods have one."""
        return linked_category(self, chain, memory)

    # -- uncertainty

    @property
    def has_errors(self) -> bool:  # type: ignore[override]
        """Tell whether all methods have error bars."""
        return all(region.fitted.has_errors for region in self.regions)

    def why_no_errors(self) -> str:
        """Return which method has none, and why."""
        return next(
            (
                f"{region.file.title}: {region.fitted.why_no_errors()}"
                for region in self.regions
                if not region.fitted.has_errors
            ),
            "they are those of its methods",
        )

    def error_bars(self, x: Float32Array, name: str) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper error of the events' methods, NaN in no region."""
        inside = self.inside(x)
        lower, upper = np.full(len(x), np.nan), np.full(len(x), np.nan)
        for region, member in zip(self.regions, inside, strict=True):
            events = np.flatnonzero(member)
            if events.size:
                lower[events], upper[events] = region.fitted.error_bars(region.inputs(x[events]), name)
        return lower, upper

    # -- weight file

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights> with the complete state of each method."""
        del dialect
        yield writing.start(1, "Weights", [("NSubMethods", len(self.regions))])
        for index, region in enumerate(self.regions):
            file = region.file
            attributes = [("Index", index), ("Method", f"{file.kind}::{file.title}")]
            attributes += [("Cut", region.cut), ("Variables", region.variables)]
            yield writing.start(2, "SubMethod", attributes)
            for line in method_lines(file, region.fitted.write(file.dialect)):
                yield f"    {line}"
            yield "    </SubMethod>"
        yield "  </Weights>"

    def companions(self) -> tuple[Companion, ...]:
        """Return the files that the methods keep beside the weight file."""
        return tuple(
            replace(companion, ending=companion_prefix(region.file) + companion.ending)
            for region in self.regions
            for companion in region.fitted.companions()
        )

    # -- what people and data sets see

    @property
    def interrupted_after(self) -> str:  # type: ignore[override]
        """Return where Ctrl-C has ended the training of a method."""
        found = ((region.fitted.interrupted_after, region.file.title) for region in self.regions)
        return next((f"{place} of {title}" for place, title in found if place), "")

    def spectators_among(self, records: Sequence[VariableRecord]) -> list[int]:
        """Return the spectators, and behind them the values of its cuts, if a data set has them all."""
        cuts = [
            next((i for i, record in enumerate(records) if is_cut(record, region.cut)), None) for region in self.regions
        ]
        known = [number for number in cuts if number is not None]
        return super().spectators_among(records) + (known if len(known) == len(cuts) else [])

    @property
    def summary(self) -> str:
        """Return the kinds of its methods."""
        return f"Category of {', '.join(region.file.kind for region in self.regions)}"

    def describe(self) -> list[tuple[str, str]]:
        """Return the regions."""
        return [
            (region.file.title, f"{region.file.kind} of {self._labels(region)} where {region.cut}")
            for region in self.regions
        ]

    def _labels(self, region: Region) -> str:
        return ", ".join(self.labels[column] for column in region.columns)

    def inspection(self, head: WeightFile) -> Inspection:
        """Return the regions, and what their methods say of themselves."""
        del head
        data, sections = [], [("Regions", [f"  {name}: {text}" for name, text in self.describe()])]
        for number, region in enumerate(self.regions):
            found = self.part(number, region.file)
            data.append(found.data)
            sections += found.sections
        return Inspection(self.summary, {"regions": data}, sections)

    def part(self, number: int, head: WeightFile) -> Inspection:
        """Return the method of a region, counted from 0."""
        if not 0 <= number < len(self.regions):
            last = len(self.regions) - 1
            raise InputError(f"{head.title}: there is no region {number}; they are counted from 0 to {last}")
        region = self.regions[number]
        found = region.fitted.inspection(region.file)
        labels = [self.labels[column] for column in region.columns]
        about = {"title": region.file.title, "type": region.file.kind, "cut": region.cut, "variables": labels}
        options = {option.name: option.value for option in region.file.options if option.modified}
        sections = [(f"{region.file.title}: {title}", lines) for title, lines in found.sections]
        return Inspection(found.headline, {**about, "options": options, **found.data}, sections)


def companion_prefix(file: WeightFile) -> str:
    """Return with what the names of the companions of a method inside a Category begin."""
    return f"_{file.title}"


def is_cut(record: VariableRecord, cut: str) -> bool:
    """Tell whether a spectator of a data set is the value of this cut."""
    return record.type == "C" and record.expression == cut.replace(" ", "")
