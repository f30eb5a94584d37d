"""What ROOT keeps for the whole process: the current directory and the open files.

The state lives here and nowhere else; the library itself has none.
"""

from __future__ import annotations

import atexit
import sys
from typing import TYPE_CHECKING, Any

from pytmva_bnn.compat.messages import LOGGER

if TYPE_CHECKING:
    from pytmva_bnn.compat.directories import TDirectory
    from pytmva_bnn.compat.files import TFile


class Session:
    """The current directory and pad, the open files, functions by name, and whether histograms attach."""

    def __init__(self) -> None:
        self._memory: TDirectory | None = None
        self._directory: TDirectory | None = None
        self.files: list[TFile] = []
        self.functions: dict[str, Any] = {}
        self.pad: Any = None
        self.histograms_attach = True
        self.left_out: list[str] | None = None
        """The methods that were left out by a macro that is to run on without them; None: booking them is an error."""

    @property
    def memory(self) -> TDirectory:
        """The directory of objects that belong to no file."""
        if self._memory is None:
            from pytmva_bnn.compat.directories import TDirectory  # needs the session itself

            self._memory = TDirectory("PyROOT", "objects in memory")
        return self._memory

    @property
    def directory(self) -> TDirectory:
        """The current directory."""
        return self._directory or self.memory

    @directory.setter
    def directory(self, directory: TDirectory) -> None:
        self._directory = directory

    def leave(self, file: TFile) -> None:
        """Forget a file that is closed; if it was the current one, the directory in memory is current."""
        if file in self.files:
            self.files.remove(file)
        if self.directory.file is file:
            self._directory = None

    def close_all(self) -> None:
        """Close what is still open at the end; after a crash files that are not complete are given up."""
        # at a prompt or in a notebook an error is no crash: the user has gone on
        crashed = getattr(sys, "last_value", None) is not None and not hasattr(sys, "ps1")
        for file in list(self.files):
            if not crashed:
                file.Close()
                continue
            if file.IsWritable():
                LOGGER.warning("the program crashed: %s is not written", file.GetName())
            file.discard()


SESSION = Session()
atexit.register(SESSION.close_all)
