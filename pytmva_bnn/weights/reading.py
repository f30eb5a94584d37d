"""Reading of a weight file of whatever format: its envelope, and the section that belongs to the method."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.weights.interpretation import response_pdfs_of
from pytmva_bnn.weights.records import WeightFile
from pytmva_bnn.weights.source import Source
from pytmva_bnn.weights.text_reader import read_text_source
from pytmva_bnn.weights.xml_reader import Section, StreamOf, read_xml_source


def read(path: str | Path) -> WeightFile:
    """Read the envelope of a weight file: XML of TMVA 4, or text of TMVA 3; either may be gzip-compressed.

    The content decides, not the name: XML begins with ``<``.  All of a file, ready for predictions, is what
    :func:`pytmva_bnn.load` gives.

    >>> read("xml_fixtures/cases/bfgs_n/weights.xml").variables[0].expression
    'var1'
    """
    return read_source(Source(path))[0]


def read_string(text: str | bytes) -> WeightFile:
    """Read the envelope of a weight file given as text."""
    return read_source(Source(text=text))[0]


def read_source(
    source: Source, stream_of: StreamOf = lambda _: None, kinds: Sequence[str] = ()
) -> tuple[WeightFile, Section]:
    """Return the envelope and the method's section.

    ``stream_of`` gives what takes parts of the section while it is parsed; ``kinds`` are the methods that can be read,
    if not all.
    """
    beginning = source.beginning().removeprefix(b"\xef\xbb\xbf").lstrip()
    if not beginning:
        raise WeightFileError("the file is empty", file=source.name)
    if beginning.startswith(b"<"):
        file, section = read_xml_source(source, stream_of, kinds)
    else:
        file, section = read_text_source(source, kinds)
    try:
        response_pdfs_of(file)  # so that GetProba cannot fail later
    except WeightFileError as error:
        raise WeightFileError(error.problem, file=source.name, element=error.element) from None
    return file, section
