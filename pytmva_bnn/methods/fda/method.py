"""FDA as a method: options, training and reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pytmva_bnn.errors import InputError, OptionError, WeightFileError
from pytmva_bnn.methods.fda.fitted import FittedFDA
from pytmva_bnn.methods.fda.formula import prepared
from pytmva_bnn.methods.fda.option_table import FDA_OPTIONS, MINUIT, FDASettings, ranges_of
from pytmva_bnn.methods.fitters import parse_fitter
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.options import Option, OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile
from pytmva_bnn.xmlio import reading as xml

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


class FDA(Method):
    """TMVA's FDA."""

    kind: ClassVar[str] = "FDA"
    options: ClassVar[tuple[Option, ...]] = FDA_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedFDA,)

    def parse_parts(self, options: OptionSet, n_variables: int) -> None:
        """Let the fitters take their options, and check the formula."""
        if options.string("Converger") == MINUIT:
            parse_fitter(options, MINUIT)
        parse_fitter(options, options.string("FitMethod"))
        if n_variables > 0:
            _check_that_both_are_given(options)
            ranges = ranges_of(options.string("ParRanges"), options.owner)
            try:
                prepared(options.string("Formula"), len(ranges), n_variables)
            except InputError as error:
                raise OptionError(f"{options.owner}: {error}") from None

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> FDASettings:
        """Return what a training wants to know."""
        del analysis
        return FDASettings.of(options, title)

    def train(self, job: TrainingJob) -> FittedFDA:
        """Fit the parameters."""
        from pytmva_bnn.methods.fda.training import train_formula  # lazy: reading needs no training code

        return train_formula(job)

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedFDA:
        """Read the formula and its parameters."""
        del how
        if section.words is not None:
            raise WeightFileError("an FDA in a text file of TMVA 3 cannot be read; train it again")
        weights = section.element
        n_outputs = xml.count(weights, "NDim") if weights.get("NDim") is not None else 1  # TMVA: 4.0.7 and before
        expected = {
            AnalysisType.REGRESSION: len(head.targets),
            AnalysisType.MULTICLASS: len(head.classes),
        }.get(head.analysis_type, 1)
        if n_outputs != expected:
            xml.fail(weights, f"NDim={n_outputs}, but this {head.analysis_type.lower()} needs {expected}")
        n = xml.count(weights, "NPars")
        formula = xml.attribute(weights, "Formula")
        try:
            prepared(formula, n, len(head.variables))
        except InputError as error:
            xml.fail(weights, str(error))
        return FittedFDA(formula, _read_parameters(weights, n_outputs, n), len(head.variables))


def _check_that_both_are_given(options: OptionSet) -> None:
    missing = [name for name in ("Formula", "ParRanges") if options.string(name) in ("", "()")]
    if missing:
        if not options.flag("CreateMVAPdfs"):  # whose options are taken later
            options.check_unused()  # it may be misspelt
        raise OptionError(
            f"{options.owner}: {' and '.join(missing)} must be given, for example "
            "Formula=(0)+(1)*x0:ParRanges=(-1,1);(-10,10)"
        )


def _read_parameters(weights: Element, n_outputs: int, n: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    size = n_outputs * n
    elements = [element for element in xml.children(weights) if element.tag == "Parameter"]
    if len(elements) != size:  # before anything is allocated
        xml.fail(weights, f"NPars={n} and NDim={n_outputs} mean {size} parameters, but there are {len(elements)}")
    values = np.full(size, np.nan)
    for element in elements:
        index = xml.count(element, "Index")
        if index >= size or not np.isnan(values[index]):
            xml.fail(element, f"Index={index} appears twice or is too large: there are {size} parameters")
        values[index] = xml.number(element, "Value")
    return values.reshape(n_outputs, n)
