"""ROOT files that appear only when they are complete."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn.compat.errors import RootFileError
from pytmva_bnn.compat.graphs import TGraph
from pytmva_bnn.compat.histogram_files import stored_form
from pytmva_bnn.compat.histograms import TH1
from pytmva_bnn.compat.trees import TTree, columns_to_write
from pytmva_bnn.events.sources import Block, EventSource
from pytmva_bnn.events.sources.root_files import readable
from pytmva_bnn.files import atomic_writer, folder_for
from pytmva_bnn.histograms.entries import NamedGraph
from pytmva_bnn.output.root_objects import root_object


def write_root_file(
    path: str, records: Mapping[str, Any], folders: Collection[str] = (), *, keep: bool = False
) -> None:
    """Write trees, histograms, graphs and text by their paths; with ``keep``, beside what the file has already."""
    import uproot  # lazy: heavy

    target = Path(path)
    with (
        folder_for(target.absolute()),
        tempfile.TemporaryDirectory(prefix=f".{target.name[:40]}.", dir=target.absolute().parent) as folder,
    ):
        scratch = Path(folder) / "new.root"
        if keep and target.exists():
            shutil.copyfile(target, scratch)
        with readable(path, "it", RootFileError):
            opened = uproot.update(scratch) if scratch.exists() else uproot.recreate(scratch)
            known = set(opened.keys(cycle=False))
        with opened as file:
            for name in folders:
                if name not in known:
                    file.mkdir(name)
            for name, thing in records.items():
                _put(file, name, thing)
        with scratch.open("rb") as complete, atomic_writer(target) as stream:
            shutil.copyfileobj(complete, stream)


def _put(file: Any, path: str, thing: Any) -> None:
    if isinstance(thing, TTree):
        _put_tree(file, path, thing)
    elif isinstance(thing, TH1):
        file[path] = stored_form(thing)
    elif isinstance(thing, TGraph):
        name = path.rpartition("/")[2]
        file[path] = root_object(NamedGraph(name, thing.GetTitle(), thing.GetX(), thing.GetY()))
    else:
        file[path] = str(thing)


def _put_tree(file: Any, path: str, tree: TTree) -> None:
    source = tree.__event_source__()
    every = columns_to_write(tree)
    names = [name for name in every if name[:1] != "n" or name[1:] not in every or not _is_counter(source, name)]
    if not names:
        return
    written = None
    for block in source.blocks(names):
        columns = {name: _writable(path, name, column) for name, column in _without_records(block, names)}
        if written is None:
            types = {name: _type_of(values) for name, values in columns.items()}
            written = file.mktree(path, types, title=tree.GetTitle(), counter_name=partial(_counter, frozenset(names)))
        if block.n_entries:
            written.extend(columns)


def _without_records(block: Block, names: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a block; a branch with several leaves becomes one branch for each, ``event.x``."""
    for name in names:
        column = block.columns[name]
        leaves = getattr(getattr(column, "dtype", None), "names", None)
        if leaves is None:
            yield name, column
        for leaf in leaves or ():
            yield f"{name}.{leaf}", column[leaf]


def _is_counter(source: EventSource, name: str) -> bool:
    """Return whether a branch holds the sizes of another one, which are written with that anyway."""
    counted = name[1:]
    for block in source.blocks([name, counted]):
        lists, sizes = block.columns[counted], block.columns[name]
        if isinstance(lists, np.ndarray) or lists.ndim < 2 or getattr(sizes, "dtype", None) != np.dtype(np.int32):
            return False
        import awkward as ak  # the lists are one of its arrays already

        if not np.array_equal(ak.to_numpy(ak.num(lists)), sizes):
            return False
    return True


def _counter(taken: frozenset[str], counted: str) -> str:
    """Return the name of the branch with the sizes of ``counted``."""
    return f"n{counted}" if f"n{counted}" not in taken else f"{counted}_size"


def _writable(path: str, name: str, values: Any) -> Any:
    """Return the values of a branch in a form that uproot writes."""
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OU":
        return values.astype(values.dtype.newbyteorder("="), copy=False)
    import awkward as ak  # uproot has it loaded already

    try:
        if isinstance(values, np.ndarray) and values.dtype.kind == "U":
            return ak.Array([*values.tolist(), ""])[:-1]  # with one text the type is known
        return values if isinstance(values, ak.Array) else ak.Array(list(values))
    except (TypeError, ValueError) as error:
        raise RootFileError(f"the branch {name} of {path} cannot be written: {error}") from error


def _type_of(values: Any) -> Any:
    if isinstance(values, np.ndarray):
        return np.dtype((values.dtype, values.shape[1:]))
    return values.type.content
