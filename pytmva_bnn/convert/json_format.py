"""Weight files as JSON: every number with all its digits, one line for each part."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.convert.plain import checked_model, content_of
from pytmva_bnn.errors import WeightFileError, WeightFileNotFoundError
from pytmva_bnn.files import atomic_writer, expanded
from pytmva_bnn.model import Model

_GZIP_MAGIC = b"\x1f\x8b"


def json_text(model: Model) -> str:
    """Return the model as JSON."""
    content = content_of(model, lambda _, values: _array(values))
    return "{\n" + ",\n".join(f'"{key}": {_lines(value)}' for key, value in content.items()) + "\n}\n"


def to_json(model: Model, path: str | Path) -> None:
    """Write the model as JSON; a name that ends in ``.gz`` is compressed."""
    with atomic_writer(path) as stream:
        stream.write(json_text(model).encode())


def from_json(path: str | Path) -> Model:
    """Read what :func:`to_json` wrote."""
    try:
        data = Path(expanded(path)).read_bytes()
        text = gzip.decompress(data) if data.startswith(_GZIP_MAGIC) else data
    except (EOFError, zlib.error) as error:
        raise WeightFileError(f"the file cannot be read to its end ({error})", file=str(path)) from error
    except OSError as error:
        raise WeightFileNotFoundError(f"unable to open the file ({error.strerror or error})", file=str(path)) from error
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WeightFileError(f"not JSON: {error}", file=str(path)) from error
    return checked_model(found, _array_of, str(path))


def _lines(value: Any) -> str:
    """Return JSON with one line for each part of an object or list."""
    if isinstance(value, dict) and "class" in value:
        return "{\n" + ",\n".join(f'"{key}": {_lines(item)}' for key, item in value.items()) + "\n}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(json.dumps(item) for item in value) + "\n]"
    return json.dumps(value)


def _array(values: NDArray[Any]) -> dict[str, Any]:
    numbers = [one if math.isfinite(one) else repr(one) for one in values.ravel().tolist()]
    return {"array": values.dtype.name, "shape": list(values.shape), "values": numbers}


def _array_of(value: Any) -> NDArray[Any] | None:
    if not isinstance(value, dict) or "array" not in value:
        return None
    if value["array"] not in ("float32", "float64", "int32", "int64", "bool"):
        raise ValueError(f"an array of type {value['array']!r}")
    number = int if value["array"].startswith("int") else float
    return np.array([number(one) for one in value["values"]], dtype=value["array"]).reshape(value["shape"])
