"""``pytmva-bnn port``: all arguments go to ``pytmva_bnn.port.main``."""

from __future__ import annotations

from collections.abc import Sequence

from pytmva_bnn.cli.delegation import exit_code, function_of


def run(argv: Sequence[str]) -> int:
    """Pass the arguments on."""
    return exit_code(function_of("pytmva_bnn.port", "main", "port")(list(argv)))
