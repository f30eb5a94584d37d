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

from types import ModuleType
from typing import Any

from pytmva_bnn.compat import tmva
from pytmva_bnn.compat.axes import TAxis
from pytmva_bnn.compat.branches import TBranch
from pytmva_bnn.compat.chains import TChain
from pytmva_bnn.compat.constants import CONSTANTS
from pytmva_bnn.compat.cpp import c_format
from pytmva_bnn.compat.cuts import TCut
from pytmva_bnn.compat.data_frames import RDF, RDataFrame
from pytmva_bnn.compat.directories import TDirectory, TKey, gDirectory
from pytmva_bnn.compat.errors import NotInCompatError
from pytmva_bnn.compat.event_lists import TEntryList, TEventList
from pytmva_bnn.compat.files import TFile
from pytmva_bnn.compat.histograms import TH1, TH1D, TH1F, TH1I
from pytmva_bnn.compat.histograms_2d import TH2, TH2D, TH2F, TH2I
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.maths import TMath
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.no_ops import GRAPHICS, NoOp, graphics_class
from pytmva_bnn.compat.null_pointer import nullptr
from pytmva_bnn.compat.randoms import TRandom, TRandom3, gRandom
from pytmva_bnn.compat.refused import REFUSED, RefusedName
from pytmva_bnn.compat.root_globals import PyConfig, gApplication, gROOT, gSystem
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.compat.std import std, vector
from pytmva_bnn.compat.std.types import CLASSES
from pytmva_bnn.compat.stopwatch import TStopwatch, gBenchmark
from pytmva_bnn.compat.strings import StdString, TObjString, TString
from pytmva_bnn.compat.tree_readers import TTreeFormula, TTreeReader, TTreeReaderArray, TTreeReaderValue
from pytmva_bnn.compat.trees import TNtuple, TNtupleD, TTree

__all__ = [
    "TH1",
    "TH1D",
    "TH1F",
    "TH1I",
    "TH2",
    "TH2D",
    "TH2F",
    "TH2I",
    "TMVA",
    "PyConfig",
    "TAxis",
    "TChain",
    "TCut",
    "TDirectory",
    "TFile",
    "TKey",
    "TList",
    "TMath",
    "TNtuple",
    "TNtupleD",
    "TObjArray",
    "TObjString",
    "TRandom",
    "TRandom3",
    "TStopwatch",
    "TString",
    "TTree",
    "TTreeReaderValue",
    "TTreeReaderArray",
    "TTreeReader",
    "TTreeFormula",
    "TLeaf",
    "TEventList",
    "TEntryList",
    "TBranch",
    "RDataFrame",
    "RDF",
    "gApplication",
    "gBenchmark",
    "gDirectory",
    "gPad",
    "gROOT",
    "gRandom",
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
TLeaf = TBranch
string = StdString
gStyle = NoOp("gStyle")
gPad = NoOp("gPad")
gErrorIgnoreLevel = -1
gDebug = 0


CLASSES.update({name: kind for name, kind in globals().items() if isinstance(kind, type)})  # for std::vector<TH1F>


def EnableImplicitMT(threads: int = 0) -> None:
    """Do nothing: numpy uses the processors it can use."""
    LOGGER.debug("EnableImplicitMT(%d) has no effect", threads)


DisableImplicitMT = EnableImplicitMT


def Form(pattern: str, *arguments: Any) -> str:
    """Return the text that C's printf would write."""
    return c_format(pattern, *arguments)


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
