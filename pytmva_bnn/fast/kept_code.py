"""Compiled code on disk, in files that are checked before they run.

numba keeps compiled functions as pickles of machine code and takes them as they are: a damaged file ends in an
exception, again in every later job, and code that someone else has put there would be run.  Here each file begins with
a digest of the rest, and the folder has to belong to the user and be closed to others.  What fails is compiled anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pickle
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

caching: Any = import_module("numba.core.caching")
log = logging.getLogger("pytmva_bnn.fast")
_FOLDER = "pytmva_bnn"
_DIGEST_BYTES = 32


@cache  # once, however many kernels there are
def _warn(reason: str) -> None:
    log.warning(
        "compiled code cannot be cached on disk (%s): each process compiles it again, which takes seconds. Set "
        "NUMBA_CACHE_DIR to a folder that only you can write to",
        reason,
    )


def _is_private(folder: Path) -> bool:
    """Tell whether only the user can write to a folder, or put another one in its place."""
    if not hasattr(os, "geteuid"):  # Windows has no such permissions
        return True
    status = folder.lstat()
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    return is_own and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not any(map(_is_open, folder.parents))


def _is_open(folder: Path) -> bool:
    """Tell whether others can rename what the user has in a folder; in one such as /tmp they cannot."""
    status = folder.stat()
    is_sticky = status.st_mode & stat.S_ISVTX and status.st_uid in (0, os.geteuid())
    return bool(status.st_mode & stat.S_IWOTH) and not is_sticky


class _Private:
    """A place for code in a folder of our own, which only the user can write to."""

    get_cache_path: Callable[[], str]

    def ensure_cache_path(self) -> None:
        path = Path(self.get_cache_path())
        if path.parts[0] == "~":  # numba's name for the home of a user who has none, such as in a container
            raise FileNotFoundError("there is no home directory")
        path.parent.mkdir(parents=True, exist_ok=True)
        path = path.absolute()
        with contextlib.suppress(FileExistsError):
            path.mkdir(0o700)
        if not _is_private(path):
            raise PermissionError(f"others can write to {path}")
        tempfile.TemporaryFile(dir=path).close()


def _private(locator: Any) -> Any:
    """Return numba's class of places with our folder in each."""

    def get_cache_path(self: Any) -> str:
        return str(Path(locator.get_cache_path(self)) / _FOLDER)

    def get_source_stamp(self: Any) -> Any:
        # numba before 0.66 takes the time of the file, which a copy or a new checkout changes
        source = Path(self._py_file)
        return hashlib.sha256(source.read_bytes()).digest() if source.exists() else locator.get_source_stamp(self)

    own = {"get_cache_path": get_cache_path, "get_source_stamp": get_source_stamp}
    return type(locator.__name__, (_Private, locator), own)


class _Sealed(caching.IndexDataCacheFile):  # type: ignore[misc]
    """Files that begin with a digest of what follows."""

    def _read(self, path: str) -> Any:
        """Return the content; an OSError says that there is none to be trusted."""
        content = Path(path).read_bytes()
        digest, data = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if digest != hashlib.sha256(data).digest():
            raise OSError(f"{path} is damaged")
        return pickle.loads(data)  # noqa: S301 - written by the user, see _is_private

    def _write(self, path: str, content: Any) -> None:
        data = self._dump(content)
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(data).digest() + data)

    def _load_index(self) -> dict[Any, str]:
        try:
            key, overloads = self._read(self._index_path)
        except OSError:
            return {}
        return dict(overloads) if key == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, ((self._version, self._source_stamp), overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)


class _Places(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar[list[Any]] = [
        _private(locator)
        for locator in (caching.UserProvidedCacheLocator, caching.InTreeCacheLocator, caching.UserWideCacheLocator)
    ]


class _KeptCode(caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _Places

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Sealed(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:  # such as a full disk
            _warn(str(error))


def keep_on_disk(dispatcher: Any) -> None:
    """Let a function that numba compiles be kept on disk, if there is a place for it."""
    try:
        dispatcher._cache = _KeptCode(dispatcher.py_func)
    except (RuntimeError, OSError):  # numba finds no place: read-only installation, no home
        _warn("no folder of the user is writable")
