"""Reading of the text weight files (``*.weights.txt``) of TMVA up to 3.9.

A file is a sequence of sections, each opened by a line such as ``#OPT``.  The result is the same
:class:`~pytmva_bnn.weights.records.WeightFile` as for XML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms import PDFRecord
from pytmva_bnn.histograms.pdf_xml import read_text_pdfs
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.transform import Normalisation, Step, read_text
from pytmva_bnn.weights.records import Dialect, WeightFile, not_readable
from pytmva_bnn.weights.source import Source
from pytmva_bnn.weights.xml_reader import Section
from pytmva_bnn.xmlio.reading import LARGEST_FLOAT32
from pytmva_bnn.xmlio.words import Words

_OPTION_LINE = re.compile(r'\s*([^\s:]+)\s*:\s+"([^"]*)"')
_VARIABLE_LINE = re.compile(r"\s*(\S+)\s+(\S+)\s+'(.)'\s+\[([^,\]]+),([^\]]+)\]")
_MAX_BYTES = 100_000_000
_SECTIONS = ("#OPT", "#VAR", "#MAT", "#MVAPDFS", "#WGT")


def read_text_source(source: Source, kinds: Sequence[str] = ()) -> tuple[WeightFile, Section]:
    """Read a text weight file from wherever it is; errors name ``source.name``."""
    try:
        return _weight_file(_lines(source), kinds)
    except WeightFileError as error:
        raise WeightFileError(error.problem, file=source.name, element=error.element, line=error.line) from None


def _lines(source: Source) -> list[str]:
    chunks: list[bytes] = []
    size = 0
    for chunk in source.chunks():
        size += len(chunk)
        if size > _MAX_BYTES:
            raise WeightFileError("not XML, and far too long for a text weight file of TMVA")
        chunks.append(chunk)
    content = b"".join(chunks)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    # not splitlines(), which knows more line ends than editors do: the line numbers in messages would be wrong
    return text.replace("\r\n", "\n").split("\n")


def _weight_file(lines: list[str], kinds: Sequence[str]) -> tuple[WeightFile, Section]:
    sections = _sections(lines)
    kind, title, info = _header(sections[""], kinds)
    options = tuple(_options(sections["#OPT"]))
    value = {option.name.lower(): option.value for option in options}
    variables = tuple(_variables(sections["#VAR"]))
    steps: list[Step] = []
    if _is_true(value.get("normalise")):
        steps.append(_normalisation(variables))
    steps += read_text(Words("#MAT", sections["#MAT"]), value, len(variables))
    pdfs: tuple[PDFRecord, ...] = ()
    if _is_true(value.get("createmvapdfs")):
        pdfs = read_text_pdfs(Words("#MVAPDFS", sections["#MVAPDFS"]))
    file = WeightFile(
        kind=kind,
        title=title,
        info=info,
        options=options,
        variables=variables,
        spectators=(),
        classes=("Signal", "Background"),
        targets=(),
        transformations=tuple(steps),
        mva_pdfs=pdfs,
        dialect=Dialect(),
        source="text",
    )
    return file, Section(words=Words("#WGT", sections["#WGT"]))


NumberedLines = list[tuple[int, str]]


def _sections(lines: list[str]) -> dict[str, NumberedLines]:
    sections: dict[str, NumberedLines] = {name: [] for name in ("", *_SECTIONS)}
    seen: set[str] = set()
    current = ""
    for number, line in enumerate(lines, start=1):
        opened = next((name for name in _SECTIONS if line.startswith(name)), None)
        if opened is not None:
            current = opened
            seen.add(opened)
        else:
            sections[current].append((number, line))
    for needed in ("#OPT", "#VAR", "#WGT"):
        if needed not in seen:
            raise WeightFileError(f"the section {needed} is missing: not a text weight file of TMVA, or truncated")
    return sections


def _header(lines: NumberedLines, kinds: Sequence[str]) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    info: list[tuple[str, str]] = []
    method = None
    for number, line in lines:
        name, separator, value = (part.strip() for part in line.partition(":"))
        if not separator or line.startswith("#"):
            continue
        if name == "Method":
            kind, separator, title = (part.strip() for part in value.partition("::"))
            if not kind or not separator or not title:
                problem = f"the method is {value!r}, which is not of the form <type>::<title>"
                raise WeightFileError(problem, line=number)
            method = kind.split()[-1], title.split()[0]
            if kinds and method[0] not in kinds:
                raise WeightFileError(not_readable("::".join(method), kinds), line=number)
        else:
            value = re.sub(r"\s+", " ", value)
            if name == "Analysis type":
                name, value = "AnalysisType", value.strip("[] ")
                if value.lower() != "classification":
                    raise WeightFileError(f"the analysis type {value!r} is unknown in text files", line=number)
            info.append((name, value))
    if method is None:
        raise WeightFileError("the line 'Method : <type>::<title>' is missing: not a text weight file of TMVA")
    return *method, tuple(info)


def _options(lines: NumberedLines) -> Iterator[OptionRecord]:
    by_user = False
    for number, line in lines:
        if line.startswith("##"):
            return
        if line.startswith("#"):
            by_user = "Set by User" in line
        elif line.strip():
            found = _OPTION_LINE.match(line)
            if found is None:
                raise WeightFileError(f'not of the form  Name: "value"  but {line[:60]!r}', element="#OPT", line=number)
            yield OptionRecord(found[1], found[2], by_user)
    raise WeightFileError("the list of options has no end (##): the file is truncated", element="#OPT")


def _variables(lines: NumberedLines) -> Iterator[VariableRecord]:
    content = [(number, line) for number, line in lines if line.strip() and not line.startswith("#")]
    announced = re.fullmatch(r"\s*NVar\s+(\d{1,6})\s*", content[0][1] if content else "", re.ASCII)
    if announced is None:
        raise WeightFileError("the line 'NVar <n>' is missing", element="#VAR")
    for position in range(1, int(announced[1]) + 1):
        if position >= len(content):
            raise WeightFileError(f"NVar is {announced[1]}, but {position - 1} variables are present", element="#VAR")
        number, line = content[position]
        found = _VARIABLE_LINE.match(line)
        try:
            if found is None:
                raise ValueError
            low, high = float(found[4]), float(found[5])
        except ValueError:
            problem = f"not of the form  expression name 'F' [min,max]  but {line[:60]!r}"
            raise WeightFileError(problem, element="#VAR", line=number) from None
        yield VariableRecord(found[1], found[1], found[1], "", found[2], found[3], low, high)


def _normalisation(variables: tuple[VariableRecord, ...]) -> Normalisation:
    minima = np.array([[v.minimum for v in variables]], dtype=np.float64)
    maxima = np.array([[v.maximum for v in variables]], dtype=np.float64)
    if not np.abs([minima, maxima]).max(initial=0.0) <= LARGEST_FLOAT32:
        raise WeightFileError("the range of a variable does not fit into 32-bit floats", element="#VAR")
    return Normalisation(None, minima.astype(np.float32), maxima.astype(np.float32))


def _is_true(text: str | None) -> bool:
    return (text or "").lower() in ("1", "true", "ktrue", "t")
