"""SVM as a method: its options, reading and training."""

from __future__ import annotations

import logging
from typing import ClassVar

from pytmva_bnn.errors import InputError, OptionError, WeightFileError
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.methods.svm.fitted import FittedSVM
from pytmva_bnn.methods.svm.kernel import Kernel
from pytmva_bnn.methods.svm.option_table import (
    METHOD_OPTIONS,
    OLD_OPTIONS,
    SVMSettings,
    kernel_names,
    options_for,
    parsed_gammas,
    tuned_options,
)
from pytmva_bnn.methods.svm.xml import WeightsElement, read_weights
from pytmva_bnn.methods.tuned_option import TunedOption
from pytmva_bnn.options import Option, OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile

log = logging.getLogger("pytmva_bnn.SVM")


class SVM(Method):
    """TMVA's SVM."""

    kind: ClassVar[str] = "SVM"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION})
    options: ClassVar[tuple[Option, ...]] = METHOD_OPTIONS
    old_options: ClassVar[tuple[Option, ...]] = OLD_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedSVM, WeightsElement, Kernel)

    def check_analysis(self, analysis: AnalysisType) -> None:
        """Raise an InputError if the method cannot be trained for this analysis."""
        if analysis == AnalysisType.REGRESSION:
            # TMVA: crashes
            raise InputError(
                "the method SVM cannot be trained for regression (TMVA crashes); weight files of such an SVM can be "
                "read. Use MLP, BDT, KNN or LD"
            )
        super().check_analysis(analysis)

    def options_for(self, analysis: AnalysisType) -> tuple[Option, ...]:
        """Return the options; regression has another cost."""
        return options_for(analysis)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> SVMSettings:
        """Check the options, and return what a training wants of them."""
        del analysis
        return SVMSettings.of(options, title)

    def tuned(self, options: OptionSet, n_variables: int) -> tuple[TunedOption, ...]:
        """Return the cost and the parameters of the kernels, or those of them that ``Tune`` names."""
        del n_variables
        return tuned_options(options)

    def train(self, job: TrainingJob) -> FittedSVM:
        """Find the support vectors."""
        from pytmva_bnn.methods.svm.training.job import train_svm  # lazy: reading needs no training code

        return train_svm(job)

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedSVM:
        """Read the support vectors."""
        if section.words is not None:
            raise WeightFileError("an SVM in the text format of TMVA 3.9 cannot be read; only XML files can")
        weights = read_weights(section.element, len(head.variables))
        kernel = self._kernel(weights, head, how)
        fitted = FittedSVM(weights, kernel, head.analysis_type == AnalysisType.REGRESSION)
        if kernel.is_product:
            log.warning(
                "%s: TMVA trains with the product %s, but evaluates weight files with the sum of these kernels, and so "
                "does this program; Model.corrected() uses the product",
                head.title,
                kernel.formula,
            )
        return fitted

    def _kernel(self, weights: WeightsElement, head: WeightFile, how: Reading) -> Kernel:
        """Return the kernel, which options and <Weights> name together."""
        if weights.kernel_parameters is None:
            if how.strict:
                raise WeightFileError("the attribute 'fGammaList' is missing", element="Weights")
            # TMVA: before 4.2.1 there was no other kernel
            return Kernel(gamma=weights.gamma)
        gamma_list, theta, order = weights.kernel_parameters
        try:
            names, is_product = kernel_names(self.option_set(head))
            gammas = parsed_gammas(gamma_list, len(head.variables)) if "MultiGauss" in names else ()
        except OptionError as error:
            raise WeightFileError(str(error), element="Options") from None
        return Kernel(names, is_product, weights.gamma, gammas, theta, order)
