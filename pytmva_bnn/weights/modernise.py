"""Old weight files in the form that current TMVA reads and applies."""

from __future__ import annotations

from dataclasses import replace

from pytmva_bnn.errors import InputError
from pytmva_bnn.options import MLP_METHOD_OPTIONS, OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import Normalisation, OldGaussianisation, Selection, Step
from pytmva_bnn.weights.records import Dialect, WeightFile, as_quantities


def modernised(file: WeightFile) -> WeightFile:
    """Return the file in the dialect of current ROOT: only options it knows, a Selection for every transformation.

    Text files of TMVA 3.9 become XML with the linear output they were trained with.  Their weights are float64, which
    TMVA rounds to float32 when it reads XML: responses change by about 1e-7.

    >>> from pytmva_bnn.weights import read
    >>> modernised(read("xml_fixtures/cases/bfgs_n/weights.xml")).dialect.offset_attribute
    True
    """
    options = OptionSet(MLP_METHOD_OPTIONS, owner=file.title)
    options.parse_records(record for record in file.options if record.name in options)
    by_user = {record.name.lower() for record in file.options if record.modified}
    info = dict(file.info)
    if file.source == "text":
        options.set_value("EstimatorType", "MSE")
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
        raise InputError(f"{file.title}: the Gauss transformation of TMVA 3.9 has no form in XML files")
    chosen = as_quantities("Variable", file.variables)
    if isinstance(step, Normalisation):
        chosen += as_quantities("Target", file.targets)
    return replace(step, selection=Selection(chosen, chosen))
