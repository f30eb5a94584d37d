"""A local minimum by MINUIT (iminuit, extra ``fit``); without it by L-BFGS-B of scipy."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.fitters.fitter import Best, Estimator, Fitter
from pytmva_bnn.methods.fitters.intervals import Interval
from pytmva_bnn.options import Option, OptionSet, OptionType

log = logging.getLogger("pytmva_bnn.MinuitFitter")

BOOL, INT, DOUBLE = OptionType.BOOL, OptionType.INT, OptionType.DOUBLE
_WATCHED = 100
_PER_TOLERANCE = 1e-4
"""MINUIT's tolerance is meant for sums over events; estimators are means, for which that is far too rough."""
_BAD = 1e100
"""What stands for a value that is not finite, which no minimiser can use."""


@dataclass(frozen=True)
class Minuit(Fitter):
    """MIGRAD from a start point, with the intervals as limits."""

    error_level: float = 1.0
    strategy: int = 2
    max_calls: int = 1000
    tolerance: float = 0.1

    name: ClassVar[str] = "Minuit"
    unit: ClassVar[str] = "call"
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "ErrorLevel", DOUBLE, 1.0, "change of the value that defines an error (1 for chi^2, 0.5 for likelihood)"
        ),
        Option("PrintLevel", INT, -1, "without effect: nothing is printed"),
        Option("FitStrategy", INT, 2, "0 few calls, 1 medium, 2 careful"),
        Option("PrintWarnings", BOOL, False, "without effect"),
        Option("UseImprove", BOOL, True, "without effect: there is no search around MIGRAD's result"),
        Option("UseMinos", BOOL, True, "without effect: parameters have no errors in the weight file"),
        Option("SetBatch", BOOL, False, "without effect"),
        Option("MaxCalls", INT, 1000, "approximate number of calls of the estimator"),
        Option("Tolerance", DOUBLE, 0.1, "estimated distance to the minimum at which MIGRAD stops"),
    )

    without_effect: ClassVar[tuple[str, ...]] = ("PrintLevel", "PrintWarnings", "UseImprove", "UseMinos", "SetBatch")

    @staticmethod
    def check(options: OptionSet) -> None:
        """Raise for an unknown strategy, or a number of calls that is not positive."""
        if options.integer("FitStrategy") not in (0, 1, 2):
            raise OptionError(f"FitStrategy={options.integer('FitStrategy')}: it must be 0, 1 or 2")
        if options.integer("MaxCalls") < 1:
            raise OptionError(f"MaxCalls={options.integer('MaxCalls')}: it must be at least 1")

    @property
    def n_steps(self) -> int:
        """Return the number of calls, about."""
        return self.max_calls

    def search(self, estimator: Estimator, intervals: Sequence[Interval], start: FloatArray, best: Best) -> None:
        """Go down from the start point."""
        cell = start[np.newaxis].copy()

        def value(point: FloatArray) -> float:
            cell[0] = point
            found = estimator(cell)
            best.offer(found, cell)
            best.step += 1
            if best.step % _WATCHED == 0:
                best.report()
            return float(found[0]) if np.isfinite(found[0]) else _BAD

        (self._migrad if find_spec("iminuit") else self._quasi_newton)(value, intervals, start)

    def _migrad(self, value: Callable[[FloatArray], float], intervals: Sequence[Interval], first: FloatArray) -> None:
        import iminuit  # lazy: optional

        fit = iminuit.Minuit(value, first)
        fit.errordef, fit.strategy, fit.print_level = self.error_level, self.strategy, 0
        fit.tol = self.tolerance * _PER_TOLERANCE
        for k, interval in enumerate(intervals):
            if interval.width > 0:
                fit.limits[k] = (interval.low, interval.high)
                fit.errors[k] = interval.width / 100
            else:
                fit.fixed[k] = True
        if all(fit.fixed):
            value(first)
            return
        fit.migrad(ncall=self.max_calls)
        if not fit.valid:  # where the estimator is flat, MIGRAD knows no way
            fit.simplex(ncall=self.max_calls)
            fit.migrad(ncall=self.max_calls)
        if not fit.valid:
            log.warning("MIGRAD did not converge after %d calls; the best point so far is used", fit.nfcn)

    def _quasi_newton(
        self, value: Callable[[FloatArray], float], intervals: Sequence[Interval], first: FloatArray
    ) -> None:
        from scipy.optimize import minimize  # lazy: heavy

        log.info("iminuit is not installed (pip install 'pytmva-bnn[fit]'): scipy's L-BFGS-B is used")
        bounds = [(interval.low, interval.high) for interval in intervals]
        minimize(value, first, method="L-BFGS-B", bounds=bounds, options={"maxfun": self.max_calls})
