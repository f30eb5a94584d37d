"""What errors say to someone at a command line, in whose words they may have come from other packages."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from pytmva_bnn.errors import TMVAError

_TEMPORARY = re.compile(r"\..*\.[a-z0-9_]{8}(\.part)?")  # a file gets its own name when it is complete
_PARTIAL = re.compile(
    r"expected Chunk of length \d+,\s*received \d+ bytes from \w+\s*for file path (.*?)\s*$", re.DOTALL
)
_PICKLED = re.compile(r"[^:]*\bpickled?\b.*", re.DOTALL)


def words(error: BaseException) -> str:
    """Return the message of an error: it names what the user knows, and gives no advice that is none.

    >>> words(PermissionError(13, "Permission denied", "out/.r.root.k3_x81bz"))
    'out: no file can be written into this folder (Permission denied)'
    >>> words(OSError("expected Chunk of length 148,\\nreceived 0 bytes from MemmapSource\\nfor file path a.root"))
    'a.root: the file is truncated or damaged'
    """
    if isinstance(error, OSError) and not isinstance(error, TMVAError) and error.strerror:
        return _of_system(error)
    text = str(error) or type(error).__name__
    partial = _PARTIAL.search(text)
    if partial:
        return _of_part(partial[1])
    if "cannot mmap an empty file" in text:
        return text.replace("cannot mmap an empty file", "it is empty")
    if "allow_pickle" in text:
        return _PICKLED.sub(" it is no numpy archive", text).strip()
    return text


def _of_part(path: str) -> str:
    """Return what to say about a file that ends too early: one that was never a ROOT file may seem to."""
    with suppress(OSError), Path(path).open("rb") as stream:
        if stream.read(4) != b"root":
            return f"{path} cannot be opened as a ROOT file: it is none"
    return f"{path}: the file is truncated or damaged"


def _of_system(error: OSError) -> str:
    if not error.filename:
        return str(error.strerror)
    path = Path(os.fsdecode(error.filename))
    if _TEMPORARY.fullmatch(path.name):
        return f"{path.parent}: no file can be written into this folder ({error.strerror})"
    return f"{path}: {error.strerror}"
