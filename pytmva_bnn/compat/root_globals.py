"""gROOT, gSystem and gApplication: what TMVA macros do with the framework around them."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NoReturn

from pytmva_bnn.compat.errors import NotInCompatError, RefusedError, public_names
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.no_ops import NoOp
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.files import expanded

VERSION = (6, 40, 0)
"""The release of ROOT that is reproduced."""

HARMLESS_LINES = re.compile(r"\s*(gErrorIgnoreLevel|gStyle|gROOT->Set(Batch|Style)|#include|\.L .*TMVA\w*\.C)")
TMVA_MACRO = re.compile(r"TMVA\w*\.C\b")
GUI_LINE = re.compile(r"\s*(?:TMVA::)?(TMVA(?:Reg|MultiClass)?Gui)\s*\(\s*\"([^\"]*)\"\s*\)\s*;?\s*\Z")


class Framework:
    """``gROOT``.

    >>> gROOT.SetBatch(True)
    >>> gROOT.IsBatch(), gROOT.GetVersion()
    (True, '6.40.00')
    >>> gROOT.ProcessLine("int i = 2;")
    Traceback (most recent call last):
    pytmva_bnn.compat.errors.RefusedError: gROOT.ProcessLine('int i = 2;'): C++ cannot be run here; write it in Python
    """

    _no_ops = frozenset({"SetStyle", "ForceStyle", "Reset", "SetMacroPath", "SetBatch", "SetWebDisplay", "SetEscape"})

    def cd(self, path: str = "") -> None:
        """Make the directory in memory the current one."""
        del path
        SESSION.directory = SESSION.memory

    def IsBatch(self) -> bool:
        """Return True: there is no screen."""
        return True

    def GetVersion(self) -> str:
        """Return the release of ROOT that is reproduced."""
        return f"{VERSION[0]}.{VERSION[1]:02d}.{VERSION[2]:02d}"

    def GetVersionInt(self) -> int:
        """Return the release of ROOT that is reproduced, as a number."""
        return VERSION[0] * 10000 + VERSION[1] * 100 + VERSION[2]

    def GetVersionCode(self) -> int:
        """Return the release of ROOT that is reproduced, as ROOT_VERSION_CODE."""
        return (VERSION[0] << 16) + (VERSION[1] << 8) + VERSION[2]

    def GetTutorialDir(self) -> str:
        """Return the folder ``tutorials`` of ROOTSYS, or of the working directory if that is not set."""
        return str(Path(os.environ.get("ROOTSYS", ".")) / "tutorials")

    def GetListOfFiles(self) -> ObjectList[Any]:
        """Return the open files."""
        return ObjectList(SESSION.files)

    def FindObject(self, name: str) -> Any:
        """Return an object in memory by its name."""
        return SESSION.directory.FindObject(name) or SESSION.memory.FindObject(name)

    Get = FindObject

    def GetStyle(self, name: str) -> NoOp:
        """Return a style, which changes nothing."""
        return NoOp(f"TStyle {name}")

    def LoadMacro(self, name: str) -> int:
        """Accept the macros of TMVA, which are not needed; refuse all others."""
        if TMVA_MACRO.search(str(name)):
            LOGGER.debug("gROOT.LoadMacro(%r) has no effect", name)
            return 0
        raise RefusedError(f"gROOT.LoadMacro({name!r}): C++ cannot be run here; write it in Python")

    Macro = LoadMacro

    def ProcessLine(self, line: str) -> int:
        """Accept lines that paint, or open TMVA's plots; refuse all others."""
        gui = GUI_LINE.match(str(line))
        if gui is not None:
            from pytmva_bnn.compat import tmva  # which needs this module

            getattr(tmva, gui[1])(gui[2])
        elif HARMLESS_LINES.match(str(line)) is None and TMVA_MACRO.search(str(line)) is None:
            raise RefusedError(f"gROOT.ProcessLine({line!r}): C++ cannot be run here; write it in Python")
        return 0

    ProcessLineSync = ProcessLine

    def __getattr__(self, name: str) -> Any:
        if name in self._no_ops:
            return lambda *_: LOGGER.debug("gROOT.%s has no effect", name)
        raise NotInCompatError.of("gROOT", name, [*public_names(self), *self._no_ops], "")


class System:
    """``gSystem``."""

    def AccessPathName(self, path: str, mode: int = 0) -> bool:
        """Return whether the path does NOT exist, as in ROOT."""
        del mode
        return not Path(self.ExpandPathName(path)).exists()

    def ExpandPathName(self, path: str) -> str:
        """Return the path with ``~`` and variables replaced."""
        return expanded(str(path))

    def Exec(self, command: str) -> NoReturn:
        """Raise: no commands are run."""
        raise RefusedError(f"gSystem.Exec: commands are not run here; run it yourself before the macro: {command}")

    GetFromPipe = Exec

    def Load(self, library: str) -> int:
        """Accept libraries, which are not needed here."""
        LOGGER.debug("gSystem.Load(%r) has no effect", library)
        return 0

    def mkdir(self, path: str, recursive: bool = False) -> int:
        """Make a folder; -1 is returned if it exists."""
        folder = Path(self.ExpandPathName(path))
        if folder.exists():
            return -1
        folder.mkdir(parents=recursive)
        return 0

    MakeDirectory = mkdir

    def Getenv(self, name: str) -> str:
        """Return an environment variable, empty if it is not set."""
        return os.environ.get(name, "")

    def WorkingDirectory(self) -> str:
        """Return the working directory."""
        return str(Path.cwd())

    pwd = WorkingDirectory

    def BaseName(self, path: str) -> str:
        """Return the last part of a path."""
        return Path(str(path)).name

    def DirName(self, path: str) -> str:
        """Return a path without its last part."""
        return str(Path(str(path)).parent)

    def ProcessEvents(self) -> bool:
        """Do nothing: there is no screen."""
        return False

    def __getattr__(self, name: str) -> Any:
        raise NotInCompatError.of("gSystem", name, public_names(self), "use Python's os, pathlib and subprocess")


class Application:
    """``gApplication``; there is no screen to wait at."""

    def Run(self, retrn: bool = False) -> None:
        """Return at once."""
        del retrn
        LOGGER.debug("gApplication.Run has no effect: there are no windows to wait for")

    def Terminate(self, status: int = 0) -> NoReturn:
        """End the program."""
        raise SystemExit(status)


class PythonConfig:
    """``ROOT.PyConfig``: settings that change nothing here."""

    IgnoreCommandLineOptions = True
    DisableRootLogon = True
    StartGUIThread = False


gROOT = Framework()  # noqa: N816 - ROOT's name
gSystem = System()  # noqa: N816 - ROOT's name
gApplication = Application()  # noqa: N816 - ROOT's name
PyConfig = PythonConfig()
