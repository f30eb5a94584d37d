"""ROOT's constants: colours, styles and message levels, which macros name."""

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
    "kPrint": 0, "kInfo": 1000, "kWarning": 2000, "kError": 3000, "kBreak": 4000, "kSysError": 5000, "kFatal": 6000,
}  # fmt: skip
PALETTES = {"kBird": 57, "kRainBow": 55, "kViridis": 112, "kTemperatureMap": 104}

CONSTANTS: dict[str, object] = {
    **COLOURS,
    **LINE_STYLES,
    **MARKERS,
    **LEVELS,
    **PALETTES,
    "kTRUE": True,
    "kFALSE": False,
    "kTrue": True,
    "kFalse": False,
    "kMaxInt": 2**31 - 1,
    "kBigNumber": 123456789,
}
"""Every constant by its name."""
