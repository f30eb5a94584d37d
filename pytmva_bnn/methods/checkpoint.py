"""Files with the state of a training, from which it resumes to the same result, bit by bit.

Such a file (npz) also holds a fingerprint of the settings and the events, so that it is not taken for another
training's.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import OutputError
from pytmva_bnn.files import atomic_writer, expanded, read_archive
from pytmva_bnn.methods.training_errors import CheckpointError

log = logging.getLogger("pytmva_bnn.Factory")
SETTINGS = "settings"
"""The part of a fingerprint that is a JSON object: messages name the settings that differ."""
SEAL = "digest"
"""The name of the entry with the digest of all others."""
Arrays = Mapping[str, NDArray[Any]]


def save_state(path: str | Path, version: int, fingerprint: Mapping[str, str], state: Mapping[str, Any]) -> None:
    """Write arrays and numbers, and their digest; the file is replaced only when it is complete."""
    arrays: dict[str, Any] = {"format": version}
    arrays |= {f"fingerprint/{key}": value for key, value in fingerprint.items()}
    arrays = {name: np.asarray(values) for name, values in (arrays | dict(state)).items()}
    arrays[SEAL] = _seal(arrays)
    try:
        with atomic_writer(path) as stream:
            # without pickled objects; np.savez wants a plain file interface, which the stream has
            np.savez(stream, **arrays)
    except OutputError as error:  # such as a full disk, which is no reason to give up the training
        log.warning("%s; the training continues without this checkpoint", error)


def load_state(path: str | Path, version: int, fingerprint: Mapping[str, str]) -> dict[str, NDArray[Any]] | None:
    """Return what a file holds, or None if there is no file; raise CheckpointError if it is unusable."""
    file = Path(expanded(path))
    if not file.exists():
        return None
    try:
        arrays = read_archive(file)
        if int(arrays["format"]) != version:
            raise CheckpointError(
                str(file), f"its format is {int(arrays['format'])}, not {version}", "delete it to start again"
            )
        if str(arrays.pop(SEAL)) != _seal(arrays):
            raise ValueError("its content has been changed")
        _compare(path, arrays, fingerprint)
    except (OSError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise unreadable(path, error) from error
    return arrays


def unreadable(path: str | Path, error: Exception) -> CheckpointError:
    """Return the error for a file whose content cannot be used."""
    if isinstance(error, CheckpointError):
        return error
    return CheckpointError(str(Path(expanded(path))), f"it cannot be read ({error})", "delete it to start again")


def _compare(path: str | Path, arrays: Arrays, fingerprint: Mapping[str, str]) -> None:
    kept = {key: str(arrays[f"fingerprint/{key}"]) for key in fingerprint}
    other = [key for key, value in fingerprint.items() if kept[key] != value and key != SETTINGS]
    other += _changed_settings(kept[SETTINGS], fingerprint[SETTINGS])
    if other:
        raise CheckpointError(
            str(path),
            f"it belongs to another training: different {' and '.join(other)}",
            "delete it to start again, or give this training another checkpoint file",
        )


def _changed_settings(kept: str, given: str) -> list[str]:
    """Return the settings of two trainings that differ, with their values."""
    then, now = json.loads(kept), json.loads(given)
    return [
        f"{name} ({then.get(name)} then, {now.get(name)} now)"
        for name in sorted(then.keys() | now.keys())
        if then.get(name) != now.get(name)
    ]


def _seal(arrays: Arrays) -> str:
    return digest(*(part for name in sorted(arrays) for part in (_form(name, arrays[name]), arrays[name])))


def _form(name: str, values: NDArray[Any]) -> bytes:
    return f"{name} {values.dtype.str} {values.shape}".encode()


def digest(*parts: bytes | NDArray[Any]) -> str:
    """Return a digest of bytes and arrays."""
    total = hashlib.sha256()
    for part in parts:
        content = np.ascontiguousarray(part).tobytes() if isinstance(part, np.ndarray) else part
        total.update(str(len(content)).encode())
        total.update(content)
    return total.hexdigest()
