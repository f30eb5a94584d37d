"""What TMVA makes of the envelope of a weight file: the transformations and the PDFs of the response."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms import PDF, build_pdf
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import Quantity, TransformationChain, WholeEvents
from pytmva_bnn.transform.selection import SPECTATOR, TARGET, VARIABLE
from pytmva_bnn.weights.records import WeightFile, as_quantities


def chain_of(file: WeightFile, *, strict: bool = False, sets: Sequence[int] = ()) -> TransformationChain:
    """Return the transformations, ready to be applied; with the parameters of all classes, or with these ``sets``.

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
            sets=sets,
        )
        _rehearse(chain, file)
    except ValueError as error:
        raise WeightFileError(str(error), element="Transformations") from error
    return chain


def whole_events_of(file: WeightFile) -> WholeEvents:
    """Return what takes the place of the transformations for a method that wants the events as they are."""
    kinds = ((VARIABLE, file.variables), (TARGET, file.targets), (SPECTATOR, file.spectators))
    return WholeEvents(*(as_quantities(kind, records) for kind, records in kinds))


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
            signal, background = (build_pdf(one.in_float32(), normalise=True) for one in file.mva_pdfs)
    except ValueError as error:
        raise WeightFileError(str(error), element="MVAPdfs") from error
    return signal, background
