"""ROOT's constants: colours, styles, message levels, access modes and limits, which macros name."""

from __future__ import annotations

COLOURS = {
    "kWhite": 0, "kBlack": 1, "kGray": 920, "kRed": 632, "kGreen": 416, "kBlue": 600, "kYellow": 400, "kMagenta": 616,
    "kCyan": 432, "kOrange": 800, "kSpring": 820, "kTeal": 840, "kAzure": 860, "kViolet": 880, "kPink": 900,
}  # fmt: skip
LINE_STYLES = {"kSolid": 1, "kDashed": 2, "kDotted": 3, "kDashDotted": 4}
MARKERS = {
    "kDot": 1, "kPlus": 2, "kStar": 3, "kCircle": 4, "kMultiply": 5, "kFullDotSmall": 6, "kFullDotMedium": 7,
    "kFullDotLarge": 8, "kFullCircle": 20, "kFullSquare": 21, "kFullTriangleUp": 22, "kFullTriangleDown": 23,
    "kOpenCircle": 24, "kOpenSquare": 25, "kOpenTriangleUp": 26, "kOpenDiamond": 27, "kOpenCross": 28, "kFullStar": 29,
    "kOpenStar": 30,
}  # fmt: skip
LEVELS = {
    "kUnset": -1, "kPrint": 0, "kInfo": 1000, "kWarning": 2000, "kError": 3000, "kBreak": 4000, "kSysError": 5000,
    "kFatal": 6000,
}  # fmt: skip
ACCESS = {"kFileExists": 0, "kExecutePermission": 1, "kWritePermission": 2, "kReadPermission": 4}
SIZES = {
    "kMaxInt": 2**31 - 1, "kMinInt": -(2**31), "kMaxUInt": 2**32 - 1, "kMaxLong64": 2**63 - 1, "kMinLong64": -(2**63),
    "kMaxULong64": 2**64 - 1, "kMaxShort": 2**15 - 1, "kMinShort": -(2**15), "kMaxUShort": 2**16 - 1,
    "kMaxUChar": 255, "kMaxChar": 127, "kMinChar": -128, "kBigNumber": 123456789,
}  # fmt: skip
PALETTES = {"kBird": 57, "kRainBow": 55, "kViridis": 112, "kTemperatureMap": 104}

CONSTANTS: dict[str, int] = {
    **COLOURS,
    **LINE_STYLES,
    **MARKERS,
    **LEVELS,
    **PALETTES,
    **ACCESS,
    **SIZES,
    "kTRUE": True,
    "kFALSE": False,
    "kTrue": True,
    "kFalse": False,
    "ROOT_VERSION_CODE": (6 << 16) + (40 << 8),
}
"""Every constant by its name."""
