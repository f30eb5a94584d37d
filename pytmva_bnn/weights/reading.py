"""Reading of a weight file of whatever format, and the checks that need all of it."""

from __future__ import annotations

from pathlib import Path

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights.interpretation import response_pdfs_of
from pytmva_bnn.weights.records import WeightFile
from pytmva_bnn.weights.source import Source
from pytmva_bnn.weights.text_reader import read_text_source
from pytmva_bnn.weights.xml_reader import read_xml_source


def read(path: str | Path) -> WeightFile:
    """Read a weight file: XML of TMVA 4, or text of TMVA 3; either may be gzip-compressed.

    The content decides, not the name: XML begins with ``<``.
    """
    return _read(Source(path))


def read_string(text: str | bytes) -> WeightFile:
    """Read a weight file given as text."""
    return _read(Source(text=text))


def _read(source: Source) -> WeightFile:
    beginning = source.beginning().removeprefix(b"\xef\xbb\xbf").lstrip()
    if not beginning:
        raise WeightFileError("the file is empty", file=source.name)
    file = read_xml_source(source) if beginning.startswith(b"<") else read_text_source(source)
    try:
        _check_outputs(file)
        response_pdfs_of(file)  # so that GetProba cannot fail later
    except WeightFileError as error:
        raise WeightFileError(error.problem, file=source.name, element=error.element) from None
    return file


def _check_outputs(file: WeightFile) -> None:
    n_outputs = file.matrices[-1].shape[1]
    if file.analysis_type == AnalysisType.MULTICLASS and n_outputs < 2:
        raise WeightFileError("multiclass needs at least two output neurons", element="Layout")
    expected, what = {
        AnalysisType.CLASSIFICATION: (1, "classification has"),
        AnalysisType.REGRESSION: (len(file.targets), f"{len(file.targets)} regression targets need"),
        AnalysisType.MULTICLASS: (len(file.classes) or n_outputs, f"{len(file.classes)} classes need"),
    }[file.analysis_type]
    if n_outputs != expected:
        problem = f"the network has {n_outputs} output neurons, but {what} {expected}"
        raise WeightFileError(problem, element="Layout")
