"""Names of transformation chains in the output file, and events after a chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.dataset import Description
from pytmva_bnn.dataset.dataset import DataSet, EventSet
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.options import parse_var_transform
from pytmva_bnn.options.transformations import TransformationSpec, split_transformations
from pytmva_bnn.transform import TrainingEvents, TransformationChain, fit_chain
from pytmva_bnn.transform.chain import gather, scatter
from pytmva_bnn.transform.selection import SPECTATOR, TARGET, VARIABLE
from pytmva_bnn.weights.records import as_quantities

IDENTITY = "Id"


def chain_name(definition: str | Sequence[TransformationSpec]) -> str:
    """Return the short name of a chain, as histograms and folders have it; empty for the chain None."""
    specs = parse_var_transform(definition) if isinstance(definition, str) else definition
    return "_".join(spec.short_name for spec in specs)


def transformed_events(chain: TransformationChain, events: EventSet) -> tuple[Float32Array, Float32Array]:
    """Return variables and targets of events after the transformations of a weight file."""
    event = {VARIABLE: events.variables, TARGET: events.targets, SPECTATOR: events.spectators}
    for placed in chain.placed:
        if placed.columns.get:
            scatter(event, placed.columns.put, placed.step.apply(gather(event, placed.columns.get)))
    return event[VARIABLE], event[TARGET]


def check_chains(transformations: str) -> None:
    """Raise OptionError if the Factory's option of that name cannot be understood.

    >>> check_chains("I;X")
    Traceback (most recent call last):
    ...
    pytmva_bnn.errors.OptionError: Transformations=I;X: ...
    """
    for text in split_transformations(transformations):
        try:
            parse_var_transform(text)
        except OptionError as error:
            reason = str(error).removeprefix("VarTransform: ")
            raise OptionError(f"Transformations={transformations}: {reason}") from None


def check_chains_fit(transformations: str, description: Description) -> None:
    """Raise OptionError if the Factory's option cannot be meant for the classes and variables of a data set.

    The output file, for which the chains are, is written after the training: that would be late.
    """
    class_names = sorted({one.name for one in description.classes} | {tree.class_name for tree in description.trees})
    if not class_names or not description.variables:
        return  # the data set cannot be built, which is reported then
    declared = (description.variables, description.targets, description.spectators)
    records = [tuple(one.record for one in quantities) for quantities in declared]
    # what goes wrong with any events goes wrong with these; more events than quantities, so that nothing is singular
    rng = np.random.default_rng(1)
    n_events = (2 * sum(map(len, records)) + 10) * len(class_names)
    values = [rng.normal(size=(n_events, len(one))).astype(np.float32) for one in records]
    events = TrainingEvents(
        values[0], np.arange(n_events) % len(class_names), np.ones(n_events), targets=values[1], spectators=values[2]
    )
    for text in split_transformations(transformations):
        try:
            fit_chain(
                parse_var_transform(text),
                events,
                class_names=class_names,
                variables=as_quantities("Variable", records[0]),
                targets=as_quantities("Target", records[1]),
                spectators=as_quantities("Spectator", records[2]),
            )
        except (InputError, OptionError) as error:
            raise OptionError(
                f"Transformations={transformations}: the data set {description.name}: {error} (in '{text}')"
            ) from None


def transformed_training_events(
    dataset: DataSet, transformations: str
) -> Iterator[tuple[str, Float32Array, Float32Array]]:
    """Yield the name of each chain of the Factory's option, and the training events after it."""
    events = dataset.training
    for text in split_transformations(transformations):
        specs = parse_var_transform(text)
        if not specs:
            continue
        chain = fit_chain(
            specs,
            TrainingEvents(
                events.variables,
                events.class_index.astype(np.intp),
                events.weights,
                events.targets,
                events.spectators,
            ),
            class_names=dataset.class_names,
            variables=as_quantities("Variable", dataset.variables),
            targets=as_quantities("Target", dataset.targets),
            spectators=as_quantities("Spectator", dataset.spectators),
        )
        variables, targets = chain.forward_training(events.variables, events.targets, events.spectators)
        yield chain_name(specs), variables, targets
