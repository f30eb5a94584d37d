"""The cuts for one signal efficiency as TMVA prints them."""

from __future__ import annotations

from collections.abc import Sequence

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.options import parse_var_transform


def cut_lines(
    labels: Sequence[str], definition: str, edge: float, background: float, lower: FloatArray, upper: FloatArray
) -> list[str]:
    """Return the lines; ``definition`` is VarTransform, ``edge`` the lower edge of the bin of the efficiency."""
    labels, transformation = _transformed(labels, definition)
    width = max(map(len, labels))
    rule = "-" * (36 + width)
    cuts = [
        f"Cut[{i:2}]: {low:10.6g} < {label:>{width}} <= {high:10.6g}"
        for i, (label, low, high) in enumerate(zip(labels, lower.tolist(), upper.tolist(), strict=True))
    ]
    return [
        rule,
        f"Cut values for requested signal efficiency: {edge:.6g}",
        f"Corresponding background efficiency       : {background:.6g}",
        f"Transformation applied to input variables : {transformation}",
        rule,
        *cuts,
        rule,
    ]


def _transformed(labels: Sequence[str], definition: str) -> tuple[Sequence[str], str]:
    """Return what the cuts are on, and what is said of the transformations."""
    steps = [step for step in parse_var_transform(definition) if step.name != "I"]
    if not steps:
        return labels, "None"
    if len(steps) == 1:  # TMVA: in place of the name the formula of the transformation
        return [f"transformed {label}" for label in labels], f'"{steps[0].short_name}"'
    return labels, f"[ {len(steps)} transformations, one after the other: the cuts are on what comes out ]"
