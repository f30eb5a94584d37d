"""Weight files as numpy archives: small and quick to read, the arrays under names that tell what they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.convert.plain import checked_model, content_of
from pytmva_bnn.errors import WeightFileError, WeightFileNotFoundError
from pytmva_bnn.files import atomic_writer, read_archive
from pytmva_bnn.model import Model

DESCRIPTION = "description"
"""The name of the entry that holds all but the arrays, as JSON in UTF-8."""


def to_npz(model: Model, path: str | Path) -> None:
    """Write the model as a compressed numpy archive."""
    arrays: dict[str, NDArray[Any]] = {}

    def keep(name: str, values: NDArray[Any]) -> dict[str, str]:
        arrays[name] = values
        return {"array": name}

    text = json.dumps(content_of(model, keep))
    arrays[DESCRIPTION] = np.frombuffer(text.encode(), dtype=np.uint8)
    with atomic_writer(path) as stream:
        np.savez_compressed(stream, **cast("dict[str, Any]", arrays))


def from_npz(path: str | Path) -> Model:
    """Read what :func:`to_npz` wrote; nothing in the file is ever executed."""
    try:
        arrays = read_archive(path)
        description = json.loads(arrays[DESCRIPTION].tobytes())
    except FileNotFoundError as error:
        raise WeightFileNotFoundError("unable to open the file (it does not exist)", file=str(path)) from error
    except (OSError, ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise WeightFileError(f"not a weight file in numpy's format: {error}", file=str(path)) from error

    def array_of(value: Any) -> NDArray[Any] | None:
        if not isinstance(value, dict) or "array" not in value:
            return None
        found: NDArray[Any] = arrays[value["array"]]
        if found.dtype.kind not in "fib":
            raise ValueError(f"the array {value['array']} has the type {found.dtype}")
        return found

    return checked_model(description, array_of, str(path))
