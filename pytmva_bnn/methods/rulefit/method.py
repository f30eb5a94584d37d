"""RuleFit as a method: its options, reading and training."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.methods.rulefit.fitted import FittedRuleFit
from pytmva_bnn.methods.rulefit.option_table import RULEFIT_OPTIONS
from pytmva_bnn.methods.rulefit.rules import LinearTerms, RuleEnsemble, Rules
from pytmva_bnn.methods.rulefit.xml import read_weights
from pytmva_bnn.options import Option, OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.rulefit.training.settings import RuleFitSettings


class RuleFit(Method):
    """TMVA's RuleFit."""

    kind: ClassVar[str] = "RuleFit"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION})
    options: ClassVar[tuple[Option, ...]] = RULEFIT_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedRuleFit, RuleEnsemble, Rules, LinearTerms)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> RuleFitSettings:
        """Check the options, and return what a training wants of them."""
        from pytmva_bnn.methods.rulefit.training.settings import RuleFitSettings  # lazy: reading needs no training code

        del analysis
        return RuleFitSettings.of(options, title)

    def train(self, job: TrainingJob) -> FittedRuleFit:
        """Grow the trees, make rules of them, and fit the coefficients."""
        from pytmva_bnn.methods.rulefit.training.job import train_rules  # lazy: reading needs no training code

        return FittedRuleFit(train_rules(job))

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedRuleFit:
        """Read rules and linear terms."""
        del how
        if section.words is not None:
            raise WeightFileError("text files of RuleFit (TMVA 3.9) cannot be read; train it again with current TMVA")
        return FittedRuleFit(read_weights(section.element, len(head.variables)))
