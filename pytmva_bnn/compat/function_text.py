"""The formula of a TF1: ready-made functions, named parameters and variables, turned into a TFormula.

>>> compute, names = compiled("[norm]*exp(-x/[tau]) + gaus(0)")
>>> names
['p0', 'p1', 'p2', 'norm', 'tau']
>>> float(compute([0.0, 0.0, 1.0, 5.0, 2.0, 0.0]))
5.0
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pytmva_bnn.formula.tformula import TFormula

_T = "((x-[1])/[2]*([3]<0?-1:1))"
_TAIL = f"pow([4]/abs([3]),[4])*exp(-0.5*[3]^2)/pow([4]/abs([3])-abs([3])-{_T},[4])"
READY_MADE = {
    "gausn": ("[0]*exp(-0.5*((x-[1])/[2])^2)/(sqrt(2*pi)*[2])", ("Constant", "Mean", "Sigma")),
    "gaus": ("[0]*exp(-0.5*((x-[1])/[2])^2)", ("Constant", "Mean", "Sigma")),
    "expo": ("exp([0]+[1]*x)", ("Constant", "Slope")),
    "landau": ("[0]*TMath::Landau(x,[1],[2],0)", ("Constant", "MPV", "Sigma")),
    "breitwigner": ("[0]*TMath::BreitWigner(x,[1],[2])", ("Constant", "Mean", "Gamma")),
    "crystalball": (
        f"[0]*({_T}>=-abs([3])?exp(-0.5*{_T}^2):{_TAIL})", ("Constant", "Mean", "Sigma", "Alpha", "N"),
    ),
    "xygaus": ("[0]*exp(-0.5*((x-[1])/[2])^2-0.5*((y-[3])/[4])^2)", ("Constant", "MeanX", "SigmaX", "MeanY", "SigmaY")),
    **{f"pol{n}": ("+".join(["[0]", *(f"[{k}]*x^{k}" for k in range(1, n + 1))]), ()) for n in range(10)},
}  # fmt: skip
"""ROOT's functions with a name: formula, and names of the parameters."""

_READY = re.compile(rf"(?<![\w:.])({'|'.join(READY_MADE)})(?:\(\s*(\d+)\s*\))?(?![\w(])")
_NAMES = re.compile(r"(?<![\w:.])x\[(?P<index>\d)\]|\[(?P<parameter>\w+)\]|(?<![\w:.])(?P<variable>[xyzt])(?![\w(])")
_NUMBERED = re.compile(r"\[(\d+)\]")


def compiled(text: str) -> tuple[Callable[[Sequence[Any]], Any], list[str]]:
    """Return a function of the list of parameters, then x, y, z and t, and the names of the parameters.

    Numbered parameters stand in front; others follow in the order of their names, as in ROOT.
    """
    expanded = _expanded(text)
    found = {match["parameter"] for match in _NAMES.finditer(expanded) if match["parameter"]}
    n_numbered = max((int(one) + 1 for one in found if one.isdecimal()), default=0)
    named = sorted(one for one in found if not one.isdecimal())
    places = {str(k): k for k in range(n_numbered)} | {name: n_numbered + k for k, name in enumerate(named)}

    def place(match: re.Match[str]) -> str:
        if match["parameter"]:
            return f"[{places[match['parameter']]}]"
        return f"[{len(places) + ('xyzt'.index(match['variable']) if match['variable'] else int(match['index']))}]"

    function = TFormula(_NAMES.sub(place, expanded)).function()
    own = READY_MADE.get(text.strip(), ("", ()))[1]
    return function, [*(own or (f"p{k}" for k in range(n_numbered))), *named]


def _expanded(text: str) -> str:
    """Return the text with ready-made functions written out, each with parameters of its own from the given number."""
    free = max((int(number) + 1 for number in _NUMBERED.findall(text)), default=0)

    def write_out(match: re.Match[str]) -> str:
        nonlocal free
        first = free if match[2] is None else int(match[2])
        formula = READY_MADE[match[1]][0]
        free = max(free, first + 1 + max(int(number) for number in _NUMBERED.findall(formula)))
        return f"({_NUMBERED.sub(lambda number: f'[{first + int(number[1])}]', formula)})"

    return _READY.sub(write_out, text)


def by_points(call: Callable[[list[float], list[float]], float], n: int) -> Callable[[Sequence[Any]], Any]:
    """Return the same for arrays of a Python function of (x, parameters) with ``n`` parameters."""

    def compute(values: Sequence[Any]) -> Any:
        parameters = [float(one) for one in values[:n]]
        variables = np.broadcast_arrays(*(np.asarray(one, dtype=np.float64) for one in values[n:]))
        points = zip(*(one.ravel().tolist() for one in variables), strict=True)
        return np.array([float(call(list(x), parameters)) for x in points]).reshape(variables[0].shape)

    return compute
