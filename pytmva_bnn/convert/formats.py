"""Which format a file has, by the end of its name, and how it is read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pytmva_bnn.convert.json_format import from_json, to_json
from pytmva_bnn.convert.npz_format import from_npz, to_npz
from pytmva_bnn.convert.onnx_format import to_onnx
from pytmva_bnn.errors import InputError
from pytmva_bnn.model import Model, load
from pytmva_bnn.standalone import write_class


@dataclass(frozen=True)
class FileFormat:
    """A kind of file; ``reader`` is None if it can only be written, ``writer`` if it can only be read."""

    name: str
    endings: tuple[str, ...]
    reader: Callable[[str | Path], Model] | None
    writer: Callable[[Model, str | Path], None] | None


FORMATS: tuple[FileFormat, ...] = (
    FileFormat("XML", (".xml", ".xml.gz"), load, Model.save),
    FileFormat("text of TMVA 3.9", (".txt", ".txt.gz"), load, None),
    FileFormat("JSON", (".json", ".json.gz"), from_json, to_json),
    FileFormat("numpy archive", (".npz",), from_npz, to_npz),
    FileFormat("ONNX", (".onnx",), None, to_onnx),
    FileFormat("C++ class", (".C", ".cpp", ".cxx", ".cc", ".h", ".hpp", ".hh"), None, write_class),
)


def format_of(path: str | Path) -> FileFormat:
    """Return the format that the end of a name tells."""
    name = Path(path).name
    for one in FORMATS:
        if name.endswith(one.endings):
            return one
    known = ", ".join(ending for one in FORMATS for ending in one.endings)
    raise InputError(f"{path}: the end of the name tells no format; known are {known}")


def load_any(path: str | Path) -> Model:
    """Return the model of a weight file in any format that can be read; unknown endings are taken for TMVA's.

    >>> load_any("xml_fixtures/cases/fakerate_bnn/weights.xml")
    <Model 'MLP': Classification, 2-10-1, with error bars>
    """
    try:
        found = format_of(path)
    except InputError:
        return load(path)
    if found.reader is None:
        raise InputError(f"{path}: {found.name} can only be written; read the weight file it was made of")
    return found.reader(path)


def convert(source: str | Path, target: str | Path) -> None:
    """Write a weight file in another format; the ends of the names tell which.

    >>> import tempfile, pathlib
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "weights.json"
    >>> convert("xml_fixtures/cases/bfgs_n/weights.xml", target)
    >>> load_any(target)
    <Model 'MLP': Classification, 4-9-1, without error bars>
    """
    found = format_of(target)
    if found.writer is None:
        raise InputError(f"{target}: {found.name} can only be read; write .xml, .json, .npz, .onnx or .C")
    found.writer(load_any(source), target)
