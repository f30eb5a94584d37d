"""Booking and training of the methods of a Category: their data sets."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset import DataSet, Description, EventSet, InputVariable, build
from pytmva_bnn.dataset.statistics import ranges
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord, internal_name
from pytmva_bnn.formula import Formula, FormulaError
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.booking import Booking, check_quantities
from pytmva_bnn.methods.composite.category_fitted import FittedCategory, Region, is_cut
from pytmva_bnn.methods.composite.category_xml import columns_of
from pytmva_bnn.methods.protocol import TrainingJob
from pytmva_bnn.methods.sub_methods import SubMethodRequest
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.Category")

LEAST_TRAINING_EVENTS = 10


@dataclass(frozen=True, eq=False)
class BookedRegion:
    """A region as AddMethod has booked it; without a ``description`` it takes its events from the Category's."""

    request: SubMethodRequest
    columns: tuple[int, ...]
    booked: Booking
    description: Description | None


@dataclass(frozen=True, eq=False)
class CategorySettings:
    """What is booked of a Category."""

    title: str
    analysis: AnalysisType
    regions: list[BookedRegion] = field(default_factory=list)


# -- booking


def add_region(
    settings: CategorySettings, request: SubMethodRequest, description: Description, *, own_events: bool
) -> Booking:
    """Book the method of one more region; the Category's data set gets the cut's value as a spectator."""
    if any(region.request.title == request.title for region in settings.regions):
        raise InputError(f"AddMethod({request.title!r}): {settings.title} already has a method of this title")
    if not request.cut.strip():
        raise InputError(f"AddMethod({request.title!r}): a region needs a cut, such as 'abs(eta)<1.3'")
    spectators = [spectator for spectator in description.spectators if spectator.record.type != "C"]
    inputs = [*description.variables, *spectators]
    labels = tuple(variable.record.label for variable in inputs)
    columns = columns_of(request.variables, labels, len(description.variables))
    booked = Booking.parse(method_of(request.kind), request.options, settings.analysis, request.title, len(columns))
    own = _own_description(description, request, [inputs[column] for column in columns], spectators)
    check_quantities(booked.options.string("VarTransform"), own, request.title)
    _check_names(request, [variable.record for variable in inputs])
    settings.regions.append(BookedRegion(request, columns, booked, own if own_events else None))
    _add_cut(description, settings, request)
    return booked


def _own_description(
    description: Description,
    request: SubMethodRequest,
    variables: Sequence[InputVariable],
    spectators: Sequence[InputVariable],
) -> Description:
    """Return the data set of a region: other variables, one more cut; trees that come later belong to both."""
    options = [description.options] if description.options else []
    own = replace(
        description,
        name=f"{request.title}_dsi",
        variables=list(variables),
        targets=list(description.targets),
        spectators=list(spectators),
        classes=list(description.classes),
        options=":".join([*options, "ScaleWithPreselEff"]),
        revision=0,
    )
    own.add_cut(request.cut)
    return own


def _check_names(request: SubMethodRequest, records: Sequence[VariableRecord]) -> None:
    """Warn if a weight file could not evaluate the cut: TMVA says nothing, and its Reader fails.

    A cut that is no expression at all raises a FormulaError.
    """
    known = {record.expression for record in records} | {record.label for record in records}
    formula = Formula(request.cut)
    try:
        formula.branches_of(known)
    except FormulaError as error:
        log.warning(
            "AddMethod(%r): the cut %s uses something other than variables and spectators (%s), so no Reader can "
            "evaluate the weight file; declare it with AddSpectator",
            request.title,
            request.cut,
            error.problem,
        )


def _add_cut(description: Description, settings: CategorySettings, request: SubMethodRequest) -> None:
    cut, label = request.cut.replace(" ", ""), f"{settings.title}_cat{len(settings.regions)}"
    title = f"{settings.title}:{request.title}"
    record = VariableRecord(cut, label, title, "pass", internal_name(label), "C", 0.0, 0.0)
    description.add_spectator(InputVariable(record))


# -- training


def train_category(job: TrainingJob) -> FittedCategory:
    """Train the methods of all regions, one after the other."""
    settings: CategorySettings = job.settings
    if not settings.regions:
        raise InputError(f"{job.title} has no methods: call AddMethod(cut, variables, type, title, options)")
    if job.train_sub_method is None:
        raise InputError(f"{job.title}: the methods of a Category cannot be trained here")
    declared = [spectator for spectator in job.dataset.spectators if spectator.type != "C"]
    records = (*job.dataset.variables, *declared)
    regions = []
    for region in settings.regions:
        dataset = _dataset(region, job.dataset)
        title = region.request.title
        _check_events(title, region.request.cut, dataset)
        trained = job.train_sub_method(dataset, title, region.booked)
        # TMVA: the methods of a Category have no <Spectators>
        dialect = replace(trained.file.dialect, spectators_element=False)
        file = replace(trained.file, spectators=(), dialect=dialect)
        regions.append(
            Region(
                region.request.cut,
                region.request.variables,
                region.columns,
                file,
                trained.fitted,
                trained.transformations,
            )
        )
    names, labels = (tuple(getattr(record, name) for record in records) for name in ("expression", "label"))
    return FittedCategory(names, labels, len(job.dataset.variables), tuple(regions))


def _check_events(title: str, cut: str, dataset: DataSet) -> None:
    number = len(dataset.training)
    if number < LEAST_TRAINING_EVENTS:
        raise InputError(
            f"Method {title} not trained (training tree has less entries [{number}] than required "
            f"[{LEAST_TRAINING_EVENTS}]): check its cut {cut}, or request more training events"
        )


def _dataset(region: BookedRegion, whole: DataSet) -> DataSet:
    if region.description is None:
        return _part_of(whole, region)
    # TMVA: the method that is trained decides, unless the data set was built when it was booked
    booked = region.booked
    return build(
        region.description,
        ignore_negative_weights=booked.ignores_negative_weights and not booked.builds_dataset_early,
    )


def _part_of(whole: DataSet, region: BookedRegion) -> DataSet:
    """Return the events of a data set that are in a region, with its variables."""
    cut = next(i for i, spectator in enumerate(whole.spectators) if is_cut(spectator, region.request.cut))
    declared = [i for i, spectator in enumerate(whole.spectators) if spectator.type != "C"]

    def chosen(events: EventSet) -> EventSet:
        rows: NDArray[np.intp] = np.flatnonzero(events.spectators[:, cut] > 0.5)
        spectators = events.spectators[rows][:, declared]
        inputs = np.hstack([events.variables[rows], spectators])[:, region.columns]
        return EventSet(inputs, events.targets[rows], spectators, events.class_index[rows], events.weights[rows])

    training, test = chosen(whole.training), chosen(whole.test)
    records = (*whole.variables, *(whole.spectators[i] for i in declared))
    limits = ranges(training.variables) or [(0.0, 0.0)] * len(region.columns)
    return replace(
        whole,
        name=f"{region.request.title}_dsi",
        variables=tuple(
            replace(records[column], minimum=low, maximum=high)
            for column, (low, high) in zip(region.columns, limits, strict=True)
        ),
        spectators=tuple(whole.spectators[i] for i in declared),
        training=training,
        test=test,
        correlations={},
    )
