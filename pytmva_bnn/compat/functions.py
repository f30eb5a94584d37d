"""TF1 and TF2: functions with parameters, given by a formula or by Python."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import copy
from typing import Any, ClassVar

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.compat.errors import MacroError, NotInCompatError, public_names
from pytmva_bnn.compat.function_text import by_points, compiled
from pytmva_bnn.compat.named import Named, getter
from pytmva_bnn.compat.no_ops import NO_OP_PREFIXES, no_op
from pytmva_bnn.compat.painting import Drawable
from pytmva_bnn.compat.randoms import uniform_numbers
from pytmva_bnn.compat.session import SESSION

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
"""Gauss and Legendre's points and weights for the integral over a bin."""


class TF1(Drawable, Named):
    """``TF1(name, formula, low, high)`` or ``TF1(name, function of (x, parameters), low, high, n_parameters)``.

    >>> f = TF1("f", "[0]*x + [1]", 0, 10)
    >>> f.SetParameters(2, 1)
    >>> f.Eval(3), f(3), round(f.Integral(0, 2), 9), round(f.GetX(5), 9), f.GetMaximumX()
    (7.0, 7.0, 6.0, 2.0, 10.0)
    """

    n_axes: ClassVar[int] = 1

    def __init__(self, name: str = "", formula: Any = "0", *numbers: float) -> None:
        self._name = str(name)
        self._title = "" if callable(formula) else str(formula)
        limits = [float(one) for one in numbers[: 2 * self.n_axes]] or [0.0, 1.0] * self.n_axes
        if len(limits) != 2 * self.n_axes:
            raise MacroError(f"{type(self).__name__}({name!r}) takes a lower and an upper end of each axis")
        self._ranges = [(limits[2 * k], limits[2 * k + 1]) for k in range(self.n_axes)]
        if callable(formula):
            n = int(numbers[2 * self.n_axes]) if len(numbers) > 2 * self.n_axes else 0
            self._compute, self._names = by_points(formula, n), [f"p{k}" for k in range(n)]
        else:
            self._compute, self._names = compiled(str(formula))
        n = len(self._names)
        self._values, self._errors = [0.0] * n, [0.0] * n
        self._limits: list[tuple[float, float] | None] = [None] * n
        self._fixed: set[int] = set()
        self._n_points = 100
        self._chi2, self._ndf = 0.0, 0
        if self._name:
            SESSION.functions[self._name] = self

    # -- parameters

    def GetNpar(self) -> int:
        return len(self._values)

    def SetParameters(self, *values: Any) -> None:
        """Set all parameters, one by one or from an array."""
        given = values[0] if len(values) == 1 and hasattr(values[0], "__len__") else values
        for k, value in enumerate(list(given)[: self.GetNpar()]):
            self._values[k] = float(value)

    def SetParameter(self, which: Any, value: float) -> None:
        self._values[self.GetParNumber(which)] = float(value)

    def GetParNumber(self, which: Any) -> int:
        if isinstance(which, str) and which in self._names:
            return self._names.index(which)
        if isinstance(which, str) or not 0 <= int(which) < self.GetNpar():
            raise MacroError(f"{self._name} has no parameter {which!r}; it has {', '.join(self._names) or 'none'}")
        return int(which)

    def GetParameter(self, which: Any) -> float:
        return self._values[self.GetParNumber(which)]

    def GetParameters(self, into: Any = None) -> list[float]:
        """Return all parameters; with an array, put them there too."""
        for k, value in enumerate(self._values if into is not None else ()):
            into[k] = value
        return self._values

    def GetParError(self, which: Any) -> float:
        return self._errors[self.GetParNumber(which)]

    def SetParError(self, which: Any, error: float) -> None:
        self._errors[self.GetParNumber(which)] = float(error)

    def GetParName(self, number: int) -> str:
        return self._names[number]

    def SetParName(self, number: int, name: str) -> None:
        self._names[self.GetParNumber(number)] = str(name)

    def SetParNames(self, *names: str) -> None:
        for number, name in enumerate(names[: self.GetNpar()]):
            self._names[number] = str(name)

    def SetParLimits(self, which: Any, low: float, high: float) -> None:
        """Keep a parameter within limits in fits; equal ones set it free."""
        self._limits[self.GetParNumber(which)] = (float(low), float(high)) if low < high else None

    def FixParameter(self, which: Any, value: float) -> None:
        """Set a parameter and keep it in fits."""
        self.SetParameter(which, value)
        self._fixed.add(self.GetParNumber(which))

    def ReleaseParameter(self, which: Any) -> None:
        self._fixed.discard(self.GetParNumber(which))

    # -- values

    def at(self, *x: Any, parameters: Any = None) -> FloatArray:
        variables = [np.asarray(one, dtype=np.float64) for one in (*x, *[0.0] * (4 - len(x)))]
        with np.errstate(all="ignore"):
            found = self._compute([*(self._values if parameters is None else parameters), *variables])
        return np.broadcast_to(np.asarray(found, dtype=np.float64), np.broadcast_shapes(*(v.shape for v in variables)))

    def Eval(self, *x: float) -> float:
        return float(self.at(*x))

    def EvalPar(self, x: Any, parameters: Any = None) -> float:
        """Return the value at an array of variables, with other parameters if they are given."""
        given = None if parameters is None else list(parameters)[: self.GetNpar()]
        return float(self.at(*list(x)[: self.n_axes], parameters=given))

    def __call__(self, *x: Any) -> float:
        """Return the value at x (and y, z), or at an array of them."""
        return self.EvalPar(*x) if hasattr(x[0], "__len__") else self.Eval(*x)

    def bin_integrals(self, *edges: FloatArray) -> FloatArray:
        """Return the integrals over the bins between edges (n + 1,) of each axis."""
        points = [low[:, None] + np.diff(one)[:, None] * (NODES + 1) / 2 for one in edges for low in [one[:-1]]]
        if self.n_axes == 1:
            return np.asarray((self.at(points[0]) @ WEIGHTS) * np.diff(edges[0]) / 2)
        values = self.at(points[0][:, None, :, None], points[1][None, :, None, :])
        sums: FloatArray = np.einsum("ijab,a,b->ij", values, WEIGHTS, WEIGHTS)
        return sums * np.outer(np.diff(edges[0]), np.diff(edges[1])) / 4

    def Integral(self, *limits: float) -> float:
        from scipy import integrate  # heavy

        ranges = [(limits[2 * k], limits[2 * k + 1]) for k in range(self.n_axes)]
        return float(integrate.nquad(self.Eval, ranges, opts={"limit": 200})[0])

    def Derivative(self, x: float, *_: Any) -> float:
        h = 1e-3 * (self.high - self.low)
        coarse, fine = ((self.Eval(x + d) - self.Eval(x - d)) / (2 * d) for d in (h, h / 2))
        return (4 * fine - coarse) / 3

    def GetMaximumX(self, low: float | None = None, high: float | None = None) -> float:
        return self._extreme(-1.0, low, high)

    def GetMinimumX(self, low: float | None = None, high: float | None = None) -> float:
        return self._extreme(1.0, low, high)

    def GetMaximum(self, low: float | None = None, high: float | None = None) -> float:
        return self.Eval(self.GetMaximumX(low, high))

    def GetMinimum(self, low: float | None = None, high: float | None = None) -> float:
        return self.Eval(self.GetMinimumX(low, high))

    def GetX(self, y: float, low: float | None = None, high: float | None = None) -> float:
        """Return the first x with the value y, or where it is nearest."""
        from scipy.optimize import brentq  # heavy

        x = self._grid(low, high)
        crossing = np.flatnonzero(np.diff(np.sign(self.at(x) - y)) != 0)
        if not len(crossing):
            return float(x[np.argmin(np.abs(self.at(x) - y))])
        return float(brentq(lambda one: self.Eval(one) - y, x[crossing[0]], x[crossing[0] + 1]))

    def _extreme(self, sign: float, low: float | None, high: float | None) -> float:
        from scipy.optimize import minimize_scalar  # heavy

        x = self._grid(low, high)
        best = int(np.argmin(sign * self.at(x)))
        around = x[max(best - 1, 0)], x[min(best + 1, len(x) - 1)]
        inside = minimize_scalar(lambda one: sign * self.Eval(one), bounds=around, method="bounded")
        return float(inside.x) if inside.fun < sign * self.Eval(x[best]) else float(x[best])

    def _grid(self, low: float | None = None, high: float | None = None) -> FloatArray:
        first, last = self._ranges[0]
        return np.linspace(first if low is None else low, last if high is None else high, self._n_points + 1)

    def GetRandom(self, *limits: float) -> float:
        """Return a random number with this density (not ROOT's sequence)."""
        edges = self._grid(*limits[:2])
        sums = np.concatenate([[0.0], np.cumsum(np.maximum(self.bin_integrals(edges), 0.0))])
        return float(np.interp(uniform_numbers(1)[0], sums / sums[-1], edges))

    # -- range and fit

    @property
    def low(self) -> float:
        """The lower end along x."""
        return self._ranges[0][0]

    @property
    def high(self) -> float:
        """The upper end along x."""
        return self._ranges[0][1]

    GetXmin, GetXmax = getter("low"), getter("high")
    GetNpx, GetChisquare, GetNDF = getter("_n_points"), getter("_chi2"), getter("_ndf")

    def GetRange(self, low: Any, high: Any) -> None:
        low[0], high[0] = self._ranges[0]

    def SetRange(self, *limits: float) -> None:
        """Set the ends: lower ones of all axes, then upper ones."""
        n = len(limits) // 2
        self._ranges = [(float(limits[k]), float(limits[n + k])) for k in range(n)]

    def SetNpx(self, n: int) -> None:
        """Set the number of points that GetMaximum, GetX and GetRandom start from."""
        self._n_points = int(n)

    def GetProb(self) -> float:
        from scipy.special import gammaincc  # heavy

        return float(gammaincc(self._ndf / 2, self._chi2 / 2)) if self._ndf > 0 else 0.0

    def Clone(self, name: str = "") -> TF1:
        made = copy.copy(self)
        for key in ("_values", "_errors", "_limits", "_names", "_fixed"):
            setattr(made, key, copy.copy(getattr(self, key)))
        made._name = name or self._name
        return made

    def __paint__(self, ax: Any, option: str, label: str) -> None:
        """Paint the curve on matplotlib's axes."""
        del option
        ax.plot(self._grid(), self.at(self._grid()), label=label)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name.startswith((*NO_OP_PREFIXES, "GetXaxis", "GetYaxis", "GetHistogram")):
            return no_op(type(self).__name__, name)
        raise NotInCompatError.of(type(self).__name__, name, public_names(self), "Eval and Integral give its values")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name}: {self._title or 'a Python function'}>"


class TF2(TF1):
    """``TF2(name, formula, x_low, x_high, y_low, y_high)``, or a Python function and the number of parameters."""

    n_axes = 2

    def GetRandom2(self, x: Any, y: Any) -> None:
        """Put a random pair with this density into cells (not ROOT's sequence)."""
        edges = [np.linspace(low, high, 41) for low, high in self._ranges]
        density = np.maximum(self.bin_integrals(*edges), 0.0)
        u = uniform_numbers(3)
        i, j = np.unravel_index(np.searchsorted(np.cumsum(density), u[0] * density.sum()), density.shape)
        x[0], y[0] = (edge[k] + u * (edge[k + 1] - edge[k]) for edge, k, u in zip(edges, (i, j), u[1:], strict=True))


def function_named(name: str) -> TF1:
    """Return the function made last under a name; ``gaus``, ``expo`` and the like are there from the start."""
    known = SESSION.functions.get(name)
    if known is None:
        known = TF1(name, name, -1.0, 1.0)
        known.SetParameters(1.0, 0.0, 1.0)
    if not isinstance(known, TF1):
        raise MacroError(f"{name} is not a function")
    return known
