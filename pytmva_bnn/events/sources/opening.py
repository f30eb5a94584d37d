"""The door: from events in whatever form the user has them to a source of named columns, or to an array."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn._typing import AnyArray
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources.chain import ChainSource
from pytmva_bnn.events.sources.memory import MemorySource, is_awkward
from pytmva_bnn.events.sources.root_files import RootSource, trees_in
from pytmva_bnn.events.sources.source import EventSource
from pytmva_bnn.events.sources.tables import FORMATS, ArrowFile, table_source
from pytmva_bnn.events.sources.text import text_source
from pytmva_bnn.files import expanded

NAMED = (
    "a dictionary of arrays, a numpy structured array, a pandas or polars data frame, a pyarrow table, an awkward "
    "array of records, an uproot TTree or RNTuple, 'file.root:tree' (wildcards allowed), the name of a Parquet, "
    "Feather, npz, CSV or text file, or a list of those"
)


def open_events(events: Any, name: str = "") -> EventSource | AnyArray:
    """Return events in any form as a source of named columns; as an array if their columns have no names.

    ``name`` is the name of the tree where the events have none.
    """
    if type(events) is list:  # before all else: a Reader may be given one event after the other
        return _of_sequence(events, name)
    own = getattr(type(events), "__event_source__", None)
    if own is not None:  # a source, or a tree of pytmva_bnn.compat
        source: EventSource = own(events)
        return source
    if isinstance(events, str | os.PathLike):
        return _of_path(expanded(events), name)
    if isinstance(events, np.ndarray):
        return _of_array(events, name)
    if isinstance(events, Sequence):
        return _of_sequence(events, name)
    if type(events).__module__.startswith("uproot"):
        return _of_uproot(events)
    if isinstance(events, Mapping):
        if events and all(isinstance(tree, str) for tree in events.values()):
            return _chain([_of_path(f"{expanded(path)}:{tree}", name) for path, tree in events.items()])
        return MemorySource.of_mapping(name or type(events).__name__, events)
    return _of_object(events, name)


def source_of(events: Any, name: str = "") -> EventSource:
    """Return events in any form that has names of columns as a source."""
    if events is None:
        raise DatasetError("Tree does not exist (empty pointer).")
    opened = open_events(events, name)
    if not isinstance(opened, EventSource):
        raise DatasetError(f"an array of shape {opened.shape} has no column names; give {NAMED}")
    _ = opened.n_entries  # raises if columns have different lengths
    return opened


def is_text_file(events: Any) -> bool:
    """Tell whether ``events`` names a text file, not a tree in a ROOT file or a table in another one."""
    if not isinstance(events, str | os.PathLike):
        return False
    path, tree = split_path(os.fspath(events))
    ending = Path(path).suffix
    return not tree and "://" not in path and ending not in (".root", ".npz", ".npy", *FORMATS)


def split_path(text: str) -> tuple[str, str]:
    """Return file and tree of ``file:tree``; the tree is empty if there is none."""
    path, colon, tree = text.rpartition(":")
    is_tree = colon and tree and len(path) > 1 and re.match(r"[/\\]|[0-9]+/", tree) is None
    return (path, tree) if is_tree else (text.removesuffix(":"), "")


def files_of(text: str, tree: str = "") -> list[str]:
    """Return ``file:tree`` of each file that a name or pattern means; ``tree`` counts where the text names none."""
    path, own_tree = split_path(expanded(text))
    found = [path]
    if "://" not in path and not Path(path).exists() and glob.has_magic(path):
        # TChain::Add takes the files of a pattern in alphabetical order
        found = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - Path.glob wants the folder apart
        if not found:
            raise DatasetError(f"no file matches {path}")
    tables = (".csv", ".npz", ".npy", *FORMATS)
    wanted = own_tree or tree
    return [f"{one}:{wanted}" if wanted and Path(one).suffix not in tables else one for one in found]


def _of_path(text: str, name: str) -> EventSource | AnyArray:
    found = [_of_file(one, name) for one in files_of(text)]
    return found[0] if len(found) == 1 else _chain(found)


def _of_file(text: str, name: str) -> EventSource | AnyArray:
    path, tree = split_path(text)
    ending = Path(path).suffix
    name = name or Path(path).stem
    if ending in FORMATS:
        return ArrowFile(path, FORMATS[ending], name)
    if ending in (".npz", ".npy"):
        return _of_numpy_file(path, name)
    return text_source(path, name) if is_text_file(text) else RootSource.of_file(path, tree)


def _of_numpy_file(path: str, name: str) -> EventSource | AnyArray:
    def checked(read: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return read(*arguments)
        except FileNotFoundError:
            raise DatasetError(f"the file {path} does not exist") from None
        except Exception as error:  # a damaged file fails in zipfile, zlib, tokenize or numpy, in ways of their own
            raise DatasetError(f"{path} cannot be opened as a file of numpy arrays: {error}") from error

    content = checked(np.load, path)
    if isinstance(content, np.ndarray):
        return _of_array(content, name)
    if content.files == ["arr_0"]:  # numpy's name for an array that was given none
        return _of_array(checked(content.__getitem__, "arr_0"), name)
    return MemorySource(name, content.files, partial(checked, content.__getitem__), where=path)


def _of_array(events: AnyArray, name: str) -> EventSource | AnyArray:
    names = events.dtype.names
    return events if names is None else MemorySource(name or "array", names, events.__getitem__, len(events))


def _of_sequence(events: Sequence[Any], name: str) -> EventSource | AnyArray:
    first = events[0] if len(events) else 0.0
    is_row = isinstance(first, float | int | np.generic | list | tuple) or (
        isinstance(first, np.ndarray) and first.dtype.names is None
    )
    return _as_array(events, name) if is_row else _chain([open_events(part, name) for part in events])


def _chain(parts: Sequence[EventSource | AnyArray]) -> EventSource | AnyArray:
    sources = [part for part in parts if isinstance(part, EventSource)]
    arrays = [part for part in parts if not isinstance(part, EventSource)]
    if sources and arrays:
        raise DatasetError("some of the events have column names, others do not; give all in the same form")
    return ChainSource(sources) if sources else np.concatenate(arrays)


def _as_array(events: Any, name: str) -> EventSource | AnyArray:
    try:
        return _of_array(np.asanyarray(events), name)
    except (TypeError, ValueError) as error:
        raise DatasetError(f"the events cannot be converted to a 2-D array: {error}") from error


def _of_uproot(events: Any) -> EventSource:
    if hasattr(events, "num_entries"):
        return RootSource.of_object(events)
    trees = trees_in(events) if hasattr(events, "classnames") else []
    if len(trees) != 1:
        raise DatasetError(f"{type(events).__name__} is not a tree; give one of its trees, as in file['TreeS']")
    return RootSource.of_object(events[trees[0]])


def _of_object(events: Any, name: str) -> EventSource | AnyArray:
    kind, module = type(events).__name__, type(events).__module__.partition(".")[0]
    name = name or kind
    if hasattr(events, "__dask_graph__"):
        return open_events(events.compute(), name)
    if module == "polars" and hasattr(events, "collect"):  # a LazyFrame
        return open_events(events.collect(), name)
    if is_awkward(events):
        if not events.fields:
            return _as_array(events, name)
        return MemorySource(name, events.fields, events.__getitem__, len(events))
    if module == "polars" or hasattr(events, "iloc"):  # the latter marks pandas and its relatives
        by_name = {str(column): column for column in getattr(events, "columns", ())}
        if not any(isinstance(column, str) for column in by_name.values()):
            return _as_array(events, name)  # the columns are only numbered, or it is a single one
        return MemorySource(name, list(by_name), lambda column: events[by_name[column]], len(events))
    if module == "pyarrow" or hasattr(events, "__arrow_c_stream__") or hasattr(events, "__dataframe__"):
        return table_source(events, name)
    if hasattr(events, "__array__"):
        return _as_array(events, name)
    raise DatasetError(f"events of type {kind} are not supported; give an array (n_events, n_variables), {NAMED}")
