"""The options of a booked method, whatever its kind: parsed, checked, and ready for the training."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Any

from pytmva_bnn.dataset.description import Description
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.histograms.settings import ResponsePDFOptions, parse_response_pdf_options
from pytmva_bnn.methods.protocol import Method
from pytmva_bnn.options import OptionRecord, OptionSet, parse_var_transform, select, sized
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.Factory")

# the colon before the number of epochs does not separate options
_CHECKPOINT = re.compile(r"(?:^|(?<=:))(checkpoint=[^:]+):(\d+)(?=:|$)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Booking:
    """What the option string of a booked method says; ``settings`` is what its training wants of it."""

    method: Method
    options: OptionSet
    settings: Any
    pdfs: ResponsePDFOptions | None

    @classmethod
    def parse(cls, method: Method, text: str, analysis: AnalysisType, title: str, n_variables: int = 0) -> Booking:
        """Parse and process the option string; unknown options and impossible values raise an OptionError.

        ``n_variables`` is for methods that have options for each variable.
        """
        if method.read_only:
            raise InputError(f"{title}: {method.read_only}")
        if "boost_num" in text.lower():
            from pytmva_bnn.methods.composite.boost import boosted  # lazy: few methods are boosted

            method = boosted(method, text, title)
        method.check_analysis(analysis)
        declared = sized((*method.options_for(analysis), *method.more_options), n_variables)
        options = OptionSet(declared, owner=title)
        options.parse(_CHECKPOINT.sub(r"\1:CheckpointEpochs=\2", text) if "CheckpointEpochs" in options else text)
        method.parse_parts(options, n_variables)
        pdfs = None
        if options.flag("CreateMVAPdfs"):
            if analysis != AnalysisType.CLASSIFICATION:
                raise OptionError(f"{title}: CreateMVAPdfs works in classification only, not in {analysis.lower()}")
            pdfs = parse_response_pdf_options(options.marked, title)
            options.marked = pdfs.marked
        options.check_unused(pdfs.declared if pdfs else ())
        _check_transformations(options.string("VarTransform"), title, method)
        if options.flag("V"):
            options.set_value("VerbosityLevel", "Verbose")
        return cls(method, options, method.settings(options, title, analysis), pdfs)

    def check_values(self, n_variables: int) -> Booking:
        """Raise OptionError for values that TMVA takes although nobody can mean them; return the booking."""
        self.method.check_values(self.options, n_variables)
        return self

    @property
    def ignores_negative_weights(self) -> bool:
        """Return whether training events of negative weight count as weight 0."""
        return self.options.flag("IgnoreNegWeightsInTraining")

    @property
    def builds_dataset_early(self) -> bool:
        """Return whether TMVA builds the data set at booking."""
        return self.method.builds_dataset_early(self.settings)

    def records(self) -> tuple[OptionRecord, ...]:
        """Return what a weight file holds: TMVA's options only."""
        own = {option.name for option in self.method.more_options}
        parts = [part for name, part in self.options.parts.items() if name in self.method.parts_in_files]
        records = (*self.options.records(), *(record for part in parts for record in part.records()))
        return tuple(record for record in records if record.name not in own)


def check_quantities(definition: str, description: Description, title: str) -> None:
    """Raise OptionError if VarTransform names a class or the number of a variable that does not exist.

    >>> description = Description("dataset")
    >>> check_quantities("N(_V3_)", description, "MLP")
    Traceback (most recent call last):
    ...
    pytmva_bnn.errors.OptionError: MLP: You selected variable with index : 3 of only 0 variables; remove '_V3_'
    """
    known = (description.variables, description.targets, description.spectators)
    labels = [[one.record.label for one in quantities] for quantities in known]
    classes = [one.name for one in description.classes]
    try:
        for step in parse_var_transform(definition):
            if classes:  # trees may be added later
                step.class_index(classes)
            # missing labels are reported when the transformation is fitted
            select([item for item in step.selection if item.startswith("_")], *labels)
    except OptionError as error:
        raise OptionError(f"{title}: {error}") from None


def _check_transformations(definition: str, title: str, method: Method) -> None:
    try:
        steps = parse_var_transform(definition)
    except OptionError as error:
        raise OptionError(f"{title}: {error}") from None
    # TMVA: means its own class; who goes back to it should know
    if definition.count("(") > 1:
        log.warning(
            "%s: VarTransform=%s: the standalone class that TMVA itself writes does not handle several selections; "
            "both Readers do, and so does the standalone class written here",
            title,
            definition,
        )
    # TMVA: says nothing, and tests a network with other inputs than it was trained with
    named = sorted({step.class_name for step in steps if step.class_name})
    if named and not method.transforms_by_class:
        log.warning(
            "%s: VarTransform=%s: a weight file does not keep the class %s: what is read from it, here and by TMVA, "
            "transforms with the parameters of all classes",
            title,
            definition,
            ", ".join(named),
        )
