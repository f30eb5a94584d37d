"""The command ``pytmva-bnn``; ``python -m pytmva_bnn.cli`` is the same.

The library never prints; this package is the only part that does.
"""

from __future__ import annotations

from pytmva_bnn.cli.main import main

__all__ = ["main"]
