"""The options of BDT as data."""

from __future__ import annotations

from dataclasses import replace

from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionType, OptionValue

BOOL, INT, UINT = OptionType.BOOL, OptionType.INT, OptionType.UINT
DOUBLE, STRING = OptionType.DOUBLE, OptionType.STRING

# fmt: off
_OWN_OPTIONS: tuple[Option, ...] = (
    Option("NTrees", INT, 800, "number of trees; multiclass: of rounds with one tree for each class"),
    Option("MaxDepth", UINT, 3, "maximum depth of a tree; the root has depth 0 (regression: 50)"),
    Option("MinNodeSize", STRING, "5%", "minimum size of a node in percent of the training events (regression: 0.2%)"),
    Option("nCuts", INT, 20, "grid points of the search for a cut; 0 or less: between all events (classification)"),
    Option("BoostType", STRING, "AdaBoost", "how the forest is boosted (regression: AdaBoostR2)",
           ("AdaBoost", "RealAdaBoost", "AdaCost", "Bagging", "AdaBoostR2", "Grad")),
    Option("AdaBoostR2Loss", STRING, "Quadratic", "loss of AdaBoostR2", ("Linear", "Quadratic", "Exponential")),
    Option("UseBaggedBoost", BOOL, False, "grow and boost every tree on a resampled set of events"),
    Option("Shrinkage", DOUBLE, 1.0, "factor on the leaves of Grad (learning rate)"),
    Option("AdaBoostBeta", DOUBLE, 0.5, "factor on the weight of a tree in AdaBoost, RealAdaBoost and AdaCost"),
    Option("UseRandomisedTrees", BOOL, False, "choose among a random subset of variables at each node"),
    Option("UseNvars", UINT, 0, "size of this subset (0: the square root of the number of variables)"),
    Option("UsePoissonNvars", BOOL, True, "UseNvars is the mean of a Poisson distribution"),
    Option("BaggedSampleFraction", DOUBLE, 0.6, "size of a resampled set in units of the training events"),
    Option("UseYesNoLeaf", BOOL, True, "a leaf answers 1 or -1, not its purity (regression: False)"),
    Option("NegWeightTreatment", STRING, "InverseBoostNegWeights", "what to do with negative weights",
           ("InverseBoostNegWeights", "IgnoreNegWeightsInTraining", "NoNegWeightsInTraining",
            "PairNegWeightsGlobal", "Pray")),
    Option("Css", DOUBLE, 1.0, "AdaCost: cost of signal called signal"),
    Option("Cts_sb", DOUBLE, 1.0, "AdaCost: cost of signal called background"),
    Option("Ctb_ss", DOUBLE, 1.0, "AdaCost: cost of background called signal"),
    Option("Cbb", DOUBLE, 1.0, "AdaCost: cost of background called background"),
    Option("NodePurityLimit", DOUBLE, 0.5, "leaves of higher purity are signal leaves"),
    Option("SeparationType", STRING, "GiniIndex", "quantity that a cut improves (regression: RegressionVariance)",
           ("CrossEntropy", "GiniIndex", "GiniIndexWithLaplace", "MisClassificationError", "SDivSqrtSPlusB",
            "RegressionVariance")),
    Option("RegressionLossFunctionBDTG", STRING, "Huber", "loss of Grad in regression",
           ("Huber", "AbsoluteDeviation", "LeastSquares")),
    Option("HuberQuantile", DOUBLE, 0.7, "fraction of the events in the core of the Huber loss"),
    Option("DoBoostMonitor", BOOL, False, "monitor the boosting in the output file"),
    Option("UseFisherCuts", BOOL, False, "try a linear combination of correlated variables at each node"),
    Option("MinLinCorrForFisher", DOUBLE, 0.8, "minimum linear correlation of these variables"),
    Option("UseExclusiveVars", BOOL, False, "variables in the linear combination are not also tried alone"),
    Option("DoPreselection", BOOL, False, "cut away regions with only one class before the training"),
    Option("SigToBkgFraction", DOUBLE, 1.0, "ratio of the sums of weights of signal and background at the start"),
    Option("PruneMethod", STRING, "NoPruning", "how trees are pruned",
           ("NoPruning", "ExpectedError", "CostComplexity")),
    Option("PruneStrength", DOUBLE, 0.0, "strength of the pruning; negative: found automatically"),
    Option("PruningValFraction", DOUBLE, 0.5, "fraction of the events that validates automatic pruning"),
    Option("SkipNormalization", BOOL, False, "do not normalise the classes at the start"),
    Option("nEventsMin", INT, 0, "deprecated: minimum number of events in a node; use MinNodeSize"),
    Option("UseBaggedGrad", BOOL, False, "deprecated: use UseBaggedBoost"),
    Option("GradBaggingFraction", DOUBLE, 0.6, "deprecated: use BaggedSampleFraction"),
    Option("UseNTrainEvents", UINT, 0, "deprecated: number of events in a resampled set; use BaggedSampleFraction"),
    Option("NNodesMax", UINT, 0, "deprecated: maximum number of nodes; use MaxDepth"),
)
# fmt: on

BDT_OPTIONS: tuple[Option, ...] = METHOD_BASE_OPTIONS + _OWN_OPTIONS

_IN_REGRESSION: dict[str, OptionValue] = {
    "MaxDepth": 50,
    "MinNodeSize": "0.2%",
    "BoostType": "AdaBoostR2",
    "UseYesNoLeaf": False,
    "SeparationType": "RegressionVariance",
}
BDT_REGRESSION_OPTIONS: tuple[Option, ...] = tuple(
    replace(option, default=_IN_REGRESSION.get(option.name, option.default)) for option in BDT_OPTIONS
)

#: in old weight files; without effect
OLD_OPTIONS: tuple[Option, ...] = (
    Option("UseWeightedTrees", BOOL, True, "TMVA 4.1 and before: trees count with their boost weights"),
    Option("PruneBeforeBoost", BOOL, False, "TMVA 4.1 and before: prune before boosting"),
    Option("RenormByClass", BOOL, False, "TMVA 4.1: normalise classes after each boost step"),
)

#: beyond TMVA; weight files do not hold them
EXTRA_OPTIONS: tuple[Option, ...] = (
    Option("Checkpoint", STRING, "", "file:N saves the state of the training every N trees and resumes from it"),
    Option("CheckpointEpochs", INT, 50, "trees between checkpoints, the N of Checkpoint=file:N"),
)
