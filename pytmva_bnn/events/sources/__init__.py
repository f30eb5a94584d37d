"""Where events come from.

:func:`source_of` makes a source of whatever the user has; an :class:`EventSource` has named columns and is read in
blocks, only the branches that are needed.  uproot, awkward and pandas are loaded only if the events need them.

>>> source = source_of("xml_fixtures/data/class.root:TreeS")
>>> next(source.blocks(["var1", "pt"], block_size=2)).columns["pt"].shape
(2,)
"""

from __future__ import annotations

from pytmva_bnn.events.sources.chain import ChainSource, FilteredSource
from pytmva_bnn.events.sources.memory import MemorySource
from pytmva_bnn.events.sources.opening import is_text_file, source_of
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
    "source_of",
    "text_source",
]
