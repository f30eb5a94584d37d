"""Where events come from.

:func:`open_events` takes whatever the user has, :func:`source_of` whatever has names of columns; an
:class:`EventSource` has named columns and is read in blocks, only the branches that are needed.  uproot, awkward,
pandas, polars and pyarrow are loaded only if the events need them.
"""

from __future__ import annotations

from pytmva_bnn.events.sources.chain import ChainSource, FilteredSource
from pytmva_bnn.events.sources.memory import MemorySource
from pytmva_bnn.events.sources.opening import is_text_file, open_events, source_of
from pytmva_bnn.events.sources.root_files import RootSource
from pytmva_bnn.events.sources.source import BLOCK_SIZE, Block, EventSource
from pytmva_bnn.events.sources.text import text_source

__all__ = [
    "BLOCK_SIZE",
    "Block",
    "ChainSource",
    "EventSource",
    "FilteredSource",
    "MemorySource",
    "RootSource",
    "is_text_file",
    "open_events",
    "source_of",
    "text_source",
]
