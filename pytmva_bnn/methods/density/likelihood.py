"""The method Likelihood: the ratio of products of one-dimensional densities; its options, reading and training."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.histograms import PDFRecord, PDFSettings
from pytmva_bnn.histograms.pdf_xml import read_pdf, read_text_pdf
from pytmva_bnn.methods.density.likelihood_fitted import FittedLikelihood, interpolation_name
from pytmva_bnn.methods.density.likelihood_response import EDGE
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionSet, OptionType, pdf_options
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio.words import Words

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

log = logging.getLogger("pytmva_bnn.Likelihood")

ROOT_528 = 5 << 16 | 28 << 8
SIGNAL, BACKGROUND = "Sig", "Bkg"
"""What the names of the options of a class end in, before the number of the variable."""

LIKELIHOOD_OPTIONS: tuple[Option, ...] = (
    Option("TransformOutput", OptionType.BOOL, False, "stretch the output by an inverse sigmoid: -ln(1/r - 1)/15"),
)


@dataclass(frozen=True)
class LikelihoodSettings:
    """How the PDFs are made: for each variable that of signal and that of background."""

    pdfs: tuple[tuple[PDFSettings, PDFSettings], ...]
    transform_output: bool


class Likelihood(Method):
    """TMVA's Likelihood."""

    kind: ClassVar[str] = "Likelihood"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION})
    options: ClassVar[tuple[Option, ...]] = METHOD_BASE_OPTIONS + LIKELIHOOD_OPTIONS
    transforms_by_class: ClassVar[bool] = True
    records: ClassVar[tuple[type, ...]] = (FittedLikelihood,)

    def parse_parts(self, options: OptionSet, n_variables: int) -> None:
        """Let the PDFs take their options: one with the defaults of all, then those of each variable."""
        common = options.parse_part("", pdf_options(""))
        # not processed yet: unlike those of the response, these PDFs understand NSmoothSig[0]
        defaults = {option.name: common[option.name] for option in common.declared}
        for number in range(n_variables):
            for suffix in (f"{SIGNAL}[{number}]", f"{BACKGROUND}[{number}]"):
                options.parse_part(suffix, pdf_options(suffix, defaults))

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> LikelihoodSettings:
        """Return the settings of all PDFs."""
        del title, analysis
        made = {suffix: PDFSettings.of_options(part, suffix) for suffix, part in options.parts.items()}
        n_variables = len(made) // 2
        pairs = ((made[f"{SIGNAL}[{number}]"], made[f"{BACKGROUND}[{number}]"]) for number in range(n_variables))
        return LikelihoodSettings(tuple(pairs), options.flag("TransformOutput"))

    def options_in_files(self, file: WeightFile) -> tuple[Option, ...]:
        """Return the options with those of the PDFs, which some old weight files hold."""
        n_variables = len(file.variables)
        old = [option for option in pdf_options("") if option.name.startswith(("NSmooth", "NAvEvt", "KDE"))]
        arrays = [
            Option(f"{name}{suffix}", OptionType.INT, 0, f"TMVA 4.0: {name} of each variable", size=n_variables)
            for name in ("NAvEvtPerBin", "NSmooth")
            for suffix in (SIGNAL, BACKGROUND)
        ]
        interpolation = Option("PDFInterpol", OptionType.STRING, "", "TMVA 4.0: interpolation", size=n_variables)
        return (*super().options_in_files(file), *old, *arrays, interpolation)

    def input_sets(self, head: WeightFile, *, strict: bool) -> tuple[int, ...]:
        """Return the classes of signal and background: each density takes the event transformed for its class."""
        if strict and head.dialect.classes == "absent":
            return 0, 0  # TMVA: takes both to be the first class, if the file is the first that is read
        # TMVA: up to ROOT 5.26 the order of the classes counted, not their names
        by_order = not strict and 0 < head.root_version < ROOT_528
        if by_order or not set(head.classes) >= {"Signal", "Background"}:
            return 0, 1
        return head.classes.index("Signal"), head.classes.index("Background")

    def train(self, job: TrainingJob) -> FittedLikelihood:
        """Fill the reference histograms and make PDFs of them."""
        from pytmva_bnn.methods.density.likelihood_training import train_likelihood  # lazy: reading needs no training

        return train_likelihood(job)

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedLikelihood:
        """Read the PDFs."""
        del how
        transform_output = self.option_set(head).flag("TransformOutput")
        n = len(head.variables)
        records = _text_records(section.words, n) if section.words is not None else _records(section.element, n)
        _warn_of_defects(head, records)
        fitted = FittedLikelihood(records, transform_output)
        try:
            fitted.pdfs  # noqa: B018 - built now, so that what is wrong with it shows
        except InputError as error:
            raise WeightFileError(str(error), element="Weights") from error
        return fitted


def _records(weights: Element, n_variables: int) -> tuple[tuple[PDFRecord, PDFRecord], ...]:
    announced = xml.count(weights, "NVariables")
    if announced != n_variables:
        xml.fail(weights, f"NVariables={announced}, but the file has {n_variables} variables")
    described = list(xml.children(weights))
    if len(described) != 2 * n_variables:
        xml.fail(weights, f"{n_variables} variables need {2 * n_variables} PDFs, but there are {len(described)}")
    # TMVA: the order counts, whatever VarIndex and ClassIndex say
    records = [read_pdf(xml.child(element, "PDF")) for element in described]
    return tuple(zip(records[::2], records[1::2], strict=True))


def _warn_of_defects(head: WeightFile, records: tuple[tuple[PDFRecord, PDFRecord], ...]) -> None:
    for variable, (signal, background) in zip(head.variables, records, strict=True):
        if (signal.interpolation == 0) != (background.interpolation == 0):
            log.warning(
                "%s: only one of the densities of %s is interpolated (%s and %s). TMVA uses that of the signal for "
                "both, as does this program; train with the same PDFInterpol for signal and background",
                head.title, variable.label, interpolation_name(signal), interpolation_name(background),
            )  # fmt: skip
        upper = signal.histogram.axis.upper
        if upper - EDGE == upper:
            log.warning(
                "%s: for events with %s = %g or more TMVA takes half of the density or none, as does this program; "
                "rescale the variable to smaller numbers",
                head.title, variable.label, upper,
            )  # fmt: skip


def _text_records(words: Words, n_variables: int) -> tuple[tuple[PDFRecord, PDFRecord], ...]:
    return tuple(
        (read_text_pdf(words, f"PDF {SIGNAL}[{number}]"), read_text_pdf(words, f"PDF {BACKGROUND}[{number}]"))
        for number in range(n_variables)
    )
