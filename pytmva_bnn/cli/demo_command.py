"""``pytmva-bnn demo``: all arguments go to ``pytmva_bnn.demo.main``."""

from __future__ import annotations

from collections.abc import Sequence

from pytmva_bnn.cli.console import without_words_on_interrupts
from pytmva_bnn.cli.delegation import exit_code, function_of


def run(argv: Sequence[str]) -> int:
    """Pass the arguments on."""
    main = function_of("pytmva_bnn.demo", "main", "demo")
    with without_words_on_interrupts():
        return exit_code(main(list(argv)))
