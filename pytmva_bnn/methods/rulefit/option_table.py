"""The options of RuleFit as data."""

from __future__ import annotations

from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionType

INT, DOUBLE, STRING = OptionType.INT, OptionType.DOUBLE, OptionType.STRING

# fmt: off
RULEFIT_OPTIONS: tuple[Option, ...] = (
    *METHOD_BASE_OPTIONS,
    Option("GDTau", DOUBLE, -1.0,
           "coefficients move if their gradient reaches this fraction of the largest (1: one at a time; "
           "negative: scan)"),
    Option("GDTauPrec", DOUBLE, 0.01, "step of the scan of GDTau"),
    Option("GDStep", DOUBLE, 0.01, "length of a step of the fit, in units of the gradient"),
    Option("GDNSteps", INT, 10000, "largest number of steps"),
    Option("GDErrScale", DOUBLE, 1.1, "the fit ends when the validation error exceeds its minimum by this factor"),
    Option("LinQuantile", DOUBLE, 0.025, "fraction of the events at each end beyond which linear terms are constant"),
    Option("GDPathEveFrac", DOUBLE, 0.5, "fraction of the events, the first ones, used for the fit"),
    Option("GDValidEveFrac", DOUBLE, 0.5, "fraction of the events, the last ones, that validates the fit"),
    Option("fEventsMin", DOUBLE, 0.1, "lower end of the trees' minimum node sizes, as a fraction of the events"),
    Option("fEventsMax", DOUBLE, 0.9, "twice the upper end of these sizes"),
    Option("nTrees", INT, 20, "number of trees from which rules are made"),
    Option("ForestType", STRING, "AdaBoost", "boost the trees, or grow each on a random half of the events",
           ("AdaBoost", "Random")),
    Option("RuleMinDist", DOUBLE, 0.001, "if positive, one rule is kept of all that cut on the same sides of the "
           "same variables; 0 keeps all"),
    Option("MinImp", DOUBLE, 0.01, "minimum importance of rules and linear terms, in units of the largest"),
    Option("Model", STRING, "ModRuleLinear", "fit rules, linear terms, or both",
           ("ModRule", "ModRuleLinear", "ModLinear")),
    Option("RuleFitModule", STRING, "RFTMVA", "TMVA's own fit, or Friedman's program, which is not available here",
           ("RFTMVA", "RFFriedman")),
    Option("RFWorkDir", STRING, "./rulefit", "working directory of Friedman's program; not used"),
    Option("RFNrules", INT, 2000, "number of rules of Friedman's program; not used"),
    Option("RFNendnodes", INT, 4, "end nodes of the trees of Friedman's program; not used"),
)
# fmt: on
