"""Several trained methods side by side, best first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult
from pytmva_bnn.factory import MethodBase


def comparison(methods: Sequence[MethodBase]) -> list[str]:
    """Return the lines of a table: what methods reach on test and training events, and the time they took."""
    rows = sorted((_row(method) for method in methods), key=lambda row: (row[0], row[1]["Method"]))
    texts = [row for _, row in rows]
    widths = {name: max(len(name), *(len(row[name]) for row in texts)) for name in texts[0]}
    lines = ["Comparison, best first:", "  ".join(f"{name:<{width}}" for name, width in widths.items()).rstrip()]
    lines += ["  ".join(f"{row[name]:<{width}}" for name, width in widths.items()).rstrip() for row in texts]
    return lines


def _row(method: MethodBase) -> tuple[float, dict[str, str]]:
    """Return what is smallest for the best, and the line of the table."""
    result = method.evaluate()
    numbers: dict[str, str]
    match result:
        case BinaryResult():
            rank = -result.roc_integral
            numbers = {"ROC integral": f"{result.roc_integral:.4f}", "training": f"{result.training_roc_integral:.4f}"}
            for share, found in zip(("1%", "10%", "30%"), result.efficiencies, strict=True):
                numbers[f"signal at B={share}"] = f"{found:.3f}"
        case RegressionResult():
            rank = result.test.rms
            numbers = {"RMS deviation": f"{result.test.rms:.5g}", "training": f"{result.training.rms:.5g}"}
        case MulticlassResult():
            test, training = (float(np.mean(one.aucs)) for one in (result.test, result.training))
            rank, numbers = -test, {"mean ROC integral": f"{test:.4f}", "training": f"{training:.4f}"}
    return rank, {"Method": method.title, **numbers, "seconds": f"{method.trained.seconds:.1f}"}
