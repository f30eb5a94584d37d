"""Old weight files in the form that current TMVA reads and applies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytmva_bnn.errors import InputError
from pytmva_bnn.options import Option, OptionSet, OptionValue
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import Normalisation, OldGaussianisation, Selection, Step
from pytmva_bnn.weights.records import Dialect, WeightFile, as_quantities


def modernised(
    file: WeightFile, known: Sequence[Option], changes: Mapping[str, OptionValue] | None = None
) -> WeightFile:
    """Return the file in the dialect of current ROOT: only options it knows, a Selection for every transformation.

    ``known`` are the method's options, ``changes`` the values that replace those of the file.
    """
    options = OptionSet(known, owner=file.title)
    options.parse_records(record for record in file.options if record.name in options)
    by_user = {record.name.lower() for record in file.options if record.modified}
    for name, value in (changes or {}).items():
        options.set_value(name, value)
    info = dict(file.info)
    if file.source == "text":
        info.setdefault("AnalysisType", file.analysis_type)
    classes = file.classes
    if not classes and file.analysis_type == AnalysisType.CLASSIFICATION:
        classes = ("Signal", "Background")
    return replace(
        file,
        info=tuple(info.items()),
        options=tuple(replace(one, modified=one.name.lower() in by_user) for one in options.records()),
        classes=classes,
        transformations=tuple(_with_selection(step, file) for step in file.transformations),
        dialect=replace(Dialect(), encoding=file.dialect.encoding),
        source="xml",
    )


def _with_selection(step: Step, file: WeightFile) -> Step:
    if step.selection is not None:
        return step
    if isinstance(step, OldGaussianisation):
        raise InputError(f"{file.title}: the Gauss transformation of the old text format has no XML form")
    chosen = as_quantities("Variable", file.variables)
    if isinstance(step, Normalisation):
        chosen += as_quantities("Target", file.targets)
    return replace(step, selection=Selection(chosen, chosen))
