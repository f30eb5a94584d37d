"""What ROOT's, TMVA's and the standard library's names become: tables, hardly any code.

Templates: ``{self}`` is the object, ``{0}``, ``{1}`` … are the arguments; ``:a`` puts brackets around one unless it
is an atom.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.factory import CrossValidation, Factory, MethodBase
from pytmva_bnn.methods import kinds
from pytmva_bnn.port.histogram import Histogram
from pytmva_bnn.port.symbols import BOOL, CUT, DOUBLE, FLOAT, INT, LONG, STRING, UNKNOWN, VOID, CppType, Kind
from pytmva_bnn.reader import Reader

# ---- types -----------------------------------------------------------------------------------------------------

NUMBER_TYPES: dict[str, CppType] = {
    "bool": BOOL,
    "Bool_t": BOOL,
    "int": INT,
    "Int_t": INT,
    "UInt_t": CppType(Kind.INT, dtype="np.uint32"),
    "unsigned": CppType(Kind.INT, dtype="np.uint32"),
    "unsigned int": CppType(Kind.INT, dtype="np.uint32"),
    "uint": CppType(Kind.INT, dtype="np.uint32"),
    "short": CppType(Kind.INT, dtype="np.int16"),
    "Short_t": CppType(Kind.INT, dtype="np.int16"),
    "UShort_t": CppType(Kind.INT, dtype="np.uint16"),
    "unsigned short": CppType(Kind.INT, dtype="np.uint16"),
    "UChar_t": CppType(Kind.INT, dtype="np.uint8"),
    "unsigned char": CppType(Kind.INT, dtype="np.uint8"),
    "long": LONG,
    "long int": LONG,
    "long long": LONG,
    "long long int": LONG,
    "Long_t": LONG,
    "Long64_t": LONG,
    "ULong_t": CppType(Kind.INT, dtype="np.uint64"),
    "ULong64_t": CppType(Kind.INT, dtype="np.uint64"),
    "unsigned long": CppType(Kind.INT, dtype="np.uint64"),
    "unsigned long long": CppType(Kind.INT, dtype="np.uint64"),
    "size_t": LONG,
    "int32_t": INT,
    "int64_t": LONG,
    "uint32_t": CppType(Kind.INT, dtype="np.uint32"),
    "uint64_t": CppType(Kind.INT, dtype="np.uint64"),
    "Ssiz_t": LONG,
    "float": FLOAT,
    "Float_t": FLOAT,
    "Float16_t": FLOAT,
    "double": DOUBLE,
    "Double_t": DOUBLE,
    "Double32_t": DOUBLE,
    "long double": DOUBLE,
    "Real_t": FLOAT,
}

CLASS_TYPES: dict[str, CppType] = {
    "void": VOID,
    "char": STRING,
    "Char_t": STRING,
    "Option_t": STRING,
    "string": STRING,
    "TString": STRING,
    "TCut": CUT,
    "TFile": CppType(Kind.FILE),
    "TTree": CppType(Kind.TREE),
    "TNtuple": CppType(Kind.TREE),
    "TChain": CppType(Kind.CHAIN),
    "TH1": CppType(Kind.HISTOGRAM),
    "TH1F": CppType(Kind.HISTOGRAM),
    "TH1D": CppType(Kind.HISTOGRAM),
    "TH1I": CppType(Kind.HISTOGRAM),
    "TStopwatch": CppType(Kind.STOPWATCH),
    "TRandom": CppType(Kind.RANDOM),
    "TRandom1": CppType(Kind.RANDOM),
    "TRandom2": CppType(Kind.RANDOM),
    "TRandom3": CppType(Kind.RANDOM),
    "ofstream": CppType(Kind.STREAM),
    "TMVA::Factory": CppType(Kind.FACTORY),
    "TMVA::DataLoader": CppType(Kind.LOADER),
    "TMVA::Reader": CppType(Kind.READER),
    "TMVA::MethodBase": CppType(Kind.METHOD),
    "TMVA::CrossValidation": CppType(Kind.CROSS_VALIDATION),
    "TMVA::IMethod": CppType(Kind.METHOD),
    "TMVA::MethodMLP": CppType(Kind.METHOD),
    "TMVA::MethodCategory": CppType(Kind.METHOD),
    "TMVA::Types::EMVA": INT,
}

NATIVE_CLASSES: dict[Kind, type] = {
    Kind.FACTORY: Factory,
    Kind.LOADER: DataLoader,
    Kind.READER: Reader,
    Kind.METHOD: MethodBase,
    Kind.CROSS_VALIDATION: CrossValidation,
    Kind.HISTOGRAM: Histogram,
}
"""Kinds whose calls keep their names; the class says which there are."""

NATIVE_RESULTS: dict[str, CppType] = {
    "BookMethod": CppType(Kind.METHOD),
    "BookMVA": CppType(Kind.METHOD),
    "FindMVA": CppType(Kind.METHOD),
    "GetMethod": CppType(Kind.METHOD),
    "EvaluateMVA": DOUBLE,
    "GetMVAError": DOUBLE,
    "GetMVAErrorLower": DOUBLE,
    "GetMVAErrorUpper": DOUBLE,
    "GetProba": DOUBLE,
    "GetRarity": DOUBLE,
    "GetROCIntegral": DOUBLE,
    "EvaluateRegression": CppType(Kind.VECTOR, FLOAT),
    "EvaluateMulticlass": CppType(Kind.VECTOR, FLOAT),
    "GetEntries": DOUBLE,
    "GetMean": DOUBLE,
    "GetStdDev": DOUBLE,
    "GetRMS": DOUBLE,
    "Integral": DOUBLE,
    "GetBinContent": DOUBLE,
    "GetBinCenter": DOUBLE,
    "GetBinError": DOUBLE,
    "GetBinLowEdge": DOUBLE,
    "GetBinWidth": DOUBLE,
    "GetMaximum": DOUBLE,
    "GetMaximumBin": INT,
    "FindBin": INT,
    "Clone": CppType(Kind.HISTOGRAM),
    "GetNbinsX": INT,
    "GetName": STRING,
    "GetTitle": STRING,
    "GetMethodName": STRING,
}

# ---- methods of objects ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Idiom:
    """What a call becomes: a template, its rank in Python's precedence (see expressions), and its type.

    ``changes``: it changes the object, so it can only be a statement.
    """

    template: str
    type: CppType = UNKNOWN
    rank: str = "atom"
    changes: bool = False


_LENGTH = Idiom("len({self})", INT)
_EMPTY = Idiom("not {self:a}", BOOL, "not")
_ELEMENT = Idiom("{self:a}[{0}]")

METHODS: dict[Kind, dict[tuple[str, int], Idiom]] = {
    Kind.STRING: {
        ("Data", 0): Idiom("{self}", STRING),
        ("c_str", 0): Idiom("{self}", STRING),
        ("GetTitle", 0): Idiom("{self}", STRING),
        ("Copy", 0): Idiom("{self}", STRING),
        ("Length", 0): _LENGTH,
        ("length", 0): _LENGTH,
        ("size", 0): _LENGTH,
        ("IsNull", 0): _EMPTY,
        ("IsWhitespace", 0): Idiom("not {self:a}.strip()", BOOL, "not"),
        ("empty", 0): _EMPTY,
        ("Contains", 1): Idiom("{0:a} in {self:a}", BOOL, "comparison"),
        ("BeginsWith", 1): Idiom("{self:a}.startswith({0})", BOOL),
        ("EndsWith", 1): Idiom("{self:a}.endswith({0})", BOOL),
        ("Atoi", 0): Idiom("int({self})", INT),
        ("Atof", 0): Idiom("float({self})", DOUBLE),
        ("IsDigit", 0): Idiom("{self:a}.isdigit()", BOOL),
        ("find", 1): Idiom("{self:a}.find({0})", INT),
        ("rfind", 1): Idiom("{self:a}.rfind({0})", INT),
        ("Index", 1): Idiom("{self:a}.find({0})", INT),
        ("First", 1): Idiom("{self:a}.find({0})", INT),
        ("Last", 1): Idiom("{self:a}.rfind({0})", INT),
        ("at", 1): Idiom("{self:a}[{0}]", STRING),
        ("substr", 1): Idiom("{self:a}[{0}:]", STRING),
        ("EqualTo", 1): Idiom("{self:a} == {0:a}", BOOL, "comparison"),
        ("ReplaceAll", 2): Idiom("{self} = {self}.replace({0}, {1})", STRING, changes=True),
        ("ToLower", 0): Idiom("{self} = {self}.lower()", STRING, changes=True),
        ("ToUpper", 0): Idiom("{self} = {self}.upper()", STRING, changes=True),
        ("Append", 1): Idiom("{self} += {0}", STRING, changes=True),
        ("append", 1): Idiom("{self} += {0}", STRING, changes=True),
        ("push_back", 1): Idiom("{self} += {0}", STRING, changes=True),
        ("Prepend", 1): Idiom("{self} = {0:a} + {self}", STRING, changes=True),
        ("clear", 0): Idiom('{self} = ""', VOID, changes=True),
        ("Clear", 0): Idiom('{self} = ""', VOID, changes=True),
    },
    Kind.VECTOR: {
        ("size", 0): _LENGTH,
        ("empty", 0): Idiom("len({self}) == 0", BOOL, "comparison"),
        ("at", 1): _ELEMENT,
        ("front", 0): Idiom("{self:a}[0]"),
        ("back", 0): Idiom("{self:a}[-1]"),
        ("data", 0): Idiom("{self}"),
        ("push_back", 1): Idiom("{self:a}.append({0})", VOID, changes=True),
        ("emplace_back", 1): Idiom("{self:a}.append({0})", VOID, changes=True),
        ("pop_back", 0): Idiom("{self:a}.pop()", VOID, changes=True),
        ("clear", 0): Idiom("{self:a}.clear()", VOID, changes=True),
    },
    Kind.ARRAY: {
        ("size", 0): _LENGTH,
        ("at", 1): _ELEMENT,
    },
    Kind.MAP: {
        ("size", 0): _LENGTH,
        ("empty", 0): Idiom("len({self}) == 0", BOOL, "comparison"),
        ("at", 1): _ELEMENT,
        ("count", 1): Idiom("{0:a} in {self:a}", BOOL, "comparison"),
        ("contains", 1): Idiom("{0:a} in {self:a}", BOOL, "comparison"),
        ("erase", 1): Idiom("{self:a}.pop({0}, None)", VOID, changes=True),
        ("clear", 0): Idiom("{self:a}.clear()", VOID, changes=True),
    },
    Kind.FILE: {
        ("GetName", 0): Idiom("{self}", STRING),
        ("IsZombie", 0): Idiom("not Path({self}).exists()", BOOL, "not"),
        ("IsOpen", 0): Idiom("Path({self}).exists()", BOOL),
    },
    Kind.TREE: {("GetName", 0): Idiom('{self:a}.rpartition(":")[2]', STRING)},
    Kind.RANDOM: {
        ("Rndm", 0): Idiom("{self:a}.rndm()", DOUBLE),
        ("Uniform", 0): Idiom("{self:a}.rndm()", DOUBLE),
        ("Uniform", 1): Idiom("{0:a} * {self:a}.rndm()", DOUBLE, "product"),
        ("Uniform", 2): Idiom("{0:a} + ({1:a} - {0:a}) * {self:a}.rndm()", DOUBLE, "sum"),
        ("Integer", 1): Idiom("{self:a}.integer({0})", INT),
        ("SetSeed", 1): Idiom("{self} = TRandom3({0})", VOID, changes=True),
        ("SetSeed", 0): Idiom("{self} = TRandom3(0)", VOID, changes=True),
    },
    Kind.STREAM: {
        ("close", 0): Idiom("{self:a}.close()", VOID, changes=True),
        ("is_open", 0): Idiom("not {self:a}.closed", BOOL, "not"),
    },
}

NUMPY_RANDOM: dict[tuple[str, int], Idiom] = {
    ("Rndm", 0): Idiom("{self:a}.random()", DOUBLE),
    ("Uniform", 0): Idiom("{self:a}.random()", DOUBLE),
    ("Uniform", 1): Idiom("{self:a}.uniform(0, {0})", DOUBLE),
    ("Uniform", 2): Idiom("{self:a}.uniform({0}, {1})", DOUBLE),
    ("Integer", 1): Idiom("{self:a}.integers({0})", INT),
    ("Gaus", 0): Idiom("{self:a}.normal()", DOUBLE),
    ("Gaus", 1): Idiom("{self:a}.normal({0})", DOUBLE),
    ("Gaus", 2): Idiom("{self:a}.normal({0}, {1})", DOUBLE),
    ("Exp", 1): Idiom("{self:a}.exponential({0})", DOUBLE),
    ("Poisson", 1): Idiom("{self:a}.poisson({0})", INT),
    ("Binomial", 2): Idiom("{self:a}.binomial({0}, {1})", INT),
    ("SetSeed", 1): Idiom("{self} = np.random.default_rng({0})", VOID, changes=True),
    ("SetSeed", 0): Idiom("{self} = np.random.default_rng()", VOID, changes=True),
}
"""For generators of which more is asked than TRandom3 here offers: other random numbers than ROOT's."""

# ---- functions ----------------------------------------------------------------------------------------------------

_MATH = {
    "Sqrt": "sqrt",
    "Exp": "exp",
    "Log": "log",
    "Log10": "log10",
    "Log2": "log2",
    "Sin": "sin",
    "Cos": "cos",
    "Tan": "tan",
    "ASin": "arcsin",
    "ACos": "arccos",
    "ATan": "arctan",
    "SinH": "sinh",
    "CosH": "cosh",
    "TanH": "tanh",
    "Floor": "floor",
    "Ceil": "ceil",
}
"""TMath's name, which in the standard library is the same in small letters → numpy's."""

FUNCTIONS: dict[tuple[str, int], Idiom] = {
    **{(name.lower(), 1): Idiom(f"np.{numpy}({{0}})", DOUBLE) for name, numpy in _MATH.items()},
    **{(f"TMath::{name}", 1): Idiom(f"np.{numpy}({{0}})", DOUBLE) for name, numpy in _MATH.items()},
    **{(name, 1): Idiom("abs({0})") for name in ("abs", "TMath::Abs")},
    **{(name, 1): Idiom("abs({0})", DOUBLE) for name in ("fabs", "fabsf")},
    **{(name, 2): Idiom("np.float_power({0}, {1})", DOUBLE) for name in ("pow", "TMath::Power")},
    **{(name, 2): Idiom("np.arctan2({0}, {1})", DOUBLE) for name in ("atan2", "TMath::ATan2")},
    **{(name, 2): Idiom("np.hypot({0}, {1})", DOUBLE) for name in ("hypot", "TMath::Hypot")},
    **{(name, 2): Idiom("max({0}, {1})") for name in ("max", "TMath::Max")},
    **{(name, 2): Idiom("min({0}, {1})") for name in ("min", "TMath::Min")},
    **{(name, 1): Idiom("bool(np.isnan({0}))", BOOL) for name in ("isnan", "TMath::IsNaN")},
    **{(name, 1): Idiom("bool(np.isfinite({0}))", BOOL) for name in ("isfinite", "TMath::Finite")},
    ("isinf", 1): Idiom("bool(np.isinf({0}))", BOOL),
    ("fmod", 2): Idiom("np.fmod({0}, {1})", DOUBLE),
    ("TMath::Nint", 1): Idiom("round({0})", INT),
    ("round", 1): Idiom("np.trunc({0:a} + np.copysign(0.5, {0}))", DOUBLE),
    ("TMath::Sq", 1): Idiom("{0:a} ** 2", DOUBLE, "power"),
    ("TMath::Pi", 0): Idiom("np.pi", DOUBLE),
    ("TMath::TwoPi", 0): Idiom("2 * np.pi", DOUBLE, "product"),
    ("TMath::E", 0): Idiom("np.e", DOUBLE),
    ("TMath::Infinity", 0): Idiom("np.inf", DOUBLE),
    ("TMath::QuietNaN", 0): Idiom("np.nan", DOUBLE),
    ("to_string", 1): Idiom("str({0})", STRING),
    ("atoi", 1): Idiom("int({0})", INT),
    ("atof", 1): Idiom("float({0})", DOUBLE),
    ("stoi", 1): Idiom("int({0})", INT),
    ("stod", 1): Idiom("float({0})", DOUBLE),
    ("strlen", 1): Idiom("len({0})", INT),
    ("make_pair", 2): Idiom("({0}, {1})", CppType(Kind.PAIR)),
    ("exit", 1): Idiom("sys.exit({0})", VOID),
    ("abort", 0): Idiom("sys.exit(1)", VOID),
    ("assert", 1): Idiom("assert {0}", VOID, "statement", changes=True),
    ("TMVA::Tools::Instance", 0): Idiom("TMVA.Tools.Instance()"),
    ("gTools().SplitString", 2): Idiom("{0:a}.split({1})", CppType(Kind.VECTOR, STRING)),
    ("gROOT.IsBatch", 0): Idiom("True", BOOL),
    ("gSystem.AccessPathName", 1): Idiom("not Path({0}).exists()", BOOL, "not"),
    ("gSystem.mkdir", 1): Idiom("Path({0}).mkdir(exist_ok=True)", VOID, changes=True),
    ("gSystem.mkdir", 2): Idiom("Path({0}).mkdir(parents=True, exist_ok=True)", VOID, changes=True),
    ("gSystem.MakeDirectory", 1): Idiom("Path({0}).mkdir(exist_ok=True)", VOID, changes=True),
    ("gSystem.Exit", 1): Idiom("sys.exit({0})", VOID),
    ("gSystem.Unlink", 1): Idiom("Path({0}).unlink(missing_ok=True)", VOID, changes=True),
    ("gApplication.Terminate", 0): Idiom("sys.exit()", VOID),
    ("gApplication.Terminate", 1): Idiom("sys.exit({0})", VOID),
}

CONSTANTS: dict[str, tuple[str, CppType]] = {
    "true": ("True", BOOL),
    "false": ("False", BOOL),
    "kTRUE": ("True", BOOL),
    "kFALSE": ("False", BOOL),
    "kTrue": ("True", BOOL),
    "kFalse": ("False", BOOL),
    "NULL": ("None", CppType(Kind.NONE)),
    "nullptr": ("None", CppType(Kind.NONE)),
    "M_PI": ("np.pi", DOUBLE),
    "string::npos": ("-1", INT),
    "kNPOS": ("-1", INT),
    "DBL_MAX": ("np.finfo(np.float64).max", DOUBLE),
    "FLT_MAX": ("np.finfo(np.float32).max", FLOAT),
    "EXIT_SUCCESS": ("0", INT),
    "EXIT_FAILURE": ("1", INT),
}

# ---- what has no meaning without ROOT --------------------------------------------------------------------------------

NEEDLESS = re.compile(
    r"(gROOT|gStyle|gInterpreter|gErrorIgnoreLevel|TH1::(SetDefaultSumw2|AddDirectory)|TH1[FD]?::SetDefaultSumw2"
    r"|TFile::SetCacheFileDir|ROOT::Enable\w+|TMVA::PyMethodBase::PyInitialize|TMVA::(TMVAGui|TMVARegGui|TMVAMultiClassGui)"
    r"|TMVAGui|TMVARegGui|TMVAMultiClassGui|TMVAGlob::\w+"
    r"|TBranch|R__(LOAD_LIBRARY|ADD_INCLUDE_PATH)|Class(Imp|Def)"
    r"|gSystem->(Load|AddIncludePath|AddDynamicPath|SetIncludePath|CompileMacro|Exec|ProcessEvents))\b"
    r"|\(?\s*(TMVA::)?gConfig\(\)\s*\.\s*(GetVariablePlotting|SetUseColor|SetSilent|SetDrawProgressBar)"
)
"""Beginnings of statements that only load libraries, set the look of plots or show windows."""

_ONLY_ROOT_READS = frozenset(
    {"SetBranchStatus", "SetDirectory", "ResetBranchAddresses", "SetCacheSize", "AddBranchToCache", "SetMakeClass"}
)
NEEDLESS_METHODS: dict[Kind, frozenset[str]] = {
    Kind.FILE: frozenset({"Close", "cd", "Delete"}),
    Kind.OUT_FILE: frozenset({"cd", "Delete", "Flush"}),
    Kind.TREE: _ONLY_ROOT_READS,
    Kind.CHAIN: _ONLY_ROOT_READS,
    Kind.OUT_TREE: frozenset({"SetDirectory", "AutoSave", "SetAutoSave"}),
    Kind.HISTOGRAM: frozenset(
        {
            "GetXaxis",
            "GetYaxis",
            "SetDirectory",
            "SetFillColor",
            "SetFillStyle",
            "SetLineColor",
            "SetLineStyle",
            "SetLineWidth",
            "SetMarkerColor",
            "SetMarkerSize",
            "SetMarkerStyle",
            "SetMaximum",
            "SetMinimum",
            "SetStats",
            "SetXTitle",
            "SetYTitle",
        }
    ),
    Kind.VECTOR: frozenset({"reserve", "shrink_to_fit"}),
    Kind.STRING: frozenset({"reserve"}),
    Kind.RANDOM: frozenset(),
}

_OTHER_METHODS = re.compile(
    r"k?(Cuts|Likelihood|PDERS|PDEFoam|KNN|HMatrix|Fisher|BoostedFisher|LD|FDA|CFMlpANN|TMlpANN|SVM|BDT|DT|RuleFit|DNN|DL"
    r"|TMVA_DNN|TMVA_CNN|CNN|RNN|LSTM|GRU|Py[A-Z]|C50|RSNNS|RSVM|RXGB|Category|Boost|Plugin|BayesClassifier|Bayes)\w*"
)
"""Titles and types of TMVA's methods but the MLP."""


def is_missing_method(name: str) -> bool:
    """Tell whether a title or type is that of a method of TMVA's that cannot be trained here."""
    return bool(_OTHER_METHODS.fullmatch(name)) and not name.removeprefix("k").startswith(kinds(trainable=True))


STREAMS = {"cout": "", "cerr": "sys.stderr", "clog": "sys.stderr"}
