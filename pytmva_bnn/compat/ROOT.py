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

from pytmva_bnn.compat import (
    axes,
    branches,
    chains,
    cuts,
    data_frames,
    directories,
    error_messages,
    event_lists,
    files,
    functions,
    graphs,
    histograms,
    histograms_2d,
    kinematics,
    linear_algebra,
    lists,
    macro_text,
    maths,
    named,
    painting,
    profiles,
    randoms,
    root_globals,
    std,
    stopwatch,
    strings,
    system,
    tmva,
    tree_readers,
    trees,
)
from pytmva_bnn.compat.constants import CONSTANTS
from pytmva_bnn.compat.cpp import c_format
from pytmva_bnn.compat.errors import NotInCompatError
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.no_ops import GRAPHICS, NoOp, graphics_class
from pytmva_bnn.compat.null_pointer import nullptr
from pytmva_bnn.compat.refused import REFUSED, RefusedName
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.compat.std.types import CLASSES

HOMES: tuple[tuple[ModuleType, str], ...] = (
    (axes, "TAxis"),
    (branches, "TBranch"),
    (chains, "TChain"),
    (cuts, "TCut"),
    (data_frames, "RDF RDataFrame"),
    (directories, "TDirectory TKey gDirectory"),
    (error_messages, "Break Error Fatal Info Printf SysError Warning"),
    (event_lists, "TEntryList TEventList"),
    (files, "TFile"),
    (functions, "TF1 TF2"),
    (graphs, "TGraph TGraphAsymmErrors TGraphErrors TMultiGraph"),
    (histograms, "TH1 TH1D TH1F TH1I"),
    (histograms_2d, "TH2 TH2D TH2F TH2I"),
    (kinematics, "TLorentzVector TVector3"),
    (
        linear_algebra,
        "TArrayD TArrayF TArrayI TMatrixD TMatrixDSym TMatrixF TVectorD TVectorF",
    ),
    (lists, "TIter"),
    (macro_text, "TDatime TMacro TTimeStamp"),
    (maths, "TMath"),
    (named, "TClass TNamed TObject TParameter"),
    (profiles, "THStack TProfile"),
    (randoms, "TRandom TRandom1 TRandom2 TRandom3 TRandomMixMax gRandom"),
    (root_globals, "PyConfig TApplication gApplication gEnv gInterpreter gROOT"),
    (std, "std vector"),
    (stopwatch, "TStopwatch gBenchmark"),
    (strings, "TObjString TString"),
    (system, "gSystem"),
    (tree_readers, "TTreeFormula TTreeReader TTreeReaderArray TTreeReaderValue"),
    (trees, "TNtuple TNtupleD TTree"),
)
"""The names by the modules that they are in."""

_HERE = {name: getattr(module, name) for module, names in HOMES for name in names.split()}
globals().update(_HERE)
CLASSES.update({name: kind for name, kind in _HERE.items() if isinstance(kind, type)})  # for std::vector<TH1F>

TMVA: ModuleType = tmva
TList = TObjArray = THashList = TCollection = TSeqCollection = lists.ObjectList
TDirectoryFile = directories.TDirectory
string = strings.StdString
TFormula = functions.TF1
TROOT = root_globals.gROOT
TRint = root_globals.TApplication
ProcInfo_t = SysInfo_t = MemInfo_t = CpuInfo_t = FileStat_t = system.Record
TCanvas = TVirtualPad = painting.Pad
TPad = painting.PlacedPad
TLegend = painting.Legend
gPad = painting.CurrentPad("gPad")
gStyle, gClient, gVirtualX, gPluginMgr = map(NoOp, ("gStyle", "gClient", "gVirtualX", "gPluginMgr"))
gRootDir = root_globals.root_folder()
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
    return c_format(pattern, *arguments)


def SetOwnership(thing: Any, owned: bool) -> None:
    """Do nothing: Python owns all objects."""
    del thing, owned


__all__ = [
    *_HERE, *CONSTANTS, *GRAPHICS, *REFUSED, "CpuInfo_t", "DisableImplicitMT", "EnableImplicitMT", "FileStat_t", "Form",
    "GetThreadPoolSize", "IsImplicitMTEnabled", "MemInfo_t", "ProcInfo_t", "SetOwnership", "SysInfo_t", "TCanvas",
    "TCollection", "TDirectoryFile", "TFormula", "THashList", "TLegend", "TList", "TMVA", "TObjArray",
    "TPad", "TROOT", "TRint", "TSeqCollection", "TVirtualPad", "gClient", "gDebug",
    "gErrorIgnoreLevel", "gPad", "gPluginMgr", "gRootDir", "gStyle", "gVirtualX", "nullptr", "string",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "gFile":
        return SESSION.directory.file or nullptr
    if name in CONSTANTS:
        return CONSTANTS[name]
    if name in GRAPHICS:
        found: Any = graphics_class(name)
    elif name in REFUSED:
        found = RefusedName(name)
    elif name.startswith("TMVA") and name.endswith("Gui"):  # ROOT 5: outside of the namespace
        found = getattr(tmva, name)
    elif name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        raise NotInCompatError.of("ROOT", name, __all__, "docs/porting.md lists what is available")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
