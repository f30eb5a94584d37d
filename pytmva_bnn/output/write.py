"""Writing the output file: everything under a temporary name, which becomes the file's name at the end."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.files import expanded, folder_for
from pytmva_bnn.histograms.entries import Column, Entry, Folder, Table, TextColumn
from pytmva_bnn.output.chains import transformed_training_events
from pytmva_bnn.output.contents import DataSetOutput
from pytmva_bnn.output.event_trees import event_tables
from pytmva_bnn.output.method_folder import method_folder
from pytmva_bnn.output.root_objects import root_object
from pytmva_bnn.output.variable_plots import PlottedEvents, correlation_matrices, plots

LOGGER = logging.getLogger("pytmva_bnn.output")

ENTRIES_PER_BASKET = 100_000


def write_datasets(path: str | Path, outputs: Sequence[DataSetOutput], *, top_level: bool = False) -> None:
    """Write the output file of several data sets, each in a folder of its name.

    With ``top_level`` the contents of a single data set stand in the file itself, as before ROOT 6.08.  The file
    appears when it is complete; if anything goes wrong, what was there before stays.
    """
    if top_level and len(outputs) != 1:
        raise InputError(f"an output file without folders of data sets has place for one, got {len(outputs)}")
    names = [output.dataset.name for output in outputs]
    if len(set(names)) < len(names):
        raise InputError(f"the data sets of an output file need different names, got {', '.join(names)}")
    folders = [Folder(output.dataset.name, dataset_entries(output)) for output in outputs]
    _write(Path(expanded(path)), folders[0].entries if top_level else folders)


def dataset_entries(output: DataSetOutput) -> Iterator[Entry]:
    """Yield what the folder of a data set holds."""
    dataset, whole = output.dataset, output.whole or output.dataset
    yield from correlation_matrices(whole, output.analysis)
    taken: set[str] = set()
    for chain, variables, targets in transformed_training_events(whole, output.transformations):
        name = free_name(f"InputVariables_{chain}", taken)
        yield Folder(name, plots(PlottedEvents(whole, whole.training, variables, targets, chain, f"_{chain}")))
    for kind in dict.fromkeys(method.kind for method in output.methods):
        of_kind = [method for method in output.methods if method.kind == kind]
        yield Folder(f"Method_{kind}", (method_folder(method, dataset) for method in of_kind))
    if output.is_evaluated:
        yield from event_tables(output)


def free_name(name: str, taken: set[str]) -> str:
    """Return the name, with a number if it is taken, and remember it."""
    found = name
    numbers = count()
    while found in taken:
        found = f"{name}_{next(numbers)}"
    taken.add(found)
    return found


# ---- with uproot --------------------------------------------------------------------------------------------


def _write(path: Path, entries: Iterable[Entry]) -> None:
    import uproot  # lazy: heavy, and not needed without an output file

    target = path.resolve() if path.is_symlink() else path
    with (
        folder_for(target),
        tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name[:40]}.") as folder,
    ):
        unfinished = Path(folder) / "unfinished.root"
        with uproot.recreate(unfinished) as file:
            _fill(file, entries)
        unfinished.replace(target)
    LOGGER.info("Output file %s written", path)


def _fill(directory: Any, entries: Iterable[Entry]) -> None:
    for entry in entries:
        match entry:
            case Folder():
                _fill(directory.mkdir(entry.name), entry.entries)
            case Table():
                _add_tree(directory, entry)
            case _:
                directory[entry.name] = root_object(entry)


def _add_tree(directory: Any, table: Table) -> None:
    # mktree: an assignment of columns would make an RNTuple
    types = {name: _type(column) for name, column in table.columns.items()}
    tree = directory.mktree(table.name, types, title=table.title or table.name)
    for start in range(0, table.n_entries, ENTRIES_PER_BASKET):
        part = slice(start, start + ENTRIES_PER_BASKET)
        tree.extend({name: _part(column, part) for name, column in table.columns.items()})


def _type(column: Column) -> Any:
    if isinstance(column, TextColumn):
        return "string"
    return column.dtype if column.ndim == 1 else np.dtype((column.dtype, column.shape[1:]))


def _part(column: Column, part: slice) -> Any:
    if isinstance(column, TextColumn):
        import awkward as ak  # heavy

        return ak.Array(list(column.texts))[column.index[part]]
    return column[part]
