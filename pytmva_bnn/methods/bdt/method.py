"""Boosted decision trees as a method: options, reading and training."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.forest import Forest
from pytmva_bnn.methods.bdt.option_table import BDT_OPTIONS, BDT_REGRESSION_OPTIONS, EXTRA_OPTIONS, OLD_OPTIONS
from pytmva_bnn.methods.bdt.preselection import Preselection
from pytmva_bnn.methods.bdt.text39 import read_text_forest
from pytmva_bnn.methods.bdt.xml import TreeStream, read_forest, read_preselection
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.methods.tuned_option import TunedOption
from pytmva_bnn.options import Option, OptionSet, OptionValue
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.training.settings import BDTSettings

_PAIRED_IN_NODES = "PairNegWeightsInNode"  # TMVA 4.1.2 and 4.1.3


class BDT(Method):
    """TMVA's BDT."""

    kind: ClassVar[str] = "BDT"
    options: ClassVar[tuple[Option, ...]] = BDT_OPTIONS
    more_options: ClassVar[tuple[Option, ...]] = EXTRA_OPTIONS
    old_options: ClassVar[tuple[Option, ...]] = OLD_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedBDT, Forest, Preselection)

    def options_for(self, analysis: AnalysisType) -> tuple[Option, ...]:
        """Return the options with their defaults, some of which differ in regression."""
        return BDT_REGRESSION_OPTIONS if analysis == AnalysisType.REGRESSION else BDT_OPTIONS

    def options_in_files(self, file: WeightFile) -> tuple[Option, ...]:
        """Return the options that a weight file may hold, with those of old releases."""
        return tuple(map(_as_in_files, super().options_in_files(file)))

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> BDTSettings:
        """Check the options, and return what a training wants of them."""
        from pytmva_bnn.methods.bdt.training.settings import BDTSettings  # lazy: reading needs no training code

        return BDTSettings.of(options, title, analysis)

    def tuned(self, options: OptionSet, n_variables: int) -> tuple[TunedOption, ...]:
        """Return the size of the forest and its trees, and what belongs to the boosting."""
        boosting = options.string("BoostType")
        own = {
            "AdaBoost": (TunedOption("AdaBoostBeta", 0.2, 1.0, 5),),
            "Grad": (TunedOption("Shrinkage", 0.05, 0.5, 5),),
        }.get(boosting, ())
        if boosting == "Bagging" and options.flag("UseRandomisedTrees"):
            low, high = n_variables // 4, math.ceil(0.75 * n_variables)
            own = (TunedOption("UseNvars", low, high, 4, is_integer=True),)
        return (
            TunedOption("NTrees", 10, 1000, 5, is_integer=True),
            TunedOption("MaxDepth", 2, 4, 3, is_integer=True),
            TunedOption("MinNodeSize", 1, 30, 30, is_logarithmic=True),
            *own,
        )

    def builds_dataset_early(self, settings: BDTSettings) -> bool:
        """Tell that the data set is built at booking."""
        del settings
        return True

    def stream(self) -> TreeStream:
        """Return what takes the trees."""
        return TreeStream()

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedBDT:
        """Read a forest."""
        del how
        options = self.option_set(head)
        n_variables = len(head.variables)
        preselection = None
        regression_trees = False
        if section.words is not None:
            forest = read_text_forest(section.words, n_variables)
        else:
            stream = section.stream if isinstance(section.stream, TreeStream) else None
            forest, regression_trees = read_forest(section.element, stream, n_variables)
            if section.element.get("PreselectionLowBkgVar0") is not None:
                preselection = read_preselection(section.element, n_variables)
        fitted = FittedBDT(
            forest,
            head.analysis_type,
            options.string("BoostType"),
            options.flag("UseYesNoLeaf"),
            regression_trees,
            n_classes=len(head.classes) or 2,
            preselection=preselection,
            do_preselection=options.flag("DoPreselection"),
            rounded=section.words is None,
        )
        _check(fitted, head)
        return fitted

    def modern_options(self, file: WeightFile) -> Mapping[str, OptionValue]:
        """Return another value for one that current TMVA refuses."""
        paired = self.option_set(file).string("NegWeightTreatment") == _PAIRED_IN_NODES
        return {"NegWeightTreatment": "PairNegWeightsGlobal"} if paired else {}

    def train(self, job: TrainingJob) -> FittedBDT:
        """Grow and boost a forest."""
        from pytmva_bnn.methods.bdt.training.job import train_forest  # lazy: reading needs no training code

        return train_forest(job)


def _as_in_files(option: Option) -> Option:
    # TMVA: values of old releases; a Reader lets the first one pass, and refuses files with the other
    if option.name == "NegWeightTreatment":
        return replace(option, allowed=(*option.allowed, "IgnoreNegWeights", _PAIRED_IN_NODES))
    return option


def _check(fitted: FittedBDT, head: WeightFile) -> None:
    n_trees = fitted.forest.n_trees
    if head.analysis_type == AnalysisType.MULTICLASS and n_trees % fitted.n_classes:
        raise WeightFileError(
            f"{n_trees} trees cannot be divided among {fitted.n_classes} classes: trees are missing", element="Weights"
        )
    if head.analysis_type == AnalysisType.REGRESSION and len(head.targets) != 1:
        problem = f"a forest has one target, the file has {len(head.targets)}"
        raise WeightFileError(problem, element="Targets")
