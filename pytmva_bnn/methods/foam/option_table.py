"""The options of PDEFoam as data."""

from __future__ import annotations

from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionType

BOOL, INT, UINT = OptionType.BOOL, OptionType.INT, OptionType.UINT
FLOAT, STRING = OptionType.FLOAT, OptionType.STRING

# fmt: off
FOAM_OPTIONS: tuple[Option, ...] = (
    *METHOD_BASE_OPTIONS,
    Option("SigBgSeparate", BOOL, False, "one foam for signal and one for background, instead of one of their ratio"),
    Option("TailCut", FLOAT, 0.001, "fraction of the events left out at each end of a variable's range"),
    Option("VolFrac", FLOAT, 1.0 / 15.0,
           "edge of the box in which events are counted, in units of the range; twice the width of the Gauss kernel"),
    Option("nActiveCells", INT, 500, "maximum number of active (undivided) cells"),
    Option("nSampl", INT, 2000, "points at which the density in a cell is sampled"),
    Option("nBin", INT, 5, "bins of the histograms that decide where a cell is divided"),
    Option("Compress", BOOL, True, "compress the file of the foams as much as possible"),
    Option("MultiTargetRegression", BOOL, False, "make the targets dimensions of the foam"),
    Option("Nmin", UINT, 100, "minimum number of events to divide a cell (0: no limit)"),
    Option("MaxDepth", UINT, 0, "maximum depth of a cell; the root has depth 1 (0: no limit)"),
    Option("FillFoamWithOrigWeights", BOOL, False, "fill the cells with weights without boost factors"),
    Option("UseYesNoCell", BOOL, False, "response -1 or +1, instead of the fraction of signal"),
    Option("DTLogic", STRING, "None", "divide cells as a decision tree does, by this separation gain",
           ("None", "GiniIndex", "MisClassificationError", "CrossEntropy", "GiniIndexWithLaplace", "SdivSqrtSplusB")),
    Option("Kernel", STRING, "None", "smoothing of the response over cells", ("None", "Gauss", "LinNeighbors")),
    Option("TargetSelection", STRING, "Mean", "targets of several cells: their mean, or those of the densest cell",
           ("Mean", "Mpv")),
)

OLD_OPTIONS: tuple[Option, ...] = (
    Option("CutNmin", BOOL, True, "TMVA 4.0: whether Nmin is used"),
    Option("PeekMax", BOOL, True, "TMVA 4.0: divide the cell with the largest variance next"),
)
"""In old weight files; they have no effect."""
# fmt: on
