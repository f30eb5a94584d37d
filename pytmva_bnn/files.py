"""Names of files as users write them, files that appear only when they are complete, and whether they can."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import platform
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from pytmva_bnn.errors import InputError, OutputError, TMVAError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def expanded(path: str | os.PathLike[str]) -> str:
    """Return the name of a file with ``~`` and ``$VAR`` replaced, as a shell does; addresses stay as they are.

    >>> import os
    >>> os.environ["DATA"] = "/data"
    >>> expanded("$DATA/a.root:TreeS"), expanded("root://host//$DATA/a.root")
    ('/data/a.root:TreeS', 'root://host//$DATA/a.root')
    """
    text = os.fspath(path)
    if "://" in text:
        return text
    return os.path.expanduser(os.path.expandvars(text))  # noqa: PTH111 - a Path would lose a slash at the end


@contextlib.contextmanager
def folder_for(path: Path) -> Iterator[None]:
    """Make the folder of a file that is written within; it goes again if nothing is put there.

    What the system says when the file cannot be written becomes an OutputError with its name.
    """
    missing = [folder for folder in path.parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        if isinstance(error, TMVAError) or error.errno is None or not _is_about(path, error.filename):
            raise
        raise OutputError(error.errno, error.strerror or str(error), str(path)) from error
    finally:
        for folder in missing:
            with contextlib.suppress(OSError):  # there is something in it
                folder.rmdir()


def _is_about(path: Path, named: str | bytes | None) -> bool:
    """Tell whether the name in an error is that of a file, of a temporary one beside it, or of its folder."""
    if named is None:  # as when a disk is full
        return True
    other = Path(os.fsdecode(named))
    is_temporary = path.parent in other.parents and other.relative_to(path.parent).parts[0].startswith(".")
    return is_temporary or other == path or other in path.parents


@contextlib.contextmanager
def atomic_writer(path: str | Path) -> Iterator[BinaryIO]:
    """Open ``path`` for writing under a temporary name beside it; it gets its own name at the end.

    If anything goes wrong, what was there before stays as it was.  A name that ends in ``.gz`` is compressed.
    """
    path = Path(expanded(path))
    if path.is_symlink():
        path = path.resolve()  # as with open(): the file it stands for is written, and the link stays
    with folder_for(path):
        remove_strays(path.parent)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=_prefix(path), suffix=".part")
        try:
            with os.fdopen(handle, "wb") as raw:
                if path.suffix == ".gz":
                    # no name and no time in the header: the same content gives the same bytes
                    with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
                        yield cast("BinaryIO", packed)
                else:
                    yield raw
            _give_usual_permissions(temporary)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def scratch_folder(path: Path) -> Iterator[Path]:
    """Give a temporary folder beside a file, for what shall be moved to its place; it goes at the end."""
    with folder_for(path):
        remove_strays(path.parent)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=_prefix(path)) as folder:
            yield Path(folder)


def remove_strays(folder: Path) -> None:
    """Remove temporary files and folders whose process was killed before it could do so."""
    if os.name != "posix":  # elsewhere os.kill would end the process instead of asking for it
        return
    machine = _machine()
    with contextlib.suppress(OSError):  # a folder may take files and not tell what it has
        for stray in folder.iterdir():
            found = _TEMPORARY.fullmatch(stray.name)
            if found and found["machine"] == machine and not _is_alive(int(found["process"])):
                _remove(stray)


def _remove(stray: Path) -> None:
    with contextlib.suppress(OSError):  # another process was faster, or it belongs to somebody else
        if stray.is_dir() and not stray.is_symlink():
            shutil.rmtree(stray)
        else:
            stray.unlink()


_TEMPORARY = re.compile(r"\..*\.tmva-(?P<machine>[0-9a-f]{8})-(?P<process>[1-9][0-9]*)-\w+(\.part)?", re.DOTALL)


def _prefix(path: Path) -> str:
    """Return how a temporary name begins: it tells for which file it is, and which process writes it."""
    return f".{path.name[:40]}.tmva-{_machine()}-{os.getpid()}-"


def _machine() -> str:
    """Return where the numbers of processes count: other machines, or containers, may share the folder."""
    try:
        namespace = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - it is no path
    except OSError:
        namespace = ""
    return hashlib.sha256(f"{platform.node()} {namespace}".encode()).hexdigest()[:8]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # it is somebody else's
        return True
    return True


def read_archive(path: str | Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file of numpy (npz), which holds no code; a ValueError says why it cannot be read.

    That the file cannot be opened is an OSError.
    """
    import numpy as np  # lazy: many who import this module need no arrays

    with Path(expanded(path)).open("rb") as stream:  # opened here, because numpy leaves a damaged file open
        try:
            with np.load(stream, allow_pickle=False) as archive:
                return dict(archive)
        except Exception as error:  # a damaged file fails in zipfile, zlib, tokenize or numpy, in ways of their own
            # what numpy advises to do with a file that it does not know is not for this one
            reason = "it is not a numpy archive" if "pickle" in str(error) else str(error) or type(error).__name__
            raise ValueError(reason) from error


def _give_usual_permissions(name: str) -> None:
    """Set what ``open`` would have set; mkstemp lets only the owner read."""
    umask = os.umask(0)
    os.umask(umask)
    Path(name).chmod(0o666 & ~umask)


def check_writable(target: str | Path) -> None:
    """Raise if a file cannot be written: it is a folder, or its folder neither takes files nor can be made.

    >>> check_writable("setup.cfg/out/w.xml")
    Traceback (most recent call last):
    pytmva_bnn.errors.InputError: setup.cfg/out: no file can be written into this folder (setup.cfg is a file)
    """
    target = Path(expanded(target))
    if target.is_dir():
        raise InputError(f"{target} is a folder, so no file of this name can be written")
    problem = ""
    there = next(folder for folder in (target.parent, *target.parent.parents) if folder.exists())
    if not there.is_dir():
        problem = f"{there} is a file"
    else:
        try:
            with tempfile.TemporaryFile(dir=there):  # the rights alone do not tell: a disk may be read-only
                pass
        except OSError as error:
            problem = f"{there}: {error.strerror}" if there != target.parent else str(error.strerror)
    if problem:
        raise InputError(f"{target.parent}: no file can be written into this folder ({problem})")
