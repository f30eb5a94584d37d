"""``pytmva-bnn demo``: all arguments go to ``pytmva_bnn.demo.main``."""

from __future__ import annotations

from collections.abc import Sequence

from pytmva_bnn.cli.delegation import exit_code, function_of


def run(argv: Sequence[str]) -> int:
    """Pass the arguments on."""
    return exit_code(function_of("pytmva_bnn.demo", "main", "demo")(list(argv)))
