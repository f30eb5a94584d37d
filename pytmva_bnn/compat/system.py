"""gSystem: paths, the environment and the process."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NoReturn

from pytmva_bnn.compat.errors import NotInCompatError, RefusedError, public_names
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.files import expanded

NO_OPS = frozenset({
    "AddIncludePath", "SetIncludePath", "AddLinkedLibs", "SetLinkedLibs", "SetAclicMode", "SetBuildDir",
    "AddDynamicPath", "SetDynamicPath", "SetFlagsOpt", "SetFlagsDebug", "SetMakeSharedLib", "SetMakeExe",
    "ResetSignal", "ResetSignals", "IgnoreSignal", "IgnoreInterrupt", "AddSignalHandler", "ListLibraries", "Unload",
    "Beep", "ProcessEvents", "DispatchOneEvent", "StackTrace", "SetDisplay", "SetProgname", "SetErrorStr",
})  # fmt: skip
"""Calls that concern ROOT's compiler and windows, and do nothing here."""

EMPTY_TEXTS = frozenset({
    "GetLibraries", "GetIncludePath", "GetDynamicPath", "GetLinkedLibs", "GetBuildDir", "GetFlagsOpt",
})  # fmt: skip
PERMISSIONS = {0: os.F_OK, 1: os.X_OK, 2: os.W_OK, 4: os.R_OK}
"""ROOT's access modes."""


class Record:
    """ProcInfo_t, SysInfo_t and the like: members that start at 0."""

    def __init__(self, **members: Any) -> None:
        vars(self).update(members)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("f"):
            return 0
        raise AttributeError(name)


class System:
    """``gSystem``.

    >>> gSystem.ConcatFileName("data", "toy.root"), gSystem.GetDirName("data/toy.root"), gSystem.DirName("toy.root")
    ('data/toy.root', 'data', '.')
    """

    # -- files and folders

    def AccessPathName(self, path: str, mode: int = 0) -> bool:
        """Return whether the path can NOT be accessed, as in ROOT."""
        return not os.access(self.ExpandPathName(path), PERMISSIONS.get(int(mode), os.F_OK))

    def ExpandPathName(self, path: str) -> str:
        return expanded(str(path))

    def mkdir(self, path: str, recursive: bool = False) -> int:
        """Make a folder; -1 is returned if it exists or cannot be made."""
        try:
            Path(self.ExpandPathName(path)).mkdir(parents=recursive)
        except OSError:
            return -1
        return 0

    MakeDirectory = mkdir

    def Unlink(self, path: str) -> int:
        """Delete a file or an empty folder; -1 is returned if that fails."""
        target = Path(self.ExpandPathName(path))
        return _status(target.rmdir if target.is_dir() else target.unlink)

    def Rename(self, old: str, new: str) -> int:
        """Rename a file; -1 is returned if that fails."""
        return _status(Path(self.ExpandPathName(old)).replace, self.ExpandPathName(new))

    def CopyFile(self, source: str, target: str, overwrite: bool = False) -> int:
        """Copy a file; -2 is returned if the target exists, -1 if copying fails."""
        if not overwrite and Path(self.ExpandPathName(target)).exists():
            return -2
        return _status(shutil.copyfile, self.ExpandPathName(source), self.ExpandPathName(target))

    def FindFile(self, search: str, name: Any, mode: int = 4) -> Any:
        """Return the first file of that name in the folders ``a:b``, or a null pointer; a cell takes it too."""
        wanted = str(name[0] if isinstance(name, list) else name)
        for folder in str(search).split(":"):
            path = str(Path(self.ExpandPathName(folder)) / wanted)
            if not self.AccessPathName(path, mode):
                if isinstance(name, list):
                    name[0] = path
                return path
        return NullPointer(f"{wanted} is in none of the folders {search}")

    Which = FindFile

    def GetPathInfo(self, path: str, *into: Any) -> int:
        """Return 0 if the path exists, else 1; ``into`` is a FileStat_t, or cells for id, size, flags and time."""
        try:
            found = Path(self.ExpandPathName(path)).stat()
        except OSError:
            return 1
        numbers = {"fIno": found.st_ino, "fSize": found.st_size, "fMode": found.st_mode, "fMtime": int(found.st_mtime)}
        if len(into) == 1:
            vars(into[0]).update(numbers)
        flags = 2 * Path(self.ExpandPathName(path)).is_dir()
        for cell, value in zip(into, (found.st_ino, found.st_size, flags, int(found.st_mtime)), strict=False):
            if hasattr(cell, "__setitem__"):
                cell[0] = value
        return 0

    # -- names

    TempDirectory = staticmethod(tempfile.gettempdir)

    def BaseName(self, path: str) -> str:
        return Path(str(path)).name

    def UnixPathName(self, path: str) -> str:
        return str(path).replace("\\", "/")

    def DirName(self, path: str) -> str:
        return str(Path(str(path)).parent)

    GetDirName = DirName

    def ConcatFileName(self, folder: str, name: str) -> str:
        return f"{str(folder).rstrip('/') or '/'}/{name}".replace("//", "/")

    PrependPathName = ConcatFileName

    def IsFileInIncludePath(self, path: str, *_: Any) -> bool:
        """Return whether the file is in the working directory, which is all that there is to include from."""
        return Path(str(path)).is_file()

    def WorkingDirectory(self) -> str:
        return str(Path.cwd())

    pwd = WorkingDirectory
    GetWorkingDirectory = WorkingDirectory

    def ChangeDirectory(self, path: str) -> bool:
        """Change the working directory; False if there is no such folder."""
        return _status(os.chdir, self.ExpandPathName(path)) == 0

    cd = ChangeDirectory

    # -- environment and process

    HostName = staticmethod(platform.node)
    GetPid = staticmethod(os.getpid)

    def Getenv(self, name: str) -> str:
        return os.environ.get(name, "")

    def Setenv(self, name: str, value: str) -> None:
        os.environ[str(name)] = str(value)

    def Unsetenv(self, name: str) -> None:
        os.environ.pop(str(name), None)

    def Now(self) -> int:
        """Return the time in milliseconds."""
        return time.time_ns() // 1_000_000

    def Sleep(self, milliseconds: int) -> None:
        time.sleep(milliseconds / 1000)

    def GetProcInfo(self, info: Any) -> int:
        """Fill a ProcInfo_t with memory in kB and processor time in seconds."""
        import resource  # there is none on Windows

        used = resource.getrusage(resource.RUSAGE_SELF)
        info.fMemResident = info.fMemVirtual = used.ru_maxrss
        info.fCpuUser, info.fCpuSys = used.ru_utime, used.ru_stime
        return 0

    def GetSysInfo(self, info: Any) -> int:
        """Fill a SysInfo_t with the name and the number of processors."""
        info.fOS, info.fModel, info.fCpus = sys.platform, platform.machine(), os.cpu_count() or 1
        return 0

    def GetCpuInfo(self, info: Any, sample: int = 1000) -> int:
        """Leave a CpuInfo_t or MemInfo_t as it is: it cannot be known everywhere."""
        del info, sample
        return -1

    GetMemInfo = GetCpuInfo

    def Load(self, library: str, *_: Any) -> int:
        """Accept libraries, which are not needed here."""
        LOGGER.debug("gSystem.Load(%r) has no effect", library)
        return 0

    def CompileMacro(self, name: str, *_: Any) -> NoReturn:
        """Raise: C++ is not compiled."""
        raise RefusedError(
            f"gSystem.CompileMacro({name!r}): C++ is not compiled here; translate it with 'pytmva-bnn port'"
        )

    def Exec(self, command: str) -> int:
        """Make folders for ``mkdir [-p] a b``; raise for all other commands."""
        # the characters of the shell: whatever they mean, it is more than a folder
        words = [] if set(str(command)) & set(";|&<>`$*?(") else shlex.split(str(command))
        folders, parents = [word for word in words[1:] if word != "-p"], "-p" in words
        if words[:1] != ["mkdir"] or not folders or any(folder.startswith("-") for folder in folders):
            raise RefusedError(
                "gSystem.Exec: only mkdir is run here; use gSystem.Unlink, Rename or CopyFile for files, or run it "
                f"yourself before the macro: {command}"
            )
        made = [self.mkdir(folder, parents) for folder in folders]
        return int(any(made) and not (parents and all(Path(self.ExpandPathName(one)).is_dir() for one in folders)))

    def GetFromPipe(self, command: str) -> NoReturn:
        """Raise: no commands are run."""
        raise RefusedError(f"gSystem.GetFromPipe: commands are not run here; use Python's subprocess for: {command}")

    def Exit(self, status: int = 0, mode: bool = True) -> NoReturn:
        del mode
        raise SystemExit(int(status))

    Abort = Exit

    def __getattr__(self, name: str) -> Any:
        if name in NO_OPS:
            return lambda *_: LOGGER.debug("gSystem.%s has no effect", name)
        if name in EMPTY_TEXTS:
            return lambda *_: ""
        known = [*public_names(self), *NO_OPS, *EMPTY_TEXTS]
        raise NotInCompatError.of("gSystem", name, known, "use Python's os, pathlib and subprocess")


def _status(call: Any, *arguments: Any) -> int:
    """Return 0, or -1 if a call of the system fails, as C does."""
    try:
        call(*arguments)
    except OSError:
        return -1
    return 0


gSystem = System()  # noqa: N816 - ROOT's name
