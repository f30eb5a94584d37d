"""The options of a booked MLP: TMVA's, those of its PDFs, and a few that TMVA does not have."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Literal

from pytmva_bnn.dataset.description import Description
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.histograms.settings import ResponsePDFOptions, parse_response_pdf_options
from pytmva_bnn.methods.mlp.network import activation
from pytmva_bnn.methods.mlp.network.layout import NEURON_INPUTS
from pytmva_bnn.methods.mlp.training import Checkpoint, Estimator, TrainingSettings
from pytmva_bnn.options import (
    MLP_METHOD_OPTIONS,
    Option,
    OptionRecord,
    OptionSet,
    OptionType,
    parse_var_transform,
    select,
)
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.Factory")

EXTRA_OPTIONS = (
    Option(
        "Hessian",
        OptionType.STRING,
        "TMVA",
        "matrix behind the error bars: TMVA's, or that of the posterior (regulators, event weights, noise variance)",
        ("TMVA", "Posterior"),
    ),
    Option(
        "HessianPerOutput", OptionType.BOOL, False, "store one matrix for each output neuron, not for the first only"
    ),
    Option(
        "Checkpoint",
        OptionType.STRING,
        "",
        "file:N keeps the state of the training every N epochs, and goes on from it",
    ),
)
"""Beyond TMVA; they never appear in the options of a weight file, which TMVA would refuse to read."""

_CHECKPOINT = re.compile(r"(?:^|(?<=:))(checkpoint=[^:]+):(\d+)(?=:|$)", re.IGNORECASE)
_DEFAULT_EPOCHS = 10


@dataclass(frozen=True, eq=False)
class MLPOptions:
    """What the option string of a booked method says.

    >>> booked = MLPOptions.parse("TrainingMethod=BFGS:NCycles=60:Checkpoint=run.npz:20", "Classification", "MLP")
    >>> booked.settings.n_cycles, booked.checkpoint.every
    (60, 20)
    """

    options: OptionSet
    settings: TrainingSettings
    pdfs: ResponsePDFOptions | None
    checkpoint: Checkpoint | None

    @classmethod
    def parse(cls, text: str, analysis: AnalysisType, title: str) -> MLPOptions:
        """Parse and process the option string; unknown options and impossible values raise an OptionError."""
        text, every = _without_checkpoint_epochs(text)
        options = OptionSet((*MLP_METHOD_OPTIONS, *EXTRA_OPTIONS), owner=title)
        options.parse(text)
        pdfs = None
        if options.flag("CreateMVAPdfs"):
            if analysis != AnalysisType.CLASSIFICATION:
                raise OptionError(f"{title}: CreateMVAPdfs works in classification only, not in {analysis.lower()}")
            pdfs = parse_response_pdf_options(options.marked, title)
            options.marked = pdfs.marked
        options.check_unused(pdfs.declared if pdfs else ())
        _check_activation(options.string("NeuronType"), title)
        _check_neuron_input(options.string("NeuronInputType"), title)
        _check_transformations(options.string("VarTransform"), title)
        if options.flag("V"):
            options.set_value("VerbosityLevel", "Verbose")
        # TMVA: whatever the user said
        options.set_value("EstimatorType", Estimator.of(analysis).value)
        settings = TrainingSettings.from_options(options, analysis)
        path = options.string("Checkpoint")
        return cls(options, settings, pdfs, Checkpoint(path, every) if path else None)

    @property
    def hessian(self) -> Literal["TMVA", "Posterior"]:
        """Return which matrix is behind the error bars."""
        return "Posterior" if self.options.string("Hessian") == "Posterior" else "TMVA"

    @property
    def hessian_per_output(self) -> bool:
        """Return whether there is one matrix for each output neuron."""
        return self.options.flag("HessianPerOutput")

    def records(self) -> tuple[OptionRecord, ...]:
        """Return what a weight file holds: TMVA's options only."""
        own = {option.name for option in EXTRA_OPTIONS}
        return tuple(record for record in self.options.records() if record.name not in own)


def _check_activation(name: str, title: str) -> None:
    try:
        activation(name)
    except InputError as error:
        raise OptionError(f"{title}: NeuronType={name}: {error}") from None


def _check_neuron_input(name: str, title: str) -> None:
    if name not in NEURON_INPUTS:
        raise OptionError(f"{title}: NeuronInputType={name} is not one of {', '.join(NEURON_INPUTS)}")


def check_quantities(definition: str, description: Description, title: str) -> None:
    """Raise OptionError if VarTransform names a class or the number of a variable that there is not.

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
            # labels that are not there are told when the transformation is fitted
            select([item for item in step.selection if item.startswith("_")], *labels)
    except OptionError as error:
        raise OptionError(f"{title}: {error}") from None


def _check_transformations(definition: str, title: str) -> None:
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
    if named:
        log.warning(
            "%s: VarTransform=%s: a weight file does not keep the class %s: what is read from it, here and by TMVA, "
            "transforms with the parameters of all classes",
            title,
            definition,
            ", ".join(named),
        )


def _without_checkpoint_epochs(text: str) -> tuple[str, int]:
    """Take the number of epochs out of ``Checkpoint=file:N``, where the colon does not separate options."""
    found = _CHECKPOINT.search(text)
    if found is None:
        return text, _DEFAULT_EPOCHS
    return text[: found.start()] + found[1] + text[found.end() :], max(int(found[2]), 1)
