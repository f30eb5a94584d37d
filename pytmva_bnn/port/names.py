"""Names that C++, std and ROOT bring with them: what they are in Python."""

from __future__ import annotations

from pytmva_bnn.compat import ROOT
from pytmva_bnn.compat.refused import REFUSED
from pytmva_bnn.port.cpp_types import (
    BOOL,
    DOUBLE,
    INT,
    ITERATOR,
    NULL,
    STREAM,
    TEXT,
    UINT64,
    UNKNOWN,
    CppType,
)

CONSTANTS: dict[str, tuple[str, CppType]] = {
    "NULL": ("None", NULL), "nullptr": ("None", NULL), "kTRUE": ("True", BOOL), "kFALSE": ("False", BOOL),
    "true": ("True", BOOL), "false": ("False", BOOL), "M_PI": ("ROOT.TMath.Pi()", DOUBLE),
    "INT_MAX": ("2147483647", INT), "INT_MIN": ("-2147483648", INT), "UINT_MAX": ("4294967295", CppType("uint32")),
    "LLONG_MAX": ("9223372036854775807", CppType("int64")), "RAND_MAX": ("2147483647", INT),
    "SHRT_MAX": ("32767", INT), "CHAR_MAX": ("127", INT),
    "FLT_MAX": ("3.4028234663852886e+38", CppType("float32")), "DBL_MAX": ("1.7976931348623157e+308", DOUBLE),
    "FLT_MIN": ("1.1754943508222875e-38", CppType("float32")), "DBL_MIN": ("2.2250738585072014e-308", DOUBLE),
    "FLT_EPSILON": ("1.1920928955078125e-07", CppType("float32")), "DBL_EPSILON": ("2.220446049250313e-16", DOUBLE),
    "EXIT_SUCCESS": ("0", INT), "EXIT_FAILURE": ("1", INT), "kNPOS": ("-1", INT), "INFINITY": ('float("inf")', DOUBLE),
    "NAN": ('float("nan")', DOUBLE), "CLOCKS_PER_SEC": ("1000000", CppType("int64")), "stdout": ("stdout", STREAM),
    "stderr": ("stderr", STREAM), "kMaxInt": ("2147483647", INT), "kMaxUInt": ("4294967295", CppType("uint32")),
    "__FILE__": ("__file__", TEXT), "F_OK": ("0", INT), "R_OK": ("4", INT), "W_OK": ("2", INT),
}  # fmt: skip
"""Constants and macros of C, C++ and ROOT."""

STREAM_NAMES = frozenset({"cout", "cerr", "clog", "cin"})
MANIPULATORS = frozenset(
    {
        "endl", "flush", "ends", "fixed", "scientific", "defaultfloat", "hexfloat", "left", "right", "internal",
        "hex", "dec", "oct", "showpoint", "noshowpoint", "showpos", "noshowpos", "boolalpha", "noboolalpha",
        "uppercase", "nouppercase", "showbase", "noshowbase", "ws", "setw", "setprecision", "setfill",
    }
)  # fmt: skip
MATHS = frozenset(
    {
        "sqrt", "pow", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh",
        "cosh", "tanh", "floor", "ceil", "round", "trunc", "fmod", "hypot", "cbrt", "erf", "erfc", "log2",
        "exp2", "log1p", "expm1", "tgamma", "lgamma", "asinh", "acosh", "atanh", "copysign", "remquo",
        "nearbyint", "rint", "fmin", "fmax",
    }
)  # fmt: skip
"""Functions that give a double."""

STD: dict[str, CppType] = {
    **dict.fromkeys(MATHS, DOUBLE),
    **dict.fromkeys(STREAM_NAMES, STREAM),
    **dict.fromkeys(MANIPULATORS, UNKNOWN),
    **dict.fromkeys((
         "isnan", "isinf", "isfinite", "binary_search", "any_of", "all_of", "none_of", "equal",),
        BOOL),
    **dict.fromkeys(("stoi",), INT),
    **dict.fromkeys((
         "stol", "stoll", "distance", "count", "count_if", "lround", "llround",),
        CppType("int64")),
    **dict.fromkeys(("stoul", "stoull"), UINT64),
    **dict.fromkeys(("stod",), DOUBLE),
    "stof": CppType("float32"),
    "to_string": TEXT,
    **dict.fromkeys(
        (
         "find", "find_if", "min_element", "max_element", "lower_bound", "upper_bound", "next", "prev",
         "unique", "remove", "remove_if", "copy", "partition", "search", "adjacent_find", "find_if_not",
         "rotate", "set_intersection",),
        ITERATOR,
    ),
    **dict.fromkeys(
        (
         "exception", "runtime_error", "logic_error", "invalid_argument", "out_of_range",
         "domain_error", "length_error", "range_error", "overflow_error", "underflow_error",
         "bad_alloc", "bad_cast",),
        CppType("exception"),
    ),
}  # fmt: skip
"""What names of std give, where C++ would compute or convert accordingly."""

EXCEPTIONS = frozenset(name for name, type_ in STD.items() if type_.name == "exception")

RESULTS: dict[str, CppType] = {
    **dict.fromkeys(
        (
         "GetEntries", "GetEntriesFast", "GetNbinsX", "GetNbinsY", "GetNbinsZ", "GetNbins", "GetN",
         "GetSize", "GetEntry", "FindBin", "FindFixBin", "GetNvar", "Integer", "GetLast", "GetNtrees",
         "Fill", "Write", "GetBin", "GetMaximumBin", "GetMinimumBin", "Draw", "GetNrows", "GetNcols",
         "Add", "GetSelectedRows", "LoadTree", "GetNbranches", "GetNdim", "Length", "Atoi", "CountChar",
         "Index", "GetNdata", "GetLineColor", "GetEntriesUnsafe", "GetNumFolds",
         "GetNVariables", "GetNClasses", "GetPid", "GetVersionInt", "GetVersionCode", "GetNpar",
         "GetNDF", "FloorNint", "CeilNint", "Nint", "Exec", "FindLastBinAbove",
         "FindFirstBinAbove", "GetUniqueID",),
        INT,
    ),
    **dict.fromkeys(
        (
         "GetMean", "GetRMS", "GetStdDev", "GetBinContent", "GetBinError", "Integral", "GetMaximum",
         "GetMinimum", "GetXmin", "GetXmax", "GetBinCenter", "GetBinLowEdge", "GetBinUpEdge",
         "GetBinWidth", "EvaluateMVA", "GetMVAError", "GetProba", "GetRarity", "Rndm", "Gaus",
         "Uniform", "Exp", "Poisson", "PoissonD", "GetROCIntegral", "GetSignificance", "RealTime",
         "CpuTime", "Eval", "EvalInstance", "GetParameter", "GetParError", "GetMVAErrorUpper",
         "GetMVAErrorLower", "Landau", "BreitWigner", "GetSumOfWeights", "GetEffectiveEntries",
         "GetWeight", "GetSignalReferenceCut", "GetChisquare", "Pt", "Eta", "Phi", "M", "E",
         "Px", "Py", "Pz", "DeltaR", "DeltaPhi", "Atof", "KolmogorovTest", "Chi2Test", "GetPointX",
         "GetPointY", "GetErrorX", "GetErrorY", "Sqrt", "Power", "Log", "Log10", "Sin", "Cos", "Tan",
         "ASin", "ACos", "ATan", "ATan2", "Pi", "Hypot", "Erf", "Erfc", "Prob", "ChisquareQuantile",
         "Gamma", "Sq", "Floor", "Ceil", "Cosh", "Sinh", "TanH", "CosH", "SinH", "TwoPi", "E_",
         "DegToRad", "RadToDeg",),
        DOUBLE,
    ),
    **dict.fromkeys(
        (
         "GetName", "GetTitle", "Data", "c_str", "Form", "Format", "GetString", "Getenv", "BaseName",
         "DirName", "GetDirName", "WorkingDirectory", "pwd", "GetOptions", "GetMethodTypeName",
         "GetMethodName", "what", "GetClassName", "ClassName", "AsString", "GetTutorialDir",
         "GetTutorialsDir", "GetMacroPath", "String", "GetInputVar", "ConcatFileName",
         "GetWorkingDirectory", "HostName", "GetVersion", "GetExpression", "GetLabel", "ExpandPathName",
         "UnixPathName", "GetFileName", "GetCurrentMacroName", "GetMVATypeName", "GetTestvarName",
         "PrependPathName", "TempDirectory",),
        TEXT,
    ),
    **dict.fromkeys(
        (
         "IsZombie", "IsOpen", "AccessPathName", "IsBatch", "Contains", "BeginsWith", "EndsWith",
         "IsNull", "IsWritable", "IsNaN", "Finite", "good", "eof", "fail", "bad", "is_open",
         "empty", "InheritsFrom", "IsDigit", "IsFloat", "IsAlnum", "cd", "IsValid", "Even", "Odd",),
        BOOL,
    ),
}  # fmt: skip
"""What methods of ROOT's classes give, where C++ would compute or convert accordingly."""


def is_in_std(name: str) -> bool:
    """Return whether the shim's std has a name."""
    return name in vars(vars(ROOT)["std"])


def is_in_shim(name: str) -> bool:
    """Return whether the shim knows a name of ROOT."""
    return name in _shim_names() and name not in REFUSED


def why_refused(name: str) -> str:
    """Return what to do instead of using a name, if it is one that the shim refuses."""
    return str(REFUSED.get(name, ""))


def _shim_names() -> frozenset[str]:
    return frozenset(dir(ROOT))
