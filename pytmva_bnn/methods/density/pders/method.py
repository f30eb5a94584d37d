"""The density estimate by range searches as a method: options, training and reading."""

from __future__ import annotations

import logging
from typing import ClassVar

from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.methods.density.pders.fitted import FittedPDERS
from pytmva_bnn.methods.density.pders.option_table import METHOD_OPTIONS, PDERSSettings, check
from pytmva_bnn.methods.density.pders.tree import SearchTree
from pytmva_bnn.methods.density.pders.xml import NodeStream, read_text_tree, read_tree
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.options import Option, OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile

log = logging.getLogger("pytmva_bnn.PDERS")


class PDERS(Method):
    """TMVA's PDERS."""

    kind: ClassVar[str] = "PDERS"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION, AnalysisType.REGRESSION})
    options: ClassVar[tuple[Option, ...]] = METHOD_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedPDERS, SearchTree, PDERSSettings)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> PDERSSettings:
        """Check the options, and return what they mean."""
        del analysis
        return check(options, title)

    def train(self, job: TrainingJob) -> FittedPDERS:
        """Grow the search tree; the responses of the training are those of the booked volume and kernel."""
        events, settings = job.training, job.settings
        is_regression = job.analysis == AnalysisType.REGRESSION
        if is_regression and events.targets.shape[1] != 1:
            # TMVA: estimates the first target, and returns for the others whatever is in memory
            raise InputError(
                f"{job.title}: PDERS estimates one target, not {events.targets.shape[1]}; use KNN, or one PDERS per "
                "target"
            )
        if settings.mode == "MinMax" and job.options.string("VarTransform") == "None":
            log.warning(
                "%s: VolumeRangeMode=MinMax without VarTransform makes boxes of size 0 in TMVA, and every response of "
                "the training 0.5; here the box is a fraction of the range of the training events",
                job.title,
            )
        tree = SearchTree.grown(
            events.inputs, events.targets, events.weights, events.class_index, balanced=job.options.flag("NormTree")
        )
        fitted = FittedPDERS(tree, settings, 0 if is_regression else events.signal_class, is_regression, as_booked=True)
        log.info("signal and background scales: %g %g", *fitted.estimate.scales)
        return fitted

    def stream(self) -> NodeStream:
        """Return what takes the nodes of the tree."""
        return NodeStream()

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedPDERS:
        """Read the tree; it is searched as TMVA does after reading a file."""
        is_regression = head.analysis_type == AnalysisType.REGRESSION
        booked = PDERSSettings.of(self.option_set(head))
        n_variables = len(head.variables)
        if is_regression and len(head.targets) != 1:
            raise WeightFileError(
                f"PDERS estimates one target, but the file has {len(head.targets)}", element="Targets"
            )
        if section.words is not None:
            found = read_text_tree(section.words, n_variables)
        else:
            stream = section.stream if isinstance(section.stream, NodeStream) else NodeStream.of(section.element)
            found = read_tree(section.element, stream, n_variables, len(head.targets), strict=how.strict)
        signal = head.classes.index("Signal") if "Signal" in head.classes else 0
        # TMVA: text files have their options processed
        fitted = FittedPDERS(found.tree, booked, signal, is_regression, section.words is not None, False, *found[1:])
        log.info("signal and background scales: %g %g", *fitted.estimate.scales)
        _warn_of_defects(fitted, head.title)
        return fitted


def _warn_of_defects(fitted: FittedPDERS, title: str) -> None:
    """Say once where TMVA's responses are not what the options promise."""
    booked, used = fitted.booked, fitted.settings
    if (booked.mode, booked.kernel) != (used.mode, used.kernel):
        log.warning(
            "%s: the options ask for VolumeRangeMode=%s and KernelEstimator=%s, but TMVA evaluates every weight "
            "file with Adaptive and Box, as does this program; Model.corrected() gives the booked behaviour",
            title,
            booked.mode,
            booked.kernel,
        )
    sums = fitted.tree.statistics.sums
    if not fitted.is_regression and fitted.signal_class != 0 and sums[0] != sums[1]:
        log.warning(
            "%s: Signal is not the first class, so TMVA exchanges the normalisations of signal and background; "
            "Model.corrected() gives the right ones",
            title,
        )
