"""gROOT, gApplication, gInterpreter and gEnv: what TMVA macros do with the framework around them."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, NoReturn

from pytmva_bnn.compat.constants import CONSTANTS
from pytmva_bnn.compat.errors import NotInCompatError, RefusedError, public_names
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.named import TClass
from pytmva_bnn.compat.no_ops import NoOp, no_op
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.session import SESSION

VERSION = (6, 40, 0)
"""The release of ROOT that is reproduced."""

HARMLESS_LINES = re.compile(
    r"\s*(gStyle|gROOT->(Set|Force|Reset)\w*\(|gSystem->(Load|AddIncludePath)\(|#include|using namespace"
    r"|\.(L|x|X) .*TMVA\w*\.C|TMVA::Tools::Instance|delete |\Z)"
)
LEVEL_LINE = re.compile(r"\s*gErrorIgnoreLevel\s*=\s*(\w+)\s*;?\s*\Z")
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

    _no_ops = frozenset({
        "SetStyle", "ForceStyle", "Reset", "SetBatch", "SetWebDisplay", "SetEscape", "SetInterrupt", "SetSelectedPad",
        "SetEditorMode", "RefreshBrowsers", "CloseFiles", "EndOfProcessCleanups",
    })  # fmt: skip

    def __init__(self) -> None:
        self._macro_path = "."

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
        return VERSION[0] * 10000 + VERSION[1] * 100 + VERSION[2]

    def GetVersionCode(self) -> int:
        return (VERSION[0] << 16) + (VERSION[1] << 8) + VERSION[2]

    def GetTutorialDir(self) -> str:
        """Return the folder ``tutorials`` of ROOTSYS, or of the working directory if that is not set."""
        return str(Path(root_folder()) / "tutorials")

    GetTutorialsDir = GetTutorialDir

    def GetMacroPath(self) -> str:
        return self._macro_path

    def SetMacroPath(self, path: str) -> None:
        """Set the folders in which macros are looked for, which changes nothing else."""
        self._macro_path = str(path)

    def IsWebDisplay(self) -> bool:
        """Return False: there is no screen."""
        return False

    def GetApplication(self) -> TApplication:
        return gApplication

    def GetClass(self, name: str, *_: Any) -> Any:
        """Return a class by its name, or a null pointer if it does not exist here."""
        found = _named(str(name))
        return TClass(found) if isinstance(found, type) else NullPointer(f"the class {name} does not exist here")

    def GetGlobal(self, name: str, *_: Any) -> Any:
        """Return what ROOT has under a name, such as ``gRandom``, or a null pointer."""
        found = _named(str(name))
        return NullPointer(f"ROOT has no {name} here") if found is None else found

    def GetFunction(self, name: str) -> Any:
        """Return the function that was made last under this name, or a null pointer."""
        return SESSION.functions.get(str(name)) or NullPointer(f"there is no function {name!r}")

    def GetListOfFunctions(self) -> ObjectList[Any]:
        return ObjectList(SESSION.functions.values())

    def GetListOfFiles(self) -> ObjectList[Any]:
        return ObjectList(SESSION.files)

    def FindObject(self, name: str) -> Any:
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
        elif LEVEL_LINE.match(str(line)):
            _set_ignore_level(str(line))
        elif HARMLESS_LINES.match(str(line)) is None and TMVA_MACRO.search(str(line)) is None:
            raise RefusedError(f"gROOT.ProcessLine({line!r}): C++ cannot be run here; write it in Python")
        return 0

    ProcessLineSync = ProcessLine

    def __getattr__(self, name: str) -> Any:
        if name in self._no_ops:
            return lambda *_: LOGGER.debug("gROOT.%s has no effect", name)
        if name.startswith("GetListOf"):  # canvases, styles, colours, browsers ...
            return lambda *_: ObjectList()
        if name in {"GetColor", "GetSelectedPad"}:
            return no_op("gROOT", name)
        raise NotInCompatError.of("gROOT", name, [*public_names(self), *self._no_ops], "")


def root_folder() -> str:
    """Return ROOTSYS, or the working directory if that is not set."""
    return os.environ.get("ROOTSYS", ".")


def _named(name: str) -> Any:
    from pytmva_bnn.compat import ROOT  # which needs this module

    found: Any = ROOT
    for part in name.split("::"):
        found = getattr(found, part, None)
    return found


def _set_ignore_level(line: str) -> None:
    from pytmva_bnn.compat import ROOT  # which needs this module

    level = LEVEL_LINE.match(line)
    value = level[1] if level else "-1"
    ROOT.gErrorIgnoreLevel = int(value if value.isdecimal() else CONSTANTS.get(value, -1))


class TApplication:
    """``gApplication``, or one that the macro makes; there is no screen to wait at."""

    def __init__(self, name: str = "root", argc: Any = 0, argv: Any = ()) -> None:
        del argc
        self._name = str(name)
        self._arguments = list(argv or ())

    def Run(self, retrn: bool = False) -> None:
        """Return at once."""
        del retrn
        LOGGER.debug("gApplication.Run has no effect: there are no windows to wait for")

    def Terminate(self, status: int = 0) -> NoReturn:
        raise SystemExit(status)

    def Argc(self) -> int:
        return len(self._arguments or sys.argv)

    def Argv(self, number: int | None = None) -> Any:
        arguments = self._arguments or sys.argv
        return arguments if number is None else arguments[number]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return no_op("TApplication", name)


class Interpreter:
    """``gInterpreter``: there is none, but macros ask it for their own names and for dictionaries."""

    macro_name = ""
    """The macro that is run, if it is not the script that Python runs."""

    def GetCurrentMacroName(self) -> str:
        script = getattr(sys.modules["__main__"], "__file__", None) or sys.argv[0]
        return self.macro_name or str(Path(script).absolute())

    def GenerateDictionary(self, *_: Any) -> int:
        """Do nothing: containers need no dictionaries."""
        return 0

    AddIncludePath = GenerateDictionary
    EnableAutoLoading = GenerateDictionary

    def Declare(self, code: str) -> NoReturn:
        """Raise: C++ cannot be compiled."""
        first = str(code).strip().partition("\n")[0]
        raise RefusedError(f"gInterpreter: C++ code cannot be compiled here; write it in Python with numpy: {first}")

    ProcessLine = Declare
    Calc = Declare
    LoadMacro = Declare
    LoadText = Declare


class Environment:
    """``gEnv``: settings that macros make and read; there is no .rootrc."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def GetValue(self, name: str, default: Any) -> Any:
        return self._values.get(str(name), default)

    def SetValue(self, name: str, value: Any = "", *_: Any) -> None:
        self._values[str(name)] = value


class PythonConfig:
    """``ROOT.PyConfig``: settings that change nothing here."""

    IgnoreCommandLineOptions = True
    DisableRootLogon = True
    StartGUIThread = False


gROOT = Framework()  # noqa: N816 - ROOT's name
gApplication = TApplication()  # noqa: N816 - ROOT's name
gInterpreter = Interpreter()  # noqa: N816 - ROOT's name
gEnv = Environment()  # noqa: N816 - ROOT's name
PyConfig = PythonConfig()
