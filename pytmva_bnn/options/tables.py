"""The options of every configurable object, as data.

The order within a table is the declared order, which is also the order in the weight file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytmva_bnn.options.declaration import Option, OptionType, OptionValue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BOOL, INT, UINT = OptionType.BOOL, OptionType.INT, OptionType.UINT
FLOAT, DOUBLE, STRING = OptionType.FLOAT, OptionType.DOUBLE, OptionType.STRING

_LEVELS = ("Debug", "Verbose", "Info")

# fmt: off
FACTORY_OPTIONS: tuple[Option, ...] = (
    # TMVA: V has practically no effect, because VerboseLevel is applied after it
    Option("V", BOOL, False, "verbose output (overruled by VerboseLevel)"),
    Option("VerboseLevel", STRING, "Info", "least level of messages that is shown", _LEVELS),
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

ANN_OPTIONS: tuple[Option, ...] = (
    Option("NCycles", INT, 500, "number of training epochs"),
    Option("HiddenLayers", STRING, "N,N-1", "neurons of the hidden layers (N: number of variables)"),
    # TMVA: case-sensitive and without predefined values here; checked when the network is built
    Option("NeuronType", STRING, "sigmoid",
           "activation of the hidden neurons: linear, sigmoid, tanh, ReLU or radial (case-sensitive)"),
    Option("RandomSeed", INT, 1, "seed of the initial weights (0: different in each run)"),
    # TMVA: the activations were registered with EstimatorType instead of NeuronType, so a token 'tanh' alone
    # is accepted and sets EstimatorType, which is overwritten at booking: it has no effect
    Option("EstimatorType", STRING, "MSE",
           "MSE (mean square) or CE (cross entropy); booking replaces it: CE for classification, else MSE",
           ("MSE", "CE", "linear", "sigmoid", "tanh", "ReLU", "radial")),
    Option("NeuronInputType", STRING, "sum", "how a neuron combines its inputs", ("sum", "sqsum", "abssum")),
)

METHOD_BASE_OPTIONS: tuple[Option, ...] = (
    Option("V", BOOL, False, "verbose output (overrides VerbosityLevel)"),
    Option("VerbosityLevel", STRING, "Default", "least level of messages that is shown",
           ("Default", "Debug", "Verbose", "Info", "Warning", "Error", "Fatal")),
    Option("VarTransform", STRING, "None",
           "transformations of the inputs in order, e.g. N or D_Signal,G(var1,_V2_)"),
    Option("H", BOOL, False, "print the help of the method at training"),
    Option("CreateMVAPdfs", BOOL, False,
           "make PDFs of the output for signal and background (for GetProba and GetRarity)"),
    Option("IgnoreNegWeightsInTraining", BOOL, False, "give weight 0 to training events of negative weight"),
)

MLP_OPTIONS: tuple[Option, ...] = (
    Option("TrainingMethod", STRING, "BP",
           "back-propagation (BP), genetic algorithm (GA) or BFGS", ("BP", "GA", "BFGS")),
    Option("LearningRate", DOUBLE, 0.02, "learning rate of back-propagation"),
    Option("DecayRate", DOUBLE, 0.01, "decay of the learning rate"),
    Option("TestRate", INT, 10, "test for overtraining after each so many epochs"),
    Option("EpochMonitoring", BOOL, False, "store monitoring histograms of the epochs"),
    Option("Sampling", FLOAT, 1.0, "fraction of the events that is sampled for an epoch"),
    Option("SamplingEpoch", FLOAT, 1.0, "fraction of the epochs in which events are sampled"),
    Option("SamplingImportance", FLOAT, 1.0, "factor on the sampling weights after an epoch"),
    Option("SamplingTraining", BOOL, True, "sample the training set"),
    Option("SamplingTesting", BOOL, False, "sample the test set"),
    Option("ResetStep", INT, 50, "reset the history of BFGS after so many epochs"),
    Option("Tau", DOUBLE, 3.0, "step factor of the line search of BFGS"),
    Option("BPMode", STRING, "sequential", "update the weights after each event or batch",
           ("sequential", "batch")),
    Option("BatchSize", INT, -1, "events in a batch (-1 or out of range: all)"),
    Option("ConvergenceImprove", FLOAT, 1e-30, "least change that counts as an improvement (< 0: no test)"),
    Option("ConvergenceTests", INT, -1, "steps without improvement that end the training (< 0: no test)"),
    Option("UseRegulator", BOOL, False, "Bayesian regulator against overtraining"),
    Option("UpdateLimit", INT, 10000, "largest number of updates of the regulator"),
    Option("CalculateErrors", BOOL, False, "compute the inverse Hessian, for errors on the output"),
    Option("WeightRange", FLOAT, 1.0,
           "fraction of the summed weight that enters the estimator, small deviations first"),
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
    Option("MinNSmooth", INT, -1, "least number of smoothing passes"),
    Option("MaxNSmooth", INT, -1, "largest number of smoothing passes"),
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

#: the options of the method MLP: the constructor of the network's class declares its own first
MLP_METHOD_OPTIONS: tuple[Option, ...] = ANN_OPTIONS + METHOD_BASE_OPTIONS + MLP_OPTIONS


def splitting_options(class_names: Sequence[str]) -> tuple[Option, ...]:
    """Return the options of ``DataLoader.PrepareTrainingAndTestTree`` for these classes.

    >>> [option.name for option in splitting_options(["Regression"])][5:8]
    ['nTrain_Regression', 'nTest_Regression', 'TrainTestSplit_Regression']
    """
    modes = ("Random", "Alternate", "Block")
    of_classes = (
        option
        for name in class_names
        for option in (
            Option(f"nTrain_{name}", INT, 0, f"training events of class {name} (0: not requested)"),
            Option(f"nTest_{name}", INT, 0, f"test events of class {name} (0: not requested)"),
            Option(f"TrainTestSplit_{name}", FLOAT, 0.0, f"fraction of class {name} for training (0: off)"),
        )
    )
    return (
        Option("SplitMode", STRING, "Random", "how events are dealt to training and test", modes),
        Option("MixMode", STRING, "SameAsSplitMode", "how classes are mixed", ("SameAsSplitMode", *modes)),
        Option("SplitSeed", UINT, 100, "seed of the shuffling (0: different in each run)"),
        Option(
            "NormMode",
            STRING,
            "EqualNumEvents",
            "renormalisation of the weights",
            ("None", "NumEvents", "EqualNumEvents"),
        ),
        Option("ScaleWithPreselEff", BOOL, False, "scale the requested numbers by the efficiency of the cut"),
        *of_classes,
        Option("V", BOOL, False, "verbose output (overruled by VerboseLevel)"),
        Option("VerboseLevel", STRING, "Info", "least level of messages that is shown", _LEVELS),
        Option("Correlations", BOOL, True, "print the correlation matrices"),
        Option("CalcCorrelations", BOOL, True, "compute the correlations and the ranges of the variables"),
    )


def pdf_options(suffix: str, defaults: Mapping[str, OptionValue] | None = None) -> tuple[Option, ...]:
    """Return the options of a PDF, their names ending in ``suffix``.

    ``defaults`` replaces defaults by the name without the suffix: the PDFs of signal and background start
    from the processed values of the common one.

    >>> [(option.name, option.default) for option in pdf_options("MVAPdfSig", {"MinNSmooth": 2})][:2]
    [('NSmoothMVAPdfSig', 0), ('MinNSmoothMVAPdfSig', 2)]
    """
    given = defaults or {}
    return tuple(
        replace(option, name=option.name + suffix, default=given.get(option.name, option.default))
        for option in _PDF_OPTIONS
    )


def reader_options(verbose: bool = False) -> tuple[Option, ...]:
    """Return the options of the Reader; ``verbose`` is the argument of its constructor.

    >>> reader_options(verbose=True)[0].default
    True
    """
    return (
        Option("V", BOOL, verbose, "verbose output"),
        Option("Color", BOOL, False, "coloured output"),
        Option("Silent", BOOL, False, "suppress all output"),
        Option("Error", BOOL, False, "compute the errors in EvaluateMVA"),
    )
