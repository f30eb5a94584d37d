"""The options of Factory, DataLoader and Reader, and those that all methods share, as data; each method has its own.

The order within a table is the declared order, which is also the order in the weight file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytmva_bnn.options.declaration import Numbers, Option, OptionType, OptionValue

BOOL, INT, UINT, FLOAT, STRING = (OptionType.BOOL, OptionType.INT, OptionType.UINT, OptionType.FLOAT, OptionType.STRING)

_LEVELS = ("Debug", "Verbose", "Info")

# fmt: off
FACTORY_OPTIONS: tuple[Option, ...] = (
    # TMVA: V has practically no effect, because VerboseLevel is applied after it
    Option("V", BOOL, False, "verbose output (overruled by VerboseLevel)"),
    Option("VerboseLevel", STRING, "Info", "lowest level of messages that is shown", _LEVELS),
    Option("Color", BOOL, True, "coloured output (TMVA: False in batch mode)"),
    Option("Transformations", STRING, "I",
           "transformations whose variable distributions are stored, chains separated by ';', e.g. I;G,D"),
    Option("Correlations", BOOL, False, "show correlations in the output"),
    Option("ROC", BOOL, True, "show the ROC tables in the output"),
    Option("Silent", BOOL, False, "suppress all output"),
    Option("DrawProgressBar", BOOL, True, "show progress bars"),
    Option("ModelPersistence", BOOL, True, "write weight files, and test the methods as read back from them"),
    Option("AnalysisType", STRING, "Auto", "kind of analysis (Auto never gives Regression)",
           ("Classification", "Regression", "Multiclass", "Auto")),
)

METHOD_BASE_OPTIONS: tuple[Option, ...] = (
    Option("V", BOOL, False, "verbose output (overrides VerbosityLevel)"),
    Option("VerbosityLevel", STRING, "Default", "lowest level of messages that is shown",
           ("Default", "Debug", "Verbose", "Info", "Warning", "Error", "Fatal")),
    Option("VarTransform", STRING, "None",
           "transformations of the inputs in order, e.g. N or D_Signal,G(var1,_V2_)"),
    Option("H", BOOL, False, "print the help of the method at training"),
    Option("CreateMVAPdfs", BOOL, False,
           "make PDFs of the output for signal and background (for GetProba and GetRarity)"),
    Option("IgnoreNegWeightsInTraining", BOOL, False, "give weight 0 to training events of negative weight"),
)

COMPATIBILITY_OPTIONS: tuple[Option, ...] = (
    Option("Normalise", BOOL, False, "TMVA 3: normalise the variables"),
    Option("D", BOOL, False, "TMVA 3: decorrelate the variables"),
    Option("VarTransformType", STRING, "Signal", "TMVA 3: class whose transformation is used",
           ("Signal", "Background")),
    Option("TxtWeightFilesOnly", BOOL, True, "TMVA 3: write all weights as text"),
    Option("NbinsMVAPdf", INT, 60, "TMVA 3: bins of the PDFs of the output"),
    Option("NsmoothMVAPdf", INT, 2, "TMVA 3: smoothing passes of these PDFs"),
)

_PDF_OPTIONS: tuple[Option, ...] = (
    Option("NSmooth", INT, 0, "smoothing passes"),
    Option("MinNSmooth", INT, -1, "minimum number of smoothing passes"),
    Option("MaxNSmooth", INT, -1, "maximum number of smoothing passes"),
    Option("NAvEvtPerBin", INT, 50, "average number of events in a bin if Nbins is 0"),
    Option("Nbins", INT, 0, "bins of the source histogram"),
    Option("CheckHist", BOOL, False, "warn if more than half of the bins are empty"),
    Option("PDFInterpol", STRING, "Spline2", "interpolation between the bins",
           ("Spline0", "Spline1", "Spline2", "Spline3", "Spline5", "KDE")),
    Option("KDEtype", STRING, "Gauss", "kernel of the density estimate", ("Gauss",)),
    Option("KDEiter", STRING, "Nonadaptive", "kernel of fixed or adapted width", ("Nonadaptive", "Adaptive")),
    Option("KDEFineFactor", FLOAT, 1.0, "factor on the kernel's width"),
    Option("KDEborder", STRING, "None", "treatment of the histogram's ends", ("None", "Renorm", "Mirror")),
)
# fmt: on


def splitting_options(class_names: Sequence[str], numbers: Numbers = Numbers.WHOLE) -> tuple[Option, ...]:
    """Return the options of ``DataLoader.PrepareTrainingAndTestTree`` for these classes.

    ``numbers`` is how numbers of events are read: a training with one event, for 1e3, is not what anyone wants.
    """
    modes = ("Random", "Alternate", "Block")
    norms = ("None", "NumEvents", "EqualNumEvents")
    of_classes = (
        option
        for name in class_names
        for option in (
            Option(f"nTrain_{name}", INT, 0, f"training events of class {name} (0: not requested)", numbers=numbers),
            Option(f"nTest_{name}", INT, 0, f"test events of class {name} (0: not requested)", numbers=numbers),
            Option(f"TrainTestSplit_{name}", FLOAT, 0.0, f"fraction of class {name} for training (0: off)"),
        )
    )
    return (
        Option("SplitMode", STRING, "Random", "how events are divided between training and test", modes),
        Option("MixMode", STRING, "SameAsSplitMode", "how classes are mixed", ("SameAsSplitMode", *modes)),
        Option("SplitSeed", UINT, 100, "seed of the shuffling (0: different in each run)"),
        Option("NormMode", STRING, "EqualNumEvents", "renormalisation of the weights", norms),
        Option("ScaleWithPreselEff", BOOL, False, "scale the requested numbers by the efficiency of the cut"),
        *of_classes,
        Option("V", BOOL, False, "verbose output (overruled by VerboseLevel)"),
        Option("VerboseLevel", STRING, "Info", "lowest level of messages that is shown", _LEVELS),
        Option("Correlations", BOOL, True, "print the correlation matrices"),
        Option("CalcCorrelations", BOOL, True, "compute the correlations and the ranges of the variables"),
    )


def pdf_options(suffix: str, defaults: Mapping[str, OptionValue] | None = None) -> tuple[Option, ...]:
    """Return the options of a PDF, their names ending in ``suffix``.

    ``defaults`` replaces defaults by the name without the suffix: the PDFs of signal and background start
    from the processed values of the common one.
    """
    given = defaults or {}
    return tuple(
        replace(option, name=option.name + suffix, default=given.get(option.name, option.default))
        for option in _PDF_OPTIONS
    )


def reader_options(verbose: bool = False) -> tuple[Option, ...]:
    """Return the options of the Reader; ``verbose`` is the argument of its constructor."""
    return (
        Option("V", BOOL, verbose, "verbose output"),
        Option("Color", BOOL, False, "coloured output"),
        Option("Silent", BOOL, False, "suppress all output"),
        Option("Error", BOOL, False, "compute the errors in EvaluateMVA"),
    )
