"""What a training makes of the options of BDT."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import OptionSet
from pytmva_bnn.options.conversion import to_text
from pytmva_bnn.options.strings import MARK, split_tokens
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.BDT")

PruneMethod = Literal["nopruning", "expectederror", "costcomplexity"]
#: grid of regression trees where a scan of all cuts was asked for
REGRESSION_GRID = 200
#: TMVA: the grid is always this one if linear cuts are tried
FISHER_GRID = 20


@dataclass(frozen=True)
class Costs:
    """AdaCost's costs of a true class called a class."""

    signal_as_signal: float
    signal_as_background: float
    background_as_signal: float
    background_as_background: float


@dataclass(frozen=True)
class TreeSettings:
    """How one tree is grown.

    ``separation`` is an index of classification trees, or ``regressionvariance``; ``n_cuts`` <= 0 means a scan of all
    cuts; ``node_percent`` is the least size of a node in percent of the events.
    """

    separation: str
    n_cuts: int
    max_depth: int
    node_percent: float
    purity_limit: float
    fisher_cuts: bool
    min_correlation: float
    exclusive_variables: bool
    random_variables: bool
    n_random_variables: int
    poisson_variables: bool

    @property
    def is_regression(self) -> bool:
        """Whether trees are regression trees, whatever the analysis is."""
        return self.separation == "regressionvariance"


@dataclass(frozen=True)
class BDTSettings:
    """What the options of a booked BDT mean."""

    tree: TreeSettings
    n_trees: int
    boost_type: str
    beta: float
    shrinkage: float
    r2_loss: str
    costs: Costs
    regression_loss: str
    huber_quantile: float
    bagged: bool
    bag_fraction: float
    yes_no_leaf: bool
    negative_weights: str
    signal_to_background: float
    normalise: bool
    preselection: bool
    prune_method: PruneMethod
    prune_strength: float
    automatic_pruning: bool
    validation_fraction: float
    monitor: bool
    n_events_min: int
    n_bag_events: int
    checkpoint: tuple[str, int] | None = None

    @classmethod
    def of(cls, options: OptionSet, title: str, analysis: AnalysisType) -> BDTSettings:
        """Return the settings, with what does not depend on the events processed; impossible values raise OptionError.

        The options take the values that a weight file shows.
        """
        return _Processing(options, title, analysis).settings()

    def for_events(self, n_events: int, n_variables: int, options: OptionSet, title: str) -> BDTSettings:
        """Return the settings with what depends on the numbers of training events and variables."""
        tree, bag_fraction = self.tree, self.bag_fraction
        if self.n_events_min > 0:
            percent = float(np.float32(100.0 * self.n_events_min / n_events))
            tree = replace(tree, node_percent=_checked_percent(percent, title))
            log.warning(
                "You have explicitly set ** nEventsMin = %d ** the min absolute number \nof events in a leaf node. "
                "This is DEPRECATED, please use the option \n*MinNodeSize* giving the relative number as percentage of "
                "training \nevents instead. \nnEventsMin=%d--> MinNodeSize=%g%%",
                self.n_events_min,
                self.n_events_min,
                percent,
            )
            log.warning(
                "Note also that explicitly setting *nEventsMin* so far OVERWRITES the option recommended \n"
                " *MinNodeSize* = %s option !!",
                options.string("MinNodeSize"),
            )
            # TMVA: a format meant for printf ends up in the text
            options.set_value("MinNodeSize", f"{percent:f}3.2")
        if self.n_bag_events > 0:
            bag_fraction = self.n_bag_events / n_events
            log.warning(
                "You have specified a deprecated option *UseNTrainEvents=%d* \n this has been translated to "
                "BaggedSampleFraction=%g(%%)",
                self.n_bag_events,
                bag_fraction,
            )
            for name in ("BaggedSampleFraction", "GradBaggingFraction"):
                options.set_value(name, bag_fraction)
        if not options.is_set("UseNvars"):
            options.set_value("UseNvars", _default_subset(n_variables))
        n_random = options.integer("UseNvars") or _default_subset(n_variables)
        if tree.random_variables and not tree.poisson_variables and n_random > n_variables:
            # TMVA: never ends
            log.warning("%s: UseNvars=%d, but there are %d variables: all are used", title, n_random, n_variables)
            n_random = n_variables
        return replace(self, tree=replace(tree, n_random_variables=n_random), bag_fraction=bag_fraction)


class _Processing:
    """TMVA's processing of the options, in its order."""

    def __init__(self, options: OptionSet, title: str, analysis: AnalysisType) -> None:
        self.options = options
        self.title = title
        self.analysis = analysis
        for name in (
            "SeparationType",
            "PruneMethod",
            "NegWeightTreatment",
            "AdaBoostR2Loss",
            "RegressionLossFunctionBDTG",
        ):
            options.set_value(name, options.string(name).lower())

    def settings(self) -> BDTSettings:
        options = self.options
        self._check_ranges()
        boost_type = options.string("BoostType")
        grad = boost_type == "Grad"
        self._check_boost_type(boost_type)
        prune_method = options.string("PruneMethod")
        strength = options.real("PruneStrength")
        automatic = strength < 0.0 and prune_method != "nopruning" and not grad
        if automatic and prune_method == "expectederror":
            raise OptionError(
                f"{self.title}: Sorry automatic pruning strength determination is not implemented yet for "
                "ExpectedErrorPruning; give a positive PruneStrength, or use PruneMethod=CostComplexity"
            )
        self._boost_type_changes(boost_type)
        validation = self._validation_fraction(automatic)
        separation = self._separation(grad)
        n_cuts = self._n_cuts(separation)
        random_variables = options.flag("UseRandomisedTrees")
        if random_variables:
            log.info(" Randomised trees use no pruning")
        if grad or random_variables or self.analysis == AnalysisType.MULTICLASS:
            prune_method = "nopruning"
        if prune_method != "nopruning" and strength == 0.0:
            raise OptionError(
                f"{self.title}: Cannot automate the pruning algorithm without an independent validation sample! Give "
                "a positive PruneStrength, or a negative one to have it found (CostComplexity)"
            )
        self._n_trees()
        max_depth = self._max_depth()
        bag_fraction = self._bagging(boost_type)
        tree = TreeSettings(
            separation=separation,
            n_cuts=n_cuts,
            max_depth=max_depth,
            node_percent=_checked_percent(self._percent(), self.title),
            purity_limit=float(np.float32(options.real("NodePurityLimit"))),
            fisher_cuts=options.flag("UseFisherCuts"),
            min_correlation=options.real("MinLinCorrForFisher"),
            exclusive_variables=options.flag("UseExclusiveVars"),
            random_variables=random_variables,
            n_random_variables=options.integer("UseNvars"),
            poisson_variables=options.flag("UsePoissonNvars"),
        )
        return BDTSettings(
            tree=tree,
            n_trees=options.integer("NTrees"),
            boost_type=boost_type,
            beta=options.real("AdaBoostBeta"),
            shrinkage=options.real("Shrinkage"),
            r2_loss=options.string("AdaBoostR2Loss"),
            costs=Costs(*(options.real(name) for name in ("Css", "Cts_sb", "Ctb_ss", "Cbb"))),
            regression_loss=options.string("RegressionLossFunctionBDTG"),
            huber_quantile=options.real("HuberQuantile"),
            bagged=options.flag("UseBaggedBoost"),
            bag_fraction=bag_fraction,
            yes_no_leaf=options.flag("UseYesNoLeaf"),
            negative_weights=options.string("NegWeightTreatment"),
            signal_to_background=options.real("SigToBkgFraction"),
            normalise=not options.flag("SkipNormalization"),
            preselection=options.flag("DoPreselection"),
            prune_method=prune_method,  # type: ignore[arg-type]
            prune_strength=strength,
            automatic_pruning=automatic,
            validation_fraction=validation,
            monitor=options.flag("DoBoostMonitor"),
            n_events_min=options.integer("nEventsMin"),
            n_bag_events=options.integer("UseNTrainEvents"),
            checkpoint=self._checkpoint(),
        )

    def _check_ranges(self) -> None:
        options = self.options
        quantile = options.real("HuberQuantile")
        if not 0.0 <= quantile <= 1.0:
            raise OptionError(
                f"{self.title}: Huber Quantile must be in range [0,1]. Value given, {quantile:g}, does not match this "
                "criteria"
            )
        for name, low in (("NTrees", 0), ("SigToBkgFraction", 0.0), ("BaggedSampleFraction", 0.0)):
            value = options.integer(name) if isinstance(low, int) else options.real(name)
            if not math.isfinite(value) or value < low or (value == low and name != "NTrees"):
                raise OptionError(f"{self.title}: {name}={to_text(value)} must be positive")

    def _check_boost_type(self, boost_type: str) -> None:
        """Refuse what TMVA refuses only in training."""
        if self.analysis == AnalysisType.MULTICLASS and boost_type != "Grad":
            raise OptionError(
                f"{self.title}: Multiclass is currently only supported by gradient boost. Please change boost option "
                "accordingly (BoostType=Grad)."
            )
        if self.analysis == AnalysisType.CLASSIFICATION and boost_type == "AdaBoostR2":
            raise OptionError(
                f"{self.title}: Somehow you chose a regression boost method for a classification job; use "
                "BoostType=AdaBoost or Grad"
            )
        if self.analysis == AnalysisType.REGRESSION and boost_type in ("AdaCost", "RealAdaBoost"):
            raise OptionError(
                f"{self.title}: BoostType={boost_type} is for classification; use AdaBoostR2 or Grad in regression"
            )

    def _boost_type_changes(self, boost_type: str) -> None:
        options = self.options
        if boost_type == "Grad" and options.string("NegWeightTreatment") == "inverseboostnegweights":
            log.info("the option NegWeightTreatment=InverseBoostNegWeights does not exist for BoostType=Grad")
            log.info("--> change to new default NegWeightTreatment=Pray")
            options.set_value("NegWeightTreatment", "pray")
        if boost_type == "RealAdaBoost":
            options.set_value("BoostType", "AdaBoost")
        if boost_type in ("RealAdaBoost", "AdaCost"):
            options.set_value("UseYesNoLeaf", False)

    def _validation_fraction(self, automatic: bool) -> float:
        fraction = max(self.options.real("PruningValFraction"), 0.0)
        self.options.set_value("PruningValFraction", fraction)
        if automatic and fraction == 0.0:
            raise OptionError(f"{self.title}: automatic pruning needs PruningValFraction > 0")
        if automatic and fraction > 2.0 / 3.0:
            raise OptionError(
                f"{self.title}: PruningValFraction={fraction:g} leaves no event for the training; use at most 2/3"
            )
        if automatic and fraction > 0.5:
            log.warning(
                "You have chosen to use more than half of your training sample to optimize the automatic pruning "
                "algorithm. This is probably wasteful and your overall results will be degraded. Are you sure you want "
                "this?"
            )
        return fraction

    def _separation(self, grad: bool) -> str:
        options = self.options
        separation = options.string("SeparationType")
        if self.analysis == AnalysisType.REGRESSION:
            if options.flag("UseYesNoLeaf"):
                log.warning(
                    "Regression Trees do not work with fUseYesNoLeaf=TRUE --> I will set it to FALSE",
                )
                options.set_value("UseYesNoLeaf", False)
            if separation != "regressionvariance":
                log.warning(
                    "Regression Trees do not work with Separation type other than <RegressionVariance> --> I will use "
                    "it instead"
                )
            if options.flag("UseFisherCuts"):
                log.warning("Sorry, UseFisherCuts is not available for regression analysis, I will ignore it!")
                options.set_value("UseFisherCuts", False)
        elif separation == "regressionvariance" and not grad:
            raise OptionError(
                f"{self.title}: SeparationType=RegressionVariance is for regression; use GiniIndex or another one"
            )
        if grad and options.flag("UseFisherCuts"):
            # TMVA: NaN in nodes with one class, a crash in multiclass
            raise OptionError(f"{self.title}: UseFisherCuts does not work with BoostType=Grad; use AdaBoost or Bagging")
        return "regressionvariance" if grad or self.analysis == AnalysisType.REGRESSION else separation

    def _n_cuts(self, separation: str) -> int:
        options = self.options
        n_cuts = options.integer("nCuts")
        if self.analysis == AnalysisType.REGRESSION and n_cuts < 0:
            log.warning(
                "Sorry, the option of nCuts<0 using a more elaborate node splitting algorithm \nis not implemented for "
                "regression analysis ! \n--> I switch do default nCuts = 20 and use standard node splitting"
            )
            n_cuts = 20
            options.set_value("nCuts", n_cuts)
        if options.flag("UseFisherCuts"):
            if n_cuts != FISHER_GRID:
                log.warning(
                    "Sorry, the option of nCuts<0 using a more elaborate node splitting algorithm \nis not available "
                    "together with UseFisherCuts: nCuts=%d is used instead of %d",
                    FISHER_GRID,
                    n_cuts,
                )
            n_cuts = FISHER_GRID
            options.set_value("nCuts", n_cuts)
        if separation == "regressionvariance" and n_cuts <= 0:
            log.warning(
                " You had chosen the training mode using optimal cuts, not\n based on a grid of %d by setting the "
                "option NCuts < 0\n as this doesn't exist yet, I set it to %d and use the grid",
                REGRESSION_GRID,
                REGRESSION_GRID,
            )
            n_cuts = REGRESSION_GRID
        return n_cuts

    def _n_trees(self) -> None:
        if self.options.integer("NTrees") == 0:
            log.error(
                " Zero Decision Trees demanded... that does not work !!  I set it to 1 .. just so that the program "
                "does not crash"
            )
            self.options.set_value("NTrees", 1)

    def _max_depth(self) -> int:
        options = self.options
        n_nodes = options.integer("NNodesMax")
        if n_nodes > 0:
            depth, k = 0, 1
            while k < n_nodes:  # TMVA: by threes, not 2k + 1
                k, depth = 3 * k, depth + 1
            log.warning(
                "You have specified a deprecated option *NNodesMax=%d* \n this has been translated to MaxDepth=%d",
                n_nodes,
                depth,
            )
            options.set_value("MaxDepth", depth)
        return options.integer("MaxDepth")

    def _bagging(self, boost_type: str) -> float:
        options = self.options
        # the two names stand for one value: that which comes last in the option string
        names = ("BaggedSampleFraction", "GradBaggingFraction")
        given = [token.lstrip(MARK).partition("=")[0].strip().lower() for token in split_tokens(options.marked)]
        last = next((name for name in reversed(given) if name in map(str.lower, names)), names[0])
        fraction = options.real(last)
        for name in names:
            options.set_value(name, fraction)
        if options.flag("UseBaggedGrad"):
            log.warning(
                "You have specified a deprecated option *UseBaggedGrad* --> please use  *UseBaggedBoost* instead"
            )
        if boost_type == "Bagging" or options.flag("UseBaggedGrad"):
            options.set_value("UseBaggedBoost", True)
        return fraction

    def _percent(self) -> float:
        text = self.options.string("MinNodeSize").replace("%", "").replace(" ", "")
        try:
            return float(np.float32(text))
        except ValueError:
            raise OptionError(
                f"{self.title}: I had problems reading the option MinNodeEvents, which after removing a possible % "
                f"sign now reads {text}; write a percentage such as MinNodeSize=2.5%"
            ) from None

    def _checkpoint(self) -> tuple[str, int] | None:
        path = self.options.string("Checkpoint")
        return (path, max(self.options.integer("CheckpointEpochs"), 1)) if path else None


def _checked_percent(percent: float, title: str) -> float:
    if not 0.0 < percent < 50.0:
        raise OptionError(
            f"{title}: you have demanded a minimal node size of {percent:g}% of the training events.. \n that somehow "
            "does not make sense: MinNodeSize must be above 0% and below 50%"
        )
    return percent


def _default_subset(n_variables: int) -> int:
    return int(math.sqrt(n_variables) + 0.6)
