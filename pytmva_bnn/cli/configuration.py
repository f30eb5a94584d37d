"""Configuration files: JSON always, YAML if there is a package that reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytmva_bnn.convert.optional import optional
from pytmva_bnn.errors import InputError


def read_configuration(path: str | Path) -> Mapping[str, Any]:
    """Return the content of a JSON or YAML file (``.yaml``, ``.yml``).

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "train.json"
    >>> _ = file.write_text('{"title": "BNN"}')
    >>> read_configuration(file)
    {'title': 'BNN'}
    """
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".yaml", ".yml"):
        yaml = optional("yaml", "yaml", f"reading {path} (JSON needs nothing)")
        try:
            content = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise InputError(f"{path} is not YAML: {error}") from error
    else:
        try:
            content = json.loads(text)
        except ValueError as error:
            raise InputError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, Mapping):
        raise InputError(f"{path} must have names and values, as in  title: MLP")
    return content
