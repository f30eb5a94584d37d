"""A network applied to the tree of one file: read, evaluate and write, block by block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from pytmva_bnn.cli.column_types import as_type, common_types
from pytmva_bnn.cli.console import error_message
from pytmva_bnn.cli.event_writers import event_writer
from pytmva_bnn.cli.response_columns import RESPONSE, ResponseColumns
from pytmva_bnn.convert import load_any
from pytmva_bnn.dataset import source_of
from pytmva_bnn.events.sources import BLOCK_SIZE
from pytmva_bnn.model import Model


@dataclass(frozen=True)
class Task:
    """What is to be done with one file; plain data, so that it can be sent to another process or machine."""

    weights: str
    source: str
    target: str
    errors: bool = False
    keep: tuple[str, ...] = ()
    name: str = RESPONSE
    output_tree: str = ""
    block_size: int = BLOCK_SIZE
    signal_efficiency: float | None = None


@dataclass(frozen=True)
class Outcome:
    """What has become of a task: the columns and events written, or the error.

    ``n_undefined`` events have a response of NaN, as one of their variables is NaN or infinite.
    """

    task: Task
    n_events: int = 0
    columns: tuple[str, ...] = ()
    tree: str = ""
    n_undefined: int = 0
    error: str = ""

    @property
    def good(self) -> bool:
        """Whether the output was written."""
        return not self.error


@lru_cache(maxsize=4)
def _model(path: str) -> Model:
    return load_any(path)


def apply_file(task: Task, advance: Callable[[int], object] | None = None) -> Outcome:
    """Do a task; call ``advance`` with the number of entries of each block."""
    source = source_of(task.source)
    model = _model(task.weights)
    if task.signal_efficiency is not None:
        model = model.at_efficiency(task.signal_efficiency)
    columns = ResponseColumns(model, source, errors=task.errors, keep=task.keep, name=task.name)
    n_events = n_undefined = 0
    tree = task.output_tree or source.name
    with event_writer(task.target, tree) as writer:
        for block in source.blocks(columns.branches, task.block_size):
            written = columns.of(block)
            writer.write(written)
            n_events += block.n_entries
            n_undefined += int(np.isnan(written[columns.response]).sum())
            if advance is not None:
                advance(block.n_entries)
    return Outcome(task, n_events, columns.names, tree, n_undefined)


def attempt(task: Task, advance: Callable[[int], object] | None = None) -> Outcome:
    """Do a task; an error becomes part of the outcome, and the other files go on."""
    try:
        return apply_file(task, advance)
    except Exception as error:
        return Outcome(task, error=error_message(error))


def merge(outcomes: Sequence[Outcome], target: str | Path, tree: str, block_size: int = BLOCK_SIZE) -> int:
    """Write the outputs of several tasks into one file, in their order; return the number of events.

    Columns whose types differ get the one that holds them all; InputError if there is none.
    """
    # what has no entries has nothing to lose: its types must not decide about those of the others
    filled = [one for one in outcomes if one.n_events] or list(outcomes[:1])
    parts = [source_of(f"{one.task.target}:{one.tree}") for one in filled]
    first = [next(part.blocks(one.columns, 1)).columns for one, part in zip(filled, parts, strict=True)]
    types = common_types([(one.task.source, columns) for one, columns in zip(filled, first, strict=True)])
    n_events = 0
    with event_writer(target, tree or filled[0].tree) as writer:
        for outcome, part in zip(filled, parts, strict=True):
            for block in part.blocks(outcome.columns, block_size):
                writer.write({name: as_type(block.columns[name], kind) for name, kind in types.items()})
                n_events += block.n_entries
    return n_events
