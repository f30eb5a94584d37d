"""From whatever the user has to a source of events."""

from __future__ import annotations

import glob
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources.chain import ChainSource
from pytmva_bnn.events.sources.memory import MemorySource
from pytmva_bnn.events.sources.root_files import RootSource
from pytmva_bnn.events.sources.source import EventSource
from pytmva_bnn.events.sources.text import text_source

_UNDERSTOOD = (
    "an uproot TTree or RNTuple, 'file.root:tree' (wildcards allowed), a list of those, the name of a text file, "
    "a dictionary of arrays, a pandas DataFrame, an awkward array of records or a numpy structured array"
)


def source_of(events: Any, name: str = "") -> EventSource:
    """Return ``events`` as a source; ``name`` is the name of the tree where the events have none.

    >>> source_of("xml_fixtures/data/class.root:TreeS")
    <RootSource xml_fixtures/data/class.root:TreeS: 2500 entries>
    >>> source_of(["xml_fixtures/data/class.root:TreeS", "xml_fixtures/data/class.root:TreeB"]).n_entries
    5500
    >>> source_of({"x": [1.0, 2.0]}, name="TreeS")
    <MemorySource TreeS: 2 entries>
    """
    if events is None:
        raise DatasetError("Tree does not exist (empty pointer).")
    if isinstance(events, EventSource):
        return events
    if isinstance(events, str | Path):
        return _of_path(str(events), name)
    if isinstance(events, list | tuple):
        return _of_list(events, name)
    if isinstance(events, Mapping) and not _is_uproot(events):
        if events and all(isinstance(tree, str) for tree in events.values()):
            return ChainSource([_of_path(f"{path}:{tree}", name) for path, tree in events.items()])
        return MemorySource.of_mapping(name or "dict", events)
    return _of_object(events, name)


def is_text_file(events: Any) -> bool:
    """Tell whether ``events`` names a text file, not a tree in a ROOT file.

    >>> is_text_file("signal.dat"), is_text_file("signal.root:TreeS"), is_text_file("data/*.root")
    (True, False, False)
    """
    if not isinstance(events, str | Path):
        return False
    path, tree = split_path(str(events))
    return not tree and "://" not in path and not path.endswith(".root")


def split_path(text: str) -> tuple[str, str]:
    """Return file and tree of ``file:tree``; the tree is empty if there is none.

    >>> split_path("data/*.root:dir/TreeS"), split_path("root://host:1094//a.root"), split_path("C:/a.txt")
    (('data/*.root', 'dir/TreeS'), ('root://host:1094//a.root', ''), ('C:/a.txt', ''))
    """
    path, colon, tree = text.rpartition(":")
    is_tree = colon and tree and len(path) > 1 and re.match(r"[/\\]|[0-9]+/", tree) is None
    return (path, tree) if is_tree else (text.removesuffix(":"), "")


def _of_path(text: str, name: str) -> EventSource:
    if is_text_file(text):
        return text_source(text, name)
    path, tree = split_path(text)
    if "://" in path or Path(path).exists() or not glob.has_magic(path):
        return RootSource.of_file(path, tree)
    # TChain::Add takes the files of a pattern in alphabetical order
    found = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - Path.glob wants the folder apart
    if not found:
        raise DatasetError(f"no file matches {path}")
    return ChainSource([RootSource.of_file(file, tree) for file in found])


def _of_list(events: list[Any] | tuple[Any, ...], name: str) -> EventSource:
    if any(isinstance(part, int | float | list | tuple) for part in events):
        raise DatasetError(f"a list of numbers has no names of columns; give {_UNDERSTOOD}")
    return ChainSource([source_of(part, name) for part in events])


def _is_uproot(events: Any) -> bool:
    return type(events).__module__.partition(".")[0] == "uproot"


def _of_object(events: Any, name: str) -> EventSource:
    kind = type(events).__name__
    if _is_uproot(events):
        if hasattr(events, "num_entries"):
            return RootSource.of_object(events)
        raise DatasetError(f"{kind} is no tree; give one of its trees, as in file['TreeS']")
    if isinstance(events, np.ndarray):
        if events.dtype.names is None:
            raise DatasetError(f"an array of shape {events.shape} has no names of columns; give {_UNDERSTOOD}")
        return MemorySource(name or kind, events.dtype.names, events.__getitem__, len(events))
    if hasattr(events, "layout") and getattr(events, "fields", None):  # awkward
        return MemorySource(name or kind, events.fields, events.__getitem__, len(events))
    if hasattr(events, "columns") and hasattr(events, "__getitem__") and hasattr(events, "__len__"):
        by_name = {str(column): column for column in events.columns}
        return MemorySource(name or kind, list(by_name), lambda column: events[by_name[column]], len(events))
    raise DatasetError(f"events of type {kind} are not understood; give {_UNDERSTOOD}")
