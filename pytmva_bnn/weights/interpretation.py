"""What TMVA makes of a weight file: typed options, the network with its rounded weights, the transformations."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError, OptionError, WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms import PDF, PDFRecord, build_pdf
from pytmva_bnn.methods.mlp.network import Network, activation
from pytmva_bnn.methods.mlp.network.layout import NeuronInput
from pytmva_bnn.options import COMPATIBILITY_OPTIONS, MLP_METHOD_OPTIONS, OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import Quantity, TransformationChain
from pytmva_bnn.transform.selection import SPECTATOR, TARGET, VARIABLE
from pytmva_bnn.weights.records import WeightFile, as_quantities
from pytmva_bnn.xmlio.reading import zero_from_first_nan

Tanh = Literal["exact", "fast"]
OUTPUT_ACTIVATIONS = {"MSE": "linear", "CE": "sigmoid"}
FIRST_WITH_FAST_TANH = 262657  # TMVA 4.2.1


def options_of(file: WeightFile, *, strict: bool = False) -> OptionSet:
    """Return the typed options of the file; those that it does not name have TMVA's defaults.

    Options that TMVA does not know make the file unreadable for TMVA; here only with ``strict=True``.
    """
    options = OptionSet((*MLP_METHOD_OPTIONS, *COMPATIBILITY_OPTIONS), owner="MLP")
    try:
        options.parse_records(file.options)
        if strict:
            options.check_unused()
    except OptionError as error:
        raise WeightFileError(str(error), element="Options") from error
    return options


def network_of(file: WeightFile, options: OptionSet, *, tanh: Tanh = "exact", strict: bool = False) -> Network:
    """Return the network as TMVA evaluates it: weights of XML files are rounded to float32.

    ``tanh="fast"`` is what ROOT 6.04 to 6.14 does: the approximation, but for XML files of TMVA before 4.2.1.
    """
    estimator = options.string("EstimatorType")
    if file.source == "text":
        # TMVA: since ROOT 6.04 a sigmoid is put behind networks that were trained with a linear output
        estimator = "CE" if strict else "MSE"
    if estimator not in OUTPUT_ACTIVATIONS:
        problem = f"EstimatorType={estimator!r} tells no output activation; it must be MSE or CE"
        raise WeightFileError(problem, element="Options")
    hidden = options.string("NeuronType")
    try:
        activation(hidden)
    except InputError as error:
        raise WeightFileError(f"NeuronType: {error}", element="Options") from error
    # TMVA: uses the exact function for older XML files; text files, older still, are overlooked
    if hidden == "tanh" and tanh == "fast" and (file.source == "text" or file.tmva_version >= FIRST_WITH_FAST_TANH):
        hidden = "fast tanh"
    neuron_input = cast("NeuronInput", options.string("NeuronInputType"))
    matrices = file.matrices
    if file.source != "text":
        matrices = tuple(rounded_like_tmva(matrix) for matrix in matrices)
    try:
        return Network.from_matrices(
            matrices, hidden=hidden, output=OUTPUT_ACTIVATIONS[estimator], neuron_input=neuron_input
        )
    except InputError as error:
        raise WeightFileError(str(error), element="Weights") from error


def chain_of(file: WeightFile, *, strict: bool = False) -> TransformationChain:
    """Return the transformations, ready to be applied.

    Old files (without <Selection>) have decorrelation, PCA and Gauss applied as at their time; current ROOT leaves
    them out, which ``strict=True`` reproduces.  So it does with entries of a <Selection> that name nothing in the file:
    TMVA drops them, and later ones take their parameters.  Otherwise they are refused, but for targets that do no harm.
    """
    try:
        chain = TransformationChain(
            file.transformations,
            as_quantities(VARIABLE, file.variables),
            as_quantities(TARGET, file.targets) if strict else _targets_of(file),
            as_quantities(SPECTATOR, file.spectators),
            ignore_unselected_old_steps=strict,
            drop_unmatched=strict,
        )
        _rehearse(chain, file)
    except ValueError as error:
        raise WeightFileError(str(error), element="Transformations") from error
    return chain


def _targets_of(file: WeightFile) -> tuple[Quantity, ...]:
    """Return the targets of the file, or those that only its selections name: behind all else they are masked."""
    if file.targets or file.analysis_type == AnalysisType.REGRESSION:
        return as_quantities(TARGET, file.targets)
    # TMVA: has <Targets> in regression only, but N and U of any training with targets select these too
    selections = [step.selection for step in file.transformations if step.selection is not None]
    lists = [entries for selection in selections for entries in (selection.inputs, selection.outputs)]
    if not all(map(_targets_are_last, lists)):
        return ()
    return tuple(dict.fromkeys(entry for entries in lists for entry in entries if entry.kind == TARGET))


def _targets_are_last(entries: tuple[Quantity, ...]) -> bool:
    kinds = [entry.kind for entry in entries]
    return TARGET not in kinds[: len(kinds) - kinds.count(TARGET)]


def _rehearse(chain: TransformationChain, file: WeightFile) -> None:
    """Run no event through the chain: it builds its densities, and what it cannot do fails now, not with the data."""
    with np.errstate(all="ignore"):
        chain.forward(_no_events(file.variables), _no_events(file.spectators))
        if file.analysis_type == AnalysisType.REGRESSION:
            chain.inverse_targets(_no_events(file.targets))


def _no_events(records: tuple[VariableRecord, ...]) -> NDArray[np.float32]:
    return np.empty((0, len(records)), dtype=np.float32)


def response_pdfs_of(file: WeightFile) -> tuple[PDF, PDF] | None:
    """Return the PDFs of the response for signal and background, or None if the file has none."""
    if not file.mva_pdfs:
        return None
    try:
        with np.errstate(all="ignore"):
            signal, background = (build_pdf(_in_float32(one), normalise=True) for one in file.mva_pdfs)
    except ValueError as error:
        raise WeightFileError(str(error), element="MVAPdfs") from error
    return signal, background


def _in_float32(record: PDFRecord) -> PDFRecord:
    # TMVA: a histogram read from a file holds float32, also when it was made with float64
    histogram = record.histogram
    return replace(record, histogram=replace(histogram, contents=histogram.contents.astype(np.float32)))


def rounded_like_tmva(matrix: FloatArray) -> FloatArray:
    """Return the weights as TMVA reads them from the file's text: float32, and 0 from the first NaN of a row on.

    >>> import numpy as np
    >>> rounded_like_tmva(np.array([[0.1, np.nan, 2.0]]))
    array([[0.1, 0. , 0. ]])
    """
    exact = zero_from_first_nan(matrix)
    nearest = exact.astype(np.float32)
    result = nearest.astype(np.float64)
    # TMVA: text goes to float32 directly. Where float64 lies half-way between two float32, going through it can
    # round the wrong way: there the text itself decides.
    toward = np.where(exact > result, np.float32(np.inf), np.float32(-np.inf))
    with np.errstate(invalid="ignore", over="ignore"):
        neighbour = np.nextafter(nearest, toward.astype(np.float32)).astype(np.float64)
        ties = np.argwhere((exact != result) & (np.abs(exact - result) == np.abs(neighbour - exact)))
    for index in map(tuple, ties):
        text = Fraction(f"{exact[index]:.16e}")
        if abs(text - Fraction(neighbour[index])) < abs(text - Fraction(result[index])):
            result[index] = neighbour[index]
    return result
