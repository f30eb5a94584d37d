"""The names that ``import ROOT`` gives, as far as TMVA macros use them.

Use it as ``from pytmva_bnn.compat import ROOT`` or ``from pytmva_bnn.compat.ROOT import TMVA, TFile, TCut``.

>>> from pytmva_bnn.compat import ROOT
>>> ROOT.TCut("x > 0") + "y > 0"
TCut('(x > 0)&&(y > 0)')
>>> ROOT.TGarph
Traceback (most recent call last):
pytmva_bnn.compat.errors.NotInCompatError: ROOT.TGarph does not exist in pytmva_bnn.compat: did you mean TGraph?
"""
# ruff: noqa: N999, N802, N816 - ROOT's names

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

from pytmva_bnn.compat import tmva
from pytmva_bnn.compat.axes import TAxis
from pytmva_bnn.compat.chains import TChain
from pytmva_bnn.compat.constants import CONSTANTS
from pytmva_bnn.compat.containers import ObjectList, std, vector
from pytmva_bnn.compat.cuts import TCut
from pytmva_bnn.compat.directories import TDirectory, TKey, gDirectory
from pytmva_bnn.compat.error_messages import Break, Error, Fatal, Info, Printf, SysError, Warning  # noqa: A004
from pytmva_bnn.compat.errors import NotInCompatError
from pytmva_bnn.compat.files import TFile
from pytmva_bnn.compat.functions import TF1, TF2
from pytmva_bnn.compat.histograms import TH1, TH1D, TH1F, TH1I
from pytmva_bnn.compat.histograms_2d import TH2, TH2D, TH2F, TH2I
from pytmva_bnn.compat.maths import TMath
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.named import Named, TClass, TObject
from pytmva_bnn.compat.no_ops import GRAPHICS, NoOp, graphics_class
from pytmva_bnn.compat.null_pointer import nullptr
from pytmva_bnn.compat.randoms import TRandom, TRandom3, gRandom
from pytmva_bnn.compat.refused import REFUSED, RefusedName
from pytmva_bnn.compat.root_globals import (
    PyConfig,
    TApplication,
    gApplication,
    gEnv,
    gInterpreter,
    gROOT,
    root_folder,
)
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.compat.stopwatch import TStopwatch, gBenchmark
from pytmva_bnn.compat.strings import StdString, TObjString, TString
from pytmva_bnn.compat.system import Record, gSystem
from pytmva_bnn.compat.trees import TNtuple, TNtupleD, TTree

__all__ = [
    "TF1",
    "TF2",
    "TH1",
    "TH1D",
    "TH1F",
    "TH1I",
    "TH2",
    "TH2D",
    "TH2F",
    "TH2I",
    "TMVA",
    "Break",
    "DisableImplicitMT",
    "EnableImplicitMT",
    "Error",
    "Fatal",
    "GetThreadPoolSize",
    "Info",
    "Printf",
    "PyConfig",
    "SysError",
    "TApplication",
    "TAxis",
    "TChain",
    "TClass",
    "TCut",
    "TDirectory",
    "TFile",
    "TFormula",
    "TKey",
    "TList",
    "TMath",
    "TNamed",
    "TNtuple",
    "TNtupleD",
    "TObjArray",
    "TObjString",
    "TObject",
    "TROOT",
    "TRandom",
    "TRandom3",
    "TStopwatch",
    "TString",
    "TTree",
    "Warning",
    "gApplication",
    "gBenchmark",
    "gDirectory",
    "gEnv",
    "gInterpreter",
    "gPad",
    "gROOT",
    "gRandom",
    "gRootDir",
    "gStyle",
    "gSystem",
    "nullptr",
    "std",
    "string",
    "vector",
    "Form",
    "gDebug",
    "gErrorIgnoreLevel",
    *CONSTANTS,
    *GRAPHICS,
    *REFUSED,
]

TMVA: ModuleType = tmva
TList = TObjArray = ObjectList
string = StdString
TNamed = Named
TROOT = gROOT
ProcInfo_t = SysInfo_t = MemInfo_t = CpuInfo_t = FileStat_t = Record
gStyle = NoOp("gStyle")
gPad = NoOp("gPad")
gClient, gVirtualX, gPluginMgr, gBrowser = map(NoOp, ("gClient", "gVirtualX", "gPluginMgr", "gBrowser"))
TFormula = TF1
gRootDir = root_folder()
gErrorIgnoreLevel = -1
gDebug = 0


_threads = 0


def EnableImplicitMT(threads: int = 0) -> None:
    """Take note of the number: numpy uses the processors it can use anyway."""
    global _threads
    _threads = int(threads) or os.cpu_count() or 1
    LOGGER.debug("EnableImplicitMT(%d) has no effect", threads)


def DisableImplicitMT() -> None:
    """Take note of it: numpy uses the processors it can use anyway."""
    global _threads
    _threads = 0


def GetThreadPoolSize() -> int:
    """Return what EnableImplicitMT was given, 0 without it."""
    return _threads


def IsImplicitMTEnabled() -> bool:
    """Return whether EnableImplicitMT was called."""
    return _threads > 0


def Form(pattern: str, *arguments: Any) -> str:
    """Return the text that C's printf would write."""
    return str(TString.Format(pattern, *arguments))


def SetOwnership(thing: Any, owned: bool) -> None:
    """Do nothing: Python owns all objects."""
    del thing, owned


def __getattr__(name: str) -> Any:
    if name == "gFile":
        return SESSION.directory.file or nullptr
    if name in CONSTANTS:
        return CONSTANTS[name]
    if name in GRAPHICS:
        found: Any = graphics_class(name)
    elif name in REFUSED:
        found = RefusedName(name)
    elif name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        known = [*__all__, *CONSTANTS, *GRAPHICS, *REFUSED]
        raise NotInCompatError.of("ROOT", name, known, "docs/porting.md says what there is")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *CONSTANTS, *GRAPHICS, *REFUSED})
