"""PDEFoam as a method: its options, reading and training."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, ClassVar

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.methods.foam.companion import ENDING, read_foams
from pytmva_bnn.methods.foam.fitted import FittedPDEFoam
from pytmva_bnn.methods.foam.option_table import FOAM_OPTIONS, OLD_OPTIONS
from pytmva_bnn.methods.foam.tree import Foam, FoamKind
from pytmva_bnn.methods.foam.xml import read_head
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.options import Option, OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile
from pytmva_bnn.xmlio import reading as xml

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from pytmva_bnn.methods.foam.settings import FoamSettings

log = logging.getLogger("pytmva_bnn.PDEFoam")


class PDEFoam(Method):
    """TMVA's PDEFoam."""

    kind: ClassVar[str] = "PDEFoam"
    options: ClassVar[tuple[Option, ...]] = FOAM_OPTIONS
    old_options: ClassVar[tuple[Option, ...]] = OLD_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedPDEFoam, Foam)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> FoamSettings:
        """Check the options, and return what a training wants of them."""
        from pytmva_bnn.methods.foam.settings import FoamSettings  # lazy: reading needs no training code

        return FoamSettings.of(options, title, analysis)

    def train(self, job: TrainingJob) -> FittedPDEFoam:
        """Grow and fill the foams."""
        from pytmva_bnn.methods.foam.training.job import train_foams  # lazy: reading needs no training code

        return train_foams(job)

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedPDEFoam:
        """Read the attributes of the weight file, and the foams of its companion."""
        del how
        if section.words is not None:
            raise WeightFileError("TMVA 3.9 had no PDEFoam, so it has no text files")
        weights = section.element
        attributes, ranges = read_head(weights)
        names = self._foam_names(weights, head)
        name, data = section.companion(ENDING)
        foams = read_foams(data, names, name)
        log.info("Read foams from file: %s", name)
        fitted = FittedPDEFoam(foams, attributes, ranges, n_targets=max(len(head.targets), 1))
        _check(fitted, head, name)
        return fitted

    def _foam_names(self, weights: Element, head: WeightFile) -> list[str]:
        """Return the names of the foams that a weight file needs."""
        if head.analysis_type == AnalysisType.MULTICLASS:
            return [f"MultiClassFoam{index}" for index in range(len(head.classes))]
        if head.analysis_type == AnalysisType.REGRESSION:
            is_multi = self.option_set(head).flag("MultiTargetRegression")
            return ["MultiTargetRegressionFoam" if is_multi else "MonoTargetRegressionFoam"]
        return ["SignalFoam", "BgFoam"] if xml.count(weights, "SigBgSeparated") else ["DiscrFoam"]


_KINDS = {
    "Discr": (FoamKind.DISCRIMINANT, FoamKind.DECISION_TREE),
    "MultiClass": (FoamKind.DISCRIMINANT, FoamKind.DECISION_TREE),
    "Signal": (FoamKind.EVENT,),
    "Bg": (FoamKind.EVENT,),
    "MonoTarget": (FoamKind.TARGET,),
    "MultiTarget": (FoamKind.MULTI_TARGET,),
}


def _check(fitted: FittedPDEFoam, head: WeightFile, file: str) -> None:
    """Raise a WeightFileError if the foams are not those of the weight file."""
    for foam in fitted.foams:
        expected = len(head.variables) + (len(head.targets) if foam.kind is FoamKind.MULTI_TARGET else 0)
        allowed = next(kinds for start, kinds in _KINDS.items() if foam.name.startswith(start))
        if foam.kind not in allowed:
            raise WeightFileError(f"{foam.name} is a foam of the kind {foam.kind}, not {allowed[0]}", file=file)
        if foam.n_dimensions != expected:
            raise WeightFileError(
                f"{foam.name} has {foam.n_dimensions} dimensions, but the weight file needs {expected}: is it the "
                "companion of another weight file?",
                file=file,
            )
