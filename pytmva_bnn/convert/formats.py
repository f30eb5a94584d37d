"""Which format a file has, by the end of its name or by its content, and how it is read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytmva_bnn.convert.forests.from_forest import foreign_file, from_forest
from pytmva_bnn.convert.forests.to_xgboost import to_xgboost
from pytmva_bnn.convert.json_format import from_json, to_json
from pytmva_bnn.convert.npz_format import from_npz, to_npz
from pytmva_bnn.convert.onnx_format import to_onnx
from pytmva_bnn.errors import InputError
from pytmva_bnn.model import Model, load
from pytmva_bnn.standalone import write_class
from pytmva_bnn.weights import Source


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
    FileFormat("XGBoost", (".xgb.json", ".ubj"), from_forest, to_xgboost),
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
    raise InputError(f"{path}: the ending of the name identifies no format; known: {known}")


def writer_of(path: str | Path) -> Callable[[Model, str | Path], None]:
    """Return what writes a model in the format that the end of a name tells."""
    found = format_of(path)
    if found.writer is None:
        raise InputError(f"{path}: {found.name} can only be read; write .xml, .json, .npz, .onnx or .C")
    return found.writer


def load_any(path: str | Path, **names: Any) -> Model:
    """Return the model of a weight file in any format that can be read; unknown endings are taken for TMVA's.

    Models of XGBoost and LightGBM are known by their content; ``names`` are the arguments of
    :func:`pytmva_bnn.from_forest` for them.

    >>> load_any("xml_fixtures/cases/fakerate_bnn/weights.xml")
    <Model 'MLP': Classification, 2-10-1, with error bars>
    """
    if foreign_file(path):
        return from_forest(path, **names)
    if names:
        Source(path).beginning()  # raises if there is no such file
        raise InputError(f"{path} is not a model of another library, so {', '.join(names)} cannot be given")
    try:
        found = format_of(path)
    except InputError:
        return load(path)
    if found.reader is None:
        raise InputError(f"{path}: {found.name} can only be written; read the weight file it was made from")
    return found.reader(path)


def convert(source: str | Path, target: str | Path, **names: Any) -> None:
    """Write a weight file in another format; the ends of the names tell which.

    ``names`` are for models of other libraries, as in :func:`load_any`.

    >>> import tempfile, pathlib
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "weights.json"
    >>> convert("xml_fixtures/cases/bfgs_n/weights.xml", target)
    >>> load_any(target)
    <Model 'MLP': Classification, 4-9-1, without error bars>
    """
    write = writer_of(target)
    write(load_any(source, **names), target)
