"""Packages that only some features need, imported when one of these is used."""

from __future__ import annotations

import importlib
from typing import Any

from pytmva_bnn.errors import MissingDependencyError


def optional(module: str, extra: str, purpose: str) -> Any:
    """Return a module of an optional package, or raise the error that tells how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingDependencyError.of(package, extra, purpose) from error
