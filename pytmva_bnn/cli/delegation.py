"""Commands that other parts of the package do: found when they are called, with a clear word if they are missing."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from pytmva_bnn.errors import TMVAError


class NotAvailableError(TMVAError, ImportError):
    """The part of the package that does a command is not there."""


def function_of(module: str, name: str, command: str) -> Callable[..., Any]:
    """Return a function of a module of the package.

    >>> function_of("pytmva_bnn.no_such_part", "main", "demo")
    Traceback (most recent call last):
    pytmva_bnn.cli.delegation.NotAvailableError: the command 'demo' is not part of this installation
    (pytmva_bnn.no_such_part is missing)
    """
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise NotAvailableError(
                f"the command {command!r} needs {error.name}: install it with  pip install 'pytmva-bnn[all]'"
            ) from error
        raise NotAvailableError(
            f"the command {command!r} is not part of this installation ({module} is missing)"
        ) from error
    function = getattr(found, name, None)
    if not callable(function):
        raise NotAvailableError(
            f"the command {command!r} is not part of this installation ({module}.{name} is missing)"
        )
    return function  # type: ignore[no-any-return]


def exit_code(result: object) -> int:
    """Return the exit code that a main function means.

    >>> exit_code(None), exit_code(3)
    (0, 3)
    """
    return result if isinstance(result, int) else 0
