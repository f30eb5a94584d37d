"""Fits of a TF1 to the bins of a histogram or the points of a graph: least squares, or Poisson likelihood."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.functions import TF1, function_named
from pytmva_bnn.compat.messages import show
from pytmva_bnn.compat.named import getter

ASKED = {
    "Parameter": "GetParameter", "Value": "GetParameter", "ParError": "GetParError", "Error": "GetParError",
    "Chi2": "GetChisquare", "MinFcnValue": "GetChisquare", "Ndf": "GetNDF", "Prob": "GetProb", "NPar": "GetNpar",
}  # fmt: skip


@dataclass
class FitResult:
    """What ``Fit`` returns; it counts as 0, ROOT's status of success."""

    function: TF1
    covariance: FloatArray
    status: int

    def IsValid(self) -> bool:
        return self.status == 0

    def __getattr__(self, name: str) -> Any:
        if name in ASKED:  # what the function knows
            return getattr(self.function, ASKED[name])
        raise AttributeError(name)

    Status = getter("status")

    def CovMatrix(self, i: int, j: int) -> float:
        return float(self.covariance[i, j])

    def Print(self, option: str = "") -> None:
        del option
        show("*" * 40)
        show(f"{'Chi2':<26}= {self.Chi2():12g}\n{'NDf':<26}= {self.Ndf():12d}")
        for k in range(self.function.GetNpar()):
            name, value, error = self.function.GetParName(k), self.Parameter(k), self.ParError(k)
            show(f"{name:<26}= {value:12g}   +/-   {error:<12g}")

    def __int__(self) -> int:
        return self.status

    __index__ = __int__

    def __eq__(self, other: object) -> bool:
        return other is self or other == self.status

    __hash__ = object.__hash__


def fitted(
    what: Any, x: FloatArray, y: FloatArray, errors: FloatArray, option: str, limits: tuple[float, ...] = ()
) -> FitResult:
    """Fit ``what``, a TF1 or the name of one, to points (n,) and return the result; its parameters are set.

    ``L`` in ``option`` maximises the Poisson likelihood, ``W`` gives all points the same error, ``R`` keeps to the
    range of the function, ``Q`` shows nothing.
    """
    from scipy.optimize import least_squares  # heavy

    function = what if isinstance(what, TF1) else function_named(str(what))
    option = option.upper()
    low, high = (function.low, function.high) if "R" in option else limits or (-np.inf, np.inf)
    likelihood = "L" in option
    used = (x >= low) & (x <= high) & (likelihood | ("W" in option) | (errors > 0))
    x, y, sigma = x[used], y[used], np.ones(np.count_nonzero(used)) if "W" in option else errors[used]
    free = [k for k in range(function.GetNpar()) if k not in function._fixed]
    if not free:
        raise MacroError(f"Fit({function.GetName()}): there are no free parameters to fit")
    if len(x) < len(free):
        raise MacroError(f"Fit({function.GetName()}): {len(x)} points for {len(free)} parameters; fill it first")
    _guess(function, x, y)
    values = np.array(function.GetParameters(), dtype=np.float64)

    def residuals(parameters: FloatArray) -> FloatArray:
        values[free] = parameters
        expected = function.at(x, parameters=values.tolist())
        found = np.sign(y - expected) * np.sqrt(2 * _deviance(y, expected)) if likelihood else (y - expected) / sigma
        return np.nan_to_num(found, nan=1e10, posinf=1e10, neginf=-1e10)

    bounds = [function._limits[k] or (-np.inf, np.inf) for k in free]
    start = np.clip(values[free], *np.array(bounds).reshape(-1, 2).T)
    scale = np.maximum(np.abs(start), 1e-3)
    result = least_squares(residuals, start, bounds=tuple(np.array(bounds).reshape(-1, 2).T), x_scale=scale)
    whole = np.zeros((len(values), len(values)))
    whole[np.ix_(free, free)] = np.linalg.pinv(result.jac.T @ result.jac)
    values[free] = result.x
    function.SetParameters(*values)
    for k in range(len(values)):
        function.SetParError(k, float(np.sqrt(max(whole[k, k], 0.0))))
    function._chi2, function._ndf = float(np.sum(residuals(result.x) ** 2)), len(x) - len(free)
    # ROOT: a copy, so that the next fit of the same function leaves this result as it is
    found = FitResult(function.Clone(), whole, 0 if result.success else 1)
    if "Q" not in option:
        found.Print()
    return found


def _deviance(n: FloatArray, expected: FloatArray) -> FloatArray:
    """Return half of Poisson's deviance of each bin; expectations that are not positive cost a lot."""
    with np.errstate(all="ignore"):
        safe = np.maximum(expected, 1e-12)
        terms = safe - n + np.where(n > 0, n * np.log(np.where(n > 0, n, 1.0) / safe), 0.0)
    return np.maximum(terms, 0.0) + np.where(expected <= 0, 1e4, 0.0)


def _guess(function: TF1, x: FloatArray, y: FloatArray) -> None:
    """Start ready-made functions where the points are; all others start at the parameters they have."""
    kind, total = function.GetTitle().strip(), float(np.sum(np.abs(y)))
    if total <= 0 or function._fixed:
        return
    mean = float(np.sum(x * np.abs(y)) / total)
    width = float(np.sqrt(np.sum((x - mean) ** 2 * np.abs(y)) / total)) or 1.0
    if kind in {"gaus", "landau"}:
        factor = 1.0 if kind == "gaus" else 5.0
        function.SetParameters(factor * float(y.max()), float(x[np.argmax(y)]) if factor > 1 else mean, width / factor)
    elif kind == "gausn":
        function.SetParameters(total * float(np.median(np.diff(x))) if len(x) > 1 else total, mean, width)
    elif kind == "expo" and np.count_nonzero(y > 0) > 1:
        slope, constant = np.polyfit(x[y > 0], np.log(y[y > 0]), 1)
        function.SetParameters(float(constant), float(slope))
