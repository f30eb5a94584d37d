"""Numbers that compiled code and numpy share: in this folder, so code is compiled again when they change."""

from __future__ import annotations

UNCERTAINTY = 2.0**-44
"""Relative error allowed for exponentials and powers before the C library is asked."""
LARGEST_ORDER = 16
"""Powers up to this one are products."""

ROUNDING = 1.05 * 2.0**-24
"""The rounding of float32, and 5% for the rounding of the bounds themselves."""
MARGIN = 1e-6
"""Relative to errors and thresholds: more than the rounding of their differences."""
SMALL = 1e-7
