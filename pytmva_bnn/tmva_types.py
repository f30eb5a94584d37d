"""The enumerations and singletons that every TMVA macro names, with TMVA's numbers."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class EMVA(IntEnum):
    """TMVA's kinds of methods."""

    kVariable = 0
    kCuts = 1
    kLikelihood = 2
    kPDERS = 3
    kHMatrix = 4
    kFisher = 5
    kKNN = 6
    kCFMlpANN = 7
    kTMlpANN = 8
    kBDT = 9
    kDT = 10
    kRuleFit = 11
    kSVM = 12
    kMLP = 13
    kBayesClassifier = 14
    kFDA = 15
    kBoost = 16
    kPDEFoam = 17
    kLD = 18
    kPlugins = 19
    kCategory = 20
    kDNN = 21
    kDL = 22
    kPyRandomForest = 23
    kPyAdaBoost = 24
    kPyGTB = 25
    kPyKeras = 26
    kPyTorch = 27
    kC50 = 28
    kRSNNS = 29
    kRSVM = 30
    kRXGB = 31
    kCrossValidation = 32
    kMaxMethod = 33

    @property
    def method_name(self) -> str:
        """Return the name of the method in option strings and weight files.

        >>> EMVA.kMLP.method_name
        'MLP'
        """
        return self.name.removeprefix("k")


class EVariableTransform(IntEnum):
    """TMVA's variable transformations."""

    kIdentity = 0
    kDecorrelated = 1
    kNormalized = 2
    kPCA = 3
    kRearranged = 4
    kGauss = 5
    kUniform = 6
    kMaxVariableTransform = 7


class EAnalysisType(IntEnum):
    """What a method is trained for."""

    kClassification = 0
    kRegression = 1
    kMulticlass = 2
    kNoAnalysisType = 3
    kMaxAnalysisType = 4


class AnalysisType(StrEnum):
    """What a method is trained for, as options and weight files call it.

    >>> AnalysisType.named("multiclass") == "Multiclass"
    True
    """

    CLASSIFICATION = "Classification"
    REGRESSION = "Regression"
    MULTICLASS = "Multiclass"

    def __repr__(self) -> str:
        return repr(self.value)

    @property
    def words(self) -> str:
        """The name in TMVA's messages."""
        return "Multiclass classification" if self is AnalysisType.MULTICLASS else self.value

    @classmethod
    def named(cls, text: str) -> AnalysisType | None:
        """Return the type of this name, whatever its case, or None."""
        return next((known for known in cls if known.lower() == text.strip().lower()), None)


class ESBType(IntEnum):
    """The class of an event in binary classification."""

    kSignal = 0
    kBackground = 1
    kSBBoth = 2
    kMaxSBType = 3
    kTrueType = 4


class ETreeType(IntEnum):
    """The sample an event belongs to; kMaxTreeType means: to be split."""

    kTraining = 0
    kTesting = 1
    kMaxTreeType = 2
    kValidation = 3
    kTrainingOriginal = 4


class VIType(IntEnum):
    """Which subsets of the variables EvaluateImportance trains with."""

    kShort = 0
    kAll = 1
    kRandom = 2


class Types:
    """TMVA's namespace of constants: ``TMVA.Types.kMLP`` and so on.

    >>> Types.kMLP
    <EMVA.kMLP: 13>
    """

    EMVA = EMVA
    EVariableTransform = EVariableTransform
    EAnalysisType = EAnalysisType
    ESBType = ESBType
    ETreeType = ETreeType

    kVariable = EMVA.kVariable
    kCuts = EMVA.kCuts
    kLikelihood = EMVA.kLikelihood
    kPDERS = EMVA.kPDERS
    kHMatrix = EMVA.kHMatrix
    kFisher = EMVA.kFisher
    kKNN = EMVA.kKNN
    kCFMlpANN = EMVA.kCFMlpANN
    kTMlpANN = EMVA.kTMlpANN
    kBDT = EMVA.kBDT
    kDT = EMVA.kDT
    kRuleFit = EMVA.kRuleFit
    kSVM = EMVA.kSVM
    kMLP = EMVA.kMLP
    kBayesClassifier = EMVA.kBayesClassifier
    kFDA = EMVA.kFDA
    kBoost = EMVA.kBoost
    kPDEFoam = EMVA.kPDEFoam
    kLD = EMVA.kLD
    kPlugins = EMVA.kPlugins
    kCategory = EMVA.kCategory
    kDNN = EMVA.kDNN
    kDL = EMVA.kDL
    kPyRandomForest = EMVA.kPyRandomForest
    kPyAdaBoost = EMVA.kPyAdaBoost
    kPyGTB = EMVA.kPyGTB
    kPyKeras = EMVA.kPyKeras
    kPyTorch = EMVA.kPyTorch
    kC50 = EMVA.kC50
    kRSNNS = EMVA.kRSNNS
    kRSVM = EMVA.kRSVM
    kRXGB = EMVA.kRXGB
    kCrossValidation = EMVA.kCrossValidation
    kMaxMethod = EMVA.kMaxMethod
    kIdentity = EVariableTransform.kIdentity
    kDecorrelated = EVariableTransform.kDecorrelated
    kNormalized = EVariableTransform.kNormalized
    kPCA = EVariableTransform.kPCA
    kRearranged = EVariableTransform.kRearranged
    kGauss = EVariableTransform.kGauss
    kUniform = EVariableTransform.kUniform
    kMaxVariableTransform = EVariableTransform.kMaxVariableTransform
    kClassification = EAnalysisType.kClassification
    kRegression = EAnalysisType.kRegression
    kMulticlass = EAnalysisType.kMulticlass
    kNoAnalysisType = EAnalysisType.kNoAnalysisType
    kMaxAnalysisType = EAnalysisType.kMaxAnalysisType
    kSignal = ESBType.kSignal
    kBackground = ESBType.kBackground
    kSBBoth = ESBType.kSBBoth
    kMaxSBType = ESBType.kMaxSBType
    kTrueType = ESBType.kTrueType
    kTraining = ETreeType.kTraining
    kTesting = ETreeType.kTesting
    kMaxTreeType = ETreeType.kMaxTreeType
    kValidation = ETreeType.kValidation
    kTrainingOriginal = ETreeType.kTrainingOriginal


class Tools:
    """TMVA's singleton; macros call ``TMVA.Tools.Instance()`` to load the library, which needs no loading here.

    >>> Tools.Instance() is Tools.Instance()
    True
    """

    _instance: Tools | None = None

    @classmethod
    def Instance(cls) -> Tools:  # noqa: N802 - TMVA's name
        """Return the one object of this class."""
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance
