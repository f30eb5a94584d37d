"""C's library: files, folders and memory."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from pytmva_bnn.compat.cpp.values import memory

_PROBLEM = ["Success"]


def fopen(name: str, mode: str) -> Any:
    """Open a file; None is returned if that is not possible."""
    try:
        return Path(name).open(mode.replace("b", ""), encoding="utf-8", newline="")
    except OSError as error:
        _PROBLEM[0] = error.strerror or str(error)
        return None


def fclose(file: Any) -> int:
    """Close a file."""
    file.close()
    return 0


def fputs(text: str, file: Any) -> int:
    """Write a text."""
    return int(file.write(text))


def fflush(file: Any) -> int:
    """Write out what is waiting."""
    if file is not None:
        file.flush()
    return 0


def perror(text: str) -> None:
    """Say why the last file could not be opened."""
    sys.stderr.write(f"{text}: {_PROBLEM[0]}\n")


def mkdir(name: str, mode: int = 0o777) -> int:
    """Make a folder; -1 is returned if that is not possible."""
    try:
        os.mkdir(name, mode)  # noqa: PTH102 - as C does
    except OSError as error:
        _PROBLEM[0] = error.strerror or str(error)
        return -1
    return 0


def access(name: str, mode: int = 0) -> int:
    """Return 0 if a file exists (and may be used in this way), else -1."""
    return 0 if os.access(name, mode) else -1


def system(command: str | None = None) -> int:
    """Run what the shim's gSystem.Exec runs."""
    from pytmva_bnn.compat import ROOT  # which is not needed otherwise

    return int(vars(ROOT)["gSystem"].Exec(command or "true"))


def memcpy(target: Any, source: Any, n_bytes: int) -> None:
    """Copy numbers."""
    to, given = memory(target), memory(source)
    if not hasattr(to, "itemsize") or not hasattr(given, "itemsize"):
        raise TypeError("memcpy copies only numbers of arrays here")
    n = n_bytes // to.itemsize
    to[:n] = given[:n]
