"""TFile: a ROOT file, read and written with uproot."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import os
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, NoReturn, Self

from pytmva_bnn.compat.directories import TDirectory, TKey
from pytmva_bnn.compat.errors import RefusedError, RootFileError
from pytmva_bnn.compat.graphs import GRAPHS, TGraph, graph_of
from pytmva_bnn.compat.histogram_files import histogram_of, profile_of
from pytmva_bnn.compat.histograms import TH1
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.compat.strings import TObjString
from pytmva_bnn.compat.trees import TTree, is_changed, tree_of
from pytmva_bnn.compat.writing import write_root_file
from pytmva_bnn.events.sources import RootSource
from pytmva_bnn.events.sources.root_files import readable
from pytmva_bnn.files import expanded

TREES = ("TTree", "TNtuple", "TNtupleD", "ROOT::RNTuple")

WRITE_OPTIONS = frozenset({"RECREATE", "UPDATE", "NEW", "CREATE"})


class MissingFile(NullPointer):
    """What TFile.Open gives for a file that cannot be read: null, and an OSError as soon as it is used."""

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise RootFileError(f"{name} of a null pointer: {self.reason}")

    def __enter__(self) -> NoReturn:
        raise RootFileError(self.reason)

    def __exit__(self, *_: object) -> None:
        """Do nothing: it is never entered."""

    def __getitem__(self, path: str) -> NoReturn:
        raise RootFileError(f"{path} of a null pointer: {self.reason}")


class TFile(TDirectory):
    """``TFile(name, "READ" | "RECREATE" | "UPDATE" | "NEW")``; opening it makes it the current directory.

    What is written is collected, and the file appears, complete, when it is closed: with ``Close()``, at the end of a
    ``with`` block or at the end of the program.  If the program crashes before, the file that was there stays.
    """

    _cache_folder: ClassVar[str] = "."

    def __init__(self, name: str, option: str = "READ", title: str = "", compress: int = 1) -> None:
        del compress
        super().__init__(expanded(str(name)), str(title))
        self._option = str(option).strip().upper()
        if self._option not in WRITE_OPTIONS | {"CACHEREAD"}:
            self._option = "READ"  # ROOT: whatever is none of its options means to read
        self._records: dict[str, Any] = {}
        self._made: list[str] = []
        self._read_trees: list[TTree] = []
        self._stored: Any = None
        self._is_open = True
        self._problem = ""
        try:
            self._open()
        except RootFileError as error:
            if self.IsWritable():
                raise
            # ROOT: what cannot be read is a zombie; whoever does not ask meets the error at the first use
            LOGGER.error("%s", error)
            self._problem, self._is_open = str(error), False
            return
        # where the file is, also if the macro changes its folder before the file is closed
        self._place = self._name if "://" in self._name else os.path.abspath(self._name)  # noqa: PTH100
        self._stamp = _stamp(self._place)
        SESSION.files.append(self)
        SESSION.directory = self

    @staticmethod
    def Open(name: str, option: str = "READ", title: str = "", compress: int = 1, *_: Any) -> Any:
        """Open a file, also one of a web address; a file that cannot be read is a null pointer."""
        file = TFile(name, option, title, compress)
        return MissingFile(file._problem) if file.IsZombie() else file

    @staticmethod
    def SetCacheFileDir(folder: str, *_: Any) -> bool:
        TFile._cache_folder = str(folder)
        return True

    def _open(self) -> None:
        if self._option == "CACHEREAD" and "://" in self._name:
            cached = Path(TFile._cache_folder) / self._name.rpartition("/")[2]
            self._name = str(cached) if cached.exists() else self._name
        exists = "://" in self._name or Path(self._name).exists()
        if self._option in {"NEW", "CREATE"} and exists:
            raise RootFileError(f"TFile({self._name!r}, {self._option!r}): the file exists already; use RECREATE")
        if not self.IsWritable() or (self._option == "UPDATE" and exists):
            self._stored = opened(self._name)
        elif not Path(self._name).absolute().parent.is_dir():
            raise RootFileError(f"TFile({self._name!r}): the folder {Path(self._name).parent} does not exist")

    # -- state

    @property
    def file(self) -> TFile:
        """The file itself."""
        return self

    @property
    def path(self) -> str:
        """The top of the file."""
        return ""

    def __fspath__(self) -> str:
        return self._name

    def IsOpen(self) -> bool:
        return self._is_open

    def IsZombie(self) -> bool:
        """Return whether the file could not be opened for reading."""
        return bool(self._problem)

    def IsWritable(self) -> bool:
        return self._option in WRITE_OPTIONS

    def GetOption(self) -> str:
        return self._option

    def GetSize(self) -> int:
        return Path(self._name).stat().st_size if Path(self._name).exists() else 0

    GetEND = GetSize

    # -- what it holds

    def holds(self, path: str) -> bool:
        """Return whether there is an object of that path."""
        if self._problem:
            raise RootFileError(self._problem)
        with readable(self._name, "its list of objects", RootFileError):
            return path in self._records or (self._stored is not None and path in self._stored)

    @cached_property
    def _classes(self) -> dict[str, str]:
        """The classes of the stored objects by their paths."""
        with readable(self._name, "its list of objects", RootFileError):
            stored = {} if self._stored is None else self._stored.classnames(recursive=True, cycle=False)
        return {str(path): str(kind) for path, kind in stored.items()}

    def holds_directory(self, path: str) -> bool:
        """Return whether there is a directory of that path."""
        return path in self._made or self._classes.get(path, "").startswith("TDirectory")

    def read(self, path: str) -> Any:
        """Return the object of that path."""
        if path in self._records:
            return self._records[path]
        found = object_of(self._stored, self._classes[path.partition(";")[0]], self._name, path)
        if isinstance(found, TTree):
            self._read_trees.append(found)
        return found

    def has_unchanged(self, thing: Any) -> bool:
        """Return whether an object is a tree of this file, which need not be written to it again."""
        return any(thing is tree for tree in self._read_trees) and not is_changed(thing)

    def keys_in(self, path: str) -> list[TKey]:
        """Return the keys of a directory."""
        found = {name: type(thing).__name__ for name, thing in self._records.items()}
        found = self._classes | found | dict.fromkeys(self._made, "TDirectoryFile")
        prefix = f"{path}/" if path else ""
        return [
            TKey(name.removeprefix(prefix), kind, partial(self.Get, name))
            for name, kind in found.items()
            if name.startswith(prefix) and "/" not in name.removeprefix(prefix)
        ]

    # -- writing

    def note_directory(self, path: str) -> None:
        """Take note of a directory that was made."""
        self._check_writable(path)
        self._made.append(path)

    def record(self, path: str, thing: Any) -> None:
        """Keep an object, as it is now, for the file."""
        self._check_writable(path)
        self._records.pop(path, None)
        self._records[path] = snapshot(thing, path)

    def _check_writable(self, path: str) -> None:
        if self._problem:
            raise RootFileError(self._problem)
        if not self._is_open:
            raise RefusedError(f"{path} cannot be written: the file {self._name} is closed")
        if not self.IsWritable():
            raise RefusedError(f"{path} cannot be written: {self._name} was opened for reading; use RECREATE or UPDATE")

    def Close(self, option: str = "") -> None:
        """Close the file; if it was opened for writing, it appears now."""
        del option
        if not self._is_open:
            return
        try:
            if self.IsWritable():
                # a Factory that was given this file has written it meanwhile: what is here is added to that
                adds = self._option == "UPDATE" or _stamp(self._place) != self._stamp
                if self._records or self._made or not adds:
                    write_root_file(self._place, self._records, self._made, keep=adds)
        finally:
            self.discard()

    def discard(self) -> None:
        """Close the file without writing anything."""
        self._is_open = False
        if self._stored is not None:
            self._stored.close()
            self._stored = None
        SESSION.leave(self)

    def Flush(self) -> None:
        """Do nothing: the file is written when it is closed."""
        LOGGER.debug("TFile.Flush has no effect")

    def __enter__(self) -> Self:
        if self._problem:
            raise RootFileError(self._problem)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.Close()
        else:
            self.discard()

    def __bool__(self) -> bool:
        return True


def _stamp(path: str) -> tuple[int, int] | None:
    """Return what tells whether a file has been replaced: its number and its time."""
    try:
        status = os.stat(path)  # noqa: PTH116 - a name that may be a web address
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def opened(path: str) -> Any:
    """Return the file opened by uproot."""
    import uproot  # lazy: heavy, and not needed for events in memory

    try:
        return uproot.open(path)
    except FileNotFoundError:
        raise RootFileError(f"the file {path} does not exist") from None
    except Exception as error:  # a damaged file makes uproot fail in many ways
        raise RootFileError(f"{path} cannot be opened as a ROOT file: {error}") from error


def object_of(file: Any, kind: str, where: str, path: str) -> Any:
    """Return the object ``path`` of the class ``kind`` in a file opened by uproot; other classes are left to uproot."""
    with readable(where, repr(path), RootFileError):
        return _object_of(file, kind, where, path)


def _object_of(file: Any, kind: str, where: str, path: str) -> Any:
    if kind in TREES:
        # the file is opened again whenever the tree is read: closing it does not matter
        stored = file[path]
        return tree_of(RootSource.of_file(where, path), str(getattr(stored, "title", "")))
    if kind.startswith(("TH1", "TH2")):
        return histogram_of(file[path])
    if kind == "TProfile":
        return profile_of(file[path])
    if kind in GRAPHS:
        return graph_of(file[path])
    if kind == "TObjString":
        return TObjString(str(file[path]))
    found = file[path]
    if type(found).__name__.startswith("Unknown_"):  # uproot's name for a class that the file does not describe
        return NullPointer(f"{where}: {path!r} is of the class {kind}, which the file does not describe")
    return found


def snapshot(thing: Any, path: str) -> Any:
    """Return what is to be written: histograms as they are now, trees with all that is filled later."""
    if isinstance(thing, TH1):
        return thing.copied(thing.GetName())
    if isinstance(thing, TGraph):
        return thing.Clone()
    if isinstance(thing, TTree | str):
        return thing
    raise RefusedError(
        f"{path}: a {type(thing).__name__} cannot be written to a file here, only trees, histograms, graphs and text"
    )
