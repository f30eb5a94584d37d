"""Weight files as JSON: every number with all its digits, one line for each part."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.convert.plain import checked_weight_file, header, to_plain
from pytmva_bnn.errors import WeightFileError, WeightFileNotFoundError
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.weights import WeightFile

_GZIP_MAGIC = b"\x1f\x8b"


def json_text(file: WeightFile) -> str:
    """Return the weight file as JSON.

    >>> from pytmva_bnn.weights import read
    >>> json_text(read("xml_fixtures/cases/bfgs_n/weights.xml")).splitlines()[1]
    '"format": "pytmva_bnn weight file",'
    """
    content = to_plain(file, lambda _, values: _array(values))
    parts = [f'"{key}": {_lines(value)}' for key, value in content.items()]
    top = [f'"{key}": {json.dumps(value)}' for key, value in header().items()]
    return "{\n" + ",\n".join([*top, '"content": {\n' + ",\n".join(parts) + "\n}"]) + "\n}\n"


def to_json(file: WeightFile, path: str | Path) -> None:
    """Write the weight file as JSON; a name that ends in ``.gz`` is compressed."""
    with atomic_writer(path) as stream:
        stream.write(json_text(file).encode())


def from_json(path: str | Path) -> WeightFile:
    """Read what :func:`to_json` wrote.

    >>> from_json("xml_fixtures/cases/bfgs_n/weights.xml")
    Traceback (most recent call last):
    pytmva_bnn.errors.WeightFileError: xml_fixtures/cases/bfgs_n/weights.xml: not JSON: Expecting value: line 1 column 1
    (char 0)
    """
    try:
        data = Path(path).read_bytes()
        text = gzip.decompress(data) if data.startswith(_GZIP_MAGIC) else data
    except EOFError as error:
        raise WeightFileError(f"the file cannot be read to its end ({error})", file=str(path)) from error
    except OSError as error:
        raise WeightFileNotFoundError(f"unable to open the file ({error.strerror or error})", file=str(path)) from error
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WeightFileError(f"not JSON: {error}", file=str(path)) from error
    return checked_weight_file(found, _array_of, str(path))


def _lines(value: Any) -> str:
    """Return JSON with one line for each item of a list."""
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(json.dumps(item) for item in value) + "\n]"
    return json.dumps(value)


def _array(values: NDArray[Any]) -> dict[str, Any]:
    numbers = [one if math.isfinite(one) else repr(one) for one in values.ravel().tolist()]
    return {"array": values.dtype.name, "shape": list(values.shape), "values": numbers}


def _array_of(value: Any) -> NDArray[Any] | None:
    if not isinstance(value, dict) or "array" not in value:
        return None
    if value["array"] not in ("float32", "float64"):
        raise ValueError(f"an array of type {value['array']!r}")
    numbers = np.array([float(one) for one in value["values"]], dtype=np.float64)
    return numbers.astype(value["array"]).reshape(value["shape"])
